"""The yard from above."""

from __future__ import annotations

from coterie.log.state import State
from coterie.render import palette
from coterie.render.pictures import Pictures
from coterie.render.shapes import Box, Disc, Drawing, Text

CELL, EDGE, HEAD = 72.0, 16.0, 64.0


class YardPictures(Pictures):
    def draw(self, state: State) -> Drawing:
        scene = state.start.scene
        width, height = scene["width"], scene["height"]
        page = Drawing(2 * EDGE + CELL * max(width, 6), HEAD + EDGE + CELL * height, title=state.goal_text)
        page.add(Text(EDGE, 24, state.goal_text, 13, bold=True))
        page.add(Text(EDGE, 46, f"after step {max(0, state.step)}: {state.status_text}", 12))
        for y in range(height):
            for x in range(width):
                left, top = _corner(f"{x},{y}")
                page.add(Box(left, top, CELL, CELL, "#f6f4ee", "#c9c4b8"), Text(left + 4, top + 12, f"{x},{y}", 9))
        for thing in state.things.values():
            robot = state.robots.get(thing.place)
            cell = robot.at if robot is not None else thing.place
            if cell is not None:
                left, top = _corner(cell)
                low = top + 26 if robot is not None else top + CELL - 12
                page.add(Box(left + 8, low - 8, 10, 10, "#c77c3a"), Text(left + 22, low, thing.name, 10))
        colours = palette.robots({n: r.card for n, r in state.robots.items()})
        for name, robot_state in state.robots.items():
            if robot_state.online and robot_state.at is not None:
                left, top = _corner(robot_state.at)
                page.add(Disc(left + CELL / 2, top + CELL / 2, 13, colours[name], palette.INK))
                page.add(Text(left + CELL / 2, top + CELL / 2 + 26, name, 11, anchor="middle", bold=True))
        return page


def _corner(cell: str) -> tuple[float, float]:
    x, y = (int(v) for v in cell.split(","))
    return EDGE + x * CELL, HEAD + y * CELL
