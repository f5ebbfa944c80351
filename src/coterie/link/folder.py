"""Where the drivers of a machine are found: a folder with a file for each robot that says how to reach its driver.

    Alice.json            its driver: process, ports, since when; it is locked while the driver runs
    Alice.actions.jsonl   what it was asked to do, and how that ended (`kept.py`)
    Alice.stopped         there while the robot is stopped: by whom; it outlives the driver. That it is there is the
                          state: one that is empty, or cannot be looked for, counts as well
    .Alice.spare          becomes Alice.stopped: that takes no room on a full disk
    key                   users who can read it may drive, stop and release
    stop-key              users who can read it may stop; for everybody, where the folder is

The folder is COTERIE_ROBOTS, or `coterie/robots` among the user's states.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.bounds import can_take_part, is_word, read_bounded, read_json
from coterie.core.errors import CoterieError
from coterie.core.files import InUse, Lock, replace_text, writing
from coterie.link.shots import LIFE, robots_path

MOST_FILE = 100_000  # bytes
SPARE = 256  # bytes of a file that says who stopped a robot
MOST_ROBOTS = 256
SHORTEST_KEY = 16  # bytes


class Entry(NamedTuple):
    """How a robot's driver is reached."""

    robot: str
    pid: int
    port: int  # for coordinators, TCP
    stop_port: int  # for shots, UDP
    life: str = ""  # how shots at it begin (`shots.py`)
    since: str = ""
    simulated: bool = False  # a team whose process is the run itself
    far_port: int = 0  # of a driver on another computer, where `port` leads (`network.py`)


class Folder:
    def __init__(self, path: Path | str | None = None):
        self.path = Path(robots_path(None if path is None else str(path)))
        self._stop_paths: dict[str, Path] = {}  # they are looked at before every motion

    # -- keys -------------------------------------------------------------------------------------------------------
    def make_keys(self) -> None:
        """Both keys, for drivers; they are made by the first one."""
        with writing(f"the folder of robots '{self.path}'", " Name another one with COTERIE_ROBOTS."):
            self.path.mkdir(parents=True, exist_ok=True, mode=0o755)
            for name, mode in (("key", 0o600), ("stop-key", 0o644)):
                _make_once(self.path / name, os.urandom(32).hex(), mode)

    def key(self) -> bytes:
        return self._key("key")

    def stop_key(self) -> bytes:
        return self._key("stop-key")

    def _key(self, name: str) -> bytes:
        found = read_bounded(self.path / name, "key", MOST_FILE).strip()
        if len(found) < SHORTEST_KEY:
            raise CoterieError(f"The key '{self.path / name}' is too short; remove it when no driver runs.")
        return found

    # -- who is there -----------------------------------------------------------------------------------------------
    def entry_path(self, robot: str) -> Path:
        if not can_take_part(robot):
            raise CoterieError(f"'{robot[:80]}' cannot be the name of a robot: letters, digits and _, 60 at most.")
        return self.path / f"{robot}.json"

    def entries(self) -> list[Entry]:
        """Drivers that announced themselves and did not sign off; some may have been killed."""
        try:
            names = sorted(p.stem for p in self.path.glob("*.json") if is_word(p.stem))
        except OSError:
            names = []
        found = []
        for name in names[:MOST_ROBOTS]:
            with contextlib.suppress(CoterieError):
                found.append(self.entry(name))
        return found

    def entry(self, robot: str) -> Entry:
        path = self.entry_path(robot)
        if not path.is_file():
            known = ", ".join(e.robot for e in self.entries() if not e.simulated) if self.path.is_dir() else ""
            raise CoterieError(
                f"No driver serves '{robot}' (looked in '{self.path}'). Those that do: {known or 'none'}. "
                f"Start one with: coterie robot FILE {robot}"
            )
        data = read_table(path)
        pid, port, stop_port = (n if type(n := data.get(k)) is int else 0 for k in ("pid", "port", "stop_port"))
        if data.get("robot") != robot or pid <= 0 or not (0 < port <= 65535 and 0 < stop_port <= 65535):
            raise CoterieError(f"'{path}' does not say how the driver of {robot} is reached; start that driver again.")
        life = data.get("life")
        life = life if isinstance(life, str) and len(life) == LIFE and life.isascii() else "0" * LIFE
        since, far_port = str(data.get("since", ""))[:40], data.get("far_port")
        far_port = far_port if type(far_port) is int else 0
        return Entry(robot, pid, port, stop_port, life, since, data.get("simulated") is True, far_port)

    def forget(self, robot: str) -> None:
        """Remove the files of a robot that will not be driven again."""
        path = self.entry_path(robot)
        for part in (path, self.spare_path(robot), *(path.with_suffix(s) for s in (".stopped", ".actions.jsonl"))):
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)

    # -- stopped robots ---------------------------------------------------------------------------------------------
    def stop_path(self, robot: str) -> Path:
        if robot not in self._stop_paths:
            self._stop_paths[robot] = self.entry_path(robot).with_suffix(".stopped")
        return self._stop_paths[robot]

    def spare_path(self, robot: str) -> Path:
        return self.path / f".{robot}.spare"

    def stopped(self, robot: str) -> str:
        """By whom a robot is stopped, if it is: whatever is wrong with the file, or with looking for it, it is."""
        path = self.stop_path(robot)
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return ""
        except OSError as err:
            return f"a folder that cannot be read ({err.strerror})"
        try:
            by = read_table(path).get("by") if stat.S_ISREG(found.st_mode) else None
        except CoterieError:
            by = None
        return by if isinstance(by, str) and by else "somebody"

    def stopped_mark(self, robot: str) -> str:
        """Another one whenever a stop was kept; empty where none is."""
        try:
            found = os.lstat(self.stop_path(robot))
        except OSError:
            return ""
        return f"{found.st_ino} {found.st_ctime_ns}"

    def keep_stopped(self, robot: str, by: str, folder: int | None = None) -> None:
        """The robot is stopped from now on, whatever becomes of its driver: OSError where that could not be kept.

        The spare file takes its place first, which needs neither room nor a descriptor; who it was is written if it can
        be. `folder` is a descriptor of the folder.
        """
        path = self.stop_path(robot)
        with contextlib.suppress(OSError):
            os.rename(self.spare_path(robot), path)
        text = json.dumps({"by": by, "since": _now()}).encode("ascii").ljust(SPARE - 1) + b"\n"
        try:
            _write_in_place(path, text)
        except OSError as err:
            if err.errno == errno.EIO or not os.path.lexists(path):
                raise
        if folder is not None:
            _sync(folder)
            return
        with contextlib.suppress(OSError):  # a user who may add to it and not read it
            folder = os.open(self.path, os.O_RDONLY)
            try:
                _sync(folder)
            finally:
                os.close(folder)

    def let_go(self, robot: str) -> None:
        """The robot is not stopped any more. (Where a power cut brings the file back, it is stopped again.)"""
        with contextlib.suppress(FileNotFoundError):
            os.replace(self.stop_path(robot), self.spare_path(robot))


