"""Whether what is foretold comes true as often as it says: of plans at 70 %, seven in ten should work.

scores = calibration(pairs)            # (Assessment, whether it worked, how long it took)
scores.error, scores.brier, scores.base_brier, scores.coverage
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from coterie.core.errors import CoterieError
from coterie.mission.assess.assess import Assessment

Pair = tuple[Assessment, bool, float | None]  # what was told, whether it worked, the duration of what worked [s]
BINS = 10


class Bin(NamedTuple):
    """Plans with chances between two bounds: how many, what was told on average, how often they worked."""

    low: float
    high: float
    number: int
    told: float
    came: float


class Scores(NamedTuple):
    number: int
    error: float  # expected calibration error: the distance between told and came, weighed by the size of bins
    brier: float  # mean squared distance between the chance and what happened; less is better
    base_brier: float  # the same for one who always tells the share of plans that worked
    coverage: float  # of durations that lie in their intervals
    covered_of: int
    width: float  # of the intervals, in parts of the expected duration


def calibration(pairs: Sequence[Pair]) -> Scores:
    if not pairs:
        raise CoterieError("There are no plans to hold the forecasts to.")
    chances = np.array([a.chance for a, _, _ in pairs])
    came = np.array([ok for _, ok, _ in pairs], dtype=np.float64)
    bins = reliability(pairs)
    error = sum(b.number * abs(b.told - b.came) for b in bins) / len(pairs)
    timed = [(a, took) for a, ok, took in pairs if ok and took is not None]
    inside = [a.low_s <= took <= a.high_s for a, took in timed]
    widths = [(a.high_s - a.low_s) / a.duration_s for a, _ in timed if a.duration_s > 0]
    return Scores(
        len(pairs),
        float(error),
        float(np.mean((chances - came) ** 2)),
        float(np.mean((came.mean() - came) ** 2)),
        float(np.mean(inside)) if inside else float("nan"),
        len(inside),
        float(np.mean(widths)) if widths else float("nan"),
    )


def reliability(pairs: Sequence[Pair], bins: int = BINS) -> list[Bin]:
    """Plans by what was told of them, in bins of equal width; empty ones are left out."""
    found = []
    for i in range(bins):
        low, high = i / bins, (i + 1) / bins
        members = [
            (a.chance, ok) for a, ok, _ in pairs if low <= a.chance < high or (i == bins - 1 and a.chance == high)
        ]
        if members:
            told = float(np.mean([c for c, _ in members]))
            found.append(Bin(low, high, len(members), told, float(np.mean([ok for _, ok in members]))))
    return found
