"""A failure as data: at which moment, and the condition that did not hold. Words and goals are made from it.

Moments: PLAN (no plan), PRECONDITION (a condition is known not to hold before a step), EXECUTION (the robot could not
do it), EFFECT (it said it had, and that is not what was seen).
"""

from __future__ import annotations

from typing import Any

from coterie.core.action import Cause
from coterie.core.expr import Expr, fl, no
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import BOOL
from coterie.core.skills import Skills
from coterie.mission.goals import Failure

ONLINE = "online"  # of robots
LUCK = "luck"  # what nothing explains


def justification(cause: Cause | None) -> str:
    """What is so and should not be: `not objectAt(bandagebox, tableE)`, `jammed(door)`, `holding(Fetch) = None`."""
    if cause is None:
        return ""
    if cause.fact is None:
        return cause.clause
    pred, args, value = cause.fact
    fluent = f"{pred}({', '.join(str(a) for a in args)})"
    if value is True or value is False:
        return fluent if value else f"not {fluent}"
    return f"{fluent} = {'?' if value is UNKNOWN else value}"


def opposite(cause: Cause | None, skills: Skills) -> Expr | None:
    """The failed condition as a goal; None where it is nothing that could be brought about."""
    if cause is None or cause.fact is None:
        return None
    pred, args, value = cause.fact
    declared = (skills.fluents or {}).get(pred)
    if declared is None or declared.value != BOOL or not isinstance(value, bool):
        return None
    return planned(no(fl(pred, *args)) if value else fl(pred, *args), skills)


def planned(expr: Expr, skills: Skills) -> Expr | None:
    """A condition on named things as planners can say it."""
    from coterie.core.skill import Skill
    from coterie.planning.operators import _Reader

    return _Reader(Skill("goal", ()), skills).condition(expr)


def signature(failure: Failure) -> tuple[Any, ...]:
    """Failures with the same one are the same trouble again."""
    fact = failure.cause.fact if failure.cause is not None else None
    about = fact[:2] if fact is not None else (failure.cause.clause if failure.cause is not None else "",)
    return (failure.stage, failure.skill, about, *_thing(failure))


def _thing(failure: Failure) -> tuple[Any, ...]:
    """What a robot had in hand, where the condition speaks of the robot alone: a glove that slips is not the trouble
    that there was with the box before."""
    fact = failure.cause.fact if failure.cause is not None else None
    if fact is None or fact[0] == ONLINE or failure.robot not in fact[1] or set(fact[1]) & set(failure.args):
        return ()
    return tuple(failure.args[:1])


def about(cause: Cause | None) -> tuple[str, tuple[str, ...]]:
    """The predicate and its arguments."""
    if cause is None or cause.fact is None:
        return (cause.clause if cause is not None else "", ())
    return cause.fact[0], tuple(str(a) for a in cause.fact[1])
