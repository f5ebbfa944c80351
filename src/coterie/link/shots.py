"""A stop on its way: one datagram to each robot, at a port where the thread that halts it listens itself.

There is nothing to be opened, asked or waited for before it: whoever has the stop-key signs who is to stop, who says so
and when, and sends it. The robot's driver answers when the robot stands still; until then it is sent again. An old or a
repeated one stops nobody a second time.

`coterie stop` sends its shots with `fire` before it loads anything else: this module needs the standard library alone.
"""

from __future__ import annotations

import hmac
import json
import os
import socket
import time
from collections import namedtuple
from collections.abc import Mapping, Sequence

TYPE_CHECKING = False  # `typing` takes a quarter of the time that this module takes to load
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    class Shot(NamedTuple):
        robot: str
        by: str
        at: float  # when it was sent, on the clock of the machine [s]
        mark: str
else:
    Shot = namedtuple("Shot", "robot by at mark")

HERE = "127.0.0.1"
MOST_SHOT = 2_000  # bytes
MOST_NAME = 60  # characters of who stops
MOST_SEEN = 1_000  # shots that are remembered
OLD_S = 30.0  # after which a shot is not believed any more


def robots_path(folder: str | None = None) -> str:
    """Where the drivers of this machine are found."""
    own = folder or os.environ.get("COTERIE_ROBOTS")
    if own:
        return os.path.expanduser(own)
    shared = os.environ.get("XDG_STATE_HOME", "")
    home = shared if os.path.isabs(shared) else os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(home, "coterie", "robots")


def shot(key: bytes, robot: str, by: str) -> bytes:
    by = by[:MOST_NAME] or "somebody"
    at = time.time()
    return _signed(key, {"do": "stop", "robot": robot, "by": by, "at": at})


def read_shot(key: bytes, raw: bytes, robot: str) -> Shot | None:
    """A shot at this robot, sent lately by somebody with the key; None for everything else."""
    told = _read(key, raw)
    if told is None or told.get("do") != "stop" or told.get("robot") != robot:
        return None
    by, at = told.get("by"), told.get("at")
    good = isinstance(by, str) and 0 < len(by) <= MOST_NAME and isinstance(at, float)
    if not good or not abs(time.time() - float(at or 0.0)) <= OLD_S:
        return None
    return Shot(robot, str(by), float(at or 0.0), str(told["mark"]))


def answer(key: bytes, to: Shot, took_ms: float, wrong: str) -> bytes:
    return _signed(key, {"on": "stopped", "robot": to.robot, "to": to.mark, "ms": took_ms, "wrong": wrong[:300]})


def read_answer(key: bytes, raw: bytes) -> tuple[str, str, float, str] | None:
    """Which robot answers which shot, how long its halt took [ms], and what went wrong with it."""
    told = _read(key, raw)
    if told is None or told.get("on") != "stopped":
        return None
    robot, to, took, wrong = (told.get(k) for k in ("robot", "to", "ms", "wrong"))
    if not (isinstance(robot, str) and isinstance(to, str) and isinstance(took, float) and isinstance(wrong, str)):
        return None
    return robot, to, took, wrong


def _signed(key: bytes, told: Mapping[str, Any]) -> bytes:
    text = json.dumps(dict(told), separators=(",", ":"))
    return f"{hmac.digest(key, text.encode(), 'sha256').hex()} {text}".encode()


def _read(key: bytes, raw: bytes) -> dict[str, Any] | None:
    mark, _, text = raw.partition(b" ")
    if len(raw) > MOST_SHOT or not hmac.compare_digest(hmac.digest(key, text, "sha256").hex().encode(), mark):
        return None
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return {**told, "mark": mark.decode()} if isinstance(told, dict) else None


class Hurry:
    """Before everything else on the machine, for this thread and a moment; where the user may ask for that."""

    def __enter__(self) -> None:
        self._before = _schedule("SCHED_RR", 1)

    def __exit__(self, *_: object) -> None:
        if self._before:
            _schedule("SCHED_OTHER", 0)


def _schedule(name: str, priority: int) -> bool:
    """Whether it is so now, and was not before."""
    try:
        policy = getattr(os, name)
        if os.sched_getscheduler(0) == policy:
            return False
        os.sched_setscheduler(0, policy, os.sched_param(priority))
    except (OSError, AttributeError):  # not everybody may, and not everywhere
        return False
    return True


# -- before anything else is loaded ---------------------------------------------------------------------------------
_LATER = ("--release", "--list", "--ready", "--help", "-h")  # those stop nobody, or not yet


def fire(words: Sequence[str]) -> None:
    """Send the shots of `coterie stop` with these words. What is wrong with them is found out and told afterwards."""
    told, names = _options(words)
    if any(word.startswith(_LATER) for word in words):
        return
    with Hurry():
        _fire_all(told, names)


def _fire_all(told: Mapping[str, str], names: Sequence[str]) -> None:
    try:
        path = robots_path(told.get("--folder"))
        with open(os.path.join(path, "stop-key"), "rb") as file:
            key = file.read(1_000).strip()
        found = [n.removesuffix(".json") for n in os.listdir(path) if n.endswith(".json") and not n.startswith(".")]
        if any(name not in found for name in names):
            return  # a name that nobody has: told before anything happens
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            for robot in names or found:
                _fire(sock, key, path, robot, told.get("--by") or me())
    except (OSError, ValueError):
        return


def _options(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Options that take a value, and all that is none."""
    told: dict[str, str] = {}
    names = []
    rest = iter(words)
    for word in rest:
        name, sign, value = word.partition("=")
        if name in ("--folder", "--by"):
            told[name] = value if sign else next(rest, "")
        elif not word.startswith("-"):
            names.append(word)
    return told, names


def _fire(sock: socket.socket, key: bytes, path: str, robot: str, by: str) -> None:
    try:
        with open(os.path.join(path, f"{robot}.json"), "rb") as file:
            port = json.loads(file.read(MOST_SHOT))["stop_port"]
        sock.sendto(shot(key, robot, by), (HERE, port))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return  # one that cannot be reached keeps no other from being stopped


def me() -> str:
    """The user's name."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (KeyError, ImportError):
        return "somebody"
