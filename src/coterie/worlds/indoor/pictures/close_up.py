"""A close-up of the work table, where everything ends: platforms, things with their names, the fixed arm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from coterie.log.state import State, ThingState
from coterie.render import palette, tokens
from coterie.render.labels import Area, Labels, around
from coterie.render.maps import Map
from coterie.render.shapes import Box, Disc, Shape, Text
from coterie.render.text import width

SIZES_M = {"tray": (0.46, 0.24), "board": (0.34, 0.24), "panel": (0.13, 0.13)}
NAME = 10.5


def platform_area(kind: str, centre: tuple[float, float], m: Map) -> Area:
    w, h = SIZES_M.get(kind, SIZES_M["tray"])
    x, y = centre
    return m.area((x - w / 2, y - h / 2, x + w / 2, y + h / 2))


def platforms(state: State, m: Map) -> Iterator[Shape]:
    for _, kind, colour, centre in state.start.platforms:
        a = platform_area(kind, centre, m)
        if kind == "panel":
            fill = palette.thing("", colour)
            yield Box(*a, palette.mix(fill, "#ffffff", 0.55), fill, max(1.2, m.scale / 60), 2)
        elif kind == "board":
            yield Box(*a, "#f3e2bf", "#b98a4a", 1.6, 5)
        else:
            yield Box(*a, "#ffffff", "#8a8f98", 1.8, 5)
            yield Box(*a.grown(-3), "", "#c9ccd2", 1.0, 4)


def thing_spot(state: State, thing: ThingState, m: Map) -> tuple[float, float]:
    """Where a thing is drawn: its own spot, but things on a platform are spread so that all can be seen."""
    for name, kind, _, centre in state.start.platforms:
        if thing.place == name and kind != "panel":
            a = platform_area(kind, centre, m)
            on = state.at_place(name)
            i, n = on.index(thing), len(on)
            if kind == "board":  # a stack leans back a little, bottom first
                return (a.x + a.w / 2, a.y + a.h - 0.3 * a.h - i * min(6.0, 0.5 * a.h / n))
            return (a.x + a.w * (i + 0.5 + 0.25) / (n + 0.5), a.y + a.h / 2)
    x, y = m.at(thing.spot)
    if thing.place in state.things:  # in a caddy, beside its middle
        turn = 2.4 * state.at_place(thing.place).index(thing)
        return (x + 7 * math.cos(turn), y + 7 * math.sin(turn))
    return (x, y)


def close_up(state: State, box: Area, colours: Mapping[str, str]) -> Iterator[Shape]:
    scene = state.start.scene
    f = next((f for f in scene["furniture"] if f["name"] == scene["work"].get("table")), None)
    if f is None:
        return
    yield Box(*box, palette.CARD, palette.RULE, 1.0, 8)
    yield Text(box.x + 14, box.y + 21, f["name"], 12, palette.INK, bold=True)
    yield Text(box.x + 14 + width(f["name"], 12, True) + 8, box.y + 21, "the work table", 11, palette.GREY)
    x0, y0, x1, y1 = f["rect"]
    room = Area(box.x + 12, box.y + 34, box.w - 24, box.h - 46)
    m = Map((x0 - 0.04, y0 - 0.04), (x1 + 0.04, y1 + 0.04), room, most=165, centred=True)
    a = m.area(f["rect"])
    yield Box(*a, palette.WOOD, palette.WOOD_EDGE, 1.8, 6)
    yield from platforms(state, m)
    on = [t for t in state.things.values() if t.place == f["name"]]
    kept = {name for name, _, _, _ in state.start.platforms}
    packed = sorted((t for t in state.things.values() if t.place in kept), key=lambda t: state.arrived[t.name])
    labels = Labels(a.grown(8))
    yield from _arm(state, m, colours, labels)
    for t in [*on, *packed]:
        x, y = thing_spot(state, t, m)
        labels.taken.append(Area(x - 8, y - 8, 16, 16))
        yield from tokens.thing((x, y), 6.0, t.kind, t.colour, t.name in state.targets)
    for _, kind, _, centre in state.start.platforms:
        labels.taken.append(platform_area(kind, centre, m))
    for name, kind, _, centre in state.start.platforms:
        if kind != "panel":  # panels show their name by their colour
            yield from _platform_label(state, name, kind, platform_area(kind, centre, m), labels)
    for t in sorted(on, key=lambda t: t.name not in state.targets):
        yield from _label(state, t, m, labels)


def _arm(state: State, m: Map, colours: Mapping[str, str], labels: Labels) -> Iterator[Shape]:
    """The fixed arm; what it holds is named in the roster."""
    for robot in state.robots.values():
        if robot.card.get("mobility") == "fixed" and robot.online and robot.pose is not None:
            at, facing = m.at(robot.pose), towards_platform(state, robot.pose)
            yield from tokens.robot(at, 13, robot.card, colours[robot.name], facing)
            hand = tokens.hand(at, 13, robot.card, facing)
            for share in (0.0, 0.5, 1.0):
                x, y = at[0] + (hand[0] - at[0]) * share, at[1] + (hand[1] - at[1]) * share
                labels.taken.append(Area(x - 9, y - 9, 18, 18))
            held = state.things.get(robot.holding or "")
            if held is not None:
                yield from tokens.thing(hand, 6.0, held.kind, held.colour, held.name in state.targets)


def towards_platform(state: State, pose: tuple[float, float]) -> float:
    centres = [p[3] for p in state.start.platforms]
    if not centres:
        return -math.pi / 2
    x, y = (sum(c[i] for c in centres) / len(centres) for i in (0, 1))
    return math.atan2(y - pose[1], x - pose[0])


def _label(state: State, thing: ThingState, m: Map, labels: Labels) -> Iterator[Shape]:
    yield from _name(thing, thing_spot(state, thing, m), state, labels)


def _name(thing: ThingState, at: tuple[float, float], state: State, labels: Labels) -> Iterator[Shape]:
    wanted = thing.name in state.targets
    w, h = width(thing.name, NAME, wanted), 12.0
    corners = around(Area(at[0] - 7, at[1] - 7, 14, 14), w, h, 2)
    area = labels.place(w, h, corners, gap=1)
    yield Text(area.x, area.y + 10, thing.name, NAME, palette.INK, bold=wanted, halo=palette.WOOD)


def _platform_label(state: State, name: str, kind: str, a: Area, labels: Labels) -> Iterator[Shape]:
    """The platform's name and, below it, what it holds; a stack is listed from the top down, as one sees it."""
    things = state.at_place(name)
    rows = [f"{i}. {t.name}" for i, t in enumerate(things, 1)][::-1] if kind == "board" else [t.name for t in things]
    w = max([width(name, NAME, True), *(width(r, NAME) + 10 for r in rows)])
    h = 12.5 * (1 + len(rows)) + 2
    area = labels.place(w, h, around(a, w, h, 3), gap=2)
    yield Text(area.x, area.y + 10, name, NAME, palette.INK, bold=True, halo=palette.WOOD)
    for i, (row, t) in enumerate(zip(rows, things[::-1] if kind == "board" else things), 1):
        y = area.y + 10 + 12.5 * i
        fill = palette.thing(t.kind, t.colour)
        yield Disc(area.x + 3.5, y - 3.8, 3.2, fill, palette.mix(fill, "#000000", 0.3), 1)
        yield Text(area.x + 10, y, row, NAME, palette.INK, halo=palette.WOOD)
