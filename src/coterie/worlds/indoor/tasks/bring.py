"""Bringing things to where they belong anywhere in the house: to furniture, a room, a person, into a caddy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from coterie.core.expr import Lookup
from coterie.core.task import Goal, Progress, Wanted, goals

MOST_NESTED = 8  # a thing in a caddy in a caddy


@dataclass(frozen=True)
class Bring(Goal):
    """Every thing at its place. Nothing is said about other things, so none of them is in the wrong place."""

    pairs: tuple[tuple[str, str], ...]  # (thing, a piece of furniture, a room, a person or a thing that holds things)
    kind: str = "bring"

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(t for t, _ in self.pairs)

    def home(self, thing: str) -> str | None:
        return dict(self.pairs).get(thing)

    def at_home(self, look: Lookup, thing: str) -> bool:
        """Whether a thing is known to be where it belongs. In a room counts wherever in it the thing lies, on the floor
        too; in a hand is nowhere."""
        home = self.home(thing)
        place: Any = look("where", thing)
        for _ in range(MOST_NESTED):
            if not isinstance(place, str):
                return False
            if place == home:
                return True
            if place.startswith("floor@"):
                return look("room", place[6:]) == home
            furniture = look("part_of", place)
            if isinstance(furniture, str):
                return home in (furniture, look("room", furniture))
            place = look("where", place)  # what holds it is a thing itself
        return False

    def missing(self, look: Lookup) -> list[Wanted]:
        return [Wanted(t, h) for t, h in self.pairs if not self.at_home(look, t)]

    def progress(self, look: Lookup) -> Progress:
        home = [f"{t} ({h})" for t, h in self.pairs if self.at_home(look, t)]
        text = f"Where they belong: {', '.join(home) or 'nothing yet'}."
        return Progress(len(home) == len(self.pairs), len(home) / len(self.pairs), text)

    def text(self) -> str:
        return f"Bring {_list([f'{t} to {h}' for t, h in self.pairs])}."

    def to_json(self) -> dict[str, Any]:
        return {"kind": "bring", "pairs": [list(p) for p in self.pairs]}


def _list(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


goals.put("bring", lambda data: Bring(tuple((str(a), str(b)) for a, b in data["pairs"])))
