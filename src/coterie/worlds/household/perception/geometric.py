"""Seeing by rays: exact against walls and closed doors, and against furniture by its height.

From the camera a fan of rays runs over the floor. Along each the steepest line of sight over what stands there is kept;
what lies below it is hidden. So a tall camera looks over a table that hides the floor from a low one, and a low one
misses what lies far back on a high shelf. What a pose shows of the house does not change, and is kept; things that were
moved and robots are looked for each time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.area import Patch
from coterie.core.errors import CoterieError
from coterie.motion import polygons
from coterie.worlds.household.floor import Floor, floor_of
from coterie.worlds.household.house import FLOOR, House
from coterie.worlds.household.perception import (
    BLOCKED,
    CELL_M,
    FIRST_ROOM,
    MOST_ROOMS,
    Camera,
    Detections,
    Eye,
    Lying,
    Scene,
    Seen,
    Spot,
    Standing,
)
from coterie.worlds.household.perception.fan import SAMPLE_M, Fan, fan_of, side_of, width_of

Row = tuple[float, float, float, int, float, bool]  # of a table of Points
Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

UPPER = 0.75  # of a thing's height: what of it must be seen
DOOR_M = 1.0  # the height at which a doorway is looked for
NEAR_M = 0.04  # in front of a point nothing hides it any more
END_M = 0.005  # by which walls are longer, so that no light passes at corners
MOST_VIEWS, MOST_FANS = 10_000, 400  # kept of one house
PAD_M = 12.0  # beyond the house there is nothing, as far as anybody looks


class Shown(NamedTuple):
    """What a pose shows of the house as it was furnished."""

    area: Patch
    pieces: tuple[str, ...]
    doors: tuple[str, ...]
    things: tuple[Seen, ...]


class Points(NamedTuple):
    """Points to be looked for."""

    at: Array  # (n, 2)
    upper: Array  # (n,): the height that must be seen
    own: NDArray[np.int16]  # (n,): the number of the piece it lies on, 0 for none: that reaches
    under: Array  # (n,): up to here only
    deep: Mask  # (n,): whether the range counts from the lens, as it does for things, or on the floor

    def some(self, keep: NDArray[np.intp]) -> Points:
        return Points(self.at[keep], self.upper[keep], self.own[keep], self.under[keep], self.deep[keep])


class Marks(NamedTuple):
    """The directions of points in a picture."""

    cos: Array
    sin: Array
    far: Array
    slope: Array


class Geometric:
    """The rays of one house."""

    def __init__(self, house: House):
        if len(house.rooms) > MOST_ROOMS:
            raise CoterieError(
                f"The house '{house.name}' has {len(house.rooms)} rooms; robots tell {MOST_ROOMS} apart."
            )
        self.house = house
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
        self.index = {p.name: i + 1 for i, p in enumerate(house.pieces)}
        self._doors = [d for d in house.doors if d.open]
        self._hung = [p for p in house.pieces if p.base_m > 0]
        self._fixed = self._points_of_house()
        self._views: dict[tuple[Eye, Camera], Shown] = {}
        self._fans: dict[Any, Fan] = {}
        self._nearby: dict[Any, tuple[NDArray[np.intp], Points]] = {}
        self._walls_nearby: dict[Any, tuple[Array, ...]] = {}

    def _points_of_house(self) -> Points:
        """Things where they were at first, doorways, and furniture that hangs on walls."""
        rows = [self._thing(t.name, t.on, t.spot) for t in self.house.things]
        rows += [((d.a[0] + d.b[0]) / 2, (d.a[1] + d.b[1]) / 2, DOOR_M, 0, 0.0, False) for d in self._doors]
        rows += [(*p.centre, p.base_m + p.size[2] / 2, 0, 0.0, False) for p in self._hung]
        return _points(rows)

    def _thing(self, name: str, on: str, spot: Spot) -> Row:
        x, y, z = spot
        own = 0 if on == FLOOR else self.index.get(on, 0)
        return x, y, z + UPPER * self.house.thing[name].size[2], own, z, True

    # -- the interface --------------------------------------------------------------------------------------------
    def look(self, scene: Scene, eye: Eye, camera: Camera, me: str = "") -> Detections:
        area, pieces, doors, first = self.view(eye, camera)
        things: Sequence[Seen] = first
        if scene.moved:
            things = [t for t in things if t.name not in scene.moved]
            there = [Seen(n, at.on, at.spot) for n, at in scene.moved.items() if at is not None]
            lying = [t for t in there if _ahead(*t.spot[:2], eye, camera)]
            if lying:
                seen = self._visible(_points([self._thing(*t) for t in lying]), eye, camera)
                things += [t for t, ok in zip(lying, seen) if ok]
        others = [n for n, b in scene.robots.items() if n != me and _ahead(b.x, b.y, eye, camera, b.radius_m)]
        if not others:
            return Detections(things, pieces, doors, (), area)
        found = [scene.robots[n] for n in others]
        visible = self._visible(_points([(b.x, b.y, UPPER * b.height_m, 0, 0.0, False) for b in found]), eye, camera)
        names = [n for n, ok in zip(others, visible) if ok]
        if not names:  # who is not seen hides nothing that would be
            return Detections(things, pieces, doors, (), area)
        bodies = [scene.robots[n] for n in names]
        if things:
            hidden = _behind(eye, camera, bodies, np.array([t.spot for t in things]))
            things = [t for t, away in zip(things, hidden) if not away]
        return Detections(things, pieces, doors, names, _without(area, eye, camera, bodies))

    def shows(self, scene: Scene, eye: Eye, camera: Camera, points: Sequence[Spot], me: str = "") -> Sequence[bool]:
        if not any(_ahead(x, y, eye, camera) for x, y, _ in points):
            return [False] * len(points)
        seen = self._visible(_points([(*p, 0, 0.0, True) for p in points]), eye, camera)
        bodies = [b for n, b in scene.robots.items() if n != me and _ahead(b.x, b.y, eye, camera, b.radius_m)]
        if bodies:
            seen &= ~_behind(eye, camera, bodies, np.array(points, dtype=float))
        return [bool(ok) for ok in seen]

    def unhidden(self, thing: str, lying: Lying, at: Sequence[tuple[float, float]], height_m: float) -> Sequence[bool]:
        """Whether nothing but robots would hide a thing from a camera at some places that looks straight at it."""
        points = _points([self._thing(thing, lying.on, lying.spot)])
        x, y, z = float(points.at[0, 0]), float(points.at[0, 1]), float(points.upper[0])
        found = []
        for px, py in at:
            far = math.hypot(x - px, y - py)
            heading, tilt = math.atan2(y - py, x - px), math.atan2(z - height_m, max(far, 1e-6))
            eye = Eye(px, py, math.degrees(heading), math.degrees(tilt))
            found.append(
                bool(self._visible(points, eye, Camera(height_m, 90.0, math.hypot(far, z - height_m) + 1.0))[0])
            )
        return found

    # -- what does not change -------------------------------------------------------------------------------------
    def view(self, eye: Eye, camera: Camera) -> Shown:
        """What a pose shows of the house as it was furnished; kept."""
        key = (eye, camera)
        shown = self._views.get(key)
        if shown is None:
            if len(self._views) >= MOST_VIEWS:
                self._views.clear()
            shown = self._views[key] = self._cast(eye, camera)
        return shown

    def _cast(self, eye: Eye, camera: Camera) -> Shown:
        house = self.house
        fan, cell, ground = self._fan(eye, camera)
        index, some = self._points_near(eye, camera)
        inside, marks = self._in_picture(some, eye, camera)
        points = index[inside]
        walls = self._to_wall(eye, np.concatenate([fan.cos, marks.cos]), np.concatenate([fan.sin, marks.sin]), camera)
        wall, behind = walls[: len(fan.cos)], walls[len(fan.cos) :]
        # the slope of what stands in each place, the steepest nearer, and what shows over that
        cells = fan.cells + cell
        top = self._tops.take(cells, mode="clip")  # beyond the margin, whatever there is: a wall comes first
        slope = (top - np.float32(camera.height_m)) * fan.per_m
        before = np.empty_like(slope)
        before[0] = -np.inf
        np.maximum.accumulate(slope[:-1], axis=0, out=before[1:])
        shows = np.flatnonzero((slope > before) & (fan.far < wall))
        bare = top.reshape(-1)[shows] <= 0
        floor, stands = shows[bare], shows[~bare]
        ray = stands % len(fan.cos)
        drawn = (slope.reshape(-1)[stands] > fan.least[ray]) & (before.reshape(-1)[stands] < fan.most[ray])
        stands, floor = stands[drawn], floor[fan.floor[floor]]
        shown = np.zeros(fan.shape[0] * fan.shape[1], dtype=np.uint8)
        shown[fan.window[floor]] = 1
        shown[fan.under] = 1
        shown *= self._rooms_at(ground, fan).reshape(-1)
        shown[fan.window[stands]] = BLOCKED
        shown[self._wall_cells(eye, fan, wall, before, ground)] = BLOCKED
        area = Patch((ground[0] + fan.low[0], ground[1] + fan.low[1]), shown.reshape(fan.shape))
        found = np.flatnonzero(np.bincount(self._owner[cells.reshape(-1)[stands]], minlength=1)).tolist()
        pieces = [house.pieces[i - 1].name for i in found if i]
        seen = points[self._clear(self._fixed.some(points), marks, behind, eye, camera)].tolist()
        n, m = len(house.things), len(house.things) + len(self._doors)
        pieces += [self._hung[i - m].name for i in seen if i >= m]
        doors = tuple(self._doors[i - n].name for i in seen if n <= i < m)
        things = tuple([Seen(t.name, t.on, t.spot) for t in [house.things[i] for i in seen if i < n]])
        return Shown(area, tuple(pieces), doors, things)

    def _wall_cells(
        self, eye: Eye, fan: Fan, wall: Array, before: NDArray[np.float32], ground: tuple[int, int]
    ) -> NDArray[np.intp]:
        """Where rays end at a wall that shows over what stands before it."""
        last = np.minimum((wall * (1 / SAMPLE_M)).astype(np.intp), len(fan.far) - 1)
        ends = (wall < fan.far[-1, 0]) & (before[last, np.arange(len(wall))] < fan.most)
        reach = wall[ends] + 0.01
        right = np.floor((eye.x + fan.cos[ends] * reach) * (1 / CELL_M)).astype(np.intp) - (ground[0] + fan.low[0])
        up = np.floor((eye.y + fan.sin[ends] * reach) * (1 / CELL_M)).astype(np.intp) - (ground[1] + fan.low[1])
        cells: NDArray[np.intp] = up * fan.shape[1] + right
        return cells

    def _fan(self, eye: Eye, camera: Camera) -> tuple[Fan, int, tuple[int, int]]:
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

    def _to_wall(self, eye: Eye, cos: Array, sin: Array, camera: Camera) -> Array:
        """How far each direction goes until it meets a wall or a closed door; a little over the range where it meets
        none."""
        x, y, far = eye.x, eye.y, camera.range_m + 0.1
        low_x, low_y, high_x, high_y, *rest = self._walls_near(x, y, far)
        near = (low_x < x + far) & (high_x > x - far) & (low_y < y + far) & (high_y > y - far)
        if not near.any():
            return np.full(cos.shape, far)
        ax, ay, ex, ey, slack = (values[near] for values in rest)
        ax, ay = ax - x, ay - y
        cos, sin = cos[:, None], sin[:, None]
        turn = 1 / (cos * ey - sin * ex + 1e-13)  # (directions, walls); the rest keeps parallel ones from dividing by 0
        t = (ax * ey - ay * ex) * turn
        u = (ax * sin - ay * cos) * turn
        t[(t <= 1e-9) | (np.abs(u - 0.5) > slack)] = far
        found: Array = t.min(axis=1, initial=far)
        return found

    def _walls_near(self, x: float, y: float, far: float) -> tuple[Array, ...]:
        """Walls that somebody about here may meet; kept, by square metres."""
        key = (math.floor(x), math.floor(y), far)
        found = self._walls_nearby.get(key)
        if found is None:
            low_x, low_y, high_x, high_y, *_ = self._walls
            near = (low_x < key[0] + 1 + far) & (high_x > key[0] - far)
            near &= (low_y < key[1] + 1 + far) & (high_y > key[1] - far)
            found = self._walls_nearby[key] = tuple(values[near] for values in self._walls)
            if len(self._walls_nearby) > MOST_VIEWS:
                self._walls_nearby.clear()
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

    # -- single points --------------------------------------------------------------------------------------------
    def _visible(self, points: Points, eye: Eye, camera: Camera) -> Mask:
        """Which points are in the picture and not hidden by a wall, or by more than the surface they lie on."""
        some, marks = self._in_picture(points, eye, camera)
        seen = np.zeros(len(points.at), dtype=bool)
        if len(some):
            behind = self._to_wall(eye, marks.cos, marks.sin, camera)
            seen[some[self._clear(points.some(some), marks, behind, eye, camera)]] = True
        return seen

    def _points_near(self, eye: Eye, camera: Camera) -> tuple[NDArray[np.intp], Points]:
        """Those of the points of the house that may be within range of somebody about here; kept, by square metres."""
        key = (math.floor(eye.x), math.floor(eye.y), camera.range_m)
        found = self._nearby.get(key)
        if found is None:
            far = camera.range_m + 0.71  # from the middle of the square to its corners
            away = self._fixed.at - (key[0] + 0.5, key[1] + 0.5)
            index = np.flatnonzero((away * away).sum(axis=1) <= (far + 1e-6) ** 2)
            found = self._nearby[key] = index, self._fixed.some(index)
        return found

    def _in_picture(self, points: Points, eye: Eye, camera: Camera) -> tuple[NDArray[np.intp], Marks]:
        """Those of some points that lie within the picture and the range."""
        dx, dy = points.at[:, 0] - eye.x, points.at[:, 1] - eye.y
        dz = points.upper - camera.height_m
        heading, tilt = math.radians(eye.heading_deg), math.radians(eye.tilt_deg)
        c, s, ct, st = math.cos(heading), math.sin(heading), math.cos(tilt), math.sin(tilt)
        ahead, aside = dx * c + dy * s, dy * c - dx * s
        wide = width_of(camera.fov_deg) * (ahead * ct + dz * st)
        square = dx * dx + dy * dy
        inside = (np.abs(aside) <= wide) & (np.abs(dz * ct - ahead * st) <= wide)
        inside &= (square + points.deep * dz * dz <= camera.range_m**2) & (square > 1e-9)
        some = np.flatnonzero(inside)
        far = np.sqrt(square[some])
        return some, Marks(dx[some] / far, dy[some] / far, far, dz[some] / far)

    def _clear(self, points: Points, marks: Marks, wall: Array, eye: Eye, camera: Camera) -> Mask:
        """Whether nothing stands before points that are in the picture."""
        clear: Mask = wall > marks.far - 1e-6
        if not clear.any():
            return clear
        steps = np.arange(SAMPLE_M / 2, float(marks.far.max()), SAMPLE_M)
        rows = (((eye.y - self._low[1]) + marks.sin[:, None] * steps) * (1 / self.cell_m)).astype(np.intp)
        columns = (((eye.x - self._low[0]) + marks.cos[:, None] * steps) * (1 / self.cell_m)).astype(np.intp)
        cells = rows * self._columns + columns
        top = self._tops.take(cells, mode="clip")
        own = points.own[:, None]
        mine = (self._owner.take(cells, mode="clip") == own) & (own > 0)
        top = np.where(mine, np.minimum(top, points.under[:, None]), top)
        over = np.where(steps < marks.far[:, None] - NEAR_M, (top - camera.height_m) / steps, -np.inf)
        clear &= marks.slope > over.max(axis=1, initial=-np.inf)
        return clear


def _points(rows: Sequence[Row]) -> Points:
    table = np.array(rows, dtype=float).reshape(-1, 6)
    return Points(table[:, :2], table[:, 2], table[:, 3].astype(np.int16), table[:, 4], table[:, 5] > 0)


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


# -- robots -------------------------------------------------------------------------------------------------------
def _ahead(x: float, y: float, eye: Eye, camera: Camera, radius_m: float = 0.0) -> bool:
    """Whether something may be in the picture at all: a quick look before a careful one."""
    dx, dy = x - eye.x, y - eye.y
    far = math.hypot(dx, dy)
    if far > camera.range_m + radius_m or far < 1e-6:
        return False
    aside = abs((math.atan2(dy, dx) - math.radians(eye.heading_deg) + math.pi) % (2 * math.pi) - math.pi)
    return aside <= side_of(eye.tilt_deg, camera.fov_deg) + math.asin(min(1.0, radius_m / far)) + 1e-6


def _behind(eye: Eye, camera: Camera, bodies: Sequence[Standing], at: Array) -> NDArray[np.bool_]:
    """Whether robots hide points (n, 3)."""
    found = np.zeros(len(at), dtype=bool)
    dx, dy = at[:, 0] - eye.x, at[:, 1] - eye.y
    far = np.maximum(np.hypot(dx, dy), 1e-6)
    for body in bodies:
        bx, by = body.x - eye.x, body.y - eye.y
        along = (bx * dx + by * dy) / far
        aside = np.abs(bx * dy - by * dx) / far
        height = camera.height_m + (at[:, 2] - camera.height_m) * along / far
        found |= (along > 0) & (along < far - body.radius_m) & (aside < body.radius_m) & (height < body.height_m)
    return found


def _without(area: Patch, eye: Eye, camera: Camera, bodies: Sequence[Standing]) -> Patch:
    """The ground without what robots hide of it."""
    rows, columns = np.nonzero(area.cells)
    if not len(rows):
        return area
    x, y = (columns + area.low[0] + 0.5) * CELL_M, (rows + area.low[1] + 0.5) * CELL_M
    hidden = _behind(eye, camera, bodies, np.stack([x, y, np.zeros(len(x))], axis=-1))
    if not hidden.any():
        return area
    cells = area.cells.copy()
    cells[rows[hidden], columns[hidden]] = 0
    return Patch(area.low, cells)
