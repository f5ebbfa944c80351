"""The ground and what stands on it: floors, cells, walls, doors, fixtures, items, and what is closed to whom."""

from __future__ import annotations

import math
import string
from collections.abc import Iterator
from functools import lru_cache

from coterie.core.lazy import np
from coterie.motion import polygons
from coterie.render import palette, symbols
from coterie.render.describe import Cells, Door, Fixture, FloorPlan, Frame, Item, Outline
from coterie.render.labels import Area
from coterie.render.map.layout import Map
from coterie.render.shapes import Bitmap, Box, Path, Point, Shape, line

WALL_PX = (3.0, 13.0)  # as drawn: not thinner, and not thicker
UNSEEN = ("#8b8d98", "#6f717c")
LEAF = "#9a6b3f"


def look(name: str) -> tuple[str, str]:
    """Fill and edge; `panel red` has the colour red."""
    if name.startswith("panel"):
        colour = palette.thing("", name.partition(" ")[2])
        return palette.mix(colour, "#ffffff", 0.55), colour
    return palette.LOOKS.get(name, palette.LOOKS["wood"])


def wall_px(plan: FloorPlan, m: Map) -> float:
    return min(max(plan.wall_m * m.scale, WALL_PX[0]), WALL_PX[1])


def area_of(outline: Outline, m: Map) -> Area:
    return m.area(polygons.bounds(outline))


def floors(plan: FloorPlan, m: Map) -> Iterator[Shape]:
    for region in plan.regions:
        yield Path(_pixels(region.outline, m), palette.floor(region.kind), palette.RULE, 1.0, closed=True)


def _pixels(points: Outline, m: Map) -> tuple[Point, ...]:
    return tuple(m.at(p) for p in points)


def cells(frame: Frame, m: Map) -> Iterator[Shape]:
    if frame.cells is not None:
        x, y = m.at(frame.cells.low)
        pixels = _cell_pixels(frame.cells)
        size = frame.cells.cell_m * m.scale
        yield Bitmap(x, y - len(pixels) * size, pixels.shape[1] * size, len(pixels) * size, pixels)


def _cell_pixels(some: Cells) -> np.ndarray:
    """Red, green, blue and opacity of every cell, the highest row first."""
    table = np.zeros((128, 4), np.uint8)
    for letter, colour in zip(string.ascii_letters, some.colours):
        table[ord(letter)] = (*palette.rgb(colour), int(colour[7:9] or "ff", 16))
    codes = np.frombuffer("".join(some.rows).encode("ascii"), np.uint8).reshape(len(some.rows), -1)
    return np.ascontiguousarray(table[codes][::-1])


def walls(plan: FloorPlan, frame: Frame, m: Map) -> Iterator[Shape]:
    wide = wall_px(plan, m)
    for wall in plan.walls:
        yield Path(_pixels(wall, m), stroke=palette.WALL, width=wide)
    for door in plan.doors:
        yield _band(door, m, wide + 1, palette.mix(palette.WALL, "#ffffff", 0.86))
        if door.name in frame.shut:
            yield _band(door, m, max(2.4, wide * 0.4), LEAF)


def _band(door: Door, m: Map, wide: float, fill: str) -> Path:
    (ax, ay), (bx, by) = m.at(door.a), m.at(door.b)
    length = math.hypot(bx - ax, by - ay) or 1.0
    dx, dy = (by - ay) / length * wide / 2, (ax - bx) / length * wide / 2
    return Path(((ax - dx, ay - dy), (bx - dx, by - dy), (bx + dx, by + dy), (ax + dx, ay + dy)), fill, closed=True)


# -- fixtures -----------------------------------------------------------------------------------------------------
def fixtures(plan: FloorPlan, frame: Frame, m: Map) -> Iterator[Shape]:
    for f in plan.fixtures:
        yield from fixture(f, m, shut=f.name in frame.shut, unseen=f.name in frame.unseen)


def fixture(f: Fixture, m: Map, shut: bool = False, unseen: bool = False) -> Iterator[Shape]:
    fill, edge = UNSEEN if unseen else look(f.look)
    a = area_of(f.outline, m)
    if f.look == "person":
        yield from symbols.person((a.x + a.w / 2, a.y + a.h / 2), min(a.w, a.h) / 2)
    elif f.look == "high":
        yield Box(*a, fill, "", radius=3)
        yield from hatch(a, palette.mix(edge, fill, 0.45))
        yield Box(*a, "", edge, 1.6, 3)
    elif f.look == "container":
        yield from _container(f, a, shut, m)
    elif _upright(f.outline):
        yield Box(*a, fill, edge, 1.4, 3)
        if (f.named and f.look == "wood") or f.look == "tray":  # a rim
            yield Box(*a.grown(-4), "", palette.mix(edge, fill, 0.6), 1.0, 3)
    else:
        yield Path(_pixels(f.outline, m), fill, edge, 1.2, closed=True)


