"""Camera images of a house: depth, owner and colour of every pixel.

The house is a heap of upright boxes: walls, closed doors, the frames of open ones, furniture, things. They are met from
the nearest on, and one that lies wholly behind what was met before is left out, so that the rooms behind a wall cost
next to nothing. Robots are cylinders. It is drawn by the project's own software renderer: no display, no graphics card.

Furniture is a box as high as the whole piece, and things may lie lower: on the seat of a sofa, in a bathtub. So a thing
shows through the piece that it lies on, wherever the line of sight enters that piece above what the thing lies on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.houses.model import FLOOR, Door, House
from coterie.render.solids.quadrics import disc, tube
from coterie.render.solids.zbuffer import FACES, NEAR, Canvas, Light, Window, ramp
from coterie.worlds.household.perception import Camera, Eye, Lying, Scene, Standing
from coterie.worlds.household.perception.casting import width_of

Array = NDArray[np.floating]
Ints = NDArray[np.int32]
Rgb = tuple[float, float, float]
Row = tuple[float, float, float, float, float, float, float, int]  # middle, half sizes, turn [rad], owner

PIXELS = 300
WALL_M = 0.01  # half as thick as walls are drawn
FRAME_M = 0.03  # half as thick as the frame of a door
FLAT_M = 0.001  # half as high as the flattest thing
SUN = (0.35, 0.5, 1.0)  # towards the light, in the house
SINK_M = 0.005  # by which a line of sight may enter a piece below what lies on it
GROUND, WALL, FIRST = 1, 2, 3  # owners of pixels: nothing is 0, and what has a name comes from FIRST on

_CORNERS = np.array(list(product((-1, 1), repeat=3)), float)
_EDGES = np.array([(i, j) for i, j in product(range(8), repeat=2) if i < j and (i ^ j) in (1, 2, 4)])
_SIDES = np.array([[0, 0, 1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, -1]], float)
_PLAIN = np.zeros(256, np.uint32)


@dataclass(frozen=True)
class Image:
    """One picture. `depth` is along the axis of the camera [m], infinite where nothing is; `owner` says whose it is;
    `colour` has a byte each for red, green and blue, where it was asked for."""

    eye: Eye
    camera: Camera
    depth: NDArray[np.float32]  # (rows, columns)
    owner: NDArray[np.integer]  # (rows, columns)
    names: Sequence[str]  # of owners, from FIRST on
    colour: NDArray[np.uint8] | None = None  # (rows, columns, 3)

    def points(self, step: int = 1) -> NDArray[np.float32]:
        """Where in the house the ray of each pixel ends, or of every so many, (3, rows, columns); not finite where it
        meets nothing."""
        px, py, _ = rays(self.camera.fov_deg, self.depth.shape[1])
        right, up, into = axes(self.eye).astype(np.float32)
        x, y, depth = px[::step].astype(np.float32), py[::step].astype(np.float32), self.depth[::step, ::step]
        out = np.empty((3, *depth.shape), np.float32)
        start = (self.eye.x, self.eye.y, self.camera.height_m)
        for i in range(3):
            np.add((x * right[i])[None, :], (y * up[i] + into[i])[:, None], out=out[i])
            out[i] *= depth
            out[i] += np.float32(start[i])
        return out

    def reach(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """How far from the lens what each pixel shows is [m], (rows, columns): on the floor, and in space."""
        flat, whole = _lengths(self.camera.fov_deg, self.depth.shape[1], self.eye.tilt_deg)
        return self.depth * flat, self.depth * whole

    def shows(self, points: Array, near_m: float) -> NDArray[np.bool_]:
        """Which points (n, 3) are in the picture, within the range, and have nothing before them but what is nearer to
        them than `near_m`."""
        inside, deep, rows, columns = self._pixels(points)
        found: NDArray[np.bool_] = inside & (self.depth[rows, columns] > deep - near_m)
        return found

    def _pixels(self, points: Array) -> tuple[NDArray[np.bool_], Array, NDArray[np.intp], NDArray[np.intp]]:
        """Which points are in the picture and within the range, how deep they lie, and their rows and columns."""
        at = points - (self.eye.x, self.eye.y, self.camera.height_m)
        side, up, deep = axes(self.eye) @ at.T
        wide, size = width_of(self.camera.fov_deg), len(self.depth)
        inside = (deep > 1e-6) & (np.abs(side) < wide * deep) & (np.abs(up) < wide * deep)
        inside &= at[:, 0] ** 2 + at[:, 1] ** 2 <= self.camera.range_m**2
        scale = size / 2 / wide / np.where(inside, deep, 1.0)
        columns, rows = (np.clip((size / 2 + v * scale).astype(int), 0, size - 1) for v in (side, -up))
        return inside, deep, rows, columns

    def owned(self, name: str) -> NDArray[np.bool_]:
        """The pixels of a piece, a thing, a door or a robot."""
        return self.owner == self.names.index(name) + FIRST


def axes(eye: Eye) -> Array:
    """Rows: to the right, up, and into the picture."""
    return _axes(eye.heading_deg, eye.tilt_deg)


@lru_cache(maxsize=1024)
def _axes(heading_deg: float, tilt_deg: float) -> Array:
    a, e = math.radians(heading_deg), math.radians(tilt_deg)
    right = np.array([math.sin(a), -math.cos(a), 0.0])
    into = np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)])
    return np.stack([right, np.cross(right, into), into])


@lru_cache(maxsize=16)
def rays(fov_deg: float, pixels: int) -> tuple[Array, Array, float]:
    """To the right and up for every column and row, at a depth of one; and the step between two pixels."""
    wide = width_of(fov_deg)
    step = 2 * wide / pixels
    px = (np.arange(pixels) + 0.5) * step - wide
    return px, -px, step


@lru_cache(maxsize=32)
def _lengths(fov_deg: float, pixels: int, tilt_deg: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How far the ray of each pixel goes at a depth of one: over the floor, and in space."""
    px, py, _ = rays(fov_deg, pixels)
    _, up, into = axes(Eye(0.0, 0.0, 0.0, tilt_deg))
    ahead, high = py * up[0] + into[0], py * up[2] + into[2]
    flat = px[None, :] ** 2 + ahead[:, None] ** 2
    return np.sqrt(flat).astype(np.float32), np.sqrt(flat + high[:, None] ** 2).astype(np.float32)


