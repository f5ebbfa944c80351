"""What would be true: facts, and on top of them what actions under way and planned will change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from coterie.core.action import Action
from coterie.core.effects import outcome_of
from coterie.core.expr import Lookup
from coterie.core.facts import UNKNOWN
from coterie.core.judge import Failure, first_failure
from coterie.core.skill import Rule, Skill

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
        """What an action changes, done now."""
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
