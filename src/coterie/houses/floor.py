"""The floor of a house in cells: what blocks a robot, which room a cell is in, and where a robot can stand.

Arrays are indexed [row, column]: rows run along y, columns along x, from `low`. A robot is a disc. Everything is made
when it is first asked for, and kept; a house of ten rooms takes some 20 ms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.lazy import kept
from coterie.houses.model import Door, Furniture, House, Point, Wall
from coterie.motion import polygons
from coterie.motion.grid import root

Mask = NDArray[np.bool_]
MARGIN_M = 0.1  # around the house
PART_M = 1.0  # oblique lines are looked at in parts that reach so far along x or y
TALLEST_M = 1.6  # a robot goes under what is higher
CELL_M = 0.05


class Box(NamedTuple):
    """An upright box as seen from above: its middle, half its width and depth, and the direction of its width."""

    x: float
    y: float
    wide: float
    deep: float
    c: float
    s: float


def floor_of(house: House) -> Floor:
    """The floor of a house in the usual cells, made once and kept with it."""
    kept = house.__dict__.get("_floor")
    return kept if isinstance(kept, Floor) else keep_floor(Floor(house))


def keep_floor(floor: Floor) -> Floor:
    floor.house.__dict__["_floor"] = floor  # beside its cached properties
    return floor


class Floor:
    """Cells of a house. `free`, `regions` and `stands` are what others ask for."""

    cell_m = CELL_M

    def __init__(self, house: House):
        self.house, cell_m = house, CELL_M
        x0, y0, x1, y1 = house.box
        # Multiples of a cell are the middles of cells, so that robots that step there are never between two.
        x, y = ((math.floor((v - MARGIN_M) / cell_m) - 0.5) * cell_m for v in (x0, y0))
        self.low: Point = (x, y)
        columns = math.ceil((x1 - self.low[0] + MARGIN_M) / cell_m)
        rows = math.ceil((y1 - self.low[1] + MARGIN_M) / cell_m)
        self.shape = (rows, columns)
        self.xs = self.low[0] + (np.arange(columns) + 0.5) * cell_m
        self.ys = self.low[1] + (np.arange(rows) + 0.5) * cell_m

    # -- points and cells ---------------------------------------------------------------------------------------------
    def cell(self, p: Point) -> tuple[int, int]:
        """Row and column of a point; the nearest ones for a point outside."""
        (x, y), cell_m, (rows, columns) = self.low, self.cell_m, self.shape
        row, column = math.floor((p[1] - y) / cell_m), math.floor((p[0] - x) / cell_m)
        return min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)

    def cells(self, at: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The same for points (n, 2)."""
        columns = np.floor((at[:, 0] - self.low[0]) / self.cell_m).astype(np.intp)
        rows = np.floor((at[:, 1] - self.low[1]) / self.cell_m).astype(np.intp)
        return np.clip(rows, 0, self.shape[0] - 1), np.clip(columns, 0, self.shape[1] - 1)

    def middle(self, row: int, column: int) -> Point:
        return float(self.xs[column]), float(self.ys[row])

    def room_at(self, p: Point) -> str:
        """The name of the room a point lies in; empty outside."""
        index = int(self.room[self.cell(p)])
        return self.house.rooms[index].name if index >= 0 else ""

    # -- layers -------------------------------------------------------------------------------------------------------
    @cached_property
    def room(self) -> NDArray[np.int16]:
        """For every cell the index of its room in the house, -1 outside."""
        found = np.full(self.shape, -1, np.int16)
        for i, room in enumerate(self.house.rooms):
            rows, columns, inside = self._fill(room.polygon)
            found[rows, columns][inside] = i
        return found

    @cached_property
    def lines(self) -> list[Wall | Door]:
        """Walls and closed doors."""
        return [*self.house.walls, *(d for d in self.house.doors if not d.open)]

    @cached_property
    def walls(self) -> Mask:
        """Cells that walls and closed doors run through."""
        found = np.zeros(self.shape, bool)
        for line in self.lines:
            self._draw(found, line.a, line.b)
        return found

    @cached_property
    def furniture(self) -> Mask:
        found = np.zeros(self.shape, bool)
        for piece in self.house.furniture:
            if piece.base_m < TALLEST_M:
                rows, columns, inside = self._fill(piece.corners)
                found[rows, columns] |= inside
        return found

    @cached_property
    def blocked(self) -> Mask:
        return self.furniture | self.walls | (self.room < 0)

    @kept
    def free(self, radius_m: float) -> Mask:
        """Where the middle of a robot of this radius can be: so far from walls, closed doors and furniture as they
        are, not as cells have them, so that narrow ways are no narrower here; and not nearer to the outside."""
        free = ~self.blocked & (self._to_outside(radius_m) >= radius_m - 1e-4)
        for box in self._boxes():
            self._keep_off(free, box, radius_m)
        return free

    def _boxes(self) -> Iterator[Box]:
        """Obstacles as boxes; walls and doors are boxes without depth."""
        for (ax, ay), (bx, by) in ((line.a, line.b) for line in self.lines):
            dx, dy, length = bx - ax, by - ay, math.hypot(bx - ax, by - ay) or 1.0
            parts = math.ceil(min(abs(dx), abs(dy)) / PART_M) or 1  # the cells around a long oblique line are many
            for i in range(parts):
                at = (i + 0.5) / parts
                yield Box(ax + at * dx, ay + at * dy, length / 2 / parts, 0.0, dx / length, dy / length)
        for piece in self.house.furniture:
            if piece.base_m < TALLEST_M:
                turn = math.radians(piece.yaw_deg)
                yield Box(*piece.centre, piece.size[0] / 2, piece.size[1] / 2, math.cos(turn), math.sin(turn))

    def _keep_off(self, free: Mask, box: Box, radius_m: float) -> None:
        """Cells whose middle is nearer than the radius to a box are not free."""
        x, y, wide, deep, c, s = box
        far_x = abs(wide * c) + abs(deep * s) + radius_m
        far_y = abs(wide * s) + abs(deep * c) + radius_m
        (r0, c0), (r1, c1) = self.cell((x - far_x, y - far_y)), self.cell((x + far_x, y + far_y))
        dx, dy = self.xs[c0 : c1 + 1] - x, (self.ys[r0 : r1 + 1] - y)[:, None]
        along = np.maximum(np.abs(dx * c + dy * s) - wide, 0.0)
        across = np.maximum(np.abs(dy * c - dx * s) - deep, 0.0)
        free[r0 : r1 + 1, c0 : c1 + 1] &= along * along + across * across >= (radius_m - 1e-4) ** 2

    def _to_outside(self, most_m: float) -> NDArray[np.float64]:
        """From every cell's middle to that of the nearest cell outside, up to a distance: where a wall is missing."""
        most = math.ceil(most_m / self.cell_m)
        down = np.where(self.room < 0, 0, most + 1)
        for i in range(1, down.shape[0]):  # along columns first, then the nearest of all columns
            np.minimum(down[i], down[i - 1] + 1, out=down[i])
        for i in range(down.shape[0] - 2, -1, -1):
            np.minimum(down[i], down[i + 1] + 1, out=down[i])
        squares = down * down
        best = squares.copy()
        for shift in range(1, most + 1):
            np.minimum(best[:, shift:], squares[:, :-shift] + shift * shift, out=best[:, shift:])
            np.minimum(best[:, :-shift], squares[:, shift:] + shift * shift, out=best[:, :-shift])
        return np.sqrt(best) * self.cell_m

    def is_free(self, p: Point, radius_m: float) -> bool:
        row, column = self.cell(p)
        return self._free_bytes(radius_m)[row * self.shape[1] + column] == 1

    @kept
    def _free_bytes(self, radius_m: float) -> bytes:
        """The same for one place after the other."""
        return self.free(radius_m).tobytes()

    # -- reaching -----------------------------------------------------------------------------------------------------
    @kept
    def regions(self, radius_m: float) -> NDArray[np.int32]:
        """Free cells by connected region: 1 is the largest, 0 is not free."""
        return labels(self.free(radius_m))

    def reachable(self, radius_m: float, start: Point | None = None) -> Mask:
        """The cells that a robot reaches from a place, or from the largest region."""
        region = self.regions(radius_m)
        index = 1 if start is None else int(region[self.cell(start)])
        return (region == index) & (region > 0)

    @kept
    def steps(self, radius_m: float, step_m: float) -> list[Point]:
        """Where robots that take steps of one length can be in the largest region."""
        (x0, y0), x1, y1 = self.low, float(self.xs[-1]), float(self.ys[-1])
        nodes = [
            (i * step_m, j * step_m)
            for i in range(math.ceil(x0 / step_m), math.floor(x1 / step_m) + 1)
            for j in range(math.ceil(y0 / step_m), math.floor(y1 / step_m) + 1)
        ]
        clear = self.reachable(radius_m)[self.cells(np.array(nodes))].tolist()
        return [n for n, ok in zip(nodes, clear, strict=True) if ok]

    def stands(self, piece: Furniture, radius_m: float = 0.25, reach_m: float = 1.5) -> NDArray[np.intp]:
        """Cells (n, 2), nearest first, from which a robot reaches a piece: its outline, with no wall between.

        Only those in the largest region, where robots are.
        """
        xs, ys = [c[0] for c in piece.corners], [c[1] for c in piece.corners]
        r0, c0 = self.cell((min(xs) - reach_m, min(ys) - reach_m))
        r1, c1 = self.cell((max(xs) + reach_m, max(ys) + reach_m))
        rows, columns = np.nonzero(self.regions(radius_m)[r0 : r1 + 1, c0 : c1 + 1] == 1)
        rows, columns = rows + r0, columns + c0
        at = np.stack([self.xs[columns], self.ys[rows]], axis=-1)
        to = nearest_on(piece, at)
        gap = np.hypot(*(to - at).T)
        keep = gap <= reach_m
        keep[keep] = ~self.walled(at[keep], to[keep])
        order = np.argsort(gap[keep], kind="stable")
        return np.stack([rows[keep][order], columns[keep][order]], axis=-1)

    def unusable(self, radius_m: float = 0.25, reach_m: float = 1.5) -> list[Furniture]:
        """Receptacles that nobody can stand near: other furniture divides their room, or there is no way into it."""
        return [p for p in self.house.furniture if p.receptacle and not len(self.stands(p, radius_m, reach_m))]

    def belonging_to(self, house: House) -> Floor:
        """The same for a house with other words about it, and nothing else."""
        self.house = house
        return self

    # -- drawing ------------------------------------------------------------------------------------------------------
    def _fill(self, corners: tuple[Point, ...]) -> tuple[slice, slice, Mask]:
        """The part of the floor around a polygon, and which of its cells lie inside."""
        x0, y0, x1, y1 = polygons.bounds(corners)
        (r0, c0), (r1, c1) = self.cell((x0, y0)), self.cell((x1, y1))
        rows, columns = slice(r0, r1 + 1), slice(c0, c1 + 1)
        x, y = self.xs[columns][None, :], self.ys[rows][:, None]
        inside = np.zeros((r1 - r0 + 1, c1 - c0 + 1), bool)
        for (ax, ay), (bx, by) in polygons.edges(corners):
            if ay != by:
                inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
        return rows, columns, inside

    def _draw(self, on: Mask, a: Point, b: Point) -> None:
        """A line, without gaps to slip through."""
        count = max(2, math.ceil(math.dist(a, b) / self.cell_m * 2) + 1)
        t = np.linspace(0.0, 1.0, count)
        columns = np.floor((a[0] + t * (b[0] - a[0]) - self.low[0]) / self.cell_m).astype(int)
        rows = np.floor((a[1] + t * (b[1] - a[1]) - self.low[1]) / self.cell_m).astype(int)
        keep = (rows >= 0) & (rows < self.shape[0]) & (columns >= 0) & (columns < self.shape[1])
        on[rows[keep], columns[keep]] = True

    def walled(self, a: NDArray[np.float64], b: NDArray[np.float64]) -> Mask:
        """True where a wall or a closed door is crossed on the way from each point to the other."""
        found = np.zeros(len(a), bool)
        if not len(a):
            return found
        low, high = np.minimum(a, b).min(0), np.maximum(a, b).max(0)
        for line in self.lines:
            (px, py), (qx, qy) = line.a, line.b
            if max(px, qx) < low[0] or min(px, qx) > high[0] or max(py, qy) < low[1] or min(py, qy) > high[1]:
                continue
            found |= crosses(a, b, line)
        return found


