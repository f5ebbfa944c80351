"""Motions that served before, offered again: fitted to the scene of now, or as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from coterie.worlds.tabletop.arms.reaching import Reaching, Stack
    from coterie.worlds.tabletop.job import Leg

SAME_PLACE = 0.01  # [m] a hand that ends farther from where it has to be has been led elsewhere


def knots_of(leg: Leg) -> list[Any] | None:
    return None if leg.stay or not leg.hint else leg.hint.get("knots")


def as_it_is(reaching: Reaching) -> bool:
    """True if an old motion is asked for and no other."""
    return any(isinstance(leg.hint, dict) and bool(leg.hint.get("as_is")) for leg in reaching.legs.values())


def hinted(reaching: Reaching, before: Stack) -> list[Stack] | None:
    """A motion that served before, as configurations of all arms; None when the robots' parts do not fit.

    It begins where the arms are and ends where they have to be now. One that is asked for as it is has to end there by
    itself.
    """
    legs = reaching.legs
    known = {name: knots_of(leg) for name, leg in legs.items()}
    lengths = {len(k) for k in known.values() if k}
    if len(lengths) != 1 or any(not leg.stay and not known[name] for name, leg in legs.items()):
        return None
    (n,) = lengths
    stacks = []
    for i in range(n):
        stack = reaching.now.copy()
        for k, name in enumerate(reaching.names):
            knots = known.get(name)
            if knots:
                q = np.asarray(knots[i], dtype=float)
                if q.shape != (reaching.ends[k + 1] - reaching.ends[k],) or not np.isfinite(q).all():
                    return None
                arm = reaching.arms[k]
                stack[reaching.ends[k] : reaching.ends[k + 1]] = np.clip(q, arm.lo, arm.hi)
        stacks.append(stack)
    if not as_it_is(reaching):
        return [reaching.now, *stacks[1:-1], before]
    off = float(np.abs(_hands(reaching, stacks[-1]) - _hands(reaching, before)).max(initial=0.0))
    return [reaching.now, *stacks[1:], before] if off <= SAME_PLACE else None


class Old(NamedTuple):
    """An old motion of one arm, and when on it the hand was at the points that are to guide it."""

    knots: np.ndarray
    times: list[float]

    def at(self, time: float) -> np.ndarray:
        """The configuration at a time; before its first point and after its last one there is nothing to go by."""
        time = min(max(time, self.times[0]), self.times[-1])
        first = min(int(time), len(self.knots) - 2)
        q: np.ndarray = self.knots[first] + (self.knots[first + 1] - self.knots[first]) * (time - first)
        return q


def advice(reaching: Reaching, goal: Stack) -> list[Stack]:
    """Configurations along which old ways guide the arms; they bind nobody. Arms without advice go evenly.

    Arms that moved together then are led together now: at every stop they have the postures of one moment.
    """
    old: dict[int, Old] = {}
    points: dict[int, list[np.ndarray]] = {}
    for k, name in enumerate(reaching.names):
        found = _along(reaching, k, reaching.legs[name]) if name in reaching.legs else None
        if isinstance(found, Old):
            old[k] = found
        elif found:
            points[k] = found
    if not points and len({len(o.knots) for o in old.values()}) == 1:
        times = sorted({round(t, 3) for o in old.values() for t in o.times})
        own = {k: [o.at(t) for t in times] for k, o in old.items()}
    else:  # of different origin: each at its own pace
        own = {**points, **{k: [o.at(t) for t in o.times] for k, o in old.items()}}
    count = max(map(len, own.values()), default=0)
    stacks = []
    for i in range(count):
        stack = reaching.now + (goal - reaching.now) * ((i + 1) / (count + 1))
        for k, found in own.items():
            stack[reaching.ends[k] : reaching.ends[k + 1]] = found[i * len(found) // count]
        stacks.append(stack)
    return stacks


def _along(reaching: Reaching, k: int, leg: Leg) -> Old | list[np.ndarray] | None:
    """The old motion whose hand was at the points of a guide, with its bends between them: a straight line from one
    point to the next would cut corners. Without a motion, configurations at the points."""
    if not isinstance(leg.hint, dict) or not leg.hint.get("guide"):
        return None
    points = np.array(leg.hint["guide"], dtype=float)
    arm, rows = reaching.arms[k], leg.hint.get("old")
    knots = np.array(rows, dtype=float) if rows else np.empty((0, arm.n))
    if len(knots) < 2 or knots.shape[1] != arm.n:
        return reaching.at_points(k, leg, points)
    knots = np.clip(knots, arm.lo, arm.hi)
    moments, at = reaching.sampled(arm, knots)
    times, first = [], 0
    for point in points:  # in the order of time: a way may pass one place twice
        first += int(np.argmin(np.linalg.norm(at[first:] - point, axis=1)))
        times.append(moments[first])
    bends = [float(n) for n in range(len(knots)) if times[0] < n < times[-1]]
    return Old(knots, sorted({*times, *bends}))


def _hands(reaching: Reaching, stack: Stack) -> np.ndarray:
    """Where the hands are in a configuration of all arms  # (arms, 3)"""
    mj, data = reaching.table.mj, reaching.scratch
    for k, arm in enumerate(reaching.arms):
        data.qpos[arm.qpos] = stack[reaching.ends[k] : reaching.ends[k + 1]]
    mj.mj_kinematics(reaching.table.model, data)
    return np.array([data.site_xpos[arm.site] for arm in reaching.arms])
