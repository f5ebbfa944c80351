"""Is an old task similar enough to a new one? One test per kind of overlap.

Low overlap (Eq. 1): every target stays in its work area. High overlap (Eq. 2, 3): the mean share of the way that old
trajectories still cover, against the threshold tau.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from coterie.memo.case import Case
from coterie.memo.legs import Fit, Probe, counts, fit, lay
from coterie.memo.plan import Plan
from coterie.memo.settings import MemoSettings, family_of


class Similarity(NamedTuple):
    similar: bool
    alpha: float  # 0 to 1
    fits: tuple[Fit, ...] = ()  # with high overlap, what the test found out; the S-Planner goes on with it


class Ratio(NamedTuple):
    """The reuse ratio of one subtask (one robot's action in one round)."""

    step: int
    robot: str
    skill: str
    alpha: float


def similarity(ref: Case, plan: Plan, cur: Case, settings: MemoSettings, probe: Probe | None = None) -> Similarity:
    """The exact test."""
    if ref.kin != cur.kin:
        return Similarity(False, 0.0)
    if family_of(cur.task).overlap == "low":
        return _same_areas(ref, cur)
    fits = tuple(fit(laid, probe, settings) for laid in lay(ref, plan, cur, settings) if counts(laid))
    alpha = mean_ratio(ratios(fits))
    return Similarity(alpha >= settings.tau_of(cur.task), alpha, fits)


def _same_areas(ref: Case, cur: Case) -> Similarity:
    stayed = sum(ref.objects[n].area == cur.objects[n].area for n in cur.objects)
    return Similarity(stayed == len(cur.objects), stayed / len(cur.objects) if cur.objects else 1.0)


def ratios(fits: Sequence[Fit]) -> list[Ratio]:
    """Eq. 2 for every subtask that leads somewhere: the way of its motions that is left over the way to go."""
    totals: dict[tuple[int, str, str], tuple[float, float]] = {}
    for f in fits:
        if f.goal_m > 0:
            key = (f.laid.leg.step, f.laid.leg.robot, f.laid.leg.skill)
            ref, goal = totals.get(key, (0.0, 0.0))
            totals[key] = (ref + f.ref_m, goal + f.goal_m)
    return [Ratio(*key, min(1.0, max(0.0, ref / goal))) for key, (ref, goal) in totals.items()]


def mean_ratio(found: Sequence[Ratio]) -> float:
    """Eq. 3. A plan in which nobody goes anywhere fits any task."""
    return sum(r.alpha for r in found) / len(found) if found else 1.0
