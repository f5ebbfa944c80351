"""Intervals, paired comparison and rank correlation, with numpy alone and seeded.

Averages weigh groups equally: the mean of a cell is the mean of its groups' means, and a bootstrap draws within each
group, so that a team size with more episodes does not count for more. A group may be a tuple, `(setting, team size)`:
then settings weigh equally, and within each setting its team sizes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.seeds import seed_of

RESAMPLES = 10_000
LEVEL = 0.95
_CHUNK = 2_000_000  # numbers held at a time
_EXACT_PAIRS = 13  # 2**13 signs are fewer than the resamples

Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    mean: float
    low: float
    high: float
    n: int


class Paired(NamedTuple):
    """`difference` is the first method minus the second, over episodes that both played."""

    difference: float
    low: float
    high: float
    p: float
    n: int


def group_mean(values: Sequence[float], groups: Sequence[Hashable] | None = None) -> float:
    """The mean of the groups' means; NaN without values."""
    if not len(values):
        return float("nan")
    data = np.asarray(values, dtype=np.float64)
    return float(sum(weight * data[rows].mean() for rows, weight in _parts(len(data), groups)))


def bootstrap(
    values: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    seed: object = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Estimate:
    """The mean and its percentile bootstrap interval."""
    return _bootstrap(tuple(values), None if groups is None else tuple(groups), str(seed), resamples, level)


@lru_cache(maxsize=2000)  # tables and plots ask for the same cells
def _bootstrap(
    values: tuple[float, ...], groups: tuple[Hashable, ...] | None, seed: str, resamples: int, level: float
) -> Estimate:
    n = len(values)
    if n == 0:
        nan = float("nan")
        return Estimate(nan, nan, nan, 0)
    data = np.asarray(values, dtype=np.float64)
    mean = group_mean(values, groups)
    if np.all(data == data[0]):
        return Estimate(mean, mean, mean, n)
    means = _resampled_means(data, _parts(n, groups), np.random.default_rng(seed_of("bootstrap", seed)), resamples)
    low, high = np.quantile(means, ((1 - level) / 2, (1 + level) / 2))
    return Estimate(mean, float(low), float(high), n)


def paired(
    first: Sequence[float],
    second: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    seed: object = 0,
    resamples: int = RESAMPLES,
) -> Paired:
    """Two methods on the same episodes: mean difference, bootstrap interval over episodes, and a p-value.

    The p-value is that of the two-sided sign-flip permutation test: if the methods were alike, each episode's
    difference could as well have the other sign. All signs are tried for up to 13 pairs, otherwise as many random ones
    as there are resamples; then the observed signs count as one of them, so p is never 0.
    """
    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    low, high = bootstrap(difference.tolist(), groups, seed, resamples)[1:3]
    mean = group_mean(difference.tolist(), groups)
    return Paired(mean, low, high, _sign_flip(difference, groups, seed, resamples), len(difference))


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    """Rank correlation with averaged ranks for ties; NaN where one side does not vary."""
    if len(x) < 2:
        return float("nan")
    a, b = ranks(x), ranks(y)
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a**2).sum() * (b**2).sum()))
    return float((a * b).sum() / scale) if scale > 0 else float("nan")


def ranks(values: Sequence[float]) -> Floats:
    data = np.asarray(values, dtype=np.float64)
    _, place, count = np.unique(data, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return ((last - count + 1 + last) / 2.0)[place]


# -- inside ---------------------------------------------------------------------------------------------------------
Part = tuple[NDArray[np.int64], float]  # the row numbers of a group, and its weight


def _parts(n: int, groups: Sequence[Hashable] | None) -> list[Part]:
    """The groups in order of first appearance; weights are equal among the branches of every level."""
    if groups is None:
        return [(np.arange(n), 1.0)]
    found: dict[tuple[Hashable, ...], list[int]] = {}
    for i, group in enumerate(groups):
        found.setdefault(group if isinstance(group, tuple) else (group,), []).append(i)
    return [(np.asarray(rows), _weight(group, list(found))) for group, rows in found.items()]


def _weight(group: tuple[Hashable, ...], all_groups: list[tuple[Hashable, ...]]) -> float:
    weight = 1.0
    for depth in range(len(group)):
        branches = {g[depth] for g in all_groups if g[:depth] == group[:depth]}
        weight /= len(branches)
    return weight


def _resampled_means(data: Floats, parts: list[Part], rng: np.random.Generator, resamples: int) -> Floats:
    total = np.zeros(resamples)
    for rows, weight in parts:
        total += weight * _means_of_draws(data[rows], rng, resamples)
    return total


def _means_of_draws(part: Floats, rng: np.random.Generator, resamples: int) -> Floats:
    """Means of as many draws with replacement as there are values."""
    n = len(part)
    low, high = part.min(), part.max()
    if np.all((part == low) | (part == high)):  # successes: how many of a kind are drawn is binomial
        return low + (high - low) * rng.binomial(n, float(np.mean(part == high)), resamples) / n
    kind = np.uint16 if n < 2**16 else np.int64  # small numbers are drawn faster
    means = np.empty(resamples)
    step = max(1, _CHUNK // n)
    for begin in range(0, resamples, step):
        end = min(resamples, begin + step)
        means[begin:end] = np.take(part, rng.integers(0, n, size=(end - begin, n), dtype=kind)).mean(axis=1)
    return means


def _sign_flip(difference: Floats, groups: Sequence[Hashable] | None, seed: object, resamples: int) -> float:
    n = len(difference)
    if n == 0:
        return float("nan")
    weights = np.zeros(n)
    for rows, weight in _parts(n, groups):
        weights[rows] = weight / len(rows)
    weighted = difference * weights
    observed = abs(weighted.sum()) - 1e-12
    if n <= _EXACT_PAIRS:
        signs = np.array(list(product((-1.0, 1.0), repeat=n)))
        return float(np.mean(np.abs(signs @ weighted) >= observed))
    rng = np.random.default_rng(seed_of("flip", seed))
    extreme, step = 0, max(1, _CHUNK // n)
    for begin in range(0, resamples, step):
        flips = rng.integers(0, 2, size=(min(resamples, begin + step) - begin, n), dtype=np.uint8)
        extreme += int(np.sum(np.abs(weighted.sum() - 2.0 * (flips.astype(np.float64) @ weighted)) >= observed))
    return (extreme + 1) / (resamples + 1)
