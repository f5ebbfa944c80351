"""Would the hand's old way hit something that lies elsewhere now? Judged from positions alone, before any arm plans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from coterie.memo import Case, Draft, Drafted, Leg, Probe

THING_RADIUS = 0.08  # [m] a hand that passes a thing nearer than this, and lower than its top, hits it
THING_TOP = 0.12  # [m] above the middle of a thing
MARGIN = 0.05  # [m] around furniture
ENDS = 0.15  # [m] around both ends of a way: there the hand has business with what it meets
HANDS_M = 0.22  # [m] hands that reach down side by side nearer than this are likely to collide
NEARER_M = 0.05  # [m] but not where they were about as near when it went well

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


def crowded(plan: Draft) -> str:
    """Would two arms that work at the same time get in each other's way now, though they did not then? In words, which;
    empty when none would. Old ways say nothing about this: each may be free by itself."""
    for number, step in enumerate(plan.steps, 1):
        for (a, act), (b, other) in combinations(step.items(), 2):
            for mine, theirs in zip(act.motions, other.motions):
                far = _apart(mine.goal, theirs.goal)
                if _leads(mine) and _leads(theirs) and far < min(HANDS_M, _apart(_end(mine), _end(theirs)) - NEARER_M):
                    return f"in round {number} the hands of {a} and {b} would be only {far:.2f} m apart"
    return ""


def _leads(motion: Drafted) -> bool:
    return bool(motion.old.toward) and len(motion.old.ee) > 0


def _end(motion: Drafted) -> Sequence[float]:
    end: Sequence[float] = motion.old.ee[-1]
    return end


def _apart(a: Sequence[float], b: Sequence[float]) -> float:
    return math.dist((a[0], a[1]), (b[0], b[1]))
