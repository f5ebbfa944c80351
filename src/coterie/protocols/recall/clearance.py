"""Would the hand's old way hit something that lies elsewhere now? Judged from positions alone, before any arm plans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.memo import Case, Leg, Probe

THING_RADIUS = 0.08  # [m] a hand that passes a thing nearer than this, and lower than its top, hits it
THING_TOP = 0.12  # [m] above the middle of a thing
MARGIN = 0.05  # [m] around furniture
ENDS = 0.15  # [m] around both ends of a way: there the hand has business with what it meets

Solid = Any  # (name, x, y, z, yaw, half x, half y, half z)


def probe_of(case: Case, solids: Sequence[Solid]) -> Probe:
    def probe(leg: Leg, points: np.ndarray) -> int | None:
        if not len(points):
            return None
        bad = np.zeros(len(points), dtype=bool)
        for name, thing in case.objects.items():
            if name not in (leg.toward, leg.holds):
                near = np.hypot(points[:, 0] - thing.x, points[:, 1] - thing.y) < THING_RADIUS
                bad |= near & (points[:, 2] < thing.z + THING_TOP)
        for solid in solids:
            bad |= _inside(points, solid)
        for end in (points[0], points[-1]):
            bad &= np.linalg.norm(points - end, axis=1) > ENDS
        return int(np.argmax(bad)) if bad.any() else None

    return probe


def _inside(points: np.ndarray, solid: Solid) -> np.ndarray:
    """Which points lie in a box that may be turned about the vertical, or close to it."""
    _, x, y, z, yaw, hx, hy, hz = solid
    dx, dy = points[:, 0] - x, points[:, 1] - y
    c, s = math.cos(yaw), math.sin(yaw)
    along, across = np.abs(c * dx + s * dy), np.abs(c * dy - s * dx)
    return (along < hx + MARGIN) & (across < hy + MARGIN) & (np.abs(points[:, 2] - z) < hz + MARGIN)
