"""A fixture from near, where everything ends: what stands on it, items with their names, the arm fixed to it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from coterie.motion import polygons
from coterie.render import palette, tokens
from coterie.render.describe import Fixture, FloorPlan, Frame, Item
from coterie.render.labels import Area, Labels, around, width
from coterie.render.map.floor import area_of, fixture, token
from coterie.render.map.layout import Map
from coterie.render.map.names import beside, listed
from coterie.render.map.team import body
from coterie.render.shapes import Box, Shape, Text

NAME, SIGN = 10.5, 13.0


def inset(plan: FloorPlan, frame: Frame, box: Area) -> Iterator[Shape]:
    f = next(f for f in plan.fixtures if f.name == plan.inset)
    yield Box(*box, palette.CARD, palette.RULE, 1.0, 8)
    yield Text(box.x + 14, box.y + 21, f.name, 12, palette.INK, bold=True)
    yield Text(box.x + 14 + width(f.name, 12, True) + 8, box.y + 21, f.label, 11, palette.GREY)
    x0, y0, x1, y1 = polygons.bounds(f.outline)
    room = Area(box.x + 12, box.y + 34, box.w - 24, box.h - 46)
    m = Map((x0 - 0.04, y0 - 0.04), (x1 + 0.04, y1 + 0.04), room, most=165, centred=True)
    a = area_of(f.outline, m)
    yield Box(*a, palette.WOOD, palette.WOOD_EDGE, 1.8, 6)
    on = [p for p in plan.fixtures if p.on == f.name]
    for platform in on:
        yield from fixture(platform, m)
    labels = Labels(a.grown(8))
    yield from _arms(frame, m, labels, (x0, y0, x1, y1))
    names = {f.name, *(p.name for p in on)}
    for item in (i for i in frame.items if i.place in names):
        x, y = m.at(item.at)
        labels.taken.append(Area(x - 8, y - 8, 16, 16))
        yield from token(item, (x, y), 6.0)
    labels.taken += [area_of(p.outline, m) for p in on]
    for platform in on:
        if not platform.look.startswith("panel"):  # panels show their name by their colour
            things = [i for i in frame.items if i.place == platform.name]
            yield from _contents(platform, things, area_of(platform.outline, m), labels)
    for item in sorted((i for i in frame.items if i.place == f.name), key=lambda i: not i.wanted):
        yield from beside(item, m.at(item.at), labels, palette.WOOD)


def _arms(frame: Frame, m: Map, labels: Labels, bounds: tuple[float, float, float, float]) -> Iterator[Shape]:
    x0, y0, x1, y1 = bounds
    for agent in frame.agents:
        if agent.mobility != "fixed" or agent.at is None or not (x0 <= agent.at[0] <= x1 and y0 <= agent.at[1] <= y1):
            continue
        at, facing = m.at(agent.at), math.radians(agent.heading_deg)
        yield from body(agent, at, SIGN, agent.colour, facing)
        hand = tokens.hand(at, SIGN, agent.mobility, facing)
        for share in (0.0, 0.5, 1.0):
            x, y = at[0] + (hand[0] - at[0]) * share, at[1] + (hand[1] - at[1]) * share
            labels.taken.append(Area(x - 9, y - 9, 18, 18))
        if agent.held is not None:
            yield from token(agent.held, hand, 6.0)


def _contents(platform: Fixture, things: list[Item], a: Area, labels: Labels) -> Iterator[Shape]:
    """A platform's name and, below it, what it holds; a stack is listed from the top down, as one sees it."""
    rows = [(f"{i}. {t.name}" if platform.look == "board" else t.name, t) for i, t in enumerate(things, 1)]
    rows = rows[::-1] if platform.look == "board" else rows
    w = max([width(platform.name, NAME, True), *(width(words, NAME, t.wanted) + 12 for words, t in rows)])
    h = 12.5 * (1 + len(rows)) + 2
    area = labels.place(w, h, around(a, w, h, 3), gap=2)
    yield Text(area.x, area.y + 10, platform.name, NAME, palette.INK, bold=True, halo=palette.WOOD)
    for i, (words, t) in enumerate(rows, 1):
        yield from listed(t, words, (area.x + 4, area.y + 10 + 12.5 * i), NAME, palette.WOOD)
