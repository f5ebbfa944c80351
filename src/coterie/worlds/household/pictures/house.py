"""The house from above: floors, what nobody has seen yet, walls, doors, furniture and things."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from coterie.houses.model import Furniture, Room
from coterie.log.state import State
from coterie.motion import polygons
from coterie.render import palette
from coterie.render.labels import Area, Labels, around, inside, raster, shared
from coterie.render.maps import Map
from coterie.render.shapes import Bitmap, Disc, Path, Shape, Text, line
from coterie.render.text import width
from coterie.worlds.household.pictures import colours
from coterie.worlds.household.pictures.plan import Plan, room_words

ROOM_SIZE, NAME_SIZE, THING_SIZE = 14.0, 9.0, 10.0
FOG = (*colours.rgb("#6c6f7d"), 150)


def floors(plan: Plan, m: Map) -> Iterator[Shape]:
    for room in plan.house.rooms:
        yield Path(tuple(m.at(p) for p in room.polygon), colours.floor(room.kind), closed=True)


def fog(plan: Plan, known: np.ndarray, m: Map) -> Bitmap:
    """A veil over the cells of the house that are not among the known ones."""
    _, rooms = plan.ground
    pixels = np.zeros((*rooms.shape, 4), np.uint8)
    pixels[(rooms >= 0) & ~known] = FOG
    return over_ground(plan, pixels, m)


def over_ground(plan: Plan, pixels: np.ndarray, m: Map) -> Bitmap:
    """Colours of the cells of the ground, (rows, columns, 4), where they lie on the map."""
    low, _ = plan.ground
    rows, columns, _ = pixels.shape
    x, y = m.at((low[0] * plan.cell_m, (low[1] + rows) * plan.cell_m))
    return Bitmap(x, y, columns * plan.cell_m * m.scale, rows * plan.cell_m * m.scale, pixels[::-1])


def walls(plan: Plan, m: Map) -> Iterator[Shape]:
    wide = min(max(0.09 * m.scale, 3.0), 6.0)
    for door in plan.house.doors:
        a, b = m.at(door.a), m.at(door.b)
        if door.open:
            yield line(a, b, palette.mix(palette.WALL, "#ffffff", 0.75), 1.4, (3, 4))
        else:
            yield line(a, b, "#9a6b3f", wide * 0.8)
    for wall in plan.house.walls:
        yield line(m.at(wall.a), m.at(wall.b), palette.WALL, wide)


def furniture(plan: Plan, m: Map, known: Collection[str] | None = None) -> Iterator[Shape]:
    """Furniture, the lower the earlier; what nobody has seen is grey."""
    for piece in sorted(plan.house.furniture, key=lambda p: p.base_m + p.size[2]):
        fill, edge = colours.furniture(piece.kind)
        if known is not None and piece.name not in known:
            fill, edge = colours.UNSEEN, colours.UNSEEN_EDGE
        yield Path(tuple(m.at(c) for c in piece.corners), fill, edge, 1.1, closed=True)


def box_area(piece: Furniture, m: Map) -> Area:
    return m.area(polygons.bounds(piece.corners))


# -- names ------------------------------------------------------------------------------------------------------------
def avoid(plan: Plan, m: Map, labels: Labels) -> None:
    """Mark what labels keep off: walls, and as far as possible furniture and doors."""
    for wall in plan.house.walls:
        (ax, ay), (bx, by) = m.at(wall.a), m.at(wall.b)
        labels.taken.append(Area(min(ax, bx) - 2, min(ay, by) - 2, abs(ax - bx) + 4, abs(ay - by) + 4))
    labels.rather_not += [box_area(p, m) for p in plan.house.furniture]
    for door in plan.house.doors:
        labels.rather_not.append(m.area(polygons.bounds([door.a, door.b])).grown(10))


def place_room_names(plan: Plan, m: Map, more: Sequence[Area] = ()) -> dict[str, Area]:
    """Where there is most room for what kind of room it is and for its name; `more` is kept off where possible."""
    labels, found = Labels(m.whole), {}
    avoid(plan, m, labels)
    labels.rather_not += more
    for room in plan.house.rooms:
        w = max(width(room_words(room.kind), ROOM_SIZE), width(room.name, NAME_SIZE))
        found[room.name] = _free_spot(room, w, 30.0, m, labels)
    return found


def room_names(plan: Plan, spots: Mapping[str, Area]) -> Iterator[Shape]:
    for room in plan.house.rooms:
        area, fill = spots[room.name], colours.floor(room.kind)
        ink = palette.mix(fill, "#3a3a46", 0.55)
        x = area.x + area.w / 2
        yield Text(x, area.y + 14, room_words(room.kind), ROOM_SIZE, ink, "middle", halo=fill)
        yield Text(x, area.y + 26, room.name, NAME_SIZE, ink, "middle", halo=fill)


def _free_spot(room: Room, w: float, h: float, m: Map, labels: Labels) -> Area:
    shape = [m.at(p) for p in room.polygon]
    xs, ys = [p[0] for p in shape], [p[1] for p in shape]
    whole = Area(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).grown(-4)
    spots = [Area(x, y, w, h) for x, y in raster(whole, w, h, 12)] or [Area(whole.x, whole.y, w, h)]
    within = [s for s in spots if all(polygons.contains(shape, c) for c in _corners(s))] or spots

    middle = whole.x + whole.w / 2, whole.y + whole.h / 2
    here = labels.near(Area(whole.x, whole.y, max(whole.w, w), max(whole.h, h)).grown(6))

    def crowded(area: Area) -> float:
        away = math.dist(middle, (area.x + w / 2, area.y + h / 2))
        return 20 * here.cost(area.grown(3)) + shared(area, here.rather_not) + 0.5 * away

    return min(within, key=crowded)


def _corners(a: Area) -> list[tuple[float, float]]:
    return [(a.x, a.y), (a.x + a.w, a.y), (a.x, a.y + a.h), (a.x + a.w, a.y + a.h)]


def furniture_names(plan: Plan, m: Map, labels: Labels, always: Collection[str]) -> Iterator[Shape]:
    """Names of furniture: of what matters in any case, of the rest where they fit into the piece itself."""
    for piece in sorted(plan.house.furniture, key=lambda p: (p.name not in always, -p.size[0] * p.size[1])):
        area, important = box_area(piece, m), piece.name in always
        words = piece.name if important else room_words(piece.kind)
        w, h = width(words, NAME_SIZE, important), 10.0
        fits = inside(area, w, h, 1.5)
        if not important:
            free = [c for c in fits if not any(Area(*c, w, h).covers(t) for t in labels.taken)]
            if w + 4 > area.w or h + 2 > area.h or not free:
                continue
            fits = free
        elif w + 4 > area.w or h + 2 > area.h:
            fits = [*around(area, w, h, 2), *fits]
        spot = labels.place(w, h, fits)
        ink = palette.INK if important else palette.mix(palette.INK, "#ffffff", 0.35)
        yield Text(spot.x, spot.y + 8.5, words, NAME_SIZE, ink, bold=important, halo=palette.PAPER if important else "")


# -- things -----------------------------------------------------------------------------------------------------------
def things(plan: Plan, state: State, m: Map, astray: Collection[str], known: Collection[str] | None) -> Iterator[Shape]:
    """Dots. A golden ring is round what does not lie where it belongs; hollow is what no robot has seen."""
    for name, thing in sorted(state.things.items(), key=lambda item: item[0] in astray):
        if thing.place in state.robots or len(thing.spot) < 2:
            continue
        (x, y), fill = m.at(thing.spot), palette.thing(thing.kind, thing.colour)
        seen = known is None or name in known
        if name in astray:
            yield Disc(x, y, 7.0, "#ffffff", palette.GOLD, 2.4)
        r = 4.0 if name in astray else 2.8
        yield Disc(x, y, r, fill if seen else "#ffffff", palette.mix(fill, "#000000", 0.3 if seen else 0.1), 1.0)


def thing_names(state: State, m: Map, names: Collection[str], labels: Labels) -> Iterator[Shape]:
    for name in names:
        thing = state.things.get(name)
        if thing is None or thing.place in state.robots or len(thing.spot) < 2:
            continue
        x, y = m.at(thing.spot)
        w, h = width(name, THING_SIZE, True), 12.0
        spots = [c for gap in (2, 12, 26) for c in around(Area(x - 8, y - 8, 16, 16), w, h, gap)]
        area = labels.place(w, h, spots, gap=1)
        yield Text(area.x, area.y + 10, name, THING_SIZE, palette.INK, bold=True, halo=palette.PAPER)
