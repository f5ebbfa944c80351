"""Who plays a shard, in a folder that machines share.

File locks of the system do not reach other machines on every file system, and may outlive a machine that died. A lease
is a file that its holder changes every few seconds. Whoever sees it unchanged for long enough takes it over: the
holder is dead, or so far behind that it must stop. No clocks are compared: each side measures by its own.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import stat
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.files import host

LEASE = "lease.json"
MOST_LEASE = 100_000  # bytes
BEAT_S, SILENT_S = 2.0, 20.0
NO_LINKS = (errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
SILENT_FLAG = "COTERIE_LEASE_S"  # another time after which a silent holder is taken for dead


class Taken(CoterieError):
    """Somebody else holds it."""


def silent_s() -> float:
    text = os.environ.get(SILENT_FLAG, "")
    try:
        found = float(text or SILENT_S)
    except ValueError:
        found = -1.0
    if not 0.1 <= found <= 86_400:
        raise CoterieError(f"{SILENT_FLAG}={text}: say a number of seconds from 0.1 to 86400.")
    return found


class Lease:
    """Held from construction to `release`. `check` raises if it was lost meanwhile."""

    def __init__(self, place: Path, wait: bool = False):
        """Takes over from a holder that is silent. `wait`: look for so long; else, whoever holds it is believed to be
        alive at first sight, unless it is a process of this machine that is gone."""
        self.path = place / LEASE
        self.token, self.beats = secrets.token_hex(8), 0
        self._lost = False
        self._turn = threading.Lock()
        self._silent_s = silent_s()
        while not self._create():
            self._take_over(wait)
        self._seen_s = _now_s()  # when it was last seen to be ours
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Whoever stood still for a while, with its machine or alone, looks before it writes anything."""
        if not self._lost and _now_s() - self._seen_s > self._silent_s / 2:
            self._look()
        if self._lost:
            raise CoterieError(
                f"'{self.path.parent}' was taken over by another process, since this one was silent for more than "
                f"{self._silent_s:g} s. What it finished is kept."
            )

    def release(self) -> None:
        self._over.set()
        self._thread.join()
        if not self._lost and _read(self.path).get("token") == self.token:
            with contextlib.suppress(OSError):
                self.path.unlink()

    def __enter__(self) -> Lease:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    # -- holding ----------------------------------------------------------------------------------------------------
    def _text(self) -> str:
        held = {"token": self.token, "beats": self.beats, "host": host(), "pid": os.getpid()}
        return json.dumps({**held, "machine": machine()}) + "\n"

    def _create(self) -> bool:
        """Make the file, if there is none. A link is made or not, on shared file systems, too; some have no links."""
        part = self.path.with_name(f".{self.token}")
        part.write_text(self._text(), encoding="utf-8")
        try:
            os.link(part, self.path)
            return True
        except FileExistsError:
            return False
        except OSError as err:
            if err.errno not in NO_LINKS:
                raise
        finally:
            part.unlink()
        try:
            with self.path.open("x", encoding="utf-8") as file:
                file.write(self._text())
            return True
        except FileExistsError:
            return False

    def _beat(self) -> None:
        while not self._lost and not self._over.wait(min(BEAT_S, self._silent_s / 5)):
            self._look()

    def _look(self) -> None:
        """Whether it is still ours; if so, say that we are alive."""
        with self._turn, contextlib.suppress(OSError):  # a disk that is full, or a server that is away, for a moment
            held = _held(self.path)
            if held is not None and held.get("token") == self.token:
                self.beats += 1
                part = self.path.with_name(f".{self.token}")
                part.write_text(self._text(), encoding="utf-8")
                os.replace(part, self.path)
            elif held is not None or not self._create():
                self._lost = True
            self._seen_s = _now_s()

    # -- taking over ------------------------------------------------------------------------------------------------
    def _take_over(self, wait: bool) -> None:
        held = _read(self.path)
        if not held and not self.path.exists():
            return  # just released
        if not _gone(held):
            if not wait:
                raise Taken(f"'{self.path.parent}' is being played by {_who(held)}.")
            begun = time.monotonic()
            while time.monotonic() - begun < self._silent_s:
                time.sleep(min(0.2, self._silent_s / 10))
                if _read(self.path) != held:
                    raise Taken(f"'{self.path.parent}' is being played by {_who(held)}.")
        aside = self.path.with_name(f".dead-{self.token}")
        with contextlib.suppress(FileNotFoundError):  # another one was faster
            os.rename(self.path, aside)
            if _read(aside) != held:  # and holds it already: it gets its own back
                with contextlib.suppress(OSError):  # where it cannot, it makes a new one with its next beat
                    os.link(aside, self.path)
            aside.unlink()


def _read(path: Path) -> dict[str, Any]:
    try:
        return _held(path) or {}
    except OSError:
        return {}


def _held(path: Path) -> dict[str, Any] | None:
    """What a lease says; None: there is none. A file that cannot be read now says nothing of either."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_LEASE:
            return {}
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _now_s() -> float:
    """A clock that also goes on while the machine sleeps, where there is one."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def machine() -> str:
    """Where the number of a process means the same process. Names of hosts do not tell: containers and copied machines
    share them. Under Linux it is one start of the system and the processes that a container sees."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except (OSError, ValueError):
        return f"{uuid.getnode():012x}"


def _gone(held: dict[str, Any]) -> bool:
    """Whether the holder was a process of this machine that is not there any more. Others may be alive."""
    if held.get("machine") != machine() or not isinstance(held.get("pid"), int):
        return False
    try:
        os.kill(held["pid"], 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False


def _who(held: dict[str, Any]) -> str:
    return f"process {held.get('pid', '?')} on {held.get('host', '?')}"
