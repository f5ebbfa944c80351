"""People in a mission: who says no, nothing, stop, or helps."""

import pytest

from coterie.episode.mission import Said, judged, serve
from tests.mission.served import MEDKIT, acts, of, told

pytestmark = pytest.mark.usefixtures("quick")


def test_silence_is_never_a_yes():
    served = serve("hospital", MEDKIT, seed=7, faults=["missing"], answers=None)
    assert not served.success and not of(served, "approved")
    failed = of(served, "failure")[0]["t"]
    assert not [a for a in acts(served) if a[0] > failed]
    assert [p["to"] for p in of(served, "proposal")] == ["instructor", "teacher"], "others who may are asked, too"
    (end,) = of(served, "failed")
    assert end["because"] == ["not objectAt(bandagebox, tableE)"] and "did not answer" in end["why"]
    assert "bandage box is not at table E" in told(served, "instructor")[-1]


def test_who_says_no_is_offered_the_next_way_and_who_may_not_approve_is_refused():
    answers = iter(["no", "yes"])
    early = [Said(1, "pharmacist", "yes"), Said(118, "visitor", "yes"), Said(119, "pharmacist", "yes")]
    served = serve("hospital", MEDKIT, seed=7, faults=["missing"], answers=lambda p, n: next(answers), script=early)
    assert served.success
    first, second = (p["alternatives"][0]["policy"] for p in of(served, "proposal"))
    assert first != second == of(served, "recovery")[0]["policy"]
    assert {n["person"] for n in of(served, "refused") if n["act"] == "approve"} >= {"pharmacist"}
    assert "Nothing waits for an approval." in told(served, "pharmacist")


def test_commands_of_those_who_may_not_are_refused_in_words_and_recorded():
    served = serve("hospital", MEDKIT, by="pharmacist", seed=1)
    assert not served.success and not acts(served)
    (refused,) = of(served, "refused")
    assert refused["act"] == "command" and "instructor or teacher may" in refused["words"]
    assert served.mission.authority.refusals[0].person == "pharmacist"


def test_who_may_not_command_is_refused_before_anything_is_said_of_the_order():
    """Neither that no caddy is left for it nor that there is no such goal is told to them."""
    orders = [Said(5, "pharmacist", "woundkit at gamma"), Said(6, "visitor", "cancel g9"),
              Said(7, "visitor", "change medkit to 1 painkiller")]  # fmt: skip
    end = [Said(8, "instructor", f"cancel {g}") for g in ("g1", "g2")]
    served = serve("hospital", [*MEDKIT, "feverkit at beta"], seed=1, script=[*orders, *end])
    assert [(n["person"], n["act"]) for n in of(served, "refused")] == [
        ("pharmacist", "command"), ("visitor", "command"), ("visitor", "command"),
    ]  # fmt: skip
    assert len(served.mission.authority.refusals) == 3 and not of(served, "amended")
    assert [n["goal"] for n in of(served, "goal")] == ["g1", "g2"]


def test_a_stop_is_honoured_from_anybody_and_taken_back_by_those_who_may():
    said = [Said(5, "visitor", "stop"), Said(60, "visitor", "resume g1"), Said(75, "teacher", "resume g1")]
    served = serve("hospital", MEDKIT, seed=1, script=said)
    stop, back = of(served, "stop")[0]["t"], of(served, "changed")[0]["t"]
    assert served.success and not [a for a in acts(served) if stop <= a[0] < back]
    cancelled = [e for e in served.played.log.events if e.kind == "outcome" and e.data["status"] == "cancelled"]
    assert any(e.t == stop for e in cancelled), "what robots did was cut short"
    assert of(served, "refused")[0]["person"] == "visitor"


def test_a_person_helps_where_no_robot_can():
    served = serve("hospital", MEDKIT, seed=12, faults=["missing:bandagebox", "person:pharmacist"], answers="yes")
    assert served.success
    assert [n["policy"] for n in of(served, "recovery")][-1] == "ask"
    whys = [n["why"] for n in of(served, "failure")]
    assert whys[:2] == ["not objectAt(bandagebox, tableE)", "not answers(pharmacist)"]
    assert of(served, "request")[0]["to"] == "nurse" and of(served, "helped")


def test_what_somebody_reports_breaks_a_later_step_before_it_is_reached():
    said = [Said(2, "pharmacist", "there is no bandage box on table E")]
    served = serve("hospital", MEDKIT, seed=7, faults=["missing"], answers="yes", script=said)
    (failure,) = of(served, "failure")
    assert served.success and failure["stage"] == "PRECONDITION" and failure["t"] < 20
    assert not [a for a in acts(served) if a[2] == "perceiveobject" and "tableE" in a[3]]


def test_a_goal_that_rests_is_not_taken_up_because_somebody_helped():
    trouble = ["missing:bandagebox", "person:pharmacist"]
    said = [Said(220, "instructor", "pause g1"), Said(500, "visitor", "resume g1"), Said(510, "teacher", "resume g1")]
    served = serve("hospital", MEDKIT, seed=12, faults=trouble, answers="yes", script=said)
    pause, back = (n["t"] for n in of(served, "changed"))
    assert pause < of(served, "helped")[0]["t"] < back and of(served, "refused")[0]["person"] == "visitor"
    assert served.success and not [a for a in acts(served) if pause <= a[0] < back]


@pytest.mark.long
def test_who_was_asked_for_help_may_say_that_it_is_so_instead_of_done():
    trouble = ["missing:bandagebox", "person:pharmacist"]
    said = [Said(230, "nurse", "there is a bandage box on table E")]
    served = serve("hospital", MEDKIT, seed=12, faults=trouble, answers="yes", script=said)
    told_s = next(n["t"] for n in of(served, "heard") if n["text"] == said[0].text)
    assert of(served, "request")[0]["t"] < told_s, "it was asked for before"
    assert any(n["t"] == told_s for n in of(served, "plan")), "planned at once"
    assert served.success


def test_goals_go_on_at_the_same_time_on_different_robots():
    served = serve("hospital", ["open the door of alpha", "2 painkillers on table C"], seed=1)
    begun = {e.data["why"]: (e.t, e.who) for e in reversed(served.played.log.events) if e.kind == "act" and e.t == 0}
    assert served.success and judged(served.played) == []
    assert {"Fetch", "Spot"} <= {who for _, who in begun.values()} and len(of(served, "done")) == 2
