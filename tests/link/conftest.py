from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from coterie.core.action import Action, Outcome
from coterie.link import fleet as fleet_module
from coterie.link import host as host_module
from coterie.link.fleet import Far, Fleet
from coterie.link.folder import Folder
from coterie.link.host import Host
from coterie.link.robot import Robot
from tests.link.machine import Disk
from tests.link.robots import Tin

__all__ = ["Disk", "end", "freeze", "robot", "until"]
ROBOTS = Path(__file__).with_name("robots.py")


def until(true: Callable[[], object], seconds: float = 60.0, what: str = "") -> None:
    """Wait for something; the time is only there so that a broken test ends."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, what or "it did not happen"
        time.sleep(0.005)


def _states(pid: int) -> set[str]:
    """Those of the threads of a process; one may end while they are looked at."""
    states = set()
    for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
        with contextlib.suppress(OSError):
            states.add(stat.read_text().rpartition(") ")[2][:1])
    return states


def freeze(pid: int) -> None:
    """Stop a process, and wait until it has: on a busy machine its threads do what they were about to do first."""
    os.kill(pid, signal.SIGSTOP)
    until(lambda: _states(pid) <= {"T"})


def end(under: Any, seconds: float = 60.0) -> Outcome:
    """Ask until it has ended; what the simulated clock says meanwhile does not matter."""
    now, last = under.began, time.monotonic() + seconds
    while (outcome := under.poll(now)) is None:
        assert time.monotonic() < last
        now += 0.1
    return outcome  # type: ignore[no-any-return]


def robot(host: Host, name: str = "Alice") -> Any:
    return host.stations[name].robot


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coordinators and drivers of this process have patience on a busy machine. Tests of how long they wait for each
    other set it themselves."""
    for name in ("SILENT_S", "ANSWER_S"):
        monkeypatch.setattr(fleet_module, name, 30.0)
    monkeypatch.setattr(host_module, "LEASE_S", 10.0)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "robots")


@pytest.fixture
def serve(folder: Folder) -> Iterator[Callable[..., Host]]:
    """Drivers in this process."""
    hosts: list[Host] = []

    def begin(*robots: str | Robot, make: type[Tin] = Tin) -> Host:
        made = [r if isinstance(r, Robot) else make(r) for r in robots or ("Alice",)]
        hosts.append(Host(made, folder))
        return hosts[-1]

    yield begin
    for host in hosts:
        for station in host.stations.values():
            if isinstance(station.robot, Tin):
                station.robot.let_go.set()
        host.close()


@pytest.fixture
def fleet(folder: Folder) -> Iterator[Callable[..., Fleet]]:
    made: list[Fleet] = []

    def begin(*names: str, run: str = "run1") -> Fleet:
        made.append(Fleet(names or ("Alice",), folder.path))
        for far in made[-1].far.values():
            far.begin(run)
        return made[-1]

    yield begin
    for some in made:
        some.close()


@pytest.fixture
def far(fleet: Callable[..., Fleet]) -> Callable[..., Far]:
    return lambda name="Alice", **more: fleet(name, **more).far[name]


@pytest.fixture
def moving(serve: Callable[..., Host], far: Callable[..., Far]) -> Callable[..., tuple[Host, Far, Any]]:
    """A driver, a coordinator, and an action that is under way for so many seconds."""

    def begin(*names: str, seconds: str = "30", make: type[Tin] = Tin) -> tuple[Host, Far, Any]:
        host, alice = serve(*names, make=make), far()
        under = alice.start("Alice", Action("take", (seconds,)), 0.0)
        until(robot(host).moving.is_set)
        return host, alice, under

    return begin


class Process:
    """A driver in a process of its own; it leaves with the test."""

    def __init__(
        self,
        folder: Folder,
        *names: str,
        seconds: float = 0.05,
        trace: Path | None = None,
        lease_s: float | None = None,
    ):
        env = {**os.environ, "SECONDS": str(seconds), "COTERIE_ROBOTS": str(folder.path)}
        if lease_s is not None:
            env["LEASE_S"] = str(lease_s)
        if trace is not None:
            env["TRACE"] = str(trace)
        words = [sys.executable, "-m", "coterie", "robot", str(ROBOTS), *names]
        self.child = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, encoding="utf-8")
        assert self.child.stdout is not None
        assert "ready" in self.child.stdout.readline()

    def kill(self) -> None:
        self.child.kill()
        self.child.wait()

    def close(self) -> None:
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGCONT)
            self.child.terminate()
        self.child.communicate(timeout=60)


@pytest.fixture
def process(folder: Folder) -> Iterator[Callable[..., Process]]:
    made: list[Process] = []

    def begin(*names: str, **more: object) -> Process:
        made.append(Process(folder, *names, **more))  # type: ignore[arg-type]
        return made[-1]

    yield begin
    for one in made:
        one.close()
