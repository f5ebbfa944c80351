"""Would the hand's old way hit something that lies elsewhere now? Judged from positions alone, before any arm plans."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from coterie.memo import Case, Draft, Drafted, Leg, Probe

THING_RADIUS = 0.08  # [m] a hand that passes a thing nearer than this, and lower than its top, hits it
THING_TOP = 0.12  # [m] above the middle of a thing
MARGIN = 0.05  # [m] around furniture
HAND = 0.05  # [m] half of a hand's width
WRIST = 0.2  # [m] from the point that tasks aim with up to the wrist
ELBOW = 0.15  # [m] by which an elbow stands higher than the middle between wrist and shoulder
ENDS = 0.15  # [m] around both ends of a way: there the hand has business with what it meets
HANDS_M = 0.22  # [m] hands that reach down side by side nearer than this are likely to collide
NEARER_M = 0.05  # [m] but not where they were about as near when it went well

Solid = Any  # (name, x, y, z, yaw, half x, half y, half z)


class Bodies(NamedTuple):
    """Known sizes of arms and things; without them a hand is a point and all things are alike."""

    arms: Mapping[str, Sequence[float]] = {}  # robot -> its shoulder (x, y, z); it slides along x with its hand
    sizes: Mapping[str, Sequence[float]] = {}  # thing -> half sizes


def probe_of(case: Case, solids: Sequence[Solid], bodies: Bodies | None = None) -> Probe:
    """Where a way is blocked for a hand, what hangs from it, and the arm behind it."""
    known, boxes = bodies or Bodies(), Boxes(solids)
    around = {name: (thing, *_around(known.sizes.get(name))) for name, thing in case.objects.items()}

    def probe(leg: Leg, points: np.ndarray) -> int | None:
        if not len(points):
            return None
        bad = np.zeros(len(points), dtype=bool)
        wide, deep = _load(known.sizes.get(leg.holds))
        for name, (thing, radius, top) in around.items():
            if name not in (leg.toward, leg.holds):
                near = np.hypot(points[:, 0] - thing.x, points[:, 1] - thing.y) < radius + wide
                bad |= near & (points[:, 2] - deep < thing.z + top)
        parts = [points, *_arm(points, known.arms.get(leg.robot))]
        if deep:
            parts.append(points - (0.0, 0.0, deep))
        more = np.array([0.0] * (len(parts) - 1) + [wide]) if deep else np.zeros(len(parts))
        # a way that led past furniture once, with the same thing in the hand, still does
        bad |= boxes.hit(np.stack(parts), more, but={leg.toward, leg.holds, *leg.still})
        if not bad.any():
            return None
        for end in (points[0], points[-1]):
            bad &= np.linalg.norm(points - end, axis=1) > ENDS
        return int(np.argmax(bad)) if bad.any() else None

    return probe


def _load(half: Sequence[float] | None) -> tuple[float, float]:
    """How far what is held sticks out to the side and down from the hand."""
    return (max(half[0], half[1]) - HAND, 2 * half[2]) if half is not None and max(half[:2]) > HAND else (0.0, 0.0)


def _around(half: Sequence[float] | None) -> tuple[float, float]:
    """How near a hand may pass a thing, and how high above its middle it has to be."""
    return (THING_RADIUS, THING_TOP) if half is None else (max(half[0], half[1]) + HAND, half[2] + HAND)


def _arm(points: np.ndarray, shoulder: Sequence[float] | None) -> list[np.ndarray]:
    """Points of the arm behind a hand: up the wrist, on to an elbow that stands high, and down to the shoulder."""
    if shoulder is None:
        return []
    wrist = points + np.array((0.0, 0.0, WRIST))
    base = np.stack([points[:, 0], np.full(len(points), shoulder[1]), np.full(len(points), shoulder[2])], axis=1)
    elbow = (wrist + base) / 2 + (0.0, 0.0, ELBOW)
    return [wrist, *(wrist + (elbow - wrist) * k / 3 for k in (1, 2)), elbow]


class Boxes:
    """Furniture as boxes that may be turned about the vertical, all looked at together."""

    def __init__(self, solids: Sequence[Solid]):
        self.names = [solid[0] for solid in solids]
        turned = [(x, y, z, math.cos(yaw), math.sin(yaw), *half) for _, x, y, z, yaw, *half in solids]
        self._rows = np.array(turned, dtype=float).reshape(-1, 8)

    def hit(self, parts: np.ndarray, more: np.ndarray, but: Collection[str] = ()) -> np.ndarray:
        """Which of n points have one of their parts (p, n, 3) in a box or near it; parts are wider by `more` (p,)."""
        rows = self._rows[[name not in but for name in self.names]] if self.names else self._rows
        x, y, z, c, s, hx, hy, hz = rows.T[:, :, None, None]  # (boxes, 1, 1) each
        dx, dy = parts[:, :, 0] - x, parts[:, :, 1] - y
        along, across = np.abs(c * dx + s * dy), np.abs(c * dy - s * dx)
        wide = more[:, None]
        near = (along < hx + MARGIN + wide) & (across < hy + MARGIN + wide)
        near &= np.abs(parts[:, :, 2] - z) < hz + MARGIN
        found: np.ndarray = near.any(axis=(0, 1))
        return found


def crowded(plan: Draft) -> str:
    """Would two arms that work at the same time get in each other's way now, though they did not then? In words, which;
    empty when none would. Old ways say nothing about this: each may be free by itself."""
    for number, step in enumerate(plan.steps, 1):
        for (a, act), (b, other) in combinations(step.items(), 2):
            for mine, theirs in zip(act.motions, other.motions):
                far, then = ends_apart(mine, theirs, now=True), ends_apart(mine, theirs)
                if far is not None and then is not None and far < min(HANDS_M, then - NEARER_M):
                    return f"in round {number} the hands of {a} and {b} would be only {far:.2f} m apart"
    return ""


def ends_apart(mine: Drafted, theirs: Drafted, now: bool = False) -> float | None:
    """How far from each other two hands came to their ends then, or will now [m]; None unless both lead somewhere."""
    if not (_leads(mine) and _leads(theirs)):
        return None
    a, b = (mine.goal, theirs.goal) if now else (mine.old.ee[-1], theirs.old.ee[-1])
    return math.dist((a[0], a[1]), (b[0], b[1]))


def _leads(motion: Drafted) -> bool:
    return bool(motion.old.toward) and len(motion.old.ee) > 0
