"""Danger and oaths: a cry that somebody is hurt stops, an oath hides no stop, and a stop that is told stops nobody."""

import pytest

from coterie.mission.dialogue.quick import read
from coterie.talk import meanings as m
from tests.mission.ward import A, B, V, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")

STOPS = (
    "Help, Spot is running me over!", "You are hurting me!", "Spot is about to hit the patient!", "Ouch!",
    "Ouch, Fetch is on my foot!", "Careful, a child!", "For heaven's sake don't move!", "Oh my god, don't move!",
    "For god's sake stand still!", "For Christ's sake, stop it!", "Don't move, for heaven's sake!",
    "Hands off the caddy!", "Leave that alone!", "I want everything to stand still now.", "Let the robots rest.",
    "Could the robots please wait until the patient has passed?", "Time out!", "Shut down.", "I shouted stop!",
    "Please be so kind as to let the robots pause.", "Wait with the delivery until the nurse has come.",
)  # fmt: skip
NONE = (
    "The doctor shouted stop earlier.", "Somebody cried halt.", "He screamed halt an hour ago.",
    "Go to beta, Spot, then wait there.", "Who is hurting the patient?", "Spot was running me over yesterday.",
    "Is Spot about to hit the patient?", "Spot is not hurting me.", "Tell me if you are hurting me.",
    "Careful with the gloves.", "For heaven's sake go on!", "Could the robots wait at table D?", "Mind the gap.",
)  # fmt: skip


@pytest.fixture(scope="module")
def ward():
    return with_medkit()


@pytest.mark.parametrize("said", STOPS)
def test_a_cry_stops_robots_at_once(ward, said):
    assert ward.moves() == {"Fetch", "Spot", "Temi"}
    assert "Everything stops." in ward.talk((V, said)) and not ward.moves()
    first = read(said, ward.mission.partner.vocabulary)[0][0]
    assert isinstance(first, m.Stop) or m.only_waits(first)
    ward.talk((A, "Continue."))


@pytest.mark.parametrize("said", NONE)
def test_what_only_tells_of_a_cry_stops_nobody(ward, said):
    ward.talk((V, said), (V, "No."))
    assert ward.moves() == {"Fetch", "Spot", "Temi"}


def test_one_robot_can_be_turned_off(ward):
    assert "Fetch stops." in ward.talk((V, "Turn off Fetch!")) and "Fetch" not in ward.moves()
    ward.talk((A, "Continue."))


def test_a_robot_waits_for_some_minutes_until_somebody_says_continue(ward):
    assert "rests" in ward.talk((A, "Spot, wait five minutes.")) and "Spot" not in ward.moves()
    ward.talk((A, "Continue."))


def test_an_oath_hides_no_order():
    ward = Ward()
    ward.talk((A, "For heaven's sake, put a painkiller on table D."))
    assert ward.goals() == ["1 painkiller at table D"]
    ward.talk((A, "Oh no, table G."))
    assert "table D" not in ward.goals()


def test_who_leaves_something_out_of_a_stop_is_told_that_it_stops_too():
    ward = Ward()
    ward.talk((A, "Deliver a medkit to alpha."), (A, "Put one thermometer on table G."))
    reply = ward.talk((A, "Stop everything except the medkit."))
    assert reply.startswith("Everything stops.") and not ward.moves()
    assert reply.endswith("That goes for the medkit, too; say 'Go on with the medkit.' to let it go on.")
    ward.talk((A, "Go on with the medkit."))
    assert sorted(ward.states().values()) == ["paused", "running"]


# -- what tells of things, and lists none -----------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "The thermometers are broken.", "Thermometers are broken.", "Yesterday we used gloves, too.", "Last time gloves.",
    "Last time a thermometer.", "Broken gloves.", "Formerly, gloves.", "We had gloves.", "Gloves are working.",
])  # fmt: skip
def test_what_is_told_of_things_is_no_part_of_a_kit(said):
    ward = Ward()
    ward.talk((B, "Define a new kit 'burnkit'."), (B, "A medical caddy."), (B, "Two antiseptics."))
    assert "anything else" in ward.talk((B, said)) or ward.talk((B, "No."))
    ward.talk((B, "Nothing else."))
    assert dict(ward.mission.speech.kits["burnkit"].contents) == {"antiseptic": 2}


@pytest.mark.parametrize(
    "said", ["Gloves are needed, too.", "It also has gloves.", "Gloves go in it.", "It needs gloves."]
)
def test_what_is_said_to_be_in_a_kit_is_part_of_it(said):
    ward = Ward()
    ward.talk((B, "Define a new kit 'burnkit'."), (B, "A medical caddy."), (B, "Two antiseptics."), (B, said))
    ward.talk((B, "Nothing else."))
    assert dict(ward.mission.speech.kits["burnkit"].contents) == {"antiseptic": 2, "gloves": 1}


# -- yes and no -------------------------------------------------------------------------------------------------------
BROKEN = (
    "Is Spot broken?", "Is it true that Spot is broken?", "Is Spot out of order?", "Is Spot defective?",
    "Is Spot not working?",
)  # fmt: skip
WORKING = ("Is Spot working?", "Does Spot work?", "Is Spot fine?", "Is it true that Spot is working?")


def test_yes_and_no_fit_what_was_asked_of_a_robot():
    ward = Ward()
    for told, yes, no in (("", WORKING, BROKEN), ("Spot is broken.", BROKEN, WORKING)):
        ward.talk(*[(A, told)] * bool(told))
        for said in yes:
            assert "Yes, Spot is " + ("broken" if told else "working") in ward.talk((A, said)), said
        for said in no:
            assert "No, it is not so that Spot is " + ("working" if told else "broken") in ward.talk((A, said)), said


def test_a_robot_that_cannot_do_one_thing_is_not_broken():
    ward = Ward()
    ward.talk((A, "Temi cannot open doors."))
    assert ward.talk((A, "Is Temi broken?")) == "No, it is not so that Temi is broken."
    assert ward.talk((A, "Is Temi here?")).startswith("Temi is at ")


def test_yes_and_no_fit_doors_and_people():
    ward = Ward()
    assert ward.talk((A, "Is the alpha door shut?")).startswith("Yes") is not ward.talk(
        (A, "Is the alpha door open?")
    ).startswith("Yes")
    ward.talk((A, "The nurse is away."))
    assert "Yes, the nurse is away." in ward.talk((A, "Is the nurse away?"))
    assert ward.talk((A, "Is the nurse here?")).startswith("No")
