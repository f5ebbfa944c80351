"""One fold for all readers: states and moments agree, in every world, and nothing odd does harm."""

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import Event, from_line, to_line
from coterie.episode.play import play
from coterie.log import fold
from coterie.log.fold import frames, moments, opened, state_at, states
from coterie.log.state import Act
from tests.bench.made import Made, held
from tests.memo.quick import quick  # noqa: F401


def played(**config):
    return [from_line(to_line(e)) for e in play(Config(**config)).log.events]


@pytest.mark.parametrize("change, team", [("cto@3", "Ma-MoMa-UAV"), ("anc@3:UAV", "Ma-MoMa"), ("rec@3", "Ma-MoMa-UAV")])
def test_a_moment_holds_the_state_before_its_step_and_frames_the_one_after(change, team):
    events = played(protocol="rules", seed=4, changes=(change,), team=team)
    after = {s.step: s for s in frames(events)}
    state, compared = opened(events), 0
    for moment in moments(state, events):
        before = after[moment.step - 1]
        assert (state.where, state.inside) == (before.where, before.inside)
        for name, robot in before.robots.items():
            if state.robots[name].online:
                assert (state.held(name), state.robots[name].visited) == (robot.holding, robot.visited)
                compared += 1
        assert all(act.status for act in moment.acts), "what became of it is known"
        assert [a.robot for a in moment.acts] == [e.who for e in events if e.kind == "act" and e.step == moment.step]
    assert compared > 20
    last = after[max(after)]
    assert (state.true, state.goal, state.done) == (last.true, last.goal, last.done)


def test_frames_stay_as_they_were_and_states_go_on():
    events = played(protocol="rules", seed=4)
    kept = frames(events)
    assert len({id(s) for s in states(events)}) == 1
    told = [(s.step, dict(s.true), [r.act.skill for r in s.robots.values() if r.act]) for s in states(events)]
    assert told == [(s.step, s.true, [r.act.skill for r in s.robots.values() if r.act]) for s in kept]
    for step in (0, kept[-1].step // 2, kept[-1].step):
        assert state_at(events, step).true == next(s for s in kept if s.step == step).true


def test_who_knows_what():
    events = played(protocol="rules", seed=4)
    state = opened(events)
    seen = {name: {} for name in state.robots}
    for event in events[1:]:
        fold.apply(state, event)
        for pred, args, value, _ in event.data["facts"] if event.kind == "see" else ():
            seen[event.who][(pred, *args)] = value
    for name, robot in state.robots.items():
        assert robot.believes == seen[name] != {}
        places = {key[1]: v for key, v in seen[name].items() if key[0] == "where" and v != "?"}
        assert robot.known == places == state.knows(name)


def test_the_yard_is_folded_too():
    events = played(task="yard-tidy", seed=2)
    state = opened(events)
    acts = [a for moment in moments(state, events) for a in moment.acts]
    assert acts and state.end.success
    homes = dict(map(tuple, state.goal["homes"]))
    assert {thing: state.where[thing] for thing in homes} == homes


def test_the_table_is_folded_too(quick):  # noqa: F811
    events = played(task="sort-cubes", protocol="task-expert")
    state = opened(events)
    acts = [a for moment in moments(state, events) for a in moment.acts]
    assert acts and state.end.success and set(state.robots) == set(events[0].data["robots"])
    facts = {f[0] for e in events if e.kind == "truth" for f in e.data["facts"]}
    assert facts <= {key[0] for key in state.true}, "every predicate of the world is in the store"


ODD = {"kind": "dance", "targets": ["hat_0"], "tempo": 3}


def test_a_goal_of_an_unknown_kind_and_facts_of_an_unknown_shape_do_no_harm():
    events = played(protocol="rules", seed=4)
    events[0] = events[0]._replace(data={**events[0].data, "goal": ODD})
    seq = len(events)
    events.insert(-1, Event(seq, events[-1].step, 0.0, "change", "us", {"kind": "goal", "goal": {"kind": "sing"}}))
    events.insert(
        -1, Event(seq, events[-1].step, 0.0, "truth", "", {"facts": [["where", ["hat_0"], [1, 2]], ["sun", [], 1]]})
    )
    state = opened(events)
    assert state.targets == ("hat_0",) and not state.right("hat_0") and state.missing() == ["hat_0"]
    for _ in moments(state, events):
        pass
    assert state.true[("where", "hat_0")] == [1, 2] and state.true[("sun",)] == 1 and state.targets == ()
    assert state_at(events).goal_text == '{"kind": "sing"}'


def test_a_damaged_line_is_named_by_whoever_reads():
    events = played(protocol="rules", seed=4)
    at = next(i for i, e in enumerate(events) if e.kind == "outcome")
    events[at] = events[at]._replace(data={})
    for reader in (frames, lambda ev: list(moments(opened(ev), ev))):
        with pytest.raises(CoterieError, match=r"Line \d+ of the log \('(outcome|act)'\) is damaged"):
            reader(events)
    with pytest.raises(CoterieError, match="its first line is missing"):
        opened(events[1:])
    with pytest.raises(CoterieError, match="its first line is missing"):
        frames([])


def test_what_went_and_what_was_done_is_read_from_the_truth_not_from_names_of_skills():
    """A world of one's own calls its skills as it likes."""
    made = Made().step([("at", "Alice", "shelf")], Alice=("roll", "shelf", "stand_pose_0"))
    made.step(held("Alice", "book_0"), Alice=("grasp", "book_0"))
    made.step([("pose", "Alice", (0.1, 0.2))], Alice=("nudge", 0.1, 0.2))
    events = made.step(Alice=("wait",)).events()
    state = opened(events)
    assert len(list(moments(state, events))) == 4
    assert state.robots["Alice"].visited == {"shelf"}
    assert [(s.place, s.deeds) for s in state.robots["Alice"].stops] == [("shelf", ("grasp book_0",))]
    assert Act("Alice", 0, "move", ("cube", "bin")).on == "cube" and Act("Alice", 0, "nudge", (0.1, 0.2)).on == ""
