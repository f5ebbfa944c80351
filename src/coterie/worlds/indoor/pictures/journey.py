"""A whole episode in one picture: how it ended, where each robot went, and what it did at each stop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from coterie.log.state import RobotState, State
from coterie.render import palette
from coterie.render.labels import Area, Labels, around
from coterie.render.maps import Map
from coterie.render.shapes import Box, Drawing, Path, Point, Shape, Text
from coterie.render.text import width, wrap
from coterie.worlds.indoor.pictures import close_up as table
from coterie.worlds.indoor.pictures import house, panel, team
from coterie.worlds.indoor.pictures.draw import blank, draw_house, loose, new_page, things
from coterie.worlds.indoor.pictures.layout import Page
from coterie.worlds.indoor.pictures.routes import Routes

LANE = 4.5  # ways of different robots run side by side [px]
MOST_MOVES = 1000  # of a robot, its last ones: more lines than that nobody tells apart
WIDEST = 36.0  # but all together no wider than this [px]


def draw_overview(state: State) -> Drawing:
    page = new_page(state)
    drawing, m, hue = blank(state, page), page.map, team.colours(state)
    labels = Labels(m.whole)
    drawing.add(*panel.header(state, panel.ending(state)))
    draw_house(drawing, state, page, hue, labels)
    routes = Routes(state.start.scene)
    drawing.add(*ways(state, routes, m, hue), *things(state, m))
    at = team.places(state, m)
    team.keep_free(state, at, m, labels)
    stops = list(stop_marks(state, m, hue, labels))
    names = [*house.furniture_labels(state, labels, m), *loose(state, m, labels)]
    drawing.add(*team.signs(state, at, m, hue), *names, *team.tags(state, at, m, hue), *stops)
    drawing.add(*table.close_up(state, page.close_up, hue), *journeys(state, page, hue))
    drawing.add(*panel.lately(state, page, hue))
    drawing.add(*panel.footer(state, page, [*panel.signs(state), *signs()]))
    return drawing


def signs() -> Iterator[panel.Sign]:
    """What the legend says of ways."""
    yield "where it set out", start_sign((9, -5), palette.GREY)
    plate = Box(0, -14, 18, 18, palette.GREY, "#ffffff", 1.4, 9)
    yield "where it stopped, in order", [plate, Text(9, -1.2, "1", 10.5, "#ffffff", "middle", True)]


def start_sign(at: Point, colour: str) -> list[Shape]:
    """A filled diamond, unlike any sign of a thing."""
    x, y = at
    corners = ((x, y - 7.5), (x + 7.5, y), (x, y + 7.5), (x - 7.5, y))
    return [Path(corners, colour, "#ffffff", 1.6, closed=True)]


def ways(state: State, routes: Routes, m: Map, hue: Mapping[str, str]) -> Iterator[Shape]:
    for name, robot in state.robots.items():
        if len(robot.trail) < 2:
            continue
        shift = _lane(state, name)
        points: list[Point] = []
        lately = robot.trail[-MOST_MOVES - 1 :]
        for (_, a), (_, b) in pairwise(lately):
            points += [m.at(p) for p in routes.between(robot.card, a, b)]
        moved = tuple((x + shift, y + shift) for x, y in points)
        yield Path(moved, stroke="#ffffff", width=4.6)
        yield Path(moved, stroke=palette.mix(hue[name], "#ffffff", 0.25), width=2.4)
        x, y = m.at(robot.trail[0][1])
        yield from start_sign((x + shift, y + shift), hue[name])


def _lane(state: State, name: str) -> float:
    movers = [n for n, r in state.robots.items() if len(r.trail) > 1]
    lane = min(LANE, WIDEST / len(movers))
    return (movers.index(name) - (len(movers) - 1) / 2) * lane


def stop_marks(state: State, m: Map, hue: Mapping[str, str], labels: Labels) -> Iterator[Shape]:
    """The numbers of a robot's stops, on small plates where it stood."""
    for name, robot in state.robots.items():
        if robot.card.get("mobility") == "fixed":
            continue
        numbers: dict[Point, list[int]] = {}
        for i, stop in enumerate(robot.stops, 1):
            numbers.setdefault(stop.pose, []).append(i)
        for pose, which in numbers.items():
            x, y = m.at(pose)
            words = " ".join(str(n) for n in which[:6]) + (" …" if len(which) > 6 else "")
            w, h = max(18.0, width(words, 10.5, True) + 10), 18.0
            corners = [(x - w / 2, y - h / 2), *around(Area(x - 10, y - 10, 20, 20), w, h, 0)]
            corners += [c for r in (24, 34, 46) for c in around(Area(x - r, y - r, 2 * r, 2 * r), w, h, 0)]
            area = labels.place(w, h, corners, gap=1)
            yield Box(*area, hue[name], "#ffffff", 1.4, 9)
            yield Text(area.x + w / 2, area.y + 12.8, words, 10.5, "#ffffff", "middle", bold=True)


def journeys(state: State, page: Page, hue: Mapping[str, str]) -> Iterator[Shape]:
    """The roster, with each robot's stops and deeds in place of its last action."""
    for i, robot in enumerate(state.robots.values()):
        box = page.card(i)
        yield from panel.plate(robot, box, hue[robot.name])
        y = box.y + 38
        if not robot.online:
            room = width(f"{robot.name} {robot.body}", 13.5, True)
            yield Text(box.x + 60 + room + 12, box.y + 22, f"gone since step {robot.left}", 11, palette.GREY)
        for row in wrap(_journey(robot), 10.5, box.w - 72, 4):
            yield Text(box.x + 60, y, row, 10.5, palette.INK)
            y += 14


def _journey(robot: RobotState) -> str:
    if robot.card.get("mobility") == "fixed":
        return ", ".join(d for s in robot.stops for d in s.deeds) or "did nothing"
    parts = []
    for i, stop in enumerate(robot.stops, 1):
        deeds = f": {', '.join(stop.deeds)}" if stop.deeds else ""
        parts.append(f"{i} {stop.place}{deeds}")
    return "; ".join(parts) or "stayed where it was"
