"""Intervals, paired comparison and rank correlation, with numpy alone and seeded.

Averages weigh groups equally: the mean of a cell is the mean of its groups' means, so that a team size with more
episodes does not count for more. A group may be a tuple, `(setting, team size)`: then settings weigh equally, and
within each setting its team sizes. Every episode thus has a weight. A bootstrap draws episodes from the whole set and
takes the weighted mean of the draw; drawing within groups would find no spread where a group holds one episode.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from coterie.core.lazy import np
from coterie.core.seeds import seed_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESAMPLES = 10_000
LEVEL = 0.95
FEWEST = 5  # episodes from which on an interval is given
MANY = 20_000  # episodes from which on what is drawn is normal to a thousandth of its spread, and need not be drawn
_CHUNK = 2_000_000  # numbers held at a time
_Z = 1.959964
_EXACT_PAIRS = 13  # 2**13 signs are fewer than the resamples


class Estimate(NamedTuple):
    """`low` and `high` are NaN where there are too few episodes for an interval."""

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
    parts: dict[tuple[Hashable, ...], list[float]] = {}
    for name, v in zip(_names(groups) if groups is not None else [()] * len(values), values):
        parts.setdefault(name, []).append(float(v))
    return math.fsum(_weight(name, list(parts)) * (math.fsum(part) / len(part)) for name, part in parts.items())


def bootstrap(
    values: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    seed: object = 0,
    resamples: int = RESAMPLES,
    shares: bool = False,
) -> Estimate:
    """The mean and its percentile bootstrap interval.

    `shares`: the values lie between 0 and 1. If all of them are 0 or all are 1, a bootstrap finds no spread, however
    few they are; Wilson's interval for so many episodes stands in. The error of very many is normal.
    """
    data, n = np.asarray(values, dtype=np.float64), len(values)
    mean = group_mean(data.tolist(), groups)
    if n < FEWEST:
        return Estimate(mean, math.nan, math.nan, n)
    weights = weights_of(n, groups)
    if np.all(data == data[0]):
        some = shares and data[0] in (0.0, 1.0)
        return Estimate(mean, *(_wilson(float(data[0]), 1.0 / float(weights @ weights)) if some else (mean, mean)), n)
    if n > MANY:
        half = _Z * float(np.linalg.norm(weights * (data - mean)))
        return Estimate(mean, max(float(data.min()), mean - half), min(float(data.max()), mean + half), n)
    return Estimate(mean, *_drawn(data.tobytes(), weights.tobytes(), str(seed), resamples), n)


@lru_cache(maxsize=1_000)  # tables and plots ask for the same cells
def _drawn(data: bytes, weights: bytes, seed: str, resamples: int) -> tuple[float, float]:
    """The ends of the interval."""
    rng = np.random.default_rng(seed_of("bootstrap", seed))
    means = _resampled_means(np.frombuffer(data), np.frombuffer(weights), rng, resamples)
    low, high = np.quantile(means, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return float(low), float(high)


def paired(
    first: Sequence[float],
    second: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    seed: object = 0,
    resamples: int = RESAMPLES,
) -> Paired:
    """Two methods on the same episodes: mean difference, interval and p-value, both of one test.

    The p-value is that of the two-sided sign-flip permutation test: if the methods were alike, each episode's
    difference could as well have the other sign. All signs are tried for up to 13 pairs, otherwise as many random ones
    as there are resamples; then the observed signs count as one of them, so p is never 0.

    The interval holds the differences that this test does not reject, so it holds 0 exactly if p is above 5%. A
    sign flip parts the episodes in two, and it is as extreme as the data for all true differences between the means
    of the two parts; the interval's ends are quantiles of these means. It is infinite (given as NaN) where too few
    episodes differ from nothing to reject anything.
    """
    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    n, nan = len(difference), float("nan")
    if n == 0:
        return Paired(nan, nan, nan, nan, 0)
    weights = weights_of(n, groups)
    observed = group_mean(difference.tolist(), groups)
    if n > MANY:  # sums of so many signs are normal
        spread = float(np.linalg.norm(difference * weights))
        p = math.erfc(abs(observed) / spread / math.sqrt(2.0)) if spread > 0 else 1.0
        return Paired(observed, observed - _Z * spread, observed + _Z * spread, p, n)
    signed, share = _flips(difference * weights, weights, seed, resamples)
    total = len(signed)
    p = float(np.count_nonzero(np.abs(signed) >= abs(observed) - 1e-12)) / total
    if n < FEWEST:
        return Paired(observed, nan, nan, p, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(observed - signed) / (1.0 - share), (observed + signed) / (1.0 + share)])
    whole = np.abs(share) > 1.0 - 1e-9  # all signs alike: rejects nothing
    below, above = np.where(whole, -np.inf, ends.min(axis=0)), np.where(whole, np.inf, ends.max(axis=0))
    rank = int((1.0 - LEVEL) * total + 1e-9)
    low, high = float(np.partition(below, rank)[rank]), -float(np.partition(-above, rank)[rank])
    if not (np.isfinite(low) and np.isfinite(high)):
        low = high = nan
    return Paired(observed, low, high, p, n)


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
def weights_of(n: int, groups: Sequence[Hashable] | None) -> Floats:
    """The weight of every episode: equal among the branches of every level of groups; they sum to 1."""
    if groups is None:
        return np.full(n, 1.0 / n)
    names = _names(groups)
    sizes = Counter(names)
    share = {group: _weight(group, list(sizes)) / sizes[group] for group in sizes}
    return np.array([share[name] for name in names])


def _names(groups: Sequence[Hashable]) -> list[tuple[Hashable, ...]]:
    return [group if isinstance(group, tuple) else (group,) for group in groups]


def _weight(group: tuple[Hashable, ...], all_groups: list[tuple[Hashable, ...]]) -> float:
    weight = 1.0
    for depth in range(len(group)):
        branches = {g[depth] for g in all_groups if g[:depth] == group[:depth]}
        weight /= len(branches)
    return weight


def _resampled_means(data: Floats, weights: Floats, rng: np.random.Generator, resamples: int) -> Floats:
    """Weighted means of as many draws with replacement as there are values."""
    n = len(data)
    low, high = data.min(), data.max()
    if np.all(weights == weights[0]) and np.all((data == low) | (data == high)):
        # successes: how many of a kind are drawn is binomial
        return low + (high - low) * rng.binomial(n, float(np.mean(data == high)), resamples) / n
    kind = np.uint16 if n < 2**16 else np.int64  # small numbers are drawn faster
    weighted = data * weights
    means = np.empty(resamples)
    step = max(1, _CHUNK // n)
    for begin in range(0, resamples, step):
        end = min(resamples, begin + step)
        drawn = rng.integers(0, n, size=(end - begin, n), dtype=kind)
        means[begin:end] = np.take(weighted, drawn).sum(axis=1) / np.take(weights, drawn).sum(axis=1)
    return np.clip(means, low, high)


def _wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's 95% interval of a proportion."""
    middle, spread = share + _Z**2 / (2 * n), _Z * np.sqrt(share * (1 - share) / n + _Z**2 / (4 * n * n))
    scale = 1 + _Z**2 / n
    return max(0.0, float((middle - spread) / scale)), min(1.0, float((middle + spread) / scale))