class Announced:
    """Robots of one driver, from now until `close`. Another driver of one of them is told which process has it."""

    def __init__(self, folder: Folder, robots: Sequence[str]):
        self.folder, self.robots = folder, tuple(robots)
        self.life = os.urandom(LIFE // 2).hex()
        self.locks: list[Lock] = []
        self.fd: int | None = None  # of the folder: a stop is kept when there are no descriptors left, too
        try:
            with writing(f"the folder of robots '{folder.path}'"):
                self.fd = os.open(folder.path, os.O_RDONLY)
                for robot in self.robots:
                    self.locks.append(Lock(folder.entry_path(robot)))
                    _write_in_place(folder.spare_path(robot), b" " * SPARE)
        except InUse as err:
            self.close()
            raise CoterieError(f"{err} A robot has one driver.") from err
        except BaseException:
            self.close()
            raise

    def tell(self, port: int, stop_ports: Mapping[str, int], simulated: bool = False, far_port: int = 0) -> None:
        with writing(f"the folder of robots '{self.folder.path}'"):
            for robot in self.robots:
                entry = Entry(robot, os.getpid(), port, stop_ports[robot], self.life, _now(), simulated, far_port)
                replace_text(self.folder.entry_path(robot), json.dumps(entry._asdict()) + "\n")

    def close(self) -> None:
        for lock in self.locks:
            for path in (lock.target, self.folder.spare_path(lock.target.stem)):
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
            lock.release()
        self.locks.clear()
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None


def read_table(path: Path) -> dict[str, Any]:
    data = read_json(path, "file", MOST_FILE)
    if not isinstance(data, dict):
        raise CoterieError(f"'{path}' cannot be read: it holds no table.")
    return data


def _make_once(path: Path, text: str, mode: int) -> None:
    """Write a file unless it is there; two that try at once end up with the same one."""
    if path.exists():
        return
    part = path.with_name(f".{path.name}-{os.getpid()}-{os.urandom(4).hex()}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="ascii") as file:
        file.write(text + "\n")
    with contextlib.suppress(FileExistsError):
        os.link(part, path)
    part.unlink()


def _write_in_place(path: Path, raw: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # it may be a pipe
    fd = os.open(path, flags, 0o644)
    try:
        os.write(fd, raw)
        os.ftruncate(fd, len(raw))
        os.fsync(fd)
    finally:
        os.close(fd)


def _sync(folder: int) -> None:
    try:
        os.fsync(folder)
    except OSError as err:
        if err.errno not in (errno.EINVAL, errno.EROFS):  # some systems sync no folders
            raise


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")
