"""Exploring by views: of all places and directions that a robot could look from, the one that shows most that is not
known for the steps it takes to get there.

`Explore` of the world goes to the nearest place where the known ends, and so turns back and forth for what one look
from a little further on would show at once. What no view shows is left to it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.action import Action
from coterie.core.protocol import RobotView
from coterie.worlds.household.chart import Chart, Node, chart_of
from coterie.worlds.household.options import SLACK_DEG, Explore, _tilt
from coterie.worlds.household.perception import BLOCKED, CELL_M
from coterie.worlds.household.walking import Walk, crowd, turn_to

Counts = NDArray[np.int32]
HEADINGS = (0, 90, 180, 270)
LEAST_M, MOST_M = 0.3, 1.35  # from a robot: the floor that a look shows
DEPTH = 3  # nodes beyond where the known ends that are hoped for
WORTH = 3  # nodes that a view must show
SETTLE = 2  # steps that every view takes besides its way
TRIED = 8  # of the best views are looked at closely
SEEN = 0.6  # of what a view was to show: then it has done its work
FAR = 10_000


class View(NamedTuple):
    at: tuple[float, float]
    heading: int
    shows: tuple[tuple[float, float], ...]  # what is not known yet


class Views(Explore):
    """`dull` are nodes that were looked at in vain; whoever made it keeps them."""

    view: View | None = None
    walk: Walk | None = None
    failures = 0

    def step(self, me: RobotView) -> Action | None:
        chart = chart_of(me)
        if self.making_way.busy:
            return self.making_way.step(me, chart)
        if chart.pose[3] > -_tilt(me) + 1e-6 and _tilt(me) <= SLACK_DEG:
            return Action("LookDown")
        for _ in range(4):
            if self.view is None and (self.failures > 2 or not self._choose_view(me, chart)):
                break
            action = self._towards(me, chart)
            if action is not None:
                return action
            self.view = None
        self.view = None
        return super().step(me)

    def worthwhile(self, me: RobotView) -> bool:
        """Whether there is anything left to explore; the first place is chosen when it begins."""
        found = super().worthwhile(me)
        if found and self._choose_view(me, chart_of(me)):
            self.aim = None
        return found

    def _towards(self, me: RobotView, chart: Chart) -> Action | None:
        """The next action; None where the view has shown enough, or there is no way to it."""
        assert self.view is not None and self.walk is not None
        left = [p for p in self.view.shows if not _known(me, p)]
        if len(left) <= (1.0 - SEEN) * len(self.view.shows):
            return None
        action = self.walk.step(me)
        if action is not None:
            return action
        if self.walk.failed:
            self.failures += 1
            return None
        turn = turn_to(me, float(self.view.heading))
        if turn is not None:
            return turn
        chart.dismiss(left)  # it is hidden from here
        return None

    def _choose_view(self, me: RobotView, chart: Chart) -> bool:
        mine, goals = self.goals(chart)
        self.view = best_view(chart, mine or goals, crowd(me, chart)) if goals else None
        if self.view is None:
            return False
        at = self.view.at
        self.walk = Walk(lambda chart: chart.bit(chart.node(*at)), face=True)
        return True


def _known(me: RobotView, point: tuple[float, float]) -> bool:
    return bool(me.belief.area.at(math.floor(point[0] / CELL_M), math.floor(point[1] / CELL_M)))


def best_view(chart: Chart, goals: int, shut: int) -> View | None:
    """Where to look from at what lies beyond some places where the known ends; None: no view shows enough."""
    hoped = _hoped(chart, goals)
    steps = _steps(chart, shut)
    unknown = _table(chart, hoped)
    best: list[tuple[float, int, int, int]] = []
    facing = round(chart.pose[2] / 90.0) * 90 % 360
    for heading in HEADINGS:
        shown = np.zeros_like(steps)
        for dx, dy in _fan(chart.step_m, heading):
            _add(shown, unknown, dx, dy)
        here = np.where(steps == 0, min((heading - facing) % 360, (facing - heading) % 360) // 90, 1)
        worth = np.where((shown >= WORTH) & (steps < FAR), shown / (steps + here + SETTLE), 0.0)
        for flat in np.argsort(-worth, axis=None, kind="stable")[:TRIED].tolist():
            row, column = divmod(flat, worth.shape[1])
            if worth[row, column] > 0:
                best.append((-round(float(worth[row, column]), 6), heading, row, column))
    for _, heading, row, column in sorted(best)[:TRIED]:
        shows = _clear(chart, (column, row), heading, unknown)
        if len(shows) >= WORTH:
            return View(chart.point((column, row)), heading, shows)
    return None


def _hoped(chart: Chart, goals: int) -> int:
    """Unknown nodes beyond places where the known ends."""
    open_ = chart.open
    found = chart.beside(goals) & open_
    for _ in range(DEPTH - 1):
        found |= chart.beside(found) & open_
    return found & ~chart._dull()


def _steps(chart: Chart, shut: int) -> Counts:
    """How many steps it is to every node; FAR where there is no way."""
    found = np.full((chart.rows, chart.columns), FAR, dtype=np.int32)
    free = _table(chart, chart.tight & ~shut)
    front = _table(chart, chart.bit(chart.here))
    count = 0
    while front.any():
        found[front] = count
        free &= ~front
        grown = np.zeros_like(front)
        grown[1:] |= front[:-1]
        grown[:-1] |= front[1:]
        grown[:, 1:] |= front[:, :-1]
        grown[:, :-1] |= front[:, 1:]
        front, count = grown & free, count + 1
    return found


def _table(chart: Chart, some: int) -> NDArray[np.bool_]:
    """A set of nodes as a table (rows, columns)."""
    size = chart.rows * chart.wide
    data = np.frombuffer(some.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
    flat = np.unpackbits(data, bitorder="little")[:size].astype(bool)
    return flat.reshape(chart.rows, chart.wide)[:, : chart.columns]


@lru_cache(maxsize=64)
def _fan(step_m: float, heading: int) -> tuple[Node, ...]:
    """What a look shows, in nodes from where one stands."""
    reach = math.floor(MOST_M / step_m)
    found = []
    for a in range(1, reach + 1):
        for b in range(-a, a + 1):
            if LEAST_M <= math.hypot(a, b) * step_m <= MOST_M:
                turned = {0: (a, b), 90: (-b, a), 180: (-a, -b), 270: (b, -a)}[heading]
                found.append(turned)
    return tuple(found)


def _add(counts: Counts, some: NDArray[np.bool_], dx: int, dy: int) -> None:
    """Count for every node whether the one that lies so far off is one of some."""
    rows, columns = some.shape
    to = np.s_[max(0, -dy) : rows - max(0, dy), max(0, -dx) : columns - max(0, dx)]
    of = np.s_[max(0, dy) : rows - max(0, -dy), max(0, dx) : columns - max(0, -dx)]
    counts[to] += some[of]


def _clear(chart: Chart, node: Node, heading: int, unknown: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """The unknown nodes in a look that nothing known stands before."""
    x, y = chart.point(node)
    found = []
    for dx, dy in _fan(chart.step_m, heading):
        column, row = node[0] + dx, node[1] + dy
        if 0 <= column < chart.columns and 0 <= row < chart.rows and unknown[row, column]:
            to = chart.point((column, row))
            count = max(2, math.ceil(math.dist((x, y), to) / CELL_M))
            line = ((x + (to[0] - x) * i / count, y + (to[1] - y) * i / count) for i in range(1, count))
            if not any(_blocked(chart, *point) for point in line):
                found.append(to)
    return tuple(found)


def _blocked(chart: Chart, x: float, y: float) -> bool:
    column, row = math.floor(x / CELL_M) - chart.low[0], math.floor(y / CELL_M) - chart.low[1]
    rows, columns = chart.cells.shape
    return 0 <= column < columns and 0 <= row < rows and chart.cells[row, column] == BLOCKED
