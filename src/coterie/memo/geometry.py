"""Way pieces: how far a pose moved, which stretch of an old path lies between two points, and its key points."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from coterie.memo.case import Pose

SPACING_M = 0.02  # between points that are looked at for collisions
SHORT_M = 0.01  # a motion with less horizontal travel has no reuse ratio (it goes straight up or down)
Axis = Literal["line", "x"]
Point = tuple[float, float, float]
Moved = tuple[Pose, Pose] | None  # a thing's pose then and now; None: a fixed place


def difference(moved: Moved, metres_per_rad: float) -> float:
    """Eq. 5: how far a target pose moved, in metres; a turn counts as a length."""
    if moved is None:
        return 0.0
    then, now = moved
    return math.dist(then[:3], now[:3]) + metres_per_rad * abs(turn(then, now))


def turn(then: Pose, now: Pose) -> float:
    """The shorter turn between two headings [rad]."""
    return math.remainder(now.yaw - then.yaw, 2 * math.pi)


def carry_over(point: Point, moved: Moved) -> Point:
    """Where a point fixed to a thing is now, as if point and thing were one piece."""
    if moved is None:
        return point
    then, now = moved
    angle = turn(then, now)
    c, s = math.cos(angle), math.sin(angle)
    dx, dy, dz = point[0] - then.x, point[1] - then.y, point[2] - then.z
    return (now.x + c * dx - s * dy, now.y + s * dx + c * dy, now.z + dz)


class Track:
    """The horizontal way from where a motion starts now to where it ends now; `s` is the progress along it [m]."""

    def __init__(self, start: Point, goal: Point, axis: Axis = "line"):
        x, y = goal[0] - start[0], 0.0 if axis == "x" else goal[1] - start[1]
        self.length = math.hypot(x, y)
        self._x, self._y = (x / self.length, y / self.length) if self.length > 0 else (0.0, 0.0)
        self._from = start[0] * self._x + start[1] * self._y

    def progress(self, points: np.ndarray) -> np.ndarray:
        s: np.ndarray = points[:, 0] * self._x + points[:, 1] * self._y - self._from
        return s

    def between(self, points: np.ndarray) -> np.ndarray:
        """Back checking (Eq. 7): the points of a path that lie neither behind the start nor beyond the goal.

        Segments that cross a limit are cut there, so that the result does not depend on how densely a path is sampled.
        """
        if self.length < SHORT_M or len(points) < 2:
            return points
        s = self.progress(points)
        low, high = -1e-9, self.length + 1e-9
        a, step, way = s[:-1], s[1:] - s[:-1], points[1:] - points[:-1]
        flat = np.abs(step) < 1e-12
        slope = np.where(flat, 1.0, step)
        at_low, at_high = (low - a) / slope, (high - a) / slope
        t0 = np.minimum(at_low, at_high).clip(0.0, 1.0)
        t1 = np.maximum(at_low, at_high).clip(0.0, 1.0)
        inside = t1 > t0
        if flat.any():
            t0[flat], t1[flat], inside[flat] = 0.0, 1.0, ((a >= low) & (a <= high))[flat]
        ends = np.empty((int(inside.sum()), 2, 3))
        ends[:, 0] = points[:-1][inside] + t0[inside, None] * way[inside]
        ends[:, 1] = points[:-1][inside] + t1[inside, None] * way[inside]
        out = ends.reshape(-1, 3)
        new = np.ones(len(out), dtype=bool)
        new[1:] = np.abs(out[1:] - out[:-1]).max(axis=1) > 1e-9 if len(out) else True
        return out[new]

    def gained(self, points: np.ndarray, whole: np.ndarray) -> float:
        """The horizontal length of a stretch: progress from its first to its last point, as far as `whole` gets."""
        if not len(points) or self.length < SHORT_M:
            return 0.0
        first, last, end = (self._at(p) for p in (points[0], points[-1], whole[-1]))
        return max(0.0, min(last, end) - first)

    def _at(self, point: np.ndarray) -> float:
        s = float(point[0]) * self._x + float(point[1]) * self._y - self._from
        return min(max(s, 0.0), self.length)


def resample(points: np.ndarray, spacing: float = SPACING_M) -> np.ndarray:
    """Points at even distances along a path, its ends included."""
    if len(points) < 2:
        return points
    step = points[1:] - points[:-1]
    along = np.empty(len(points))
    along[0] = 0.0
    np.cumsum(np.sqrt((step * step).sum(axis=1)), out=along[1:])
    if along[-1] < 1e-9:
        return points[:1]
    gaps = max(1, math.ceil(along[-1] / spacing))
    at = np.arange(gaps + 1) * (along[-1] / gaps)
    out = np.empty((gaps + 1, 3))
    for i in range(3):
        out[:, i] = np.interp(at, along, points[:, i])
    out[-1] = points[-1]
    return out


def key_points(points: np.ndarray, eta: float) -> np.ndarray:
    """The highest point and, from it in both directions, every ⌊eta · N⌋-th one."""
    if not len(points):
        return points
    peak = int(np.argmax(points[:, 2]))
    step = max(1, math.floor(eta * len(points)))
    picked = [*reversed(range(peak, -1, -step)), *range(peak + step, len(points), step)]
    return points[picked]
