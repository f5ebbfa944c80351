"""Simple polygons in the plane: what lies inside, how far an edge is, and whether two of them meet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from coterie.core.lazy import np  # for slanting walls; other houses start without

Point = tuple[float, float]
Polygon = Sequence[Point]


def edges(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    """Its sides, the last of which leads back to the first corner."""
    for i, p in enumerate(polygon):
        yield p, polygon[(i + 1) % len(polygon)]


def area(polygon: Polygon) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in edges(polygon))) / 2


def bounds(polygon: Polygon) -> tuple[float, float, float, float]:
    xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
    return (min(xs), min(ys), max(xs), max(ys))


def to_segment(p: Point, a: Point, b: Point) -> float:
    """From a point to the nearest point between `a` and `b`."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    t = 0.0 if length2 == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length2))
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def to_edge(polygon: Polygon, p: Point) -> float:
    return min(to_segment(p, a, b) for a, b in edges(polygon))


def contains(polygon: Polygon, p: Point, slack: float = 1e-9) -> bool:
    """Whether a point lies inside or, within `slack`, on the edge."""
    inside = False
    for a, b in edges(polygon):
        if (a[1] > p[1]) != (b[1] > p[1]) and p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]:
            inside = not inside
    return inside or to_edge(polygon, p) <= slack


def crossing(polygon: Polygon) -> tuple[Point, Point] | None:
    """The beginnings of two sides that cross or touch where they should not; None for a simple polygon."""
    sides = list(edges(polygon))
    for i, (a, b) in enumerate(sides):
        for j in range(i + 1, len(sides)):
            c, d = sides[j]
            if j == i + 1 or (i == 0 and j == len(sides) - 1):  # neighbours share a corner, and only that
                far, near = (d, b) if j == i + 1 else (c, a)
                other = a if j == i + 1 else b
                if _cross(near, other, far) == 0 and _dot(near, other, far) > 0:
                    return a, c
            elif _meet(a, b, c, d):
                return a, c
    return None


def overlap(one: Polygon, two: Polygon, slack: float) -> bool:
    """Whether two simple polygons share more than their rims, by more than `slack`."""
    box, other = bounds(one), bounds(two)
    if box[0] >= other[2] - slack or other[0] >= box[2] - slack or box[1] >= other[3] - slack:
        return False
    if other[1] >= box[3] - slack:
        return False
    for inner, outer in ((one, two), (two, one)):
        for p in (*inner, *_between(inner)):
            if contains(outer, p) and to_edge(outer, p) > slack:
                return True
    deep = [(a, b, c, d) for a, b in edges(one) for c, d in edges(two) if _properly(a, b, c, d)]
    return any(min(to_segment(p, *s) for p, s in _ends(*four)) > slack for four in deep)


def _ends(a: Point, b: Point, c: Point, d: Point) -> list[tuple[Point, tuple[Point, Point]]]:
    return [(a, (c, d)), (b, (c, d)), (c, (a, b)), (d, (a, b))]


def _between(polygon: Polygon) -> Iterator[Point]:
    """Points along the sides, and some inside: two polygons may share area without a corner in each other."""
    for a, b in edges(polygon):
        for k in range(1, 8):
            yield (a[0] + (b[0] - a[0]) * k / 8, a[1] + (b[1] - a[1]) * k / 8)
    x0, y0, x1, y1 = bounds(polygon)
    for i in range(1, 8):
        for j in range(1, 8):
            p = (x0 + (x1 - x0) * i / 8, y0 + (y1 - y0) * j / 8)
            if contains(polygon, p, 0.0):
                yield p


def mask(polygon: Polygon, xs: np.ndarray, ys: np.ndarray, margin: float) -> np.ndarray:
    """Which points of a raster lie inside and at least `margin` from every side."""
    px, py = np.meshgrid(xs, ys)
    inside = np.zeros(px.shape, dtype=bool)
    near = np.zeros(px.shape, dtype=bool)
    for a, b in edges(polygon):
        dx, dy = b[0] - a[0], b[1] - a[1]
        if dy != 0.0:
            straddles = (a[1] > py) != (b[1] > py)
            inside ^= straddles & (px < dx * (py - a[1]) / dy + a[0])
        t = np.clip(((px - a[0]) * dx + (py - a[1]) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
        near |= np.hypot(px - a[0] - t * dx, py - a[1] - t * dy) < margin - 1e-9
    return inside & ~near


def _cross(o: Point, a: Point, b: Point) -> float:
    value = (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    return 0.0 if abs(value) < 1e-12 else value


def _dot(o: Point, a: Point, b: Point) -> float:
    return (a[0] - o[0]) * (b[0] - o[0]) + (a[1] - o[1]) * (b[1] - o[1])


def _properly(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _cross(a, b, c) * _cross(a, b, d) < 0 and _cross(c, d, a) * _cross(c, d, b) < 0


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _properly(a, b, c, d) or any(to_segment(p, *s) < 1e-9 for p, s in _ends(a, b, c, d))
