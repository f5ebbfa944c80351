"""`coterie stop` before anything else is loaded: the shots of `shots.py`, by what Python has loaded anyway.

Robots do not wait until Python has found everything: this module takes a few milliseconds beyond the start of Python.
Reading JSON, the usual hash functions and sockets would double that, so it goes without them; a test holds its shots to
those of `shots.py`.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False  # `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

HERE = "127.0.0.1"
MOST_SHOT = 2_000  # bytes
MOST_NAME = 60  # characters of who stops
_LATER = ("--release", "--list", "--ready", "--help", "-h")  # those stop nobody, or not yet
_BLOCK = 64  # bytes that SHA-256 takes at a time


def robots_path(folder: str | None = None) -> str:
    """Where the drivers of this machine are found."""
    own = folder or os.environ.get("COTERIE_ROBOTS")
    if own:
        return os.path.expanduser(own)
    shared = os.environ.get("XDG_STATE_HOME", "")
    home = shared if os.path.isabs(shared) else os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(home, "coterie", "robots")


def me() -> str:
    """The user's name."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (KeyError, ImportError):
        return "somebody"


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
        send, by = _sender(), (told.get("--by") or me())[:MOST_NAME] or "somebody"
        for robot in names or found:
            _fire(send, key, path, robot, by)
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


def _fire(send: Callable[[bytes, int], object], key: bytes, path: str, robot: str, by: str) -> None:
    try:
        with open(os.path.join(path, f"{robot}.json"), "rb") as file:
            told = file.read(MOST_SHOT)
        send(signed(key, robot, by), _port(told))
    except (OSError, ValueError, TypeError, OverflowError):
        return  # one that cannot be reached keeps no other from being stopped


def _port(told: bytes) -> int:
    """Where a robot listens, of the JSON that its driver wrote. (Within a text the quotes would be others.)"""
    after = told.partition(b'"stop_port":')[2].lstrip()
    return int(after[: len(after) - len(after.lstrip(b"0123456789"))])


def signed(key: bytes, robot: str, by: str) -> bytes:
    """A shot, as `shots.shot` makes it."""
    text = f'{{"do":"stop","robot":{_quoted(robot)},"by":{_quoted(by)},"at":{time.time()!r}}}'.encode("ascii")
    return _mac(key, text).hex().encode("ascii") + b" " + text


def _mac(key: bytes, text: bytes) -> bytes:
    """HMAC with SHA-256 (RFC 2104)."""
    sha = _hashing()
    key = (sha(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
    inner = sha(bytes(b ^ 0x36 for b in key) + text).digest()
    return bytes(sha(bytes(b ^ 0x5C for b in key) + inner).digest())


# -- what Python has inside; where it has not, as everybody gets it ---------------------------------------------------
def _hashing() -> Any:
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]  # since Python 3.12
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found]
        except ImportError:
            from hashlib import sha256
    return sha256


def _quoted(text: str) -> str:
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    try:
        from _json import encode_basestring_ascii as quoted
    except ImportError:
        from json import dumps as quoted
    return str(quoted(text))


def _sender() -> Callable[[bytes, int], object]:
    try:
        import _socket as sockets
    except ImportError:
        import socket as sockets  # type: ignore[no-redef]
    sock = sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM)
    return lambda shot, port: sock.sendto(shot, (HERE, port))
