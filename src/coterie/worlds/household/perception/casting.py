"""Casting rays over a house as it was furnished, for several cameras at once.

A look takes many small operations on arrays, whose cost hardly grows with the size of the arrays. So what a robot
would see a few steps further on is cast along with what it sees now: all poses of a cast have the same rays. Single
points are few, and looked for one by one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.area import Patch
from coterie.core.lazy import kept
from coterie.houses.floor import Floor, floor_of
from coterie.houses.model import House
from coterie.motion import polygons
from coterie.worlds.household.perception import BLOCKED, CELL_M, FIRST_ROOM, Camera, Eye

Array = NDArray[np.float64]
Cells = NDArray[np.intp]

SAMPLE_M = 0.1  # between two looks along a ray
FAN_M = 0.1  # between two rays at the end of their range
UNDER = 2  # cells of the ground to each side of a robot's middle on which it stands


class Fan(NamedTuple):
    """Rays from one place in a cell, counted from that cell: the same wherever in the house the place is."""

    cos: Array  # (rays,)
    sin: Array
    cells: Cells  # (samples, rays): steps from the cell of the camera, in a floor of `columns`
    window: Cells  # (samples, rays): the cell of the ground, in a window around the camera
    low: tuple[int, int]  # where that window begins, in columns and rows from the cell of the camera
    shape: tuple[int, int]  # and its rows and columns
    far: Array  # (samples, 1)
    per_m: NDArray[np.float32]  # (samples, 1): one over the distance
    least: NDArray[np.float32]  # (rays,): between these slopes a ray is in the picture
    most: NDArray[np.float32]
    floor: NDArray[np.bool_]  # (samples, rays): whether the floor there is in the picture
    under: NDArray[np.uint8]  # (cells of the window,): 1 where the robot stands
    reach: tuple[float, float, float, float]  # from x to x and from y to y, from the camera: no ray leads further
    strips: dict[tuple[int, int], Strip]  # those that were asked for

    def strip(self, looks: int, step: int) -> Strip:
        """The rays of several looks, each so many cells of the floor further on; made once."""
        found = self.strips.get((looks, step))
        if found is None:
            found = self.strips[looks, step] = Strip.of(self, looks, step)
        return found


class Strip(NamedTuple):
    """The rays of several looks side by side, so that all of them are one row: what a robot sees from here, and a few
    steps further on. Windows lie one after the other."""

    cos: Array  # (looks * rays,)
    sin: Array
    cells: Cells  # (samples, looks * rays): steps from the cell of the first camera
    window: Cells  # (samples * looks * rays,)
    number: Cells  # (looks * rays,): from 0
    least: NDArray[np.float32]  # (looks * rays,)
    most: NDArray[np.float32]
    floor: NDArray[np.bool_]  # (samples, looks * rays)

    @classmethod
    def of(cls, fan: Fan, looks: int, step: int) -> Strip:
        look = np.arange(looks)[:, None]
        cells, window = fan.cells[:, None] + look * step, fan.window[:, None] + look * fan.under.size
        row = looks * len(fan.cos)
        cos, sin, floor = np.tile(fan.cos, looks), np.tile(fan.sin, looks), np.tile(fan.floor, (1, looks))
        least, most = np.tile(fan.least, looks), np.tile(fan.most, looks)
        return cls(cos, sin, cells.reshape(-1, row), window.reshape(-1), np.arange(row), least, most, floor)


@lru_cache(maxsize=256)
def width_of(fov_deg: float) -> float:
    """Half the picture's width at a distance of one."""
    return math.tan(math.radians(min(fov_deg, 170.0)) / 2)


@lru_cache(maxsize=256)
def side_of(tilt_deg: float, fov_deg: float) -> float:
    """How far to each side of the heading the corners of the picture look [rad]."""
    tilt, wide = math.radians(tilt_deg), width_of(fov_deg)
    return math.atan2(wide, math.cos(tilt) - abs(math.sin(tilt)) * wide)


