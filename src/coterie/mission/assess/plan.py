"""A plan as assessment sees it: steps, who does them, and what has to be over before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.wire import carry_record


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
    """What each step waits for: what it says, and the step before of its robot, which does one thing at a time."""
    last: dict[str, str] = {}
    found: dict[str, tuple[str, ...]] = {}
    for step in steps:
        before = (last[step.robot],) if step.robot in last else ()
        found[step.id] = tuple(dict.fromkeys((*step.after, *before)))
        last[step.robot] = step.id
    return found


carry_record(PlanStep, "planstep")
