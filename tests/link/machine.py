"""A machine on which a driver runs, with a disk that may be full, read-only or slow, and a clock that may jump; and a
robot that notes when it begins to move. What holds in the process of a driver holds in that of whoever stops it."""

from __future__ import annotations

import errno
import mmap
import multiprocessing
import os
import struct
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from coterie.core.action import Action
from coterie.link.folder import Folder
from coterie.link.host import Host
from coterie.link.robot import Job, Report, Robot, done

SPAWN = multiprocessing.get_context("forkserver")  # a process whose modules are loaded already
SPAWN.set_forkserver_preload(["tests.link.coordinator", "tests.link.machine"])


class Disk:
    """A disk under the folder of robots, as its system calls see it."""

    full = read_only = slow = False

    def __init__(self, patch: pytest.MonkeyPatch):
        for name in ("open", "rename", "replace", "write"):
            patch.setattr(f"coterie.link.folder.os.{name}", self._call(name, getattr(os, name)))

    def _call(self, name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **more: object) -> object:
            ours = isinstance(args[0], (str, Path)) and str(args[0]).endswith((".stopped", ".spare"))
            makes = name != "open" or (isinstance(args[1], int) and args[1] & (os.O_WRONLY | os.O_RDWR))
            if self.slow and ours and makes:
                time.sleep(0.1)
            if self.read_only and ours and makes and (name == "open" or os.path.lexists(str(args[0]))):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            new = name == "open" and ours and makes and not os.path.lexists(str(args[0]))
            if self.full and (new or name == "write"):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(*args, **more)

        return call


class Machine(Disk):
    """One whose state is in a file, so that several processes are on it."""

    def __init__(self, patch: pytest.MonkeyPatch, path: Path):
        if not path.exists():
            path.write_bytes(bytes(16))
        with path.open("r+b") as file:
            self._state = mmap.mmap(file.fileno(), 16)
        super().__init__(patch)
        real = time.time
        patch.setattr("time.time", lambda: real() + self.jump_s)

    def _get(self, at: int) -> bool:
        return self._state[at] != 0

    def _set(self, at: int, on: bool) -> None:
        self._state[at] = int(on)

    full = property(lambda self: self._get(0), lambda self, on: self._set(0, on))  # type: ignore[assignment]
    read_only = property(lambda self: self._get(1), lambda self, on: self._set(1, on))  # type: ignore[assignment]
    slow = property(lambda self: self._get(2), lambda self, on: self._set(2, on))  # type: ignore[assignment]

    @property
    def jump_s(self) -> float:
        return float(struct.unpack("d", self._state[8:16])[0])

    @jump_s.setter
    def jump_s(self, seconds: float) -> None:
        self._state[8:16] = struct.pack("d", seconds)


class Mover(Robot):
    def __init__(self, name: str, trace: Path):
        super().__init__(name)
        self.trace = os.open(trace, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.write = os.write

    def note(self, word: str) -> None:
        self.write(self.trace, f"{time.monotonic_ns()} {word}\n".encode())

    def do(self, action: Action, job: Job) -> Report:
        if job.stopping:
            return job.stopped()
        self.note("moves")
        until = time.monotonic() + float(action.args[0])
        while time.monotonic() < until:
            if job.wait(0.005):
                return job.stopped()
        self.note("still")
        return done("There.")

    def halt(self) -> None:
        self.note("still")


def drive(place: str) -> None:
    """The process of a driver, for as long as it is left alone."""
    at = Path(place)
    robot = Mover("Alice", at / "trace")  # before the disk is anything but good
    Machine(pytest.MonkeyPatch(), at / "machine")
    Host([robot], Folder(at / "robots"))
    (at / "ready").write_text(str(os.getpid()))
    time.sleep(600.0)