@lru_cache(maxsize=4096)
def _upright(outline: Outline) -> bool:
    """Whether an outline is a rectangle along the axes."""
    xs, ys = {round(x, 6) for x, _ in outline}, {round(y, 6) for _, y in outline}
    return len(outline) == 4 and len(xs) == 2 and len(ys) == 2


def _container(f: Fixture, a: Area, shut: bool, m: Map) -> Iterator[Shape]:
    """Closed: a metal front with a handle. Open: one looks inside, and the door stands out into the room."""
    cx, cy = a.x + a.w / 2, a.y + a.h / 2
    sx, sy = m.at(f.stands[0]) if f.stands else (cx, cy + a.h)
    if abs(sx - cx) / a.w > abs(sy - cy) / a.h:  # the front looks left or right
        side = 1 if sx > cx else -1
        x = a.x + a.w if side > 0 else a.x
        front = ((x, a.y), (x, a.y + a.h))
        out, handle = (side * min(a.h, 24.0), 0.0), ((x - side * 5, cy - 6), (x - side * 5, cy + 6))
    else:
        side = 1 if sy > cy else -1
        y = a.y + a.h if side > 0 else a.y
        front = ((a.x, y), (a.x + a.w, y))
        out, handle = (0.0, side * min(a.w, 24.0)), ((cx - 6, y - side * 5), (cx + 6, y - side * 5))
    if shut:
        yield Box(*a, palette.METAL, palette.METAL_EDGE, 2.2, 3)
        yield line(front[0], front[1], palette.METAL_EDGE, 4.0)
        yield line(handle[0], handle[1], palette.INSIDE, 2.4)
    else:
        yield Box(*a, palette.INSIDE, palette.METAL_EDGE, 2.2, 3)
        yield line(front[0], front[1], palette.INSIDE, 3.4)
        yield line(front[0], (front[0][0] + out[0], front[0][1] + out[1]), palette.METAL_EDGE, 4.0)


def hatch(a: Area, colour: str, step: float = 7.0) -> Iterator[Shape]:
    """Diagonal lines across an area."""
    k = step
    while k < a.w + a.h:
        x0, y0 = (a.x + k, a.y) if k <= a.w else (a.x + a.w, a.y + k - a.w)
        x1, y1 = (a.x, a.y + k) if k <= a.h else (a.x + k - a.h, a.y + a.h)
        yield line((x0, y0), (x1, y1), colour, 1.1)
        k += step


# -- items and barriers -------------------------------------------------------------------------------------------
def items(plan: FloorPlan, frame: Frame, m: Map) -> Iterator[Shape]:
    """Everything that no robot holds, the wanted things last; what is not named is small."""
    near = at_inset(plan)
    for item in sorted(frame.items, key=lambda i: i.wanted):
        yield from token(item, m.at(item.at), 4.4 if item.place in near else 5.2 if item.label or item.wanted else 2.8)


def token(item: Item, at: Point, r: float) -> list[Shape]:
    return symbols.thing(at, r, item.kind, item.colour, item.wanted, item.hidden)


def at_inset(plan: FloorPlan) -> set[str]:
    """The fixture that is shown from near, and those on it."""
    return {f.name for f in plan.fixtures if plan.inset and plan.inset in (f.name, f.on)}


def barriers(plan: FloorPlan, frame: Frame, m: Map) -> Iterator[Shape]:
    """Signs at fixtures, or at single sides of them, that are closed to some robots."""
    by_name = {f.name: f for f in plan.fixtures}
    colours = {a.name: a.colour for a in frame.agents if a.online}
    count: dict[object, int] = {}
    for barrier in frame.barriers:
        key, colour = (barrier.fixture, barrier.at), colours.get(barrier.agent)
        if colour is None or barrier.fixture not in by_name:
            continue
        n = count[key] = count.get(key, -1) + 1
        if barrier.at is not None:
            x, y = m.at(barrier.at)
            yield from symbols.no_entry((x + n * 14, y), 9, colour)
            continue
        a = area_of(by_name[barrier.fixture].outline, m).grown(3.5)
        corners = ((a.x, a.y), (a.x + a.w, a.y), (a.x + a.w, a.y + a.h), (a.x, a.y + a.h))
        yield Path(corners, stroke=colour, width=2.0, closed=True, dash=(6, 4))
        yield from symbols.no_entry((a.x + a.w - n * 18, a.y), 8.5, colour)
