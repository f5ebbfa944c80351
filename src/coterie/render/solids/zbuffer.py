"""Solids as pixels, by rays: every shape is met exactly, inside its own window of the picture, with numpy alone.

Points are in the frame of the eye: x to the right, y up, z into the picture. The ray of a pixel is d = (px, py, 1), and
a point on it is d / w, where w is one over the depth. With w instead of depth a plane is a linear function of the
pixel, so boxes need no division, and the background is simply w = 0.
A ray that misses a solid has NaN for w, which is nearer than nothing; warnings about it are for the caller to silence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]
Ints = NDArray[np.integer]

AMBIENT, SUN, SHINE = 0.4, 0.58, 0.2
LEVELS = 200  # of light, for the plain colour of a solid; the levels above it are highlights


@dataclass(frozen=True)
class Light:
    """Directions in the frame of the eye: to the sun, and the one that mirrors the sun into the eye."""

    sun: Array
    mirror: Array

    def level(self, normals: Array, shiny: bool = True) -> Ints:
        """How bright surfaces with the normals (..., 3) are, 0 to 255."""
        n = np.asarray(normals)
        return brightness(n @ self.sun, n @ self.mirror if shiny else np.zeros(n.shape[:-1]))


def brightness(sun: Array, mirror: Array) -> Ints:
    """From how far a normal points to the sun and to the mirrored sun.

    Light wraps around a solid and fades with the square, so there is no border of light and shade, and no side that is
    as flat as a side in the dark would be.
    """
    bright = sun + np.float32(1)
    bright *= bright
    bright *= np.float32(SUN * LEVELS / 4)
    glint = np.maximum(mirror, np.float32(0.1))  # smaller ones would become numbers that are slow to work with
    for _ in range(4):
        glint *= glint
    glint *= np.float32(SHINE * LEVELS)
    bright += glint
    bright += np.float32(AMBIENT * LEVELS)
    return np.clip(bright, 0, 255).astype(np.uint8)


@lru_cache(maxsize=1024)
def ramp(rgb: tuple[float, ...]) -> NDArray[np.uint32]:
    """The colours of a material from its darkest side to its highlight, packed as pixels."""
    base = np.asarray(rgb[:3], float)
    grey = base @ (0.3, 0.59, 0.11)
    base = 0.03 + 0.94 * (0.9 * base + 0.1 * grey)  # full colours are tiring to look at
    share = np.arange(256)[:, None] / LEVELS
    dark = base * 0.3 + np.array([0.015, 0.02, 0.05])  # shade is a little blue, as under a sky
    lit = dark + (base - dark) * np.minimum(share, 1)
    lit = lit + (1 - lit) * np.clip((share - 1) * 2.2, 0, 0.75)
    out = np.full((256, 4), 255, np.uint8)
    out[:, :3] = np.clip(np.rint(lit * 255), 0, 255)
    return out.view(np.uint32)[:, 0]


def scaled(pixels: NDArray[np.uint32], keep: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Pixels made darker: each keeps so many 256ths of its light. Two channels are multiplied at a time."""
    even, odd = np.uint32(0x00FF00FF), np.uint32(0xFF00FF00)
    return (((pixels & even) * keep >> np.uint32(8)) & even) | ((((pixels >> np.uint32(8)) & even) * keep) & odd)


Window = tuple[slice, slice]
Paint = tuple[NDArray[np.uint32], int]  # the colours of a material by light, and the code of the solid

FACES = 8  # codes a solid has for itself: one for each face that must be told from its neighbours
NEAR = 0.01  # metres; what is nearer to the eye is not drawn
OUTLINE, CREASE = 0.62, 0.22  # how much darker the border of a solid is, and an edge between two of its faces


def _single(values: Array) -> NDArray[np.float32]:
    return values.astype(np.float32)


def _sums(slopes: Array, px: Array, py: Array) -> NDArray[np.float32]:
    """Linear functions of the ray, one for each row of `slopes`, at every pixel."""
    columns, rows = _single(slopes[:, :1] * px), _single(slopes[:, 1:2] * py + slopes[:, 2:])
    return columns[:, None, :] + rows[:, :, None]


