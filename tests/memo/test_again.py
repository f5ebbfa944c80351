"""An episode that is played again: no task is lost, none is there twice."""

import signal

from coterie.memo import Memo, Plan, Store, parse_variant
from coterie.memo.file import store as module

from .made import pack, pack_plan, sort
from .test_store import assert_sound, dies, killed


def test_it_does_not_find_itself_and_its_task_stays(file):
    """In either table, for every setting of the search; a run that fails or is killed then has lost nothing."""
    for variant in ("memo", "memo:k=1", "memo:k=1-and-near=1", "memo:no-selective", "memo:no-similarity"):
        with Memo(file.with_name(f"{variant.replace(':', '_')}.sqlite"), parse_variant(variant)) as memo:
            for i in range(4):
                memo.remember(sort(x=0.3 + 0.01 * i), Plan(()), f"e{i}")
            memo.remember(sort(x=0.5), Plan(()), "again")
            for search in (memo.lookup_fast, memo.lookup_global):
                assert search(sort(x=0.5)).match.episode == "again"
                assert search(sort(x=0.5), but=("again",)).match.episode == "e3", (variant, search)
            assert "again" in [r.episode for r in memo.store.rows()]


def test_it_replaces_its_task_and_keeps_what_others_used_it_for(file):
    with Memo(file) as memo, Memo(file) as other:
        for i in range(4):
            memo.remember(sort(x=0.3 + 0.1 * i), Plan(()), f"e{i}", {"calls": i})
        (row,) = [r for r in memo.store.rows() if r.episode == "e1"]
        memo.store.use(row.id, "somebody")
        assert other.nearest(sort(x=0.4), 1) == [row.id]
        told = memo.remember(sort(x=0.9), Plan(()), "e1", {"calls": 7})
        assert told.kept and "in place of" in told.words
        assert memo.store.get(row.id)[1:] == ("e1", sort(x=0.9), Plan(()), 1)
        assert memo.store.cost("e1") == {"calls": 7}
        assert not memo.store.use(row.id, "somebody"), "its use is still counted"
        assert other.nearest(sort(x=0.9), 1) == [row.id], "also in a memo that had the old place in memory"
        memo.remember(sort("panel7", x=0.4), Plan(()), "e1")
        assert other.nearest(sort("panel7", x=0.4), 1) == [row.id]
        assert row.id not in other.nearest(sort(x=0.4), 9)


def test_a_plan_that_makes_detours_leaves_the_old_one(file):
    with Memo(file) as memo:
        memo.remember(pack(), pack_plan(pack()), "e")
        long = Plan(pack_plan(pack()).steps * 5)
        assert not memo.remember(pack(), long, "e").kept
        assert memo.store.get(1).plan == pack_plan(pack())


def test_killed_while_it_is_replaced(file):
    """Task, plan and cost are those of before, all of them."""
    with Store(file) as store:
        store.put(pack(), pack_plan(pack()), "e", {"calls": 1})
    change = lambda: setattr(module, "_changed", dies)  # noqa: E731
    again = lambda: Store(file).put(sort(), pack_plan(pack()), "e", {"calls": 2})  # noqa: E731
    assert killed(change, again) == -signal.SIGKILL
    with Store(file) as store:
        assert (store.get(1).case, store.get(1).plan, store.cost("e")) == (pack(), pack_plan(pack()), {"calls": 1})
    assert_sound(file)


def test_an_episode_counts_for_what_it_uses_now(file):
    with Memo(file) as memo:
        for i in range(2):
            memo.remember(sort(x=0.3 + 0.1 * i), Plan(()), f"e{i}")
        assert memo.store.use(1, "later") and memo.store.use(2, "later")
        assert {r.episode: r.freq for r in memo.store.rows()} == {"e0": 0, "e1": 1}


def test_episodes_that_were_played_are_noted(file):
    with Store(file) as store:
        assert store.played() == {}
        store.note_played("lost", "d1")  # it solved nothing
        store.put(pack(), pack_plan(pack()), "won")
        store.note_played("won", "d2")
        assert store.played() == {"lost": "d1", "won": "d2"} and store.episodes() == {"lost", "won"}
        store.take_back("won")
        assert store.played() == {"lost": "d1"} and store.get(1) is None
        store.clear()
        assert store.played() == {}
