"""The house for a page on which the team moves: map and work table of every state, and robots with their ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coterie.log.state import State
from coterie.render.labels import Area, Labels
from coterie.render.shapes import Drawing, Point
from coterie.render.stage import ROW, Sign, Stage, sign
from coterie.worlds.indoor.pictures import close_up as table
from coterie.worlds.indoor.pictures import house, team
from coterie.worlds.indoor.pictures.draw import draw_house, loose, new_page, things
from coterie.worlds.indoor.pictures.layout import CLOSE_UP, GAP
from coterie.worlds.indoor.pictures.routes import Routes


def stages(states: Iterable[State]) -> Iterator[Stage]:
    routes: Routes | None = None
    page = None
    before: dict[str, Point] = {}
    for state in states:
        routes = routes or Routes(state.start.scene)
        page = page or new_page(state)
        m, hue, drawing = page.map, team.colours(state), Drawing(0, 0)
        labels = Labels(m.whole)
        draw_house(drawing, state, page, hue, labels)
        drawing.add(*things(state, m))
        r, places = team.sign_radius(m), team.places(state, m)
        for name, (x, y) in places.items():  # names keep off robots and their plates
            plates = 2 * ROW if state.robots[name].holding else ROW
            labels.taken.append(Area(x - 1.4 * r, y - 1.4 * r, 2.8 * r, 2.8 * r + plates))
        over = [*house.furniture_labels(state, labels, m), *loose(state, m, labels)]
        area = m.whole
        if table_of(state):
            drawing.add(*table.close_up(state, Area(m.x, m.y + m.h + GAP, m.w, CLOSE_UP), hue))
            area = Area(m.x, m.y, m.w, m.h + GAP + CLOSE_UP)
        signs = {}
        for name, at in places.items():
            robot = state.robots[name]
            held = state.things.get(robot.holding or "")
            what = () if held is None else (held.name, held.kind, held.colour, held.name in state.targets)
            shapes = sign(r, robot.card, name, hue[name], team.facing(state, robot), what)
            way: tuple[Point, ...] = ()
            if robot.pose is not None:
                if name in before and before[name] != robot.pose:
                    way = tuple(m.at(p) for p in routes.between(dict(robot.card), before[name], robot.pose))
                before[name] = robot.pose
            signs[name] = Sign(at, shapes, way)
        yield Stage(area.grown(6), drawing.shapes, signs, over)


def table_of(state: State) -> bool:
    """Is there a work table, to be shown from near?"""
    scene = state.start.scene
    return any(f["name"] == scene.get("work", {}).get("table") for f in scene["furniture"])
