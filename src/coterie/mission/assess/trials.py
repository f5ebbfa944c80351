"""Outcomes of actions and plans: the data from which chances and durations are estimated.

A trial is one action of one robot: whether it succeeded and how long it took, beside how long it usually takes. A plan
is foretold when it begins and ends with what really happened, so that what is told can be held to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    """A plan's forecast before it began, from the samples, and its outcome."""

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


# -- a plan as assessment sees it -------------------------------------------------------------------------------------
# A plan as assessment sees it: steps, who does them, and what has to be over before.
@dataclass(frozen=True)
class PlanStep:
    """One action of a plan. `usual_s` is how long it is expected to take before anything was recorded (the skill's own
    duration, or one that a map gives); `context` is what else may matter, the arguments if nothing is said."""

    id: str
    skill: str
    robot: str
    args: tuple[Any, ...] = ()
    after: tuple[str, ...] = ()  # ids of steps that have to be over
    usual_s: float = 1.0
    context: str = ""

    @property
    def where(self) -> str:
        return self.context or ",".join(str(a) for a in self.args)


@dataclass(frozen=True)
class Progress:
    """How far a plan has come: when steps began, and how long those took that are over [s since the plan began]."""

    now_s: float = 0.0
    begun_s: Mapping[str, float] = field(default_factory=dict)
    ended_s: Mapping[str, float] = field(default_factory=dict)


def in_order(steps: Iterable[PlanStep]) -> list[PlanStep]:
    """Steps so that each comes after those it waits for; those of one robot keep their order."""
    given = list(steps)
    by_id = {s.id: s for s in given}
    if len(by_id) != len(given):
        raise CoterieError("Two steps of the plan have the same id.")
    waits = waits_for(given)
    for step in given:
        for other in step.after:
            if other not in by_id:
                raise CoterieError(f"Step {step.id} of the plan waits for {other}, which is not part of it.")
    done: dict[str, PlanStep] = {}
    left = list(given)
    while left:
        ready = [s for s in left if all(o in done for o in waits[s.id])]
        if not ready:
            raise CoterieError(f"Steps of the plan wait for each other: {', '.join(s.id for s in left[:8])}.")
        for step in ready:
            done[step.id] = step
        left = [s for s in left if s.id not in done]
    return list(done.values())


def waits_for(steps: Sequence[PlanStep]) -> dict[str, tuple[str, ...]]:
    """The steps that each step waits for: those it names, and its robot's step before it."""
    last: dict[str, str] = {}
    found: dict[str, tuple[str, ...]] = {}
    for step in steps:
        before = (last[step.robot],) if step.robot in last else ()
        found[step.id] = tuple(dict.fromkeys((*step.after, *before)))
        last[step.robot] = step.id
    return found


carry_record(PlanStep, "planstep")
