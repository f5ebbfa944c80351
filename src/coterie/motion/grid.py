"""Occupancy grids and A* on them. Grids are inflated by a footprint, so a robot is a point."""

from __future__ import annotations

import heapq
import math
import re
from functools import lru_cache
from itertools import pairwise

from coterie.core.lazy import np  # for slanting walls
from coterie.motion.polygons import Point, Polygon, mask

_SQRT2 = math.sqrt(2.0)
_FREE = re.compile("0+").finditer
MOST_PATHS = 20_000  # kept per grid; stand poses alone need a few hundred


class Grid:
    """Free and blocked cells over a rectangle, blocked everywhere at first. Each row is one number, whose bits are its
    cells: whole rows are shifted and joined at once."""

    def __init__(self, low: Point, high: Point, cell_m: float = 0.1):
        self.low, self.cell = low, cell_m
        self.nx = max(1, round((high[0] - low[0]) / cell_m))
        self.ny = max(1, round((high[1] - low[1]) / cell_m))
        self.rows = [(1 << self.nx) - 1] * self.ny  # a bit is set where a cell is blocked; the lowest is the first
        self._nearest: dict[tuple[Point, float], Point | None] = {}

    def span(self, x0: float, y0: float, x1: float, y1: float) -> tuple[range, range]:
        """Rows and columns of the cells whose centre lies inside the rectangle."""
        c = self.cell
        ix0 = max(0, math.ceil((x0 - self.low[0]) / c - 0.5 - 1e-9))
        ix1 = min(self.nx, math.floor((x1 - self.low[0]) / c - 0.5 + 1e-9) + 1)
        iy0 = max(0, math.ceil((y0 - self.low[1]) / c - 0.5 - 1e-9))
        iy1 = min(self.ny, math.floor((y1 - self.low[1]) / c - 0.5 + 1e-9) + 1)
        return range(iy0, max(iy0, iy1)), range(ix0, max(ix0, ix1))

    def fill(self, rect: tuple[float, float, float, float], blocked: bool) -> None:
        rows, columns = self.span(*rect)
        bits = ((1 << len(columns)) - 1) << columns.start
        for iy in rows:
            self._set(iy, bits, blocked)

    def fill_polygon(self, polygon: Polygon, blocked: bool, margin_m: float = 0.0) -> None:
        """Cells whose centre lies inside a polygon, at least `margin_m` from its sides."""
        xs = self.low[0] + (np.arange(self.nx) + 0.5) * self.cell
        ys = self.low[1] + (np.arange(self.ny) + 0.5) * self.cell
        for iy, row in enumerate(np.packbits(mask(polygon, xs, ys, margin_m), axis=1, bitorder="little")):
            self._set(iy, int.from_bytes(row.tobytes(), "little"), blocked)

    def _set(self, iy: int, bits: int, blocked: bool) -> None:
        self.rows[iy] = self.rows[iy] | bits if blocked else self.rows[iy] & ~bits

    def inflate(self, radius_m: float) -> Grid:
        """A copy in which every cell nearer than `radius_m` to a blocked one is blocked too."""
        r = radius_m / self.cell
        n = math.ceil(r)
        reach = {dy: max(dx for dx in range(n + 1) if dx * dx + dy * dy <= r * r) for dy in range(math.floor(r) + 1)}
        full = (1 << self.nx) - 1
        wider = {dx: [_widened(row, dx, self.nx) for row in self.rows] for dx in set(reach.values())}
        copy = Grid.__new__(Grid)
        copy.low, copy.cell, copy.nx, copy.ny, copy._nearest = self.low, self.cell, self.nx, self.ny, {}
        copy.rows = rows = list(wider[reach[0]])
        for dy, dx in reach.items():
            for iy, bits in enumerate(wider[dx]):
                if iy + dy < self.ny:
                    rows[iy + dy] |= bits
                if iy >= dy:
                    rows[iy - dy] |= bits
        for dy in range(min(math.floor(r), self.ny)):  # what lies outside is blocked
            rows[dy] = rows[-1 - dy] = full
        return copy

    # -- points and cells -----------------------------------------------------------------------------------------
    def cell_of(self, p: Point) -> int | None:
        """Index of the cell that holds a point, or None outside the map."""
        ix = math.floor((p[0] - self.low[0]) / self.cell)
        iy = math.floor((p[1] - self.low[1]) / self.cell)
        if 0 <= ix < self.nx and 0 <= iy < self.ny:
            return iy * self.nx + ix
        return None

    def centre(self, cell: int) -> Point:
        iy, ix = divmod(cell, self.nx)
        return (self.low[0] + (ix + 0.5) * self.cell, self.low[1] + (iy + 0.5) * self.cell)

    def blocked(self, cell: int) -> bool:
        iy, ix = divmod(cell, self.nx)
        return bool(self.rows[iy] >> ix & 1)

    def free(self, p: Point) -> bool:
        cell = self.cell_of(p)
        return cell is not None and not self.blocked(cell)

    def straight(self, a: Point, b: Point) -> bool:
        """Whether all cells on the straight line between two points are free."""
        far = math.hypot(b[0] - a[0], b[1] - a[1])
        n = max(1, math.ceil(4 * far / self.cell))
        return all(self.free((a[0] + (b[0] - a[0]) * i / n, a[1] + (b[1] - a[1]) * i / n)) for i in range(n + 1))

    def row_text(self, iy: int) -> str:
        """A row, cell by cell: 1 where it is blocked, 0 where it is free."""
        return f"{self.rows[iy]:0{self.nx}b}"[::-1]

    def labels(self) -> list[int]:
        """For every cell the number of its connected free region, 0 where blocked. Rows are joined run by run."""
        parent = [0]  # of each run; regions are trees of runs

        rows: list[list[tuple[int, int, int]]] = []  # (first cell, behind the last, run)
        above: list[tuple[int, int, int]] = []
        for iy in range(self.ny):
            here = []
            for found in _FREE(self.row_text(iy)):
                (x0, x1), run = found.span(), len(parent)
                parent.append(run)
                for a0, a1, other in above:
                    if a0 < x1 and x0 < a1:
                        a, b = root(parent, other), root(parent, run)
                        parent[max(a, b)] = min(a, b)
                here.append((x0, x1, run))
            rows.append(here)
            above = here
        label: list[int] = []
        for row in rows:
            end = 0
            for x0, x1, run in row:
                label += [0] * (x0 - end)
                label += [root(parent, run)] * (x1 - x0)
                end = x1
            label += [0] * (self.nx - end)
        return label

    def nearest_free(self, p: Point, within_m: float) -> Point | None:
        """The free cell centre nearest to a point, or None. Kept, so ask only once the grid is filled."""
        key = (p, within_m)
        if key not in self._nearest:
            if len(self._nearest) > MOST_PATHS:
                self._nearest.clear()
            self._nearest[key] = self._find_nearest(p, within_m)
        return self._nearest[key]

    def _find_nearest(self, p: Point, within_m: float) -> Point | None:
        far, c = within_m + self.cell, self.cell
        rows, columns = self.span(p[0] - far, p[1] - far, p[0] + far, p[1] + far)
        across = [(ix, self.low[0] + (ix + 0.5) * c) for ix in columns]
        best, least = None, within_m * within_m
        for iy in rows:
            bits, cy = self.rows[iy], self.low[1] + (iy + 0.5) * c
            dy2 = (cy - p[1]) * (cy - p[1])
            if dy2 > least:
                continue
            for ix, cx in across:
                d2 = (cx - p[0]) * (cx - p[0]) + dy2
                if (d2 < least or (best is None and d2 <= least)) and not bits >> ix & 1:
                    best, least = (cx, cy), d2
        return best


