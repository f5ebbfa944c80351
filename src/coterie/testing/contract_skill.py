"""The contract of skills, and of a task's rules about them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from coterie.core import causes
from coterie.core.skill import Rule, Skill
from coterie.testing.must import must, short

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
