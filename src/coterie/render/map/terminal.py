"""The map in a terminal: two rows of ground in every line of letters, filling up as robots see more of it."""

from __future__ import annotations

import math

from coterie.core.lazy import np
from coterie.motion import polygons
from coterie.render import palette
from coterie.render.describe import FloorPlan, Frame, Point

UNSEEN, SOLID = "#54565f", "#8a7c66"
SHADE = 0.12  # floors are a little darker than on paper
HALF, DOT = "▀", "●"

Run = tuple[str, str, str]  # letters, their colour and that behind them; empty: as the terminal has it


def letters(plan: FloorPlan, frame: Frame, columns: int, rows: int) -> list[list[Run]]:
    """Lines of letters with their colours; `columns` and `rows` are what there is room for."""
    x0, y0, x1, y1 = plan.bounds
    metre = min(columns / (x1 - x0), 2 * rows / (y1 - y0))  # letters and half lines are about as wide as high
    wide, high = max(1, math.floor((x1 - x0) * metre)), max(2, math.floor((y1 - y0) * metre))
    xs, ys = x0 + (np.arange(wide) + 0.5) / metre, y1 - (np.arange(high) + 0.5) / metre
    picture = _ground(plan, frame, xs, ys)
    marks: dict[tuple[int, int], tuple[str, str]] = {}

    def cell(at: Point) -> tuple[int, int]:
        return int((at[0] - x0) * metre), int((y1 - at[1]) * metre / 2)

    for item in frame.items:
        if item.wanted and not item.hidden:
            marks[cell(item.at)] = (DOT, palette.GOLD)
    for agent in frame.agents:
        if agent.at is not None:
            marks[cell(agent.at)] = (agent.name[:1], agent.colour)
    return [_line(picture[i], picture[i + 1], {j: m for (j, k), m in marks.items() if k == i // 2})
            for i in range(0, high - 1, 2)]  # fmt: skip


def _line(upper: list[str], lower: list[str], marks: dict[int, tuple[str, str]]) -> list[Run]:
    line: list[Run] = []
    for j, (above, below) in enumerate(zip(upper, lower)):
        mark, colour = marks.get(j, ("", ""))
        if mark:
            line.append((mark, colour, above) if mark == DOT else (mark, "#ffffff", colour))
            continue
        run = (HALF, above, below) if above or below else (" ", "", "")
        if line and line[-1][1:] == run[1:] and line[-1][0][-1:] == run[0]:
            line[-1] = (line[-1][0] + run[0], *run[1:])
        else:
            line.append(run)
    return line


def _ground(plan: FloorPlan, frame: Frame, xs: np.ndarray, ys: np.ndarray) -> list[list[str]]:
    """The colour of every half letter; empty outside the house."""
    colours = ["", UNSEEN, SOLID, *(palette.mix(palette.floor(r.kind), "#3a3a46", SHADE) for r in plan.regions)]
    found = np.zeros((len(ys), len(xs)), int)
    for i, region in enumerate(plan.regions, 3):
        found[polygons.mask(region.outline, xs, ys, 0.0)] = i
    for fixture in plan.fixtures:
        if fixture.name not in frame.unseen:
            found[polygons.mask(fixture.outline, xs, ys, 0.0)] = 2
    if frame.cells is not None:
        (x, y), size, rows = frame.cells.low, frame.cells.cell_m, frame.cells.rows
        dark = np.array([[c != " " for c in row] for row in rows])
        j = np.clip(((xs - x) / size).astype(int), 0, dark.shape[1] - 1)
        i = np.clip(((ys - y) / size).astype(int), 0, dark.shape[0] - 1)
        found[dark[np.ix_(i, j)] & (found > 0)] = 1
    return [[colours[k] for k in row] for row in found.tolist()]
