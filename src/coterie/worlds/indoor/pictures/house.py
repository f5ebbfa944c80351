"""The house from above: rooms, walls, doors, furniture, open and closed containers, high places, closed zones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coterie.log.state import State
from coterie.motion import polygons
from coterie.render import palette, tokens
from coterie.render.labels import Area, Labels, around, inside, near, raster, shared
from coterie.render.maps import Map
from coterie.render.shapes import Box, Disc, Path, Shape, Text, line
from coterie.render.text import width
from coterie.worlds.indoor.pictures import close_up as table

WALL_M, WALL_PX = 0.16, 13.0  # as drawn; thinner than they are, which looks lighter
HIGH_M = 1.6  # surfaces above this are out of reach from the ground
ROOM_SIZE, NAME_SIZE, THING_SIZE, ROW = 15.0, 11.0, 10.5, 14.0


def is_high(furniture: dict[str, Any]) -> bool:
    return bool(furniture["height_m"] > HIGH_M)


def wall_px(m: Map) -> float:
    return min(WALL_M * m.scale, WALL_PX)


def rooms(scene: dict[str, Any], open_doors: dict[str, bool], m: Map) -> Iterator[Shape]:
    wall = wall_px(m)
    for _, kind, rect, *outline in scene["rooms"]:
        a = m.area(rect)
        if outline:
            yield Path(tuple(m.at(p) for p in outline[0]), palette.floor(kind), closed=True)
        else:
            yield Box(a.x, a.y, a.w, a.h, palette.floor(kind))
    for _, _, rect, *outline in scene["rooms"]:
        a = m.area(rect)
        if outline:
            yield Path(tuple(m.at(p) for p in outline[0]), stroke=palette.WALL, width=wall, closed=True)
        else:
            yield Box(a.x, a.y, a.w, a.h, "", palette.WALL, wall)
    for door in scene["doors"]:
        if len(door) > 4:
            yield from _slanting(door, open_doors, m)
            continue
        a = m.area(door[1])
        along_x = a.w > a.h
        hole = Area(a.x, a.y + (a.h - wall) / 2 - 0.5, a.w, wall + 1) if along_x else a
        if not along_x:
            hole = Area(a.x + (a.w - wall) / 2 - 0.5, a.y, wall + 1, a.h)
        yield Box(*hole, palette.mix(palette.WALL, "#ffffff", 0.86))
        if not open_doors.get(door[0], True):
            yield Box(*hole.grown(-wall * 0.3), "#9a6b3f")


def _slanting(door: Sequence[Any], open_doors: dict[str, bool], m: Map) -> Iterator[Shape]:
    """A door in a wall of any direction: a light line through the wall, and a leaf in it where it is closed."""
    a, b, c, d = (m.at(p) for p in door[4])
    ends = ((a[0] + d[0]) / 2, (a[1] + d[1]) / 2), ((b[0] + c[0]) / 2, (b[1] + c[1]) / 2)
    yield line(*ends, palette.mix(palette.WALL, "#ffffff", 0.86), wall_px(m) + 1)
    if not open_doors.get(door[0], True):
        yield line(*ends, "#9a6b3f", wall_px(m) * 0.4)


def furniture(f: dict[str, Any], is_open: bool, m: Map) -> Iterator[Shape]:
    a = m.area(f["rect"])
    if f["kind"] == "person":
        yield from tokens.person((a.x + a.w / 2, a.y + a.h / 2), min(a.w, a.h) / 2)
    elif f.get("obstacle"):
        yield Box(*a, palette.mix(palette.WALL, "#ffffff", 0.35), palette.WALL, 1.6, 2)
    elif is_high(f):
        yield Box(*a, palette.HIGH, "", radius=3)
        yield from hatch(a, palette.mix(palette.HIGH_EDGE, palette.HIGH, 0.45))
        yield Box(*a, "", palette.HIGH_EDGE, 1.6, 3)
    elif f["opens"]:
        yield from _container(f, a, is_open, m)
    else:
        yield Box(*a, palette.WOOD, palette.WOOD_EDGE, 1.6, 4)
        yield Box(*a.grown(-4), "", palette.mix(palette.WOOD_EDGE, palette.WOOD, 0.6), 1.0, 3)


def _container(f: dict[str, Any], a: Area, is_open: bool, m: Map) -> Iterator[Shape]:
    """Closed: a metal front with a handle. Open: one looks inside, and the door stands out into the room."""
    cx, cy = a.x + a.w / 2, a.y + a.h / 2
    sx, sy = m.at(f["stands"][0]) if f["stands"] else (cx, cy + a.h)
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
    if is_open:
        yield Box(*a, palette.INSIDE, palette.METAL_EDGE, 2.2, 3)
        yield line(front[0], front[1], palette.INSIDE, 3.4)
        yield line(front[0], (front[0][0] + out[0], front[0][1] + out[1]), palette.METAL_EDGE, 4.0)
    else:
        yield Box(*a, palette.METAL, palette.METAL_EDGE, 2.2, 3)
        yield line(front[0], front[1], palette.METAL_EDGE, 4.0)
        yield line(handle[0], handle[1], palette.INSIDE, 2.4)


def hatch(a: Area, colour: str, step: float = 7.0) -> Iterator[Shape]:
    """Diagonal lines across an area."""
    k = step
    while k < a.w + a.h:
        x0, y0 = (a.x + k, a.y) if k <= a.w else (a.x + a.w, a.y + k - a.w)
        x1, y1 = (a.x, a.y + k) if k <= a.h else (a.x + k - a.h, a.y + a.h)
        yield line((x0, y0), (x1, y1), colour, 1.1)
        k += step


def zones(state: State, colours: Mapping[str, str], m: Map) -> Iterator[Shape]:
    """Signs on furniture, or on single sides of it, that are closed to some robots."""
    by_name = {f["name"]: f for f in state.start.scene["furniture"]}
    signs: dict[str, int] = {}
    for robot, places in state.closed.items():
        if robot not in state.robots or not state.robots[robot].online:
            continue
        colour = colours[robot]
        for zone in places:
            place, _, stand = zone.partition("/")
            f = by_name.get(place)
            if f is None:
                continue
            n = signs[zone] = signs.get(zone, 0) + 1
            if stand:
                x, y = m.at(f["stands"][int(stand.rsplit("_", 1)[1])])
                yield from tokens.no_entry((x + (n - 1) * 14, y), 9, colour)
                continue
            a = m.area(f["rect"]).grown(3.5)
            corners = ((a.x, a.y), (a.x + a.w, a.y), (a.x + a.w, a.y + a.h), (a.x, a.y + a.h))
            yield Path(corners, stroke=colour, width=2.0, closed=True, dash=(6, 4))
            yield from tokens.no_entry((a.x + a.w - (n - 1) * 18, a.y), 8.5, colour)


# -- labels -----------------------------------------------------------------------------------------------------------
def avoid(scene: dict[str, Any], m: Map, labels: Labels) -> None:
    """Mark what labels keep off: furniture and walls, and as far as possible doors and where robots stand."""
    for f in scene["furniture"]:
        labels.taken.append(m.area(f["rect"]))
        for stand in f["stands"]:
            x, y = m.at(stand)
            labels.rather_not.append(Area(x - 14, y - 14, 28, 28))
    for _, _, rect, *outline in scene["rooms"]:
        a, t = m.area(rect), wall_px(m) / 2
        if outline:
            labels.taken += [Area(x - t, y - t, 2 * t, 2 * t) for x, y in _along([m.at(p) for p in outline[0]], 2 * t)]
            continue
        labels.taken += [
            Area(a.x - t, a.y - t, a.w + 2 * t, 2 * t), Area(a.x - t, a.y + a.h - t, a.w + 2 * t, 2 * t),
            Area(a.x - t, a.y - t, 2 * t, a.h + 2 * t), Area(a.x + a.w - t, a.y - t, 2 * t, a.h + 2 * t),
        ]  # fmt: skip
    for door in scene["doors"]:
        labels.rather_not.append(m.area(door[1]).grown(16))


def _along(corners: Sequence[tuple[float, float]], step: float) -> Iterator[tuple[float, float]]:
    """Points on a closed line, at most a step apart."""
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]]):
        count = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / step))
        yield from ((x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count) for k in range(count))


def room_names(scene: dict[str, Any], m: Map) -> dict[str, Area]:
    """Where the names of the rooms go; they never move, so this is found once for a page."""
    labels = Labels(m.whole)
    avoid(scene, m, labels)
    busy = [m.area(f["rect"]).grown(44) for f in scene["furniture"]]  # furniture needs room for its own labels
    busy += [a.grown(16) for a in labels.rather_not] * 2  # and robots for theirs

    spots = {}
    for name, _, rect, *outline in scene["rooms"]:
        a = m.area(rect).grown(-0.24 * m.scale)
        w = width(_room_words(name), ROOM_SIZE)
        free = [Area(x, y, w, 18) for x, y in raster(a, w, 18, 16)] or [Area(a.x, a.y, w, 18)]
        if outline:
            shape = [m.at(p) for p in outline[0]]
            free = [f for f in free if all(polygons.contains(shape, c) for c in _corners(f))] or free
        whole = Area(a.x, a.y, max(a.w, w), max(a.h, 18)).grown(20)
        here, busy_here = labels.near(whole), near(busy, whole)
        price = [4 * here.cost(f.grown(10)) + shared(f, busy_here) for f in free]
        spots[name] = free[price.index(min(price))]
    return spots


def _corners(a: Area) -> list[tuple[float, float]]:
    return [(a.x, a.y), (a.x + a.w, a.y), (a.x, a.y + a.h), (a.x + a.w, a.y + a.h)]


def _room_words(name: str) -> str:
    return name.replace("_", " ")


def name_rooms(scene: dict[str, Any], spots: Mapping[str, Area]) -> Iterator[Shape]:
    for name, kind, *_ in scene["rooms"]:
        area, colour = spots[name], palette.mix(palette.floor(kind), "#3a3a46", 0.42)
        yield Text(area.x, area.y + 14, _room_words(name), ROOM_SIZE, colour)


def furniture_labels(state: State, labels: Labels, m: Map) -> Iterator[Shape]:
    """The name of each piece, and below it what lies there. The work table's things are named in the close-up."""
    scene = state.start.scene
    room_of = {name: m.area(rect) for name, _, rect, *_ in scene["rooms"]}
    work = scene["work"]
    named = [f for f in scene["furniture"] if not f.get("obstacle")]
    pieces = [(f, [] if f["name"] == work.get("table") else state.lying(f["name"])) for f in named]
    for t in state.things.values():
        if state.outer(t) not in state.robots:
            x, y = m.at(t.spot)
            labels.taken.append(Area(x - 7, y - 7, 14, 14))
    if work:
        ax, ay = m.at(work["arm"])
        labels.taken.append(Area(ax - 18, ay - 18, 36, 36))
    labels.taken += [table.platform_area(kind, centre, m) for _, kind, _, centre in state.start.platforms]
    for f, things in sorted(pieces, key=lambda p: -len(p[1])):  # the largest labels choose first
        a = m.area(f["rect"])
        labels.taken.remove(a)  # its own name may lie on it
        rows = [width(t.name, THING_SIZE, t.name in state.targets) + 13 for t in things]
        w, h = max([width(f["name"], NAME_SIZE, True), *rows]), ROW * (1 + len(things))
        corners = inside(a, w, h, 3) + around(a, w, h, 5) + around(a, w, h, 24)
        area = labels.place(w, h, corners, room_of.get(f["room"], m.whole).grown(-wall_px(m) / 2))
        labels.taken.append(a)
        yield from _block(f["name"], things, area, state, hidden=f["opens"] and not state.open.get(f["name"], True))


def _block(name: str, things: list[Any], area: Area, state: State, hidden: bool) -> Iterator[Shape]:
    halo = palette.PAPER
    yield Text(area.x, area.y + 11, name, NAME_SIZE, palette.INK, bold=True, halo=halo)
    for i, t in enumerate(things, 1):
        y = area.y + 11 + ROW * i
        fill = palette.thing(t.kind, t.colour)
        yield Disc(area.x + 4.5, y - 4, 3.6, "#ffffff" if hidden else fill, fill, 1.4)
        wanted = t.name in state.targets
        yield Text(area.x + 12, y, t.name, THING_SIZE, palette.INK if wanted else palette.GREY, bold=wanted, halo=halo)
