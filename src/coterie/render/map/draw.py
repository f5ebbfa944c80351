"""A frame as a drawing: the map, the team on it, and the words around it.

A drawing has two layers. The back is everything that stands still during a step; the front is the team. A film draws
the back once and moves the front over it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from coterie.motion import polygons
from coterie.render import palette, symbols
from coterie.render.describe import Fixture, FloorPlan, Frame, Item
from coterie.render.labels import Area, Labels, around, width
from coterie.render.map import floor, names, panel, team
from coterie.render.map.floor import area_of, fixture, token
from coterie.render.map.layout import GAP, INSET, LEAST_WORDS, MOST_WORDS, Map, Sheet
from coterie.render.map.names import beside, listed
from coterie.render.map.team import body
from coterie.render.shapes import Box, Drawing, Point, Shape, Text, moved

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
        hand = symbols.hand(at, SIGN, agent.mobility, facing)
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


class Back(NamedTuple):
    """The layer that stands still: a drawing, the names that lie above the team, and the places that are taken."""

    drawing: Drawing
    names: list[Shape]
    labels: Labels


def sheet_for(plan: FloorPlan, frames: list[Frame]) -> Sheet:
    """A sheet that has room for all of some frames; a timeline has more to say beside it."""
    words = max(panel.height(f) if f.spans else LEAST_WORDS * any(s.rows for s in f.sections) for f in frames)
    times = max(len(f.agents) if f.spans else 0 for f in frames)
    return Sheet(plan, max(len(f.agents) for f in frames), times, min(words, MOST_WORDS))


def draw(plan: FloorPlan, frame: Frame, sheet: Sheet | None = None) -> Drawing:
    """A drawing of a frame, on a sheet of its own or on that of a film, in which names of rooms stay where they are."""
    if sheet is None:
        sheet = sheet_for(plan, [frame])
        busy = [*team.spots(team.places(frame, sheet.map), sheet.map).values(), *_tags(plan, frame, sheet.map).values()]
        sheet.room_names.update(names.place_regions(plan, sheet.map, team.trodden(frame, sheet.map), busy))
    behind = back(plan, frame, sheet)
    behind.drawing.add(*front(plan, frame, sheet, behind))
    return behind.drawing


def back(plan: FloorPlan, frame: Frame, sheet: Sheet) -> Back:
    """All but the team; the name tags of the team, at rest, are placed first, so that other labels leave room."""
    m = sheet.map
    title = f"{plan.title}, {frame.when}: {', '.join(a.name for a in frame.agents)}"
    drawing = Drawing(sheet.width, sheet.height, palette.PAPER, title)
    drawing.add(*panel.header(plan, frame, sheet), *ground(plan, frame, m))
    drawing.add(*team.trails(frame, m), *floor.items(plan, frame, m))
    labels = names.obstacles(plan, m)
    labels.rather_not += team.trodden(frame, m)
    if not sheet.room_names:
        sheet.room_names.update(names.place_regions(plan, m))
    labels.taken += sheet.room_names.values()
    at = team.places(frame, m)
    labels.taken += [*team.spots(at, m).values(), *_tags(plan, frame, m).values()]
    pins = list(team.pins(frame, m, labels))
    above = [*names.names(plan, frame, m, labels), *pins]
    drawing.add(*names.regions(plan, sheet.room_names, m))
    if sheet.inset is not None:
        drawing.add(*inset(plan, frame, sheet.inset))
    drawing.add(*panel.sections(frame, sheet.words), *panel.timeline(frame, sheet), *panel.footer(plan, frame, sheet))
    return Back(drawing, above, labels)


def ground(plan: FloorPlan, frame: Frame, m: Map) -> list[Shape]:
    """The floor with all that stands on it."""
    shapes = [*floor.floors(plan, m), *floor.cells(frame, m), *floor.fixtures(plan, frame, m)]
    return [*shapes, *floor.walls(plan, frame, m), *floor.barriers(plan, frame, m)]


def front(plan: FloorPlan, frame: Frame, sheet: Sheet, behind: Back) -> list[Shape]:
    """The team: signs, names of what is below them, speech, tags and roster."""
    m, at = sheet.map, team.places(frame, sheet.map)
    signs = [shape for agent in frame.agents if agent.name in at for shape in team.sign(agent, at[agent.name], m)]
    bubbles = team.bubbles(frame, at, m, behind.labels.copy())
    tags = team.tags(frame, at, _tags(plan, frame, m))
    return [*signs, *behind.names, *bubbles, *tags, *panel.roster(frame, sheet)]


def _tags(plan: FloorPlan, frame: Frame, m: Map) -> dict[str, team.Area]:
    return team.place_tags(frame, team.places(frame, m), m, [floor.area_of(f.outline, m) for f in plan.fixtures])


class Sign(NamedTuple):
    """A robot: where it is, how it looks around its own middle, and the path it took in this step."""

    at: Point
    shapes: tuple[Shape, ...]
    path: tuple[Point, ...] = ()  # from where it was; empty: straight


class Stage(NamedTuple):
    """One frame: what lies within an area [px], which is the same for all frames of an episode."""

    area: Area
    under: Sequence[Shape]
    signs: Mapping[str, Sign] = {}
    over: Sequence[Shape] = ()  # names that must stay legible
    trail: int = 3  # steps for which a path is still shown
    background: str = palette.PAPER


def stages(plan: FloorPlan, frames: Iterable[Frame]) -> Iterator[Stage]:
    """Names stay where they are unless something lies elsewhere: on a page, what moves is the team."""
    sheet = Sheet(plan, 1)
    m = sheet.map
    rooms = names.place_regions(plan, m)
    area, room = m.whole, Area(m.x, m.y + m.h + GAP, m.w, INSET)
    if plan.inset:
        area = Area(m.x, m.y, m.w, m.h + GAP + INSET)
    key: object = None
    over: list[Shape] = []
    for frame in frames:
        under = [*ground(plan, frame, m), *floor.items(plan, frame, m)]
        if plan.inset:
            under += inset(plan, frame, room)
        now = (frame.named, tuple(i for i in frame.items if i.label))
        if now != key:
            labels = names.obstacles(plan, m)
            labels.taken += [*rooms.values(), *_standing(plan, frame, m)]
            key, over = now, [*names.regions(plan, rooms, m), *names.names(plan, frame, m, labels)]
        yield Stage(area.grown(6), under, _signs(frame, m), over, plan.trail_steps)


def map_alone(plan: FloorPlan, frame: Frame) -> Drawing:
    """One frame without the words that a sheet has around its map."""
    (stage,) = stages(plan, [frame])
    x, y, w, h = stage.area
    drawing = Drawing(w, h, stage.background, f"{plan.title}, {frame.when}")
    signs = [moved(shape, *sign.at) for sign in stage.signs.values() for shape in sign.shapes]
    drawing.add(*(moved(shape, -x, -y) for shape in (*stage.under, *stage.over, *signs)))
    return drawing


def _standing(plan: FloorPlan, frame: Frame, m: team.Map) -> Iterator[Area]:
    """Where robots stand, sooner or later, with room for the plates below them."""
    stands = [p for f in plan.fixtures for p in f.stands]
    for x, y in map(m.at, [*stands, *(a.at for a in frame.agents if a.at is not None and a.mobility == "fixed")]):
        r = team.radius(m)
        yield Area(x - r, y - r, 2 * r, 2.3 * r + team.PLATE)


def _signs(frame: Frame, m: team.Map) -> dict[str, Sign]:
    found = {}
    for name, at in team.places(frame, m).items():
        agent = next(a for a in frame.agents if a.name == name)
        room = Area(m.whole.x - at[0], m.whole.y - at[1], m.whole.w, m.whole.h)
        shapes = (*team.sign(agent, (0.0, 0.0), m), *team.plates(agent, 0.0, 1.35 * team.radius(m), room=room))
        found[name] = Sign(at, shapes, tuple(m.at(p) for p in agent.path))
    return found
