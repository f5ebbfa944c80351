"""The data an indoor world starts from: rooms, doors, furniture, platforms and things, and the maps made of them."""

from __future__ import annotations

import heapq
import math
from dataclasses import field
from functools import cached_property
from typing import Any

from coterie.core.card import Card
from coterie.core.frozen import frozen
from coterie.motion import polygons
from coterie.motion.grid import Grid, Planner, Point

Rect = tuple[float, float, float, float]  # x0, y0, x1, y1 [m]

WALL_M = 0.1  # half the thickness of a wall
STAND_GAP_M = 0.4  # from the edge of a piece of furniture to where a robot stands
SPOT_M = 0.16  # things keep this distance
PERSON = "person"  # the kind of somebody who stands in the house and takes what is brought
STAND_RADIUS_M = 0.25  # stand poses are free for bodies of this radius


def dist(a: Point, b: Point) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def nearest_in(rect: Rect, p: Point) -> Point:
    return (min(max(p[0], rect[0]), rect[2]), min(max(p[1], rect[1]), rect[3]))


@frozen
class Room:
    """A room: a rectangle, or a polygon within one."""

    name: str
    kind: str
    rect: Rect  # of a polygon, the box around it
    polygon: tuple[Point, ...] = ()  # its corners in turn, where it is not the rectangle itself

    @property
    def corners(self) -> tuple[Point, ...]:
        x0, y0, x1, y1 = self.rect
        return self.polygon or ((x0, y0), (x1, y0), (x1, y1), (x0, y1))

    def contains(self, p: Point) -> bool:
        x0, y0, x1, y1 = self.rect
        return x0 <= p[0] <= x1 and y0 <= p[1] <= y1 and (not self.polygon or polygons.contains(self.polygon, p))

    def wall_at(self, p: Point) -> tuple[Point, Point] | None:
        """The side that a point lies on."""
        near = [(polygons.to_segment(p, a, b), a, b) for a, b in polygons.edges(self.corners)]
        gap, a, b = min(near)
        return (a, b) if gap <= 0.02 else None


@frozen
class Door:
    """A hole in the wall between two rooms, open or closed."""

    name: str
    rooms: tuple[str, str]
    at: Point
    width_m: float = 0.9
    open: bool = True
    swings: bool = True  # False: an opening without a door leaf


@frozen
class Furniture:
    """A piece of furniture: its box, its surfaces, and where one stands to use it."""

    name: str
    kind: str
    room: str
    rect: Rect
    height_m: float  # of the surface things lie on
    base_m: float = 0.0  # of its underside; above 0 it hangs on the wall and robots pass below
    opens: bool = False
    open: bool = False
    top_m: float | None = None  # of the whole body, if it is higher than the surface (a fridge)
    stands: tuple[Point, ...] = ()
    obstacle: bool = False  # robots go round it, and nothing lies there

    @property
    def person(self) -> bool:
        return self.kind == PERSON

    @property
    def body_top_m(self) -> float:
        return self.top_m if self.top_m is not None else self.height_m

    @property
    def centre(self) -> Point:
        return ((self.rect[0] + self.rect[2]) / 2, (self.rect[1] + self.rect[3]) / 2)

    @cached_property
    def spots(self) -> tuple[tuple[float, float, float], ...]:
        """Where things may lie: a raster over the surface."""
        x0, y0, x1, y1 = self.rect
        margin = 0.08
        nx = max(1, int((x1 - x0 - 2 * margin) / SPOT_M) + 1)
        ny = max(1, int((y1 - y0 - 2 * margin) / SPOT_M) + 1)
        ox = (x1 - x0 - (nx - 1) * SPOT_M) / 2
        oy = (y1 - y0 - (ny - 1) * SPOT_M) / 2
        return tuple(
            (round(x0 + ox + i * SPOT_M, 3), round(y0 + oy + j * SPOT_M, 3), self.height_m)
            for j in range(ny)
            for i in range(nx)
        )


@frozen
class Work:
    """The work table: where the fixed arm stands, and where the tray, panels or board lie."""

    table: str
    arm: Point
    platform: Point


@frozen
class Platform:
    """Something on the work table that things are put on or into."""

    name: str
    kind: str  # "tray", "panel", "board"
    on: str
    centre: Point
    height_m: float
    capacity: int
    colour: str = ""


@frozen
class Thing:
    """Something that robots carry."""

    name: str
    kind: str
    mass_kg: float = 0.2
    colour: str = ""
    shape: str = ""
    holds: int = 0  # how many things can lie in it: a caddy or a tray that is carried


def stand_names(furniture: Furniture) -> tuple[str, ...]:
    return tuple(f"stand_pose_{i}" for i in range(len(furniture.stands)))


