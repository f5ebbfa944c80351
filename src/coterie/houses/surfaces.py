"""Where there is room on a piece of furniture for one thing more."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from coterie.houses.model import Furniture, Point, Thing

MOST_SPOTS = 10  # to either side of the middle, at least 5 cm apart


def width_of(thing: Thing) -> float:
    """Of the round place that a thing takes up: a little of it may stick out."""
    return 0.8 * max(thing.size[:2])


def has_room(piece: Furniture, thing: Thing, lying: Iterable[tuple[Thing, Point]]) -> bool:
    """Whether there is any place on a piece for a thing, beside those that lie there already."""
    return next(spots_on(piece, thing, lying), None) is not None


def spots_on(piece: Furniture, thing: Thing, lying: Iterable[tuple[Thing, Point]]) -> Iterator[Point]:
    """All such places."""
    width = width_of(thing)
    taken = [(x, y, (width + width_of(other)) / 2) for other, (x, y) in lying]
    c, s = math.cos(math.radians(piece.yaw_deg)), math.sin(math.radians(piece.yaw_deg))
    for u in _across(piece.size[0], width):
        for v in _across(piece.size[1], width):
            x, y = piece.centre[0] + u * c - v * s, piece.centre[1] + u * s + v * c
            if all(math.hypot(x - tx, y - ty) >= apart for tx, ty, apart in taken):
                yield x, y


def _across(size: float, width: float) -> list[float]:
    """Places along one side of a surface, the middle among them; one where there is room for one only."""
    room = max(0.0, (size - width) / 2)
    count = min(MOST_SPOTS, int(room / 0.05))
    return [room * i / count for i in range(-count, count + 1)] if count else [0.0]
