"""How long actions take and how often they fail: skewed times and small rates, each drawn from the seed by who acts
for the how-many-th time, so that what one robot does never changes the luck of another."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

from coterie.core.files import tables
from coterie.core.seeds import rng_of
from coterie.core.switches import rates

_CHANCE = tables(__package__, "chance.toml")
SPREAD: Mapping[str, float] = _CHANCE["spread"]
RATES: Mapping[str, float] = _CHANCE["rates"]
USUAL_SPREAD = 0.25
STEADY = ("steady",)  # in the map of a place where nothing fails by itself
UNNOTICED = 0.3  # of slipped grasps, those that the robot takes for done


def factor(rng: random.Random, spread: float) -> float:
    """A skewed factor with the median 1."""
    return math.exp(rng.gauss(0.0, spread))


def dice(seed: int, robot: str, count: int) -> random.Random:
    return rng_of("hospital", seed, robot, count)


def parse_rates(text: str) -> Mapping[str, float]:
    """`"none"`, `"real"`, or rates by skill: `"pickup=0.2,opendoor=0.1"`."""
    if text in ("", "none"):
        return {}
    if text == "real":
        return RATES
    return rates(text, RATES)