def slopes(cos: Array, sin: Array, tilt_deg: float, fov_deg: float) -> tuple[Array, Array]:
    """The slopes (height over distance on the floor) between which directions, told against the heading, are in the
    picture."""
    tilt, wide = math.radians(tilt_deg), width_of(fov_deg)
    c, s = math.cos(tilt), math.sin(tilt)
    least, most = np.full(cos.shape, -np.inf), np.full(cos.shape, np.inf)
    # Each side of the picture is a plane through the eye: factor * slope <= bound. The last is what lies ahead at all.
    sides = (
        (c - wide * s, cos * (wide * c + s)),
        (-c - wide * s, cos * (wide * c - s)),
        (-wide * s, cos * wide * c - np.abs(sin)),
        (-s, cos * c),
    )
    for factor, bound in sides:
        if factor > 1e-9:
            np.minimum(most, bound / factor, out=most)
        elif factor < -1e-9:
            np.maximum(least, bound / factor, out=least)
        else:
            most[bound < 0] = -np.inf
    return least, most


def fan_of(
    look: tuple[float, float], camera: Camera, phase: tuple[float, float], on_ground: tuple[float, float],
    cell_m: float, columns: int,
) -> Fan:  # fmt: skip
    """The rays of a look (heading, tilt) from a place `phase` into a cell of a floor with cells of `cell_m` in so many
    columns, and `on_ground` into one of the ground."""
    fan, rows = _fan(look, camera, phase, on_ground, cell_m)
    return fan._replace(cells=rows * columns + fan.cells, strips={})


@lru_cache(maxsize=512)
def _fan(
    look: tuple[float, float], camera: Camera, phase: tuple[float, float], on_ground: tuple[float, float], cell_m: float
) -> tuple[Fan, Cells]:
    """The part that is the same in every house: rays whose `cells` are columns, and their rows."""
    (heading, tilt), (height, fov, range_m) = look, camera
    half = side_of(tilt, fov)
    aside = np.linspace(-half, half, max(3, math.ceil(2 * half * range_m / FAN_M)))
    least, most = slopes(np.cos(aside), np.sin(aside), tilt, fov)
    some = least < most
    angle = math.radians(heading) + aside[some]
    far = np.arange(SAMPLE_M / 2, range_m + 1e-9, SAMPLE_M)
    cos, sin = np.cos(angle), np.sin(angle)
    far = far[:, None]
    dx, dy = cos * far, sin * far
    rows = np.floor(phase[1] + dy / cell_m).astype(np.intp)
    columns = np.floor(phase[0] + dx / cell_m).astype(np.intp)
    right = np.floor(on_ground[0] + dx / CELL_M).astype(np.intp)
    up = np.floor(on_ground[1] + dy / CELL_M).astype(np.intp)
    # one cell more on each side, for the walls at which rays end; and where the robot stands is in it
    low = min(int(right.min()) - 1, -UNDER), min(int(up.min()) - 1, -UNDER)
    shape = max(int(up.max()) + 2, UNDER) - low[1], max(int(right.max()) + 2, UNDER) - low[0]
    window = (up - low[1]) * shape[1] + right - low[0]
    least, most, down = least[some], most[some], -height / far
    floor = (down >= least) & (down <= most)
    own = np.arange(-UNDER, UNDER)
    near = (own + 0.5 - on_ground[1])[:, None] ** 2 + (own + 0.5 - on_ground[0]) ** 2 < UNDER**2
    under = np.zeros(shape[0] * shape[1], dtype=np.uint8)
    under[((own - low[1])[:, None] * shape[1] + own - low[0])[near]] = 1
    per_m, between = (1 / far).astype(np.float32), (least.astype(np.float32), most.astype(np.float32))
    far = far.astype(np.float32).astype(np.float64)  # as exact as slopes, as wide as what walls are told in
    most_m = range_m + 0.12  # a little more than walls are looked for
    sides = [float(v) for along in (cos, sin) for v in (min(along.min(), 0.0), max(along.max(), 0.0))]
    reach = sides[0] * most_m - 0.02, sides[1] * most_m + 0.02, sides[2] * most_m - 0.02, sides[3] * most_m + 0.02
    return Fan(cos, sin, columns, window, low, shape, far, per_m, *between, floor, under, reach, {}), rows


Index = NDArray[np.intp]
#: A wall, ready to be met: x, y of its first end, its way to the other, and half its length in parts of that way.
Line = tuple[float, float, float, float, float]
#: The same with what it reaches over: from x, y to x, y.
Wall = tuple[float, float, float, float, Line]
Turn = tuple[float, float]  # cosine, sine