class _Boxes(NamedTuple):
    """Upright boxes, ready to be met."""

    middle: Array  # (n, 3)
    half: Array  # (n, 3)
    turn: Array  # (n, 3, 3)
    owner: Ints  # (n,)

    @classmethod
    def of(cls, rows: Sequence[Row]) -> _Boxes:
        table = np.array(rows, float).reshape(-1, 8)
        turn = np.zeros((len(table), 3, 3))
        turn[:, 0, 0] = turn[:, 1, 1] = np.cos(table[:, 6])
        turn[:, 1, 0], turn[:, 0, 1] = np.sin(table[:, 6]), -np.sin(table[:, 6])
        turn[:, 2, 2] = 1.0
        return cls(table[:, :3], np.maximum(table[:, 3:6], FLAT_M), turn, table[:, 7].astype(np.int32))


class _Met(NamedTuple):
    """Boxes in the frame of the eye, the nearest first; only those that may be in the picture."""

    which: list[int]
    windows: list[Window]
    nearest: list[float]  # one over the least depth
    normals: Array  # (n, 6, 3)
    offsets: Array  # (n, 6)


class Studio:
    """Takes pictures of one house. What stands still is laid out once."""

    def __init__(self, house: House, paint: Mapping[str, Rgb] | None = None):
        """`paint` gives colours by name of pieces, things, doors and robots, and of "ground" and "wall"."""
        self.house, self.paint = house, paint
        self.names = [
            *(p.name for p in house.furniture),
            *(d.name for d in house.doors),
            *(t.name for t in house.things),
        ]
        self._number = {name: i + FIRST for i, name in enumerate(self.names)}
        self._still = _Boxes.of([*self._walls(), *self._frames(), *self._furniture()])
        self._first = {t.name: Lying(t.on, t.spot) for t in house.things}

    # -- what there is ------------------------------------------------------------------------------------------------
    def _walls(self) -> list[Row]:
        return [_upright(w.a, w.b, WALL_M, 0.0, w.height_m, WALL) for w in self.house.walls]

    def _frames(self) -> list[Row]:
        """A closed door is a board. An open one is two posts and a beam; what is above it belongs to it, too."""
        rows, ceiling = [], max((w.height_m for w in self.house.walls), default=0.0)
        for door in self.house.doors:
            number, top = self._number[door.name], min(door.height_m, ceiling or door.height_m)
            if ceiling > top + 0.01:
                rows.append(_upright(door.a, door.b, WALL_M, top, ceiling, number))
            if not door.open:
                rows.append(_upright(door.a, door.b, WALL_M, 0.0, top, number))
                continue
            rows += [_post(door, end, top, number) for end in (door.a, door.b)]
            rows.append(_upright(door.a, door.b, FRAME_M, top - 2 * FRAME_M, top, number))
        return rows

    def _furniture(self) -> list[Row]:
        rows: list[Row] = []
        for p in self.house.furniture:
            w, d, h = p.size
            middle = (*p.centre, p.base_m + h / 2)
            rows.append((*middle, w / 2, d / 2, h / 2, math.radians(p.yaw_deg), self._number[p.name]))
        return rows

    # -- taking pictures ----------------------------------------------------------------------------------------------
    @np.errstate(invalid="ignore", divide="ignore")  # rays that meet nothing
    def take(self, scene: Scene, eye: Eye, camera: Camera, me: str = "", pixels: int = PIXELS) -> Image:
        """The image of a camera; `me` is the robot that carries it, which does not see itself. Where colours are wanted
        (`paint`), it sees as far as light goes, and else no further than its range."""
        px, py, step = rays(camera.fov_deg, pixels)
        others = {n: b for n, b in scene.robots.items() if n != me}
        names = [*self.names, *others]
        canvas = Canvas(px, py, step, FACES * (len(names) + FIRST), plain=self.paint is None)
        frame, at = axes(eye), np.array([eye.x, eye.y, camera.height_m])
        sun = np.array(SUN) / np.linalg.norm(SUN)
        light = Light(frame @ sun, frame @ sun)
        far = math.inf if self.paint is not None else camera.range_m
        up = frame[:, 2]
        canvas.convex(
            up[None], np.array([-at[2]]), canvas.whole(), self._lit("ground", light, up[None]), GROUND * FACES
        )
        self._draw_still(canvas, frame, at, far, light)
        for name, body in others.items():
            if math.hypot(body.x - eye.x, body.y - eye.y) <= far + body.radius_m:
                self._draw_robot(canvas, name, body, names.index(name) + FIRST, frame, at, light)
        self._draw_things(canvas, scene, frame, at, far, light)
        owner = canvas.code >> 3  # FACES for each
        colour = canvas.colour.view(np.uint8).reshape(pixels, pixels, 4)[..., :3] if self.paint is not None else None
        depth: NDArray[np.float32] = np.reciprocal(canvas.w)
        return Image(eye, camera, depth, owner, names, colour)

    def _lit(self, name: str, light: Light, normals: Array) -> NDArray[np.uint32]:
        """The colour of each side of something."""
        if self.paint is None:
            return _PLAIN
        return ramp(self.paint.get(name, (0.8, 0.8, 0.8)))[light.level(normals, shiny=False)]

    def _draw_still(self, canvas: Canvas, frame: Array, at: Array, far: float, light: Light) -> None:
        boxes = self._still
        met = _meet(canvas, boxes, frame, at, far)
        for k, i in enumerate(met.which):
            window = met.windows[k]
            if canvas.w[window].min() < met.nearest[k]:
                number = int(boxes.owner[i])
                name = self.names[number - FIRST] if number >= FIRST else "wall"
                colours = self._lit(name, light, met.normals[k])
                canvas.convex(met.normals[k], met.offsets[k], window, colours, number * FACES)

    def _draw_robot(
        self, canvas: Canvas, name: str, body: Standing, number: int, frame: Array, at: Array, light: Light
    ) -> None:
        half, up = body.height_m / 2, frame[:, 2]
        middle = frame @ (np.array([body.x, body.y, half]) - at)
        if middle[2] < -body.height_m:
            return
        colours = _PLAIN if self.paint is None else ramp(self.paint.get(name, (0.5, 0.5, 0.5)))
        tube(canvas, middle, up, body.radius_m, half, False, light, (colours, number * FACES))
        corners = _CORNERS * (body.radius_m, body.radius_m, half) + (body.x, body.y, half) - at
        window = _window(canvas, corners @ frame.T)
        top = colours[int(light.level(up, shiny=False))]
        disc(canvas, up, middle + up * half, body.radius_m, window, top, number * FACES + 1)

    def _draw_things(self, canvas: Canvas, scene: Scene, frame: Array, at: Array, far: float, light: Light) -> None:
        lying = self._first if not scene.moved else {**self._first, **scene.moved}
        some = [(name, where) for name, where in lying.items() if where is not None and name in self._number]
        rows: list[Row] = []
        for name, (_, (x, y, z)) in some:
            w, d, h = self.house.thing[name].size
            rows.append((x, y, z + h / 2, w / 2, d / 2, h / 2, 0.0, self._number[name]))
        boxes = _Boxes.of(rows)
        met = _meet(canvas, boxes, frame, at, far)
        for k, i in enumerate(met.which):
            name, where = some[i]
            window, number = met.windows[k], int(boxes.owner[i])
            part = _part(canvas, window)
            colours = self._lit(name, light, met.normals[k])
            part.convex(met.normals[k], met.offsets[k], part.whole(), colours, number * FACES)
            seen = part.w > canvas.w[window]
            if where.on != FLOOR and where.on in self._number:
                seen |= (part.w > 0) & self._above(canvas, window, where, frame, float(at[2]))
            canvas.lay(part, window, seen)

    def _above(self, canvas: Canvas, window: Window, where: Lying, frame: Array, eye_m: float) -> NDArray[np.bool_]:
        """Where the piece that something lies on is met above what it lies on."""
        own: NDArray[np.bool_] = canvas.code[window] >> 3 == self._number[where.on]
        if own.any():
            rising = canvas.linear(frame[:, 2].tolist(), window)  # how fast rays climb
            own &= eye_m + rising / canvas.w[window] >= where.spot[2] - SINK_M
        return own


