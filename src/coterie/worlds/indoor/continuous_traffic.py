"""Robots on their way: how long a path takes where others stand or move.

Robots of one layer (floor or air) do not pass through each other. A robot that sets out goes round those at rest; where
there is no way round, one that rests makes way and comes back, which takes time. Of two that are under way the later
one waits until the other is past; where waiting does not help, since they meet head on, they evade each other, which
takes time as well. None of it fails: what it costs are seconds.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise

from coterie.houses.scene import dist
from coterie.motion.grid import Planner, Point

MAKE_WAY_S = 4.0  # until a robot that rests in the way has made room
EVADE_S = 2.0  # for two that meet head on
TICK_S = 0.25
WAITS = tuple(0.5 * n for n in range(1, 25))  # [s] that one who sets out may wait for others to pass


class Route:
    """One robot's way: where it is at each moment."""

    __slots__ = ("begun", "box", "end", "far", "points", "radius_m", "speed_mps")

    def __init__(self, points: Sequence[Point], begun: float, speed_mps: float, radius_m: float):
        self.points, self.begun, self.speed_mps, self.radius_m = tuple(points), begun, speed_mps, radius_m
        self.far, self.box = _measured(self.points)
        self.end = begun + self.far[-1] / speed_mps

    @property
    def kept(self) -> tuple[tuple[Point, ...], float]:
        """The part that a snapshot keeps."""
        return self.points, self.begun

    def at(self, t: float) -> Point:
        gone = max(0.0, (t - self.begun) * self.speed_mps)
        i = bisect_right(self.far, gone)
        if i >= len(self.points):
            return self.points[-1]
        a, b = self.points[i - 1], self.points[i]
        share = (gone - self.far[i - 1]) / max(1e-9, self.far[i] - self.far[i - 1])
        return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))

    def later(self, seconds: float) -> Route:
        return Route(self.points, self.begun + seconds, self.speed_mps, self.radius_m)

    def meets(self, other: Route) -> bool:
        """True if the two come too near to each other while both are under way."""
        gap = self.radius_m + other.radius_m
        a, b = self.box, other.box
        if a[0] > b[2] + gap or b[0] > a[2] + gap or a[1] > b[3] + gap or b[1] > a[3] + gap:
            return False
        t, end = max(self.begun, other.begun), min(self.end, other.end)
        while t < end:
            if math.dist(self.at(t), other.at(t)) < gap - 1e-9:
                return True
            t += TICK_S
        return False


@lru_cache(maxsize=2000)
def _measured(points: tuple[Point, ...]) -> tuple[tuple[float, ...], tuple[float, float, float, float]]:
    """How far along each point is [m], and the box around all."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    far = (0.0, *accumulate(dist(a, b) for a, b in pairwise(points)))
    return far, (min(xs), min(ys), max(xs), max(ys))


def _touches(points: tuple[Point, ...], p: Point, gap_m: float) -> bool:
    """True if a way comes nearer to a point than that, its beginning aside."""
    x0, y0, x1, y1 = _measured(points)[1]
    if not (x0 - gap_m <= p[0] <= x1 + gap_m and y0 - gap_m <= p[1] <= y1 + gap_m):
        return False
    return any(dist(p, q) < gap_m for q in points[1:])


def way(
    planner: Planner, start: Point, goal: Point, radius_m: float, resting: Iterable[tuple[Point, float]]
) -> tuple[tuple[Point, ...], float]:
    """The points of a way round those who rest (where each is, and its radius), and the seconds it is held up."""
    points = planner.way(start, goal)
    if points is None:
        return (start, goal), 0.0
    near = [(p, r) for p, r in resting if _touches(points, p, r + radius_m - 1e-9)]
    if not near:
        return points, 0.0
    around = planner.around(start, goal, tuple(sorted((p, r + radius_m) for p, r in near)))
    if around is None:
        return points, MAKE_WAY_S * len(near)
    return (start, *(planner.grid.centre(c) for c in around[1:-1]), goal), 0.0


def among(route: Route, others: Sequence[Route]) -> tuple[Route, float]:
    """The route as it goes among others that were under way before it, and the seconds that evading takes."""
    if not any(route.meets(o) for o in others):
        return route, 0.0
    for wait in WAITS:
        late = route.later(wait)
        if not any(late.meets(o) for o in others):
            return late, 0.0
    return route, EVADE_S
