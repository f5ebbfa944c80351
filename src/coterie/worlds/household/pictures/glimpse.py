"""The house in a terminal: two rows of ground in every line of letters, filling up as robots see more of it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from coterie.log.state import State
from coterie.render import palette
from coterie.render.pictures import Run
from coterie.worlds.household.perception import BLOCKED
from coterie.worlds.household.pictures import colours, team
from coterie.worlds.household.pictures.plan import Plan, window

UNSEEN, OUTSIDE, SOLID = "#54565f", "", "#8a7c66"
_SHADE = 0.12  # floors are a little darker than on paper
HALF, DOT = "▀", "●"


def glimpse(state: State, plan: Plan, columns: int, rows: int) -> list[list[Run]]:
    """Lines of letters with their colours; `columns` and `rows` are what there is room for."""
    x0, y0, x1, y1 = plan.bounds
    metre = min(columns / (x1 - x0), 2 * rows / (y1 - y0))  # letters and half lines are about as wide as high
    wide, high = max(1, math.floor((x1 - x0) * metre)), max(2, math.floor((y1 - y0) * metre))
    xs = x0 + (np.arange(wide) + 0.5) / metre
    ys = y1 - (np.arange(high) + 0.5) / metre
    picture = _ground(state, plan, xs, ys)
    letters: dict[tuple[int, int], tuple[str, str]] = {}
    for name, thing in state.things.items():
        if thing.place in state.robots or len(thing.spot) < 2 or plan.tidy(name, thing.place, thing.spot):
            continue
        if any(name in r.known for r in state.robots.values()):  # astray, and somebody has seen it
            letters[_cell(thing.spot, x0, y1, metre)] = (DOT, palette.GOLD)
    hue = team.hues(state)
    for name, robot in state.robots.items():
        if robot.online and robot.pose is not None:
            letters[_cell(robot.pose, x0, y1, metre)] = (name[:1], hue[name])
    lines = []
    for i in range(0, high - 1, 2):
        line: list[Run] = []
        for j in range(wide):
            upper, lower = picture[i][j], picture[i + 1][j]
            letter = letters.get((j, i // 2))
            if letter is not None:
                mark, colour = letter
                run = (mark, colour, upper) if mark == DOT else (mark, "#ffffff", colour)
            else:
                run = (HALF, upper, lower) if upper or lower else (" ", "", "")
            if line and line[-1][1:] == run[1:] and letter is None:
                line[-1] = (line[-1][0] + run[0], *run[1:])
            else:
                line.append(run)
        lines.append(line)
    return lines


def _cell(at: tuple[float, ...], x0: float, y1: float, metre: float) -> tuple[int, int]:
    return int((at[0] - x0) * metre), int((y1 - at[1]) * metre / 2)


def _ground(state: State, plan: Plan, xs: NDArray[np.floating], ys: NDArray[np.floating]) -> list[list[str]]:
    """The colour of every half letter; empty outside the house."""
    low, rooms = plan.ground
    known = np.zeros(rooms.shape, np.uint8)
    for robot in state.robots.values():
        np.maximum(known, window(robot.area, low, rooms.shape), out=known)
    columns = np.clip((xs / plan.cell_m).astype(int) - low[0], 0, rooms.shape[1] - 1)
    lines = np.clip((ys / plan.cell_m).astype(int) - low[1], 0, rooms.shape[0] - 1)
    here, room = known[np.ix_(lines, columns)], rooms[np.ix_(lines, columns)]
    table = [palette.mix(colours.floor(r.kind), "#3a3a46", _SHADE) for r in plan.house.rooms]
    found = []
    for told, inside in zip(here.tolist(), room.tolist()):
        found.append([
            OUTSIDE if r < 0 and not k else SOLID if k == BLOCKED else table[r] if k and r >= 0 else UNSEEN
            for k, r in zip(told, inside)
        ])  # fmt: skip
    return found