class Canvas:
    """The nearest surface at every pixel: one over its depth, its colour, and the code of the face that was hit."""

    def __init__(self, px: Array, py: Array, step: float, codes: int, plain: bool = False):
        """`plain`: flat solids leave no colour, as only depth and codes are wanted."""
        self.codes, self.plain = codes, plain
        self.px, self.py, self.step = px, py, step
        self.x, self.y = _single(px), _single(py)
        shape = (len(py), len(px))
        self.w = np.zeros(shape, np.float32)
        self.colour = np.zeros(shape, np.uint32)
        self.code = np.zeros(shape, np.int16 if codes < 1 << 15 else np.int32)
        self._ink: NDArray[np.uint8] | None = None

    def copy_from(self, other: Canvas) -> None:
        for mine, its in ((self.w, other.w), (self.colour, other.colour), (self.code, other.code)):
            np.copyto(mine, its)

    def cut(self, at: Window) -> Canvas:
        """A copy of a part, to draw on without changing the whole."""
        part = Canvas(self.px[at[1]], self.py[at[0]], self.step, self.codes)
        part.w, part.colour, part.code = self.w[at].copy(), self.colour[at].copy(), self.code[at].copy()
        return part

    # -- windows: the rectangle of pixels that a solid can touch -------------------------------------------------------

    def whole(self) -> Window:
        return slice(0, len(self.py)), slice(0, len(self.px))

    def around(self, x0: float, x1: float, y0: float, y1: float) -> Window | None:
        left, top, step = float(self.px[0]), float(self.py[0]), self.step
        c0, c1 = max(0, math.ceil((x0 - left) / step)), min(len(self.px), math.floor((x1 - left) / step) + 1)
        r0, r1 = max(0, math.ceil((top - y1) / step)), min(len(self.py), math.floor((top - y0) / step) + 1)
        return (slice(r0, r1), slice(c0, c1)) if r1 > r0 and c1 > c0 else None

    def around_points(self, points: Array) -> Window | None:
        depth = points[:, 2]
        if depth.max() <= NEAR:
            return None
        if depth.min() <= NEAR:
            return self.whole()
        x, y = points[:, 0] / depth, points[:, 1] / depth
        return self.around(float(x.min()), float(x.max()), float(y.min()), float(y.max()))

    def around_spheres(self, centres: Sequence[Sequence[float]], r: float) -> Window | None:
        """Exact: the tangents to spheres, seen from above and from the side."""
        sides: list[list[float]] = [[], []]
        depths = [c[2] for c in centres]
        if max(depths) <= -r:
            return None
        if min(depths) <= r + NEAR:
            return self.whole()
        for x, y, z in centres:
            under = 1 / (z * z - r * r)
            for v, out in zip((x, y), sides):
                spread = r * math.sqrt(v * v + z * z - r * r)
                out += [(v * z - spread) * under, (v * z + spread) * under]
        return self.around(min(sides[0]), max(sides[0]), min(sides[1]), max(sides[1]))

    def linear(self, slope: Sequence[float], at: Window) -> NDArray[np.float32]:
        """A linear function of the ray at every pixel of a window."""
        return (slope[0] * self.x[at[1]] + slope[2]) + (slope[1] * self.y[at[0]])[:, None]

    # -- flat solids --------------------------------------------------------------------------------------------------

    def convex(self, normals: Array, offsets: Array, at: Window | None, colours: NDArray[np.uint32], code: int) -> None:
        """Draw the solid below all planes `normal . p = offset`: a box, or with one plane alone endless ground.
        Each plane has its colour and its code, counted from `code`.

        The ray is inside between the last plane that it enters and the first that it leaves.
        """
        offsets = np.where(np.abs(offsets) < 1e-9, -1e-9, offsets)
        enters = np.flatnonzero(offsets < 0)
        if at is None or not len(enters):
            return
        over = _sums(normals / offsets[:, None], self.px[at[1]], self.py[at[0]])
        first = over[enters]
        w = first.min(axis=0)
        seen = w > self.w[at]
        if len(enters) < len(offsets):
            seen &= w >= over[offsets > 0].max(axis=0)
        np.copyto(self.w[at], w, where=seen)
        for i, it in zip(enters, first):
            here = seen & (it == w) if len(enters) > 1 else seen
            np.copyto(self.code[at], code + i, where=here)
            if not self.plain:
                np.copyto(self.colour[at], colours[i], where=here)

    def lay(self, part: Canvas, at: Window, where: NDArray[np.bool_]) -> None:
        """Take over some pixels of a part that was drawn by itself."""
        layers = [(self.w, part.w), (self.code, part.code), *([] if self.plain else [(self.colour, part.colour)])]
        for mine, new in layers:
            np.copyto(mine[at], new, where=where)

    # -- triangles ----------------------------------------------------------------------------------------------------

    def triangles(self, corners: Array, levels: Ints, colours: NDArray[np.uint32], code: int) -> None:
        """All triangles of a mesh at once: (n, 3, 3) corners, (n, 3) levels of light; those that face the eye only."""
        keep = corners[:, :, 2].min(axis=1) > NEAR
        corners, levels = corners[keep], levels[keep]
        w = 1 / corners[:, :, 2]
        x = (corners[:, :, 0] * w - self.px[0]) / self.step
        y = (corners[:, :, 1] * w - self.py[0]) / -self.step
        area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
        c0, c1 = np.maximum(np.ceil(x.min(1)), 0), np.minimum(np.floor(x.max(1)), len(self.px) - 1)
        r0, r1 = np.maximum(np.ceil(y.min(1)), 0), np.minimum(np.floor(y.max(1)), len(self.py) - 1)
        wide, high = np.maximum(c1 - c0 + 1, 0).astype(np.intp), np.maximum(r1 - r0 + 1, 0).astype(np.intp)
        count = np.where(np.abs(area) > 1e-12, wide * high, 0)
        for part in _parts(count):
            n = count[part]
            t = np.repeat(part, n)
            k = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
            col, row = c0[t].astype(np.intp) + k % wide[t], r0[t].astype(np.intp) + k // wide[t]
            ex, ey = col - x[t, 0], row - y[t, 0]
            b = (ex * (y[t, 2] - y[t, 0]) - ey * (x[t, 2] - x[t, 0])) / area[t]
            c = (ey * (x[t, 1] - x[t, 0]) - ex * (y[t, 1] - y[t, 0])) / area[t]
            a = 1 - b - c
            near = a * w[t, 0] + b * w[t, 1] + c * w[t, 2]
            hit = np.flatnonzero((np.minimum(np.minimum(a, b), c) >= -1e-6) & (near > self.w[row, col]))
            hit = hit[np.argsort(near[hit], kind="stable")]  # of two at one pixel the nearer is written last
            light = a * levels[t, 0] + b * levels[t, 1] + c * levels[t, 2]
            self.w[row[hit], col[hit]] = near[hit]
            self.colour[row[hit], col[hit]] = colours[np.clip(light[hit], 0, 255).astype(np.intp)]
            self.code[row[hit], col[hit]] = code

    # -- lines --------------------------------------------------------------------------------------------------------

    def outline(self, body: Ints) -> None:
        """Darken borders: the nearer pixel wherever two solids meet, less where two faces or links of a body meet.

        `body` says to which body the solid of a code belongs; floor and background, -1, have no border of their own.
        """
        w, code, across = self.w.ravel(), self.code.ravel(), self.w.shape[1]
        first = np.flatnonzero(code[1:] != code[:-1])
        first = first[(first + 1) % across != 0]  # the end of a row does not meet the beginning of the next
        below = np.flatnonzero(code[across:] != code[:-across])
        a, b = np.concatenate([first, below]), np.concatenate([first + 1, below + across])
        bordered = (body[code[a] // FACES] >= 0) | (body[code[b] // FACES] >= 0)
        a, b = a[bordered], b[bordered]
        wa, wb, sa, sb = w[a], w[b], code[a] // FACES, code[b] // FACES
        near = np.where(wa >= wb, a, b)
        apart = np.abs(wa - wb) > 0.02 * np.maximum(wa, wb)
        strong = (body[sa] != body[sb]) | ((sa != sb) & apart)
        if self._ink is None:
            self._ink = np.zeros(self.w.size, np.uint8)
        self._ink[near] = 1
        self._ink[near[strong]] = 2
        keep = np.array([256, 256 * (1 - CREASE), 256 * (1 - OUTLINE)], np.uint32)[self._ink[near]]
        pixels = self.colour.reshape(-1)
        pixels[near] = scaled(pixels[near], keep)
        self._ink[near] = 0


def _parts(count: Ints, most: int = 2_000_000) -> list[Ints]:
    """The triangles that cover pixels, in heaps that do not need much memory."""
    some = np.flatnonzero(count)
    heap = np.cumsum(count[some]) // most
    return [some[heap == h] for h in np.unique(heap)]
