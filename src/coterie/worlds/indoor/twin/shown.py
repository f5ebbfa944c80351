"""What learners are shown of many worlds: the vectors of `HouseSenses` and the masks of guard rails, as arrays."""

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
OPENED, CLOSED, STANDS_THERE, OFFSET, LOOKED, LYING, WANTED_LYING, BELONGS, HELD_BELONGS = (
    5,
    6,
    7,
    8,
    10,
    11,
    12,
    13,
    14,
)


class Shown:
    """Observations (worlds x robots, numbers) and masks (worlds x robots, actions), written anew at every `look`."""

    def __init__(self, worlds: Worlds, size: int, parts: Mapping[str, Any], spans: Mapping[str, tuple[int, int]]):
        self.worlds, self.spans = worlds, spans
        t, rows = worlds.tables, worlds.n * worlds.robots
        self.vectors = np.zeros((rows, size), np.float32)
        self.masks = np.zeros((rows, max(last for _, last in spans.values())), np.int8)
        views = {}
        for name, part in parts.items():
            block = self.vectors[:, part.start : part.end]
            views[name] = block.reshape(rows, part.rows, -1) if part.rows else block
        self.own, self.places, self.things = views["self"], views["places"], views["things"]
        self.others = views.get("robots")
        self.robot = np.tile(np.arange(worlds.robots), worlds.n)
        self.world = np.repeat(np.arange(worlds.n), worlds.robots)
        cards = t.cards
        self.payload = np.array([c.payload_kg for c in cards])[self.robot][:, None]
        self.reach = np.array([c.reach_m for c in cards])[self.robot][:, None]
        self.low = np.array([c.reach_low_m for c in cards])[self.robot][:, None]
        self.high = np.array([c.reach_high_m for c in cards])[self.robot][:, None]
        self.shoulder = np.array([c.shoulder_m for c in cards])[self.robot][:, None]
        self.can = worlds.able[self.robot]
        fixed = [(c.mobility == "air", c.mobility == "ground", c.reach_m / 10, c.payload_kg / 10) for c in cards]
        self.own[:, 1:5] = np.clip(np.array(fixed), -1, 1)[self.robot]
        self.places[:, :, 0] = 1
        self.places[:, :, 1:5] = np.stack([t.is_piece, t.is_door, t.is_platform, t.opens], axis=1)
        if self.others is not None:
            self.others[:, :, :2] = 1  # there, and alive
            n = worlds.robots
            self.mates = np.array([[o for o in range(n) if o != r] for r in range(n)])[self.robot]
        # what a home is: the place itself, and the furniture that it lies on; the last row is none
        homes = np.zeros((t.count + 1, t.count), np.float32)
        for h in range(t.count):
            homes[h, h] = homes[h, t.stands_at[h]] = 1
        self.homes = homes
        self.home = np.full((rows, t.things + 1), -1, np.int16)  # with one thing more, which is none
        self.mass = np.zeros((rows, t.things + 1), np.float32)
        self.order = np.full((rows, t.things), 99, np.int8)
        self.count = np.ones(rows)
        self.piece_at = t.is_piece & t.holds

    def begin(self, worlds: Array) -> None:
        """Take in the goals and things of worlds whose episode begins."""
        w, rows = self.worlds, self.worlds.flat(worlds)
        n = w.robots
        self.home[rows, :-1], self.mass[rows, :-1] = np.repeat(w.home[worlds], n, 0), np.repeat(w.mass[worlds], n, 0)
        self.order[rows], self.count[rows] = np.repeat(w.order[worlds], n, 0), np.repeat(w.count[worlds], n)
        self.things[rows] = 0
        self.places[rows, :, OPENED : CLOSED + 1] = 0
        self.places[rows, :, LOOKED : WANTED_LYING + 1] = 0
        self.places[rows, :, BELONGS] = np.repeat(self.homes[w.home[worlds]].max(1), n, 0)
        if self.others is not None:
            self.others[rows, :, 7] = 0

    def look(self) -> None:
        w, t, b = self.worlds, self.worlds.tables, self.worlds.beliefs
        pose, at, held = w.pose.ravel(), w.at.ravel(), w.held.ravel()
        xy = t.xy[pose]
        home_held = np.where(held >= 0, self.home[np.arange(len(held)), held], -1)
        missing = self._missing()
        own = self.own
        own[:, 0] = np.repeat(w.step / w.limit, w.robots)
        own[:, 5:7] = np.clip(xy / 10.0, -1, 1)
        own[:, 7], own[:, 8], own[:, 9] = held >= 0, home_held >= 0, w.outcome.ravel() != OK
        own[:, 10] = 1 - missing.sum(1) / self.count
        places = self.places
        for rows, place in b.changed:
            listing = b.listing[rows, place]
            places[rows, place, LOOKED] = 1
            places[rows, place, LYING] = np.minimum(t.listings.length[listing] / 10, 1)
            wanted = (t.listings.has[listing] & (self.home[rows, :-1] >= 0)).sum(1)
            places[rows, place, WANTED_LYING] = np.minimum(wanted / 10, 1)
        b.changed.clear()
        places[:, :, OPENED], places[:, :, CLOSED] = b.open == 1, b.open == 0
        places[:, :, STANDS_THERE] = t.stands_at == at[:, None]
        np.clip(t.offsets[pose], -1, 1, out=places[:, :, OFFSET : OFFSET + 2])
        places[:, :, HELD_BELONGS] = self.homes[home_held]
        if self.others is not None:
            self.others[:, :, 7] = np.take_along_axis(b.holding, self.mates, 1) >= 0
        picks = self._things(pose, at, held, xy, missing)
        self._mask(pose, at, held, picks)

    def _missing(self) -> Array:
        """Targets that a robot does not know to be where they belong. (rows, things)"""
        w, b = self.worlds, self.worlds.beliefs
        if w.kind != "stack":
            home = self.home[:, :-1]
            return (home >= 0) & (b.where != home)
        t = w.tables
        listing = b.listing[:, t.platforms[0]]
        targets = np.repeat(w.targets, w.robots, 0)
        good = np.cumprod(t.listings.items[listing] == targets, axis=1).sum(1)
        return (self.order < 99) & (self.order >= good[:, None])

    def _things(self, pose: Array, at: Array, held: Array, xy: Array, missing: Array) -> Array:
        """The table of things, and which of its rows may be picked up."""
        w, t, b = self.worlds, self.worlds.tables, self.worlds.beliefs
        used = int(b.rows_used.max())
        thing = b.thing_in[:, :used]
        there = thing < t.things
        index = np.minimum(thing, t.things - 1)
        where = np.take_along_axis(b.where, index, 1)
        spot = np.take_along_axis(b.spot, index, 1)
        weighed = np.take_along_axis(b.weighed, index, 1)
        home = np.take_along_axis(self.home, thing, 1)
        mass = np.take_along_axis(self.mass, thing, 1)
        mine = t.first_robot + self.robot[:, None]
        in_hand = where >= t.first_robot
        lies = (where >= 0) & ~in_hand
        known = (spot >= 0) & ~in_hand
        part = t.part[np.where(lies, where, 0)]
        here = lies & (part == at[:, None])
        point = t.spot_xyz[np.maximum(spot, 0)]
        middle = lies & ~known
        x, y = point[..., 0], point[..., 1]
        if middle.any():
            centre = t.centres[np.where(lies, where, 0)]
            x, y = np.where(middle, centre[..., 0], x), np.where(middle, centre[..., 1], y)
        placed = known | middle
        dx, dy = x - xy[:, :1], y - xy[:, 1:]
        gap = np.sqrt(dx * dx + dy * dy + (self.shoulder - point[..., 2]) ** 2)
        out = self.things[:, :used]
        out[..., 0], out[..., 1], out[..., 2] = there, there & (where >= 0), there & (where == mine)
        out[..., 3], out[..., 4] = there & in_hand & (where != mine), there & here
        placed &= there
        out[..., 5], out[..., 6] = np.where(placed, dx / 10, 0), np.where(placed, dy / 10, 0)
        measured = there & lies & known & (self.reach > 0)
        out[..., 7] = np.where(measured, gap / np.maximum(self.reach, 1e-9) / 2, 0)
        out[..., 8] = np.where(weighed & there & (self.payload > 0), mass / np.maximum(self.payload, 1e-9) / 2, 0)
        np.clip(out[..., 5:9], -1, 1, out=out[..., 5:9])
        out[..., 9], out[..., 10] = there & (home >= 0), there & np.take_along_axis(missing, index, 1)
        on = np.where(lies, where, 0)
        shut = t.closes[on] & (np.take_along_axis(b.open, on, 1) == 0)
        seen = (where < 0) | (here & ~shut)
        if w.kind == "stack":
            listing = b.listing[:, t.platforms[0]][:, None]
            above = t.listings.position[listing, index] < t.listings.length[listing] - 1
            seen &= ~(lies & t.board[on] & above)
        z = point[..., 2]
        able = (spot < 0) | ((gap <= self.reach) & (z >= self.low) & (z <= self.high))
        able &= ~weighed | (mass <= self.payload)
        return there & seen & able & (held < 0)[:, None]

    # -- what robots do not know to be impossible -----------------------------------------------------------------
    def _span(self, skill: int) -> Array:
        first, last = self.spans[FIRST[skill]]
        return self.masks[:, first:last]

    def _mask(self, pose: Array, at: Array, held: Array, picks: Array) -> None:
        w, t, b = self.worlds, self.worlds.tables, self.worlds.beliefs
        shut = np.zeros(len(pose), np.int16)
        if w._doors_move:
            shut = t.closed((b.open[:, t.doors] == 0) @ (1 << np.arange(len(t.doors))))
        go, slide = self._span(NAVIGATE), self._span(MOVE)
        for card in range(w.robots):
            if not t.cards[card].moves:
                continue
            rows = slice(card, None, w.robots)
            closed = shut[rows]
            for doors in np.unique(closed).tolist() if w._doors_move else [0]:
                ways, slides = t.ways(card, doors, pose[rows] if not w._doors_move else pose[rows][closed == doors])
                if not w._doors_move:
                    go[rows], slide[rows] = ways[pose[rows]] == OK, slides[pose[rows]][:, : slide.shape[1]] == OK
                else:
                    some = np.arange(card, len(pose), w.robots)[closed == doors]
                    go[some], slide[some] = ways[pose[some]] == OK, slides[pose[some]][:, : slide.shape[1]] == OK
        if not self.can[:, NAVIGATE].all():
            go *= self.can[:, NAVIGATE, None]
            slide *= self.can[:, MOVE, None]
        near = t.reaches[self.robot, pose]
        opens = near & t.opens
        self._span(OPEN)[:] = opens & (b.open != 1) & self.can[:, OPEN, None]
        self._span(CLOSE)[:] = opens & (b.open != 0) & self.can[:, CLOSE, None]
        self._span(PICK)[:, : picks.shape[1]] = picks & self.can[:, PICK, None]
        self._span(PICK)[:, picks.shape[1] :] = 0
        carries = self.can[:, PLACE] & (held >= 0)
        put = self._span(PLACE)
        put[:] = 0
        rows = np.flatnonzero(carries)
        if len(rows):
            put[rows] = (
                near[rows] & t.holds & ~(t.closes[: t.count] & (b.open[rows] == 0)) & self._room(rows, pose, near)
            )
        self._span(COMMUNICATE)[:] = (b.has_news() & self.can[:, COMMUNICATE] & (w.robots > 1))[:, None]
        self._span(WAIT)[:] = 1

    def _room(self, rows: Array, pose: Array, near: Array) -> Array:
        """Where a robot with its hands full knows of no lack of room. (rows, places)"""
        t, b = self.worlds.tables, self.worlds.beliefs
        listing = b.listing[rows]
        room = (listing < 0) | (t.listings.length[np.maximum(listing, 0)] < t.capacity)
        k, place = np.nonzero(near[rows] & self.piece_at & (listing >= 0))
        if len(k):
            r = rows[k]
            room[k, place] = first_free(t, self.robot[r], pose[r], place, listing[k, place], b.spot[r]) >= 0
        return room