def _upright(a: tuple[float, float], b: tuple[float, float], thick: float, low: float, high: float, owner: int) -> Row:
    """A board between two points of the floor; longer by a hair, so that no light passes at corners."""
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    along = math.atan2(b[1] - a[1], b[0] - a[0])
    return x, y, (low + high) / 2, math.dist(a, b) / 2 + thick, thick, (high - low) / 2, along, owner


def _post(door: Door, end: tuple[float, float], top: float, owner: int) -> Row:
    along = math.atan2(door.b[1] - door.a[1], door.b[0] - door.a[0])
    inwards = 1 if end == door.a else -1
    x, y = end[0] + inwards * FRAME_M * math.cos(along), end[1] + inwards * FRAME_M * math.sin(along)
    return x, y, top / 2, FRAME_M, FRAME_M, top / 2, along, owner


def _meet(canvas: Canvas, boxes: _Boxes, frame: Array, at: Array, far: float) -> _Met:
    """Put boxes before the eye: those that may be in the picture, the nearest first."""
    away, size = boxes.middle - at, np.sqrt((boxes.half * boxes.half).sum(axis=1))
    some = (away[:, 0] ** 2 + away[:, 1] ** 2 <= (far + size) ** 2) & (away @ frame[2] > NEAR - size)
    number = np.flatnonzero(some)
    boxes = _Boxes(boxes.middle[number], boxes.half[number], boxes.turn[number], boxes.owner[number])
    corners = np.einsum("nij,nkj->nki", boxes.turn, _CORNERS * boxes.half[:, None]) + (boxes.middle - at)[:, None]
    low, high = corners[..., :2].min(axis=1), corners[..., :2].max(axis=1)
    gap = np.maximum(np.maximum(low, -high), 0.0)
    near = gap[:, 0] ** 2 + gap[:, 1] ** 2 <= far * far
    seen = corners @ frame.T
    depth = seen[..., 2]
    wide, high_ = np.abs(canvas.px[-1]) + canvas.step, np.abs(canvas.py[0]) + canvas.step
    ahead = near & (depth.max(axis=1) > NEAR)
    for i, most in ((0, wide), (1, high_)):  # wholly to one side of the picture
        ahead &= (seen[..., i] - most * depth).min(axis=1) < 0
        ahead &= (seen[..., i] + most * depth).max(axis=1) > 0
    order = np.flatnonzero(ahead)
    order = order[np.argsort(depth[order].min(axis=1), kind="stable")]
    index, windows, nearest = [], [], []
    for i in order.tolist():
        window = _window(canvas, seen[i])
        if window is not None:
            index.append(i)
            windows.append(window)
            nearest.append(1 / max(float(depth[i].min()), NEAR))
    mat = frame @ boxes.turn[index]
    normals = np.einsum("kj,nij->nki", _SIDES, mat)
    offsets = np.einsum("nki,ni->nk", normals, (boxes.middle[index] - at) @ frame.T)
    return _Met(number[index].tolist(), windows, nearest, normals, offsets + boxes.half[index] @ np.abs(_SIDES).T)


def _part(canvas: Canvas, window: Window) -> Canvas:
    """An empty canvas of the size of a window."""
    return Canvas(canvas.px[window[1]], canvas.py[window[0]], canvas.step, canvas.codes, canvas.plain)


def _window(canvas: Canvas, corners: Array) -> Window | None:
    """The pixels that a box with these corners, in the frame of the eye, can touch; also where part of it is behind."""
    depth = corners[:, 2]
    if depth.min() <= NEAR:
        if depth.max() <= NEAR:
            return None
        a, b = corners[_EDGES[:, 0]], corners[_EDGES[:, 1]]
        crossing = (a[:, 2] > NEAR) != (b[:, 2] > NEAR)
        a, b = a[crossing], b[crossing]
        share = (NEAR - a[:, 2]) / (b[:, 2] - a[:, 2])
        corners = np.concatenate([corners[depth > NEAR], a + (b - a) * share[:, None]])
        depth = np.maximum(corners[:, 2], NEAR)
    x, y = corners[:, 0] / depth, corners[:, 1] / depth
    return canvas.around(float(x.min()), float(x.max()), float(y.min()), float(y.max()))
