"""What goes on while a plan is sought: the steps of other goals, and stops. It does not depend on who seeks how."""

import pytest

from coterie.core.errors import CoterieError
from coterie.episode.mission import Said, judged, resume, serve
from coterie.mission.coordinator import Coordinator
from coterie.mission.goals import Failure
from coterie.mission.planner import MissionPlanner
from coterie.mission.protocol import Mission
from coterie.mission.thought import Thought
from tests.mission.served import of
from tests.mission.talkers import Hospital

pytestmark = pytest.mark.usefixtures("quick")

TAKES_S = 30.0
FIRST, SECOND = "medkit at alpha", "feverkit at beta"
ENOUGH = Said(75.0, "teacher", "cancel g1")  # and that is the end of the tests below


def play(*said, **more):
    return serve("hospital", [FIRST], seed=7, script=[*said, ENOUGH], planning_s=TAKES_S, **more)


def acts(served, since, until):
    events = served.played.log.events
    return [e for e in events if e.kind == "act" and e.data["skill"] != "wait" and since <= e.t < until]


@pytest.fixture(scope="module")
def both(tmp_path_factory, quick):
    path = tmp_path_factory.mktemp("both") / "both.jsonl"
    return play(Said(35.0, "teacher", SECOND), Said(71.0, "teacher", "cancel g2"), log_path=path), path


def test_robots_go_on_with_one_goal_while_another_is_planned(both):
    served, _ = both
    first, second = of(served, "plan")
    asked = of(served, "goal")[1]["t"]
    assert (first["t"], second["t"]) == (TAKES_S, asked + TAKES_S)
    begun = acts(served, asked + 0.1, second["t"])
    assert len(begun) >= 3 and {e.who for e in begun} <= {"Fetch", "Temi", "Spot"}
    assert not acts(served, 0.0, TAKES_S), "nothing was planned before that"
    assert {e.data["why"].split(" (")[0] for e in begun} == {"a medkit"}
    assert not judged(served.played)


@pytest.mark.long
def test_it_does_not_matter_where_or_how_fast_a_plan_is_sought(both, tmp_path):
    play(
        Said(35.0, "teacher", SECOND), Said(71.0, "teacher", "cancel g2"), log_path=tmp_path / "apart.jsonl", apart=True
    )
    assert (tmp_path / "apart.jsonl").read_bytes() == both[1].read_bytes()


def test_a_mission_that_was_killed_while_it_planned_goes_on_the_same(both, tmp_path):
    whole = both[1].read_bytes()
    at = whole.index(b'"what":"goal","goal":"g2"') + 400  # robots are at work, and the second plan is not there
    (tmp_path / "cut.jsonl").write_bytes(whole[:at])
    resume(tmp_path / "cut.jsonl")
    assert (tmp_path / "cut.jsonl").read_bytes() == whole


def test_a_stop_does_not_wait_for_a_plan():
    """What robots do is cut short when somebody says it; the mission takes it in when it has its plan."""
    served = play(Said(35.0, "teacher", SECOND), Said(50.0, "visitor", "stop"))
    (said,) = [e for e in served.played.log.events if e.kind == "input" and e.who == "visitor"]
    (heard,) = of(served, "stop")
    assert heard["t"] == of(served, "goal")[1]["t"] + TAKES_S > said.t + 5
    assert acts(served, 0.0, said.t) and not acts(served, said.t, heard["t"] + 1.0)
    ends = [e for e in served.played.log.events if e.kind == "outcome" and e.t == said.t]
    assert "cancelled" in [e.data["status"] for e in ends if "wait" not in e.data["action"]]
    assert {g.state for g in served.mission.goals.all()} == {"paused", "cancelled"}


@pytest.mark.parametrize("text, stops, holds", [
    ("Right, stop.", True, True), ("oi, everybody stop it now!", True, True), ("Pause the medkit.", False, True),
    ("Cancel.", False, True), ("The bus stop is over there.", False, False),
])  # fmt: skip
def test_a_mission_that_people_talk_to_heeds_a_stop_in_any_words(text, stops, holds):
    mind = Mission()
    mind.coordinator = Hospital().mission
    mind._heed(mind.coordinator.at_once(text))
    assert (mind._stops, mind._holds) == (stops, holds)


def test_nothing_is_begun_for_a_goal_that_somebody_calls_off_meanwhile():
    served = play(Said(35.0, "teacher", SECOND), Said(50.0, "instructor", "cancel g1"))
    (said,) = [e for e in served.played.log.events if e.kind == "input" and e.data.get("text") == "cancel g1"][:1]
    changed = of(served, "changed")[0]
    assert changed["goal"] == "g1" and changed["t"] > said.t
    assert not acts(served, said.t, changed["t"])


def test_what_fails_meanwhile_is_not_built_upon(monkeypatch):
    """Steps of a goal of which something has failed do not begin before that was thought about, nor those that are
    known not to work."""
    looked, step = [], Coordinator.next_step

    def next_step(mission, robot, meanwhile=False):
        item = mission.agenda.ready(robot)
        if item is not None and not looked:
            mission._failures.append((item.goal, Failure("EXECUTION", None)))
            looked.append(step(mission, robot, True))
            mission._failures[-1] = ("another", Failure("EXECUTION", None))
            with monkeypatch.context() as patch:
                patch.setattr(mission, "now_only", lambda: Anywhere(Coordinator.now_only(mission), robot))
                looked.append(step(mission, robot, True))
            looked.append(step(mission, robot, True) is item)
            mission.agenda.put_back(item)
            mission._failures.pop()
        return step(mission, robot, meanwhile)

    monkeypatch.setattr(Coordinator, "next_step", next_step)
    play()
    assert looked == [None, None, True]


class Anywhere:
    """A moment at which a robot is not where it was."""

    def __init__(self, moment, robot):
        moment.suppose({("at", robot): "atF"})
        self.flaw = moment.flaw


def test_how_long_planning_takes_is_a_time():
    with pytest.raises(CoterieError, match="name a time from 0 s on"):
        serve("hospital", [FIRST], planning_s=-1.0)


def test_what_breaks_a_thought_is_raised_where_it_is_let_go_on():
    planner = MissionPlanner.__new__(MissionPlanner)
    planner._rest, planner.apart, planner.seek = None, False, lambda question: f"a plan for {question}"
    thought, got = Thought(lambda: got.append(planner.answer("A")) or 1 / 0, planner, planner), []
    assert not thought.go_on() and thought.ready and not got
    with pytest.raises(ZeroDivisionError):
        thought.go_on()
    assert got == ["a plan for A"]
