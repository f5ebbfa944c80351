"""Less than whole tasks: what of an episode is kept, how a way through states is found, and what becomes of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.action import Action, Outcome
from coterie.core.event import Event
from coterie.core.facts import Belief
from coterie.core.protocol import RobotView, TeamView
from coterie.memo import Act, MemoSettings, Round, Situation, Store, transitions_of
from coterie.memo.before.offers import PATIENCE, Offers, tried
from coterie.memo.file.transitions import DOUBTS, TASK
from coterie.memo.transitions import ASIDE, DONE, WHOLE, Edge, achieved, straight, way
from tests.memo.made import pack
from tests.memo.quick import acts, episode, notes

CASE = pack()


def situation(whole: str) -> Situation:
    """`"apple:table milk:bin"`"""
    return Situation(whole, dict(part.split(":") for part in whole.split()))


def went(before: str, after: str, act: str, partial: float, had: float = 0.0) -> Round:
    robot, skill, *args = act.split()
    step = {robot: Act(skill, tuple(args))}
    return Round(situation(before), after, CASE, step, had, partial, {} if after == DONE else situation(after).things)


A, B, C = "apple:table milk:table", "apple:hand milk:table", "apple:bin milk:table"


def test_states_that_come_again_leave_no_detour():
    assert straight("abcde", "12314") == ["d", "e"]
    assert straight("abc", "123") == ["a", "b", "c"]


@given(st.lists(st.sampled_from("pqrst"), max_size=12))
def test_a_straightened_way_visits_no_state_twice_and_ends_where_it_ended(states):
    kept = straight(list(enumerate(states)), states)
    at = [s for _, s in kept]
    assert len(set(at)) == len(at)
    assert not states or at[-1] == states[-1]
    assert [n for n, _ in kept] == sorted(n for n, _ in kept)


def test_of_a_success_all_is_kept_and_detours_are_marked():
    rounds = [went(A, B, "Alice PICK apple", 0), went(B, A, "Alice PUT apple", 0), went(A, C, "Alice TOSS apple", 0.5)]
    transitions = transitions_of(rounds, True, "one")
    whole = [d for d in transitions if d.thing == WHOLE]
    assert [(d.round, d.number) for d in whole] == [(0, ASIDE), (1, ASIDE), (2, 0)]
    (single,) = [d for d in transitions if d.thing]
    assert (single.thing, single.state, single.words(), single.won) == ("apple", "table", "Alice TOSS apple", True)


def test_of_a_failure_the_beginning_up_to_its_best_is_good():
    rounds = [went(A, B, "Alice PICK apple", 0), went(B, C, "Alice PUT apple", 0.5), went(C, C, "Bob PICK milk", 0.5)]
    transitions = transitions_of(rounds, False, "one")
    assert [d.number for d in transitions if d.thing == WHOLE] == [0, 1, ASIDE]
    assert {d.thing for d in transitions if d.thing} == {"apple"}
    nothing = transitions_of([went(A, B, "Alice PICK apple", 0)], False, "two")
    assert [d.number for d in nothing] == [ASIDE]


def test_of_a_failure_nothing_is_kept_of_things_that_stayed_as_they_were():
    rounds = [
        went(A, A + " ", "Bob MOVE milk", 0),
        went(A + " ", B, "Alice PICK apple", 0),
        went(B, C, "Alice PUT apple", 0.5),
        went(C, C, "Bob MOVE milk", 0.5),
    ]
    assert {d.thing for d in transitions_of(rounds, False, "one") if d.thing} == {"apple"}
    assert {d.thing for d in transitions_of(rounds, True, "one") if d.thing} == {"apple", "milk"}
    assert {d.thing for d in transitions_of(rounds[:3], False, "one") if d.thing} == {"apple"}  # as it was
    assert "milk" in {d.thing for d in transitions_of(rounds[:1], True, "one")}


def test_of_a_failure_nothing_is_kept_that_was_done_to_a_thing_when_it_was_as_it_stayed():
    both = "apple:bin milk:hand"
    rounds = [
        went(A, C, "Alice TOSS apple", 0.1),
        went(C, C + " ", "Alice MOVE apple", 0.1),
        went(C + " ", both, "Bob PICK milk", 0.5),
        went(both, both, "Bob WAIT", 0.5),
    ]
    kept = [(d.thing, d.words()) for d in transitions_of(rounds, False, "one") if d.thing]
    assert kept == [("apple", "Alice TOSS apple"), ("milk", "Bob PICK milk")]


@pytest.mark.parametrize("known", [C, DONE])  # one that ended its episode: nobody saw to which state it led
def test_what_a_robot_did_since_is_not_undone(known):
    """An apple was packed and then fetched out again: to pack it is not offered before somebody has done so. One that
    only slipped out of the bin may be packed again."""
    pack = transitions_of([went(A, known, "Alice TOSS apple", 1.0)], True, "one")
    *_, single = pack
    offers = Offers(MemoSettings())

    def seen(state: str, *did: str) -> list[bool]:
        """What is undone by the round and by what it did to the apple, once this has led there."""
        done = Outcome("Alice", Action(did[0], did[1:]), "done", "") if did else None
        alice = RobotView("Alice", None, Belief("Alice"), lambda *a: None, outcome=done)
        offers.see(situation(state), TeamView({"Alice": alice}, 0, 0.0))
        return [offers._undoes(d) for d in (pack[0], single)]

    assert seen(A) == seen(C, "TOSS", "apple") == seen(A) == seen(C, "TOSS", "apple") == [False, False]
    assert seen(A, "FETCH", "apple") == [True, True]


def test_things_that_are_no_longer_as_they_were_count_a_little():
    first = situation(A)
    assert achieved(0.25, first, first) == 0.25 < achieved(0.25, first, situation(B)) < 0.26
    assert achieved(0.25, first, Situation("", {"apple": "table | Alice", "milk": "table"})) == 0.25


def test_a_way_is_put_together_from_several_episodes():
    edges = [Edge(1, "a", "b", 0, 0), Edge(2, "b", "c", 0, 0), Edge(3, "b", DONE, 0, 1.0), Edge(4, "a", "d", 0, 0.5)]
    assert way(edges, "a")[0] == [1]  # over b to the goal, rather than to what is half as good
    assert way(edges, "b")[0] == [3]
    assert way(edges, "c")[0] == way(edges, "nowhere")[0] == []
    assert way(edges[:2], "a")[0] == []  # nothing is gained there


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.sampled_from([0.0, 0.5, 1.0])), max_size=14)
)
def test_a_way_begins_where_one_is_and_leads_to_the_best_there_is(drawn):
    worth: dict[str, float] = {}
    for _, after, partial in drawn:
        worth[after] = max(worth.get(after, 0.0), partial)
    edges = [Edge(n, s, a, worth.get(s, 0.0), p) for n, (s, a, p) in enumerate(drawn)]
    reached, ring = {"a"}, ["a"]
    while ring:
        ring = [e.after for here in ring for e in edges if e.state == here and e.after not in reached]
        reached |= set(ring)
    best = max(worth.get(s, 0.0) for s in reached)
    keys = way(edges, "a")[0]
    assert all(edges[k].state == "a" for k in keys)
    assert bool(keys) == (best > worth.get("a", 0.0))


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "memo.sqlite") as made:
        yield made


def test_deeds_are_found_by_their_state_and_forgotten_with_their_episode(store):
    rounds = [went(A, B, "Alice PICK apple", 0), went(B, DONE, "Alice PUT apple", 1.0)]
    assert store.onward(CASE, A) == [] and store.doubted() == set()
    store.keep_transitions("one", transitions_of(rounds, True, "one"))
    (first,) = store.onward(CASE, A)
    assert (first.words(), first.after, first.won, first.case) == ("Alice PICK apple", B, True, CASE)
    assert store.onward(CASE, A, but=("one",)) == []
    assert [d.words() for d in store.transitions(CASE, "apple", "hand")] == ["Alice PUT apple"]
    assert "one" in store.episodes()
    store.take_back("one")
    assert store.onward(CASE, A) == [] and store.episodes() == set()


def test_what_was_done_to_a_thing_serves_another_goal_but_a_round_does_not(store):
    store.keep_transitions("one", transitions_of([went(A, DONE, "Alice PUT apple", 1.0)], True, "one"))
    other = type(CASE)(**{**CASE.__dict__, "content": "Pack the apple alone."})
    assert store.onward(other, A) == []
    assert len(store.transitions(other, "apple", "table")) == 1


def test_what_fails_again_and_again_is_no_longer_offered(store):
    store.keep_transitions("one", transitions_of([went(A, DONE, "Alice PUT apple", 1.0)], True, "one"))
    for n in range(DOUBTS):
        assert store.onward(CASE, A)
        store.keep_transitions(f"later {n}", [], [("one", 0, WHOLE, False), ("one", TASK, WHOLE, False)])
    assert store.onward(CASE, A) == [] and store.doubted() == {"one"}
    store.take_back("later 0")
    assert store.onward(CASE, A) and store.doubted() == set()


def test_what_failed_is_not_offered_in_the_name_of_another_failed_episode(store):
    """Each episode that is led astray leaves the same transition once more; one that was won speaks for itself."""
    rounds = [went(A, B, "Alice PICK apple", 0.001)]
    for name in ("one", "two"):
        store.keep_transitions(name, transitions_of(rounds, False, name))
    store.keep_transitions("three", [], [("one", 0, WHOLE, False), ("one", 0, "apple", False)])
    store.keep_transitions("four", [], [("two", 0, WHOLE, False), ("two", 0, "apple", False)])
    assert store.onward(CASE, A) == [] and store.transitions(CASE, "apple", "table") == []
    won = [*rounds, went(B, DONE, "Alice PUT apple", 1.0)]
    store.keep_transitions("five", transitions_of(won, True, "five"))
    assert [d.episode for d in store.transitions(CASE, "apple", "table")] == ["five"]


@pytest.mark.parametrize(
    ("later", "won", "good"),
    [
        ([B] * PATIENCE, False, False),  # nobody got anything done
        ([B] * PATIENCE, True, True),
        ([B] * PATIENCE + [C], False, True),
        ([B] * (PATIENCE - 1), False, True),  # too few rounds were left to say
        ([], False, True),
    ],
)
def test_what_was_used_last_must_not_lead_into_a_dead_end(later, won, good):
    asked = {step: (situation(state), CASE) for step, state in enumerate([A, A, *later])}
    used = [Event(0, step, 0.0, "memo", "", {"deed": [["one", step, WHOLE, ""]]}) for step in (0, 1)]
    assert tried(used, asked, won) == [("one", 0, WHOLE, True), ("one", 1, WHOLE, good)]


def test_clearing_one_task_leaves_the_deeds_of_others(store):
    cubes = pack(task="sort-cubes")
    for case, name in ((CASE, "one"), (cubes, "two")):
        store.keep_transitions(
            name, transitions_of([went(A, DONE, "Alice PUT apple", 1.0)._replace(case=case)], True, name)
        )
    store.clear("pack-grocery")
    assert not store.onward(CASE, A) and store.onward(cubes, A)
    store.clear()
    assert not store.onward(cubes, A)


@pytest.mark.parametrize("reuse", ["transitions", "prefixes"])
def test_a_round_of_an_episode_that_failed_is_used_again_and_the_rest_is_left_to_others(file, quick, reuse):
    """The first episode gets one cube home and then nothing more passes; the second one knows how that was done."""
    quick.words = staticmethod(lambda joint, number: "too late" if number >= 2 else "")
    first = episode(file, 10_000, f"memo:reuse={reuse}", protocol="central-plan")
    assert not first.result.success and not acts(first.log.events, "remembered")
    quick.words = staticmethod(lambda joint, number: "")
    second = episode(file, 10_001, f"memo:reuse={reuse}", protocol="central-plan")
    again = acts(second.log.events, "remembered")
    assert second.result.success and {step for step, *_ in again} == {0, 1}
    mine = [a for a in acts(first.log.events) if a[0] < 2 and not a[2].startswith("wait")]
    assert [a for a in again if not a[2].startswith("wait")] == mine
    used = [n["deed"] for n in notes(second) if "deed" in n]
    assert [row[0][1] for row in used] == [0, 1]


@pytest.mark.parametrize("reuse", ["prefixes", "things"])
def test_a_dead_end_is_gone_into_a_few_times_and_no_more(file, quick, reuse):
    """After two rounds nothing passes any more, whoever decided them: the memo stops leading there."""
    quick.words = staticmethod(lambda joint, number: "too late" if number >= 2 else "")
    led = []
    for seed in range(10_000, 10_002 + 2 * DOUBTS):
        played = episode(file, seed, f"memo:reuse={reuse}", protocol="central-plan")
        led.append({step for step, *_ in acts(played.log.events, "remembered")})
    assert 1 in led[1] and 1 not in led[-1]


def test_what_was_done_to_single_things_is_put_together(file, quick):
    path, joined = file, []
    for seed in range(10_000, 11_200, 100):  # streams of their own: few of their tasks are similar
        played = episode(path, seed, "memo:reuse=things", protocol="central-plan")
        assert played.result.success
        joined += [(played, n["deed"]) for n in notes(played) if len(n.get("deed", ())) > 1]
    for played, rows in joined:
        assert len({thing for _, _, thing, _ in rows}) == len(rows)
        assert acts(played.log.events, "remembered")
    assert joined


def test_whole_tasks_alone_ask_for_nothing_more(file, quick):
    played = episode(file, 10_000, "memo:reuse=tasks", protocol="central-plan")
    assert all(
        '"deeds"' not in e.data["prompt"][0][1] for e in played.log.events if e.kind == "ask" and e.who == "memo"
    )
    with Store(file) as kept:
        assert kept.doubted() == set() and kept.transitions(CASE, "", "") == []
