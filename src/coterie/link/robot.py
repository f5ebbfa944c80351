"""The class an engineer fills in to drive a real robot: how it does an action, and how it stands still.

class Arm(Robot):
    def do(self, action, job):          # in a thread of its own; it takes as long as it takes
        for waypoint in self.path_of(action):
            if job.stopping:
                return job.stopped("stopped on its way")
            self.motors.go(waypoint)
        return done("The cup is in the gripper.")

    def halt(self):                     # from another thread, also while `do` runs; at once
        self.motors.brake()

make = Arm                              # `coterie robot arm.py Alice` calls make("Alice")
"""

from __future__ import annotations

import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, cast, get_args

from coterie.core.action import Action, Cause, Moment, Status
from coterie.core.bounds import brief
from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.core.sight import Detection, Picture, Sight

MOST_WORDS = 2_000  # characters of a reason
MOST_FACTS = 1_000
NEWS_S = 0.1  # between two words about how far an action has come


class Report(NamedTuple):
    """How an action ended. `cause` is why it failed, as data; `facts` are what the robot found out."""

    status: Status
    reason: str
    cause: Cause | None = None
    facts: tuple[Fact, ...] = ()

    @property
    def ok(self) -> bool:
        return self.status == "done"

    def told(self) -> dict[str, Any]:
        """As it goes over a line."""
        return {"status": self.status, "reason": self.reason, "cause": self.cause, "facts": self.facts}

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Report:
        """From what came over a line or out of a file; a sentence for what cannot be one."""
        status, reason, cause, facts = (told.get(k) for k in ("status", "reason", "cause", "facts"))
        if status not in get_args(Status):
            raise CoterieError(f"No action ends with the status {brief(status)}.")
        if not isinstance(reason, str) or not (cause is None or _is_cause(cause)):
            raise CoterieError("An action ended for a reason that cannot be read.")
        if not isinstance(facts, tuple) or len(facts) > MOST_FACTS or not all(_is_fact(f) for f in facts):
            raise CoterieError("An action ended with facts that cannot be read.")
        return cls(cast(Status, status), reason[:MOST_WORDS], cause, facts)


def _is_cause(cause: Any) -> bool:
    fact = cause.fact if isinstance(cause, Cause) else ""
    three = isinstance(fact, tuple) and len(fact) == 3 and isinstance(fact[0], str) and isinstance(fact[1], tuple)
    return (
        isinstance(cause, Cause)
        and isinstance(cause.clause, str)
        and cause.moment in get_args(Moment)
        and (fact is None or three)
    )


def _is_fact(fact: Any) -> bool:
    names = isinstance(fact, Fact) and isinstance(fact.args, tuple) and all(isinstance(a, str) for a in fact.args)
    return names and all(isinstance(t, str) for t in (fact.pred, fact.source)) and isinstance(fact.time, (int, float))


def done(reason: str, facts: Iterable[Fact] = ()) -> Report:
    return Report("done", reason, None, tuple(facts))


def failed(reason: str, cause: Cause | None = None, facts: Iterable[Fact] = ()) -> Report:
    return Report("failed", reason, cause, tuple(facts))


class Job:
    """One action at a robot. It has a name, by which it is carried out only once."""

    def __init__(self, robot: str, name: str, run: str, number: int, action: Action):
        self.robot, self.name, self.run, self.number, self.action = robot, name, run, number, action
        self.end: Report | None = None
        self.why: Report | None = None  # why it is being stopped, if it is
        self.stopped_at = math.inf
        self.out = False  # whether `do` has come back
        self.beat_at = time.monotonic()  # when the coordinator last said that it wants this
        self.tell: Callable[[float, str], None] = lambda share, words: None
        self.look: Callable[[], object] = lambda: None  # at the stop that is kept; it calls this off where there is one
        self._stopping = threading.Event()
        self._told_at = -math.inf

    @property
    def stopping(self) -> bool:
        """True if the robot is to stand still: look here before every motion."""
        if not self._stopping.is_set():
            self.look()
        return self._stopping.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait, unless the robot is to stand still: then at once True."""
        return self._stopping.wait(seconds) or self.stopping

    def known(self, pred: str, name: str) -> Any:
        """A known fact on a name in the action, in runs with `--real`: its `kind`, the `spot` where a thing was
        seen, the `centre` of a surface and a `free_spot` on it, the `stand_pose` to go to. None: nothing."""
        return next((f.value for f in self.action.facts if (f.pred, f.args) == (pred, (name,))), None)

    def progress(self, share: float, words: str = "") -> None:
        """How far it has come, from 0 to 1. Told at most ten times a second."""
        now = time.monotonic()
        if now - self._told_at >= NEWS_S:
            self._told_at = now
            self.tell(min(1.0, max(0.0, float(share))), str(words)[:MOST_WORDS])

    def stopped(self, reason: str = "") -> Report:
        """Return the report of `do` for an action that was stopped; the driver knows why."""
        return Report("cancelled", reason)

    def call_off(self, why: Report) -> None:
        """It is to end; the first reason counts."""
        if self.why is None:
            self.why, self.stopped_at = why, time.monotonic()
        self._stopping.set()


class Robot(ABC):
    """One robot. `do` is called for one action at a time. With a `card` it joins a team that is at work."""

    card: Card | None = None

    def __init__(self, name: str):
        self.name = name

    @abstractmethod
    def do(self, action: Action, job: Job) -> Report:
        """Carry out an action and say how it ended. Whatever it raises is told as its failure, and the robot halted."""

    @abstractmethod
    def halt(self) -> None:
        """Stand still, now. It is called from another thread, when something is under way and when nothing is, and
        again while `do` has not come out; it must not wait for `do`."""

    def sense(self) -> Sight | None:
        """The robot's perceptions now; None: nothing. It is called several times a second from a thread of its own,
        and when an action has come to its end. Runs with `--real` know what robots report here, and nothing else."""
        return None

    def picture(self) -> Picture | None:
        """The camera's picture; asked for when an action has come to its end, and every few seconds while nothing is
        told anew. For runs with `--real --camera vision`."""
        return None

    def close(self) -> None:  # noqa: B027 - most have nothing to put away
        """The driver ends."""


__all__ = ["Detection", "Job", "Picture", "Report", "Robot", "Sight", "done", "failed"]
