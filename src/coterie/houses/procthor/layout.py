"""Rooms of a house from a seed: a rectangle cut in two again and again, with corners taken off and traded.

The plan is a grid of half-metre cells, each with the number of its room, so that a room may have any shape; walls are
where the number changes. Doors join all rooms into one house.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.houses.floor import labels

Grid = NDArray[np.int16]
# Which rooms a house has by their number, after the plans of ProcTHOR-10K (which has none of nine). Rooms that belong
# together follow each other: cuts keep them so.
_K, _L, _B, _W = "Kitchen", "LivingRoom", "Bedroom", "Bathroom"
PLANS: dict[int, tuple[tuple[str, ...], ...]] = {
    1: ((_K,), (_L,), (_B,)),
    2: ((_B, _W), (_K, _L), (_K, _B), (_L, _B)),
    3: ((_K, _L, _B), (_K, _L, _W), (_K, _B, _W)),
    4: ((_K, _L, _B, _W),),
    5: ((_K, _L, _B, _B, _W), (_K, _L, _B, _W, _W)),
    6: ((_K, _L, _B, _B, _W, _W), (_K, _L, _B, _W, _B, _W)),
    7: ((_K, _L, _L, _W, _B, _B, _B), (_K, _L, _B, _W, _B, _W, _B)),
    8: ((_K, _L, _L, _W, _B, _B, _B, _W), (_K, _L, _B, _W, _B, _W, _B, _B)),
    9: ((_K, _L, _L, _B, _W, _B, _W, _B, _W),),
    10: ((_K, _L, _L, _W, _B, _W, _B, _W, _B, _B), (_K, _L, _B, _W, _B, _W, _B, _W, _B, _L)),
}
AREA_M2 = {_K: 26.0, _L: 24.0, _B: 26.0, _W: 13.0}  # about the medians of real ones
MIDDLE_OF_HOUSE = {(_K, _L): 0.2, (_L, _L): 0.4, (_B, _W): 0.6, (_B, _L): 0.8, (_L, _W): 1.0, (_B, _K): 1.6}
NARROWEST = 4  # cells: a room is nowhere narrower
OUTSIDE = -1
FIRST_ROOM = 2  # the number of the first room in ids, as ProcTHOR counts


class Edge(NamedTuple):
    """A straight piece of a room's outline with one neighbour, in cells; its room lies to the right of its way."""

    room: int
    other: int  # OUTSIDE, or another room
    a: tuple[int, int]  # x, y
    b: tuple[int, int]

    @property
    def length(self) -> int:
        return abs(self.b[0] - self.a[0]) + abs(self.b[1] - self.a[1])


@dataclass(frozen=True)
class Layout:
    grid: Grid  # [row, column]: the number of the room, OUTSIDE
    kinds: tuple[str, ...]
    cell_m: float
    edges: tuple[Edge, ...]
    joins: tuple[tuple[int, int], ...]  # pairs of rooms with a door or a passage between them


def lay_out(rng: random.Random, rooms: int) -> Layout | None:
    """A plan of so many rooms; None where this draw does not work out."""
    kinds = rng.choice(PLANS[rooms])
    cell_m = round(rng.uniform(0.46, 0.54), 3)
    weights = [AREA_M2[kind] * rng.uniform(0.75, 1.3) for kind in kinds]
    cells = sum(weights) / cell_m**2
    aspect = rng.uniform(1.0, 1.6) if rooms > 1 else rng.uniform(1.0, 1.35)
    wide, deep = round((cells * aspect) ** 0.5), round((cells / aspect) ** 0.5)
    if rng.random() < 0.5:
        wide, deep = deep, wide
    grid = np.full((deep, wide), OUTSIDE, np.int16)
    _cut(rng, grid, list(range(rooms)), weights)
    if not all(_good(grid, room) for room in range(rooms)):
        return None
    for _ in range(rng.randint(0, 2) if rooms > 1 else rng.randint(0, 1)):
        _without_corner(rng, grid)
    for _ in range(rng.randint(0, rooms - 1)):
        _trade(rng, grid, rooms)
    edges = tuple(edge for room in range(rooms) for edge in outline(grid, room))
    joins = _joined(rng, kinds, edges)
    return Layout(grid, kinds, cell_m, edges, joins) if joins is not None else None


# -- shapes -----------------------------------------------------------------------------------------------------------
def _cut(rng: random.Random, part: Grid, rooms: list[int], weights: list[float]) -> None:
    """Gives a rectangle to rooms: in two across its longer side, by their weights, and so on."""
    if len(rooms) == 1:
        part[:] = rooms[0]
        return
    total = sum(weights[r] for r in rooms)
    sums = [sum(weights[r] for r in rooms[:i]) / total for i in range(1, len(rooms))]
    # Near the middle, but not always: plans should not all look alike.
    at = min(range(1, len(rooms)), key=lambda i: abs(sums[i - 1] - 0.5) + rng.uniform(0, 0.25))
    if part.shape[1] < part.shape[0]:
        part = part.T
    if rng.random() < 0.5:
        part = part[:, ::-1]  # the first rooms come to lie at the other end
    column = min(max(round(part.shape[1] * sums[at - 1]), 1), part.shape[1] - 1)
    _cut(rng, part[:, :column], rooms[:at], weights)
    _cut(rng, part[:, column:], rooms[at:], weights)


