"""The robots on the map: signs, name tags, what they hold, where they came from and what they say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from coterie.log.state import RobotState, State
from coterie.render import palette, tokens
from coterie.render.labels import Area, Labels, around
from coterie.render.maps import Map
from coterie.render.shapes import Box, Disc, Path, Point, Shape, Text, line
from coterie.render.text import width, wrap
from coterie.worlds.indoor.pictures.close_up import towards_platform
from coterie.worlds.indoor.pictures.routes import Routes

TRAIL_STEPS = 3
TAG, HELD, SPEECH = 11.0, 10.5, 11.0


def colours(state: State) -> dict[str, str]:
    return palette.robots({name: r.card for name, r in state.robots.items()})


def sign_radius(m: Map) -> float:
    return min(max(0.21 * m.scale, 14.0), 18.0)


def places(state: State, m: Map, moving: Mapping[str, Point] | None = None) -> dict[str, Point]:
    """Where the signs go. Robots that share a spot (one may fly above the other) are drawn side by side."""
    r = sign_radius(m)
    at: dict[str, Point] = {}
    for name, robot in state.robots.items():
        pose = (moving or {}).get(name, robot.pose)
        if robot.online and pose is not None:
            at[name] = m.at(pose)
    groups: list[list[str]] = []
    for name in at:
        mates = next((g for g in groups if math.dist(at[g[0]], at[name]) < 1.6 * r), None)
        if mates is None:
            groups.append([name])
        else:
            mates.append(name)
    for group in groups:
        if any(state.robots[n].card.get("mobility") == "fixed" for n in group):
            continue  # an arm stands where it stands
        x, y = (sum(at[n][i] for n in group) / len(group) for i in (0, 1))
        for i, n in enumerate(group):
            at[n] = (x + (i - (len(group) - 1) / 2) * 2.5 * r, y)
    return at


def facing(state: State, robot: RobotState) -> float:
    """Towards what a robot works on [rad]."""
    if robot.pose is None:
        return math.pi / 2
    if robot.card.get("mobility") == "fixed":
        return towards_platform(state, robot.pose)
    f = next((f for f in state.start.scene["furniture"] if f["name"] == robot.at), None)
    if f is None:
        return math.pi / 2
    x0, y0, x1, y1 = f["rect"]
    px, py = min(max(robot.pose[0], x0), x1), min(max(robot.pose[1], y0), y1)
    return math.atan2(py - robot.pose[1], px - robot.pose[0])


def trails(state: State, routes: Routes, m: Map) -> Iterator[Shape]:
    """The ways of the last steps, fainter the longer ago."""
    hue = colours(state)
    for name, robot in state.robots.items():
        for (_, a), (step, b) in zip(robot.trail, robot.trail[1:]):
            age = state.step - step
            if age < TRAIL_STEPS and robot.online:
                colour = palette.mix(hue[name], "#ffffff", 0.3 + 0.2 * age)
                points = tuple(m.at(p) for p in routes.between(robot.card, a, b))
                yield Path(points, stroke=colour, width=2.8, dash=(1.5, 6))


def signs(state: State, at: Mapping[str, Point], m: Map, hue: Mapping[str, str]) -> Iterator[Shape]:
    r = sign_radius(m)
    for name, p in at.items():
        robot = state.robots[name]
        if robot.card.get("mobility") != "fixed":
            yield Disc(p[0], p[1], r * 1.28, palette.mix(hue[name], "#ffffff", 0.82))
        look = facing(state, robot)
        yield from tokens.robot(p, r, robot.card, hue[name], look)
        held = state.things.get(robot.holding or "")
        if held is not None:
            hand = tokens.hand(p, r, robot.card, look)
            yield from tokens.thing(hand, 5.5, held.kind, held.colour, held.name in state.targets)


def _spots(at: Mapping[str, Point], m: Map) -> dict[str, Area]:
    r = sign_radius(m) * 1.3
    return {name: Area(p[0] - r, p[1] - r, 2 * r, 2 * r) for name, p in at.items()}


def _place_tags(state: State, at: Mapping[str, Point], m: Map) -> dict[str, Area]:
    """Plates avoid robots, furniture and each other, and nothing that changes during a step."""
    labels, spots = Labels(m.whole), _spots(at, m)
    labels.taken += spots.values()
    for f in state.start.scene["furniture"]:
        labels.rather_not += [m.area(f["rect"])] * 4
    plates = {}
    for name, spot in spots.items():
        held = state.robots[name].holding
        w, h = max(_name_width(name), _held_width(held)), 17.0 + (16 if held else 0)
        plates[name] = labels.place(w, h, around(spot, w, h, 1), gap=1)
    return plates


def _name_width(name: str) -> float:
    return width(name, TAG, True) + 12


def _held_width(thing: str | None) -> float:
    return width(thing, HELD) + 22 if thing else 0.0


def keep_free(state: State, at: Mapping[str, Point], m: Map, labels: Labels) -> None:
    """Mark where the robots and their name tags are."""
    labels.taken += [*_spots(at, m).values(), *_place_tags(state, at, m).values()]


def tags(state: State, at: Mapping[str, Point], m: Map, hue: Mapping[str, str]) -> Iterator[Shape]:
    """Names, and what is held, on small plates beside the signs."""
    for name, area in _place_tags(state, at, m).items():
        robot, w = state.robots[name], _name_width(name)
        beside = area.x > at[name][0]  # then the plates line up on the side of their robot
        x = area.x if beside else area.x + (area.w - w) / 2
        held = state.things.get(robot.holding or "")
        if held is not None:
            w_held = _held_width(held.name)
            hx = area.x if beside else area.x + (area.w - w_held) / 2
            yield Box(hx, area.y + 15, w_held, 17, "#ffffff", hue[name], 1.2, 5)
            yield Disc(hx + 9, area.y + 23.5, 3.6, palette.thing(held.kind, held.colour))
            yield Text(hx + 16, area.y + 27.3, held.name, HELD, palette.INK)
        yield Box(x, area.y, w, 17, hue[name], "#ffffff", 1.2, 5)
        yield Text(x + w / 2, area.y + 12.5, name, TAG, "#ffffff", "middle", bold=True)


def bubbles(
    state: State, at: Mapping[str, Point], m: Map, hue: Mapping[str, str], labels: Labels
) -> Iterator[Shape]:  # fmt: skip
    """What was said in this step."""
    for name, p in at.items():
        said = state.robots[name].said
        if said is None or said.step != state.step:
            continue
        rows = wrap(said.text, SPEECH, 176, 3)
        if not rows:
            continue
        w, h = max(width(r, SPEECH) for r in rows) + 18, 14.5 * len(rows) + 12
        near = sign_radius(m) * 1.3
        corners = [
            c
            for gap in (16, 34, 60)
            for c in around(Area(p[0] - near, p[1] - near, 2 * near, 2 * near), w, h, gap)
        ]  # fmt: skip
        area = labels.place(w, h, sorted(corners, key=lambda c: c[1] > p[1]), m.whole.grown(-6))
        yield from _bubble(area, p, near, hue[name], rows)


def _bubble(area: Area, p: Point, near: float, colour: str, rows: list[str]) -> Iterator[Shape]:
    beside = p[0] < area.x or p[0] > area.x + area.w
    if beside:  # the tail leaves the left or right edge, else the upper or lower one
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
