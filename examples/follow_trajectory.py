"""A driver of an arm at the table: it follows the trajectory that comes with every action, and reports.

    coterie robot examples/follow_trajectory.py Bob
    coterie run sort-cubes --seed 3 --drive Bob

The trajectory is a `trajectory_msgs/JointTrajectory` message as data, 50 points a second. Where this waits, yours sends
the points to a controller.
"""

from __future__ import annotations

import os
from itertools import pairwise
from typing import Any

from coterie.core.action import Action
from coterie.link.robot import Job, Report, Robot, done, failed

HASTE = float(os.environ.get("FOLLOW_HASTE", "1.0"))  # how many times as fast as it is to be followed


class Follower(Robot):
    joints: list[float] = []

    def do(self, action: Action, job: Job) -> Report:
        found: Any = next((fact.value for fact in action.facts if fact.pred == "trajectory"), None)
        if found is None:
            return failed(f"{self.name} was told no trajectory for {action}.")
        points = found["points"]
        for k, (before, point) in enumerate(pairwise(points), 1):
            if job.stopping:
                return job.stopped(f"{self.name} stands still at point {k} of {len(points)}.")
            job.wait((_seconds(point) - _seconds(before)) / HASTE)
            self.joints = list(point["positions"])
            job.progress(k / len(points), f"{action.skill}: point {k} of {len(points)}")
        return done(f"{self.name} followed {len(points)} points in {_seconds(points[-1]):.1f} s.")

    def halt(self) -> None:
        """Hold the joints where they are; here nothing moves by itself."""


def _seconds(point: Any) -> float:
    at = point["time_from_start"]
    return float(at["sec"]) + float(at["nanosec"]) * 1e-9


make = Follower
