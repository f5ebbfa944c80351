"""Whether what is foretold comes true as often as it says: of plans at 70 %, seven in ten should work.

scores = calibration(pairs)            # (Assessment, whether it worked, how long it took)
scores.error, scores.brier, scores.base_brier, scores.coverage
draw(pairs, Path("calibration.png"))   # needs coterie[plots]
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

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


def draw(pairs: Sequence[Pair], path: Path, title: str = "") -> None:
    """The reliability of chances, and durations beside what was foretold of them, as a picture."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise CoterieError("Plots need matplotlib; install it with: pip install 'coterie[plots]'.") from None
    scores = calibration(pairs)
    figure = Figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    _reliability(left, reliability(pairs), scores)
    _durations(right, pairs, scores)
    if title:
        figure.suptitle(title)
    figure.savefig(path, dpi=160, metadata={"Software": None} if path.suffix == ".png" else None)


def _reliability(axes: Any, bins: list[Bin], scores: Scores) -> None:
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1, label="as told")
    sizes = [20 + 200 * b.number / scores.number for b in bins]
    axes.scatter([b.told for b in bins], [b.came for b in bins], s=sizes, color="tab:blue", alpha=0.8, zorder=3)
    axes.set(xlabel="chance that was told", ylabel="share that worked", xlim=(0, 1), ylim=(0, 1))
    axes.set_title(
        f"{scores.number} plans: calibration error {scores.error:.3f}\n"
        f"Brier {scores.brier:.3f}, base rate {scores.base_brier:.3f}",
        fontsize=10,
    )


def _durations(axes: Any, pairs: Sequence[Pair], scores: Scores) -> None:
    timed = sorted(((a, took) for a, ok, took in pairs if ok and took is not None), key=lambda p: p[0].duration_s)
    for i, (a, took) in enumerate(timed):
        good = a.low_s <= took <= a.high_s
        axes.plot([i, i], [a.low_s, a.high_s], color="0.85", linewidth=1, zorder=1)
        axes.plot(i, took, ".", color="tab:blue" if good else "tab:red", markersize=3, zorder=2)
    axes.set(xlabel="plans, by expected duration", ylabel="duration [s]")
    axes.set_title(f"{100 * scores.coverage:.0f} % of {scores.covered_of} within their 80 % intervals", fontsize=10)
