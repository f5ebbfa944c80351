from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.bench import statistics
from coterie.bench.statistics import bootstrap, group_mean, paired, ranks, spearman
from coterie.bench.table import with_interval

values = st.lists(st.floats(-50, 50, allow_nan=False), min_size=5, max_size=40)


@settings(max_examples=20)
@given(values, st.integers(0, 5))
def test_the_interval_holds_the_mean_and_lies_within_the_data(data, seed):
    e = bootstrap(data, seed=seed, resamples=500)
    assert min(data) - 1e-9 <= e.low <= e.high <= max(data) + 1e-9
    assert e.mean == pytest.approx(np.mean(data), abs=1e-9)
    assert e.n == len(data)
    assert e == bootstrap(data, seed=seed, resamples=500)


def test_a_constant_has_no_width_and_nothing_has_no_mean():
    assert bootstrap([0.5] * 9)[:3] == (0.5, 0.5, 0.5)
    assert math.isnan(bootstrap([]).mean)
    assert math.isnan(group_mean([]))


def test_the_interval_shrinks_with_the_number_of_episodes():
    few, many = bootstrap([0, 1] * 10), bootstrap([0, 1] * 1000)
    assert many.high - many.low < (few.high - few.low) / 5
    # the normal approximation of a proportion
    assert few.high - few.low == pytest.approx(2 * 1.96 * 0.5 / math.sqrt(20), abs=0.06)
    assert many.high - many.low == pytest.approx(2 * 1.96 * 0.5 / math.sqrt(2000), abs=0.004)


def test_two_values_or_more_take_different_roads_to_the_same_interval():
    two = [0.0] * 30 + [1.0] * 20
    nearly = [0.0] * 30 + [1.0] * 19 + [1.0 + 1e-9]
    assert bootstrap(two)[1:3] == pytest.approx(bootstrap(nearly)[1:3], abs=0.025)


def test_groups_weigh_equally_whatever_their_size():
    data, groups = [1.0] * 9 + [0.0], ["big"] * 9 + ["small"]
    assert group_mean(data, groups) == 0.5
    nested = [("static", "2"), ("static", "3"), ("cto", "2"), ("cto", "2")]
    assert group_mean([1.0, 0.0, 1.0, 1.0], nested) == pytest.approx(0.75)


def test_groups_of_one_episode_do_not_hide_the_spread():
    data, groups = [14.0, 17.0, 13.0, 16.0, 18.0, 15.0], list("abcdef")
    e = bootstrap(data, groups)
    assert e[:3] == pytest.approx(bootstrap(data)[:3], abs=0.15)
    assert e.high - e.low > 2
    success = [0.0] * 3 + [1.0] * 21  # in eight groups of three, one of which holds all the failures
    e = bootstrap(success, [i // 3 for i in range(24)])
    assert e.mean == pytest.approx(0.875)
    assert e.high - e.low == pytest.approx(2 * 1.96 * math.sqrt(0.875 * 0.125 / 24), abs=0.05)


def test_few_episodes_give_a_mean_and_no_interval():
    e = bootstrap([1.0, 2.0, 3.0, 4.0])
    assert (e.mean, e.n) == (2.5, 4)
    assert math.isnan(e.low) and math.isnan(e.high)
    assert with_interval(e, 1) == "2.5 [–]"
    c = paired([1, 1, 1], [0, 0, 0])
    assert c.difference == 1
    assert math.isnan(c.low)


def test_all_successes_are_not_a_certainty():
    low, high = bootstrap([1.0] * 24, shares=True)[1:3]
    assert (low, high) == (pytest.approx(0.862, abs=0.001), 1.0)  # Wilson's interval of 24 of 24
    assert bootstrap([0.0] * 24, shares=True)[1:3] == (0.0, pytest.approx(0.138, abs=0.001))
    uneven = bootstrap([1.0] * 24, ["a"] * 23 + ["b"], shares=True)
    assert uneven.low < low  # half the weight lies on one episode
    assert bootstrap([7.0] * 24)[1:3] == (7.0, 7.0)


@settings(max_examples=25)
@given(st.lists(st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 3.0]), min_size=5, max_size=30), st.integers(1, 4))
def test_interval_and_p_value_agree(difference, parts):
    groups = [i % parts for i in range(len(difference))]
    c = paired(difference, [0.0] * len(difference), groups, resamples=500)
    if math.isnan(c.low):
        assert c.p > 0.05
        return
    assert c.low - 1e-9 <= c.difference <= c.high + 1e-9
    if c.p > 0.05:
        assert c.low <= 1e-9 and c.high >= -1e-9
    else:
        assert c.low > -1e-9 or c.high < 1e-9


