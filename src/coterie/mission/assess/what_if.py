"""What would become of a plan if something else were so: "what if table E is empty?" """

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from coterie.core.action import Cause
from coterie.core.effects import outcome_of
from coterie.core.expr import Lookup
from coterie.core.facts import UNKNOWN
from coterie.core.judge import Failure, first_failure
from coterie.core.skill import Skill
from coterie.mission.assess.assess import Assessment, Assessor
from coterie.mission.assess.plan import PlanStep, Progress, in_order


class Broken(NamedTuple):
    """The first step of a plan that cannot be done, why as data, and in words."""

    step: PlanStep
    cause: Cause
    words: str


def first_broken(
    steps: Iterable[PlanStep], skills: Mapping[str, Skill], look: Lookup, done: Iterable[str] = ()
) -> Broken | None:
    """Go through a plan in thought, from what `look` knows: the first step whose condition will not hold.

    What is not known counts as well: only what is known to be otherwise breaks a plan. Steps in `done` are over, and
    what they did is known already.
    """
    changed: dict[tuple[Any, ...], Any] = {}
    over = set(done)

    def then(pred: str, *args: Any) -> object:
        key = (pred, *args)
        return changed[key] if key in changed else look(pred, *args)

    for step in in_order(steps):
        skill = skills.get(step.skill)
        bound = None if skill is None else skill.bind(step.robot, step.args)
        if step.id in over or skill is None or bound is None:
            continue
        failure = first_failure(skill, bound, then)
        if isinstance(failure, Failure):
            return Broken(step, failure.cause, failure.words)
        changed.update({k: v for k, v in outcome_of(skill, bound, then).items() if v is not UNKNOWN})
    return None


def what_if(
    assessor: Assessor,
    steps: Iterable[PlanStep],
    skills: Mapping[str, Skill],
    look: Lookup,
    progress: Progress | None = None,
) -> Assessment:
    """A plan assessed under facts that need not be so (`knowledge.supposing(...).value`): a plan that they break has no
    chance, and `broken` says why. What to do then is for a planner to say, on the same facts."""
    given = list(steps)
    found = assessor.assess(given, progress)
    broken = first_broken(given, skills, look, () if progress is None else progress.ended_s)
    if broken is None:
        return found
    return replace(found, chance=0.0, chance_low=0.0, chance_high=0.0, broken=broken.cause, broken_step=broken.step.id)
