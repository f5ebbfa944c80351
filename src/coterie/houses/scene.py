"""A house as robots walk and fly through it: stand poses, doors on the way, and path planners, kept with it."""

from __future__ import annotations

import heapq
import math
from dataclasses import field, fields
from functools import cached_property
from typing import Any

from coterie.core.card import Card
from coterie.core.frozen import frozen
from coterie.houses.model import WALL_M, Furniture, House, Point, Rect
from coterie.motion.grid import Grid, Planner


def dist(a: Point, b: Point) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def nearest_in(rect: Rect, p: Point) -> Point:
    return (min(max(p[0], rect[0]), rect[2]), min(max(p[1], rect[1]), rect[3]))


def stand_names(furniture: Furniture) -> tuple[str, ...]:
    return tuple(f"stand_pose_{i}" for i in range(len(furniture.stands)))


@frozen
class Scene(House):
    """A house with the ways through it."""

    _nav: dict[tuple[object, ...], Planner] = field(default_factory=dict, compare=False, repr=False, hash=False)
    fluents: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False, hash=False)  # by platforms
    _between: dict[Any, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False, hash=False)
    begin: dict[Any, tuple[Point, ...]] = field(default_factory=dict, compare=False, repr=False, hash=False)
    in_the_way: dict[Point, bool] = field(default_factory=dict, compare=False, repr=False, hash=False)  # of cells

    @classmethod
    def of(cls, house: House) -> Scene:
        return cls(*(getattr(house, f.name) for f in fields(House)))

    @cached_property
    def places(self) -> tuple[Furniture, ...]:
        """Furniture and people that things can be with: all but mere obstacles."""
        return tuple(f for f in self.furniture if f.receptacle)

    @property
    def work_table(self) -> str | None:
        return self.work.table if self.work is not None else None

    @cached_property
    def bounds(self) -> tuple[Point, Point]:
        x0, y0, x1, y1 = self.box
        return (x0 - 0.2, y0 - 0.2), (x1 + 0.2, y1 + 0.2)

    @cached_property
    def stand_poses(self) -> dict[tuple[str, str], Point]:
        """Where robots stand: beside furniture, and on both sides of every door that swings."""
        poses = {(f.name, s): p for f in self.furniture for s, p in zip(stand_names(f), f.stands)}
        for door in self.doors:
            if door.swings:
                along = door.along
                across = (round(0.55 * abs(along[1]), 9), round(0.55 * along[0] * (-1 if along[1] > 0 else 1), 9))
                for i, sign in enumerate((-1, 1)):
                    p = (round(door.at[0] + sign * across[0], 3), round(door.at[1] + sign * across[1], 3))
                    poses[door.name, f"stand_pose_{i}"] = p
        return poses

    @cached_property
    def stands_of(self) -> dict[str, list[str]]:
        """The names of the stand poses of every piece of furniture and every door."""
        found: dict[str, list[str]] = {}
        for name, stand in self.stand_poses:
            found.setdefault(name, []).append(stand)
        return found

    def doors_between(self, start: Point, goal: Point) -> tuple[str, ...]:
        """The doors and openings on the shortest way from room to room, in their order; () within a room."""
        first, last = self.room_at(start), self.room_at(goal)
        key = (start, last)
        if key not in self._between:
            best: dict[str, tuple[float, tuple[str, ...]]] = {first or "": (0.0, ())}
            heap: list[tuple[float, tuple[str, ...], str, Point]] = [(0.0, (), first or "", start)]
            while heap:
                far, way, room, here = heapq.heappop(heap)
                for door in self.doors:
                    if room not in door.rooms or door.name in way:
                        continue
                    other = door.rooms[door.rooms[0] == room]
                    further = far + dist(here, door.at)
                    if further < best.get(other, (math.inf, ()))[0]:
                        best[other] = (further, (*way, door.name))
                        heapq.heappush(heap, (further, (*way, door.name), other, door.at))
            if len(self._between) > 5000:
                self._between.clear()
            for room, (_, way) in best.items():
                self._between[start, room] = way
            self._between.setdefault(key, ())
        return self._between[key]

    def floor(
        self,
        height_low_m: float,
        height_high_m: float,
        closed: frozenset[str] = frozenset(),
        rooms: frozenset[str] = frozenset(),
    ) -> Grid:
        """Free floor for a body that fills these heights, before inflation; `rooms` are those it may not enter."""
        grid = Grid(*self.bounds)
        for room in self.rooms:
            if room.name in rooms:
                continue
            if not room.is_rect:
                grid.fill_polygon(room.polygon, False, WALL_M)
                continue
            x0, y0, x1, y1 = room.rect
            grid.fill((x0 + WALL_M, y0 + WALL_M, x1 - WALL_M, y1 - WALL_M), False)
        for door in self.doors:
            if door.name not in closed:
                if door.hole:
                    grid.fill_polygon(door.hole, False)
                else:
                    grid.fill(door.rect, False)
        for f in self.furniture:
            if f.base_m < height_high_m and f.top_m > height_low_m:
                if f.square:
                    grid.fill(f.rect, True)
                else:
                    grid.fill_polygon(f.corners, True)
        return grid

    def nav(self, card: Card, closed: frozenset[str] = frozenset(), rooms: frozenset[str] = frozenset()) -> Planner:
        """The path planner for a body, kept for the life of the scene."""
        if card.mobility == "air":
            low, high = card.height_m - 0.1, card.height_m + 0.2
        else:
            low, high = 0.0, card.height_m
        key = (low, high, card.footprint_m, closed, rooms)
        planner = self._nav.get(key)
        if planner is None:
            planner = self._nav[key] = Planner(self.floor(low, high, closed, rooms).inflate(card.footprint_m))
        return planner

    @cached_property
    def closed_doors(self) -> frozenset[str]:
        return frozenset(d.name for d in self.doors if not d.open)
