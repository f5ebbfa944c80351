"""Cries to put something down stop; what is told of somebody who is taken somewhere does not."""

import pytest

from coterie.mission.language.stops.harm import in_danger
from tests.mission.ward import A, B, V, Ward
from tests.mission.words import hospital

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def ward():
    ward = Ward()
    ward.talk((A, "Deliver a medkit to alpha."))
    return ward


@pytest.mark.parametrize("person", [A, V])
@pytest.mark.parametrize(
    "said",
    [
        "Drop everything!", "Drop everything, now.", "Put that down, now!", "Put it down!", "Put the caddy down!",
        "That is mine, put it down!", "Down!", "Hold them!", "Back up, you're on the hose!", "Make room for the bed!",
        "Drop the gloves!", "Don't, stop!", "Drop what you are doing!",
    ],
)  # fmt: skip
def test_whoever_cries_it_stops_everything(ward, person, said):
    assert "Everything stops." in ward.talk((person, said))
    assert not ward.moves() and list(ward.states().values()) == ["paused"]


@pytest.mark.parametrize("said", ["Spot, down!", "Spot, down.", "Down, Spot!", "Spot, put that down!"])
def test_one_that_is_called_stops(ward, said):
    assert "Spot stops." in ward.talk((V, said))
    assert not ward.moves()


@pytest.mark.parametrize("said", ["Drop it.", "Drop that!", "Drop everything."])
def test_a_visitor_who_wants_something_dropped_stops_it(ward, said):
    assert "may call it off" in ward.talk((V, said))
    assert not ward.moves() and list(ward.states().values()) == ["paused"]


def test_said_calmly_by_whoever_may_it_is_called_off(ward):
    ward.talk((A, "Drop it."))
    assert ward.states() == {}


@pytest.mark.parametrize(
    "said", ["Spot is down.", "Put the gloves down on table D.", "Don't put that down!", "Should I put that down?",
             "You're on the right track!"],
)  # fmt: skip
def test_what_is_only_like_it_stops_nobody(ward, said):
    assert "stops" not in ward.talk((A, said))
    assert "paused" not in ward.states().values()


def test_a_lesson_takes_it_for_no_cry_unless_it_is_one():
    ward = Ward()
    ward.talk((A, "Deliver a medkit to alpha."), (B, "Define a new kit 'firstaid'."), (B, "A medical caddy."))
    assert "I stop nobody by that" in ward.talk((B, "Put it down."))
    ward.talk((B, "Gloves and a thermometer."))
    assert "Without gloves" in ward.talk((B, "Drop the gloves!"))
    assert ward.moves()
    ward.talk((B, "Put it down!"))
    assert not ward.moves()


# -- somebody is taken somewhere --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "said",
    [
        "Temi is pushing the patient to the bath.", "Temi is pushing the patient down the corridor.",
        "Temi is pushing the patient through the door.", "Spot pulled the patient into alpha.",
    ],
)  # fmt: skip
def test_somebody_who_is_taken_somewhere_is_not_harmed(ward, said):
    assert "stops" not in ward.talk((A, said))
    assert ward.moves()


@pytest.mark.parametrize(
    "said",
    [
        "Temi is pushing the patient to the bath!", "Temi is pushing the patient to the floor.",
        "Temi is pushing the patient into the wall.", "Temi is pushing the patient down the stairs.",
        "Temi is pushing me to the bath.", "Temi is pushing the patient.", "Spot is pushing the patient off the bed.",
        "Temi's pulling the patient out of bed!", "Help, Temi is pushing the patient to the bath.",
        "You're on the oxygen tube!", "Spot is pulling his hair into the gripper.",
        "Spot pulled the patient into the wheel.",
    ],
)  # fmt: skip
def test_what_harms_somebody_stops_as_before(said):
    assert in_danger(said, hospital())