def root(parent: list[int], i: int) -> int:
    """Return the root of a node in a union-find forest; the path to it gets shorter."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def _widened(row: int, by: int, nx: int) -> int:
    """A row whose blocked cells block so many at either side, as does what lies outside."""
    outside = (1 << by) - 1
    padded, wide = row << by | outside | outside << nx + by, 0
    for shift in range(2 * by + 1):
        wide |= padded >> shift
    return wide & (1 << nx) - 1


@lru_cache(maxsize=64)
def _moves(width: int) -> list[tuple[tuple[int, float], ...]]:
    """Steps to neighbouring cells, as offset and length, by which of them are free: a bit each for right, left, up and
    down, then for the corners up right, down right, up left and down left. No step cuts a corner."""
    straight = (1, -1, width, -width)
    corners = ((0, 2, width + 1), (0, 3, 1 - width), (1, 2, width - 1), (1, 3, -width - 1))  # between which two
    table = []
    for free in range(256):
        steps = [(offset, 1.0) for i, offset in enumerate(straight) if free >> i & 1]
        steps += [(o, _SQRT2) for i, (a, b, o) in enumerate(corners, 4) if free >> i & free >> a & free >> b & 1]
        table.append(tuple(steps))
    return table


class Planner:
    """A* on one grid, with a cache of every path found."""

    def __init__(self, grid: Grid):
        self.grid = grid
        width = grid.nx + 2  # a blocked border saves bounds checks
        edge = "1" * width
        cells = "".join([edge, *(f"1{grid.row_text(iy)}1" for iy in range(grid.ny)), edge])
        self._free = [cell == "0" for cell in cells]
        self._width = width
        self._labels: list[int] | None = None
        self._ways: dict[tuple[Point, Point], tuple[Point, ...] | None] = {}
        self._cache: dict[tuple[int, int], tuple[float, tuple[int, ...]] | None] = {}
        self._around: dict[object, tuple[int, ...] | None] = {}

    def _inner(self, cell: int) -> int:
        iy, ix = divmod(cell, self.grid.nx)
        return (iy + 1) * self._width + ix + 1

    def _outer(self, inner: int) -> int:
        iy, ix = divmod(inner, self._width)
        return (iy - 1) * self.grid.nx + ix - 1

    def linked(self, start: Point, goal: Point) -> bool:
        """Whether a path exists, without finding it."""
        if self._labels is None:
            self._labels = self.grid.labels()
        a, b = self.grid.cell_of(start), self.grid.cell_of(goal)
        if a is None or b is None:
            return False
        return bool(self._labels[a]) and self._labels[a] == self._labels[b]

    def free(self, p: Point) -> bool:
        """Whether a point lies in a free cell."""
        cell = self.grid.cell_of(p)
        return cell is not None and self._free[self._inner(cell)]

    def way(self, start: Point, goal: Point) -> tuple[Point, ...] | None:
        """The points of the shortest path, with its own ends, or None."""
        key = (start, goal)
        if key not in self._ways:
            if len(self._ways) > MOST_PATHS // 10:
                self._ways.clear()
            found = self.path(start, goal)
            self._ways[key] = None if found is None else (start, *(map(self.grid.centre, found[1][1:-1])), goal)
        return self._ways[key]

    def path(self, start: Point, goal: Point) -> tuple[float, tuple[int, ...]] | None:
        """Length [m] and cells of the shortest 8-connected path, or None. Cutting corners is not allowed."""
        a, b = self.grid.cell_of(start), self.grid.cell_of(goal)
        if a is None or b is None:
            return None
        key = (a, b)
        if key not in self._cache:
            if len(self._cache) > MOST_PATHS:
                self._cache.clear()
            # Several paths may be shortest. Which one counts must not depend on what was asked before: it is always
            # looked for from the same end.
            low, high = min(key), max(key)
            found = self._astar(self._inner(low), self._inner(high)) if self.linked(start, goal) else None
            self._cache[low, high] = found
            self._cache[high, low] = None if found is None else (found[0], found[1][::-1])
        return self._cache[key]

    def length(self, start: Point, goal: Point) -> float | None:
        found = self.path(start, goal)
        return None if found is None else found[0]

    def around(self, start: Point, goal: Point, discs: tuple[tuple[Point, float], ...]) -> tuple[int, ...] | None:
        """Cells of the shortest path that stays out of some discs (centre, radius), or None. Kept, as paths are."""
        key = (start, goal, discs)
        if key not in self._around:
            if len(self._around) > MOST_PATHS // 10:
                self._around.clear()
            self._around[key] = self._find_around(start, goal, discs)
        return self._around[key]

    def _find_around(self, start: Point, goal: Point, discs: tuple[tuple[Point, float], ...]) -> tuple[int, ...] | None:
        a, b, g = self.grid.cell_of(start), self.grid.cell_of(goal), self.grid
        if a is None or b is None:
            return None
        usual = self._free
        self._free = free = list(usual)
        for (x, y), r in discs:
            for iy in range(math.floor((y - r - g.low[1]) / g.cell), math.floor((y + r - g.low[1]) / g.cell) + 1):
                for ix in range(math.floor((x - r - g.low[0]) / g.cell), math.floor((x + r - g.low[0]) / g.cell) + 1):
                    if 0 <= ix < g.nx and 0 <= iy < g.ny:
                        cx, cy = g.centre(iy * g.nx + ix)
                        if math.hypot(cx - x, cy - y) < r:
                            free[self._inner(iy * g.nx + ix)] = False
        free[self._inner(a)] = usual[self._inner(a)]  # it stands there
        try:
            found = self._astar(self._inner(a), self._inner(b))
        finally:
            self._free = usual
        return None if found is None else found[1]

    def _astar(self, start: int, goal: int) -> tuple[float, tuple[int, ...]] | None:
        free, width = self._free, self._width
        if not free[start] or not free[goal]:
            return None
        gy, gx = divmod(goal, width)
        across, along = [abs(x - gx) for x in range(width)], [abs(y - gy) for y in range(len(free) // width)]
        spared = 2.0 - _SQRT2  # by a diagonal
        cost: dict[int, float] = {start: 0.0}
        parent: dict[int, int] = {}
        closed: set[int] = set()
        heap: list[tuple[float, int]] = [(0.0, start)]
        moves, pop, push = _moves(width), heapq.heappop, heapq.heappush
        while heap:
            _, node = pop(heap)
            if node == goal:
                return self._traced(start, goal, parent)
            if node in closed:
                continue
            closed.add(node)
            far, up, down = cost[node], node + width, node - width
            around = free[node + 1] | free[node - 1] << 1 | free[up] << 2 | free[down] << 3
            corners = free[up + 1] | free[down + 1] << 1 | free[up - 1] << 2 | free[down - 1] << 3
            for offset, length in moves[around | corners << 4]:
                n, c = node + offset, far + length
                if n not in cost or c < cost[n] - 1e-12:
                    cost[n] = c
                    parent[n] = node
                    x, y = across[n % width], along[n // width]
                    push(heap, (c + ((x + y) - spared * (x if x < y else y)), n))
        return None

    def _traced(self, start: int, goal: int, parent: dict[int, int]) -> tuple[float, tuple[int, ...]]:
        """The length of a way that was found, and its cells."""
        cells = [goal]
        while cells[-1] != start:
            cells.append(parent[cells[-1]])
        cells.reverse()
        # Counted, not summed: a path has the same length, to the last bit, whichever end it was found from.
        diagonals = sum(abs(a - b) not in (1, self._width) for a, b in pairwise(cells))
        length = len(cells) - 1 - diagonals + diagonals * _SQRT2
        return length * self.grid.cell, tuple(self._outer(c) for c in cells)
