"""How hard a task is: D = 0.4 L + 0.2 N + 0.4 Y, from where the targets lie, how many, and who is needed."""

from __future__ import annotations

import math
from collections.abc import Sequence

WEIGHTS = (0.4, 0.2, 0.4)  # of location, number and collaboration
MOST_TARGETS = 5
MOST_HELPERS = 2
MAX_SHARE = 0.8  # weight of the hardest location against the mean

WIDE = "wide-search"  # things all over a large house; its limit is time, and grows with the way of the best plan
LEVELS = ("easy", "medium", "hard", "medium-search", WIDE)
STEP_LIMITS = {"easy": 20, "medium": 30, "hard": 50, "medium-search": 30, WIDE: 400}  # of the last, the most

#: Of the level `wide-search`: steps of STEP_S seconds for so many times the seconds of the best plan, and some more.
STEP_S, TIMES, SPARE_STEPS = 6.0, 2.5, 10


def wide_limit(plan_s: float) -> int:
    """Steps that a task may take whose best plan takes `plan_s` seconds, where nothing changes."""
    return min(STEP_LIMITS[WIDE], math.ceil(TIMES * plan_s / STEP_S) + SPARE_STEPS)


ON_TABLE, OUT_OF_REACH, ELSEWHERE = 0, 1, 2  # location difficulty of one target


def location_factor(locations: Sequence[int]) -> float:
    return MAX_SHARE * max(locations) / 2 + (1 - MAX_SHARE) * sum(locations) / (2 * len(locations))


def number_factor(targets: int) -> float:
    return (targets - 1) / (MOST_TARGETS - 1)


def difficulty(locations: Sequence[int], helpers: int, weights: tuple[float, float, float] = WEIGHTS) -> float:
    """`locations` of the targets (0, 1 or 2 each), and the least number of robots needed besides the arm."""
    a, b, c = weights
    d = (
        a * location_factor(locations)
        + b * number_factor(len(locations))
        + c * min(helpers, MOST_HELPERS) / MOST_HELPERS
    )
    return round(d, 6)


def level_of(d: float) -> str:
    """easy [0, 0.3], medium (0.3, 0.6), hard [0.6, 1]."""
    return "easy" if d <= 0.3 else ("medium" if d < 0.6 else "hard")
