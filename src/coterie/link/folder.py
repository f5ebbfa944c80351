"""Where the drivers of a machine are found: a folder with a file for each robot that says how to reach its driver.

    Alice.json            its driver: process, ports, since when; it is locked while the driver runs
    Alice.actions.jsonl   what it was asked to do, and how that ended (`kept.py`)
    Alice.stopped         there while the robot is stopped: by whom; it outlives the driver
    key                   whoever can read it may drive, stop and release
    stop-key              whoever can read it may stop; for everybody, where the folder is

The folder is COTERIE_ROBOTS, or `coterie/robots` among the user's states.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.bounds import is_word, load_json, read_bounded
from coterie.core.errors import CoterieError
from coterie.core.files import InUse, Lock, replace_text, writing
from coterie.link.shots import robots_path

MOST_FILE = 100_000  # bytes
MOST_ROBOTS = 256
SHORTEST_KEY = 16  # bytes


class Entry(NamedTuple):
    """How a robot's driver is reached."""

    robot: str
    pid: int
    port: int  # for coordinators, TCP
    stop_port: int  # for shots, UDP
    since: str = ""
    simulated: bool = False  # a team whose process is the run itself


class Folder:
    def __init__(self, path: Path | str | None = None):
        self.path = Path(robots_path(None if path is None else str(path)))

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
        if not is_word(robot):
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
            known = ", ".join(e.robot for e in self.entries()) if self.path.is_dir() else ""
            raise CoterieError(
                f"No driver serves '{robot}' (looked in '{self.path}'). Those that do: {known or 'none'}. "
                f"Start one with: coterie robot FILE {robot}"
            )
        data = read_json(path)
        pid, port, stop_port = (n if type(n := data.get(k)) is int else 0 for k in ("pid", "port", "stop_port"))
        if data.get("robot") != robot or pid <= 0 or not (0 < port <= 65535 and 0 < stop_port <= 65535):
            raise CoterieError(f"'{path}' does not say how the driver of {robot} is reached; start that driver again.")
        return Entry(robot, pid, port, stop_port, str(data.get("since", ""))[:40], data.get("simulated") is True)

    def forget(self, robot: str) -> None:
        """Remove what is kept of a robot that nobody will drive again."""
        path = self.entry_path(robot)
        for suffix in (".json", ".stopped", ".actions.jsonl"):
            with contextlib.suppress(OSError):
                path.with_suffix(suffix).unlink(missing_ok=True)

    # -- stopped robots ---------------------------------------------------------------------------------------------
    def stopped(self, robot: str) -> str:
        """By whom a robot was stopped, if it was: a driver that is begun anew leaves it stopped."""
        path = self.entry_path(robot).with_suffix(".stopped")
        if not path.exists():
            return ""
        try:
            by = read_json(path).get("by")
        except CoterieError:  # whatever is wrong with it: it is there
            by = None
        return by if isinstance(by, str) and by else "somebody"

    def keep_stopped(self, robot: str, by: str) -> None:
        path = self.entry_path(robot).with_suffix(".stopped")
        if by:
            replace_text(path, json.dumps({"by": by, "since": _now()}) + "\n")
        else:
            path.unlink(missing_ok=True)


class Announced:
    """Robots of one driver, from now until `close`. Another driver of one of them is told which process has it."""

    def __init__(self, folder: Folder, robots: Sequence[str]):
        self.folder, self.robots = folder, tuple(robots)
        self.locks: list[Lock] = []
        try:
            with writing(f"the folder of robots '{folder.path}'"):
                for robot in self.robots:
                    self.locks.append(Lock(folder.entry_path(robot)))
        except InUse as err:
            self.close()
            raise CoterieError(f"{err} A robot has one driver.") from err
        except BaseException:
            self.close()
            raise

    def tell(self, port: int, stop_ports: Mapping[str, int], simulated: bool = False) -> None:
        with writing(f"the folder of robots '{self.folder.path}'"):
            for robot in self.robots:
                entry = Entry(robot, os.getpid(), port, stop_ports[robot], _now(), simulated)
                replace_text(self.folder.entry_path(robot), json.dumps(entry._asdict()) + "\n")

    def close(self) -> None:
        for lock in self.locks:
            with contextlib.suppress(OSError):
                lock.target.unlink(missing_ok=True)
            lock.release()
        self.locks.clear()


def read_json(path: Path) -> dict[str, Any]:
    try:
        data = load_json(read_bounded(path, "file", MOST_FILE).decode("utf-8"))
    except ValueError as err:
        raise CoterieError(f"'{path}' cannot be read: {err}.") from err
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


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")
