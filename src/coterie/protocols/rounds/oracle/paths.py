"""Ways of hands for jobs that ask for them: four points, evenly spread, above what stands around."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from coterie.protocols.rounds.oracle.read import Point

OFF_M = 0.11  # along the table, between a point and a bar that a hand has to get over
QUARTERS = (0.25, 0.5, 0.75, 1.0)
BENDS = ((0.0, 0.0), (0.0, 0.12), (0.06, 0.0), (0.06, 0.2))  # a path that does not pass is raised, or bowed to its side


def line(start: Point, end: Point, z: float, bow: float = 0.0, shares: Sequence[float] = QUARTERS) -> list[Point]:
    """Points on a level line from above the hand to above its target; `bow` bends it along y."""
    points = []
    for k in shares:
        x, y = (s + (e - s) * k for s, e in zip(start[:2], end[:2]))
        points.append((x, y + bow * 4 * k * (1 - k), z))
    return points


def off_the_bar(start: Point, points: Sequence[Point], bar: Point | None) -> list[Point]:
    """Points over a bar are moved along their way to where a hand is before it or behind it: how to get over it is left
    to those who move the arms."""
    if bar is None or not points or start[0] == points[-1][0]:
        return list(points)
    (x0, y0, _), (x1, y1, _) = start, points[-1]
    moved = []
    for x, y, z in points:
        sides = sorted((bar[0] - OFF_M, bar[0] + OFF_M), key=lambda side: abs(side - x))
        there = next((side for side in sides if min(x0, x1) < side < max(x0, x1)), x)
        if abs(x - bar[0]) < OFF_M:
            x, y = there, y + (y1 - y0) * (there - x) / (x1 - x0)
        moved.append((x, y, z))
    return moved


def past_the_posts(
    start: Point, points: Sequence[Point], at: Mapping[str, Point], others: Sequence[Point]
) -> list[Point]:
    """The same for posts on this hand's side of the table: the arm behind it has to get past them."""
    way = list(points)
    for name, post in at.items():
        if name.startswith("post") and all(abs(post[1] - start[1]) < abs(post[1] - other[1]) for other in others):
            way = off_the_bar(start, way, post)
    return way


def together(a: list[Point], b: list[Point], most: float) -> tuple[list[Point], list[Point]]:
    """Two ways, pulled towards each other where the hands would be too far apart."""
    pairs = [_nearer(p, q, most) for p, q in zip(a, b)]
    return [p for p, _ in pairs], [q for _, q in pairs]


def _nearer(p: Point, q: Point, most: float) -> tuple[Point, Point]:
    far = math.dist(p, q)
    share = max(0.0, (far - most) / (2 * far)) if far > 0 else 0.0
    px, py, pz = (a + (b - a) * share for a, b in zip(p, q))
    qx, qy, qz = (b + (a - b) * share for a, b in zip(p, q))
    return (px, py, pz), (qx, qy, qz)


def room(a: Sequence[float], b: Sequence[float]) -> float:
    """How far two hands are apart. Arms reach across the table, so a distance along it is worth more."""
    return min(abs(a[0] - b[0]), 0.5) + 0.3 * min(math.dist(a[:2], b[:2]), 0.5)


def best_room(points: Sequence[Sequence[float]]) -> float:
    """The room of the closest pair when the points are paired as well as can be."""
    if len(points) < 2:
        return 1.0
    first, rest = points[0], points[1:]
    return max(min(room(first, p), best_room([q for q in rest if q is not p])) for p in rest)


def written(points: Sequence[Point]) -> str:
    return f"PATH [{', '.join(f'({x:.2f}, {y:.2f}, {z:.2f})' for x, y, z in points)}]"
