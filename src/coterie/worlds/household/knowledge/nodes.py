"""Where robots can be, as nodes a step apart over the cells of the ground; a set of nodes is one whole number with a
bit for each.

Where a step is a whole number of cells, cells are kept as such numbers, too: those that lie alike to their nodes make
up one number. What is near a node is then found for all nodes at once with a few shifts, and where a robot has seen
something new, only those rows are read again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.lazy import kept
from coterie.worlds.household.fluents import Box
from coterie.worlds.household.perception import BLOCKED, CELL_M

Node = tuple[int, int]  # column and row
Mask = NDArray[np.bool_]
Cells = NDArray[np.uint8]

EDGE = 12  # cells around the table that are none: who looks around a node there needs not ask where the table ends
NONE = BLOCKED - 1  # the number of those
MOST_DISCS = 256  # kept around places


class Nodes:
    """Nodes over a table of cells whose first one is `low`; `anchor` is where the first node lies within a step."""

    def __init__(self, low: tuple[int, int], shape: tuple[int, int], anchor: tuple[float, float], step_m: float):
        self.low, self.step_m = low, step_m
        rows, columns = shape
        self._padded = np.full((rows + 2 * EDGE, columns + 2 * EDGE), NONE, dtype=np.uint8)
        self.cells: Cells = self._padded[EDGE : EDGE + rows, EDGE : EDGE + columns]
        self.cells[:] = 0
        ax, ay = anchor
        if not rows or not columns or math.isnan(ax):
            self.x0 = self.y0 = self.columns = self.rows = 0
            ax = ay = 0.0
        else:
            self.x0, self.columns = _span(low[0] * CELL_M, columns * CELL_M, ax, step_m)
            self.y0, self.rows = _span(low[1] * CELL_M, rows * CELL_M, ay, step_m)
        self._offset = ax, ay
        self.wide = self.columns + 1  # a column that nobody is in keeps waves from coming in at the other side
        x, y = self._in_cells(np.arange(self.columns), 0), self._in_cells(np.arange(self.rows), 1)
        self._ix, self._iy = np.floor(x + 1e-6).astype(np.intp), np.floor(y + 1e-6).astype(np.intp)
        self._fx, self._fy = x - self._ix, y - self._iy
        stride = step_m / CELL_M
        #: cells a step, where that is a whole number: every node lies in its cell where the first one does
        self.stride = round(stride) if abs(stride - round(stride)) < 1e-6 and self.rows and self.columns else 0
        self._classes: dict[tuple[bool, int, int], int] = {}
        self._dirty: tuple[int, int, int, int] | None = (0, rows, 0, columns)  # rows and columns of cells that have
        # changed
        self._discs: dict[tuple[float, float, float], int] = {}  # what is near places that are asked for again

    def _in_cells(self, nodes: NDArray[np.intp], axis: int) -> NDArray[np.float64]:
        """Where nodes lie along an axis, counted in cells of the table."""
        first = (self.x0, self.y0)[axis]
        return np.asarray(((nodes + first) * self.step_m + self._offset[axis]) / CELL_M - self.low[axis], np.float64)

    def tell(self, low: tuple[int, int], cells: Cells) -> None:
        """Take in some known cells; of several numbers, a cell keeps the greatest."""
        (rows, columns), x, y = cells.shape, low[0] - self.low[0], low[1] - self.low[1]
        here = self.cells[y : y + rows, x : x + columns]
        np.maximum(here, cells, out=here)
        if self._dirty is None:
            self._dirty = y, y + rows, x, x + columns
        else:
            low_y, high_y, low_x, high_x = self._dirty
            self._dirty = min(low_y, y), max(high_y, y + rows), min(low_x, x), max(high_x, x + columns)

    # -- one and many ---------------------------------------------------------------------------------------------
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

    def bit(self, node: Node) -> int:
        """The set of one node; of none, for one outside."""
        column, row = node
        return 1 << row * self.wide + column if 0 <= column < self.columns and 0 <= row < self.rows else 0

    def members(self, some: int) -> list[Node]:
        """The nodes of a set, in the order of rows and columns."""
        found = []
        while some:
            low = some & -some
            found.append(self.at(low))
            some ^= low
        return found

    def at(self, bit: int) -> Node:
        row, column = divmod(bit.bit_length() - 1, self.wide)
        return column, row

    def all_of(self, mask: Mask) -> int:
        """The set of a table (rows, columns) of nodes."""
        padded = np.zeros((len(mask), self.wide), dtype=bool)
        padded[:, : self.columns] = mask
        return int.from_bytes(np.packbits(padded.reshape(-1), bitorder="little").tobytes(), "little")

    @cached_property
    def every(self) -> int:
        """All nodes."""
        return self.all_of(np.ones((self.rows, self.columns), dtype=bool))

    # -- what is near a node --------------------------------------------------------------------------------------
    def near_blocked(self, radius_m: float) -> int:
        """Nodes that have a cell near them through which nobody goes."""
        if not self.stride:
            return self.all_of(self._around(self._padded == BLOCKED, radius_m))
        if self._dirty is not None:
            self._read()
        found, classes = 0, self._classes
        for (a, b), shift in self._offsets(radius_m):
            some = classes[True, a, b]
            found |= some >> shift if shift >= 0 else some << -shift
        return found

    def counts(self, which: Mask, radius_m: float) -> NDArray[Any]:
        """A table (rows, columns): how many of some cells, given as a table of all, are near each node."""
        return self._around(np.pad(which, EDGE), radius_m, count=True)

    def near_number(self, number: int, radius_m: float) -> int:
        """Nodes that have a cell with a number near them."""
        return self.all_of(self._around(self._padded == number, radius_m))

    def unknown(self, radius_m: float, share: float) -> int:
        """Nodes of whose cells at least a share is not known."""
        if not self.stride:
            cells = self._around(self._padded == 0, radius_m, count=True)
            return self.all_of(cells >= np.maximum(self._cells_near(radius_m), 1) * share)
        offsets = self._offsets(radius_m)
        most = len(offsets) - next(n for n in range(len(offsets) + 1) if n >= len(offsets) * share)
        known = [0] * (most + 1)  # where more than so many cells are known
        if self._dirty is not None:
            self._read()
        classes = self._classes
        for (a, b), shift in offsets:
            here = classes[False, a, b]
            here = here >> shift if shift >= 0 else here << -shift
            for n in range(most, 0, -1):
                known[n] |= known[n - 1] & here
            known[0] |= here
        return self._inside(radius_m) & ~known[most]

    @kept
    def _inside(self, radius_m: float) -> int:
        """Nodes with cells: at the edge nothing is known, and there may be none at all."""
        return self.all_of(self._cells_near(radius_m) > 0)

    def _cells_near(self, radius_m: float) -> NDArray[Any]:
        return self._around(self._padded != NONE, radius_m, count=True)

    @kept
    def _offsets(self, radius_m: float) -> list[tuple[tuple[int, int], int]]:
        """The cells near a node: how they lie to theirs, and how many bits that is away."""
        reach, near, s, found = math.ceil(radius_m / CELL_M), (radius_m / CELL_M) ** 2, self.stride, []
        for a in range(-reach, reach + 1):
            for b in range(-reach, reach + 1):
                if (a + 0.5 - self._fx[0]) ** 2 + (b + 0.5 - self._fy[0]) ** 2 <= near:
                    found.append(((a % s, b % s), b // s * self.wide + a // s))
        return found

    def _read(self) -> None:
        """Bring the numbers of cells up to date where some have changed."""
        assert self._dirty is not None
        s, x0, y0 = self.stride, int(self._ix[0]), int(self._iy[0])
        # rows and columns of nodes whose cells, up to a step further, may be among those
        first, last = max(0, (self._dirty[0] - y0) // s - 1), min(self.rows, (self._dirty[1] - y0) // s + 1)
        left, right = max(0, (self._dirty[2] - x0) // s - 1), min(self.columns, (self._dirty[3] - x0) // s + 1)
        self._dirty = None
        if first >= last or left >= right:
            first, last, left, right = 0, 0, 0, 0
        high, wide = last - first, right - left
        y, x = y0 + EDGE + first * s, x0 + EDGE + left * s
        part = self._padded[y : y + high * s, x : x + wide * s]
        table = np.zeros((2, s, s, high, self.wide), dtype=bool)
        cells = part.reshape(high, s, wide, s).transpose(1, 3, 0, 2)
        np.equal(cells, BLOCKED, out=table[0, ..., :wide])
        known = table[1, ..., :wide]
        np.not_equal(cells, 0, out=known)
        known &= cells != NONE
        at = first * self.wide + left
        keep = ~(self._ones(high) * ((1 << wide) - 1) << at)
        data = np.packbits(table.reshape(2 * s * s, high * self.wide), axis=1, bitorder="little").tobytes()
        size, classes = len(data) // (2 * s * s), self._classes
        for i in range(2 * s * s):
            (kind, b), a = divmod(i // s, s), i % s
            key = (kind == 0, a, b)
            new = int.from_bytes(data[i * size : (i + 1) * size], "little")
            classes[key] = classes.get(key, 0) & keep | new << at

    @kept
    def _ones(self, rows: int) -> int:
        """The first node of each of some rows."""
        return sum(1 << i * self.wide for i in range(rows))

    def _around(self, which: Mask, radius_m: float, count: bool = False) -> NDArray[Any]:
        """For every node whether such a cell is near it, or how many are; `which` has the edge around it."""
        reach, near = math.ceil(radius_m / CELL_M), (radius_m / CELL_M) ** 2
        found = np.zeros((self.rows, self.columns), dtype=np.int8 if count else bool)
        ix, iy, fx, fy, step = self._ix, self._iy, self._fx, self._fy, self.stride
        for a in range(-reach, reach + 1):
            for b in range(-reach, reach + 1):
                if step:
                    if (a + 0.5 - fx[0]) ** 2 + (b + 0.5 - fy[0]) ** 2 <= near:
                        row, column = int(iy[0]) + b + EDGE, int(ix[0]) + a + EDGE
                        stop = row + self.rows * step, column + self.columns * step
                        found += which[row : stop[0] : step, column : stop[1] : step]  # `+` on truth values is `or`
                    continue
                some = ((b + 0.5 - fy) ** 2)[:, None] + (a + 0.5 - fx) ** 2 <= near
                if some.any():
                    found += which[np.ix_(iy + b + EDGE, ix + a + EDGE)] & some
        return found

    # -- what is near a place -------------------------------------------------------------------------------------
    def near(self, points: Iterable[tuple[float, float]], radius_m: float) -> int:
        """Nodes within a distance of any of some points."""
        found = 0
        for x, y in points:
            if math.isfinite(x) and math.isfinite(y):
                found |= self._disc(x, y, radius_m)
        return found

    def _disc(self, x: float, y: float, radius_m: float) -> int:
        """Kept, since most are asked for again and again."""
        found = self._discs.get((x, y, radius_m))
        if found is None:
            if len(self._discs) >= MOST_DISCS:
                self._discs.clear()
            dx, dy = self._from(x, y)
            found = self._discs[x, y, radius_m] = self.all_of(dy * dy + dx * dx <= radius_m * radius_m)
        return found

    def _from(self, x: float, y: float) -> tuple[NDArray[Any], NDArray[Any]]:
        """How far nodes lie from a point along x (columns) and y (rows, 1)."""
        (ax, ay), step = self._offset, self.step_m
        dx = (np.arange(self.columns) + self.x0) * step + ax - x
        return dx, ((np.arange(self.rows) + self.y0) * step + ay - y)[:, None]

    def near_box(self, box: Box, radius_m: float) -> int:
        """Nodes within a distance of the outline of a piece of furniture."""
        xs, ys = self._from(box[0], box[1])
        c, s = math.cos(math.radians(box[5])), math.sin(math.radians(box[5]))
        along = np.maximum(np.abs(xs * c + ys * s) - box[2] / 2, 0.0)
        across = np.maximum(np.abs(ys * c - xs * s) - box[3] / 2, 0.0)
        return self.all_of(along * along + across * across <= radius_m * radius_m)


def _span(low_m: float, size_m: float, anchor: float, step: float) -> tuple[int, int]:
    """The first node of a stretch, and how many there are."""
    first = math.ceil((low_m - anchor) / step - 1e-6)
    last = math.floor((low_m + size_m - anchor) / step + 1e-6)
    return first, max(0, last - first + 1)
