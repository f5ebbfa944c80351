"""An episode for a page on which the team moves: what stands still in a step, and signs that the page moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from coterie.render import palette
from coterie.render.describe import FloorPlan, Frame
from coterie.render.labels import Area
from coterie.render.map import floor, names, team
from coterie.render.map.draw import ground
from coterie.render.map.inset import inset
from coterie.render.map.layout import GAP, INSET, Sheet
from coterie.render.shapes import Point, Shape


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
        shapes = (*team.sign(agent, (0.0, 0.0), m), *team.plates(agent, 0.0, 1.35 * team.radius(m)))
        found[name] = Sign(at, shapes, tuple(m.at(p) for p in agent.path))
    return found
