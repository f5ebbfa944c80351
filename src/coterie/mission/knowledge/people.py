"""What each person knows: what they said, were told and saw, so that they are told what they do not know yet."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import NamedTuple

from coterie.core.facts import UNKNOWN, Fact
from coterie.mission.knowledge.atoms import Atoms, Facts, Key, Row, same


class Lack(NamedTuple):
    """A fact that a person lacks, and what the person believes instead (UNKNOWN for nothing)."""

    fact: Fact
    instead: object = UNKNOWN


class Mind:
    """What one person knows. `public` predicates are known to everybody, as they are."""

    def __init__(self, common: Facts, public: Container[str]):
        self.own = Facts()
        self.common, self.public = common, public

    def hear(self, fact: Fact) -> None:
        """Older news does not change a mind."""
        old = self.own.by_key.get((fact.pred, *fact.args))
        if old is None or fact.time >= old.time:
            self.own.put(fact)

    def _store(self, name: str) -> Atoms:
        return self.common if name.removeprefix("-") in self.public else self.own

    def value(self, key: Key) -> object:
        fact = self.fact(key)
        return UNKNOWN if fact is None else fact.value

    def lacks(self, facts: Iterable[Fact]) -> list[Lack]:
        """Those of the facts that are news to the person."""
        found = []
        for fact in facts:
            held = self.value((fact.pred, *fact.args))
            if not same(held, fact.value):
                found.append(Lack(fact, held))
        return found

    # As something to search:
    def match(self, name: str, pattern: Row) -> Iterable[Row]:
        return self._store(name).match(name, pattern)

    def count(self, name: str, pattern: Row) -> int:
        return self._store(name).count(name, pattern)

    def fact(self, key: Key) -> Fact | None:
        return self._store(key[0]).fact(key)
