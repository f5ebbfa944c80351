"""The path of a robot between two poses, found again in the rooms and furniture that the log describes.

The log tells where a robot was after each step. A straight line between those poses would lead through walls, so the
picture shows a path around them.
"""

from __future__ import annotations

import math
from typing import Any

from coterie.motion.grid import Grid, Planner

Point = tuple[float, float]
_WALL_M = 0.1


class Routes:
    def __init__(self, scene: dict[str, Any]):
        self.scene = scene
        self._planners: dict[tuple[float, float, float], Planner] = {}
        self._found: dict[tuple[Planner, Point, Point], tuple[Point, ...]] = {}  # robots take the same paths again

    def between(self, card: dict[str, Any], a: Point, b: Point) -> tuple[Point, ...]:
        """Corner points from a to b; a straight line where no path is found."""
        if a == b:
            return (a,)
        planner = self._planner(card)
        key = (planner, a, b)
        if key not in self._found:
            found = planner.path(a, b)
            cells = [planner.grid.centre(c) for c in found[1]] if found is not None else []
            self._found[key] = _pull(planner.grid, [a, *cells[1:-1], b]) if found is not None else (a, b)
        return self._found[key]

    def _planner(self, card: dict[str, Any]) -> Planner:
        height, radius = float(card.get("height_m", 1.0)), float(card.get("footprint_m", 0.25))
        low, high = (height - 0.1, height + 0.2) if card.get("mobility") == "air" else (0.0, height)
        key = (low, high, radius)
        if key not in self._planners:
            self._planners[key] = Planner(self._floor(low, high).inflate(radius))
        return self._planners[key]

    def _floor(self, low: float, high: float) -> Grid:
        rects = [room[2] for room in self.scene["rooms"]]
        grid = Grid(
            (min(r[0] for r in rects) - 0.2, min(r[1] for r in rects) - 0.2),
            (max(r[2] for r in rects) + 0.2, max(r[3] for r in rects) + 0.2),
        )
        for _, _, (x0, y0, x1, y1), *outline in self.scene["rooms"]:
            if outline:
                grid.fill_polygon([(x, y) for x, y in outline[0]], False, _WALL_M)
            else:
                grid.fill((x0 + _WALL_M, y0 + _WALL_M, x1 - _WALL_M, y1 - _WALL_M), False)
        for door in self.scene["doors"]:
            if len(door) > 4:
                grid.fill_polygon([(x, y) for x, y in door[4]], False)
            else:
                grid.fill(tuple(door[1]), False)
        for f in self.scene["furniture"]:
            if f["base_m"] < high and (f.get("top_m") or f["height_m"]) > low:
                grid.fill(tuple(f["rect"]), True)
        return grid


def _pull(grid: Grid, points: list[Point]) -> tuple[Point, ...]:
    """Pull the staircase of cells tight: keep a corner only where the straight line is blocked."""
    kept, i = [points[0]], 0
    while i < len(points) - 1:
        j = len(points) - 1
        while j > i + 1 and not _clear(grid, points[i], points[j]):
            j -= 1
        kept.append(points[j])
        i = j
    return tuple(kept)


def _clear(grid: Grid, a: Point, b: Point) -> bool:
    n = max(2, math.ceil(math.dist(a, b) / (grid.cell / 2)))
    return all(
        grid.free((a[0] + (b[0] - a[0]) * k / n, a[1] + (b[1] - a[1]) * k / n)) for k in range(1, n)
    )  # fmt: skip
