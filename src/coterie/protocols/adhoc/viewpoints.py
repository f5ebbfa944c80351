"""Exploring by views: of all places and directions that a robot could look from, the one that shows most that is not
known for the steps it takes to get there: floor, and tops of furniture that were not looked at from near.

`Explore` of the world goes to the nearest place where the known ends, and so turns back and forth for what one look
from a little further on would show at once. What no view shows is left to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.action import Action
from coterie.core.protocol import RobotView
from coterie.protocols.adhoc.close_looks import LEAST_M as CLOSE_M
from coterie.protocols.adhoc.close_looks import Looks, in_picture, reach_of
from coterie.worlds.household.knowledge.chart import Chart, Node, chart_of
from coterie.worlds.household.knowledge.graph import number_of, survey_of
from coterie.worlds.household.navigation.walking import Walk, crowd, turn_to
from coterie.worlds.household.options import SLACK_DEG, Explore, step_deg
from coterie.worlds.household.perception import BLOCKED, CELL_M

Counts = NDArray[np.float64]
HEADINGS = (0, 90, 180, 270)
LEAST_M, MOST_M = 0.3, 1.35  # from a robot: the floor that a look shows
DEPTH = 3  # nodes beyond where the known ends that are hoped for
WORTH = 3  # nodes that a view must show
SETTLE = 2  # steps that every view takes besides its way
TRIED = 8  # of the best views are looked at closely
SEEN = 0.6  # of what a view was to show: then it has done its work
FAR = 10_000
PIECE = 16.0  # nodes of floor that the top of a piece of furniture is worth: as many things lie on all as on the floor
BLIND = 0.5  # what a node of floor is worth to eyes that tell nothing apart on it, and only learn what stands there


class Sight(NamedTuple):
    """Part of a top that was not looked at from near: what a robot has to come near to."""

    piece: str
    room: int  # its number
    at: tuple[float, float, float]
    far: float  # from how far on the floor it shows
    worth: float  # in nodes of floor


class View(NamedTuple):
    at: tuple[float, float]
    heading: int
    shows: tuple[tuple[float, float], ...]  # what is not known yet
    sights: tuple[Sight, ...] = ()


class Views(Explore):
    """`looks` keeps what was seen from near; without it, floor alone is looked at."""

    looks: Looks | None = None
    last: Callable[[Chart], int] | None = None  # nodes at which it looks last, for what is sought is not there
    view: View | None = None
    failures = 0

    def step(self, me: RobotView) -> Action | None:
        chart = chart_of(me)
        if self.making_way.busy:
            return self.making_way.step(me, chart)
        tilt = step_deg(me, "tilted", "up")
        if chart.pose[3] > -tilt + 1e-6 and tilt <= SLACK_DEG:
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

    def goals(self, chart: Chart) -> tuple[int, int]:
        mine, goals = super().goals(chart)
        last = self.last(chart) if self.last is not None else 0
        if goals & last and chart.way(goals & ~last) is not None:
            return mine & ~last, goals & ~last
        return mine, goals

    def worthwhile(self, me: RobotView) -> bool:
        """True if there is anything left to explore; the first place is chosen when it begins."""
        found = super().worthwhile(me)
        if found and self._choose_view(me, chart_of(me)):
            self.aim = None
        return found

    def _towards(self, me: RobotView, chart: Chart) -> Action | None:
        """The next action; None where the view has shown enough, or there is no way to it."""
        assert self.view is not None and self.walk is not None
        floor = _floor_worth(me)
        known = me.belief.area.at
        left = [(x, y) for x, y in self.view.shows if not known(math.floor(x / CELL_M), math.floor(y / CELL_M))]
        tops = [s for s in self.view.sights if self.looks is not None and s.at[:2] in self.looks.left.get(s.piece, ())]
        whole = len(self.view.shows) * floor + sum(s.worth for s in self.view.sights)
        if len(left) * floor + sum(s.worth for s in tops) <= (1.0 - SEEN) * whole:
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
        if self.looks is not None:
            self.looks.hidden.update(s.at[:2] for s in tops)
        return None

    def _choose_view(self, me: RobotView, chart: Chart) -> bool:
        mine, goals = self.goals(chart)
        sights = self._sights(me)
        self.view = best_view(me, chart, mine or goals, crowd(me, chart), sights) if goals or sights else None
        if self.view is None:
            return False
        at = self.view.at
        self.walk = Walk(lambda chart: chart.bit(chart.node(*at)), face=True)
        return True

    def _sights(self, me: RobotView) -> list[Sight]:
        """Tops of the room, or of all rooms that need looking at, of which too little was seen."""
        found: list[Sight] = []
        pieces = survey_of(me).pieces.items() if self.looks is not None else ()
        for piece, (_, room) in pieces:
            if (self.room and room != self.room) or room in self.done or not self.looks.undone(piece):  # type: ignore[union-attr]
                continue
            box: Any = me.belief.value("box", piece)
            far = reach_of(me, box[6]) if isinstance(box, tuple) else 0.0
            if far >= CLOSE_M:
                points = [p for p in self.looks.left[piece] if p not in self.looks.hidden]  # type: ignore[union-attr]
                worth = PIECE / max(1, self.looks.whole[piece])  # type: ignore[union-attr]
                found += [Sight(piece, number_of(room), (*p, box[6]), far, worth) for p in points]
        return found


def _floor_worth(me: RobotView) -> float:
    return 1.0 if reach_of(me, 0.0) >= CLOSE_M else BLIND


def best_view(me: RobotView, chart: Chart, goals: int, shut: int, sights: Sequence[Sight] = ()) -> View | None:
    """Where to look from at what lies beyond some places where the known ends, and at tops; None: no view shows
    enough."""
    hoped = _hoped(chart, goals)
    steps = _steps(chart, shut)
    unknown, floor = _table(chart, hoped), _floor_worth(me)
    groups = _grouped(chart, sights)
    best: list[tuple[float, int, int, int]] = []
    facing = round(chart.pose[2] / 90.0) * 90 % 360
    for heading in HEADINGS:
        shown = np.zeros(steps.shape)
        for dx, dy in _fan(chart.step_m, heading):
            _add(shown, unknown, dx, dy)
        shown *= floor
        for inside, far, worths in groups:
            part = np.zeros(steps.shape)
            for dx, dy in _fan(chart.step_m, heading, far):
                _add(part, worths, dx, dy)
            shown += np.where(inside, part, 0.0)
        here = np.where(steps == 0, min((heading - facing) % 360, (facing - heading) % 360) // 90, 1)
        worth = np.where((shown >= WORTH) & (steps < FAR), shown / (steps + here + SETTLE), 0.0)
        for flat in np.argsort(-worth, axis=None, kind="stable")[:TRIED].tolist():
            row, column = divmod(flat, worth.shape[1])
            if worth[row, column] > 0:
                best.append((-round(float(worth[row, column]), 6), heading, row, column))
    for _, heading, row, column in sorted(best)[:TRIED]:
        shows = _clear(chart, (column, row), heading, unknown)
        at = chart.point((column, row))
        pose = (*at, float(heading), chart.pose[3])
        tops = tuple(s for s in sights if in_picture(me, pose, s.at) and chart.bit((column, row)) & chart.room(s.room))
        if len(shows) * floor + sum(s.worth for s in tops) >= WORTH:
            return View(at, heading, shows, tops)
    return None


def _grouped(chart: Chart, sights: Iterable[Sight]) -> list[tuple[NDArray[np.bool_], float, Counts]]:
    """Sights of one room that show from equally far: the nodes of the room, how far, and their worth by nodes."""
    found: dict[tuple[int, float], Counts] = {}
    for sight in sights:
        key = (sight.room, math.floor(sight.far / chart.step_m) * chart.step_m)
        table = found.setdefault(key, np.zeros((chart.rows, chart.columns)))
        column, row = chart.node(*sight.at[:2])
        if 0 <= row < chart.rows and 0 <= column < chart.columns:
            table[row, column] += sight.worth
    return [(_table(chart, chart.room(room)), far, table) for (room, far), table in found.items()]


def _hoped(chart: Chart, goals: int) -> int:
    """Unknown nodes beyond places where the known ends."""
    open_ = chart.open
    found = chart.beside(goals) & open_
    for _ in range(DEPTH - 1):
        found |= chart.beside(found) & open_
    return found & ~chart._dull()


def _steps(chart: Chart, shut: int) -> NDArray[np.int32]:
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
def _fan(step_m: float, heading: int, most_m: float = MOST_M) -> tuple[Node, ...]:
    """The nodes that a look shows, relative to the robot's."""
    reach = math.floor(most_m / step_m)
    found = []
    for a in range(1, reach + 1):
        for b in range(-a, a + 1):
            if LEAST_M <= math.hypot(a, b) * step_m <= most_m:
                turned = {0: (a, b), 90: (-b, a), 180: (-a, -b), 270: (b, -a)}[heading]
                found.append(turned)
    return tuple(found)


def _add(counts: Counts, some: NDArray[Any], dx: int, dy: int) -> None:
    """Add to every node what the one that lies so far off counts."""
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
