"""The robots on the map: signs, name tags, what they hold and say, their trails, and pins where they did something."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from coterie.core.lazy import np
from coterie.render import palette, symbols
from coterie.render.describe import Agent, Frame, Pin, Point
from coterie.render.labels import Area, Labels, around, width, wrap
from coterie.render.map.floor import token
from coterie.render.map.layout import Map
from coterie.render.shapes import Bitmap, Box, Disc, Path, Shape, Text, line

LANE, WIDEST = 3.5, 36.0  # trails of different robots run side by side, all together no wider than this [px]
TAG, HELD, SPEECH, PLATE = 11.0, 10.5, 11.0, 17.0
GLANCE_M = 1.5  # how far the light of a glance is drawn


def radius(m: Map) -> float:
    return min(max(0.21 * m.scale, 12.0), 17.0)


def places(frame: Frame, m: Map) -> dict[str, Point]:
    """Where the signs go. Robots that share a spot (one may fly above the other) are drawn side by side."""
    r, agents = radius(m), {a.name: a for a in frame.agents if a.at is not None}
    at = {name: m.at(a.at) for name, a in agents.items() if a.at is not None}
    groups: list[list[str]] = []
    for name in at:
        mates = next((g for g in groups if math.dist(at[g[0]], at[name]) < 1.6 * r), None)
        if mates is None:
            groups.append([name])
        else:
            mates.append(name)
    for group in groups:
        if any(agents[n].mobility == "fixed" for n in group):
            continue  # an arm stands where it stands
        x, y = (sum(at[n][i] for n in group) / len(group) for i in (0, 1))
        for i, n in enumerate(group):
            at[n] = (x + (i - (len(group) - 1) / 2) * 2.5 * r, y)
    return at


# -- signs --------------------------------------------------------------------------------------------------------
def sign(agent: Agent, at: Point, m: Map) -> Iterator[Shape]:
    """A body that points where the robot does, with what it holds; a wedge of light where its camera looks."""
    r, facing = radius(m), math.radians(agent.heading_deg)
    if agent.view_deg:
        yield _glance(agent, at, m)
    if agent.mobility != "fixed":
        yield Disc(at[0], at[1], r * 1.28, palette.mix(agent.colour, "#ffffff", 0.82))
    yield from body(agent, at, r, agent.colour, facing)
    if agent.view_deg and not agent.arm:  # without an arm nothing else shows where it looks
        tip = (at[0] + 1.5 * r * math.cos(facing), at[1] - 1.5 * r * math.sin(facing))
        sides = [(at[0] + r * math.cos(facing + a), at[1] - r * math.sin(facing + a)) for a in (-0.5, 0.5)]
        yield Path((tip, *sides), agent.colour, closed=True)
    if agent.held is not None:
        yield from token(agent.held, symbols.hand(at, r, agent.mobility, facing), 5.5)


def body(agent: Agent, at: Point, r: float, colour: str, facing: float) -> list[Shape]:
    return symbols.robot(at, r, colour, facing, agent.mobility, agent.arm, agent.base)


def _glance(agent: Agent, at: Point, m: Map) -> Bitmap:
    far = GLANCE_M * m.scale
    pixels = _wedge(agent.colour, agent.heading_deg, agent.view_deg)
    return Bitmap(at[0] - far, at[1] - far, 2 * far, 2 * far, pixels, smooth=True)


@lru_cache(maxsize=256)
def _wedge(colour: str, heading_deg: float, view_deg: float) -> np.ndarray:
    size = 64
    y, x = np.mgrid[1 : -1 : size * 1j, -1 : 1 : size * 1j]
    away = np.hypot(x, y)
    aside = np.abs((np.degrees(np.arctan2(y, x)) - heading_deg + 180) % 360 - 180)
    pixels = np.zeros((size, size, 4), np.uint8)
    pixels[..., :3] = palette.rgb(colour)
    pixels[..., 3] = np.where((aside <= view_deg / 2) & (away < 1), 120 * (1 - np.clip(away, 0, 1)), 0)
    return pixels


# -- tags and speech ----------------------------------------------------------------------------------------------
def tag_size(agent: Agent) -> tuple[float, float]:
    held = width(agent.held.name, HELD) + 22 if agent.held is not None else 0.0
    return max(width(_words(agent), TAG, True) + 12, held), PLATE + (PLATE - 1 if agent.held is not None else 0)


def _words(agent: Agent) -> str:
    return f"{agent.name}{agent.tag}"


def plates(agent: Agent, x: float, top: float, side: int = 0, room: Area | None = None) -> Iterator[Shape]:
    """The name and, below it, what is held, on plates around `x`, or beside it where `side` is 1; what is held stays
    within `room`."""
    w = width(_words(agent), TAG, True) + 12
    if agent.held is not None:
        wide = width(agent.held.name, HELD) + 22
        left = x if side else x - wide / 2
        if room is not None:
            left = max(room.x, min(left, room.x + room.w - wide))
        yield Box(left, top + PLATE - 2, wide, PLATE, "#ffffff", agent.colour, 1.2, 5)
        yield Disc(left + 9, top + PLATE + 6.5, 3.6, palette.thing(agent.held.kind, agent.held.colour))
        yield Text(left + 16, top + PLATE + 10.3, agent.held.name, HELD, palette.INK)
    left = x if side else x - w / 2
    yield Box(left, top, w, PLATE, agent.colour, "#ffffff", 1.2, 5)
    yield Text(left + w / 2, top + 12.5, _words(agent), TAG, "#ffffff", "middle", bold=True)


def spots(at: Mapping[str, Point], m: Map) -> dict[str, Area]:
    """The areas of the signs."""
    r = radius(m) * 1.3
    return {name: Area(p[0] - r, p[1] - r, 2 * r, 2 * r) for name, p in at.items()}


def place_tags(frame: Frame, at: Mapping[str, Point], m: Map, fixtures: Sequence[Area]) -> dict[str, Area]:
    """Tags keep off robots, fixtures and each other, and nothing that changes during a step."""
    labels, there = Labels(m.whole), spots(at, m)
    labels.taken += there.values()
    labels.rather_not += [a for a in fixtures for _ in range(4)]
    return {
        a.name: labels.place(*tag_size(a), around(there[a.name], *tag_size(a), 1), gap=1)
        for a in frame.agents
        if a.name in there
    }


def tags(frame: Frame, at: Mapping[str, Point], areas: Mapping[str, Area]) -> Iterator[Shape]:
    for agent in frame.agents:
        if agent.name in areas:
            area = areas[agent.name]
            side = int(area.x > at[agent.name][0])  # then the plates line up on the side of their robot
            yield from plates(agent, area.x if side else area.x + area.w / 2, area.y, side)


def bubbles(frame: Frame, at: Mapping[str, Point], m: Map, labels: Labels) -> Iterator[Shape]:
    """Speech bubbles of this step."""
    near = radius(m) * 1.3
    for agent in frame.agents:
        rows = wrap(agent.said, SPEECH, 176, 3)
        if not rows or agent.name not in at:
            continue
        p = at[agent.name]
        w, h = max(width(r, SPEECH) for r in rows) + 18, 14.5 * len(rows) + 12
        spot = Area(p[0] - near, p[1] - near, 2 * near, 2 * near)
        corners = [c for gap in (16, 34, 60) for c in around(spot, w, h, gap)]
        area = labels.place(w, h, sorted(corners, key=lambda c: c[1] > p[1]), m.whole.grown(-6))
        yield from _bubble(area, p, near, agent.colour, rows)


def _bubble(area: Area, p: Point, near: float, colour: str, rows: Sequence[str]) -> Iterator[Shape]:
    if p[0] < area.x or p[0] > area.x + area.w:  # the tail leaves the left or right edge, else the upper or lower one
        x, y = (area.x if p[0] < area.x else area.x + area.w), min(max(p[1], area.y + 10), area.y + area.h - 10)
        a, b = (x, y - 5), (x, y + 5)
    else:
        x, y = min(max(p[0], area.x + 14), area.x + area.w - 14), (area.y if p[1] < area.y else area.y + area.h)
        a, b = (x - 5, y), (x + 5, y)
    gap = math.dist(p, (x, y)) or 1.0
    tip = (p[0] + (x - p[0]) / gap * near * 0.85, p[1] + (y - p[1]) / gap * near * 0.85)
    yield Path((a, tip, b), "#ffffff", colour, 1.6, closed=True)
    yield Box(*area, "#ffffff", colour, 1.6, 9)
    yield line(a, b, "#ffffff", 2.4)  # opens the box towards the tail
    for i, row in enumerate(rows):
        yield Text(area.x + 9, area.y + 17 + 14.5 * i, row, SPEECH, palette.INK)


# -- trails and pins ----------------------------------------------------------------------------------------------
def trails(frame: Frame, m: Map) -> Iterator[Shape]:
    """Where robots went: dotted and fainter the longer ago, or whole; golden where they carried something."""
    hue, shift = {a.name: a.colour for a in frame.agents}, _lanes(frame)
    for trail in frame.trails:
        if len(trail.points) < 2 or trail.agent not in hue:
            continue
        d = shift[trail.agent]
        points = tuple((x + d, y + d) for x, y in map(m.at, trail.points))
        if trail.loaded:
            yield Path(points, stroke=palette.GOLD, width=6.5)
        elif frame.whole:
            yield Path(points, stroke="#ffffff", width=4.4)
        colour = palette.mix(hue[trail.agent], "#ffffff", min(0.7, 0.2 + 0.2 * trail.age))
        yield Path(points, stroke=colour, width=2.4, dash=None if frame.whole or trail.loaded else (1.5, 6))


def _lanes(frame: Frame) -> dict[str, float]:
    movers = list(dict.fromkeys(t.agent for t in frame.trails))
    lane = min(LANE, WIDEST / max(1, len(movers)))
    return {name: (i - (len(movers) - 1) / 2) * lane for i, name in enumerate(movers)}


def trodden(frame: Frame, m: Map) -> list[Area]:
    """Areas that labels should keep off where they can: points of the trails."""
    at = {m.at(p) for t in frame.trails for p in t.points}
    return [Area(x - 4, y - 4, 8, 8) for x, y in sorted(at)]


def pins(frame: Frame, m: Map, labels: Labels) -> Iterator[Shape]:
    hue, shift = {a.name: a.colour for a in frame.agents}, _lanes(frame)
    for pin in frame.pins:
        x, y = m.at(pin.at)
        colour = hue.get(pin.agent, palette.INK)
        if pin.kind == "start":
            d = shift.get(pin.agent, 0.0)
            yield from pin_sign(pin, (x + d, y + d), colour)
            continue
        w, h = max(18.0, width(pin.words, 10.5, True) + 10), 18.0
        corners = [(x - w / 2, y - h / 2)] if pin.kind == "stop" else []
        corners += [c for r in (9, 18, 30, 44) for c in around(Area(x - r, y - r, 2 * r, 2 * r), w, h, 0)]
        area = labels.place(w, h, corners, gap=1)
        yield from pin_sign(pin, (area.x + w / 2, area.y + 9), colour)


def pin_sign(pin: Pin, at: Point, colour: str) -> list[Shape]:
    """A diamond where a robot set out, a hollow plate where it took something, and filled ones elsewhere."""
    x, y = at
    if pin.kind == "start":
        return [Path(((x, y - 7), (x + 7, y), (x, y + 7), (x - 7, y)), colour, "#ffffff", 1.6, closed=True)]
    w, filled = max(18.0, width(pin.words, 10.5, True) + 10), pin.kind != "take"
    fill, edge = (colour, "#ffffff") if filled else ("#ffffff", colour)
    plate = Box(x - w / 2, y - 9, w, 18, fill, edge, 1.5, 9)
    return [plate, Text(x, y + 3.8, pin.words, 10.5, "#ffffff" if filled else colour, "middle", bold=True)]
