"""Trouble in a mission: slips, robots that vanish or come, and what cannot be done at all."""

import pytest

from coterie.episode.mission import Said, serve
from coterie.worlds.hospital.bodies import TEMI
from tests.mission.served import MEDKIT, acts, coming, noted, of, told

pytestmark = pytest.mark.usefixtures("quick")
TOBY = {"robot": "Toby", "card": TEMI}


def test_a_slip_that_nobody_noticed_is_seen_by_its_effect():
    served = serve("hospital", MEDKIT, seed=17, faults=["grasp"])
    assert not served.played.task.about["faults"][0]["noticed"]
    assert served.success and of(served, "failure")[0]["stage"] == "EFFECT"
    assert of(served, "failure")[0]["why"] == "holding(Fetch) = None"


def test_what_fails_again_and_again_is_learnt_and_explained():
    served = serve("hospital", MEDKIT, seed=1, faults=["grasp"])
    assert served.played.task.about["faults"][0]["times"] > 100
    assert not served.success and len(of(served, "failure")) == 3
    assert [n["policy"] for n in of(served, "recovery")] == ["retry", "retry"]
    assert of(served, "learnt")[0]["rule"].startswith("not pickup(Fetch, bandagebox")
    assert of(served, "failed")[0]["because"] == ["not graspable(Fetch, bandagebox)"]


def test_a_vanished_robot_is_missed_and_named():
    late = [Said(400, "visitor", "cancel g1")]  # when all is over; it is heard nevertheless
    served = serve("hospital", MEDKIT, seed=3, faults=["robot:Temi"], answers="yes", script=late)
    assert [n["person"] for n in of(served, "refused")] == ["visitor"]
    assert not served.success and of(served, "vanished")[0]["robot"] == "Temi"
    assert of(served, "failed")[0]["because"] == ["not online(Temi)"]


def test_a_robot_that_joins_takes_over_from_one_that_vanishes_and_only_after_a_yes():
    said = [Said(60, "Zoe", "stop"), Said(80, "teacher", "resume g1")]
    changes = coming((2, "join", TOBY), (9, "leave", {"robot": "Temi"}))
    served = serve("hospital", MEDKIT, seed=3, answers="yes", script=said, **changes)
    assert served.success and "Toby" in [n["robot"] for n in of(served, "joined")]
    (failure,), (yes,) = of(served, "failure"), of(served, "approved")
    assert failure["why"] == "not online(Temi)" and of(served, "recovery")[0]["policy"] == "another way"
    toby = [a for a in acts(served) if a[1] == "Toby"]
    assert toby[-1][2] == "deliverkit" and toby[0][0] >= yes["t"] > failure["t"], "another robot is asked for"
    assert of(served, "stop")[0]["person"] == "Zoe" and served.mission.authority.roles_of("Zoe") == ("visitor",)


def test_a_robot_that_vanishes_before_its_plan_is_approved_is_missed_at_once():
    """Nobody waits for it until the end of time: what was approved is not begun, and it is said why."""
    faults, gone = ["missing:bandagebox", "person:nurse"], coming((noted("proposal"), "leave", {"robot": "Spot"}))
    served = serve("hospital", MEDKIT, seed=7, faults=faults, answers="yes", **gone)
    whys = [n["why"] for n in of(served, "failure")]
    assert whys[:2] == ["not objectAt(bandagebox, tableE)", "not online(Spot)"]
    assert of(served, "approved") and served.played.result.time_s < 900
    assert not [a for a in acts(served) if a[1] == "Spot" and a[0] >= of(served, "approved")[0]["t"]]
    assert served.success or {"not online(Spot)"} <= set(of(served, "failed")[-1]["because"])


def test_a_robot_that_vanished_in_everybodys_way_is_taken_away_by_a_person():
    """Where it stands is the only place at which a caddy can be handed over; the planner says so, and people can help
    with that although it is not what failed."""

    def there(episode):
        return episode.world.truth["at", "Temi"] == "handR"

    changes = coming((0, "join", TOBY), (there, "leave", {"robot": "Temi"}))
    served = serve("hospital", MEDKIT, seed=3, answers="yes", **changes)
    assert served.success and [n["why"] for n in of(served, "failure")] == ["not online(Temi)"]
    (asked,) = of(served, "request")
    assert asked["change"] == ["clear", {"pose": "handR"}] and of(served, "helped")
    cleared = next(e.t for e in served.played.log.events if e.kind == "change" and e.data["kind"] == "clear")
    assert min(a[0] for a in acts(served) if a[1] == "Toby" and "handR" in a[3]) >= cleared


def test_what_cannot_be_done_at_all_names_the_condition_that_nobody_can_bring_about():
    served = serve("hospital", ["painkiller at alpha"], seed=1)
    (end,) = of(served, "failed")
    assert not served.success and of(served, "failure")[0]["stage"] == "PLAN"
    assert end["because"], "a reason as data"


def test_a_mission_whose_robots_have_all_vanished_says_why_it_gives_up():
    gone = coming(*((20, "leave", {"robot": robot}) for robot in ("Fetch", "Temi", "Spot")))
    # Somebody asks for more when nobody is there any more, and is answered.
    script = [Said(30.0, "instructor", "medkit at beta")]
    served = serve("hospital", MEDKIT, seed=7, answers="yes", script=script, **gone)
    assert not served.success and served.played.result.time_s < 60
    given_up, words = of(served, "failed"), told(served, "instructor")
    assert given_up[0]["because"] == ["not online(Fetch)"] and 20 <= given_up[0]["t"] < 30
    assert any(t.startswith("I give up") and "has vanished" in t for t in words)
    assert len(given_up) == 2 and "beta" in words[-1]