@frozen
class Scene:
    """A house with its furniture, and the ways through it."""

    name: str
    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    furniture: tuple[Furniture, ...]
    work: Work | None  # None: no table for a fixed arm
    split: str = "test"
    tray: str = "tray"  # what the container of packing tasks is called here
    _nav: dict[tuple[object, ...], Planner] = field(default_factory=dict, compare=False, repr=False, hash=False)
    fluents: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False, hash=False)  # by platforms
    _between: dict[Any, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False, hash=False)
    begin: dict[Any, tuple[Point, ...]] = field(default_factory=dict, compare=False, repr=False, hash=False)
    in_the_way: dict[Point, bool] = field(default_factory=dict, compare=False, repr=False, hash=False)  # of cells

    @cached_property
    def by_name(self) -> dict[str, Furniture]:
        return {f.name: f for f in self.furniture}

    @cached_property
    def places(self) -> tuple[Furniture, ...]:
        """Furniture and people that things can be with: all but mere obstacles."""
        return tuple(f for f in self.furniture if not f.obstacle)

    @cached_property
    def room_by_name(self) -> dict[str, Room]:
        return {r.name: r for r in self.rooms}

    @property
    def work_table(self) -> str | None:
        return self.work.table if self.work is not None else None

    @cached_property
    def door_by_name(self) -> dict[str, Door]:
        return {d.name: d for d in self.doors}

    @cached_property
    def bounds(self) -> tuple[Point, Point]:
        rects = [r.rect for r in self.rooms]
        low = (min(r[0] for r in rects) - 0.2, min(r[1] for r in rects) - 0.2)
        high = (max(r[2] for r in rects) + 0.2, max(r[3] for r in rects) + 0.2)
        return low, high

    @cached_property
    def stand_poses(self) -> dict[tuple[str, str], Point]:
        """Where robots stand: beside furniture, and on both sides of every door that swings."""
        poses = {(f.name, s): p for f in self.furniture for s, p in zip(stand_names(f), f.stands)}
        for door in self.doors:
            if door.swings:
                along = self.door_along(door)
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

    def room_at(self, p: Point) -> str | None:
        return next((room.name for room in self.rooms if room.contains(p)), None)

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

    def door_along(self, door: Door) -> Point:
        """The direction of the wall a door is in, of length 1, towards larger x (or y, where it runs along y)."""
        a, b = (self.room_by_name[n] for n in door.rooms)
        if not a.polygon and not b.polygon:
            vertical = abs(a.rect[2] - b.rect[0]) < 0.05 or abs(b.rect[2] - a.rect[0]) < 0.05
            return (0.0, 1.0) if vertical else (1.0, 0.0)
        wall = a.wall_at(door.at) or b.wall_at(door.at)
        if wall is None:
            return (1.0, 0.0)
        dx, dy = wall[1][0] - wall[0][0], wall[1][1] - wall[0][1]
        length = math.hypot(dx, dy) * (-1 if dx < -1e-9 or (abs(dx) <= 1e-9 and dy < 0) else 1)
        return (dx / length if abs(dx) > 1e-9 else 0.0, dy / length if abs(dy) > 1e-9 else 0.0)

    def door_hole(self, door: Door) -> tuple[Point, ...]:
        """The corners of the hole a door leaves in a slanting wall; () where `door_rect` is that hole."""
        ux, uy = self.door_along(door)
        if 0.0 in (ux, uy):
            return ()
        half, deep = door.width_m / 2, WALL_M + 0.06
        x, y = door.at
        return tuple(
            (x + a * half * ux - b * deep * uy, y + a * half * uy + b * deep * ux)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )

    def door_rect(self, door: Door) -> Rect:
        """The hole a door leaves in the wall between its two rooms; in a slanting wall, the box around it."""
        hole = self.door_hole(door)
        if hole:
            return polygons.bounds(hole)
        half, deep = door.width_m / 2, WALL_M + 0.06
        x, y = door.at
        vertical = self.door_along(door)[0] == 0.0
        return (x - deep, y - half, x + deep, y + half) if vertical else (x - half, y - deep, x + half, y + deep)

    def floor(
        self,
        height_low_m: float,
        height_high_m: float,
        closed: frozenset[str] = frozenset(),
        rooms: frozenset[str] = frozenset(),
    ) -> Grid:
        """What is free for a body that fills these heights, before inflation; `rooms` are those it may not enter."""
        grid = Grid(*self.bounds)
        for room in self.rooms:
            if room.name in rooms:
                continue
            if room.polygon:
                grid.fill_polygon(room.polygon, False, WALL_M)
                continue
            x0, y0, x1, y1 = room.rect
            grid.fill((x0 + WALL_M, y0 + WALL_M, x1 - WALL_M, y1 - WALL_M), False)
        for door in self.doors:
            if door.name not in closed:
                hole = self.door_hole(door)
                if hole:
                    grid.fill_polygon(hole, False)
                else:
                    grid.fill(self.door_rect(door), False)
        for f in self.furniture:
            if f.base_m < height_high_m and f.body_top_m > height_low_m:
                grid.fill(f.rect, True)
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


@frozen
class Setting:
    """A scene with the platforms of a task on its work table and things in their first places."""

    scene: Scene
    platforms: tuple[Platform, ...]
    things: tuple[tuple[Thing, str, tuple[float, float, float]], ...]  # (thing, place, spot)
    starts: tuple[tuple[str, Point], ...] = ()  # where mobile robots begin; by default beside the work table

    @cached_property
    def holders(self) -> tuple[tuple[str, int], ...]:
        """Things that hold things, and how many each."""
        return tuple((t.name, t.holds) for t, _, _ in self.things if t.holds)
