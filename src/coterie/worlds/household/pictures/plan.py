"""A house as its log tells it: rooms, walls, furniture and things, with what follows from that for pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.errors import CoterieError
from coterie.core.records import StartEvent
from coterie.houses.model import FLOOR, Door, Furniture, House, Room, Thing, Wall
from coterie.houses.placement import kinds
from coterie.log.state import State
from coterie.motion import polygons
from coterie.worlds.household.fluents import Box
from coterie.worlds.household.perception import Lying, Scene, Standing
from coterie.worlds.household.tasks.draw import right

Point = tuple[float, float]
WALL_HEIGHT_M, DOOR_HEIGHT_M = 2.5, 2.05  # logs do not tell them
SMALL = (0.12, 0.12, 0.12)  # a thing of a kind that nobody knows


@dataclass(frozen=True)
class Plan:
    """The house of a log. Names of rooms are those that robots use; what kind a room is stands beside."""

    house: House
    cell_m: float

    @classmethod
    def of(cls, start: StartEvent) -> Plan:
        """The house of a log, made once and kept with its first line."""
        kept = start.__dict__.get("_plan")
        if not isinstance(kept, Plan):
            kept = start.__dict__["_plan"] = cls._read(start)
        return kept

    @classmethod
    def _read(cls, start: StartEvent) -> Plan:
        scene = start.scene
        if not scene or not scene.get("rooms") or "walls" not in scene:
            raise CoterieError("This log describes no house, so there is nothing to draw from above.")
        rooms = tuple(
            Room(r["name"], r["kind"], tuple((float(x), float(y)) for x, y in r["polygon"])) for r in scene["rooms"]
        )
        walls = tuple(Wall((a, b), (c, d), WALL_HEIGHT_M) for a, b, c, d in scene["walls"])
        doors = tuple(
            Door(name, (joined[0], joined[1]), (a, b), (c, d), DOOR_HEIGHT_M, bool(is_open))
            for name, joined, is_open, (a, b, c, d) in scene["doors"]
        )
        pieces = tuple(piece_of(f["name"], f["kind"], f["room"], tuple(f["box"])) for f in scene["furniture"])
        things = tuple(_thing(row) for row in start.things)
        wanted = tuple((str(thing), tuple(map(str, places))) for thing, places in scene.get("wanted") or ())
        house = House(str(scene["name"]), rooms, walls, doors, pieces, things, wanted=wanted)
        return cls(house, float(scene.get("cell_m", 0.125)))

    def room_at(self, p: Sequence[float]) -> Room | None:
        at = (float(p[0]), float(p[1]))
        return next((r for r in self.house.rooms if polygons.contains(r.polygon, at)), None)

    def room_of(self, place: str, spot: Sequence[float]) -> Room | None:
        """The room of a thing that lies on a piece or on the floor."""
        piece = self.house.piece.get(place)
        return self.house.room.get(piece.room) if piece is not None else self.room_at(spot) if len(spot) > 1 else None

    def tidy(self, thing: str, place: str, spot: Sequence[float]) -> bool:
        """True if a thing lies where it belongs, by the placement table or the goal."""
        room, there = self.room_of(place, spot), place == FLOOR or place in self.house.piece
        return room is not None and there and right(self.house, self.house.thing[thing], place, room.name)

    # -- the ground in cells ------------------------------------------------------------------------------------------
    @cached_property
    def ground(self) -> tuple[tuple[int, int], NDArray[np.int16]]:
        """Column and row of the first cell of the house, and for every cell the number of its room, -1 outside."""
        x0, y0, x1, y1 = self.house.box
        low = math.floor(x0 / self.cell_m), math.floor(y0 / self.cell_m)
        shape = math.ceil(y1 / self.cell_m) - low[1], math.ceil(x1 / self.cell_m) - low[0]
        xs, ys = (np.arange(n) + 0.5 for n in (shape[1], shape[0]))
        xs, ys = (xs + low[0]) * self.cell_m, (ys + low[1]) * self.cell_m
        found = np.full(shape, -1, np.int16)
        for i, room in enumerate(self.house.rooms):
            found[polygons.mask(room.polygon, xs, ys, 0.0)] = i
        return low, found

    def seen(self, state: State, robots: Sequence[str] | None = None) -> NDArray[np.bool_]:
        """The cells of the ground that some robots know of, all together."""
        low, rooms = self.ground
        found = np.zeros(rooms.shape, bool)
        for name in state.robots if robots is None else robots:
            found |= window(state.robots[name].area, low, found.shape) > 0
        return found

    # -- as a camera would see it -------------------------------------------------------------------------------------
    def scene(self, state: State) -> Scene:
        """The house with everything where it is at a moment."""
        moved: dict[str, Lying | None] = {}
        for name in self.house.thing:
            place, spot = str(state.true.get(("where", name), "")), state.true.get(("spot", name))
            if place in state.robots or not spot:
                moved[name] = None
            else:
                moved[name] = Lying(place, (float(spot[0]), float(spot[1]), float(spot[2])))
        bodies = {}
        for name, robot in state.robots.items():
            if robot.online and robot.pose is not None:
                radius, height = float(robot.card.get("footprint_m", 0.25)), float(robot.card.get("height_m", 1.0))
                bodies[name] = Standing(*robot.pose, radius, height)
        return Scene(self.house, moved, bodies)


def window(area: Any, low: tuple[int, int], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """The part of a known area that lies over some cells."""
    found = np.zeros(shape, np.uint8)
    rows, columns = area.cells.shape
    r, c = area.low[1] - low[1], area.low[0] - low[0]
    r0, r1, c0, c1 = max(r, 0), min(r + rows, shape[0]), max(c, 0), min(c + columns, shape[1])
    if r0 < r1 and c0 < c1:
        found[r0:r1, c0:c1] = area.cells[r0 - r : r1 - r, c0 - c : c1 - c]
    return found


def piece_of(name: str, kind: str, room: str, box: Box) -> Furniture:
    x, y, w, d, top, yaw, surface, base = box
    return Furniture(name, kind, room, (x, y), (w, d, max(top - base, 0.01)), yaw, base, surface > 0, surface)


def _thing(row: Sequence[Any]) -> Thing:
    name, kind, _, on, spot = row
    known = kinds().get(kind)
    x, y, z = (float(v) for v in spot)
    return Thing(name, kind, on, (x, y, z), known.size_m if known is not None else SMALL, 0.0)


def room_words(kind: str) -> str:
    """`living room` for LivingRoom, `tv stand` for TVStand."""
    begins = (i and c.isupper() and not kind[i - 1 : i + 2].isupper() for i, c in enumerate(kind))
    return "".join(f" {c}" if new else c for c, new in zip(kind, begins)).lower()
