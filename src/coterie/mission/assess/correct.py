"""What earlier forecasts teach about the next one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from coterie.mission.assess.rates import Floats
from coterie.mission.assess.trials import Told

SHIFT, SLOPE = 0.1, 0.25  # how far a correction strays from none without good reason, in logits
FORECAST = 12.0  # past plans that the samples' own spread counts for
COMMON = 0.3  # of the logarithm of durations: what may make plans slow or quick that no step's spread shows


class Correction:
    """Chances are bent by a line in logits; durations are stretched by how far past ones lay from what was told."""

    def __init__(self, plans: Iterable[Told] = ()):
        done = [p for p in plans if p.ok is not None]
        most = max((p.known for p in done), default=0)
        timed = [p for p in done if p.known >= most / 4]  # what was told with far less known says little of today
        done = [p for p in done if p.known >= most / 2]
        self.shift, self.slope = _line([p.chance for p in done], [bool(p.ok) for p in done])
        self.off = np.array(
            [
                np.log(max(p.duration_s, 1e-6) / p.median_s) / _unit(p)
                for p in timed
                if p.ok and p.duration_s is not None
            ]
        )  # past durations, in units from the middle

    def chance(self, raw: float) -> float:
        if raw >= 1 - 1e-9:
            return 1.0
        return float(_sigmoid(np.array(self.shift + self.slope * _logit(np.array(raw)))))

    def duration(self, total: Floats, raw: Told, level: float) -> tuple[float, float, float]:
        """What to expect, and the ends of the interval."""
        unit = _unit(raw)
        own = np.log(np.maximum(total, 1e-6) / raw.median_s) / unit
        values = np.concatenate([own, self.off])
        weights = np.concatenate([np.full(len(own), FORECAST / len(own)), np.ones(len(self.off))])
        low, high = _quantiles(values, weights, ((1 - level) / 2, (1 + level) / 2))
        expected = float(np.average(np.exp(np.clip(values * unit, -20, 20)), weights=weights))
        return (
            raw.median_s * expected,
            raw.median_s * float(np.exp(low * unit)),
            raw.median_s * float(np.exp(high * unit)),
        )


def _unit(told: Told) -> float:
    """In what errors of a forecast are measured: plans that are hard to tell are allowed more of them."""
    return float(np.hypot(told.spread, COMMON))


def _logit(p: Floats) -> Floats:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.log(p / (1 - p))


def _sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def _line(chances: list[float], ok: list[bool]) -> tuple[float, float]:
    """Shift and slope under which the outcomes are likeliest (Newton's method); (0, 1) while little speaks for more.

    The rates have learnt from the same outcomes, so that a small shift is mostly luck counted twice: it is held back
    by its size, not by its square, and a large one stands.
    """
    if not chances:
        return 0.0, 1.0
    x, y = _logit(np.array(chances)), np.array(ok, dtype=np.float64)
    design = np.stack([np.ones_like(x), x], axis=1)
    prior = np.array([0.0, 1.0])
    at = prior.copy()
    for _ in range(100):
        stiff = np.diag([1 / (SHIFT * (abs(at[0]) + 0.02)), 1 / SLOPE**2])
        p = _sigmoid(design @ at)
        slope = design.T @ (y - p) - stiff @ (at - prior)
        bend = design.T @ (design * (p * (1 - p))[:, None]) + stiff
        step = np.linalg.solve(bend, slope)
        at = at + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return float(at[0]), float(at[1])


def _quantiles(values: Floats, weights: Floats, levels: tuple[float, ...]) -> list[float]:
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    return [float(values[order][np.searchsorted(sums, q * sums[-1])]) for q in levels]
