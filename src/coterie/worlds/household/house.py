"""A house as data: rooms, walls, doors, pieces of furniture and things. Metres; x and y on the floor, z up.

It is read from a file in ProcTHOR's JSON (`load.py`), or from one that the generator writes in the same format
(`generate.py`). Everybody else reads this: the floor plan of cells (`floor.py`), the world, cameras and pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import cos, radians, sin

Point = tuple[float, float]

FLOOR = "floor"  # where a thing lies that is on no piece of furniture
ROOM_KINDS = ("Kitchen", "LivingRoom", "Bedroom", "Bathroom")


@dataclass(frozen=True)
class Room:
    name: str  # unique in the house: "kitchen_0"
    kind: str  # one of ROOM_KINDS
    polygon: tuple[Point, ...]


@dataclass(frozen=True)
class Wall:
    """A straight piece of wall without openings: where a door or a passage is, there is no wall."""

    a: Point
    b: Point
    height_m: float


@dataclass(frozen=True)
class Door:
    """An opening between two rooms. One without a leaf, or with an open one, lets robots and glances through."""

    name: str
    rooms: tuple[str, str]  # the second is "" where it leads outside
    a: Point
    b: Point
    height_m: float
    open: bool = True


@dataclass(frozen=True)
class Piece:
    """A piece of furniture: an upright box, turned about its middle. Things may lie on receptacles."""

    name: str  # unique: "dining_table_0"
    kind: str  # ProcTHOR's type: "DiningTable"
    room: str
    centre: Point
    size: tuple[float, float, float]  # along its own x and y, and its height
    yaw_deg: float = 0.0
    base_m: float = 0.0  # the height of its underside above the floor
    receptacle: bool = False
    surface_m: float = 0.0  # the height at which things lie on it

    @cached_property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Its outline on the floor, counter-clockwise."""
        c, s = cos(radians(self.yaw_deg)), sin(radians(self.yaw_deg))
        (x, y), (w, d) = self.centre, (self.size[0] / 2, self.size[1] / 2)
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        a, b, e, f = ((x + i * w * c - j * d * s, y + i * w * s + j * d * c) for i, j in signs)
        return a, b, e, f


@dataclass(frozen=True)
class Thing:
    """Something that can be carried."""

    name: str  # unique: "mug_0"
    kind: str  # ProcTHOR's type: "Mug"
    on: str  # a piece, or FLOOR
    spot: tuple[float, float, float]  # the middle of its underside
    size: tuple[float, float, float]
    mass_kg: float


@dataclass(frozen=True)
class House:
    name: str
    rooms: tuple[Room, ...]
    walls: tuple[Wall, ...]
    doors: tuple[Door, ...]
    pieces: tuple[Piece, ...]
    things: tuple[Thing, ...]
    start: Point | None = None  # where the file puts its agent
    told: tuple[str, ...] = ()  # what was mended or left out, each in a sentence
    moved: Point = (0.0, 0.0)  # all of it against the file, so that the usual steps of robots fit its doorways

    @cached_property
    def piece(self) -> dict[str, Piece]:
        return {p.name: p for p in self.pieces}

    @cached_property
    def thing(self) -> dict[str, Thing]:
        return {t.name: t for t in self.things}

    @cached_property
    def room(self) -> dict[str, Room]:
        return {r.name: r for r in self.rooms}
