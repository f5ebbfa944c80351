"""Several goals at once: which comes first, which makes way, and what each counts on."""

import pytest

from coterie.episode.mission import Said, judged, serve
from coterie.mission.coordinator import Coordinator
from coterie.mission.planner import MissionPlanner
from coterie.mission.reports import MISSION
from coterie.planning.answer import Limits
from coterie.worlds.hospital.bodies import SPOT
from coterie.worlds.hospital.domain import HospitalDomain, experience
from tests.mission.served import MEDKIT, acts, coming, of
from tests.mission.talkers import Hospital

pytestmark = pytest.mark.usefixtures("quick")


def test_other_goals_go_on_while_a_recovery_waits_for_approval():
    served = serve("hospital", [*MEDKIT, "feverkit at beta"], seed=7, faults=["missing:bandagebox"], answers="yes")
    assert served.success and judged(served.played) == []
    failed, approved = of(served, "failure")[0]["t"], of(served, "approved")[0]["t"]
    meanwhile = [a for a in acts(served) if failed <= a[0] < approved]
    names = {e.seq: e.data.get("why", "") for e in served.played.log.events if e.kind == "act"}
    assert meanwhile, "the other goal went on"
    during = [e for e in served.played.log.events if e.kind == "act" and failed <= e.t < approved]
    assert all("feverkit" in names[e.seq] for e in during if e.data["skill"] != "wait")


@pytest.mark.long
def test_a_goal_that_counted_on_steps_of_another_goes_on_without_them_and_without_a_yes():
    """Nobody answers. The kit for beta was to go through the door that jams, opened for the other one."""
    goals = [*MEDKIT, "feverkit at beta"]
    served = serve("hospital", goals, seed=9, level="drawn", faults=["door"], noise="real")
    assert [n["goal"] for n in of(served, "replanned")] == ["g2"]
    assert {n["goal"] for n in of(served, "proposal")} == {"g1"}
    assert [n["goal"] for n in of(served, "done")] == ["g2"]
    assert [(n["goal"], n["because"]) for n in of(served, "failed")] == [("g1", ["jammed(alphadoor)"])]


@pytest.mark.long
def test_what_one_goal_brings_may_be_taken_for_another_as_soon_as_it_is_reached(monkeypatch):
    """Two things go wrong at once: a painkiller is fetched, and while it is under way the door is opened for the kit
    that needs it. Neither plan breaks the other for ever."""
    monkeypatch.setattr(MissionPlanner, "usual", Limits(states=20_000))  # the plans and times that come to this
    monkeypatch.setattr(HospitalDomain, "experience", lambda self, card: experience(card.body, "real"))
    faults = ["missing", "door"]
    served = serve("hospital", ["feverkit at gamma"], seed=70491, level="drawn", faults=faults, answers="yes")
    assert served.success
    assert {n["policy"] for n in of(served, "recovery")} == {"make true", "ask"}


def test_the_more_urgent_goal_is_done_first():
    said = [Said(40, "instructor", "feverkit at beta at once")]
    served = serve("hospital", MEDKIT, seed=1, script=said)
    ends = {n["goal"]: n["t"] for n in of(served, "done")}
    assert served.success and ends["g2"] < ends["g1"]


def while_more_urgent(*said, come=()):
    """Painkillers are brought when a kit becomes more urgent that needs the last of them; Spot is gone, who alone could
    ask for more. What comes later is by the tenth second or so."""
    said = [
        Said(10, "instructor", "medkit at beta at once"),
        *said,
        *(Said(45, "teacher", f"cancel {g}") for g in ("g1", "g2")),
    ]
    changes = coming((1, "leave", {"robot": "Spot"}), *come)
    served = serve("hospital", ["2 painkillers on table C"], seed=7, script=said, **changes)
    assert [(n["goal"], n["by"]) for n in of(served, "preempted")] == [("g1", "g2")]
    assert [(n["goal"], n["by"]) for n in of(served, "blocked")] == [("g1", ["g2"])], "said once"
    return served


def test_a_goal_that_made_way_is_taken_up_as_soon_as_a_robot_comes_that_can_serve_it():
    rex = (30, "join", {"robot": "Rex", "card": SPOT})
    served = while_more_urgent(come=[rex])
    (again,), come = of(served, "resumed"), next(n["t"] for n in of(served, "joined") if n["robot"] == "Rex")
    assert (again["goal"], again["after"], again["t"]) == ("g1", "g2", come)
    assert "g2" not in [n["goal"] for n in of(served, "done")], "the more urgent one goes on meanwhile"
    assert [a for a in acts(served) if a[1] == "Rex" and a[0] < come + 30], "and the newcomer works"


def test_a_goal_that_made_way_is_taken_up_as_soon_as_something_new_is_known():
    served = while_more_urgent(Said(30, "instructor", "there are 2 painkillers on table F"))
    heard = next(n["t"] for n in of(served, "heard") if "table F" in n["text"])
    assert [(n["goal"], n["t"]) for n in of(served, "resumed")] == [("g1", heard)]


def test_a_goal_that_made_way_waits_as_long_as_nothing_changes():
    served = while_more_urgent()
    assert not of(served, "resumed") and len(served.mission.goals["g1"].attempts) == 1
    assert served.mission.planner.asked < 10, "nobody looks for a plan again and again"


@pytest.mark.long
def test_what_mends_an_urgent_goal_is_done_before_less_urgent_ones():
    """It fails while the other one goes on; after a yes it is the more urgent one that robots work for."""
    goals, said = ["feverkit at beta"], [Said(5, "instructor", "medkit at alpha at once")]
    served = serve("hospital", goals, seed=7, faults=["missing:bandagebox"], answers="yes", script=said)
    ends = {n["goal"]: n["t"] for n in of(served, "done")}
    yes = of(served, "approved")[0]["t"]
    assert served.success and judged(served.played) == []
    assert [(n["goal"], n["by"]) for n in of(served, "preempted") if n["t"] == yes] == [("g1", "g2")]
    assert ends["g2"] < ends["g1"]


def test_a_goal_may_be_urgent_from_the_beginning():
    said = [Said(1, "teacher", "cancel g1"), Said(1, "teacher", "cancel g2")]
    served = serve("hospital", ["feverkit at beta", "medkit at alpha at once"], seed=1, script=said)
    assert [g.priority for g in served.mission.goals.all()] == [0, 10]


def test_a_kit_is_changed_while_something_else_is_mended():
    """What mends a goal is a goal that nobody has put into words: it is no kit that could be changed."""
    mission = Hospital().mission
    goal = mission.submit(mission.domain.read("medkit at alpha"), "teacher")
    mends = mission.goals.submit(goal.what, MISSION, "see to it", 0, goal.id)
    assert mission.wanted_of(mends).wish is None
    Coordinator.hear(mission, "teacher", "change medkit to 1 bandage box")
    assert "1 bandage box" in mission.name_of(goal) and mission.goals[mends.id].state == "cancelled"


def test_a_cancelled_goal_leaves_the_others():
    said = [Said(60, "instructor", "cancel g1")]
    served = serve("hospital", [*MEDKIT, "feverkit at beta"], seed=1, script=said)
    assert served.success and [n["goal"] for n in of(served, "done")] == ["g2"]
    assert served.mission.goals["g1"].state == "cancelled"
