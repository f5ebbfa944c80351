"""Plans as the assessor takes them, and what it says in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coterie.core.action import Action
from coterie.core.skill import Skill
from coterie.mission.assess import PlanStep
from coterie.planning.answer import Answer
from coterie.planning.order import partial_order
from coterie.planning.question import Step

ANY = "any"  # the context of a step that is about no thing


def as_plan(
    plans: Sequence[Answer], usual_s: Callable[[Step], float], skill: Callable[[str], Skill | None]
) -> list[PlanStep]:
    """Plans one after the other, as far as they disturb each other: all else goes on at the same time."""
    steps = [s for plan in plans for s in plan.steps]
    uses = [u for plan in plans for u in plan.uses]
    return [
        PlanStep(
            str(i), s.action.skill, s.robot, s.action.args, tuple(str(j) for j in sorted(before)), usual_s(s),
            context_of(s.action, skill(s.action.skill)),
        )
        for i, (s, before) in enumerate(zip(steps, partial_order(steps, uses)))
    ]  # fmt: skip


def context_of(action: Action, skill: Skill | None) -> str:
    """What matters for how an action goes besides who does it: the thing, the door or the person that it is about."""
    if skill is None:
        return ANY
    about = [str(a) for p, a in zip(skill.params, action.args) if p.kind not in ("pose", "table", "room", "robot")]
    return about[0] if about else ANY


def minutes(seconds: float) -> str:
    """A time in words: "2 minutes 9 seconds"."""
    whole = round(seconds)
    mins, secs = divmod(whole, 60)
    parts = [f"{mins} minute{'s' * (mins != 1)}"] if mins else []
    parts += [f"{secs} second{'s' * (secs != 1)}"] if secs or not mins else []
    return " ".join(parts)
