"""An action under way at a driver elsewhere, as the episode sees it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from coterie.core.action import Action, Cause, Outcome
from coterie.core.causes import DRIVER, called_off
from coterie.link.robot import Report

POLL_S = 0.1  # between two questions of the episode: simulated, and on the clock
MAKE_UP_S = 0.5  # by which simulated time may hurry after the clock
CANCEL_S = 0.25  # for a robot to stop and say how it ended, before it is taken for granted

CallOff = Callable[["Under"], None]


class Pace:
    """Lets simulated time go as fast as the clock while robots are asked how far they are."""

    def __init__(self) -> None:
        self._sim, self._wall = -math.inf, time.monotonic()
        self._lock = threading.Lock()

    def until(self, now: float) -> float:
        """When it is that moment on the clock. Of time in which nobody asked, no more than one wait is made up for."""
        with self._lock:
            if now > self._sim:
                self._wall = max(self._wall + min(now - self._sim, POLL_S), time.monotonic() - MAKE_UP_S)
                self._sim = now
            return self._wall


class Under(threading.Condition):
    """An action under way at a far driver. Its number, the robot's actions so far, is the same for a run that is taken
    over."""

    def __init__(self, robot: str, run: str, number: int, action: Action, began: float, pace: Pace, call_off: CallOff):
        super().__init__()
        self.robot, self.action, self.began, self._pace, self._call_off = robot, action, began, pace, call_off
        self.run, self.number = run, number
        self.name = f"{run}/{robot}/{self.number}"
        self.end: Report | None = None
        self.cancelled = Report("cancelled", "The action was cancelled.", called_off(robot))  # how it may end
        self.progress: tuple[float, str] = (0.0, "")
        self.asked_at = time.monotonic()  # when the driver was told
        self.asked = 0  # how often it was asked for, each time over another line
        self.taken = False
        self.off = False  # cancelled here, whether the driver has heard of it or not

    @property
    def wanted(self) -> bool:
        return self.end is None and not self.off

    def poll(self, now: float) -> Outcome | None:
        """Waits until the clock has come as far as the simulated time, and not longer."""
        with self:
            self.wait_for(lambda: self.end is not None, max(0.0, self._pace.until(now) - time.monotonic()))
            return None if self.end is None else self._outcome(self.end, now)

    def cancel(self, now: float) -> Outcome:
        """Stop it; where it had ended already, that counts."""
        self._call_off(self)
        with self:
            self.wait_for(lambda: self.end is not None, CANCEL_S)
            end = self.end if self.end is not None and self.end.status == "done" else self.cancelled
            return self._outcome(end, now)

    def _outcome(self, end: Report, now: float) -> Outcome:
        took = now - self.began
        cause = end.cause if end.status == "done" or end.cause is not None else Cause(DRIVER, None, "during")
        return Outcome(self.robot, self.action, end.status, end.reason, self.began, took, facts=end.facts, cause=cause)

    def ended(self, end: Report) -> None:
        """The first end counts."""
        with self:
            if self.end is None:
                self.end = end
                self.notify_all()
