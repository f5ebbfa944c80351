"""A stop on its way: one datagram to each robot, at a port where the thread that halts it listens itself.

There is nothing to be opened, asked or waited for before it: one with the stop-key signs who is to stop and who says
so, and sends it. The robot's driver answers when the robot stands still and the stop is kept; until then it is sent
again. A repeated one stops nobody a second time, and none has an age: a driver that was frozen for an hour follows what
came in meanwhile. Each begins with a word that the driver made up when it started (`life`, in `Alice.json`): systems
that can drop everything else before it is queued do so.

`coterie stop` sends its shots before it loads anything else, so this module uses what Python has loaded anyway: JSON,
`hmac` and `socket` would triple the time it takes.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False  # `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

HERE = "127.0.0.1"
MOST_SHOT = 2_000  # bytes
MOST_NAME = 60  # characters of who stops
AGAIN_S = 0.02  # between two shots at a robot that has not answered
LIFE = 16  # characters of the word with which shots at a driver begin
MARK = 64  # characters of a signature
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
    """Set the scheduling policy; True if it is so now, and was not before."""
    try:
        policy = getattr(os, name)
        if os.sched_getscheduler(0) == policy:
            return False
        os.sched_setscheduler(0, policy, os.sched_param(priority))
    except (OSError, AttributeError):  # not everybody may, and not everywhere
        return False
    return True


# -- signatures -------------------------------------------------------------------------------------------------------
class Seal:
    """Signs and reads texts of several fields with one key: HMAC with SHA-256 (RFC 2104)."""

    def __init__(self, key: bytes):
        sha = _hashing()
        key = (sha(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
        self._inner, self._outer = (sha(bytes(b ^ pad for b in key)) for pad in (0x36, 0x5C))

    def mark(self, text: bytes) -> bytes:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(text)
        outer.update(inner.digest())
        return bytes(outer.hexdigest().encode("ascii"))

    def write(self, *fields: str) -> bytes:
        """The fields, each on one line, behind their signature."""
        text = "\n".join(" ".join(f.splitlines()) for f in fields).encode("utf-8", "replace")
        return self.mark(text) + b" " + text

    def read(self, raw: bytes, kind: str, count: int) -> list[str] | None:
        """So many fields, of which the first says what kind it is; None for whatever was not signed so."""
        mark, text = raw[:MARK], raw[MARK + 1 :]
        if len(raw) > MOST_SHOT or not _same(self.mark(text), mark):
            return None
        fields = text.decode("utf-8", "replace").split("\n")
        return fields if len(fields) == count and fields[0] == kind else None


def _hashing() -> Any:
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]  # since Python 3.12
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found]
        except ImportError:
            from hashlib import sha256
    return sha256


def _same(one: bytes, two: bytes) -> bool:
    try:
        from _operator import _compare_digest
    except ImportError:
        from hmac import compare_digest as _compare_digest  # type: ignore[no-redef]
    return bool(_compare_digest(one, two))


# -- shots and answers ------------------------------------------------------------------------------------------------
class Shot:
    __slots__ = ("by", "mark", "robot")

    def __init__(self, robot: str, by: str, mark: str):
        self.robot, self.by, self.mark = robot, by, mark


class Answer:
    """A robot stands still, after a halt of so many milliseconds; or what went wrong with it, and why the stop could
    not be kept."""

    __slots__ = ("robot", "to", "took_ms", "unkept", "wrong")

    def __init__(self, robot: str, to: str, took_ms: float, wrong: str = "", unkept: str = ""):
        self.robot, self.to, self.took_ms, self.wrong, self.unkept = robot, to, took_ms, wrong, unkept


def shot(seal: Seal, life: str, robot: str, by: str) -> bytes:
    by = by[:MOST_NAME] or "somebody"
    return life.encode("ascii") + b" " + seal.write("stop", life, robot, by, os.urandom(16).hex())


def read_shot(seal: Seal, life: str, robot: str, raw: bytes) -> Shot | None:
    """Return the stop for this robot in this life of its driver, signed with the key; None for everything else."""
    if raw[: LIFE + 1] != life.encode("ascii") + b" ":
        return None
    fields = seal.read(raw[LIFE + 1 :], "stop", 5)
    if fields is None or fields[1:3] != [life, robot] or not 0 < len(fields[3]) <= MOST_NAME:
        return None
    return Shot(robot, fields[3], raw[LIFE + 1 : LIFE + 1 + MARK].decode("ascii"))


def write_answer(seal: Seal, told: Answer) -> bytes:
    return seal.write("stopped", told.robot, told.to, repr(told.took_ms), told.wrong[:300], told.unkept[:300])


def read_answer(seal: Seal, raw: bytes) -> Answer | None:
    fields = seal.read(raw, "stopped", 6)
    try:
        return None if fields is None else Answer(fields[1], fields[2], float(fields[3]), *fields[4:])
    except ValueError:
        return None


def shoot(sock: Any, seal: Seal, aims: Mapping[str, tuple[int, str]], by: str, seconds: float) -> dict[str, Answer]:
    """Shoot at robots, by the ports and lives of their drivers, until each has answered or that time is over."""
    shots = {name: shot(seal, life, name, by) for name, (_, life) in aims.items()}
    marks = {raw[LIFE + 1 : LIFE + 1 + MARK].decode("ascii"): name for name, raw in shots.items()}
    answers: dict[str, Answer] = {}
    end = time.monotonic() + seconds
    while len(answers) < len(shots) and (now := time.monotonic()) < end:
        for name in shots:
            if name not in answers:
                try:
                    sock.sendto(shots[name], (HERE, aims[name][0]))
                except OSError:  # nobody listens there
                    continue
        again = min(end, now + AGAIN_S)
        while len(answers) < len(shots) and (left := again - time.monotonic()) > 0:
            sock.settimeout(left)
            try:
                told = read_answer(seal, sock.recv(MOST_SHOT + 1))
            except OSError:  # nothing has come; or nobody listens there
                continue
            if told is not None and marks.get(told.to) == told.robot:
                answers[told.robot] = told
    return answers