FLOOR = 1  # what a window tells of a cell of the floor that shows
NEAR_M = 0.04  # in front of a point nothing hides it any more
END_M = 0.005  # by which walls are longer, so that no light passes at corners
MOST_FANS, MOST_SQUARES = 400, 10_000  # kept of one house
SQUARE_M = 2.0  # of a house, for which the walls around it are kept
PAD_M = 12.0  # beyond the house there is nothing, as far as anybody looks
SAMPLES_M: list[float] = np.arange(SAMPLE_M / 2, 60.0, SAMPLE_M).tolist()  # along a line to a point


class Cast(NamedTuple):
    """The result of casting the rays of a pose in the house as it was furnished."""

    fan: Fan
    ground: tuple[int, int]  # the cell of the ground from which they start
    told: NDArray[np.uint8]  # of the cells of the window: FLOOR, BLOCKED, or 0 where nothing shows
    pieces: list[int]  # numbers of pieces that stand on the floor, counted from 1


class Start(NamedTuple):
    """Where the rays of a pose begin."""

    fan: Fan
    cell: int  # of the floor
    ground: tuple[int, int]  # the cell of the ground

    def moved(self, cells: int, right: int, up: int) -> Start:
        """The same from another cell."""
        return Start(self.fan, self.cell + cells, (self.ground[0] + right, self.ground[1] + up))


class Mark(NamedTuple):
    """A point to be looked for."""

    x: float
    y: float
    upper: float  # the height that must be seen
    own: int = 0  # the number of the piece it lies on, 0 for none: that reaches
    under: float = 0.0  # up to here only
    deep: bool = False  # whether the range counts from the lens, as it does for things, or on the floor


class Glance(NamedTuple):
    """A look, ready to be asked for points."""

    eye: Eye
    camera: Camera
    heading: tuple[float, float]  # cosine, sine
    tilt: tuple[float, float]
    wide: float  # half the picture's width at a distance of one
    walls: list[Line]


