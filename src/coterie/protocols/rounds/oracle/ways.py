"""Ways of hands for jobs that ask for them: four points, evenly spread, above what stands around."""

from __future__ import annotations

import math
from collections.abc import Sequence

from coterie.protocols.rounds.oracle.read import Point

QUARTERS = (0.25, 0.5, 0.75, 1.0)


def line(start: Point, end: Point, z: float, bow: float = 0.0, shares: Sequence[float] = QUARTERS) -> list[Point]:
    """Points on a level line from above the hand to above its target; `bow` bends it along y."""
    points = []
    for k in shares:
        x, y = (s + (e - s) * k for s, e in zip(start[:2], end[:2]))
        points.append((x, y + bow * 4 * k * (1 - k), z))
    return points


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


def written(points: Sequence[Point]) -> str:
    return f"PATH [{', '.join(f'({x:.2f}, {y:.2f}, {z:.2f})' for x, y, z in points)}]"
