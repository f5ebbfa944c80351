"""One state of an episode as a drawing: the house from above, the team in it, and what it is about.

A drawing has two layers. The back is everything that stands still during a step; the front is the team. A film draws
the back once and moves the front over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from coterie.core.errors import CoterieError
from coterie.log.state import State
from coterie.log.words import task_name
from coterie.render import palette, tokens
from coterie.render.labels import Area, Labels, around
from coterie.render.maps import Map
from coterie.render.shapes import Disc, Drawing, Path, Point, Shape, Text
from coterie.render.text import width
from coterie.worlds.indoor.pictures import close_up as table
from coterie.worlds.indoor.pictures import house, panel, team
from coterie.worlds.indoor.pictures.layout import WIDTH, Page
from coterie.worlds.indoor.pictures.routes import Routes


def draw(state: State, routes: Routes | None = None) -> Drawing:
    page = new_page(state)
    labels = Labels(page.map.whole)
    drawing, names = back(state, page, routes or Routes(state.start.scene), labels, panel.when(state))
    drawing.add(*front(state, page, labels, names))
    return drawing


def new_page(state: State, seats: int | None = None) -> Page:
    """A page for a state; `seats` keeps room in the roster for robots that come later."""
    scene = state.start.scene
    if not scene or not scene.get("rooms"):
        raise CoterieError("This log describes no house, so there is nothing to draw from above.")
    return Page(scene, max(len(state.robots), seats or 0))


def blank(state: State, page: Page) -> Drawing:
    scene = state.start.scene
    title = f"{task_name(state.start)}, {panel.when(state)}: {', '.join(state.robots)} in {scene['name']}"
    return Drawing(WIDTH, page.height, palette.PAPER, title)


def back(state: State, page: Page, routes: Routes, labels: Labels, when: str) -> tuple[Drawing, list[Shape]]:
    """All but the team, and the names of furniture and things, which lie above the team.

    The name tags of the team, at rest, are placed first, so that other labels leave room.
    """
    drawing, m, hue = blank(state, page), page.map, team.colours(state)
    drawing.add(*panel.header(state, when))
    draw_house(drawing, state, page, hue, labels)
    drawing.add(*team.trails(state, routes, m), *things(state, m))
    team.keep_free(state, team.places(state, m), m, labels)
    names = [*house.furniture_labels(state, labels, m), *loose(state, m, labels)]
    drawing.add(*table.close_up(state, page.close_up, hue))
    drawing.add(*panel.lately(state, page, hue), *panel.footer(state, page, panel.signs(state)))
    return drawing, names


def front(state: State, page: Page, labels: Labels, names: list[Shape]) -> list[Shape]:
    """The team at rest: signs, tags, speech and roster."""
    m, hue = page.map, team.colours(state)
    at = team.places(state, m)
    bubbles = team.bubbles(state, at, m, hue, labels.copy())
    roster = panel.roster(state, page, hue)
    return [*team.signs(state, at, m, hue), *names, *bubbles, *team.tags(state, at, m, hue), *roster]


def moving_front(
    state: State, page: Page, ways: Mapping[str, tuple[Point, ...]], names: list[Shape]
) -> list[Shape]:  # fmt: skip
    """The team on its way; each way [m] ends where the robot is now, and the roster names the room it is in."""
    m, hue = page.map, team.colours(state)
    for name, way in ways.items():
        state.robots[name].pose = way[-1]
    at = team.places(state, m)
    shapes: list[Shape] = [
        Path(tuple(m.at(p) for p in way), stroke=palette.mix(hue[name], "#ffffff", 0.3), width=2.8, dash=(1.5, 6))
        for name, way in ways.items()
        if len(way) > 1
    ]
    roster = panel.roster(state, page, hue)
    return [*shapes, *team.signs(state, at, m, hue), *names, *team.tags(state, at, m, hue), *roster]


def draw_house(drawing: Drawing, state: State, page: Page, hue: Mapping[str, str], labels: Labels) -> None:
    scene, m = state.start.scene, page.map
    drawing.add(*house.rooms(scene, state.open, m))
    for f in scene["furniture"]:
        drawing.add(*house.furniture(f, state.open.get(f["name"], True), m))
    drawing.add(*table.platforms(state, m))
    house.avoid(scene, m, labels)
    if not page.room_names:
        page.room_names.update(house.room_names(scene, m))
    labels.taken += page.room_names.values()
    drawing.add(*house.name_rooms(scene, page.room_names))
    drawing.add(*house.zones(state, hue, m))


def things(state: State, m: Map) -> Iterator[Shape]:
    """Everything that nobody holds; what lies in a closed container is hollow."""
    closed = {f["name"] for f in state.start.scene["furniture"] if f["opens"] and not state.open.get(f["name"])}
    small = {p[0] for p in state.start.platforms} | {state.start.scene["work"].get("table")}
    for t in state.things.values():
        if state.outer(t) not in state.robots:
            at = table.thing_spot(state, t, m)
            r = 4.4 if t.place in small else 5.5
            yield from tokens.thing(at, r, t.kind, t.colour, t.name in state.targets, state.outer(t) in closed)


def loose(state: State, m: Map, labels: Labels) -> Iterator[Shape]:
    """Names of what lies on the floor."""
    for t in state.things.values():
        if t.place.startswith("floor@"):
            x, y = m.at(t.spot)
            wanted = t.name in state.targets
            w, h = width(t.name, 10.5, wanted), 12.0
            corners = [c for gap in (1, 16, 34) for c in around(Area(x - 10, y - 10, 20, 20), w, h, gap)]
            area = labels.place(w, h, corners)
            yield Disc(x, y, 10, "", palette.FAINT, 1.0)
            yield Text(area.x, area.y + 10, t.name, 10.5, palette.INK, bold=wanted, halo=palette.PAPER)
