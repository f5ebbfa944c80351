"""Robots that join or return while plans run: they are used where that is clearly shorter, and upset nobody else."""

import pytest

from coterie.episode.mission import Said, judged, serve
from coterie.mission import newcomers
from coterie.worlds.hospital.bodies import FETCH
from tests.mission.served import coming, noted, of

pytestmark = pytest.mark.usefixtures("quick")

GOALS = ["2 painkillers on table C", "thermometer on table D"]  # one after the other, by Fetch alone
FINN = {"robot": "Finn", "card": FETCH}


def play(goals, *changes, until=30, **more):
    """All is called off when enough was seen."""
    enough = [Said(until, "teacher", f"cancel g{n}") for n, _ in enumerate(goals, 1)]
    return serve("hospital", goals, seed=7, script=enough, **coming(*changes), **more)


def acts(served, robot):
    events = served.played.log.events
    return [(e.t, e.data["skill"]) for e in events if e.kind == "act" and e.who == robot and e.data["skill"] != "wait"]


def test_a_plan_is_changed_over_to_one_that_is_clearly_shorter_and_what_has_begun_goes_on():
    served = play(GOALS, (4, "join", FINN), until=110)
    (changed,), come = of(served, "changed_over"), of(served, "joined")[-1]
    assert (changed["goal"], changed["robots"], changed["t"]) == ("g2", ["Finn"], come["t"])
    assert changed["then_s"] < changed["low_s"] < changed["rest_s"] and "g2" in [n["goal"] for n in of(served, "done")]
    assert any("Finn can help" in n["text"] for n in of(served, "tell"))
    first = min(e.seq for e in served.played.log.events if e.kind == "act" and e.who == "Fetch")
    ends = [e for e in served.played.log.events if e.kind == "outcome" and e.who == "Fetch" and e.seq > first]
    assert ends[0].data["status"] == "done", "what Fetch was at when somebody came"
    assert acts(served, "Fetch") and len(served.mission.goals["g1"].attempts) == 1 and not judged(served.played)


def test_it_is_sought_while_robots_go_on():
    served = play(GOALS, (24, "join", FINN), until=75, planning_s=20.0)
    (changed,) = of(served, "changed_over")
    assert changed["goal"] == "g2" and [t for t, _ in acts(served, "Fetch") if changed["t"] - 19 < t < changed["t"]]


@pytest.mark.parametrize("margin", [{"GAIN_S": 1000.0}, {"RISK": -1.0}])
def test_too_little_gain_or_too_much_risk_changes_nothing(monkeypatch, margin):
    for name, value in margin.items():
        monkeypatch.setattr(newcomers, name, value)
    served = play(GOALS, (4, "join", FINN), until=14)
    (kept,) = [n for n in of(served, "kept") if "rest_s" in n]
    assert kept["goal"] == "g2" and not of(served, "changed_over") and not acts(served, "Finn")


def test_a_plan_must_be_shorter_than_the_running_one_if_that_is_lucky(monkeypatch):
    """The interval is what counts: with one that is as wide as can be nothing is clear."""
    real = newcomers.Newcomers._ahead

    def wide(self, items, goal):
        mine, all_ = real(self, items, goal)
        return mine.__class__(**{**mine.__dict__, "low_s": 0.0}), all_

    monkeypatch.setattr(newcomers.Newcomers, "_ahead", wide)
    assert not of(play(GOALS, (4, "join", FINN), until=14), "changed_over")


@pytest.mark.parametrize(("limits", "looks"), [({}, 2), ({"LOOKS": 1}, 1), ({"CHANGES": 0}, 0)])
def test_who_comes_and_goes_is_looked_at_a_few_times_and_no_more(monkeypatch, limits, looks):
    for name, value in limits.items():
        monkeypatch.setattr(newcomers, name, value)
    served = play(GOALS[:1], (2, "join", FINN), (11, "leave", {"robot": "Finn"}), (12, "join", FINN), until=20)
    assert len([n for n in of(served, "joined") if n["robot"] == "Finn"]) == 2
    assert len(of(served, "kept")) == looks and len(served.mission.goals["g1"].attempts) == 1


def test_what_people_said_yes_to_is_not_changed_behind_their_backs():
    trouble = {"faults": ["missing:painkiller"], "answers": "yes"}
    served = play(GOALS[:1], (noted("approved"), "join", FINN), until=130, **trouble)
    assert "Finn" in [n["robot"] for n in of(served, "joined")]
    assert not of(served, "kept") and not of(served, "changed_over")
