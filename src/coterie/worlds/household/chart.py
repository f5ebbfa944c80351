"""A robot's own chart: where it can go, as far as it knows, and where the known ends. A view of its belief.

Places a robot can be in are nodes, a step apart, counted from where it stands. A set of nodes is one whole number with
a bit for each, so that a wave over the house takes a few shifts a step, and the way to the nearest of many places is
found in less than a millisecond.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.area import NOTHING, Area, Patch
from coterie.core.facts import UNKNOWN, Belief
from coterie.core.protocol import RobotView
from coterie.worlds.household.floor import TALLEST_M
from coterie.worlds.household.fluents import Box, Pose
from coterie.worlds.household.perception import BLOCKED, CELL_M

Node = tuple[int, int]  # column and row
Mask = NDArray[np.bool_]
TIGHT_M, ROOMY_M = 0.1, 0.32  # how far a cell that is known to be blocked must be from the middle of a robot
MARGIN = 8  # cells around what is known
FAR_M = 60.0  # places further off are of no use to anybody
LOOSE = 0.6  # of the cells at a node: so many are unknown where the known ends
SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


def chart_of(me: RobotView) -> Chart:
    """The chart of a robot, brought up to date with its belief; what was worked out before is kept."""
    chart: Chart | None = me.__dict__.get("_chart")
    belief = me.belief
    if chart is None:
        chart = me.__dict__["_chart"] = Chart(belief, step_of(me))
    if not chart.is_new(belief):
        return chart
    pose = belief.value("pose", me.name)
    if pose is not UNKNOWN:
        chart.update(pose)  # type: ignore[arg-type]
    return chart


def step_of(me: RobotView) -> float:
    """How far a step of this robot goes, as its world has it."""
    here: Any = me.belief.value("pose", me.name)
    if here is UNKNOWN:
        return 0.25
    there: Any = me.look("moved", me.name, "ahead")
    return max(0.05, round(math.dist(here[:2], there[:2]), 4))


class Chart:
    """What a belief says of the ground, as nodes."""

    def __init__(self, belief: Belief, step_m: float = 0.25):
        self.belief, self.step_m = belief, step_m
        self.dull: set[tuple[int, int]] = set()  # cells of the ground that were looked at in vain
        self.pose: Pose = (0.0, 0.0, 0.0, 0.0)
        self._facts = self._known = -1
        self._furniture = Area()  # the outlines of furniture that is known
        self._places: list[tuple[int, int]] = []  # cells that were heard of
        self._anchor: tuple[float, float] = (math.nan, math.nan)
        self._least: tuple[Any, Any] = (None, None)
        self._reset((0, 0), np.zeros((0, 0), dtype=np.uint8))

    def is_new(self, belief: Belief) -> bool:
        """Whether there is anything in a belief that the chart has not taken in."""
        return belief.cursor != self._facts or belief.area.cursor + self._furniture.cursor != self._known

    def update(self, pose: Pose) -> None:
        self.pose = pose
        belief, step = self.belief, self.step_m
        anchor = (round(pose[0] % step, 3), round(pose[1] % step, 3))
        if belief.cursor != self._facts:
            for fact in belief.since(max(self._facts, 0)):
                if fact.pred == "box" and fact.value is not UNKNOWN:
                    self._furniture.tell(outline(fact.value))  # type: ignore[arg-type]
                elif fact.pred == "spot" and isinstance(fact.value, tuple):
                    self.include(*fact.value[:2])
            self._facts = belief.cursor
        known = belief.area.cursor + self._furniture.cursor
        if known != self._known or anchor != self._anchor:
            self._known, self._anchor = known, anchor
            self._build()

    def include(self, x: float, y: float) -> None:
        """A place that was heard of belongs to the chart, even if nothing is known of the ground there."""
        here = math.floor(x / CELL_M), math.floor(y / CELL_M)
        if math.dist((x, y), self.pose[:2]) <= FAR_M and not self._within(here):
            self._places.append(here)
            self._known = -1

    def _within(self, cell: tuple[int, int]) -> bool:
        rows, columns = self.cells.shape
        return MARGIN <= cell[0] - self.low[0] < columns - MARGIN and MARGIN <= cell[1] - self.low[1] < rows - MARGIN

    # -- from cells to nodes --------------------------------------------------------------------------------------
    def _build(self) -> None:
        """The ground that is known, furniture that was heard of, and a margin of what is not known around both."""
        parts = [part for part in (self.belief.area, self._furniture) if part.cells.size]
        if not parts:
            return
        low = tuple(min([p.low[i] for p in parts] + [at[i] for at in self._places]) - MARGIN for i in (0, 1))
        far = ([p.low[i] + p.cells.shape[1 - i] for p in parts] + [at[i] + 1 for at in self._places] for i in (0, 1))
        columns, rows = (max(ends) + MARGIN - low[i] for i, ends in enumerate(far))
        cells = np.zeros((rows, columns), dtype=np.uint8)
        for part in parts:
            x, y = part.low[0] - low[0], part.low[1] - low[1]
            here = cells[y : y + part.cells.shape[0], x : x + part.cells.shape[1]]
            np.maximum(here, part.cells, out=here)
        self._reset((low[0], low[1]), cells)

    def _reset(self, low: tuple[int, int], cells: NDArray[np.uint8]) -> None:
        """Where nodes lie among cells; sets of them are made when they are asked for."""
        self.cells, self.low = cells, low
        rows, columns = cells.shape
        step, (ax, ay) = self.step_m, self._anchor
        if not cells.size or math.isnan(ax):
            self.x0 = self.y0 = self.columns = self.rows = 0
            ax = ay = 0.0
        else:
            self.x0, self.columns = _span(low[0] * CELL_M, columns * CELL_M, ax, step)
            self.y0, self.rows = _span(low[1] * CELL_M, rows * CELL_M, ay, step)
        self._offset = ax, ay
        self.wide = self.columns + 1  # a column that nobody is in keeps waves from coming in at the other side
        self._sets: dict[str, int] = {}

    def node(self, x: float, y: float) -> Node:
        """The node nearest to a point."""
        return (
            round((x - self._offset[0]) / self.step_m) - self.x0,
            round((y - self._offset[1]) / self.step_m) - self.y0,
        )

    def point(self, node: Node) -> tuple[float, float]:
        return (
            (node[0] + self.x0) * self.step_m + self._offset[0],
            (node[1] + self.y0) * self.step_m + self._offset[1],
        )

    @property
    def here(self) -> Node:
        return self.node(self.pose[0], self.pose[1])

    def bit(self, node: Node) -> int:
        """The set of one node; of none, for one outside."""
        column, row = node
        return 1 << row * self.wide + column if 0 <= column < self.columns and 0 <= row < self.rows else 0

    def nodes(self, some: int) -> list[Node]:
        """The nodes of a set, in the order of rows and columns."""
        found = []
        while some:
            low = some & -some
            row, column = divmod(low.bit_length() - 1, self.wide)
            found.append((column, row))
            some ^= low
        return found

    def all_of(self, mask: Mask) -> int:
        """The set of a table (rows, columns) of nodes."""
        padded = np.zeros((self.rows, self.wide), dtype=bool)
        padded[:, : self.columns] = mask
        return int.from_bytes(np.packbits(padded.reshape(-1), bitorder="little").tobytes(), "little")

    def _around(self, which: Mask, radius_m: float, count: bool = False) -> NDArray[Any]:
        """For every node whether such a cell is near it, or how many are."""
        reach = math.ceil(radius_m / CELL_M)
        rows, columns = which.shape
        edge = reach + 2
        padded = np.zeros((rows + 2 * edge, columns + 2 * edge), dtype=bool)
        padded[edge:-edge, edge:-edge] = which
        found = np.zeros((self.rows, self.columns), dtype=np.int8 if count else bool)
        x, y = self._in_cells(np.arange(self.columns), 0), self._in_cells(np.arange(self.rows), 1)
        ix, iy = np.floor(x + 1e-6).astype(np.intp), np.floor(y + 1e-6).astype(np.intp)
        fx, fy = x - ix, y - iy
        stride = self.step_m / CELL_M
        alike = abs(stride - round(stride)) < 1e-6  # every node lies in its cell where the first one does
        near = (radius_m / CELL_M) ** 2
        for a in range(-reach, reach + 1):
            for b in range(-reach, reach + 1):
                row, column = int(iy[0]) + b + edge, int(ix[0]) + a + edge
                if alike:
                    if (a + 0.5 - fx[0]) ** 2 + (b + 0.5 - fy[0]) ** 2 <= near:
                        step = round(stride)
                        stop = row + self.rows * step, column + self.columns * step
                        found += padded[row : stop[0] : step, column : stop[1] : step]  # `+` on truth values is `or`
                    continue
                some = ((b + 0.5 - fy) ** 2)[:, None] + (a + 0.5 - fx) ** 2 <= near
                if some.any():
                    found += padded[np.ix_(iy + b + edge, ix + a + edge)] & some
        return found

    def _in_cells(self, nodes: NDArray[np.intp], axis: int) -> NDArray[np.float64]:
        """Where nodes lie along an axis, counted in cells of the table."""
        first = (self.x0, self.y0)[axis]
        return np.asarray(((nodes + first) * self.step_m + self._offset[axis]) / CELL_M - self.low[axis], np.float64)

    # -- sets of nodes --------------------------------------------------------------------------------------------
    def _made(self, name: str, make: Callable[[], int]) -> int:
        if name not in self._sets:
            self._sets[name] = make()
        return self._sets[name]

    @property
    def tight(self) -> int:
        """Where a robot may just fit."""
        return self._made("tight", lambda: self._free(TIGHT_M))

    @property
    def roomy(self) -> int:
        """Where a robot fits with room to spare."""
        return self._made("roomy", lambda: self._free(ROOMY_M) & self.tight)

    def _free(self, radius_m: float) -> int:
        if not self.cells.size:
            return 0
        blocked = self._around(self.cells == BLOCKED, radius_m)
        return self.all_of(~blocked) & ~self.unknown

    @property
    def open(self) -> int:
        """Nodes that are not known, and of which nothing is known to block them."""
        blocked = lambda: self.all_of(self._around(self.cells == BLOCKED, 2 * TIGHT_M))  # noqa: E731
        return self.unknown & ~self._made("blocked", blocked)

    @property
    def unknown(self) -> int:
        """Nodes of which little or nothing is known."""
        return self._made("unknown", lambda: self.all_of(self._unknown()) if self.cells.size else 0)

    def _unknown(self) -> Mask:
        cells = self._around(self.cells == 0, TIGHT_M, count=True)
        key = (self.cells.shape, self.low, self.x0, self.y0, self._offset)
        if self._least[0] != key:  # how many cells there are around each node stays, while the chart does not grow
            every = self._around(np.ones_like(self.cells, dtype=bool), TIGHT_M, count=True)
            self._least = (key, np.maximum(every, 1) * LOOSE)
        found: Mask = cells >= self._least[1]
        return found

    @property
    def frontier(self) -> int:
        """Where a robot can be and the known ends: beside it lie unknown nodes that are more than a gap."""
        return self._made("frontier", self._frontier)

    def _frontier(self) -> int:
        unknown = self.unknown & ~self._dull()
        a, b, c, d = unknown << 1, unknown >> 1, unknown << self.wide, unknown >> self.wide
        more = unknown & ((a & b) | (a & c) | (a & d) | (b & c) | (b & d) | (c & d))
        return self.tight & self.beside(more)

    def _dull(self) -> int:
        found = 0
        for x, y in self.dull:
            found |= self.bit(self.node((x + 0.5) * CELL_M, (y + 0.5) * CELL_M))
        return found

    def bore(self, node: Node) -> None:
        """Nothing more is to be learnt here: what is unknown beside a node stays so."""
        for dx, dy in SIDES:
            x, y = self.point((node[0] + dx, node[1] + dy))
            self.dull.add((math.floor(x / CELL_M), math.floor(y / CELL_M)))
        self._sets.pop("frontier", None)

    def beside(self, some: int) -> int:
        return some << 1 | some >> 1 | some << self.wide | some >> self.wide

    def room(self, number: int) -> int:
        """The nodes of a room, by the number that its floor has."""
        return self._made(f"room {number}", lambda: self.all_of(self._around(self.cells == number, TIGHT_M)))

    def near(self, points: Iterable[tuple[float, float]], radius_m: float) -> int:
        """Nodes within a distance of any of some points."""
        if not self.cells.size:
            return 0
        xs = (np.arange(self.columns) + self.x0) * self.step_m + self._offset[0]
        ys = (np.arange(self.rows) + self.y0) * self.step_m + self._offset[1]
        found = np.zeros((self.rows, self.columns), dtype=bool)
        for x, y in points:
            found |= (ys[:, None] - y) ** 2 + (xs - x) ** 2 <= radius_m * radius_m
        return self.all_of(found)

    def near_box(self, box: Box, radius_m: float) -> int:
        """Nodes within a distance of the outline of a piece of furniture."""
        if not self.cells.size:
            return 0
        xs = (np.arange(self.columns) + self.x0) * self.step_m + self._offset[0] - box[0]
        ys = ((np.arange(self.rows) + self.y0) * self.step_m + self._offset[1] - box[1])[:, None]
        c, s = math.cos(math.radians(box[5])), math.sin(math.radians(box[5]))
        along = np.maximum(np.abs(xs * c + ys * s) - box[2] / 2, 0.0)
        across = np.maximum(np.abs(ys * c - xs * s) - box[3] / 2, 0.0)
        return self.all_of(along * along + across * across <= radius_m * radius_m)

    # -- ways -----------------------------------------------------------------------------------------------------
    def way(self, goals: int, shut: int = 0, start: Node | None = None, boldly: bool = False) -> list[Node] | None:
        """The nodes of a shortest way to the nearest of some, the first is where it starts; None where there is none.

        It keeps to where there is room, if it can, and `boldly` goes where nothing is known, if it must. `shut` are
        nodes that are not to be used.
        """
        first = self.bit(start if start is not None else self.here)
        for free in (self.roomy, self.tight, *([self.tight | self.open] if boldly else ())):
            found = self._wave(first, goals & free, free & ~shut)
            if found is not None:
                return found
        return None

    def _wave(self, first: int, goals: int, free: int) -> list[Node] | None:
        if not first or not goals:
            return None
        wide, seen, front, layers = self.wide, first, first, [first]
        while not front & goals:
            front = (front << 1 | front >> 1 | front << wide | front >> wide) & free & ~seen
            if not front:
                return None
            seen |= front
            layers.append(front)
        at = front & goals
        at &= -at
        way, last = [at], 0
        for layer in reversed(layers[:-1]):
            ahead = [last] if last else []
            for shift in (*ahead, 1, -1, wide, -wide):
                back = at >> shift if shift > 0 else at << -shift
                if back & layer:
                    at, last = back, shift
                    break
            way.append(at)
        return [self._at(bit) for bit in reversed(way)]

    def _at(self, bit: int) -> Node:
        row, column = divmod(bit.bit_length() - 1, self.wide)
        return column, row

    def reached(self, shut: int = 0) -> int:
        """All nodes that a robot can get to, as far as it knows."""
        first = front = self.bit(self.here)
        free, wide, seen = self.tight & ~shut, self.wide, first
        while front:
            front = (front << 1 | front >> 1 | front << wide | front >> wide) & free & ~seen
            seen |= front
        return seen

    def steps_to(self, goals: int) -> int | None:
        """How many steps it is to the nearest of some nodes."""
        found = self.way(goals)
        return None if found is None else len(found) - 1


def outline(box: Box) -> Patch:
    """The cells that a piece of furniture stands on."""
    x, y, wide, deep, _, yaw, _, base = box
    if base >= TALLEST_M:
        return NOTHING  # a robot goes under it
    half = math.hypot(wide, deep) / 2
    x0, x1 = math.floor((x - half) / CELL_M), math.ceil((x + half) / CELL_M)
    y0, y1 = math.floor((y - half) / CELL_M), math.ceil((y + half) / CELL_M)
    dx = (np.arange(x0, x1) + 0.5) * CELL_M - x
    dy = ((np.arange(y0, y1) + 0.5) * CELL_M - y)[:, None]
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    inside = (np.abs(dx * c + dy * s) <= wide / 2) & (np.abs(dy * c - dx * s) <= deep / 2)
    return Patch((x0, y0), inside.astype(np.uint8) * BLOCKED)


def _span(low_m: float, size_m: float, anchor: float, step: float) -> tuple[int, int]:
    """The first node of a stretch, and how many there are."""
    first = math.ceil((low_m - anchor) / step - 1e-6)
    last = math.floor((low_m + size_m - anchor) / step + 1e-6)
    return first, max(0, last - first + 1)
