"""A beginning that was followed in vain gives way now and then, so that a planner may find a better one."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.event import Event
from coterie.memo import Store, transitions_of
from coterie.memo.before import offers
from coterie.memo.before.offers import ALONE, ANEW, OVER, ROUNDS, Anew, followed, trusted
from coterie.memo.file.transitions import IN_VAIN
from coterie.memo.transitions import WHOLE
from tests.memo.quick import acts, episode, notes
from tests.memo.test_transitions import CASE, A, B, C, situation, went

MOVE, PICK = went(A, A + " ", "Alice MOVE apple", 0.0), went(A + " ", B, "Alice PICK apple", 0.5)
NAMES = [f"pack/{n}" for n in range(400)]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "memo.sqlite") as made:
        made.keep_transitions("one", transitions_of([MOVE, PICK], False, "one"))
        yield made


def follow(store: Store, *ends: bool, whose: str = "one", since: int = 0) -> None:
    """Episodes that followed both rounds, and how they ended."""
    for n, good in enumerate(ends, since):
        store.keep_transitions(f"later {n}", [], [], [(whose, number, WHOLE, good) for number in (0, 1)])


@pytest.mark.parametrize(
    ("ends", "vain"),
    [
        ((), False),
        ((False,) * (IN_VAIN - 1), False),
        ((False,) * IN_VAIN, True),
        ((False,) * 9 + (True,), False),  # once is enough to be trusted again
        ((True,) * 9 + (False,) * IN_VAIN, True),
        ((False, True) * 5, False),
    ],
)
def test_what_the_last_episodes_followed_in_vain_is_known(store, ends, vain):
    (move,) = store.onward(CASE, A)
    follow(store, *ends)
    assert store.in_vain(CASE, move) == vain
    if vain:
        assert not store.in_vain(CASE, move._replace(state=B)) and not store.in_vain(CASE, move._replace(thing="apple"))
        assert not store.in_vain(CASE, move, but=f"later {len(ends) - 1}") or len(ends) > IN_VAIN
        store.take_back(f"later {len(ends) - 1}")
        assert not store.in_vain(CASE, move)


def test_the_same_done_by_another_failed_episode_counts(store):
    store.keep_transitions("two", transitions_of([MOVE, PICK], False, "two"))
    follow(store, False)
    follow(store, False, whose="two", since=1)
    assert all(store.in_vain(CASE, d) for d in store.onward(CASE, A))


def test_another_way_from_the_same_state_is_trusted(store):
    follow(store, *[False] * IN_VAIN)
    store.keep_transitions("two", transitions_of([went(A, B, "Alice PICK apple", 0.5)], False, "two"))
    (short,) = store.onward(CASE, A)
    assert short.words() == "Alice PICK apple" and short.left == 0 and not store.in_vain(CASE, short)


def test_a_round_knows_how_many_are_left_on_its_way(store):
    assert [d.left for d in store.onward(CASE, A)] == [1] and [d.left for d in store.onward(CASE, A + " ")] == [0]


def test_what_was_followed_in_vain_gives_way_in_some_episodes_and_always_in_the_same(store):
    transitions = store.onward(CASE, A)
    assert all(trusted(store, transitions, CASE, name, 0) == transitions for name in NAMES)
    follow(store, *[False] * IN_VAIN)
    gone = [name for name in NAMES if not trusted(store, transitions, CASE, name, 0)]
    assert 0.15 < len(gone) / len(NAMES) < 0.35  # half of them, in one of two rounds
    assert gone == [name for name in NAMES if not trusted(store, transitions, CASE, name, 0)]
    follow(store, True, since=IN_VAIN)
    assert all(trusted(store, transitions, CASE, name, 0) == transitions for name in NAMES)


def test_each_round_of_a_way_is_as_likely_to_be_left_out():
    ways = [next((step for step in range(4) if offers._draws(name, step, 4 - step)), None) for name in NAMES]
    counts = [ways.count(step) for step in range(4)]
    assert ways.count(None) == pytest.approx(len(NAMES) / 2, abs=50)
    assert all(count == pytest.approx(len(NAMES) / 8, abs=25) for count in counts)


def test_a_round_that_gained_something_is_not_to_blame(store):
    follow(store, *[False] * IN_VAIN)
    (pick,) = store.onward(CASE, A + " ")
    assert store.in_vain(CASE, pick) and pick.partial > pick.had
    assert all(trusted(store, [pick], CASE, name, 1) for name in NAMES)


def test_what_else_is_known_is_done_instead(store, monkeypatch):
    monkeypatch.setattr(offers, "LOYAL", 0.0)
    follow(store, *[False] * IN_VAIN)
    rounds, (single,) = store.onward(CASE, A), store.transitions(CASE, "apple", "table")[:1]
    kept = [trusted(store, [*rounds, single], CASE, name, 0) for name in NAMES]
    assert {len(k) for k in kept} == {1, 2} and all(k[-1] is single for k in kept)


@pytest.mark.parametrize(
    ("partials", "last", "won", "good"),
    [
        ((0.0, 0.5, 0.5), 1, False, False),  # as far as it was led
        ((0.0, 0.5, 0.75), 1, False, True),
        ((0.0, 0.5, 0.5), 1, True, True),
        ((0.5, 0.0, 0.5), 1, False, False),  # only back to where it had been
        ((0.0, 0.5, 0.75), 2, False, False),
    ],
)
def test_following_was_worth_it_if_it_was_won_or_led_farther(partials, last, won, good):
    used = [Event(0, step, 0.0, "memo", "", {"deed": [["one", step, WHOLE, ""]]}) for step in range(last + 1)]
    rounds = [(n, went(A, B, "Alice PICK apple", p)) for n, p in enumerate(partials)]
    assert followed(used, rounds, won) == [("one", step, WHOLE, good) for step in range(last + 1)]
    assert followed([], rounds, won) == []


@given(st.lists(st.sampled_from([A, B, C]), min_size=1, max_size=8))
def test_a_planner_is_left_alone_until_a_thing_is_no_longer_as_it_was(states):
    mind = Anew()
    assert mind.told(situation(A)) == {}
    mind.begin(situation(A))
    told = [mind.told(situation(state))[ANEW] for state in states]
    alone = next((n for n, s in enumerate(states) if s != A), len(states))
    alone = min(alone, ROUNDS - 1)  # it was alone in the round in which it began, too
    assert told == [ALONE] * alone + [OVER] * (len(states) - alone)


def test_clearing_a_task_forgets_that_it_was_followed(store):
    (move,) = store.onward(CASE, A)
    follow(store, *[False] * IN_VAIN)
    store.clear("pack-grocery")
    assert not store.in_vain(CASE, move) and store.onward(CASE, A) == []


@pytest.mark.parametrize("reuse", ["prefixes", "transitions", "things"])
def test_a_planner_begins_anew_where_nothing_is_trusted_and_the_memo_goes_on(file, quick, monkeypatch, reuse):
    quick.words = staticmethod(lambda joint, number: "too late" if number >= 2 else "")
    episode(file, 10_000, f"memo:reuse={reuse}", protocol="central-plan")
    quick.words = staticmethod(lambda joint, number: "")
    monkeypatch.setattr(offers, "trusted", lambda store, transitions, case, name, step: [])
    second = episode(file, 10_001, f"memo:reuse={reuse}", protocol="central-plan")
    assert [n.get(ANEW) for n in notes(second)].count(True) == 1
    again = {step for step, *_ in acts(second.log.events, "remembered")}
    assert second.result.success and again == (set() if reuse == "prefixes" else {1})


def test_episodes_note_what_they_followed(file, quick):
    quick.words = staticmethod(lambda joint, number: "too late" if number >= 2 else "")
    for seed in (10_000, 10_001):
        episode(file, seed, "memo:reuse=transitions", protocol="central-plan")
    with sqlite3.connect(file) as db:
        rows = db.execute("SELECT round, thing, good FROM followed ORDER BY id").fetchall()
    assert rows == [(0, WHOLE, 0), (1, WHOLE, 0)]
