"""Small functions that all contract checks share, and the contract of skills."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from coterie.core import causes
from coterie.core.event import Event, to_line
from coterie.core.skill import Rule, Skill
from coterie.core.world import World


def must(holds: object, words: str) -> None:
    if not holds:
        raise AssertionError(words)


def short(value: object, limit: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}..."


def must_be_json(value: Any, what: str) -> None:
    """The log writes it, and any reader of the log can read it: no objects without `to_json`, no NaN."""

    def plain(part: Any) -> Any:
        if hasattr(part, "to_json"):
            return part.to_json()
        raise TypeError(f"{short(part)} is a {type(part).__name__}")

    try:
        json.dumps(value, default=plain, allow_nan=False)
    except (TypeError, ValueError) as err:
        raise AssertionError(f"{what} cannot be written as JSON: {err}.") from err


def face(world: World) -> str:
    """All that can be seen of a world from outside: two worlds with one face are the same for every robot."""
    seen = {name: world.observe(name) for name in world.robots()}
    data = {
        "robots": dict(world.robots()),
        "seen": {name: [list(obs.facts), obs.heartbeat] for name, obs in seen.items()},
        "progress": world.progress(),
    }
    return to_line(Event(0, 0, world.now, "face", "", data))


def first_difference(one: list[str], two: list[str]) -> str:
    for i, (a, b) in enumerate(zip(one, two)):
        if a != b:
            k = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            left = max(0, k - 60)
            return f"line {i + 1}: first ...{a[left : k + 60]}..., then ...{b[left : k + 60]}..."
    return f"one has {len(one)} lines, the other {len(two)}"


_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TAKEN = frozenset(v for k, v in vars(causes).items() if k.isupper())


def check_skill(skill: Skill, rules: Iterable[Rule] = ()) -> None:
    """Every clause has words and a name by which a program tells it from the others of the skill."""
    must(isinstance(skill, Skill), f"A skill is described by a Skill, not by {short(skill)}.")
    own = [r for r in rules if r.skill == skill.name]
    named = [(c, c.name) for c in skill.when] + [(r.clause, r.clause.name) for r in own]
    seen: set[str] = set()
    for clause, name in named:
        must(clause.words.strip(), f"{skill.name}: the clause '{name}' has no words for its failure.")
        must(
            _NAME.fullmatch(name),
            f"{skill.name}: the clause with the words {short(clause.words)} is named {name!r}; give it a `name` of "
            "small letters and underscores.",
        )
        must(
            name not in seen,
            f"{skill.name}: two clauses are named '{name}', so a program cannot tell them apart; give one a `name`.",
        )
        must(name not in _TAKEN, f"{skill.name}: a clause is named '{name}', which means something else everywhere.")
        seen.add(name)
