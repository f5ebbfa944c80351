"""A frame as a drawing: the map, the team on it, and the words around it.

A drawing has two layers. The back is everything that stands still during a step; the front is the team. A film draws
the back once and moves the front over it.
"""

from __future__ import annotations

from typing import NamedTuple

from coterie.render import palette
from coterie.render.describe import FloorPlan, Frame
from coterie.render.labels import Labels
from coterie.render.map import floor, names, panel, team
from coterie.render.map.inset import inset
from coterie.render.map.layout import LEAST_WORDS, MOST_WORDS, Map, Sheet
from coterie.render.shapes import Drawing, Shape


class Back(NamedTuple):
    """What stands still: a drawing, the names that lie above the team, and the places that are taken."""

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