def _good(grid: Grid, room: int) -> bool:
    """True if a room is in one piece, without holes, and every part of it wide enough to live in."""
    mine = np.pad(grid == room, NARROWEST)
    if labels(mine).max() != 1 or labels(~mine).max() != 1:
        return False
    n = NARROWEST
    sums = np.cumsum(np.cumsum(np.pad(mine, ((1, 0), (1, 0))).astype(np.int32), 0), 1)
    fits = sums[n:, n:] - sums[:-n, n:] - sums[n:, :-n] + sums[:-n, :-n] == n * n  # squares inside, by their corner
    rows, columns = np.nonzero(fits)
    covered = np.zeros_like(mine)
    for i in range(n):
        for j in range(n):
            covered[rows + i, columns + j] = True
    return bool((covered == mine).all()) and labels(fits).max() == 1


def _try(grid: Grid, part: tuple[slice, slice], value: int) -> bool:
    """Gives a part of the plan to a room or to the outside, where all rooms stay good ones."""
    before = grid[part].copy()
    touched = {int(r) for r in np.unique(before)} | {value}
    grid[part] = value
    if all(_good(grid, room) for room in touched if room != OUTSIDE):
        return True
    grid[part] = before
    return False


def _without_corner(rng: random.Random, grid: Grid) -> None:
    """The house is no rectangle: a corner of it lies outside."""
    deep, wide = grid.shape
    h, w = rng.randint(3, max(3, deep // 3)), rng.randint(3, max(3, wide // 3))
    rows = slice(0, h) if rng.random() < 0.5 else slice(deep - h, deep)
    columns = slice(0, w) if rng.random() < 0.5 else slice(wide - w, wide)
    _try(grid, (rows, columns), OUTSIDE)


def _trade(rng: random.Random, grid: Grid, rooms: int) -> None:
    """A corner of one room goes to its neighbour: both are L-shaped then."""
    room = rng.randrange(rooms)
    rows, columns = np.nonzero(grid == room)
    r0, r1, c0, c1 = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    h, w = (max(3, round((high - low) * rng.uniform(0.3, 0.55))) for low, high in ((r0, r1), (c0, c1)))
    top, left = rng.random() < 0.5, rng.random() < 0.5
    part = (slice(r0, r0 + h) if top else slice(r1 - h, r1), slice(c0, c0 + w) if left else slice(c1 - w, c1))
    row = part[0].start - 1 if top else part[0].stop
    column = part[1].start if left else part[1].stop - 1
    if 0 <= row < grid.shape[0] and grid[row, column] != OUTSIDE and (grid[part] == room).all():
        _try(grid, part, int(grid[row, column]))


# -- walls and doors --------------------------------------------------------------------------------------------------
def outline(grid: Grid, room: int) -> list[Edge]:
    """A room's outline, clockwise as seen from above with y up, in pieces with one neighbour each."""
    padded = np.pad(grid, 1, constant_values=OUTSIDE)
    after: dict[tuple[int, int], list[tuple[tuple[int, int], int]]] = defaultdict(list)
    for row, column in zip(*np.nonzero(grid == room), strict=True):
        y, x = int(row), int(column)
        around = (
            ((x, y), (x, y + 1), padded[y + 1, x]),
            ((x, y + 1), (x + 1, y + 1), padded[y + 2, x + 1]),
            ((x + 1, y + 1), (x + 1, y), padded[y + 1, x + 2]),
            ((x + 1, y), (x, y), padded[y, x + 1]),
        )
        for a, b, other in around:
            if other != room:
                after[a].append((b, int(other)))
    start = min(after)
    units: list[tuple[tuple[int, int], tuple[int, int], int]] = []
    at = start
    while not units or at != start:
        b, other = after[at].pop()
        units.append((at, b, other))
        at = b
    edges: list[Edge] = []
    for a, b, other in units:
        last = edges[-1] if edges else None
        straight = last is not None and (last.a[0] == last.b[0] == b[0] or last.a[1] == last.b[1] == b[1])
        if last is not None and straight and last.other == other:
            edges[-1] = last._replace(b=b)
        else:
            edges.append(Edge(room, other, a, b))
    return edges


def _joined(rng: random.Random, kinds: tuple[str, ...], edges: tuple[Edge, ...]) -> tuple[tuple[int, int], ...] | None:
    """Pairs of neighbours with a door between: all rooms are reached, bathrooms are hardly ever passed through."""
    shared = {(e.room, e.other) for e in edges if e.room < e.other and e.length >= NARROWEST}

    def cost(pair: tuple[int, int]) -> float:
        one, two = sorted((kinds[pair[0]], kinds[pair[1]]))
        return MIDDLE_OF_HOUSE.get((one, two), 3.0) + rng.uniform(0, 0.5)

    home = list(range(len(kinds)))
    joins, rest = [], []
    for _, (a, b) in sorted((cost(pair), pair) for pair in sorted(shared)):
        if home[a] == home[b]:
            rest.append((a, b))
            continue
        joins.append((a, b))
        old, new = home[a], home[b]
        home = [new if h == old else h for h in home]
    if len(set(home)) > 1:
        return None
    more = [p for p in rest if MIDDLE_OF_HOUSE.get(_sorted(kinds, p), 3.0) < 1.5 and rng.random() < 0.25]
    return tuple(joins + more)


def _sorted(kinds: tuple[str, ...], pair: tuple[int, int]) -> tuple[str, str]:
    one, two = sorted((kinds[pair[0]], kinds[pair[1]]))
    return one, two
