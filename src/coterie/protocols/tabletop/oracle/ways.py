"""Ways of hands for jobs that ask for them: four points, evenly spread, above what stands around."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.protocols.tabletop.oracle.read import Point


def way(
    start: Point, end: Point, z: float, bow: float = 0.0, shares: Sequence[float] = (0.25, 0.5, 0.75, 1.0)
) -> str:
    """Points on a level line from above the hand to above its target; `bow` bends it along y."""
    points = []
    for k in shares:
        x, y = (s + (e - s) * k for s, e in zip(start[:2], end[:2]))
        points.append(f"({x:.2f}, {y + bow * 4 * k * (1 - k):.2f}, {z:.2f})")
    return f"PATH [{', '.join(points)}]"
