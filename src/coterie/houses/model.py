"""A house as data: rooms, walls, doors, furniture and things. Metres; x and y on the floor, z up.

ProcTHOR's JSON (`procthor/load.py`) and our TOML (`toml.py`) are read into it, generators fill it in, and worlds derive
from it what they need: path planners and stand poses (`scene.py`), cells and steps (`floor.py`, `lattice.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from math import cos, radians, sin

from coterie.core.frozen import frozen
from coterie.motion import polygons

Point = tuple[float, float]
Rect = tuple[float, float, float, float]  # x0, y0, x1, y1
Spot = tuple[float, float, float]

FLOOR = "floor"  # where a thing lies that is on no piece of furniture
PERSON = "person"  # the kind of a person who stands in the house and takes what is brought
ROOM_KINDS = ("Kitchen", "LivingRoom", "Bedroom", "Bathroom")  # those that the placement table knows
WALL_M = 0.1  # half the thickness of a wall
WALL_HEIGHT_M, DOOR_HEIGHT_M = 2.7, 2.1  # where a file gives none
SPOT_M = 0.16  # between things on a piece of furniture
EDGE_M = 0.08  # between things and its edge
SQUARE_DEG = 1.0  # furniture that is turned by less than this stands along x and y


def meet(a: Rect, b: Rect, gap: float = 0.0) -> bool:
    """True if two rectangles overlap, or are nearer to each other than a gap; a negative one lets them touch."""
    return a[0] < b[2] + gap and b[0] < a[2] + gap and a[1] < b[3] + gap and b[1] < a[3] + gap


def rect_corners(rect: Rect) -> tuple[Point, ...]:
    x0, y0, x1, y1 = rect
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


@frozen
class Room:
    name: str  # unique in the house: "kitchen_0"
    kind: str
    polygon: tuple[Point, ...]  # its corners in turn

    @cached_property
    def rect(self) -> Rect:
        """The box around it."""
        return polygons.bounds(self.polygon)

    @cached_property
    def is_rect(self) -> bool:
        return len(self.polygon) == 4 and set(self.polygon) == set(rect_corners(self.rect))

    def contains(self, p: Point) -> bool:
        x0, y0, x1, y1 = self.rect
        return x0 <= p[0] <= x1 and y0 <= p[1] <= y1 and (self.is_rect or polygons.contains(self.polygon, p))

    def wall_at(self, p: Point) -> tuple[Point, Point] | None:
        """The side of the room that a point lies on."""
        gap, a, b = min((polygons.to_segment(p, a, b), a, b) for a, b in polygons.edges(self.polygon))
        return (a, b) if gap <= 0.02 else None


@frozen
class Wall:
    """A straight piece of wall without openings: where a door or a passage is, there is no wall."""

    a: Point
    b: Point
    height_m: float


@frozen
class Door:
    """An opening between two rooms. One without a leaf, or with an open one, lets robots and glances through."""

    name: str
    rooms: tuple[str, str]  # the second is "" where it leads outside
    a: Point  # where it begins and ends in the wall
    b: Point
    height_m: float = DOOR_HEIGHT_M
    open: bool = True
    swings: bool = True  # False: an opening without a door leaf

    @cached_property
    def at(self) -> Point:
        return round((self.a[0] + self.b[0]) / 2, 6), round((self.a[1] + self.b[1]) / 2, 6)

    @cached_property
    def width_m(self) -> float:
        return round(math.dist(self.a, self.b), 6)

    @cached_property
    def along(self) -> Point:
        """The direction of its wall, of length 1, towards larger x (or y, where it runs along y)."""
        return direction(self.a, self.b)

    @cached_property
    def hole(self) -> tuple[Point, ...]:
        """The corners of the hole it leaves in a slanting wall; () where `rect` is that hole."""
        ux, uy = self.along
        if 0.0 in (ux, uy):
            return ()
        half, deep, (x, y) = self.width_m / 2, WALL_M + 0.06, self.at
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return tuple((x + i * half * ux - j * deep * uy, y + i * half * uy + j * deep * ux) for i, j in signs)

    @cached_property
    def rect(self) -> Rect:
        """The hole it leaves in the wall between its two rooms; in a slanting wall, the box around it."""
        if self.hole:
            return polygons.bounds(self.hole)
        half, deep, (x, y) = self.width_m / 2, WALL_M + 0.06, self.at
        dx, dy = (deep, half) if self.along[0] == 0.0 else (half, deep)
        return x - dx, y - dy, x + dx, y + dy


def direction(a: Point, b: Point) -> Point:
    """Of the line through two points, of length 1, towards larger x (or y, where it runs along y)."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy) * (-1 if dx < -1e-9 or (abs(dx) <= 1e-9 and dy < 0) else 1)
    return (dx / length if abs(dx) > 1e-9 else 0.0, dy / length if abs(dy) > 1e-9 else 0.0)


