"""Lookups: the sieves, the two tables, frequencies, ablations, and the true nearest."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.memo import Memo, MemoSettings, Plan, parse_variant
from coterie.memo.case import displacement
from coterie.memo.lookup import Shelf

from .made import pack, pack_plan, sort, wait


def put(memo: Memo, case, episode: str, plan=None):
    return memo.remember(case, plan or pack_plan(case), episode)


def test_an_empty_memo_finds_nothing(file):
    with Memo(file) as memo:
        assert memo.lookup(pack())[:3] == (None, 0, 0)


def test_the_nearest_of_the_same_areas(file):
    with Memo(file) as memo:
        for i, x in enumerate((0.30, 0.42, 0.50)):
            memo.remember(sort(x=x), Plan(()), f"near/{i}")
        memo.remember(sort("panel7", x=0.4), Plan(()), "elsewhere")
        found = memo.lookup(sort(x=0.4))
        assert found.match.episode == "near/1"
        assert found.match.moved_m == pytest.approx(0.01)
        assert found.match.table == "fast"
        assert (found.near, found.tested) == (3, 1)
        assert found.match.words() == "The task of episode near/1 is similar (things moved by 1.0 cm on average)."
        assert memo.lookup(sort("panel3")).match is None


def test_the_largest_alpha_wins_not_the_nearest(file):
    """A reference that goes a little too far covers all of the way; a nearer one that stops short does not."""
    with Memo(file, MemoSettings(tau=0.5)) as memo:
        put(memo, pack(apple=(-0.45, 0.4, 0.3)), "short")
        put(memo, pack(apple=(-0.60, 0.4, 0.3)), "long")
        found = memo.lookup(pack(apple=(-0.5, 0.4, 0.3)))
        assert found.match.episode == "long"
        assert found.tested == 1  # the other one cannot be better
        assert "reuse ratio 1.00" in found.match.words()
        blocked = memo.lookup(pack(), lambda leg, p: 0 if leg.skill == "PLACE" else None)
        assert blocked.match is None or blocked.match.alpha <= 0.5


def test_an_old_plan_that_takes_too_long_is_not_remembered(file):
    with Memo(file) as memo:
        case = pack()
        long = Plan(pack_plan(case).steps * 5)
        told = put(memo, case, "long", long)
        assert (told.kept, told.words) == (False, "The plan is not remembered: it took 10 rounds, more than 8.")
        waits = Plan((*pack_plan(case).steps, *({"Alice": wait(), "Bob": wait()},) * 9))
        assert put(memo, case, "slow", waits).kept  # waiting is no detour
        assert put(memo, case, "slow").words.startswith("The plan of 2 rounds is remembered, in place of")


# -- selective caching (Eq. 8) ----------------------------------------------------------------------------------------
def test_the_fast_table_holds_the_most_used(file):
    with Memo(file, MemoSettings(k=2)) as memo:
        cases = {f"e{i}": sort(x=0.3 + 0.02 * i) for i in range(5)}
        for episode, case in cases.items():
            memo.remember(case, Plan(()), episode)
        assert memo.lookup_fast(cases["e0"]).match.episode == "e3"  # the two newest, as none was used
        found = memo.lookup(cases["e0"])
        assert found.match.table == "fast"
        hit = memo.lookup_global(cases["e0"])
        assert (hit.match.episode, hit.match.table) == ("e0", "global")
        assert memo.use(hit.match, "later")
        assert not memo.use(hit.match, "later")  # once per episode
        assert memo.lookup_fast(cases["e0"]).match.episode == "e0"
        assert [(r.episode, r.freq) for r in memo.store.rows()][:2] == [("e0", 1), ("e4", 0)]


def test_a_miss_in_the_fast_table_is_found_in_the_global_one(file):
    with Memo(file, MemoSettings(k=1)) as memo:
        memo.remember(sort("panel5"), Plan(()), "old")
        memo.remember(sort("panel7"), Plan(()), "new")
        assert memo.lookup_fast(sort("panel5")).match is None
        with ThreadPoolExecutor(1) as pool:  # while a model plans
            found = pool.submit(memo.lookup_global, sort("panel5")).result()
        assert found.match.episode == "old"
        both = memo.lookup(sort("panel5"))
        assert (both.match.episode, both.match.table) == ("old", "global")


@settings(max_examples=12)
@given(spots=st.lists(st.floats(-0.8, -0.05), max_size=6), k=st.integers(0, 7), gone=st.integers(0, 6))
def test_where_all_tasks_are_at_hand_the_global_table_has_nothing_else(tmp_path_factory, spots, k, gone):
    with Memo(tmp_path_factory.mktemp("memo") / "memo.sqlite", MemoSettings(k=k)) as memo:
        for i, x in enumerate(spots):
            put(memo, pack(apple=(x, 0.4, 0.3)), str(i))
        but = [str(i) for i in range(gone)]
        left = max(0, len(spots) - gone)
        assert memo.beyond(pack(), but) is (left > k)
        assert not memo.beyond(sort(), but)
        if left <= k:
            fast, whole = (
                look(pack(), lambda leg, way: 20 if leg.holds else None, but=but)
                for look in (memo.lookup_fast, memo.lookup_global)
            )
            assert (fast.near, fast.tested) == (whole.near, whole.tested)
            first, second = (found.match and found.match[:6] for found in (fast, whole))
            assert str(first) == str(second)


# -- ablations --------------------------------------------------------------------------------------------------------
def test_without_similarity_the_nearest_of_its_kin(file):
    with Memo(file, parse_variant("memo:no-similarity")) as memo:
        memo.remember(sort("panel7", x=0.41), Plan(()), "wrong panel, but near")
        memo.remember(sort("panel5", x=0.60), Plan(()), "right panel")
        assert memo.lookup(sort("panel5", x=0.4)).match.episode == "wrong panel, but near"
        put(memo, pack(apple=(-0.1, 0.4, 0.3)), "far")
        assert memo.lookup(pack(apple=(-0.7, 0.4, 0.3))).match.episode == "far"


@pytest.mark.parametrize("make", [sort, pack])
def test_without_selection_every_task_gets_the_exact_test(file, make):
    with Memo(file, parse_variant("memo:no-selective")) as memo:
        for i in range(12):
            case = sort(x=0.3 + 0.01 * i) if make is sort else pack(apple=(-0.5 - 0.01 * i, 0.4, 0.3))
            memo.remember(case, Plan(()) if make is sort else pack_plan(case), f"e{i}")
        found = memo.lookup(sort(x=0.355) if make is sort else pack(apple=(-0.55, 0.4, 0.3)))
        assert (found.near, found.tested) == (12, 12)
        assert found.match is not None


# -- rows that cannot be read -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE plans SET outline = '{' WHERE id = 2",
        "UPDATE plans SET outline = '[{\"Alice\": 3}]' WHERE id = 2",
        "UPDATE plans SET outline = 'null' WHERE id = 2",
        "UPDATE plans SET numbers = x'0102' WHERE id = 2",
        "UPDATE plans SET numbers = zeroblob(8) WHERE id = 2",
        "UPDATE plans SET numbers = x'000000000000f87f' WHERE id = 2",
        "UPDATE plans SET sketch = x'01' WHERE id = 2",
        "UPDATE plans SET sketch = zeroblob(160) WHERE id = 2",
        "UPDATE plans SET outline = 7 WHERE id = 2",
        "UPDATE cases SET body = '[]' WHERE id = 2",
        "UPDATE cases SET body = 'x' WHERE id = 2",
        "UPDATE cases SET body = replace(body, '-0.5', 'NaN') WHERE id = 2",
        "UPDATE cases SET vector = x'00' WHERE id = 2",
    ],
)
def test_a_damaged_row_is_skipped_and_counted(file, damage):
    with Memo(file) as memo:
        put(memo, pack(apple=(-0.52, 0.4, 0.3)), "good")
        put(memo, pack(), "damaged")
        memo.store._db.execute(damage)
        found = memo.lookup(pack())
        assert found.match.episode == "good"
        assert memo.store.skipped >= 1


# -- the true nearest -------------------------------------------------------------------------------------------------
@given(st.integers(1, 300), st.integers(1, 5), st.integers(1, 12), st.integers(0, 2**32))
@settings(max_examples=20)
def test_the_shelf_finds_the_true_nearest(n, things, count, seed):
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-1, 1, size=(n, 3 * things)).astype(np.float32)
    shelf = Shelf(3 * things)
    for begin in range(0, n, 70):
        part = rows[begin : begin + 70]
        shelf.add(np.arange(begin, begin + len(part)) + 1, part)
    query = rng.uniform(-1, 1, 3 * things).astype(np.float32)
    moved = (rows.astype(float) - query).reshape(n, things, 3)
    exact = np.sqrt((moved**2).sum(axis=2)).mean(axis=1)
    found = shelf.nearest(query, count)
    assert len(found) == min(n, count)
    assert [d for d, _ in found] == pytest.approx(sorted(exact)[:count], abs=1e-6)
    assert all(exact[i - 1] == pytest.approx(d, abs=1e-6) for d, i in found)


def test_a_shelf_grows_and_of_equal_ones_the_newest_comes_first():
    shelf = Shelf(3)
    shelf.add(np.arange(1, 6), np.zeros((5, 3), dtype=np.float32))
    assert [i for _, i in shelf.nearest(np.zeros(3, dtype=np.float32), 2)] == [5, 4]
    assert Shelf(3).nearest(np.zeros(3, dtype=np.float32), 2) == []
    for n in range(6, 601):
        shelf.add(np.array([n]), np.array([[n, 0.0, 0.0]]))
    at = np.array([300.2, 0.0, 0.0], np.float32)
    assert shelf.last == 600 and [i for _, i in shelf.nearest(at, 3)] == [300, 301, 299]
    assert len(shelf.nearest(at, 1000)) == 600 and shelf.nearest(at, 0) == []


def test_the_memo_finds_the_true_nearest(file):
    """Vectors written before and after the first search, by this memo and by another."""
    rng = np.random.default_rng(1)
    with Memo(file) as memo, Memo(file) as other:
        cases = []
        for i in range(60):
            cases.append(sort(x=float(rng.uniform(0.2, 0.6))))
            (memo if i % 3 else other).remember(cases[-1], Plan(()), f"e{i}")
            query = sort(x=float(rng.uniform(0.2, 0.6)))
            by_hand = min(cases, key=lambda c: displacement(c, query))
            for searched in (memo, other):
                (near,) = searched.nearest(query, 1)
                assert displacement(searched.store.get(near).case, query) == pytest.approx(displacement(by_hand, query))
