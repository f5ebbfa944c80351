"""What became of actions and plans, kept: the ground on which chances and durations are told.

A trial is one action of one robot: whether it succeeded and how long it took, beside how long it usually takes. A plan
is foretold when it begins and ends with what really happened, so that what is told can be held to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.wire import carry_record
from coterie.mission.journal import Journal

KEPT = 600  # of a skill, a robot or a context: the newest, so that what changes is noticed


@dataclass(frozen=True)
class Trial:
    """One action that ended. `context` is what else may matter (from where to where); `plan`: of which it was part."""

    skill: str
    robot: str
    ok: bool
    duration_s: float
    usual_s: float = 1.0
    context: str = ""
    plan: str = ""

    @property
    def ratio(self) -> float:
        """How long it took, in parts of what is usual."""
        return self.duration_s / self.usual_s


@dataclass(frozen=True)
class Told:
    """What was foretold of a plan before it began, as the samples had it, and what became of it."""

    plan: str
    chance: float
    median_s: float
    spread: float  # half the distance between the 10th and the 90th percentile, in logarithms of the duration
    known: int = 0  # trials that it rested on
    ok: bool | None = None
    duration_s: float | None = None


class Trials:
    """The part "trials" of a journal."""

    def __init__(self, journal: Journal | None = None):
        self.journal = journal or Journal()
        self.number = self.ends = 0  # of trials and of plans that ended so far
        self.plans: dict[str, Told] = {}
        self._by: dict[tuple[str, ...], deque[Trial]] = {}
        self._good: dict[tuple[str, ...], int] = {}
        self._finished: deque[Told] = deque(maxlen=KEPT)
        self.journal.attach("trials", self._take)

    def add(self, trial: Trial) -> None:
        """Keep what became of an action. Only what the robot did counts: what was called off says nothing."""
        if not (trial.duration_s >= 0 and trial.usual_s > 0):
            raise CoterieError(f"{trial.skill} of {trial.robot}: {trial.duration_s} s of usually {trial.usual_s} s.")
        self.journal.write("trials", "trial", trial)

    def foretold(self, told: Told) -> None:
        """Keep what is told of a plan before it begins."""
        self.journal.write("trials", "foretold", told)

    def ended(self, plan: str, ok: bool, duration_s: float) -> None:
        """Keep what became of a plan that was foretold; plans that were called off are not ended."""
        if plan in self.plans:
            self.journal.write("trials", "ended", {"plan": plan, "ok": ok, "duration_s": duration_s})

    def of(self, skill: str = "", robot: str = "", context: str = "") -> deque[Trial]:
        """The newest trials of a skill, of a robot at it, of a robot at it in a context; all if nothing is named."""
        return self._by.get(_key(skill, robot, context), _NONE)

    def counts(self, *key: str) -> tuple[int, int]:
        """Successes and failures of the newest."""
        name = _key(*key)
        good = self._good.get(name, 0)
        return good, len(self._by.get(name, _NONE)) - good

    def groups(self, width: int) -> Iterator[tuple[tuple[str, ...], deque[Trial]]]:
        """Trials by skill (1), by skill and robot (2), or by skill, robot and context (3)."""
        return ((key, found) for key, found in self._by.items() if len(key) == width)

    def finished(self) -> deque[Told]:
        """Plans of which both is known, what was told and what became of them; the newest."""
        return self._finished

    def _take(self, kind: str, data: Any, time: float) -> None:
        if kind == "trial":
            self.number += 1
            for key in ((), (data.skill,), (data.skill, data.robot), (data.skill, data.robot, data.context)):
                kept = self._by.setdefault(key, deque(maxlen=KEPT))
                oldest = kept[0].ok if len(kept) == KEPT else False
                kept.append(data)
                self._good[key] = self._good.get(key, 0) + data.ok - oldest
        elif kind == "foretold":
            self.plans[data.plan] = data
        elif kind == "ended":
            told = self.plans[data["plan"]]
            self.plans[told.plan] = done = replace(told, ok=data["ok"], duration_s=data["duration_s"])
            self._finished.append(done)
            self.ends += 1


_NONE: deque[Trial] = deque()


def _key(skill: str = "", robot: str = "", context: str = "") -> tuple[str, ...]:
    return (skill, robot, context) if context else (skill, robot) if robot else (skill,) if skill else ()


carry_record(Trial, "trial")
carry_record(Told, "told")