def uneven(rng):
    """A small group far away from a big one: the mean of the two is 5."""
    data = [*rng.normal(0.0, 1.0, 40), *rng.normal(10.0, 1.0, 10)]
    return bootstrap(data, ["big"] * 40 + ["small"] * 10, resamples=400)


@pytest.mark.parametrize(
    ("drawn", "truth", "least", "most"),
    [
        (lambda rng: bootstrap(rng.normal(3.0, 2.0, 40).tolist(), resamples=600), 3.0, 0.89, 0.99),
        (uneven, 5.0, 0.9, 1.0),
        (lambda rng: paired(rng.normal(1.0, 2.0, 25), np.zeros(25), resamples=400), 1.0, 0.9, 0.99),
    ],
    ids=["mean", "groups", "pairs"],
)
def test_intervals_cover_in_95_of_100_cases(drawn, truth, least, most):
    rng = np.random.default_rng(5)
    found = [drawn(rng) for _ in range(200)]
    assert least <= sum(e.low <= truth <= e.high for e in found) / 200 <= most


def test_paired_differences_know_their_sign_and_that_nothing_differs():
    rng = np.random.default_rng(0)
    base = rng.normal(10, 3, 60)
    better = base - 1 + rng.normal(0, 0.3, 60)
    c = paired(better.tolist(), base.tolist())
    assert c.low < c.difference < c.high < 0
    assert c.p < 0.001
    same = paired(base.tolist(), base.tolist())
    assert (same.difference, same.low, same.high, same.p) == (0, 0, 0, 1)


def test_few_pairs_are_tested_exactly():
    c = paired([1, 1, 1, 1], [0, 0, 0, 0])
    assert c.p == pytest.approx(2 / 16)  # only all signs alike are as extreme
    assert paired([1.0], [0.0]).p == 1.0


def test_p_values_are_uniform_when_nothing_differs():
    rng = np.random.default_rng(2)
    found = [paired(rng.normal(size=30), rng.normal(size=30), resamples=400).p for _ in range(200)]
    assert 0.01 <= np.mean(np.array(found) <= 0.05) <= 0.11
    assert 0.4 <= np.mean(found) <= 0.6


def test_spearman_with_ties():
    assert spearman([1, 2, 3], [10, 20, 90]) == pytest.approx(1)
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert ranks([5, 1, 5, 2]).tolist() == [3.5, 1, 3.5, 2]
    assert spearman([1, 2, 2, 3], [1, 3, 2, 4]) == pytest.approx(0.9486833)  # worked by hand: 4.5 / sqrt(4.5 * 5)
    assert math.isnan(spearman([1, 1, 1], [1, 2, 3]))
    assert math.isnan(spearman([1], [1]))


def test_very_many_episodes_need_not_be_drawn(monkeypatch):
    """Beyond a number, intervals and p-values come from a formula: that to which drawing tends."""
    rng = np.random.default_rng(3)
    groups = [("a", i % 3 if i % 7 else 3) for i in range(3000)]
    first = rng.exponential(10.0, 3000).tolist()
    second = (np.array(first) + rng.normal(0.1, 3.0, 3000)).tolist()
    shares = [0.0] * 1400 + [1.0] * 1600
    drawn = [bootstrap(first, groups), bootstrap(shares, shares=True), paired(first, second, groups)]
    monkeypatch.setattr(statistics, "MANY", 2999)
    found = [bootstrap(first, groups), bootstrap(shares, shares=True), paired(first, second, groups)]
    for one, other in zip(drawn, found):
        assert one[0] == other[0] and one.n == other.n
        assert abs(one.low - other.low) < 0.05 * (one.high - one.low) > abs(one.high - other.high)
        assert one.low != other.low, "it was not drawn"
    assert found[2].p == pytest.approx(drawn[2].p, abs=0.02)
    assert bootstrap([1.0] * 3000, shares=True) == bootstrap([1.0] * 3000, shares=True, resamples=1)
    assert paired(first, first, groups) == (0.0, 0.0, 0.0, 1.0, 3000)
