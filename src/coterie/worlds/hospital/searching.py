"""Search for things that nobody has seen yet, and tidying of rooms, in parts that are goals of their own.

A thing is looked for room by room, where it is most usual first; a room is looked at, then put in order a few things
at a time. Where things are usual is on the map; where they are is what was seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from coterie.core.expr import Expr, Lookup, all_of, any_of, eq, fl, ge
from coterie.worlds.hospital.goals import GIVE, HOLD, LOOK, STOCK, TIDY, Wish, count_of
from coterie.worlds.hospital.scene import BELONGS, INSIDE, SKILL, UNFIT, Key, label

AT_ONCE = 4  # pieces of furniture that are looked at before the next thought
TOGETHER = 2  # things that are put away by one plan
HOMES = 3  # places that one thing may be put to


class Search:
    """For one map."""

    def __init__(self, chart: Mapping[Key, object]):
        self.chart = chart
        self.rooms: dict[str, list[str]] = {}  # their tables
        for key, room in chart.items():
            if key[0] == INSIDE:
                self.rooms.setdefault(str(room), []).append(key[1])
        self.kinds = Counter(key[2] for key in chart if key[0] == BELONGS)  # of things that are usual on each table
        self.looks, self.gives = (SKILL, "lookat") in chart, (SKILL, "give") in chart

    def often(self, thing: str, table: str) -> float:
        return float(self.chart.get((BELONGS, thing, table), 0.0))  # type: ignore[arg-type]

    def homes(self, thing: str, among: Sequence[str] = ()) -> list[str]:
        """Tables where a thing is usual, the most usual first."""
        tables = among or [t for tables in self.rooms.values() for t in tables]
        return sorted((t for t in tables if self.often(thing, t) > 0), key=lambda t: -self.often(thing, t))

    def in_room(self, wish: Wish, look: Lookup) -> list[str]:
        """Tables of a room for a thing: where it is already, else what it is usual on there, the best first. Of
        several, those that are there already are some."""
        tables = self.rooms[wish.where]
        amount = {t: count_of(look("stock", wish.what, t)) for t in tables}
        there = [t for t in tables if amount[t] >= wish.count]
        some = sorted((t for t in tables if wish.count > 1 and amount[t]), key=lambda t: -amount[t])
        fit = sorted((t for t in tables if (UNFIT, t) not in self.chart), key=lambda t: -self.kinds[t])
        return there[:1] or [*dict.fromkeys((*some, *(self.homes(wish.what, tables) or fit or tables)))][:HOMES]

    def unseen(self, look: Lookup, where: str = "") -> list[str]:
        """Tables of a room that nobody has looked at; a table is itself."""
        if where and where not in self.rooms:
            return [where] if look("seen", where) is not True else []
        rooms = [where] if where else list(self.rooms)
        return [t for room in rooms for t in self.rooms[room] if look("seen", t) is not True]

    def misplaced(self, room: str, things: Sequence[str], look: Lookup) -> list[tuple[str, str, int]]:
        """Things that are known to lie in a room where they do not belong, and belong somewhere else."""
        rows = [(x, t, count_of(look("stock", x, t))) for t in self.rooms[room] for x in things]
        return [(x, t, n) for x, t, n in rows if n > 0 and not self.often(x, t) and self.homes(x)]

    def before(self, wish: Wish, things: Sequence[str], look: Lookup, stuck: bool) -> Iterator[tuple[str, Expr]]:
        """Goals to pursue first, in words and as conditions, the best first."""
        if not self.looks:
            return
        if wish.kind == TIDY and not stuck:
            yield from self._tidying(wish.where, things, look)
        elif wish.kind in (STOCK, GIVE, HOLD, LOOK) and wish.what and stuck:
            yield from self._looking(wish.what, look)

    def _looking(self, thing: str, look: Lookup) -> Iterator[tuple[str, Expr]]:
        found: list[tuple[float, str, list[str]]] = []
        for room in self.rooms:
            tables = sorted(self.unseen(look, room), key=lambda t: -self.often(thing, t))[:AT_ONCE]
            if tables:
                found.append((max(self.often(thing, t) for t in tables), room, tables))
        for _, room, tables in sorted(found, key=lambda row: -row[0]):
            seen = all_of(*(eq(fl("seen", t), True) for t in tables))
            words = f"look for the {label(thing)} in {label(room)}"
            yield words, any_of(seen, *(ge(fl("stock", thing, t), 1) for t in tables))

    def _tidying(self, room: str, things: Sequence[str], look: Lookup) -> Iterator[tuple[str, Expr]]:
        unseen = self.unseen(look, room)
        if unseen:
            yield f"look at what is in {label(room)}", all_of(*(eq(fl("seen", t), True) for t in unseen))
        rows = [] if unseen else self.misplaced(room, things, look)
        for some in [rows[:TOGETHER], *([row] for row in rows)] if rows else ():
            names = " and ".join(dict.fromkeys(f"the {label(x)}" for x, _, _ in some))
            yield f"put away {names}", all_of(*(part for row in some for part in self.away(*row, look)))

    def away(self, thing: str, table: str, count: int, look: Lookup) -> list[Expr]:
        homes = [t for t in self.homes(thing) if t != table][:HOMES]
        there = [ge(fl("stock", thing, t), count_of(look("stock", thing, t)) + count) for t in homes]
        return [eq(fl("stock", thing, table), 0), any_of(*there) if len(there) > 1 else there[0]]
