"""Small parts of Foxglove's messages: times, poses, colours and shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from coterie.core.lazy import Later
from coterie.core.visible import visible
from coterie.render import palette
from coterie.render.describe import Point

fox: Any = Later("foxglove.messages")
MAP, SCENE, TF = "map", "/scene", "/tf"  # the frame of the ground, and topics
_NS = 1_000_000_000


def ns(t: float) -> int:
    return max(0, round(t * _NS))


def time_of(t: float) -> Any:
    return fox.Timestamp(sec=ns(t) // _NS, nsec=ns(t) % _NS)


def vector(x: float, y: float, z: float) -> Any:
    return fox.Vector3(x=float(x), y=float(y), z=float(z))


def turned(deg: float) -> Any:
    half = math.radians(deg) / 2
    return fox.Quaternion(x=0.0, y=0.0, z=math.sin(half), w=math.cos(half))


def pose_at(at: Point, z: float, heading_deg: float = 0.0) -> Any:
    return fox.Pose(position=vector(*at, z), orientation=turned(heading_deg))


def paint(colour: str, alpha: float = 1.0) -> Any:
    r, g, b = (v / 255 for v in palette.rgb(colour))
    return fox.Color(r=r, g=g, b=b, a=alpha)


def cube_at(size: tuple[float, float, float], at: Point, above: float, colour: str, alpha: float) -> Any:
    return fox.CubePrimitive(pose=pose_at(at, above + size[2] / 2), size=vector(*size), color=paint(colour, alpha))


def line_along(points: Sequence[Point], colour: str, wide_m: float) -> Any:
    some = [fox.Point3(x=float(x), y=float(y), z=0.01) for x, y in points]
    return fox.LinePrimitive(pose=pose_at((0.0, 0.0), 0.0), thickness=wide_m, points=some, color=paint(colour))


def text_at(words: str, at: Point, z: float, size_m: float) -> Any:
    ink = paint(palette.INK)
    return fox.TextPrimitive(pose=pose_at(at, z), billboard=True, font_size=size_m, color=ink, text=visible(words))


def middle(outline: Sequence[Point]) -> Point:
    xs, ys = zip(*outline)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
