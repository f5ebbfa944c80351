"""How likely a plan is to work and how long it takes, sampled over its partial order."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from coterie.planning.answer import Answer, Use
from coterie.planning.question import Step


class Estimate(NamedTuple):
    chance: float
    seconds: float  # the mean of those that work
    low_s: float  # one in ten is faster
    high_s: float  # one in ten is slower


class Odds(NamedTuple):
    """Of one step: how often it works, its median time [s] and how much that varies (sigma of the logarithm)."""

    rate: float
    median_s: float
    spread: float


def estimate(plans: Sequence[Answer], odds: Callable[[Step], Odds], rng: random.Random, samples: int = 200) -> Estimate:
    """Of plans one after the other: steps that do not disturb each other go on at the same time."""
    steps: list[tuple[Step, Use]] = [pair for plan in plans for pair in zip(plan.steps, plan.uses)]
    before = [
        [j for j in range(i) if steps[j][0].robot == step.robot or steps[j][1].disturbs(use)]
        for i, (step, use) in enumerate(steps)
    ]
    each = [odds(step) for step, _ in steps]
    chance = math.prod(o.rate for o in each)
    times: list[float] = []
    for _ in range(samples):
        ends: list[float] = []
        for o, waits in zip(each, before):
            took = o.median_s * math.exp(rng.gauss(0.0, o.spread))
            ends.append(max((ends[j] for j in waits), default=0.0) + took)
        times.append(max(ends, default=0.0))
    times.sort()
    count = len(times)
    return Estimate(chance, sum(times) / count, times[count // 10], times[-1 - count // 10])


def minutes(seconds: float) -> str:
    """A time in words: "2 minutes 9 seconds"."""
    whole = round(seconds)
    mins, secs = divmod(whole, 60)
    parts = [f"{mins} minute{'s' * (mins != 1)}"] if mins else []
    parts += [f"{secs} second{'s' * (secs != 1)}"] if secs or not mins else []
    return " ".join(parts)
