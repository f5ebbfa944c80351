"""Batches are drawn from all that has come, and no kind of sample drowns the others."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.learn.pool import FULL, IGNORED, SHARES, Pool, Text
from tests.learn.rows import spans

LENGTH = 64
MARKS = {"demonstrations": 1, "corrections": 2, "mistakes": 3}


def filled(counts, length=8):
    pool = Pool(1)
    for kind, count in counts.items():
        pool.add(kind, [Text([MARKS[kind]] * length, 2)] * count)
    return pool


def drawn(pool, batches=30):
    """How many texts of each kind."""
    found = Counter()
    for _ in range(batches):
        rows = pool.draw(4, LENGTH)
        found.update(rows.ids[rows.positions == 7].tolist())
    return found


@given(st.lists(st.integers(3, LENGTH), min_size=1, max_size=40), st.integers(1, 5))
@settings(max_examples=25)
def test_a_batch_has_its_shape_and_whole_texts(lengths, rows):
    pool = Pool(0)
    pool.add("demonstrations", [Text([n] * n, 2) for n in lengths])
    found = pool.draw(rows, LENGTH)
    assert {part.shape for part in found} == {(rows, LENGTH)}
    for row in range(rows):
        for begin, end in spans(found.until[row]):
            ids = found.ids[row][begin:end]
            assert len(ids) == ids[0] and (ids == ids[0]).all()
            assert (found.labels[row][begin:end] != IGNORED).sum() == 2


def test_kinds_get_their_shares_however_many_there_are():
    found = drawn(filled({"demonstrations": 10 * FULL, "corrections": FULL, "mistakes": FULL}))
    total = sum(found.values())
    for kind, mark in MARKS.items():
        assert abs(found[mark] / total - SHARES[kind]) < 0.06, kind


def test_a_few_mistakes_are_not_learnt_by_heart():
    found = drawn(filled({"demonstrations": FULL, "mistakes": 20}))
    assert found[3] / sum(found.values()) < 0.03
    assert drawn(filled({"demonstrations": FULL})).keys() == {1}


def test_each_comes_once_before_any_comes_again_also_those_that_did_not_fit_into_a_batch():
    pool = Pool(2)
    pool.add("demonstrations", [Text([n] * 30, 2) for n in range(1, 41)])
    order = [n for _ in range(20) for n in pool.draw(2, LENGTH).ids[:, [0, 30]].flatten().tolist()]
    assert sorted(order[:40]) == sorted(order[40:]) == list(range(1, 41)) and order[:40] != order[40:]


def test_texts_of_all_lengths_come_as_often():
    pool, rng = Pool(2), np.random.default_rng(3)
    pool.add("demonstrations", [Text([n] * int(rng.integers(3, LENGTH)), 2) for n in range(1, 101)])
    found = Counter()
    while found.total() < 1_000:
        rows = pool.draw(3, LENGTH)
        found.update(rows.ids[(rows.positions == 0) & (rows.ids > 0)].tolist())
    assert len(found) == 100 and max(found.values()) - min(found.values()) <= 2