def crosses(a: NDArray[np.float64], b: NDArray[np.float64], line: Wall | Door) -> Mask:
    """True where a path from a to b (n, 2) goes through a line. Ways that end on it, within 1 cm, do not."""
    (px, py), (qx, qy) = line.a, line.b
    dx, dy = qx - px, qy - py
    length = math.hypot(dx, dy) or 1.0
    # distances of both ends from the line, along its normal
    one = ((a[:, 0] - px) * dy - (a[:, 1] - py) * dx) / length
    two = ((b[:, 0] - px) * dy - (b[:, 1] - py) * dx) / length
    opposite = (one * two < 0) & (np.abs(two) > 0.01) & (np.abs(one) > 0.01)
    part = one / np.where(one == two, 1.0, one - two)
    x, y = a[:, 0] + part * (b[:, 0] - a[:, 0]), a[:, 1] + part * (b[:, 1] - a[:, 1])
    along = ((x - px) * dx + (y - py) * dy) / length
    return opposite & (along >= 0) & (along <= length)


def nearest_on(piece: Furniture, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """The nearest point of a piece's outline, or the point itself inside, for points (n, 2)."""
    c, s = math.cos(math.radians(piece.yaw_deg)), math.sin(math.radians(piece.yaw_deg))
    turn = np.array([[c, -s], [s, c]])
    own = (at - np.array(piece.centre)) @ turn
    half = np.array(piece.size[:2]) / 2
    return np.clip(own, -half, half) @ turn.T + np.array(piece.centre)


def labels(mask: Mask) -> NDArray[np.int32]:
    """Connected regions of a mask, side by side: 1 is the largest, 0 outside. Runs of rows are joined, not cells."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    padded[:, 1:-1] = mask
    step = np.diff(padded, axis=1)
    rows, starts = np.nonzero(step == 1)
    ends = np.nonzero(step == -1)[1]
    parent = list(range(len(rows)))

    first = np.searchsorted(rows, np.arange(mask.shape[0] + 1)).tolist()
    begin, end = starts.tolist(), ends.tolist()
    for row in range(1, mask.shape[0]):
        i, j = first[row - 1], first[row]
        while i < first[row] and j < first[row + 1]:
            if begin[i] < end[j] and begin[j] < end[i]:
                parent[root(parent, i)] = root(parent, j)
            if end[i] < end[j]:
                i += 1
            else:
                j += 1
    roots = np.array([root(parent, i) for i in range(len(parent))], dtype=np.int64)
    found = np.zeros(mask.shape, np.int32)
    if not len(roots):
        return found
    sizes = np.bincount(roots, weights=ends - starts)
    rank = np.zeros(len(sizes), np.int32)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(1, len(sizes) + 1)
    # Each run is written as a step up at its start and down at its end, and summed along the row.
    value = rank[roots].astype(np.int32)
    padded32 = np.zeros((mask.shape[0], mask.shape[1] + 1), np.int32)
    padded32[rows, starts] += value
    padded32[rows, ends] -= value
    return np.asarray(np.cumsum(padded32, axis=1)[:, :-1], dtype=np.int32)
