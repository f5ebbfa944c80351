"""The robots on the map: signs that look where the robot looks, name tags, and the ways they went."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from coterie.log.state import RobotState, State
from coterie.render import palette, tokens
from coterie.render.labels import Area, Labels, around
from coterie.render.maps import Map
from coterie.render.shapes import Bitmap, Box, Disc, Path, Point, Shape, Text
from coterie.render.text import width
from coterie.worlds.household.pictures import colours
from coterie.worlds.household.pictures.story import Carried

LANE = 3.0  # ways of different robots run side by side [px]
TAG, NUMBER = 10.5, 9.5
GLANCE_M = 1.5  # how far the light of a glance is drawn


def hues(state: State) -> dict[str, str]:
    """A colour for every robot that ever took part."""
    return palette.robots({name: r.card for name, r in state.robots.items()})


def radius(m: Map) -> float:
    return min(max(0.25 * m.scale, 9.0), 16.0)


def heading(state: State, name: str) -> float:
    """Where a robot looks [deg]."""
    pose = state.true.get(("pose", name))
    return float(pose[2]) if pose is not None and len(pose) > 2 else 90.0


def glances(state: State, m: Map, hue: Mapping[str, str]) -> Iterator[Shape]:
    """A wedge of light where each robot looks."""
    for name, robot in state.robots.items():
        if robot.online and robot.pose is not None:
            fov = float(robot.card.get("fov_deg") or 90.0)
            yield glance(m, robot.pose, heading(state, name), fov, hue[name])


def glance(m: Map, pose: Point, heading_deg: float, fov_deg: float, colour: str) -> Bitmap:
    size = 96
    far = GLANCE_M * m.scale
    y, x = np.mgrid[1 : -1 : size * 1j, -1 : 1 : size * 1j]
    away = np.hypot(x, y)
    aside = np.abs((np.degrees(np.arctan2(y, x)) - heading_deg + 180) % 360 - 180)
    pixels = np.zeros((size, size, 4), np.uint8)
    pixels[..., :3] = colours.rgb(colour)
    pixels[..., 3] = np.where((aside <= fov_deg / 2) & (away < 1), 120 * (1 - np.clip(away, 0, 1)), 0)
    px, py = m.at(pose)
    return Bitmap(px - far, py - far, 2 * far, 2 * far, pixels, smooth=True)


def signs(state: State, m: Map, hue: Mapping[str, str]) -> Iterator[Shape]:
    r = radius(m)
    for name, robot in state.robots.items():
        if not robot.online or robot.pose is None:
            continue
        x, y = m.at(robot.pose)
        facing = math.radians(heading(state, name))
        yield Disc(x, y, r * 1.25, "#ffffff")
        yield from tokens.robot((x, y), r, dict(robot.card), hue[name], facing)
        if not robot.card.get("payload_kg"):  # without an arm nothing else shows where it looks
            tip = (x + 1.5 * r * math.cos(facing), y - 1.5 * r * math.sin(facing))
            sides = [(x + r * math.cos(facing + a), y - r * math.sin(facing + a)) for a in (-0.5, 0.5)]
            yield Path((tip, *sides), hue[name], closed=True)
        held = state.things.get(robot.holding or "")
        if held is not None:
            yield from tokens.thing(tokens.hand((x, y), r, dict(robot.card), facing), 5.0, held.kind, held.colour, True)


def tags(state: State, m: Map, hue: Mapping[str, str], labels: Labels) -> Iterator[Shape]:
    """Names, and what is held."""
    r = radius(m) * 1.4
    for name, robot in state.robots.items():
        if not robot.online or robot.pose is None:
            continue
        x, y = m.at(robot.pose)
        words = f"{name}: {robot.holding}" if robot.holding else name
        w, h = width(words, TAG, True) + 12, 16.0
        spots = [c for gap in (0, 10, 24) for c in around(Area(x - r, y - r, 2 * r, 2 * r), w, h, gap)]
        area = labels.place(w, h, spots, gap=1)
        yield Box(*area, hue[name], "#ffffff", 1.2, 5)
        yield Text(area.x + w / 2, area.y + 12, words, TAG, "#ffffff", "middle", bold=True)


def keep_free(state: State, m: Map, labels: Labels) -> None:
    r = radius(m) * 1.3
    for robot in state.robots.values():
        if robot.online and robot.pose is not None:
            x, y = m.at(robot.pose)
            labels.taken.append(Area(x - r, y - r, 2 * r, 2 * r))


# -- ways -------------------------------------------------------------------------------------------------------------
def ways(
    state: State, m: Map, hue: Mapping[str, str], carried: Sequence[Carried], last: int | None = None
) -> Iterator[Shape]:
    """Where robots went, wider and with a golden edge where they carried something; `last` steps only, or all."""
    movers = [n for n, r in state.robots.items() if len(r.trail) > 1]
    for i, name in enumerate(movers):
        robot = state.robots[name]
        shift = (i - (len(movers) - 1) / 2) * LANE
        trail = robot.trail if last is None else _lately(robot, state.step - last)
        points = tuple((x + shift, y + shift) for x, y in (m.at(p) for _, p in trail))
        if len(points) < 2:
            continue
        yield Path(points, stroke="#ffffff", width=3.8)
        for one in carried:
            if one.robot == name:
                loaded = _between(trail, one, m, shift)
                if len(loaded) > 1:
                    yield Path(loaded, stroke=palette.GOLD, width=6.5)
        yield Path(points, stroke=palette.mix(hue[name], "#ffffff", 0.15), width=2.0)
        if last is None:
            yield from start_signs(points[0], hue[name])


def trodden(state: State, m: Map, last: int | None) -> list[Area]:
    """What labels should keep off where they can: the ways that are drawn."""
    found = []
    for robot in state.robots.values():
        trail = robot.trail if last is None else _lately(robot, state.step - last)
        found += [Area(x - 4, y - 4, 8, 8) for x, y in {m.at(p) for _, p in trail}]
    return found


def _lately(robot: RobotState, since: int) -> list[tuple[int, Point]]:
    before = [row for row in robot.trail if row[0] < since][-1:]
    return [*before, *(row for row in robot.trail if row[0] >= since)]


def _between(trail: Sequence[tuple[int, Point]], one: Carried, m: Map, shift: float) -> tuple[Point, ...]:
    """The part of a way on which something was carried."""
    end = one.put if one.put is not None else math.inf
    before = [p for step, p in trail if step <= one.taken][-1:]
    points = [*before, *(p for step, p in trail if one.taken < step <= end)]
    return tuple((x + shift, y + shift) for x, y in (m.at(p) for p in points))


def start_signs(at: Point, colour: str) -> Iterator[Shape]:
    """A filled diamond, unlike any sign of a thing."""
    x, y = at
    yield Path(((x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)), colour, "#ffffff", 1.4, closed=True)


def numbers(carried: Sequence[Carried], m: Map, hue: Mapping[str, str], labels: Labels) -> Iterator[Shape]:
    """Where each thing was taken (hollow) and laid down (filled), by its number in the story."""
    for i, one in enumerate(carried, 1):
        colour = hue.get(one.robot, palette.INK)
        for spot, filled in ((one.spot, False), (one.there, True)):
            if len(spot) < 2:
                continue
            x, y = m.at(spot)
            spots = [c for gap in (1, 8, 18) for c in around(Area(x - 7, y - 7, 14, 14), 17, 17, gap)]
            area = labels.place(17, 17, spots, gap=0)
            yield from number_sign((area.x + 8.5, area.y + 8.5), i, colour, filled)


def number_sign(at: Point, number: int, colour: str, filled: bool) -> list[Shape]:
    x, y = at
    disc = Disc(x, y, 8.0, colour if filled else "#ffffff", "#ffffff" if filled else colour, 1.8)
    return [disc, Text(x, y + 3.6, str(number), NUMBER, "#ffffff" if filled else colour, "middle", bold=True)]
