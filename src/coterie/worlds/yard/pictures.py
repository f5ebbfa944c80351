"""The yard from above."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coterie.log.state import State
from coterie.render import palette
from coterie.render.labels import Area
from coterie.render.pictures import Pictures
from coterie.render.shapes import Box, Disc, Drawing, Shape, Text
from coterie.render.stage import Sign, Stage, plates

CELL, EDGE, HEAD = 72.0, 16.0, 64.0


class YardPictures(Pictures):
    def draw(self, state: State) -> Drawing:
        wide, high = _size(state)
        page = Drawing(wide, HEAD + high, title=state.goal_text)
        page.add(Text(EDGE, 24, state.goal_text, 13, bold=True))
        page.add(Text(EDGE, 46, f"after step {max(0, state.step)}: {state.status_text}", 12))
        page.add(*_cells(state), *_things(state))
        for name, (x, y), colour in _standing(state):
            page.add(Disc(x, y, 13, colour, palette.INK), Text(x, y + 26, name, 11, anchor="middle", bold=True))
        return page

    def stages(self, states: Iterable[State]) -> Iterator[Stage]:
        for state in states:
            wide, high = _size(state)
            signs = {
                name: Sign(at, (Disc(0, 0, 13, colour, palette.INK), *plates(-32, name, colour)))
                for name, at, colour in _standing(state)
            }
            yield Stage(Area(0, HEAD - EDGE, wide, high + EDGE), list(_cells(state)), signs, list(_things(state)))


def _size(state: State) -> tuple[float, float]:
    scene = state.start.scene
    return 2 * EDGE + CELL * max(scene["width"], 6), EDGE + CELL * scene["height"]


def _cells(state: State) -> Iterator[Shape]:
    for y in range(state.start.scene["height"]):
        for x in range(state.start.scene["width"]):
            left, top = _corner(f"{x},{y}")
            yield from (Box(left, top, CELL, CELL, "#f6f4ee", "#c9c4b8"), Text(left + 4, top + 12, f"{x},{y}", 9))


def _things(state: State) -> Iterator[Shape]:
    for thing in state.things.values():
        robot = state.robots.get(thing.place)
        cell = robot.at if robot is not None else thing.place
        if cell is not None:
            left, top = _corner(cell)
            low = top + 26 if robot is not None else top + CELL - 12
            yield from (Box(left + 8, low - 8, 10, 10, "#c77c3a"), Text(left + 22, low, thing.name, 10))


def _standing(state: State) -> Iterator[tuple[str, tuple[float, float], str]]:
    """Robots, where they stand, and their colours."""
    colours = palette.robots({n: r.card for n, r in state.robots.items()})
    for name, robot in state.robots.items():
        if robot.online and robot.at is not None:
            left, top = _corner(robot.at)
            yield name, (left + CELL / 2, top + CELL / 2), colours[name]


def _corner(cell: str) -> tuple[float, float]:
    x, y = (int(v) for v in cell.split(","))
    return EDGE + x * CELL, HEAD + y * CELL
