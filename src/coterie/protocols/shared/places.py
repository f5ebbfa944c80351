"""The map of a house, read once: for all robots that have it, and for every episode in the same house.

Maps are common knowledge and never change, so that nothing a single robot knows is in here. What minds work out from
the map and from what they know besides is kept here as well (`worked_out`), under all that it follows from: agents
that know the same need not work it out again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

Point = tuple[float, float]
Base = Mapping[tuple[str, ...], object]
T = TypeVar("T")

MOST_MAPS = 64
MOST_KEPT = 1000

_made: dict[int, Places] = {}  # by the identity of the map, which each of them keeps alive


class Places:
    """The furniture of one map, with its sides, rooms, heights and what can be opened."""

    def __init__(self, base: Base):
        self.base = base
        by: dict[str, dict[str, Any]] = defaultdict(dict)
        for key, value in base.items():
            if len(key) == 2:
                by[key[0]][key[1]] = value
        table = base.get(("work_table",))
        self.table: str = table if isinstance(table, str) else ""  # "" where there is none
        every: Any = base.get(("all_furniture",)) or ()
        self.furniture: tuple[str, ...] = tuple(every)
        self.but_the_table = tuple(f for f in self.furniture if f != self.table)
        self.height: dict[str, float] = by["height"]
        self.room: dict[str, str] = by["room"]
        self.part_of: dict[str, str] = by["part_of"]
        self.openable = frozenset(by["openable"])
        self.holders = frozenset(by["holder"])
        self.stands: dict[str, tuple[tuple[str, Point], ...]] = {
            place: tuple((stand, base["stand_pose", place, stand]) for stand in names)  # type: ignore[misc]
            for place, names in by["all_stands"].items()
        }
        self._kept: dict[Hashable, tuple[object, object]] = {}

    def worked_out(self, key: Hashable, of: object, make: Callable[[], Any]) -> Any:
        """A value that follows from the map and `key`, which may name things by identity; `of` keeps them alive."""
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = (make(), of)
        return found[0]


def places_of(base: Base) -> Places:
    found = _made.get(id(base))
    if found is None or found.base is not base:
        if len(_made) >= MOST_MAPS:
            _made.clear()
        found = _made[id(base)] = Places(base)
    return found
