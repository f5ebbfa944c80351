"""Robots for tests of drivers, here and in processes of their own.

In a process, `TRACE` names a file to which a robot writes when it moves and when it stands still, in nanoseconds of the
clock that all processes share; `SECONDS` is what an action takes, `LEASE_S` for how long its driver is patient.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from coterie.core.action import Action, Cause
from coterie.core.facts import Fact
from coterie.link import host
from coterie.link.robot import Job, Report, Robot, done, failed

TICK_S = 0.005
if "LEASE_S" in os.environ:
    host.LEASE_S = float(os.environ["LEASE_S"])


class Tin(Robot):
    """Its skills are what tests need; what it did is kept in `did`."""

    def __init__(self, name: str):
        super().__init__(name)
        self.did: list[str] = []
        self.halts = 0
        self.moving = threading.Event()
        self.let_go = threading.Event()  # for those that do not come out
        self.seconds = float(os.environ.get("SECONDS", "0.02"))
        trace = os.environ.get("TRACE")
        self._trace = Path(trace).open("a") if trace else None  # noqa: SIM115 - for as long as the process lives

    def note(self, word: str) -> None:
        if self._trace is not None:
            self._trace.write(f"{time.monotonic_ns()} {word}\n")
            self._trace.flush()

    def do(self, action: Action, job: Job) -> Report:
        self.did.append(str(action))
        self.note(f"did {job.name}")
        if action.skill == "fail":
            fact = ("where", ("cup",), "shelf")
            return failed(
                "No cup here.", Cause("seen", fact, "during"), [Fact("where", ("cup",), "shelf", 1.0, self.name)]
            )
        if action.skill == "raise":
            raise ValueError("a wire is loose")
        if action.skill == "mumble":
            return "done"  # type: ignore[return-value]
        if action.skill == "deaf":  # never looks whether it is to stop
            self.let_go.wait()
            return done("at last")
        seconds = float(action.args[0]) if action.skill == "take" else self.seconds
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if job.stopping:
                return job.stopped()
            self.move(True)
            job.progress(0.5, "half")
            job.wait(TICK_S)
        self.move(False)
        return done(f"{self.name} did it.")

    def move(self, on: bool) -> None:
        if on != self.moving.is_set():
            self.note("moves" if on else "still")
            (self.moving.set if on else self.moving.clear)()

    def halt(self) -> None:
        self.halts += 1
        self.move(False)


make = Tin
