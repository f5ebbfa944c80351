"""Derived fluents: distances, steps, tilts. Defined once, over a lookup: the truth, or what a robot believes.

What only the world can tell (whether a way is clear, whether something is in view, where there is room) is unknown to a
belief: a robot finds out by trying.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from coterie.core.expr import Lookup
from coterie.core.facts import UNKNOWN
from coterie.houses.model import Furniture
from coterie.houses.placement import kinds
from coterie.worlds.household.setting import Steps

Pose = tuple[float, float, float, float]  # x, y [m], heading, tilt [deg]
#: x, y, width, depth, height of its top, yaw [deg], height of its surface (0: none), height of its underside
Box = tuple[float, float, float, float, float, float, float, float]

AHEAD = {"ahead": 0.0, "left": 90.0, "back": 180.0, "right": -90.0}
UP = {"up": 1.0, "down": -1.0}
TILTS = (-60.0, 30.0)  # where a card says nothing
#: Fluents that only the world can tell.
HIDDEN = frozenset({"in_way", "in_view", "free_spot", "drop_spot"})


def box_of(piece: Furniture) -> Box:
    """A piece of furniture as robots know it."""
    (x, y), (w, d, h) = piece.centre, piece.size
    surface = piece.surface_m if piece.receptacle else 0.0
    numbers = (x, y, w, d, piece.base_m + h, piece.yaw_deg % 360.0, surface, piece.base_m)
    return tuple(whole(round(v, 2)) for v in numbers)  # type: ignore[return-value]


def whole(number: float) -> float:
    """A number as short as it can be written: the log holds many."""
    return int(number) if number == int(number) else number


def to_box(x: float, y: float, box: Box) -> float:
    """How far a point is from the outline of a piece [m]; 0 inside."""
    c, s = math.cos(math.radians(box[5])), math.sin(math.radians(box[5]))
    dx, dy = x - box[0], y - box[1]
    along, across = abs(dx * c + dy * s) - box[2] / 2, abs(dy * c - dx * s) - box[3] / 2
    return math.hypot(max(along, 0.0), max(across, 0.0))


@lru_cache(maxsize=1024)
def _step(heading: float, way: str, move: float) -> tuple[float, float]:
    """How far a step leads along x and y; most headings are the same few."""
    angle = math.radians(heading + AHEAD[way])
    return move * math.cos(angle), move * math.sin(angle)


def stepped(pose: Pose, way: str, steps: Steps) -> Pose:
    x, y, heading, tilt = pose
    dx, dy = _step(heading, way, steps.move)
    return (whole(round(x + dx, 4)), whole(round(y + dy, 4)), heading, tilt)


def turned(pose: Pose, way: str, steps: Steps) -> Pose:
    x, y, heading, tilt = pose
    return (x, y, whole((heading + (steps.turn if way == "left" else -steps.turn)) % 360.0), tilt)


def tilted(pose: Pose, way: str, steps: Steps) -> Pose:
    return (*pose[:3], whole(pose[3] + UP[way] * steps.tilt))


def over(get: Callable[..., Any], steps: Steps) -> Lookup:
    """A lookup over a store of facts; what follows from an unknown is unknown."""

    def look(pred: str, *args: Any) -> object:
        make = _MADE.get(pred)
        return get(pred, *args) if make is None else make(get, steps, *args)

    return look


def _pose(make: Callable[[Pose, str, Steps], Pose], ways: Any) -> Callable[..., object]:
    def made(get: Callable[..., Any], steps: Steps, robot: str, way: str) -> object:
        pose = get("pose", robot)
        if pose is UNKNOWN or pose is None or way not in ways:
            return pose if pose is UNKNOWN else None
        return make(pose, way, steps)

    return made


def _tilts(get: Callable[..., Any], steps: Steps, robot: str, way: str) -> object:
    pose, limits = get("pose", robot), get("tilt_range", robot)
    if UNKNOWN in (pose, limits):
        return UNKNOWN
    if pose is None or way not in UP:
        return False
    low, high = limits or TILTS
    return bool(low - 1e-6 <= pose[3] + UP[way] * steps.tilt <= high + 1e-6)


def _gap(get: Callable[..., Any], steps: Steps, robot: str, what: str) -> object:
    """On the floor, from the middle of a robot to a thing or to the outline of a piece."""
    pose = get("pose", robot)
    box = get("box", what)
    if pose is not UNKNOWN and pose is not None and box is not UNKNOWN and box is not None:
        return to_box(pose[0], pose[1], box)
    spot = get("spot", what)
    if pose is UNKNOWN or spot is UNKNOWN:
        return UNKNOWN
    return None if pose is None or spot is None else math.hypot(pose[0] - spot[0], pose[1] - spot[1])


def _receptacle(get: Callable[..., Any], steps: Steps, piece: str) -> object:
    kind = get("kind", piece)
    if kind is UNKNOWN:
        return UNKNOWN
    known = kinds().get(str(kind))
    return known is not None and known.receptacle


_MADE: dict[str, Callable[..., object]] = {
    "moved": _pose(stepped, AHEAD),
    "turned": _pose(turned, ("left", "right")),
    "tilted": _pose(tilted, UP),
    "tilts": _tilts,
    "gap": _gap,
    "reach": lambda get, steps, robot: steps.reach,
    "receptacle": _receptacle,
}
