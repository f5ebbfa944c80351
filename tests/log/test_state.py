import pytest

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.log.fold import frames, state_at
from coterie.log.state import BEGINNING

CHANGES = [("cto@3", "Ma-MoMa-UAV"), ("irz@3", "Ma-MoMa-UAV"), ("anc@3:UAV", "Ma-MoMa"), ("rec@3", "Ma-MoMa-UAV")]


def test_there_is_a_state_before_the_first_step_and_one_after_every_step(log):
    events = log()
    states = frames(events)
    assert [s.step for s in states] == list(range(BEGINNING, events[-1].data["steps"]))
    assert states[0].partial == 0 and all(r.act is None for r in states[0].robots.values())
    assert states[-1].end.data() == events[-1].data and states[-1].done


@pytest.mark.parametrize("change, team", CHANGES)
def test_folded_poses_are_what_the_robots_see_of_themselves(log, change, team):
    events = log(changes=(change,), team=team, protocol="rules")
    states = {s.step: s for s in frames(events)}
    compared = 0
    for event in events:
        for fact in event.data.get("facts", ()) if event.kind == "see" else ():
            if fact[0] in ("pose", "holding", "at") and fact[1] == [event.who] and event.step > 0:
                robot = states[event.step - 1].robots.get(event.who)
                if robot is None:
                    continue  # a newcomer
                folded = getattr(robot, fact[0])
                assert (list(folded) if fact[0] == "pose" else folded) == fact[2]
                compared += 1
    assert compared > 10


def test_a_new_goal_is_told_in_words(log):
    events = log(changes=("cto@3",))
    before, after = state_at(events, 2), state_at(events, 3)
    assert before.goal_text == events[0].data["goal_text"] != after.goal_text
    assert after.changes[-1] == (3, f"The goal changes: {after.goal_text}")
    assert after.targets != before.targets


def test_zones_close(log):
    state = state_at(log(changes=("irz@3",)), 3)
    assert any(state.closed.values())
    assert "closed" in state.changes[-1][1]


def test_a_newcomer_has_a_pose_and_one_who_leaves_is_remembered(log):
    joined = state_at(log(changes=("anc@3:UAV",), team="Ma-MoMa"), 3)
    assert joined.robots["Lucy"].pose is not None and joined.robots["Lucy"].body == "UAV"
    left = state_at(log(changes=("rec@3",)), 4)
    assert [r.left for r in left.robots.values() if not r.online] == [3]


def test_a_log_without_its_end_has_the_states_that_it_tells(log):
    events = log()
    cut = [e for e in events if e.step < 3]
    assert [s.step for s in frames(cut)] == [-1, 0, 1, 2]
    assert state_at(cut).end is None
    assert [s.step for s in frames(events[:1])] == [BEGINNING]


@pytest.mark.parametrize("step", [-1, 500])
def test_a_step_that_is_not_there_is_a_sentence(log, step):
    with pytest.raises(CoterieError, match=rf"no step {step}: the log has steps 0 to"):
        state_at(log(), step)


def test_a_step_of_an_empty_log_is_a_sentence(log):
    with pytest.raises(CoterieError, match="ends before the first step"):
        state_at(log()[:1], 0)


@pytest.mark.parametrize("data", [{}, {"config": {}}, {"config": None}, {"config": {"task": "x"}, "robots": 3}])
def test_a_foreign_first_line_is_a_sentence(data):
    with pytest.raises(CoterieError, match=r"Line 1 of the log \("):
        frames([Event(0, 0, 0.0, "start", "", data)])


def test_events_of_kinds_yet_to_come_are_no_trouble(log):
    events = log()
    assert frames([events[0], Event(1, 0, 0.0, "applause", "all", {})])[-1].step == 0


def test_asynchronous_episodes_have_a_state_for_every_step(log):
    events = log(synchronous=False, protocol="rules")
    for step in range(frames(events)[-1].step + 1):
        assert state_at(events, step).step <= step


def test_stops_tell_what_was_done_where(log):
    state = state_at(log())
    deeds = [d for r in state.robots.values() for stop in r.stops for d in stop.deeds]
    assert {f"place {name}" for name in state.targets} <= set(deeds)
