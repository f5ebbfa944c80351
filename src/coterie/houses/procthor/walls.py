"""Walls as ProcTHOR writes them, one a room and side, made into the walls that stand: without openings, each once.

A wall between two rooms is in the file twice, in pieces of different lengths. All of them that lie on one line are
joined; where a door or an open passage is, there is none.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from coterie.houses.model import Point, Wall

LINE_M = 0.02  # walls nearer than this to each other are one
SHORTEST_M = 0.01
Span = tuple[float, float]


class Side(NamedTuple):
    """A wall of the file, as seen from one room."""

    name: str
    a: Point
    b: Point
    height_m: float
    empty: bool  # an open passage

    def at(self, offset_m: float) -> Point:
        """A point on it, counted from its first corner."""
        part = offset_m / self.length_m
        return self.a[0] + part * (self.b[0] - self.a[0]), self.a[1] + part * (self.b[1] - self.a[1])

    @property
    def length_m(self) -> float:
        return math.dist(self.a, self.b)


def standing(sides: Iterable[Side], openings: Iterable[tuple[Point, Point]]) -> tuple[tuple[Wall, ...], list[Wall]]:
    """The walls that stand, and the open passages between rooms, as walls that are not there."""
    solid: defaultdict[_Line, list[Span]] = defaultdict(list)
    empty: defaultdict[_Line, list[Span]] = defaultdict(list)
    height: dict[_Line, float] = {}
    offset: dict[_Line, float] = {}
    for side in sides:
        line, off, span = _line(side.a, side.b)
        offset.setdefault(line, off)
        (empty if side.empty else solid)[line].append(span)
        height[line] = max(height.get(line, 0.0), side.height_m)
    holes: defaultdict[_Line, list[Span]] = defaultdict(list)
    for a, b in openings:
        line, _, span = _line(a, b)
        holes[line].append(span)
    walls, passages = [], []
    for line, spans in solid.items():
        open_ = _joined(empty[line] + holes[line])
        walls += [_wall(line, offset[line], span, height[line]) for span in _without(_joined(spans), open_)]
    for line, spans in empty.items():
        passages += [_wall(line, offset[line], span, height[line]) for span in _joined(spans)]
    return tuple(walls), passages


class _Line(NamedTuple):
    """All walls on it have the same key. `angle` is kept as whole steps of a milliradian, `offset` of LINE_M."""

    angle: int
    offset: int


def _line(a: Point, b: Point) -> tuple[_Line, float, Span]:
    """The line through two points, how far from the origin it runs, and where on it they are."""
    angle = math.atan2(b[1] - a[1], b[0] - a[0]) % math.pi
    key = round(angle * 1000) % 3142
    ux, uy = _along(key)
    offset = (a[0] + b[0]) / 2 * -uy + (a[1] + b[1]) / 2 * ux
    low, high = sorted((a[0] * ux + a[1] * uy, b[0] * ux + b[1] * uy))
    return _Line(key, round(offset / LINE_M)), offset, (low, high)


def _along(key: int) -> Point:
    """The direction of a line; exact where walls stand along an axis, as nearly all do."""
    if key in (0, 3141):
        return 1.0, 0.0
    return (0.0, 1.0) if key == 1571 else (math.cos(key / 1000), math.sin(key / 1000))


def _wall(line: _Line, off: float, span: Span, height_m: float) -> Wall:
    ux, uy = _along(line.angle)
    a, b = ((round(t * ux - off * uy, 3), round(t * uy + off * ux, 3)) for t in span)
    return Wall(a, b, height_m)


def _joined(spans: list[Span]) -> list[Span]:
    found: list[Span] = []
    for low, high in sorted(spans):
        if found and low <= found[-1][1] + SHORTEST_M:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found


def _without(spans: list[Span], holes: list[Span]) -> list[Span]:
    found = []
    for low, high in spans:
        for start, end in holes:
            if end <= low or start >= high:
                continue
            if start - low > SHORTEST_M:
                found.append((low, start))
            low = end
        if high - low > SHORTEST_M:
            found.append((low, high))
    return found