def door_in_wall(
    name: str, one: Room, two: Room, at: Point, width_m: float = 0.9, is_open: bool = True, swings: bool = True
) -> Door:
    """A door by its middle, which lies where two rooms meet."""
    wall = one.wall_at(at) or two.wall_at(at)
    if one.is_rect and two.is_rect:  # a corner lies on two sides: the one that both share
        upright = abs(one.rect[2] - two.rect[0]) < 0.05 or abs(two.rect[2] - one.rect[0]) < 0.05
        ux, uy = (0.0, 1.0) if upright else (1.0, 0.0)
    else:
        ux, uy = direction(*wall) if wall is not None else (1.0, 0.0)
    (x, y), half = at, width_m / 2
    a, b = (x - half * ux, y - half * uy), (x + half * ux, y + half * uy)
    return Door(name, (one.name, two.name), a, b, DOOR_HEIGHT_M, is_open, swings)


@frozen
class Furniture:
    """A piece of furniture: an upright box, turned about its middle. Things may lie on receptacles."""

    name: str  # unique: "dining_table_0"
    kind: str
    room: str
    centre: Point
    size: tuple[float, float, float]  # along its own x and y, and its height
    yaw_deg: float = 0.0
    base_m: float = 0.0  # of its underside; above 0 it hangs on the wall or stands on something
    receptacle: bool = False  # False: robots go round it, and nothing lies there
    surface_m: float = 0.0  # the height at which things lie on it
    opens: bool = False
    open: bool = False
    stands: tuple[Point, ...] = ()  # where robots stand to use it; () before they are computed
    covers: Rect | None = None  # its rectangle to the last bit, where it was described by that

    @property
    def person(self) -> bool:
        return self.kind == PERSON

    @cached_property
    def top_m(self) -> float:
        """Of the whole body, which may be higher than the surface (a fridge)."""
        return round(self.base_m + self.size[2], 6)

    @cached_property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Its outline on the floor, counter-clockwise."""
        c, s = cos(radians(self.yaw_deg)), sin(radians(self.yaw_deg))
        (x, y), (w, d) = self.centre, (self.size[0] / 2, self.size[1] / 2)
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        a, b, e, f = ((x + i * w * c - j * d * s, y + i * w * s + j * d * c) for i, j in signs)
        return a, b, e, f

    @cached_property
    def square(self) -> bool:
        """True if it stands along x and y."""
        return abs((self.yaw_deg + 45.0) % 90.0 - 45.0) < SQUARE_DEG

    @cached_property
    def rect(self) -> Rect:
        """The box around it, which is its outline where it stands along x and y."""
        if self.covers is not None:
            return self.covers
        (x, y), (w, d) = self.centre, self.size[:2]
        if not self.square:
            x0, y0, x1, y1 = polygons.bounds(self.corners)
        else:
            w, d = (d / 2, w / 2) if round(self.yaw_deg / 90.0) % 2 else (w / 2, d / 2)
            x0, y0, x1, y1 = x - w, y - d, x + w, y + d
        return round(x0, 6), round(y0, 6), round(x1, 6), round(y1, 6)

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Where things may lie: a raster over the surface."""
        x0, y0, x1, y1 = self.rect
        nx = max(1, int((x1 - x0 - 2 * EDGE_M) / SPOT_M) + 1)
        ny = max(1, int((y1 - y0 - 2 * EDGE_M) / SPOT_M) + 1)
        ox = (x1 - x0 - (nx - 1) * SPOT_M) / 2
        oy = (y1 - y0 - (ny - 1) * SPOT_M) / 2
        found = tuple(
            (round(x0 + ox + i * SPOT_M, 3), round(y0 + oy + j * SPOT_M, 3), self.surface_m)
            for j in range(ny)
            for i in range(nx)
        )
        return found if self.square else tuple(s for s in found if polygons.contains(self.corners, s[:2]))


