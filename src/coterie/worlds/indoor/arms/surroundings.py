"""The surroundings of an arm at work: boxes made of the scene, without any engine.

The scene says how high a piece of furniture is and where its surface lies, and no more. What is added here is the
least an arm has to know: a container that is closed is one block; one that is open has a shelf, and walls around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from coterie.houses.model import WALL_M, Furniture, Rect, Room
from coterie.houses.scene import dist, nearest_in
from coterie.motion import polygons
from coterie.motion.grid import Point
from coterie.worlds.indoor.fluents import Fluents

Corner = tuple[float, float, float]

BOARD_M = 0.02  # thickness of walls and lids of containers
LID_M = 0.4  # containers no higher inside have a lid, a drawer or a rack, and open upwards; higher ones have doors
RIM_M = 0.1  # of a drawer that was pulled out, or a chest whose lid is up
THING_M = (0.04, 0.04, 0.06)  # things have no size of their own: all are this large
LAYER_M = 0.03  # but flat in a stack
ROOM_M = 2.5  # height of the walls of a room


class Box(NamedTuple):
    """A block that an arm may not touch; `of` is what people call it."""

    of: str
    low: Corner
    high: Corner


def furniture_boxes(f: Furniture, is_open: bool) -> list[Box]:
    """A piece of furniture: one block up to its surface, and what rises above that."""
    (x0, y0, x1, y1), top = f.rect, f.top_m
    inner = top - f.surface_m
    if inner <= BOARD_M or (f.opens and not is_open):
        return [Box(f.name, (x0, y0, f.base_m), (x1, y1, max(top, f.surface_m)))]
    boxes = [Box(f.name, (x0, y0, f.base_m), (x1, y1, f.surface_m))]
    with_lid = f.opens and inner <= LID_M + 1e-6
    wall_top = min(top, f.surface_m + RIM_M) if with_lid else top
    boxes += [_wall(f, s, wall_top) for s in _sides(f, with_lid)]
    if not with_lid:
        boxes.append(Box(f.name, (x0, y0, top - BOARD_M), (x1, y1, top)))
    return boxes


def _sides(f: Furniture, with_lid: bool) -> list[int]:
    """The sides that have a wall. Where the doors are the scene does not say: where one can stand, one can reach in."""
    return [s for s in range(4) if with_lid or not any(_faces(f.rect, p) == s for p in f.stands)]


def _faces(rect: Rect, p: Point) -> int:
    """The side a point lies at: 0 left, 1 below, 2 right, 3 above."""
    beyond = (rect[0] - p[0], rect[1] - p[1], p[0] - rect[2], p[1] - rect[3])
    return max(range(4), key=lambda s: beyond[s])


def _wall(f: Furniture, side: int, top: float) -> Box:
    low, high = [f.rect[0], f.rect[1]], [f.rect[2], f.rect[3]]
    axis = side % 2
    if side < 2:
        high[axis] = low[axis] + BOARD_M
    else:
        low[axis] = high[axis] - BOARD_M
    return Box(f.name, (low[0], low[1], f.surface_m), (high[0], high[1], top))


def thing_box(name: str, spot: Corner, height: float) -> Box:
    half_x, half_y = THING_M[0] / 2, THING_M[1] / 2
    x, y, z = spot
    return Box(name, (x - half_x, y - half_y, z), (x + half_x, y + half_y, z + height))


def room_boxes(room: Room, pose: Point, clear: float) -> Iterator[Box]:
    """The walls of a room, doorways included: nobody reaches through them. A robot in a doorway has no wall there."""
    if not room.is_rect:
        yield from _slanted(room, pose, clear)
        return
    x0, y0, x1, y1 = room.rect
    for low, high in (
        ((x0, y0), (x0 + WALL_M, y1)),
        ((x0, y0), (x1, y0 + WALL_M)),
        ((x1 - WALL_M, y0), (x1, y1)),
        ((x0, y1 - WALL_M), (x1, y1)),
    ):
        if dist(nearest_in((*low, *high), pose), pose) > clear:
            yield Box("the wall", (*low, 0.0), (*high, ROOM_M))


def _slanted(room: Room, pose: Point, clear: float) -> Iterator[Box]:
    """Walls of any direction, as short blocks along them."""
    for a, b in polygons.edges(room.polygon):
        count = max(1, round(dist(a, b) / WALL_M))
        for k in range(count):
            x, y = (a[i] + (b[i] - a[i]) * (k + 0.5) / count for i in (0, 1))
            half = WALL_M
            low, high = (x - half, y - half), (x + half, y + half)
            if dist(nearest_in((*low, *high), pose), pose) > clear:
                yield Box("the wall", (*low, 0.0), (*high, ROOM_M))


def around(
    fluents: Fluents, truth: Mapping[tuple[str, ...], Any], pose: Point, reach: float, footprint: float, but: str
) -> tuple[Box, ...]:
    """Furniture, walls and things that an arm at `pose` could touch, without the thing it is about."""
    boxes: list[Box] = []
    scene = fluents.scene
    for f in scene.furniture:
        if dist(nearest_in(f.rect, pose), pose) < reach:
            boxes += furniture_boxes(f, bool(truth.get(("open", f.name))))
    name = scene.room_at(pose)
    for room in scene.rooms:
        if room.name == name:
            boxes += [b for b in room_boxes(room, pose, footprint / 2) if _near(b, pose, reach)]
    boxes += sorted(_things(fluents, truth, pose, reach, but))
    return tuple(boxes)


def _things(
    fluents: Fluents, truth: Mapping[tuple[str, ...], Any], pose: Point, reach: float, but: str
) -> Iterator[Box]:
    """Things that lie about. Those in closed containers are behind walls, and those in hands with their robots."""
    for key, place in truth.items():
        if key[0] != "where" or key[1] == but:
            continue
        furniture = fluents.furniture_of(place)  # what lies in a caddy is no obstacle of its own
        if furniture is None or (place == furniture and truth.get(("open", place)) is False):
            continue
        spot = truth["spot", key[1]]
        if dist((spot[0], spot[1]), pose) < reach:
            yield thing_box("a thing beside it", spot, thing_height(fluents, place))


def thing_height(fluents: Fluents, place: object) -> float:
    """How high a thing is at a place."""
    platform = fluents.platforms.get(place) if isinstance(place, str) else None
    return LAYER_M if platform is not None and platform.kind == "board" else THING_M[2]


def _near(box: Box, pose: Point, reach: float) -> bool:
    return dist(nearest_in((*box.low[:2], *box.high[:2]), pose), pose) < reach
