"""Casting rays over a house as it was furnished, for several cameras at once.

A look takes a hundred small operations on arrays, whose cost hardly grows with the size of the arrays. So what a robot
would see a few steps further on is cast along with what it sees now: all poses of a cast have the same rays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.area import Patch
from coterie.motion import polygons
from coterie.worlds.household.floor import Floor, floor_of
from coterie.worlds.household.house import House
from coterie.worlds.household.perception import BLOCKED, CELL_M, FIRST_ROOM, Camera, Eye
from coterie.worlds.household.perception.fan import SAMPLE_M, Fan, fan_of, width_of

Row = tuple[float, float, float, int, float, bool]  # of a table of Points
Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Index = NDArray[np.intp]

NEAR_M = 0.04  # in front of a point nothing hides it any more
END_M = 0.005  # by which walls are longer, so that no light passes at corners
MOST_FANS, MOST_SQUARES = 400, 10_000  # kept of one house
PAD_M = 12.0  # beyond the house there is nothing, as far as anybody looks


class Shown(NamedTuple):
    """What a pose shows of the house as it was furnished."""

    area: Patch
    pieces: list[int]  # numbers of pieces that stand on the floor, counted from 1
    points: list[int]  # numbers of the points of the house that are in view


class Points(NamedTuple):
    """Points to be looked for."""

    at: Array  # (n, 2)
    upper: Array  # (n,): the height that must be seen
    own: NDArray[np.int16]  # (n,): the number of the piece it lies on, 0 for none: that reaches
    under: Array  # (n,): up to here only
    deep: Mask  # (n,): whether the range counts from the lens, as it does for things, or on the floor

    def some(self, keep: Index) -> Points:
        return Points(self.at[keep], self.upper[keep], self.own[keep], self.under[keep], self.deep[keep])


class Marks(NamedTuple):
    """Points in pictures: from where they are seen, and in which direction."""

    x: Array
    y: Array
    cos: Array
    sin: Array
    far: Array
    slope: Array


def points_of(rows: Sequence[Row]) -> Points:
    table = np.array(rows, dtype=float).reshape(-1, 6)
    return Points(table[:, :2], table[:, 2], table[:, 3].astype(np.int16), table[:, 4], table[:, 5] > 0)


class Rays:
    """The house in cells and lines, and its points, as they do not change."""

    def __init__(self, house: House, points: Points):
        self.house, self.fixed = house, points
        floor = floor_of(house)
        self.cell_m = floor.cell_m
        pad = math.ceil(PAD_M / self.cell_m)
        tops, owner = _heights(floor)
        self._tops = np.pad(tops, pad)
        self._owner = np.pad(owner, pad).reshape(-1)
        self._columns, self._tops = self._tops.shape[1], self._tops.reshape(-1)
        self._low = floor.low[0] - pad * self.cell_m, floor.low[1] - pad * self.cell_m
        self._room_low, self._room = _rooms(floor)
        lines = [(*w.a, *w.b) for w in house.walls] + [(*d.a, *d.b) for d in house.doors if not d.open]
        self._walls = _lines(np.array(lines, dtype=np.float64).reshape(-1, 4))
        self._fans: dict[Any, Fan] = {}
        self._points_nearby: dict[Any, tuple[Index, Points]] = {}
        self._walls_nearby: dict[Any, tuple[Array, ...]] = {}

    # -- whole looks --------------------------------------------------------------------------------------------------
    def cast(self, eyes: Sequence[Eye], camera: Camera) -> list[Shown]:
        """What some poses show that have the same fan; each by itself, as if it were alone."""
        fan, *_ = self.fan(eyes[0], camera)
        starts = [self.fan(eye, camera)[1:] for eye in eyes]
        many, (samples, rays) = len(eyes), fan.cells.shape
        x, y = (np.array([eye[i] for eye in eyes]) for i in (0, 1))
        index, some = self._points_near(eyes, camera)
        of, which, marks = self._in_pictures(some, eyes, x, y, camera)
        points = index[which]
        wall, behind = self._to_walls(fan, marks, x, y, camera)
        # the slope of what stands in each place, the steepest nearer, and what shows over that
        cells = fan.cells + np.array([cell for cell, _ in starts])[:, None, None]
        top = self._tops.take(cells, mode="clip")  # beyond the margin, whatever there is: a wall comes first
        slope = (top - np.float32(camera.height_m)) * fan.per_m
        before = np.empty_like(slope)
        before[:, 0] = -np.inf
        np.maximum.accumulate(slope[:, :-1], axis=1, out=before[:, 1:])
        shows = ((slope > before) & (fan.far < wall[:, None])).ravel().nonzero()[0]
        bare = top.reshape(-1)[shows] <= 0
        floor, stands = shows[bare], shows[~bare]
        ray = stands % rays
        drawn = (slope.reshape(-1)[stands] > fan.least[ray]) & (before.reshape(-1)[stands] < fan.most[ray])
        stands = stands[drawn]
        size = fan.shape[0] * fan.shape[1]
        shown = np.zeros((many, size), dtype=np.uint8)
        flat = shown.reshape(-1)
        look, at = np.divmod(floor, samples * rays)
        keep = fan.floor[at]
        flat[look[keep] * size + fan.window[at[keep]]] = 1
        shown[:, fan.under] = 1
        for i, (_, ground) in enumerate(starts):
            shown[i] *= self._rooms_at(ground, fan).reshape(-1)
        look, at = np.divmod(stands, samples * rays)
        flat[look * size + fan.window[at]] = BLOCKED
        self._draw_walls(shown, fan, wall, before, x, y, [ground for _, ground in starts])
        owners = self._owner[cells.reshape(-1)[stands]] + look * (len(self.house.pieces) + 1)
        count = np.bincount(owners, minlength=many * (len(self.house.pieces) + 1)).reshape(many, -1)
        clear = self._clear(some.some(which), marks, behind, camera)
        seen, of = points[clear], of[clear]
        found = []
        for i, (_, ground) in enumerate(starts):
            area = Patch((ground[0] + fan.low[0], ground[1] + fan.low[1]), shown[i].reshape(fan.shape))
            pieces = [n for n in count[i].nonzero()[0].tolist() if n]
            found.append(Shown(area, pieces, seen[of == i].tolist()))
        return found

    def _to_walls(
        self, fan: Fan, marks: Marks, x: Array, y: Array, camera: Camera
    ) -> tuple[Array, Array]:
        """How far the rays of each look (looks, rays) and the lines to points go until they meet a wall."""
        rays = len(fan.cos)
        xs, ys = np.concatenate([x.repeat(rays), marks.x]), np.concatenate([y.repeat(rays), marks.y])
        cos = np.concatenate([*[fan.cos] * len(x), marks.cos])
        sin = np.concatenate([*[fan.sin] * len(x), marks.sin])
        far = self.to_wall(xs, ys, cos, sin, camera)
        return far[: rays * len(x)].reshape(len(x), rays), far[rays * len(x) :]

    def _draw_walls(
        self, shown: NDArray[np.uint8], fan: Fan, wall: Array, before: NDArray[np.float32], x: Array, y: Array,
        grounds: Sequence[tuple[int, int]],
    ) -> None:  # fmt: skip
        """Where rays end at a wall that shows over what stands before it, nobody goes."""
        last = np.minimum((wall * (1 / SAMPLE_M)).astype(np.intp), len(fan.far) - 1)
        tops = np.take_along_axis(before, last[:, None], axis=1)[:, 0]
        look, ray = ((wall < fan.far[-1, 0]) & (tops < fan.most)).nonzero()
        reach = wall[look, ray] + 0.01
        low = np.array(grounds) + fan.low
        right = np.floor((x[look] + fan.cos[ray] * reach) * (1 / CELL_M)).astype(np.intp) - low[look, 0]
        up = np.floor((y[look] + fan.sin[ray] * reach) * (1 / CELL_M)).astype(np.intp) - low[look, 1]
        shown[look, up * fan.shape[1] + right] = BLOCKED

    def fan(self, eye: Eye, camera: Camera) -> tuple[Fan, int, tuple[int, int]]:
        """The rays of a look, the cell of the floor they start from, and that of the ground."""
        x, y = (eye.x - self._low[0]) / self.cell_m, (eye.y - self._low[1]) / self.cell_m
        gx, gy = eye.x / CELL_M, eye.y / CELL_M
        column, row, right, up = int(x + 1e-6), int(y + 1e-6), math.floor(gx + 1e-6), math.floor(gy + 1e-6)
        phase, on_ground = (round(x - column, 3), round(y - row, 3)), (round(gx - right, 3), round(gy - up, 3))
        key = (eye.heading_deg, eye.tilt_deg, camera, phase, on_ground)
        fan = self._fans.get(key)
        if fan is None:
            if len(self._fans) >= MOST_FANS:
                self._fans.clear()
            fan = self._fans[key] = fan_of(key[:2], camera, phase, on_ground, self.cell_m, self._columns)
        return fan, row * self._columns + column, (right, up)

    def _rooms_at(self, ground: tuple[int, int], fan: Fan) -> NDArray[np.uint8]:
        """The numbers of rooms over the window of a look; 0 outside the house."""
        col, row = ground[0] + fan.low[0] - self._room_low[0], ground[1] + fan.low[1] - self._room_low[1]
        (high, wide), (rows, cols) = fan.shape, self._room.shape
        if row >= 0 and col >= 0 and row + high <= rows and col + wide <= cols:
            return self._room[row : row + high, col : col + wide]
        found = np.zeros(fan.shape, dtype=np.uint8)
        r0, r1, c0, c1 = max(row, 0), min(row + high, rows), max(col, 0), min(col + wide, cols)
        if r0 < r1 and c0 < c1:
            found[r0 - row : r1 - row, c0 - col : c1 - col] = self._room[r0:r1, c0:c1]
        return found

    # -- walls --------------------------------------------------------------------------------------------------------
    def to_wall(self, x: Array, y: Array, cos: Array, sin: Array, camera: Camera) -> Array:
        """How far each line goes until it meets a wall or a closed door; a little over the range where it meets none."""
        far = camera.range_m + 0.1
        x0, x1, y0, y1 = float(x.min()), float(x.max()), float(y.min()), float(y.max())
        ax, ay, ex, ey, slack = self._walls_near(x0, x1, y0, y1, far)
        if not len(ax):
            return np.full(cos.shape, far)
        cos, sin = cos[:, None], sin[:, None]
        ax, ay = ax - x[:, None], ay - y[:, None]  # (lines, walls)
        turn = cos * ey
        turn -= sin * ex
        turn += 1e-13  # keeps parallel ones from dividing by 0
        np.divide(1, turn, out=turn)
        t = ax * ey
        t -= ay * ex
        t *= turn
        ax *= sin
        ay *= cos
        ax -= ay
        ax *= turn
        ax -= 0.5
        np.abs(ax, out=ax)
        t[(t <= 1e-9) | (ax > slack)] = far
        found: Array = t.min(axis=1, initial=far)
        return found

    def _walls_near(self, x0: float, x1: float, y0: float, y1: float, far: float) -> tuple[Array, ...]:
        """Walls that somebody within bounds may meet; kept, by square metres."""
        key = (math.floor(x0), math.floor(x1), math.floor(y0), math.floor(y1), far)
        found = self._walls_nearby.get(key)
        if found is None:
            low_x, low_y, high_x, high_y, *rest = self._walls
            near = (low_x < key[1] + 1 + far) & (high_x > key[0] - far)
            near &= (low_y < key[3] + 1 + far) & (high_y > key[2] - far)
            if len(self._walls_nearby) > MOST_SQUARES:
                self._walls_nearby.clear()
            found = self._walls_nearby[key] = tuple(values[near] for values in rest)
        return found

    # -- points -------------------------------------------------------------------------------------------------------
    def visible(self, points: Points, eye: Eye, camera: Camera) -> Mask:
        """Which points are in the picture and not hidden by a wall, or by more than the surface they lie on."""
        seen = np.zeros(len(points.at), dtype=bool)
        _, some, marks = self._in_pictures(points, [eye], np.array([eye.x]), np.array([eye.y]), camera)
        if len(some):
            behind = self.to_wall(marks.x, marks.y, marks.cos, marks.sin, camera)
            seen[some[self._clear(points.some(some), marks, behind, camera)]] = True
        return seen

    def _points_near(self, eyes: Sequence[Eye], camera: Camera) -> tuple[Index, Points]:
        """Those of the points of the house that may be within range of somebody about here; kept, by square metres."""
        first, last = eyes[0], eyes[-1]
        key = (math.floor(first.x), math.floor(first.y), math.floor(last.x), math.floor(last.y), camera.range_m)
        found = self._points_nearby.get(key)
        if found is None:
            low = min(key[0], key[2]) - camera.range_m, min(key[1], key[3]) - camera.range_m
            high = max(key[0], key[2]) + 1 + camera.range_m, max(key[1], key[3]) + 1 + camera.range_m
            at = self.fixed.at
            index = ((at >= low) & (at <= high)).all(axis=1).nonzero()[0]
            if len(self._points_nearby) > MOST_SQUARES:
                self._points_nearby.clear()
            found = self._points_nearby[key] = index, self.fixed.some(index)
        return found

    def _in_pictures(
        self, points: Points, eyes: Sequence[Eye], x: Array, y: Array, camera: Camera
    ) -> tuple[Index, Index, Marks]:
        """Those of some points that lie within the picture and the range of eyes that look the same way: the numbers
        of eyes and points, and how they are seen."""
        dx, dy = points.at[:, 0] - x[:, None], points.at[:, 1] - y[:, None]
        dz = points.upper - camera.height_m
        heading, tilt = math.radians(eyes[0].heading_deg), math.radians(eyes[0].tilt_deg)
        c, s, ct, st = math.cos(heading), math.sin(heading), math.cos(tilt), math.sin(tilt)
        ahead, aside = dx * c + dy * s, dy * c - dx * s
        wide = width_of(camera.fov_deg) * (ahead * ct + dz * st)
        square = dx * dx + dy * dy
        inside = (np.abs(aside) <= wide) & (np.abs(dz * ct - ahead * st) <= wide)
        inside &= (square + points.deep * dz * dz <= camera.range_m**2) & (square > 1e-9)
        eye, some = inside.nonzero()
        far = np.sqrt(square[eye, some])
        marks = Marks(x[eye], y[eye], dx[eye, some] / far, dy[eye, some] / far, far, dz[some] / far)
        return eye, some, marks

    def _clear(self, points: Points, marks: Marks, wall: Array, camera: Camera) -> Mask:
        """Whether nothing stands before points that are in the picture."""
        clear: Mask = wall > marks.far - 1e-6
        if not clear.any():
            return clear
        steps = np.arange(SAMPLE_M / 2, float(marks.far.max()), SAMPLE_M)
        rows = (((marks.y - self._low[1])[:, None] + marks.sin[:, None] * steps) * (1 / self.cell_m)).astype(np.intp)
        columns = (((marks.x - self._low[0])[:, None] + marks.cos[:, None] * steps) * (1 / self.cell_m)).astype(np.intp)
        cells = rows * self._columns + columns
        top = self._tops.take(cells, mode="clip")
        own = points.own[:, None]
        mine = (self._owner.take(cells, mode="clip") == own) & (own > 0)
        top = np.where(mine, np.minimum(top, points.under[:, None]), top)
        over = np.where(steps < marks.far[:, None] - NEAR_M, (top - camera.height_m) / steps, -np.inf)
        clear &= marks.slope > over.max(axis=1, initial=-np.inf)
        return clear


def _lines(w: Array) -> tuple[Array, ...]:
    """Walls, ready to be met: what each reaches over, its first end, its way to the other, and half its length in parts
    of that way."""
    ax, ay, bx, by = w.T
    slack = 0.5 + END_M / np.maximum(np.hypot(bx - ax, by - ay), 1e-6)
    ends = np.minimum(ax, bx), np.minimum(ay, by), np.maximum(ax, bx), np.maximum(ay, by)
    return *ends, ax, ay, bx - ax, by - ay, slack


# -- the house in cells -------------------------------------------------------------------------------------------
def _heights(floor: Floor) -> tuple[NDArray[np.float32], NDArray[np.int16]]:
    """How high what stands in each cell of the floor reaches, and which piece it is; outside there are only walls."""
    tops = np.zeros(floor.shape, dtype=np.float32)
    owner = np.zeros(floor.shape, dtype=np.int16)
    for i, piece in enumerate(floor.house.pieces):
        if piece.base_m > 0:
            continue
        x0, y0, x1, y1 = polygons.bounds(piece.corners)
        (r0, c0), (r1, c1) = floor.cell((x0, y0)), floor.cell((x1, y1))
        here = np.s_[r0 : r1 + 1, c0 : c1 + 1]
        inside = polygons.mask(piece.corners, floor.xs[here[1]], floor.ys[here[0]], 0.0)
        higher = inside & (tops[here] < piece.size[2])
        tops[here][higher] = piece.size[2]
        owner[here][higher] = i + 1
    return tops, owner


def _rooms(floor: Floor) -> tuple[tuple[int, int], NDArray[np.uint8]]:
    """The cells of the ground with the numbers of their rooms, and the first of them."""
    x0, y0 = (math.floor(v / CELL_M) for v in floor.low)
    x1, y1 = math.ceil(floor.xs[-1] / CELL_M), math.ceil(floor.ys[-1] / CELL_M)
    xs, ys = (np.arange(x0, x1) + 0.5) * CELL_M, (np.arange(y0, y1) + 0.5) * CELL_M
    columns = np.clip(((xs - floor.low[0]) / floor.cell_m).astype(int), 0, floor.shape[1] - 1)
    rows = np.clip(((ys - floor.low[1]) / floor.cell_m).astype(int), 0, floor.shape[0] - 1)
    index = floor.room[np.ix_(rows, columns)]
    return (x0, y0), np.where(index < 0, 0, index + FIRST_ROOM).astype(np.uint8)
