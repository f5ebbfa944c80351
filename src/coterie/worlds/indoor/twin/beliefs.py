"""Beliefs of the robots of many worlds, as arrays: `core/facts.py` for the facts that learners are shown.

A row is one robot of one world. Times are whole numbers: twice the step of an observation, one more for what is learnt
while a step ends. What a robot has seen itself and not yet told is kept beside (`told_*`), in the order in which it
came, since the order in which a hearer takes facts in matters to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from coterie.worlds.indoor.twin.tables import Array, Tables

NEVER, UNKNOWN, NOTHING = -2, -1, -3  # never heard of; known to be unknown; nothing to tell
LATER = 1_000  # more than a listing has members
LAST = 2**31 - 1


class Beliefs:
    def __init__(self, tables: Tables, rows: int, table_rows: int):
        self.tables = tables
        t, p = tables.things, tables.count
        self.robot = np.tile(np.arange(len(tables.robots), dtype=np.int16), rows // len(tables.robots))
        self.table_rows = table_rows
        self._made: dict[str, tuple[Array, Any]] = {}
        self.where, self.where_time, self.told_where, self.told_where_time = self._pair("where", t, NEVER, np.int16)
        self.spot, self.spot_time, self.told_spot, self.told_spot_time = self._pair("spot", t, NEVER, np.int16)
        self.listing, self.listing_time, self.told_listing, self.told_listing_time = self._pair(
            "listing", p, NEVER, np.int32
        )
        self.open, self.open_time, self.told_open, self.told_open_time = self._pair("open", p, UNKNOWN, np.int8)
        self.weighed, self.told_weight = (self._array(n, (rows, t), False, bool) for n in ("weighed", "told_weight"))
        self.floor, self.told_floor = (self._array(n, (rows, p), False, bool) for n in ("floor", "told_floor"))
        self.holding = self._array("holding", (rows, len(tables.robots)), NEVER, np.int16)
        self.order = self._array("order", (rows, t + p), 0, np.int32)  # of what is to be told; 0: nothing
        self.orders = self._array("orders", (rows,), 1, np.int32)
        self.news = self._array("news", (rows,), False, bool)  # besides places of things
        self.row_of = self._array("row_of", (rows, t), -1, np.int8)  # of a thing, in what the learner sees
        self.thing_in = self._array("thing_in", (rows, table_rows), tables.none, np.int8)
        self.rows_used = self._array("rows_used", (rows,), 0, np.int16)
        self.now = np.zeros(rows, np.int32)  # the time of what a robot sees
        self.name_rank = np.zeros((rows, t), np.int16)
        #: Changes since it was last shown: (rows, places) of listings and of what is open, (rows, things) that
        #: came into the table and were weighed.
        self.changed: list[tuple[Array, Array]] = []
        self.opened: list[tuple[Array, Array]] = []
        self.entered: list[tuple[Array, Array]] = []
        self.lifted: list[tuple[Array, Array]] = []

    def _array(self, name: str, shape: tuple[int, ...], empty: Any, dtype: Any) -> Array:
        made = np.full(shape, empty, dtype)
        self._made[name] = (made, empty)
        return made

    def _pair(self, name: str, wide: int, empty: int, dtype: Any) -> Iterator[Array]:
        """Beliefs with their times, and the same for what is to be told."""
        shape = (len(self.robot), wide)
        for kind, nothing in ((name, empty), (f"told_{name}", NOTHING)):
            yield self._array(kind, shape, nothing, dtype)
            yield self._array(f"{kind}_time", shape, 0, np.int32)

    def forget(self, rows: Array) -> None:
        """Empty the beliefs of robots whose episode begins."""
        for array, empty in self._made.values():
            array[rows] = empty

    # -- rows of the learner's table ------------------------------------------------------------------------------
    def enter(self, rows: Array, things: Array) -> None:
        """Give each thing that was not heard of before the next row."""
        new = self.row_of[rows, things] < 0
        if new.any():
            rows, things = rows[new], things[new].astype(np.int64)
            at = self.rows_used[rows]
            self.row_of[rows, things], self.thing_in[rows, at] = at, things
            self.rows_used[rows] = at + 1
            self.entered.append((rows, things))

    def _enter_new(self, rows: Array, new: Array, listing: Array) -> None:
        """The same for several things of one listing, in its order."""
        unheard = (new & (self.row_of[rows] < 0)).any(1)
        if unheard.any():
            rows, new, listing = rows[unheard], new[unheard], listing[unheard]
            items = self.tables.listings.items[listing]
            for k in range(int(self.tables.listings.length[listing].max())):
                some = np.flatnonzero(items[:, k] < self.tables.none)
                some = some[new[some, items[some, k]]]
                self.enter(rows[some], items[some, k])

    # -- what a robot sees now: nothing that it believes is newer -------------------------------------------------
    def see_listing(self, rows: Array, places: Array, listing: Array, own: bool) -> None:
        """Take in the contents of a place; `own` is what robots see themselves, and may tell."""
        was = self.listing[rows, places]
        changed = was != listing
        self.listing_time[rows, places] = self.now[rows]
        if changed.any():
            r, p = rows[changed], places[changed]
            self.listing[r, p] = listing[changed]
            self.changed.append((r, p))
            if own:
                self.told_listing[r, p], self.told_listing_time[r, p] = listing[changed], self.now[r]
                self.news[r] = True
                self._note(r, self.tables.things + p, 0)
        if own:
            self.orders[rows] += LATER
        has = self.tables.listings.has[listing]
        here = self.where[rows] == places[:, None]
        need = changed | (has != here).any(1)
        if not need.any():
            return
        r, has, here = rows[need], has[need], here[need]
        new, gone = has & ~here, here & ~has
        self._enter_new(r, new, listing[need])
        k, t = np.nonzero(has | gone)
        there = has[k, t]
        rows_k = r[k]
        self.where[rows_k, t] = np.where(there, places[need][k], UNKNOWN)
        self.where_time[rows_k, t] = self.now[rows_k]
        if own:
            k, t = np.nonzero(new | gone)
            rows_k, there = r[k], has[k, t]
            self.told_where[rows_k, t] = np.where(there, places[need][k], UNKNOWN)
            self.told_where_time[rows_k, t] = self.now[rows_k]
            position = self.tables.listings.position[listing[need]][k, t].astype(np.int32)
            self._note(rows_k, t, np.where(there, position, 200 + self.name_rank[rows_k, t]))
            self.orders[r] += LATER

    def _note(self, rows: Array, keys: Array, after: Any) -> None:
        """Put keys that are not to be told yet behind those that are."""
        order = self.order[rows, keys]
        self.order[rows, keys] = np.where(order > 0, order, self.orders[rows] + after)

    def see_where(self, rows: Array, things: Array, places: Array) -> None:
        """Things in hands."""
        new = self.where[rows, things] != places
        self.where_time[rows, things] = self.now[rows]
        if new.any():
            rows, things, places = rows[new], things[new], places[new]
            self.enter(rows, things)
            self.where[rows, things] = places
            self.told_where[rows, things], self.told_where_time[rows, things] = places, self.now[rows]
            self._note(rows, things, 0)
            self.orders[rows] += LATER

    def see_things(self, rows: Array, things: Array, spots: Array) -> None:
        """Where exactly things lie, and what they weigh."""
        self._see("spot", rows, things, spots)
        new = ~self.weighed[rows, things]
        if new.any():
            r, t = rows[new], things[new]
            self.weighed[r, t] = self.told_weight[r, t] = self.news[r] = True
            self.lifted.append((r, t))

    def see_floor(self, rows: Array, places: Array) -> None:
        """That nothing lies on the floor beside a place."""
        new = ~self.floor[rows, places]
        if new.any():
            r, p = rows[new], places[new]
            self.floor[r, p] = self.told_floor[r, p] = self.news[r] = True

    def see_open(self, rows: Array, places: Array, opened: Array) -> None:
        """How a container or a door stands."""
        new = self._see("open", rows, places, opened)
        if new.any():
            self.opened.append((rows[new], places[new]))

    def _see(self, name: str, rows: Array, keys: Array, values: Array) -> Array:
        """Take in values that no other fact bears on; which of them are new."""
        made = self._made
        known, time, told, told_time = (made[n][0] for n in (name, f"{name}_time", f"told_{name}", f"told_{name}_time"))
        new: Array = known[rows, keys] != values
        time[rows, keys] = self.now[rows]
        if new.any():
            r, k = rows[new], keys[new]
            known[r, k] = told[r, k] = values[new]
            told_time[r, k] = self.now[r]
            self.news[r] = True
        return new

    # -- what a robot is told: older than some of what it believes ------------------------------------------------
    def has_news(self) -> Array:
        return self.news | (self.told_where >= 0).any(1)

    def tell(self, senders: Array, team: int) -> None:
        """Robots tell their teammates what they have seen since they last did; of one world, one after the other."""
        if not len(senders):
            return
        for k in range(team):
            mine = senders[self.robot[senders] == k]
            for other in range(team) if len(mine) else ():
                if other != k:
                    self._tell_plain(mine, mine + (other - k))
        order = self._to_tell(senders)
        counts = (order < LAST).sum(1)
        keys = np.argsort(order, axis=1, kind="stable")
        pair = np.repeat(np.arange(len(senders)), team)
        hearer = (senders - self.robot[senders])[:, None] + np.arange(team)
        kept = (hearer != senders[:, None]).ravel()
        pair, hearer = pair[kept], hearer.ravel()[kept]
        by = np.argsort(hearer, kind="stable")  # what one hears is a single row of facts, sender after sender
        pair, hearer = pair[by], hearer[by]
        many = counts[pair]
        total, begun = np.cumsum(many) - many, np.flatnonzero(np.diff(hearer, prepend=-1))
        first = np.repeat(total[begun], np.diff(begun, append=len(hearer)))
        fact = np.repeat(np.arange(len(pair)), many)
        within = np.arange(len(fact)) - np.repeat(total, many)
        turn = np.repeat(total - first, many) + within
        row, source, key = hearer[fact], senders[pair[fact]], keys[pair[fact], within]
        t, listing = self.tables.things, key >= self.tables.things
        for k in range(int(turn.max(initial=-1)) + 1):
            now = turn == k
            some = np.flatnonzero(now & ~listing)
            if len(some):
                s, thing = source[some], key[some]
                self._told_where(row[some], thing, self.told_where[s, thing], self.told_where_time[s, thing])
            some = np.flatnonzero(now & listing)
            if len(some):
                s, at = source[some], key[some] - t
                self._told_listing(row[some], at, self.told_listing[s, at], self.told_listing_time[s, at])
        for name in ("told_where", "told_listing", "told_spot", "told_weight", "told_open", "told_floor", "order"):
            array, empty = self._made[name]
            array[senders] = empty
        self.orders[senders], self.news[senders] = 1, False

    def _tell_plain(self, source: Array, rows: Array) -> None:
        """Facts that no other fact depends on."""
        self._merge(rows, self.told_spot[source], self.told_spot_time[source], self.spot, self.spot_time)
        taken = self._merge(rows, self.told_open[source], self.told_open_time[source], self.open, self.open_time)
        k, place = np.nonzero(taken)
        if len(k):
            self.opened.append((rows[k], place))
        k, thing = np.nonzero(self.told_weight[source] & ~self.weighed[rows])
        if len(k):
            self.weighed[rows[k], thing] = True
            self.lifted.append((rows[k], thing))
        self.floor[rows] |= self.told_floor[source]

    def _to_tell(self, senders: Array) -> Array:
        """The order of what senders tell; LAST for what they do not: what is unknown, and the place of a thing that
        follows from a listing told before it."""
        order, t = self.order[senders], self.tables.things
        place = self.told_where[senders]
        listed = place.astype(np.int64) % self.tables.count  # of things in hands and unknown ones any
        who = np.arange(len(senders))[:, None]
        follows = self.tables.listings.has[np.maximum(self.told_listing[senders[:, None], listed], 0), np.arange(t)]
        follows &= (self.told_listing[senders[:, None], listed] >= 0) & (place < self.tables.count)
        follows &= self.told_listing_time[senders[:, None], listed] == self.told_where_time[senders]
        follows &= order[who, t + listed] < order[:, :t]
        order = np.where(order > 0, order, LAST)
        order[:, :t][follows | (place < 0)] = LAST
        return order

    @staticmethod
    def _merge(rows: Array, value: Array, time: Array, known: Array, known_time: Array) -> Array:
        """Take over what is no older than what is known; where that was so."""
        old, old_time = known[rows], known_time[rows]
        take = (value != NOTHING) & ((old < 0) | (time >= old_time))
        known[rows] = np.where(take, value, old)
        known_time[rows] = np.where(take, time, old_time)
        return take

    def _told_where(self, rows: Array, things: Array, places: Array, time: Array) -> None:
        old, old_time = self.where[rows, things], self.where_time[rows, things]
        take = (old == NEVER) | (time >= old_time)
        if not take.all():
            rows, things, places, time, old = rows[take], things[take], places[take], time[take], old[take]
        same = old == places
        if same.any():
            self.where_time[rows[same], things[same]] = time[same]
            other = ~same
            rows, things, places, time, old = rows[other], things[other], places[other], time[other], old[other]
        if not len(rows):
            return
        overruled = np.zeros(len(rows), bool)
        for place, there in ((places, False), (old, True)):  # has a later look shown that this is not so?
            look = np.clip(place, 0, self.tables.count - 1)
            later = (place == look) & (self.listing_time[rows, look] > time)
            if later.any():  # no listing, no time
                shown = self.tables.listings.has[np.maximum(self.listing[rows, look], 0), things] == there
                overruled |= later & shown
        if overruled.any():
            rows, things, places, time = (a[~overruled] for a in (rows, things, places, time))
        self.enter(rows, things)
        self.where[rows, things], self.where_time[rows, things] = places, time

    def _told_listing(self, rows: Array, places: Array, listing: Array, time: Array) -> None:
        old, old_time = self.listing[rows, places], self.listing_time[rows, places]
        differs = (old == NEVER) | ((time >= old_time) & (old != listing))
        again = (old == listing) & (time > old_time)
        take = differs | again
        rows, places, listing, time, differs = rows[take], places[take], listing[take], time[take], differs[take]
        if not len(rows):
            return
        self.listing[rows, places], self.listing_time[rows, places] = listing, time
        self.changed.append((rows, places))
        listings = self.tables.listings
        here = self.where[rows] == places[:, None]
        need = differs | (here != listings.has[listing]).any(1)
        rows, places, listing, time = rows[need], places[need], listing[need], time[need]
        if not len(rows):
            return
        items = listings.items[listing]
        for k in range(int(listings.length[listing].max(initial=0))):
            some = np.flatnonzero(items[:, k] < self.tables.none)
            self._told_where(rows[some], items[some, k], places[some], time[some])
        here = (self.where[rows] == places[:, None]) & ~listings.has[listing]
        gone = here & (self.where_time[rows] <= time[:, None])
        left, t = np.nonzero(gone)
        self.where[rows[left], t], self.where_time[rows[left], t] = UNKNOWN, time[left]
