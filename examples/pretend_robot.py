"""A driver of a robot of your own, complete: a pretended one, whose motors are a clock.

Run it, a team with it, and stop it, in three terminals:

    coterie robot examples/pretend_robot.py Alice
    coterie run pack-objects --async --drive Alice
    coterie stop

Where this waits, yours talks to a machine. Actions arrive as data: `action.skill` is the name of a skill on the robot's
card (`navigate`, `pick`, ...), `action.args` what it is applied to.
"""

from __future__ import annotations

import os
import threading

from coterie.core.action import Action, Cause
from coterie.link.robot import Job, Report, Robot, done, failed

SECONDS = float(os.environ.get("PRETEND_SECONDS", "1.0"))  # that an action takes
STEPS = 20  # in which it looks whether it is to stand still


class Motors:
    """Stands for the library of a robot's maker."""

    def __init__(self) -> None:
        self.moving = threading.Event()

    def go(self) -> None:
        self.moving.set()

    def brake(self) -> None:
        self.moving.clear()


class Pretend(Robot):
    def __init__(self, name: str):
        super().__init__(name)
        self.motors = Motors()

    def do(self, action: Action, job: Job) -> Report:
        """In a thread of its own; it takes as long as it takes. Look at `job.stopping` before every motion."""
        if action.skill == "dance":
            return failed(f"{self.name} has no legs.", Cause("legs", ("legs", (self.name,), 0), "before"))
        for step in range(STEPS):
            if job.stopping:
                return job.stopped(f"{self.name} stands still.")
            self.motors.go()
            job.wait(SECONDS / STEPS)
            job.progress((step + 1) / STEPS, f"{action.skill}: {step + 1} of {STEPS}")
        self.motors.brake()
        return done(f"{self.name} has done {action}.")

    def halt(self) -> None:
        """From another thread, at any moment: brake, and come back at once."""
        self.motors.brake()


make = Pretend
