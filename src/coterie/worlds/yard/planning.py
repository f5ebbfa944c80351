"""The yard as a planning problem. Who is in whose way, and who lifts together, is left to execution."""

from __future__ import annotations

from collections.abc import Iterable

from coterie.core.card import Card
from coterie.core.expr import Expr, Lookup, eq, fl
from coterie.planning.unified.problem import Planning
from coterie.worlds.yard.skills import SKILLS, STEPS
from coterie.worlds.yard.tasks import Tidy


def planning(
    look: Lookup, robots: Iterable[str], cells: Iterable[str], things: Iterable[str], goal: Tidy | list[Expr]
) -> Planning:
    """A planning problem from what `look` knows and a goal: that of a task, or a list of conditions."""
    robots = list(robots)
    objects = {
        **dict.fromkeys(robots, "robot"),
        **dict.fromkeys(cells, "cell"),
        **dict.fromkeys(STEPS, "way"),
        **dict.fromkeys(things, "thing"),
    }
    cards = {r: look("card", r) for r in robots}
    able = {r: c.skills for r, c in cards.items() if isinstance(c, Card)}
    return Planning(SKILLS, look, objects, able, goal_of(goal) if isinstance(goal, Tidy) else goal)


def goal_of(goal: Tidy) -> list[Expr]:
    """Every thing at home, every beam up."""
    return [*(eq(fl("where", t), c) for t, c in goal.homes), *(eq(fl("lifted", b), True) for b in goal.beams)]
