"""What was brought for somebody stays there: it is not offered to later orders, unless there is nothing else, and then
whoever ordered it is told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from coterie.core.action import Action
from coterie.core.skill import Rule
from coterie.mission.domain import Domain
from coterie.mission.goals import Goal, Goals
from coterie.mission.goals.states import State
from coterie.mission.projection import Projection
from coterie.planning.answer import Answer

#: States of goals of which something is, or will be, where it was ordered.
KEPT: tuple[State, ...] = ("planned", "running", "done")


class Keeper(Protocol):
    """What of a mission is looked at here."""

    domain: Domain
    goals: Goals

    def _root(self, goal: Goal) -> Goal: ...
    def now_like(self) -> Projection: ...
    def wanted_of(self, goal: Goal) -> Any: ...


def kept(mission: Keeper, goal: Goal | None) -> list[tuple[Goal, Rule]]:
    """Goals of others that were served, or will be, each with a rule against taking away what was brought for it."""
    found = []
    root = mission._root(goal) if goal is not None else None
    look = mission.now_like().look
    for other in mission.goals.all(*KEPT):
        wish = mission.wanted_of(other).wish
        rule = mission.domain.keeping(wish, look) if wish is not None else None
        if rule is None or (root is not None and other.id == root.id):
            continue
        if other.holds(look) is True:  # somebody may have taken it since
            found.append((other, rule))
    return found


def _again(mission: Keeper, old: Goal, new: Goal) -> bool:
    before, now = mission.wanted_of(old).wish, mission.wanted_of(new).wish
    return now is not None and old.by == new.by and (before.kind, before.what) == (now.kind, now.what)


def undone(mission: Keeper, goal: Goal, plan: Answer) -> list[Goal]:
    """Goals of which a plan takes away what was brought. Who orders the same thing once more may mean the very one."""
    root, found = mission._root(goal), dict[str, Goal]()
    rows = [(other, rule) for other, rule in kept(mission, goal) if not _again(mission, other, root)]
    later = mission.now_like()
    for step in plan.steps if rows else ():
        for other, rule in rows:
            if _against(later, step.robot, step.action, rule):
                found[other.id] = other
        later.do(step.robot, step.action)
    return list(found.values())


def _against(later: Projection, robot: str, action: Action, rule: Rule) -> bool:
    """Whether a step goes against this rule and nothing else."""
    if action.skill != rule.skill:
        return False
    return later.flaw(robot, action) is None and later.flaw(robot, action, [rule]) is not None


def rules_of(rows: Iterable[tuple[Goal, Rule]]) -> tuple[Rule, ...]:
    return tuple(rule for _, rule in rows)
