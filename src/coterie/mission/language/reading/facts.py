"""What people say is so."""

from __future__ import annotations

import re
from typing import Any

from coterie.mission.language.reading.fixed import Name
from coterie.mission.language.reading.orders import Orders
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning

_NOT_NOW = re.compile(r"\b(?:was|were|had|should be)\b")


class Facts(Orders):
    """What people say is so."""

    def tell(self, claims: tuple[Claim, ...]) -> Meaning | None:
        """What was so, or should be, need not be so now: that is asked about."""
        return None if _NOT_NOW.search(self.signed.text) else m.Tell(claims)

    def claims(self, *claims: Any) -> tuple[Claim, ...]:
        return tuple(c for part in claims for c in (part if isinstance(part, tuple) else (part,)))

    def _at(self, things: Any, where: str, holds: bool = True) -> tuple[Claim, ...]:
        return tuple(
            Claim(m.STOCK, str(t), str(where), t.many if holds and t.many != 0 else None, holds and t.many != 0)
            for t in self._things(things)
        )

    def thing_at(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[0], parts[-1])

    def thing_not_at(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[0], parts[-1], False)

    def thing_at_not(self, *parts: Any) -> tuple[Claim, ...]:
        """ "The gloves are on table C, not on table E." """
        things, where, elsewhere = parts[0], *[p for p in parts[1:] if isinstance(p, Name)][-2:]
        return (*self._at(things, where), *self._at(things, elsewhere, False))

    def thing_at_all(self, *parts: Any) -> tuple[Claim, ...]:
        """ "There are gloves on table C and table D." """
        places = [p for p in parts[1:] if isinstance(p, Name)]
        return tuple(c for p in places for c in self._at(parts[0], p))

    def thing_not_but(self, *parts: Any) -> tuple[Claim, ...]:
        """ "The gloves are not on table E but on table C." """
        things, elsewhere, where = parts[0], *[p for p in parts[1:] if isinstance(p, Name)][-2:]
        return (*self._at(things, where), *self._at(things, elsewhere, False))

    def thing_gone(self, things: Any) -> tuple[Claim, ...]:
        return self._at(things, "", False)

    def place_has(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[-1], parts[0])

    def place_has_not(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[-1], parts[0], False)

    def person_has(self, person: Name, things: Any) -> tuple[Claim, ...]:
        return tuple(Claim(m.SUPPLY, str(t), str(person), t.many) for t in self._things(things))

    def person_has_not(self, person: Name, things: Any) -> tuple[Claim, ...]:
        return tuple(Claim(m.SUPPLY, str(t), str(person), holds=False) for t in self._things(things))

    def robot_at(self, *parts: Any) -> Claim:
        return Claim(m.AT, str(parts[0]), str(parts[-1]))

    is_robot_at = robot_at

    def robot_cannot(self, robot: Name, skill: tuple[str, str]) -> Claim:
        return Claim(m.ABLE, str(robot), skill[0], holds=False)
