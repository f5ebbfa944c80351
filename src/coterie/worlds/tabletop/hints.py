"""Motions that served before, offered again: fitted to the scene of now, or as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from coterie.worlds.tabletop.job import Leg
    from coterie.worlds.tabletop.reaching import Reaching, Stack

SAME_PLACE = 0.01  # [m] a hand that ends farther from where it has to be has been led elsewhere


def knots_of(leg: Leg) -> list[Any] | None:
    return None if leg.stay or not leg.hint else leg.hint.get("knots")


def as_it_is(reaching: Reaching) -> bool:
    """Does somebody ask for an old motion and no other?"""
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


def advice(reaching: Reaching, goal: Stack) -> list[Stack]:
    """Configurations along which old ways guide the arms; they bind nobody. Arms without advice go evenly."""
    own: dict[int, list[np.ndarray]] = {}
    for k, name in enumerate(reaching.names):
        found = _along(reaching, k, reaching.legs[name]) if name in reaching.legs else []
        if found:
            own[k] = found
    count = max(map(len, own.values()), default=0)
    stacks = []
    for i in range(count):
        stack = reaching.now + (goal - reaching.now) * ((i + 1) / (count + 1))
        for k, found in own.items():
            stack[reaching.ends[k] : reaching.ends[k + 1]] = found[i * len(found) // count]
        stacks.append(stack)
    return stacks


def _along(reaching: Reaching, k: int, leg: Leg) -> list[np.ndarray]:
    """The configurations of an old motion in which the hand was at the points of its guide."""
    if not isinstance(leg.hint, dict) or not leg.hint.get("guide"):
        return []
    points = np.array(leg.hint["guide"], dtype=float)
    arm, rows = reaching.arms[k], leg.hint.get("old")
    knots = np.array(rows, dtype=float) if rows else np.empty((0, arm.n))
    if len(knots) < 2 or knots.shape[1] != arm.n:
        return reaching.at_points(k, leg, points)
    samples, at = reaching.sampled(arm, np.clip(knots, arm.lo, arm.hi))
    chosen, first = [], 0
    for point in points:  # in the order of time: a way may pass one place twice
        first += int(np.argmin(np.linalg.norm(at[first:] - point, axis=1)))
        chosen.append(samples[first])
    return chosen


def _hands(reaching: Reaching, stack: Stack) -> np.ndarray:
    """Where the hands are in a configuration of all arms  # (arms, 3)"""
    mj, data = reaching.table.mj, reaching.scratch
    for k, arm in enumerate(reaching.arms):
        data.qpos[arm.qpos] = stack[reaching.ends[k] : reaching.ends[k + 1]]
    mj.mj_kinematics(reaching.table.model, data)
    return np.array([data.site_xpos[arm.site] for arm in reaching.arms])
