"""The effects of a skill as new values of fluents; every world applies them in the same way."""

from __future__ import annotations

from typing import Any

from coterie.core.expr import Bindings, Lookup
from coterie.core.facts import UNKNOWN
from coterie.core.skill import Effect, Skill

Key = tuple[Any, ...]  # predicate and arguments


def outcome_of(skill: Skill, bound: Bindings, look: Lookup) -> dict[Key, Any]:
    """Return the new value of each fluent, computed on the state before: the order of effects does not matter.

    Several effects that build on one value add up.
    """
    changed: dict[Key, Any] = {}
    for effect, args, value in skill.changes:
        key = (effect.fluent.pred, *[a(look, bound) for a in args])
        if effect.how == "set":
            changed[key] = value(look, bound)
            continue
        before = changed[key] if key in changed else look(*key)
        changed[key] = _after(effect, value(look, bound), before)
    return changed


def _after(effect: Effect, value: Any, before: Any) -> Any:
    if effect.how in ("increase", "decrease"):
        amount = 0 if value is None or value is UNKNOWN else value
        start = 0 if before is None or before is UNKNOWN else before
        return start + amount if effect.how == "increase" else start - amount
    listed = tuple(before) if isinstance(before, (tuple, list)) else ()
    others = tuple(x for x in listed if x != value)
    if effect.how == "remove":
        return others
    return listed if value in listed else (*listed, value)
