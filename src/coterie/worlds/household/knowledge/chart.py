"""A robot's own chart: where it can go, as far as it knows, and where the known ends. A view of its belief.

Places a robot can be in are nodes, a step apart, counted from where it stands (`nodes.py`). A set of nodes is one whole
number with a bit for each, so that a wave over the house takes a few shifts a step, and the way to the nearest of many
places is found in less than a millisecond.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from coterie.core.area import NOTHING, Area, Patch
from coterie.core.facts import UNKNOWN, Belief
from coterie.core.protocol import RobotView
from coterie.houses.floor import TALLEST_M
from coterie.worlds.household.fluents import Box, Pose
from coterie.worlds.household.knowledge.nodes import Cells, Node, Nodes
from coterie.worlds.household.perception import BLOCKED, CELL_M

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
    """The ground of a belief, as nodes."""

    def __init__(self, belief: Belief, step_m: float = 0.25):
        self.belief, self.step_m = belief, step_m
        self.dull: set[tuple[int, int]] = set()  # cells of the ground that were looked at in vain
        self.bumps: deque[int] = deque(maxlen=3)  # the last steps at which another robot was in the way
        self.shut: dict[tuple[float, float], tuple[int, int]] = {}  # where that was: until which step it is avoided,
        # and how often it was so
        self.standing: dict[str, tuple[tuple[float, ...], float, float]] = {}  # robot -> where it was seen, since when,
        # and when last
        self.jams = 0  # how often others stood before all that is left to explore, and did not move on
        self.pose: Pose = (0.0, 0.0, 0.0, 0.0)
        self._facts = -1
        self._read = (-1, -1)  # how much of the ground and of furniture is in the nodes
        self._tables: tuple[object, object] = (None, None)  # the cells of both, when that was last asked
        self._dulled: tuple[Nodes | None, int, int] = (None, 0, 0)  # for which nodes and how many, and their set
        self._furniture = Area()  # the outlines of furniture that is known
        self._places: list[tuple[int, int]] = []  # cells that were heard of
        self._nodes: Nodes
        self._anchor: tuple[float, float]
        self.cells: Cells
        self._reset((0, 0), (0, 0), (math.nan, math.nan))

    def is_new(self, belief: Belief) -> bool:
        """True if there is anything in a belief that the chart has not taken in."""
        read = self._read
        return belief.cursor != self._facts or belief.area.cursor != read[0] or self._furniture.cursor != read[1]

    def update(self, pose: Pose) -> None:
        belief, step, anchor = self.belief, self.step_m, self._anchor
        if pose[0] != self.pose[0] or pose[1] != self.pose[1] or anchor[0] != anchor[0]:
            anchor = (round(pose[0] % step, 3), round(pose[1] % step, 3))
        self.pose = pose
        if belief.cursor != self._facts:
            for fact in belief.since(max(self._facts, 0)):
                pred = fact[0]
                if pred == "box" and fact.value is not UNKNOWN:
                    self._furniture.tell(outline(fact.value))  # type: ignore[arg-type]
                elif pred == "spot" and isinstance(fact.value, tuple):
                    self.include(*fact.value[:2])
            self._facts = belief.cursor
        area, furniture = belief.area, self._furniture
        if area.cursor != self._read[0] or furniture.cursor != self._read[1] or anchor != self._anchor:
            self._build((area, furniture), anchor)

    def include(self, x: float, y: float) -> None:
        """A place that was heard of belongs to the chart, even if nothing is known of the ground there."""
        here = math.floor(x / CELL_M), math.floor(y / CELL_M)
        if math.dist((x, y), self.pose[:2]) <= FAR_M and not self._within(here):
            self._places.append(here)
            self._read = (-1, -1)

    def _within(self, cell: tuple[int, int]) -> bool:
        rows, columns = self.cells.shape
        return MARGIN <= cell[0] - self.low[0] < columns - MARGIN and MARGIN <= cell[1] - self.low[1] < rows - MARGIN

    # -- from cells to nodes --------------------------------------------------------------------------------------
    def _build(self, parts: tuple[Area, Area], anchor: tuple[float, float]) -> None:
        """The ground that is known, furniture that was heard of, and a margin of what is not known around both. What
        is in the nodes already stays there, where they still fit."""
        read, self._read = self._read, (parts[0].cursor, parts[1].cursor)
        tables = parts[0].cells, parts[1].cells  # an area that grows gets another table
        grown = tables[0] is not self._tables[0] or tables[1] is not self._tables[1]
        if grown or anchor != self._anchor or read[0] < 0:
            self._tables = tables
            some = [p for p in parts if p.cells.size]
            if not some:
                self._anchor = anchor
                return
            low = [min([p.low[i] for p in some] + [at[i] for at in self._places]) - MARGIN for i in (0, 1)]
            far = ([p.low[i] + p.cells.shape[1 - i] for p in some] + [at[i] + 1 for at in self._places] for i in (0, 1))
            columns, rows = (max(ends) + MARGIN - low[i] for i, ends in enumerate(far))
            if (low[0], low[1]) != self.low or (rows, columns) != self.cells.shape or anchor != self._anchor:
                self._reset((low[0], low[1]), (rows, columns), anchor)
                for part in some:
                    self._nodes.tell(part.low, part.cells)
                return
        self._sets.clear()
        for part, known in zip(parts, read):
            if known < part.cursor:
                for patch in part.since(max(known, 0)):
                    self._nodes.tell(patch.low, patch.cells)

    def _reset(self, low: tuple[int, int], shape: tuple[int, int], anchor: tuple[float, float]) -> None:
        """Nodes of which nothing is known; sets of them are made when they are asked for."""
        self.low, self._anchor = low, anchor
        self._nodes = Nodes(low, shape, anchor, self.step_m)
        self.cells, self.wide = self._nodes.cells, self._nodes.wide
        self.rows, self.columns = self._nodes.rows, self._nodes.columns
        self.all_of, self.counts = self._nodes.all_of, self._nodes.counts
        self.node, self.point, self.bit = self._nodes.node, self._nodes.point, self._nodes.bit
        self.near, self.near_box, self.nodes = self._nodes.near, self._nodes.near_box, self._nodes.members
        self._sets: dict[str, int] = {}

    @property
    def here(self) -> Node:
        return self.node(self.pose[0], self.pose[1])

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
        return self._nodes.every & ~self._nodes.near_blocked(radius_m) & ~self.unknown

    @property
    def open(self) -> int:
        """Nodes that are not known, and of which nothing is known to block them."""
        return self.unknown & ~self._made("blocked", lambda: self._nodes.near_blocked(2 * TIGHT_M))

    @property
    def unknown(self) -> int:
        """Nodes of which little or nothing is known."""
        return self._made("unknown", lambda: self._nodes.unknown(TIGHT_M, LOOSE))

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
        nodes, many, found = self._dulled
        if nodes is not self._nodes or many != len(self.dull):
            found = 0
            for x, y in self.dull:
                found |= self.bit(self.node((x + 0.5) * CELL_M, (y + 0.5) * CELL_M))
            self._dulled = self._nodes, len(self.dull), found
        return found

    def bore(self, node: Node) -> None:
        """Nothing more is to be learnt here: what is unknown beside a node stays so."""
        self.dismiss(self.point((node[0] + dx, node[1] + dy)) for dx, dy in SIDES)

    def dismiss(self, points: Iterable[tuple[float, float]]) -> None:
        """These were looked at in vain."""
        self.dull.update((math.floor(x / CELL_M), math.floor(y / CELL_M)) for x, y in points)
        self._sets.pop("frontier", None)

    def beside(self, some: int) -> int:
        return some << 1 | some >> 1 | some << self.wide | some >> self.wide

    def room(self, number: int) -> int:
        """The nodes of a room, by the number that its floor has."""
        return self._made(f"room {number}", lambda: self._nodes.near_number(number, TIGHT_M))

    # -- ways -----------------------------------------------------------------------------------------------------
    def way(self, goals: int, shut: int = 0, start: Node | None = None, boldly: bool = False) -> list[Node] | None:
        """The nodes of a shortest way to the nearest of some, the first is where it starts; None where there is none.

        It keeps to where there is room, if it can, and `boldly` goes where nothing is known, if it must. `shut` are
        nodes that are not to be used.
        """
        first = self.bit(start if start is not None else self.here)
        for free in (self.roomy, self.tight):
            found = self._wave(first, goals & free, free & ~shut)
            if found is not None:
                return found
        return self._straight(first, goals, (self.tight | self.open) & ~shut) if boldly else None

    def _straight(self, first: int, goals: int, free: int) -> list[Node] | None:
        """A shortest way that turns as late as it can: who goes where nothing is known, and turned to every wall that
        may have a gap, would get nowhere."""
        layers = self._layers(goals & free, free | first, first)
        if layers is None:
            return None
        turns = (1, self.wide, -1, -self.wide)
        last, at, way = turns[round(self.pose[2] / 90.0) % 4], first, [first]
        for layer in reversed(layers[:-1]):
            for shift in (last, *turns):
                ahead = at << shift if shift > 0 else at >> -shift
                if ahead & layer:
                    at, last = ahead, shift
                    break
            way.append(at)
        return [self._nodes.at(bit) for bit in way]

    def _layers(self, first: int, free: int, goals: int) -> list[int] | None:
        """Sets of nodes one step further each, from some to the first that holds a goal; None where none does."""
        if not first or not goals:
            return None
        wide, seen, front, layers = self.wide, first, first, [first]
        while not front & goals:
            front = (front << 1 | front >> 1 | front << wide | front >> wide) & free & ~seen
            if not front:
                return None
            seen |= front
            layers.append(front)
        return layers

    def _wave(self, first: int, goals: int, free: int) -> list[Node] | None:
        layers = self._layers(first, free, goals)
        if layers is None:
            return None
        wide, at = self.wide, layers[-1] & goals
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
        return [self._nodes.at(bit) for bit in reversed(way)]

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
