"""The projected state: facts, and on top of them what actions under way and planned will change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from coterie.core.action import Action
from coterie.core.expr import Lookup
from coterie.core.facts import UNKNOWN
from coterie.core.judge import Failure, first_failure
from coterie.core.skill import Rule, Skill, outcome_of
from coterie.mission.domain import Domain
from coterie.mission.goals import Goal, Goals
from coterie.mission.goals.goal import State
from coterie.planning.answer import Answer

Key = tuple[Any, ...]


class Valued(Protocol):
    def value(self, pred: str, *args: Any) -> object: ...


class Projection:
    """`look` reads it as conditions do. It follows what is below it, and changes nothing there."""

    def __init__(self, below: Valued, lookup: Callable[[Any], Lookup], skills: Callable[[str], Skill | None]):
        self.below, self._lookup, self._skills = below, lookup, skills
        self.changed: dict[Key, Any] = {}
        self.look: Lookup = lookup(self)

    def value(self, pred: str, *args: Any) -> object:
        key = (pred, *args)
        return self.changed[key] if key in self.changed else self.below.value(pred, *args)

    def suppose(self, facts: Mapping[Key, Any]) -> None:
        self.changed.update(facts)

    def effects(self, robot: str, action: Action) -> dict[Key, Any]:
        """The changes by an action done now."""
        skill = self._skills(action.skill)
        bound = skill.bind(robot, action.args) if skill is not None else None
        return {} if skill is None or bound is None else outcome_of(skill, bound, self.look)

    def do(self, robot: str, action: Action) -> None:
        self.changed.update(self.effects(robot, action))

    def flaw(self, robot: str, action: Action, rules: Iterable[Rule] = ()) -> Failure | None:
        """The condition that is known not to hold; what is not known is not in the way."""
        skill = self._skills(action.skill)
        bound = skill.bind(robot, action.args) if skill is not None else None
        if skill is None or bound is None:
            return None
        found = first_failure(skill, bound, self.look, rules)
        return None if found is None or found is UNKNOWN else found

    def copy(self) -> Projection:
        other = Projection(self.below, self._lookup, self._skills)
        other.changed.update(self.changed)
        return other


# -- what stays where it was brought ----------------------------------------------------------------------------------
# What was brought for a person stays there: it is not offered to later orders, unless there is nothing else, and then
# the person who ordered it is told.
#: States of goals of which something is, or will be, where it was ordered.
KEPT: tuple[State, ...] = ("planned", "running", "done")


class Keeper(Protocol):
    """The parts of a mission used here."""

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
        if other.holds(look) is True:  # it may have been taken since
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
    """True if a step violates this rule and nothing else."""
    if action.skill != rule.skill:
        return False
    return later.flaw(robot, action) is None and later.flaw(robot, action, [rule]) is not None


def rules_of(rows: Iterable[tuple[Goal, Rule]]) -> tuple[Rule, ...]:
    return tuple(rule for _, rule in rows)