def _flips(weighted: Floats, weights: Floats, seed: object, resamples: int) -> tuple[Floats, Floats]:
    """For every choice of signs, the observed one first: the sum of the weighted differences, and of the weights."""
    n = len(weighted)
    columns = np.stack([weighted, weights], axis=1)
    if n <= _EXACT_PAIRS:
        found = np.array(list(product((1.0, -1.0), repeat=n))) @ columns
        return found[:, 0], found[:, 1]
    rng = np.random.default_rng(seed_of("flip", seed))
    sums, step = [columns.sum(axis=0, keepdims=True)], max(1, _CHUNK // n)
    for begin in range(0, resamples, step):
        flips = rng.integers(0, 2, size=(min(resamples, begin + step) - begin, n), dtype=np.uint8)
        sums.append(sums[0] - 2.0 * (flips.astype(np.float64) @ columns))
    found = np.concatenate(sums)
    return found[:, 0], found[:, 1]


def holm(ps: Sequence[float]) -> list[float]:
    """p-values corrected for their number: so seldom is any of the true hypotheses rejected (Holm 1979)."""
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    found, least = [1.0] * len(ps), 0.0
    for rank, i in enumerate(order):
        least = max(least, min(1.0, ps[i] * (len(ps) - rank)))
        found[i] = least
    return found
