"""Tables of one house and team that all worlds of a batch read: numbers for places, poses, spots and listings.

Poses and listings are numbered when they first come up, and what follows from them is worked out once, by the functions
of the reference world, or by the same arithmetic over arrays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.card import Card
from coterie.core.task import Task
from coterie.houses.scene import dist, nearest_in
from coterie.worlds.indoor.declared import STAND
from coterie.worlds.indoor.fluents import BESIDE_M, MOVE_LIMIT_M, fluents_of, laid

Array = NDArray[Any]
STANDS = 4
#: Clauses of `navigate` that a house, a card and closed doors decide, by their place in the skill.
NO_PLACE, NO_STAND, TOO_HIGH, SHUT_DOOR, START_BLOCKED, GOAL_BLOCKED, NO_PATH, OCCUPIED = 0, 1, 2, 6, 7, 8, 9, 10
OK, NOT_ASKED = -1, -9
MOST_POSES = 10_000  # small moves lead to ever new ones


def grown(array: Array, rows: int, value: Any) -> Array:
    """The array with room for so many rows, at least twice as many as before."""
    if rows <= len(array):
        return array
    more = np.full((max(rows, 2 * len(array)) - len(array), *array.shape[1:]), value, array.dtype)
    return np.concatenate([array, more])


class Listings:
    """Numbered tuples of things, and which number follows when a thing is added or taken away; 0 is the empty one."""

    def __init__(self, things: int):
        self.none = things - 1
        self.known: dict[tuple[int, ...], int] = {}
        self.tuples: list[tuple[int, ...]] = []
        self._empty = {"items": self.none, "position": 127, "has": False, "length": 0, "added": -1, "removed": -1}
        self.items = np.full((64, things), self.none, np.int8)
        self.position = np.full((64, things), 127, np.int8)
        self.has = np.zeros((64, things), bool)
        self.length = np.zeros(64, np.int8)
        self.added = np.full((64, things), -1, np.int32)
        self.removed = np.full((64, things), -1, np.int32)
        self.number(())

    def number(self, listed: tuple[int, ...]) -> int:
        found = self.known.get(listed)
        if found is not None:
            return found
        i = self.known[listed] = len(self.tuples)
        self.tuples.append(listed)
        for name, empty in self._empty.items():
            setattr(self, name, grown(getattr(self, name), i + 1, empty))
        for at, thing in enumerate(listed):
            self.items[i, at], self.position[i, thing], self.has[i, thing] = thing, at, True
        self.length[i] = len(listed)
        return i

    def after(self, listings: Array, things: Array, added: bool) -> Array:
        """The listings with the things added at their ends, or taken away."""
        found = (self.added if added else self.removed)[listings, things]
        if found.size and found.min() < 0:
            for k in np.flatnonzero(found < 0):
                old, thing = int(listings[k]), int(things[k])
                new = (*self.tuples[old], thing) if added else tuple(t for t in self.tuples[old] if t != thing)
                number = self.number(new)
                (self.added if added else self.removed)[old, thing] = found[k] = number
        return found


class Tables:
    """The numbers of a house: furniture first, then doors and platforms (the rows of places), then robots."""

    def __init__(self, task: Task, places: Sequence[str], moves: Sequence[tuple[float, float]], things: int):
        setting: Any = task.setting
        self.scene, self.fluents = setting.scene, fluents_of(setting)
        self.robots = [name for name, _ in task.robots]
        self.cards: list[Card] = [card for _, card in task.robots]
        self.names = list(places)
        self.place = {name: i for i, name in enumerate(self.names)}
        self.moves = list(moves)
        self.things, self.none, self.count = things, things - 1, len(self.names)
        self.first_robot = self.count  # the number of the first robot as the place of a thing
        self.listings = Listings(things)
        self._places()
        self._stands()
        self.alike = np.array(
            [[a != b and x.mobility == y.mobility and y.moves for b, y in enumerate(self.cards)]
             for a, x in enumerate(self.cards)]
        )  # fmt: skip
        feet = np.array([c.footprint_m for c in self.cards])
        self.touch_m = feet[:, None] + feet[None, :] - 1e-9
        self.shut: dict[int, int] = {0: 0}  # numbered sets of closed doors, as bits
        self.shut_sets: list[frozenset[str]] = [frozenset()]
        self._poses()

    # -- places ---------------------------------------------------------------------------------------------------
    def _places(self) -> None:
        scene, fluents, count = self.scene, self.fluents, self.count
        pieces = [scene.piece.get(n) for n in self.names]
        platforms = [fluents.platforms.get(n) for n in self.names]
        self.is_piece = np.array([p is not None for p in pieces])
        self.is_platform = np.array([p is not None for p in platforms])
        self.is_door = ~self.is_piece & ~self.is_platform
        self.platforms = np.flatnonzero(self.is_platform)
        self.doors = np.flatnonzero(self.is_door)
        self.opens = np.array([bool(fluents.map.get(("openable", n), False)) for n in self.names])
        self.holds = self.is_piece | self.is_platform  # things can be put there
        # where a thing at a place is seen from; things in hands are seen from nowhere
        part = [self.place[p.on] if p is not None else i for i, p in enumerate(platforms)]
        self.part = np.array(
            [*(-3 if d else i for i, d in zip(part, self.is_door)), *[-3] * len(self.robots)], np.int16
        )
        self.stands_at = np.array(part, np.int16)  # what a robot is at that stands there
        self.closes = np.array([*(self.opens & self.is_piece), *[False] * len(self.robots)])  # shuts things in
        self.board = np.array([*(p is not None and p.kind == "board" for p in platforms), *[False] * len(self.robots)])
        self.capacity = np.array([p.capacity if p is not None else 127 for p in platforms], np.int16)
        self.centres = np.array([self._centre(n) for n in self.names])
        self.spots: dict[tuple[float, float, float], int] = {}
        self.spot_xyz = np.zeros((256, 3))
        most = max((len(p.spots) for p in pieces if p is not None), default=1)
        self.platform_spot = np.zeros((count, max(1, *(p.capacity for p in platforms if p is not None), 1)), np.int16)
        for p in fluents.platforms.values():
            self.platform_spot[self.place[p.name], : p.capacity] = [self.spot(laid(p, n)) for n in range(p.capacity)]
        self.most_spots = most
        for piece in pieces:
            for spot in piece.spots if piece is not None else ():
                self.spot(spot)

    def _centre(self, name: str) -> tuple[float, float]:
        """As learners are told it: the middle of the furniture, or the first stand pose of a door."""
        rect: Any = self.fluents.map.get(("rect", name)) or self.fluents.map.get(
            ("rect", str(self.fluents.map.get(("part_of", name))))
        )
        if rect is None:
            return self.scene.stand_poses[name, f"{STAND}0"]
        return (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2

    def spot(self, spot: tuple[float, float, float]) -> int:
        i = self.spots.setdefault(spot, len(self.spots))
        self.spot_xyz = grown(self.spot_xyz, i + 1, 0.0)
        self.spot_xyz[i] = spot
        return i

    # -- stand poses and ways -------------------------------------------------------------------------------------
    def _stands(self) -> None:
        """Which clause of `navigate` fails for a card at a stand pose whatever else happens; OK: none."""
        self.goals: list[tuple[float, float] | None] = []
        static = np.full((len(self.cards), self.count * STANDS), OK, np.int8)
        for i, name in enumerate(self.names):
            for s in range(STANDS):
                at = i * STANDS + s
                self.goals.append(self.scene.stand_poses.get((name, f"{STAND}{s}")))
                if not self.fluents.map.get(("destination", name), False):
                    static[:, at] = NO_PLACE
                elif self.goals[-1] is None:
                    static[:, at] = NO_STAND
                elif name in self.scene.piece:
                    high = [self.scene.piece[name].surface_m > c.camera_high_m for c in self.cards]
                    static[high, at] = TOO_HIGH
        self.static = static

    def _poses(self) -> None:
        self.pose_number: dict[tuple[float, float], int] = {}
        self.xy = np.zeros((256, 2))
        self.offsets = np.zeros((256, self.count, 2), np.float32)  # of the middles of places, in tens of metres
        self.reaches = np.zeros((len(self.cards), 256, self.count), bool)
        self.beside = np.zeros((256, self.count), bool)  # whether one that was at a place still is, after a move
        self.moved = np.full((256, max(1, len(self.moves))), -1, np.int32)
        self.candidates = np.full((len(self.cards), 256, self.count, self.most_spots), -2, np.int16)
        self.points = len(self.spots) + self.count + 1  # spots, the middles of places, and nowhere
        self.to_point = np.zeros((256, self.points, 2), np.float32)  # in tens of metres
        self.gap = np.zeros((len(self.cards), 256, self.points), np.float32)  # over twice the reach
        self.in_reach = np.ones((len(self.cards), 256, self.points), bool)  # and at a height to work at
        # by card, closed doors and pose: see `ways`
        self.go = [[self._ways_table(self.count * STANDS) for _ in self.shut_sets] for _ in self.cards]
        self.slides = [[self._ways_table(len(self.moves)) for _ in self.shut_sets] for _ in self.cards]
        self.stand_pose = np.array([self.pose(g) if g is not None else 0 for g in self.goals], np.int32)

    def _ways_table(self, size: int) -> Array:
        return np.full((len(self.xy), max(1, size)), NOT_ASKED, np.int8)

    def forget_poses(self, kept: Array) -> Array:
        """Forget all poses but stand poses and some others; the new numbers of those."""
        points = self.xy[kept].tolist()
        self._poses()
        return np.array([self.pose((x, y)) for x, y in points], np.int32)

    def pose(self, p: tuple[float, float]) -> int:
        i = self.pose_number.get(p)
        if i is not None:
            return i
        i = self.pose_number[p] = len(self.pose_number)
        if i >= len(self.xy):
            for name, empty in (("xy", 0.0), ("offsets", 0.0), ("beside", False), ("moved", -1), ("to_point", 0.0)):
                setattr(self, name, grown(getattr(self, name), i + 1, empty))
            size = len(self.xy)
            for name, empty in (("reaches", False), ("candidates", -2), ("gap", 0.0), ("in_reach", True)):  # by card
                setattr(self, name, np.stack([grown(a, size, empty) for a in getattr(self, name)]))
            self.go = [[grown(a, size, NOT_ASKED) for a in row] for row in self.go]
            self.slides = [[grown(a, size, NOT_ASKED) for a in row] for row in self.slides]
        self.xy[i] = p
        self.offsets[i] = np.clip((self.centres - np.array(p)) / 10.0, -1, 1)
        self._points_from(i, p)
        room = self.scene.room_at(p)
        for k, name in enumerate(self.names):
            f, door = self.scene.piece.get(name), self.scene.door.get(name)
            if f is not None:
                self.beside[i, k] = room == f.room and dist(nearest_in(f.rect, p), p) <= BESIDE_M
            elif door is not None:
                self.beside[i, k] = dist(nearest_in(door.rect, p), p) <= BESIDE_M
            for c, card in enumerate(self.cards):
                self.reaches[c, i, k] = self.fluents.distance_to(card, p, name) <= card.reach_m
        return i

    def _points_from(self, i: int, p: tuple[float, float]) -> None:
        """How all spots lie from a pose, and which of them an arm there reaches; as `Card.gap`."""
        spots = len(self.spots)
        xyz = self.spot_xyz[:spots]
        self.to_point[i, :spots] = np.clip((xyz[:, :2] - p) / 10.0, -1, 1)
        self.to_point[i, spots:-1] = self.offsets[i]
        for c, card in enumerate(self.cards):
            high = card.shoulder_m - xyz[:, 2]
            gap = np.sqrt((p[0] - xyz[:, 0]) ** 2 + (p[1] - xyz[:, 1]) ** 2 + high**2)
            self.in_reach[c, i, :spots] = (
                (gap <= card.reach_m) & (xyz[:, 2] >= card.reach_low_m) & (xyz[:, 2] <= card.reach_high_m)
            )
            if card.reach_m:
                self.gap[c, i, :spots] = np.minimum(gap / card.reach_m / 2, 1)

    def closed(self, bits: Array) -> Array:
        """The numbers of sets of closed doors, each given as bits over `doors`."""
        if not bits.any():
            return np.zeros(len(bits), np.int16)
        found, where = np.unique(bits, return_inverse=True)
        numbers = []
        for value in found.tolist():
            if value not in self.shut:
                self.shut[value] = len(self.shut_sets)
                names = [self.names[d] for k, d in enumerate(self.doors) if value >> k & 1]
                self.shut_sets.append(frozenset(names))
                for c in range(len(self.cards)):
                    self.go[c].append(self._ways_table(self.count * STANDS))
                    self.slides[c].append(self._ways_table(len(self.moves)))
            numbers.append(self.shut[value])
        return np.array(numbers, np.int16)[where]

    def ways(self, card: int, shut: int, poses: Array) -> tuple[Array, Array]:
        """For poses, which clause of `navigate` fails on the way to each stand pose, and of each move; OK: none."""
        go, slides = self.go[card][shut], self.slides[card][shut]
        asked = go[poses, 0] == NOT_ASKED
        if asked.any():
            for pose in np.unique(poses[asked]).tolist():
                go[pose], slides[pose] = self._ways_from(card, shut, pose)
        return go, slides

    def _ways_from(self, card: int, shut: int, pose: int) -> tuple[Array, Array]:
        if not self.cards[card].moves:
            return np.full(self.count * STANDS, NO_PATH, np.int8), np.ones(max(1, len(self.moves)), np.int8)
        planner = self.scene.nav(self.cards[card], self.shut_sets[shut])
        p = (float(self.xy[pose, 0]), float(self.xy[pose, 1]))
        free, go = planner.free(p), self.static[card].copy()
        for at, goal in enumerate(self.goals):
            if go[at] == OK and goal is not None and not (free and planner.linked(p, goal)):
                if shut and self.fluents.barrier(self.cards[card], p, goal, self.shut_sets[shut]) is not None:
                    go[at] = SHUT_DOOR
                elif not free:
                    go[at] = START_BLOCKED
                else:
                    go[at] = NO_PATH if planner.free(goal) else GOAL_BLOCKED
        slides = np.ones(max(1, len(self.moves)), np.int8)
        for m, (dx, dy) in enumerate(self.moves):
            if not (abs(dx) <= MOVE_LIMIT_M and abs(dy) <= MOVE_LIMIT_M and math.hypot(dx, dy) <= MOVE_LIMIT_M):
                slides[m] = 0
            elif free:
                slides[m] = OK if planner.grid.straight(p, (p[0] + dx, p[1] + dy)) else 2
        return go, slides

    def after_move(self, poses: Array, moves: Array) -> Array:
        """The poses that small moves lead to."""
        found = self.moved[poses, moves]
        for k in np.flatnonzero(found < 0):
            x, y = self.xy[poses[k]].tolist()
            dx, dy = self.moves[int(moves[k])]
            found[k] = self.pose((x + dx, y + dy))
            self.moved[poses[k], moves[k]] = found[k]
        return found

    def spots_for(self, cards: Array, poses: Array, places: Array) -> Array:
        """The spots of furniture on which a thing can be laid, best first; -1 behind the last."""
        found = self.candidates[cards, poses, places]
        for k in np.flatnonzero(found[:, 0] == -2):
            x, y = self.xy[poses[k]].tolist()
            card, place = self.cards[int(cards[k])], self.names[int(places[k])]
            spots = self.fluents._candidates(card, (x, y), place)
            row = np.full(self.most_spots, -1, np.int16)
            row[: len(spots)] = [self.spot(s) for s in spots]
            found[k] = self.candidates[cards[k], poses[k], places[k]] = row
        return found
