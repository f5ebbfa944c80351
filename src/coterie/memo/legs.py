"""An old plan laid over a new task: for every motion, where it starts and ends now, and what of the old way is left."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from coterie.memo.case import Case
from coterie.memo.geometry import SHORT_M, Moved, Point, Track, carry_over, difference, resample
from coterie.memo.plan import Motion, Plan
from coterie.memo.settings import MemoSettings
from coterie.memo.trace import follow


class Leg(NamedTuple):
    """Which motion it is: what a collision check has to know to set the scene."""

    step: int
    robot: str
    number: int  # of the motion within its action
    skill: str
    args: tuple[str, ...]
    toward: str
    holds: str
    still: frozenset[str] = frozenset()  # furniture that stands where it stood when this way was gone


#: (leg, points (n, 3)) -> the index of the first point that collides, or None when the way is free.
Probe = Callable[[Leg, np.ndarray], int | None]
#: leg -> where the hand starts and ends now, when the caller knows better than the memo; None: as the memo thinks.
Ends = Callable[[Leg], tuple[Sequence[float], Sequence[float]] | None]


STILL_M = 0.001  # furniture that moved by less has not moved
_NOWHERE = (0.0, 0.0, 0.0)


class Laid(NamedTuple):
    """One motion of the old plan in the new task."""

    leg: Leg
    motion: Motion
    start: Point  # where the hand is now when it begins
    goal: Point  # where it has to be now
    moved: float  # the larger pose difference of the two ends (Eq. 5) [m]


class Fit(NamedTuple):
    """The part of an old motion that can be used now."""

    laid: Laid
    kept: np.ndarray  # (n, 3) after back checking and collision checking
    free: bool  # nothing collided
    ref_m: float  # Δx_ref
    goal_m: float  # Δx_goal


def lay(ref: Case, plan: Plan, cur: Case, settings: MemoSettings, ends: Ends | None = None) -> Iterator[Laid]:
    """Every old motion between the ends that it has now."""
    motions = list(plan.motions())
    ends_of = follow((robot, motion.toward, motion.holds) for _, robot, _, _, motion in motions)
    moved: dict[str, Moved] = {}
    for name in (*ref.objects, *ref.obstacles):
        then, now = ref.pose(name), cur.pose(name)
        moved[name] = None if then is None or now is None else (then, now)
    still = frozenset(
        n for n in ref.obstacles if (m := moved[n]) is not None and difference(m, settings.metres_per_rad) <= STILL_M
    )
    for (i, robot, j, act, motion), (begin, end) in zip(motions, ends_of):
        leg = Leg(i, robot, j, act.skill, act.args, motion.toward, motion.holds, still)
        yield _laid(leg, motion, moved.get(begin), moved.get(end), settings, ends)


def _laid(leg: Leg, motion: Motion, begin: Moved, end: Moved, settings: MemoSettings, ends: Ends | None) -> Laid:
    first, last = (_point(motion.ee[0]), _point(motion.ee[-1])) if len(motion.ee) else (_NOWHERE, _NOWHERE)
    change = max(difference(begin, settings.metres_per_rad), difference(end, settings.metres_per_rad))
    known = ends(leg) if ends is not None else None
    if known is None:
        return Laid(leg, motion, carry_over(first, begin), carry_over(last, end), change)
    start, goal = _point(known[0]), _point(known[1])
    return Laid(leg, motion, start, goal, max(change, math.dist(start, first), math.dist(goal, last)))


def _point(values: Sequence[float] | np.ndarray) -> Point:
    x, y, z = values
    return (float(x), float(y), float(z))


def fit(laid: Laid, probe: Probe | None, settings: MemoSettings) -> Fit:
    """Back checking, then collision checking: the stretch that can be kept."""
    track = Track(laid.start, laid.goal, settings.axis)
    kept = resample(track.between(laid.motion.ee))
    hit = probe(laid.leg, kept) if probe is not None and len(kept) else None
    if hit is not None:
        kept = kept[: max(0, hit)]
    goal_m = track.length if counts(laid) and track.length >= SHORT_M else 0.0
    return Fit(laid, kept, hit is None, track.gained(kept, laid.motion.ee), goal_m)


def counts(laid: Laid) -> bool:
    """Home and waiting say nothing about similarity."""
    return bool(laid.leg.toward) and len(laid.motion.ee) > 0
