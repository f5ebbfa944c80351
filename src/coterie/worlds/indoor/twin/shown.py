"""Observations of many worlds for learners: the vectors of `HouseSenses` and the masks of guard rails, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from coterie.worlds.indoor.skills import FIRST
from coterie.worlds.indoor.twin.tables import OK, Array
from coterie.worlds.indoor.twin.worlds import (
    CLOSE,
    COMMUNICATE,
    MOVE,
    NAVIGATE,
    OPEN,
    PICK,
    PLACE,
    WAIT,
    Worlds,
    first_free,
)

# columns, by their place in the tables of `HouseSenses`, behind the one that says that something is there
OPENED, CLOSED, STANDS_THERE, OFFSET, _, LOOKED, LYING, WANTED_LYING, BELONGS, HELD_BELONGS = range(5, 15)


def joined(news: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """All pairs of arrays as one; the list is empty then."""
    a, b = (np.concatenate(part) for part in zip(*news))
    news.clear()
    return a, b


class Shown:
    """Observations (worlds x robots, numbers) and masks (worlds x robots, actions)."""

    def __init__(self, worlds: Worlds, size: int, parts: Mapping[str, Any], spans: Mapping[str, tuple[int, int]]):
        self.worlds = worlds
        t, rows, n = worlds.tables, worlds.n * worlds.robots, worlds.robots
        self.vectors = np.zeros((rows, size), np.float32)
        self.masks = np.zeros((rows, max(last for _, last in spans.values())), np.int8)
        views = {}
        for name, part in parts.items():
            block = self.vectors[:, part.start : part.end]
            views[name] = block.reshape(rows, part.rows, -1) if part.rows else block
        self.own, self.places, self.things = views["self"], views["places"], views["things"]
        self.others = views.get("robots")
        self.span = [self.masks[:, slice(*spans[name])] for name in FIRST]
        self.robot = np.tile(np.arange(n), worlds.n)
        cards = t.cards
        self.can = worlds.able
        self.movers = [r for r in range(n) if self.can[r, NAVIGATE] or self.can[r, MOVE]]
        self.payload = np.array([c.payload_kg for c in cards])
        fixed = [(c.mobility == "air", c.mobility == "ground", c.reach_m / 10, c.payload_kg / 10) for c in cards]
        self.own[:, 1:5] = np.clip(np.array(fixed), -1, 1)[self.robot]
        self.places[:, :, 0] = 1
        self.places[:, :, 1:5] = np.stack([t.is_piece, t.is_door, t.is_platform, t.opens], axis=1)
        if self.others is not None:
            self.others[:, :, :2] = 1  # there, and alive
            self.mates = np.array([[o for o in range(n) if o != r] for r in range(n)])
        # what a home is: the place itself, and the furniture that it lies on; the last row is none
        self.homes = np.zeros((t.count + 1, t.count), np.float32)
        for h in range(t.count):
            self.homes[h, h] = self.homes[h, t.stands_at[h]] = 1
        room = self.things.shape[1]
        self.home = np.full((rows, room), -1, np.int16)  # of the thing in each row of the table
        self.order = np.full((rows, room), 99, np.int8)
        self.heavy = np.zeros((rows, room), bool)
        self.span[WAIT][:] = 1
        self.picks = self.can[self.robot, PICK][:, None]
        self.talks = self.can[self.robot, COMMUNICATE] & (n > 1)
        self.put = np.zeros(0, np.int64)  # rows of robots that may put something down

    def begin(self, worlds: Array) -> None:
        """Take in the goals of worlds whose episode begins."""
        w, rows = self.worlds, self.worlds.flat(worlds)
        self.things[rows], self.home[rows], self.order[rows], self.heavy[rows] = 0, -1, 99, False
        self.span[PICK][rows] = 0
        self.places[rows, :, OPENED : CLOSED + 1] = 0
        self.places[rows, :, LOOKED : WANTED_LYING + 1] = 0
        self.places[rows, :, BELONGS] = np.repeat(self.homes[w.home[worlds]].max(1), w.robots, 0)
        if self.others is not None:
            self.others[rows, :, 7] = 0

    def look(self, rows: Array | None = None) -> None:
        """Show all rows, or some."""
        w, b = self.worlds, self.worlds.beliefs
        t, n, of = w.tables, w.robots, slice(None) if rows is None else rows
        self._catch_up()
        pose, at, held = w.pose.reshape(-1)[of], w.at.reshape(-1)[of], w.held.reshape(-1)[of]
        robot = self.robot[of]
        busy = np.flatnonzero(held >= 0)
        home = np.full(len(held), -1, np.int16)
        index = busy if rows is None else rows[busy]
        home[busy] = w.home[index // n, held[busy]]
        own, places = self.own, self.places
        share = w.step / w.limit
        own[of, 0] = np.repeat(share, n) if rows is None else share[rows // n]
        own[of, 5:7] = np.clip(t.xy[pose] / 10.0, -1, 1)
        own[of, 7], own[of, 8], own[of, 9] = held >= 0, home >= 0, w.outcome.reshape(-1)[of] != OK
        places[of, :, STANDS_THERE] = t.stands_at == at[:, None]
        places[of, :, OFFSET : OFFSET + 2] = t.offsets[pose]
        places[of, :, HELD_BELONGS] = 0
        places[index, :, HELD_BELONGS] = self.homes[home[busy]]
        if self.others is not None:
            self.others[of, :, 7] = np.take_along_axis(b.holding[of], self.mates[robot], 1) >= 0
        self._mask(of, robot, pose, index, self._things(of, robot, pose, at, held))

    def _catch_up(self) -> None:
        """Update what changes now and then, and not in every step."""
        w, t, b, places = self.worlds, self.worlds.tables, self.worlds.beliefs, self.places
        if b.changed:
            rows, place = joined(b.changed)
            listing = b.listing[rows, place]
            has = t.listings.has[listing]
            places[rows, place, LOOKED] = listing >= 0
            places[rows, place, LYING] = np.minimum(t.listings.length[listing] / 10, 1)
            places[rows, place, WANTED_LYING] = np.minimum((has & (w.home[rows // w.robots] >= 0)).sum(1) / 10, 1)
        if b.opened:
            rows, place = joined(b.opened)
            places[rows, place, OPENED], places[rows, place, CLOSED] = (
                b.open[rows, place] == 1,
                b.open[rows, place] == 0,
            )
        if b.entered:
            rows, thing = joined(b.entered)
            world, at = rows // w.robots, b.row_of[rows, thing]
            self.home[rows, at], self.order[rows, at] = w.home[world, thing], w.order[world, thing]
            self.things[rows, at, 0], self.things[rows, at, 9] = 1, w.home[world, thing] >= 0
        if b.lifted:
            rows, thing = joined(b.lifted)
            known = b.weighed[rows, thing] & (b.row_of[rows, thing] >= 0)
            rows, thing = rows[known], thing[known]
            at, mass, most = b.row_of[rows, thing], w.mass[rows // w.robots, thing], self.payload[self.robot[rows]]
            self.heavy[rows, at] = mass > most
            share = np.where(most > 0, mass / np.where(most > 0, most, 1) / 2, 0)
            self.things[rows, at, 8] = np.minimum(share, 1)

    def _things(self, of: Any, robot: Array, pose: Array, at: Array, held: Array) -> Array:
        """The table of things, and which of its rows may be picked up."""
        w, t, b = self.worlds, self.worlds.tables, self.worlds.beliefs
        used = int(b.rows_used.max())
        thing = b.thing_in[of, :used].astype(np.int64)
        there = thing < t.none
        row = (np.arange(len(b.where)) if isinstance(of, slice) else of)[:, None]
        flat = row * t.things + thing
        where, spot = b.where.take(flat), b.spot.take(flat)
        in_hand = where >= t.first_robot
        lies = (where >= 0) ^ in_hand
        place = np.where(lies, where, 0)
        here = lies & (t.part[place] == at[:, None])
        spots = t.points - t.count - 1
        point = np.where(spot >= 0, spot, np.where(lies, place + spots, t.points - 1))
        point[in_hand] = t.points - 1
        at_pose = pose.astype(np.int64) * t.points
        to = t.to_point.reshape(-1, 2).take(at_pose[:, None] + point, 0)
        at_pose += robot * (t.gap.shape[1] * t.points)
        at_point = at_pose[:, None] + point
        mine = where == (t.first_robot + robot)[:, None]
        home = self.home[of, :used]
        missing = self._missing(of, where, home)
        out = self.things[of, :used]
        out[..., 1], out[..., 2], out[..., 3], out[..., 4] = where >= 0, mine, in_hand ^ mine, here
        out[..., 5:7], out[..., 7], out[..., 10] = to, t.gap.take(at_point) * lies, missing
        if not isinstance(of, slice):
            self.things[of, :used] = out
        self.own[of, 10] = 1 - missing.sum(1) / (home >= 0).sum(1)
        shut = t.closes[place] & (b.open.take(row * t.count + place) == 0)
        picks = ((where < 0) | (here & ~shut)) & t.in_reach.take(at_point) & there & ~self.heavy[of, :used]
        if w.kind == "stack":
            listing = b.listing[of, t.platforms[0]][:, None]
            above = t.listings.position[listing, thing] < t.listings.length[listing] - 1
            picks &= ~(t.board[place] & lies & above)
        return picks & (held < 0)[:, None]

    def _missing(self, of: Any, where: Array, home: Array) -> Array:
        """Rows of targets that a robot does not know to be where they belong."""
        w, b = self.worlds, self.worlds.beliefs
        if w.kind != "stack":
            return (home >= 0) & (where != home)
        t = w.tables
        listing = b.listing[of, t.platforms[0]]
        targets = np.repeat(w.targets, w.robots, 0)[of]
        good = np.cumprod(t.listings.items[listing] == targets, axis=1).sum(1)
        order = self.order[of, : home.shape[1]]
        return (order < 99) & (order >= good[:, None])

    # -- what robots do not know to be impossible -----------------------------------------------------------------
    def _mask(self, of: Any, robot: Array, pose: Array, carrying: Array, picks: Array) -> None:
        """`carrying` are the rows of robots that hold something, among those that are shown."""
        w, t, b = self.worlds, self.worlds.tables, self.worlds.beliefs
        rows = np.arange(len(b.where)) if isinstance(of, slice) else of
        for r in self.movers:
            self._mask_ways(r, rows[r :: w.robots], pose[r :: w.robots])
        for r in range(w.robots):
            if not self.can[r, OPEN] and not self.can[r, CLOSE]:
                continue
            mine = rows[r :: w.robots]
            opens = t.reaches[r].take(pose[r :: w.robots], 0) & t.opens
            for skill, known in ((OPEN, 1), (CLOSE, 0)):
                if self.can[r, skill]:
                    self.span[skill][mine] = opens & (b.open[mine] != known)
        self.span[PICK][of, : picks.shape[1]] = picks & self.picks[of]
        put = self.span[PLACE]
        some = carrying[self.can[self.robot[carrying], PLACE]]
        if isinstance(of, slice):
            put[self.put], self.put = 0, some
        else:
            put[of] = 0
        if len(some):
            near = t.reaches[self.robot[some], w.pose.reshape(-1)[some]] & t.holds
            near &= ~(t.closes[: t.count] & (b.open[some] == 0))
            put[some] = near & self._room(some, near)
        self.span[COMMUNICATE][of, 0] = b.has_news()[of] & self.talks[of]

    def _mask_ways(self, r: int, rows: Array, pose: Array) -> None:
        w, t, b = self.worlds, self.worlds.tables, self.worlds.beliefs
        parts = [(0, rows, pose)]
        if w.doors_move:
            shut = t.closed((b.open[np.ix_(rows, t.doors)] == 0) @ (1 << np.arange(len(t.doors))))
            parts = [(int(s), rows[shut == s], pose[shut == s]) for s in np.unique(shut)]
        for doors, mine, poses in parts:
            ways, slides = t.ways(r, doors, poses)
            if self.can[r, NAVIGATE]:
                self.span[NAVIGATE][mine] = ways.take(poses, 0) == OK
            if self.can[r, MOVE]:
                self.span[MOVE][mine] = slides.take(poses, 0) == OK

    def _room(self, rows: Array, near: Array) -> Array:
        """Where robots with their hands full know of no lack of room. (rows, places)"""
        w, t, b = self.worlds, self.worlds.tables, self.worlds.beliefs
        listing = b.listing[rows]
        room = (listing < 0) | (t.listings.length[np.maximum(listing, 0)] < t.capacity)
        k, place = np.nonzero(near & t.is_piece & (listing >= 0))
        if len(k):
            r, poses = rows[k], w.pose.reshape(-1)[rows[k]]
            room[k, place] = first_free(t, self.robot[r], poses, place, listing[k, place], b.spot[r]) >= 0
        return room
