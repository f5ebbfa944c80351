"""Names on the map: of regions, of fixtures with what lies there, and of items on the floor."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from coterie.motion import polygons
from coterie.render import palette
from coterie.render.describe import Fixture, FloorPlan, Frame, Item, Point, Region
from coterie.render.labels import Area, Labels, around, inside, raster, shared, width
from coterie.render.map.floor import area_of, at_inset, look, wall_px
from coterie.render.map.layout import Map
from coterie.render.shapes import Disc, Shape, Text

ROOM, NOTE, NAME, SOFT, ITEM, ROW = 15.0, 9.0, 11.0, 9.0, 10.5, 14.0


def obstacles(plan: FloorPlan, m: Map) -> Labels:
    """Areas that labels avoid: walls and named fixtures, and if possible doors, the rest, and where robots stand."""
    labels, t = Labels(m.whole), wall_px(plan, m) / 2
    for wall in plan.walls:
        for a, b in pairwise(wall):
            labels.taken += _along(m.at(a), m.at(b), t)
    for f in plan.fixtures:
        (labels.taken if f.named else labels.rather_not).append(area_of(f.outline, m))
        labels.rather_not += [Area(x - 14, y - 14, 28, 28) for x, y in map(m.at, f.stands)]
    for door in plan.doors:
        labels.rather_not.append(m.area(polygons.bounds([door.a, door.b])).grown(14))
    return labels


def _along(a: Point, b: Point, t: float) -> list[Area]:
    """Squares along a line, or one area where it runs along an axis."""
    if abs(a[0] - b[0]) < 1 or abs(a[1] - b[1]) < 1:
        return [Area(min(a[0], b[0]) - t, min(a[1], b[1]) - t, abs(a[0] - b[0]) + 2 * t, abs(a[1] - b[1]) + 2 * t)]
    count = max(1, math.ceil(math.dist(a, b) / (2 * t)))
    spots = [(a[0] + (b[0] - a[0]) * k / count, a[1] + (b[1] - a[1]) * k / count) for k in range(count + 1)]
    return [Area(x - t, y - t, 2 * t, 2 * t) for x, y in spots]


# -- regions ------------------------------------------------------------------------------------------------------
def place_regions(plan: FloorPlan, m: Map, more: Sequence[Area] = (), taken: Sequence[Area] = ()) -> dict[str, Area]:
    """Where there is most room for the names of regions, off what is taken, and off `more` where possible."""
    labels = obstacles(plan, m)
    labels.taken += taken
    labels.rather_not += [area_of(f.outline, m).grown(40) for f in plan.fixtures if f.named]  # their names need room
    labels.rather_not += more
    return {r.name: _roomiest(r, m, labels) for r in plan.regions if r.label}


def _roomiest(region: Region, m: Map, labels: Labels) -> Area:
    w, h = max(width(region.label, ROOM), width(region.note, NOTE)), 30.0 if region.note else 18.0
    shape = [m.at(p) for p in region.outline]
    x0, y0, x1, y1 = polygons.bounds(shape)
    whole = Area(x0, y0, x1 - x0, y1 - y0).grown(-5)
    spots = [Area(x, y, w, h) for x, y in raster(whole, w, h, 14)] or [Area(whole.x, whole.y, w, h)]
    within = [s for s in spots if all(polygons.contains(shape, c) for c in _corners(s))] or spots
    middle = whole.x + whole.w / 2, whole.y + whole.h / 2
    here = labels.near(Area(whole.x, whole.y, max(whole.w, w), max(whole.h, h)).grown(12))

    def crowded(area: Area) -> float:
        away = math.dist(middle, (area.x + w / 2, area.y + h / 2))
        return 20 * here.cost(area.grown(6)) + shared(area, here.rather_not) + 0.5 * away

    return min(within, key=crowded)


def _corners(a: Area) -> list[Point]:
    return [(a.x, a.y), (a.x + a.w, a.y), (a.x, a.y + a.h), (a.x + a.w, a.y + a.h)]


def regions(plan: FloorPlan, spots: Mapping[str, Area], m: Map) -> Iterator[Shape]:
    for region in plan.regions:
        if region.name in spots:
            area, fill = spots[region.name], palette.floor(region.kind)
            ink, x = palette.mix(fill, "#3a3a46", 0.5), area.x + area.w / 2
            yield Text(x, area.y + 14, region.label, ROOM, ink, "middle", halo=fill)
            if region.note:
                yield Text(x, area.y + 26, region.note, NOTE, ink, "middle", halo=fill)
        elif region.note:  # a cell, in its corner
            corner = area_of(region.outline, m)
            yield Text(corner.x + 4, corner.y + 12, region.note, NOTE, palette.GREY)


# -- fixtures and items -------------------------------------------------------------------------------------------
def names(plan: FloorPlan, frame: Frame, m: Map, labels: Labels) -> Iterator[Shape]:
    """Fixtures that matter with what lies there, items elsewhere, and other fixtures where their words fit into them.

    What is at the inset is named there."""
    near, by_name = at_inset(plan), {f.name: f for f in plan.fixtures}
    named = [i for i in frame.items if i.label and i.place not in near]
    lying: dict[str, list[Item]] = {f.name: [] for f in plan.fixtures if f.named or f.name in frame.named}
    for item in named:
        if item.place in by_name:
            lying.setdefault(item.place, []).append(item)
    for item in frame.items:
        if item.label or item.wanted:
            x, y = m.at(item.at)
            labels.taken.append(Area(x - 7, y - 7, 14, 14))
    labels.taken += [area_of(f.outline, m) for f in plan.fixtures if f.on]
    bounds = {r.name: area_of(r.outline, m) for r in plan.regions}
    for name, things in sorted(lying.items(), key=lambda p: -len(p[1])):  # the largest labels choose first
        if not by_name[name].on:
            yield from _block(by_name[name], things, bounds, m, labels, wall_px(plan, m))
    for item in named:
        if item.place not in by_name:
            yield from beside(item, m.at(item.at), labels, palette.PAPER)
    for f in sorted(plan.fixtures, key=lambda f: -polygons.area(f.outline)):
        if f.label and f.name not in lying:
            yield from _soft(f, m, labels)


def _block(
    f: Fixture, things: Sequence[Item], bounds: Mapping[str, Area], m: Map, labels: Labels, wall: float
) -> Iterator[Shape]:
    a = area_of(f.outline, m)
    own = [t for t in labels.taken if t == a]  # its own name may lie on it
    labels.taken = [t for t in labels.taken if t != a]
    rows = [width(t.label, ITEM, t.wanted) + 13 for t in things]
    w, h = max([width(f.name, NAME, True), *rows]), ROW * (1 + len(things))
    corners = inside(a, w, h, 3) + around(a, w, h, 5) + around(a, w, h, 24)
    area = labels.place(w, h, corners, bounds.get(f.region, m.whole).grown(-wall / 2))
    labels.taken += own
    yield Text(area.x, area.y + 11, f.name, NAME, palette.INK, bold=True, halo=palette.PAPER)
    for i, t in enumerate(things, 1):
        yield from listed(t, t.label, (area.x + 4.5, area.y + 11 + ROW * i), ITEM, palette.PAPER)


def listed(item: Item, words: str, at: Point, size: float, halo: str) -> Iterator[Shape]:
    """A row of a list: a dot in the colour of the item, and words."""
    x, y = at
    fill = palette.thing(item.kind, item.colour)
    yield Disc(x, y - 4, 3.6, "#ffffff" if item.hidden else fill, fill, 1.4)
    yield Text(x + 7.5, y, words, size, palette.INK if item.wanted else palette.GREY, bold=item.wanted, halo=halo)


def beside(item: Item, at: Point, labels: Labels, halo: str) -> Iterator[Shape]:
    """The label of an item, in as many lines as it has, where there is room next to it."""
    rows = item.label.splitlines()
    w, h = max(width(row, ITEM, item.wanted) for row in rows), 12.0 * len(rows)
    corners = [c for gap in (1, 12, 26) for c in around(Area(at[0] - 8, at[1] - 8, 16, 16), w, h, gap)]
    area = labels.place(w, h, corners, gap=1)
    for i, row in enumerate(rows):
        x = area.x + (w - width(row, ITEM, item.wanted)) / 2
        yield Text(x, area.y + 10 + 12 * i, row, ITEM, palette.INK, bold=item.wanted, halo=halo)


def _soft(f: Fixture, m: Map, labels: Labels) -> Iterator[Shape]:
    area, w, h = area_of(f.outline, m), width(f.label, SOFT), 10.0
    free = [c for c in inside(area, w, h, 1.5) if not any(Area(*c, w, h).covers(t) for t in labels.taken)]
    if free and w + 4 <= area.w and h + 2 <= area.h:
        spot = labels.place(w, h, free)
        ink = palette.mix(palette.INK, look(f.look)[0], 0.35)
        yield Text(spot.x, spot.y + 8.5, f.label, SOFT, ink)