class Rays:
    """The house in cells and lines, and its points, as they do not change."""

    def __init__(self, house: House, marks: Sequence[Mark]):
        self.house, self.marks = house, marks
        floor = floor_of(house)
        self.cell_m = floor.cell_m
        pad = math.ceil(PAD_M / self.cell_m)
        tops, owner = _heights(floor)
        self._tops = np.pad(tops, pad)
        self._owner = np.pad(owner, pad).reshape(-1)
        self._columns, self._tops = self._tops.shape[1], self._tops.reshape(-1)
        self.blocked = np.pad(floor.blocked, pad, constant_values=True).tobytes()  # by `Start.cell`
        self._low = floor.low[0] - pad * self.cell_m, floor.low[1] - pad * self.cell_m
        self._room_low, self._room = rooms_in_cells(floor)
        self._walls = _lines(house)
        self._fans: dict[Any, Fan] = {}
        self._further: dict[tuple[float, float], tuple[int, int, int]] = {}
        self._marks_at = np.array([mark[:2] for mark in marks], dtype=np.float64).reshape(-1, 2)
        self._marks_nearby: dict[Any, list[tuple[int, Mark]]] = {}
        self._walls_nearby: dict[Any, list[Wall]] = {}
        self._lines_nearby: dict[Any, list[Line]] = {}

    # -- whole looks --------------------------------------------------------------------------------------------------
    def cast(self, eyes: Sequence[Eye], starts: Sequence[Start], camera: Camera) -> list[Cast]:
        """Cast the rays of some poses that have the same fan and lie a step apart; each by itself, as if it were
        alone."""
        fan, height, looks = starts[0].fan, np.float32(camera.height_m), len(eyes)
        strip = fan.strip(looks, starts[1].cell - starts[0].cell if looks > 1 else 0)
        at = np.array([eye[:2] for eye in eyes]).T.repeat(len(fan.cos), axis=1)  # (2, looks * rays)
        wall = self._to_walls(fan, strip, eyes, at, camera)  # None where there is none
        # the slope of what stands in each place, the steepest nearer, and what shows over that: (samples, rays of all)
        cells = strip.cells + starts[0].cell
        rise = self._rises(height).take(cells, mode="clip")  # beyond the margin, whatever there is: a wall comes first
        slope = rise * fan.per_m
        before = np.empty_like(slope)
        before[0], before[1:], far = -np.inf, slope[:-1], 1
        while far < len(before):  # the steepest of two, of four, of eight
            np.maximum(before[far:], before[:-far], out=before[far:])
            far *= 2
        shows = slope > before
        if wall is not None:
            shows &= fan.far < wall
        stands = rise > -height
        stands &= shows
        shows ^= stands
        shows &= strip.floor
        stands &= slope > strip.least
        stands &= before < strip.most
        standing = stands.reshape(-1).nonzero()[0]
        told = np.zeros(looks * fan.under.size, dtype=np.uint8)
        told[strip.window[shows.reshape(-1).nonzero()[0]]] = FLOOR
        told[strip.window[standing]] = BLOCKED
        if wall is not None:
            self._draw_walls(told, fan, strip, wall, before, at, starts)
        windows = told.reshape(looks, -1)
        windows |= fan.under
        owners = self._owner[cells.reshape(-1)[standing]]
        pieces = self._pieces(owners, standing // len(fan.cos) % looks, looks)
        return list(map(Cast, repeat(fan), [s.ground for s in starts], windows, pieces))

    def patch(self, cast: Cast) -> Patch:
        """The window of a look: floor by the numbers of rooms, and what nobody goes through."""
        fan, ground, told, _ = cast
        told = told.reshape(fan.shape)
        cells: NDArray[np.uint8] = told * self._rooms_at(ground, fan)
        cells |= (told.view(np.int8) >> 7).view(np.uint8)  # BLOCKED, and nothing for all that is less than half of it
        return Patch((ground[0] + fan.low[0], ground[1] + fan.low[1]), cells)

    @kept
    def _rises(self, height: np.float32) -> NDArray[np.float32]:
        """How far above a camera what stands in each cell of the floor reaches."""
        return np.asarray(self._tops - height)

    def _pieces(self, owners: NDArray[np.int16], look: Index, looks: int) -> list[list[int]]:
        """For each look the numbers of pieces that show."""
        many = len(self.house.furniture) + 1
        found: list[list[int]] = [[] for _ in range(looks)]
        for number in np.bincount(owners + look * many).nonzero()[0].tolist():
            which, piece = divmod(number, many)
            if piece:
                found[which].append(piece)
        return found

    def _to_walls(self, fan: Fan, strip: Strip, eyes: Sequence[Eye], at: Array, camera: Camera) -> Array | None:
        """How far the rays of all looks go until they meet a wall or a closed door; a little over the range where they
        meet none. None where no wall is near enough for any of them."""
        far, (left, right, low, high) = camera.range_m + 0.1, fan.reach
        xs, ys = (eyes[0].x, eyes[-1].x), (eyes[0].y, eyes[-1].y)  # they lie in a row
        x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
        near = self._walls_near(x0, x1, y0, y1, far)
        x0, x1, y0, y1 = x0 + left, x1 + right, y0 + low, y1 + high
        lines = [w[4] for w in near if w[0] < x1 and w[2] > x0 and w[1] < y1 and w[3] > y0]
        if not lines:
            return None
        ax, ay, ex, ey, slack = np.array(lines).T[:, :, None]  # (walls, 1)
        turn = 1 / (fan.cos * ey - fan.sin * ex + 1e-13)  # the rest keeps parallel ones from dividing by 0
        turn = np.concatenate([turn] * len(eyes), axis=1)
        ax, ay = ax - at[0], ay - at[1]  # (walls, rays of all)
        t, u = ax * ey, ax * strip.sin
        t -= ay * ex
        t *= turn
        ay *= strip.cos
        u -= ay
        u *= turn
        u -= 0.5
        np.abs(u, out=u)
        missed = u > slack
        missed |= t <= 1e-9
        np.putmask(t, missed, far)
        found: Array = np.minimum.reduce(t, axis=0, initial=far)
        return found

    def _draw_walls(
        self, told: NDArray[np.uint8], fan: Fan, strip: Strip, wall: Array, before: NDArray[np.float32], at: Array,
        starts: Sequence[Start],
    ) -> None:  # fmt: skip
        """Where rays end at a wall that shows over what stands before it, nobody goes."""
        last = (wall * (1 / SAMPLE_M)).astype(np.intp)
        np.minimum(last, len(fan.far) - 1, out=last)
        last *= len(wall)
        last += strip.number
        ends = before.reshape(-1)[last] < strip.most
        ends &= wall < fan.far[-1]
        (low_x, low_y), (_, wide) = fan.low, fan.shape
        # of the windows of all looks, the first cell of the house
        first = [i * fan.under.size - (s.ground[1] + low_y) * wide - s.ground[0] - low_x for i, s in enumerate(starts)]
        reach = wall + 0.01
        right = np.floor((at[0] + strip.cos * reach) * (1 / CELL_M))
        cells = np.floor((at[1] + strip.sin * reach) * (1 / CELL_M))
        cells *= wide
        cells += right
        cells += np.array(first).repeat(len(fan.cos))
        told[cells[ends].astype(np.intp)] = BLOCKED

    def start(self, eye: Eye, camera: Camera) -> Start:
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
        return Start(fan, row * self._columns + column, (right, up))

    def further(self, dx: float, dy: float) -> tuple[int, int, int] | None:
        """By how many cells of the floor, and columns and rows of the ground, rays start elsewhere after a step; None
        where that is not a whole number and they have to be made anew."""
        known = self._further.get((dx, dy))
        if known is not None:
            return known
        parts = dx / self.cell_m, dy / self.cell_m, dx / CELL_M, dy / CELL_M
        column, row, right, up = (round(part) for part in parts)
        if max(abs(part - whole) for part, whole in zip(parts, (column, row, right, up))) > 1e-6:
            return None
        found = self._further[dx, dy] = row * self._columns + column, right, up
        return found

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

    def _walls_near(self, x0: float, x1: float, y0: float, y1: float, far: float) -> list[Wall]:
        """Walls near any point within bounds; kept, by squares."""
        key = (x0 // SQUARE_M, x1 // SQUARE_M, y0 // SQUARE_M, y1 // SQUARE_M, far)
        found = self._walls_nearby.get(key)
        if found is None:
            low_x, low_y, high_x, high_y, *lines = self._walls
            x0, x1, y0, y1 = (corner * SQUARE_M for corner in (key[0], key[1] + 1, key[2], key[3] + 1))
            near = (low_x < x1 + far) & (high_x > x0 - far) & (low_y < y1 + far) & (high_y > y0 - far)
            if len(self._walls_nearby) > MOST_SQUARES:
                self._walls_nearby.clear()
            reach = zip(*[values[near].tolist() for values in (low_x, low_y, high_x, high_y)])
            met = zip(*[values[near].tolist() for values in lines])
            found = self._walls_nearby[key] = [(*over, line) for over, line in zip(reach, met)]
        return found

    def _lines_near(self, x: float, y: float, far: float) -> list[Line]:
        """The same for one place, as single lines."""
        key = (math.floor(x), math.floor(y), far)
        found = self._lines_nearby.get(key)
        if found is None:
            if len(self._lines_nearby) > MOST_SQUARES:
                self._lines_nearby.clear()
            found = self._lines_nearby[key] = [wall[4] for wall in self._walls_near(x, x, y, y, far)]
        return found

    # -- points -------------------------------------------------------------------------------------------------------
    def points(self, eye: Eye, camera: Camera) -> list[int]:
        """The numbers of those points of the house that are in view."""
        column, row = math.floor(eye.x), math.floor(eye.y)
        key = (column, row, camera.range_m)
        near = self._marks_nearby.get(key)
        if near is None:
            if len(self._marks_nearby) > MOST_SQUARES:
                self._marks_nearby.clear()
            far = camera.range_m + 0.71  # from the middle of a square to its corners
            off = self._marks_at - (column + 0.5, row + 0.5)
            some = (np.hypot(off[:, 0], off[:, 1]) <= far + 1e-6).nonzero()[0].tolist()
            near = self._marks_nearby[key] = [(i, self.marks[i]) for i in some]
        if not near:
            return []
        (x, y, heading, tilt), (height, fov, range_m) = eye, camera
        (c, s), (ct, st), wide = _turned(heading, tilt, fov)
        most, glance, found = range_m**2, None, []
        for i, mark in near:  # what is out of the picture is most of it
            dx, dy, dz = mark[0] - x, mark[1] - y, mark[2] - height
            ahead = dx * c + dy * s
            if abs(dy * c - dx * s) > wide * (ahead * ct + dz * st) or dx * dx + dy * dy > most:
                continue
            if glance is None:
                glance = self.glance(eye, camera)
            if self.sees(glance, mark):
                found.append(i)
        return found

    def glance(self, eye: Eye, camera: Camera) -> Glance:
        walls = self._lines_near(eye.x, eye.y, camera.range_m + 0.1)
        return Glance(eye, camera, *_turned(eye.heading_deg, eye.tilt_deg, camera.fov_deg), walls)

    def sees(self, glance: Glance, mark: Mark) -> bool:
        """True if a point is in the picture and not hidden by a wall, or by more than the surface it lies on."""
        (x, y, _, _), (height, _, range_m), (c, s), (ct, st), wide, walls = glance
        dx, dy, dz = mark.x - x, mark.y - y, mark.upper - height
        square = dx * dx + dy * dy
        if square + (dz * dz if mark.deep else 0.0) > range_m**2 or square <= 1e-9:
            return False
        ahead = dx * c + dy * s
        wide *= ahead * ct + dz * st
        if abs(dy * c - dx * s) > wide or abs(dz * ct - ahead * st) > wide:
            return False
        far = math.sqrt(square)
        cos, sin = dx / far, dy / far
        for wx, wy, ex, ey, slack in walls:
            wx, wy, turn = wx - x, wy - y, 1 / (cos * ey - sin * ex + 1e-13)
            t = (wx * ey - wy * ex) * turn
            if 1e-9 < t <= far - 1e-6 and abs((wx * sin - wy * cos) * turn - 0.5) <= slack:
                return False
        return self._over(mark, x - self._low[0], y - self._low[1], cos, sin, far, dz / far, height)

    def _over(
        self, mark: Mark, x: float, y: float, cos: float, sin: float, far: float, slope: float, height: float
    ) -> bool:
        """True if nothing on the way to a point reaches as high as the line to it."""
        tops, owner, per_m, most = self._tops, self._owner, 1 / self.cell_m, len(self._tops) - 1
        far, columns, top_of, own, under = far - NEAR_M, self._columns, tops.item, mark.own, mark.under
        for step in SAMPLES_M:
            if step >= far:
                return True
            cell = int((y + sin * step) * per_m) * columns + int((x + cos * step) * per_m)
            if not 0 <= cell <= most:
                cell = 0 if cell < 0 else most
            top = top_of(cell)
            if own and top > under and owner.item(cell) == own:
                top = under
            if (top - height) / step >= slope:
                return False
        return True


@lru_cache(maxsize=1024)
def _turned(heading_deg: float, tilt_deg: float, fov_deg: float) -> tuple[Turn, Turn, float]:
    """Cosine and sine of a heading and of a tilt, and half the picture's width; most looks have the same few."""
    heading, tilt = math.radians(heading_deg), math.radians(tilt_deg)
    turns = (math.cos(heading), math.sin(heading)), (math.cos(tilt), math.sin(tilt))
    return *turns, width_of(fov_deg)


def _lines(house: House) -> tuple[Array, ...]:
    """Walls and closed doors: what each reaches over, and itself as a `Line`."""
    rows = [(*w.a, *w.b) for w in house.walls] + [(*d.a, *d.b) for d in house.doors if not d.open]
    ax, ay, bx, by = np.array(rows, dtype=np.float64).reshape(-1, 4).T
    slack = 0.5 + END_M / np.maximum(np.hypot(bx - ax, by - ay), 1e-6)
    ends = np.minimum(ax, bx), np.minimum(ay, by), np.maximum(ax, bx), np.maximum(ay, by)
    return *ends, ax, ay, bx - ax, by - ay, slack


# -- the house in cells -------------------------------------------------------------------------------------------
def _heights(floor: Floor) -> tuple[NDArray[np.float32], NDArray[np.int16]]:
    """How high what stands in each cell of the floor reaches, and which piece it is; outside there are only walls."""
    tops = np.zeros(floor.shape, dtype=np.float32)
    owner = np.zeros(floor.shape, dtype=np.int16)
    for i, piece in enumerate(floor.house.furniture):
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


def rooms_in_cells(floor: Floor) -> tuple[tuple[int, int], NDArray[np.uint8]]:
    """The cells of the ground with the numbers of their rooms, and the first of them."""
    x0, y0 = (math.floor(v / CELL_M) for v in floor.low)
    x1, y1 = math.ceil(floor.xs[-1] / CELL_M), math.ceil(floor.ys[-1] / CELL_M)
    xs, ys = (np.arange(x0, x1) + 0.5) * CELL_M, (np.arange(y0, y1) + 0.5) * CELL_M
    columns = np.clip(((xs - floor.low[0]) / floor.cell_m).astype(int), 0, floor.shape[1] - 1)
    rows = np.clip(((ys - floor.low[1]) / floor.cell_m).astype(int), 0, floor.shape[0] - 1)
    index = floor.room[np.ix_(rows, columns)]
    return (x0, y0), np.where(index < 0, 0, index + FIRST_ROOM).astype(np.uint8)
