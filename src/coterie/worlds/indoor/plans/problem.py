"""The house as a planning problem: what a lookup knows of robots, places and things, and where things should be.

Which side of the furniture to stand on, and what is within reach from there, is left to execution.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coterie.core.card import Card
from coterie.core.expr import Expr, Lookup, eq, fl
from coterie.core.facts import UNKNOWN
from coterie.core.skill import Rule
from coterie.planning.question import Question
from coterie.planning.unified.problem import Planning
from coterie.worlds.indoor.skills import skills


def goal_of(goal: Any) -> list[Expr]:
    """Every target on its platform."""
    return [eq(fl("where", t), goal.home(t)) for t in goal.targets]


def question(
    look: Lookup,
    robots: Iterable[str],
    things: Iterable[str],
    goal: Any,
    rules: Iterable[Rule] = (),
) -> Question:
    """The facts in `look` and a goal: that of a task, or a list of conditions. Plain data, for engines that need
    nothing else."""
    robots, furniture, platforms = list(robots), _names(look, "all_furniture"), _names(look, "platforms")
    kinds = {f: "container" if look("openable", f) else "furniture" for f in furniture}
    objects = {
        **dict.fromkeys(robots, "robot"),
        **kinds,
        **dict.fromkeys(platforms, "platform"),
        **dict.fromkeys(things, "thing"),
    }
    cards = {r: look("card", r) for r in robots}

    def known(pred: str, *args: str) -> object:
        if pred == "liftable":
            card, mass = cards[args[0]], look("mass", args[1])
            return mass is UNKNOWN or not isinstance(card, Card) or mass <= card.payload_kg  # type: ignore[operator]
        if pred in ("level_ok", "allowed", "may_place") and args[1] in cards:
            return False  # a robot is a location, and none to stand at
        return look(pred, *args)

    able = {r: c.skills for r, c in cards.items() if isinstance(c, Card)}
    wanted = goal if isinstance(goal, list) else goal_of(goal)
    return Question.ask(skills, known, objects, able, wanted, rules)


def planning(*asked: Any, **more: Any) -> Planning:
    """The same as a problem of `unified-planning`."""
    return Planning(question(*asked, **more))


def _names(look: Lookup, pred: str) -> tuple[str, ...]:
    found: tuple[str, ...] = look(pred)  # type: ignore[assignment]
    return found