def furniture_on(
    name: str,
    kind: str,
    room: str,
    rect: Rect,
    surface_m: float,
    base_m: float = 0.0,
    top_m: float | None = None,
    *,
    opens: bool = False,
    is_open: bool = False,
    stands: tuple[Point, ...] = (),
    receptacle: bool = True,
) -> Furniture:
    """Furniture that stands along x and y, by the rectangle that it covers; `top_m` where it is above the surface."""
    x0, y0, x1, y1 = rect
    top = max(surface_m, base_m) if top_m is None else top_m
    size = (round(x1 - x0, 6), round(y1 - y0, 6), round(top - base_m, 6))
    centre = (x0 + x1) / 2, (y0 + y1) / 2
    return Furniture(name, kind, room, centre, size, 0.0, base_m, receptacle, surface_m, opens, is_open, stands, rect)


@frozen
class Thing:
    """Something that can be carried."""

    name: str  # unique: "mug_0"
    kind: str  # ProcTHOR's type: "Mug"
    on: str  # a piece of furniture, or FLOOR
    spot: Spot  # the middle of its underside
    size: tuple[float, float, float]
    mass_kg: float


@frozen
class Work:
    """The work table: where the fixed arm stands, and where the tray, panels or board lie."""

    table: str
    arm: Point
    platform: Point


@frozen
class House:
    name: str
    rooms: tuple[Room, ...]
    walls: tuple[Wall, ...]
    doors: tuple[Door, ...]
    furniture: tuple[Furniture, ...]
    things: tuple[Thing, ...] = ()
    start: Point | None = None  # where the file puts its agent
    notes: tuple[str, ...] = ()  # what was repaired or left out, each in a sentence
    moved: Point = (0.0, 0.0)  # all of it against the file, so that the usual steps of robots fit its doorways
    work: Work | None = None  # None: no table for a fixed arm
    split: str = "test"
    tray: str = "tray"  # what the container of packing tasks is called here
    wanted: tuple[tuple[str, tuple[str, ...]], ...] = ()  # where a task wants things, whatever belongs where

    @cached_property
    def piece(self) -> dict[str, Furniture]:
        return {f.name: f for f in self.furniture}

    @cached_property
    def thing(self) -> dict[str, Thing]:
        return {t.name: t for t in self.things}

    @cached_property
    def homes(self) -> dict[str, tuple[str, ...]]:
        """Where a task wants each thing: pieces, and rooms as `floor@room_1`, the first."""
        return dict(self.wanted)

    @cached_property
    def room(self) -> dict[str, Room]:
        return {r.name: r for r in self.rooms}

    @cached_property
    def door(self) -> dict[str, Door]:
        return {d.name: d for d in self.doors}

    @cached_property
    def box(self) -> Rect:
        """The box around all rooms."""
        return polygons.bounds([p for room in self.rooms for p in room.polygon])

    def room_at(self, p: Point) -> str | None:
        return next((room.name for room in self.rooms if room.contains(p)), None)


MOST_SPOTS = 10  # to either side of the middle, at least 5 cm apart


def width_of(thing: Thing) -> float:
    """Of the round place that a thing takes up: a little of it may stick out."""
    return 0.8 * max(thing.size[:2])


def has_room(piece: Furniture, thing: Thing, lying: Iterable[tuple[Thing, Point]]) -> bool:
    """True if there is a place on a piece for a thing, beside those that lie there already."""
    return next(spots_on(piece, thing, lying), None) is not None


def spots_on(piece: Furniture, thing: Thing, lying: Iterable[tuple[Thing, Point]]) -> Iterator[Point]:
    """All such places."""
    width = width_of(thing)
    taken = [(x, y, (width + width_of(other)) / 2) for other, (x, y) in lying]
    c, s = math.cos(math.radians(piece.yaw_deg)), math.sin(math.radians(piece.yaw_deg))
    for u in _across(piece.size[0], width):
        for v in _across(piece.size[1], width):
            x, y = piece.centre[0] + u * c - v * s, piece.centre[1] + u * s + v * c
            if all(math.hypot(x - tx, y - ty) >= apart for tx, ty, apart in taken):
                yield x, y


def _across(size: float, width: float) -> list[float]:
    """Places along one side of a surface, the middle among them; one where there is room for one only."""
    room = max(0.0, (size - width) / 2)
    count = min(MOST_SPOTS, int(room / 0.05))
    return [room * i / count for i in range(-count, count + 1)] if count else [0.0]
