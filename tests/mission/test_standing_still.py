"""A plea to stand still is a stop, from anybody and in any words; one that is told, asked or put off is none."""

import pytest

from tests.mission.test_in_context import A, Ward, quick  # noqa: F401

EVERYBODY = (
    "Hold it!", "Hold it right there!", "Nobody move!", "No one moves!", "Stand still!", "Stay where you are!", "Wait!",
    "Don't go any further!", "Don't come any closer!", "Don't go in there!", "Not one step further!", "Keep still!",
    "Hold on!", "Wait a second!", "Everybody, stay put!", "Could you all stand still please?", "Quit moving!", "Whoa!",
    "There is a child behind you, don't move!", "Stay!", "Not so fast!", "Wait here!",
    "All robots stay put until I say so.", "Everyone hold still a second.", "Don't drive on!",
)  # fmt: skip
SPOT = (
    "Spot, don't move!", "Spot, hold it right there!", "Spot, stay where you are.", "Stand still, Spot!",
    "Make Spot stand still!", "Careful, Spot, hold it!",
    "Wait, Spot!", "Hold on, Spot!", "Spot, no further!", "Spot, stay!", "Please wait here, Spot.",
    "Spot, stay put until Temi is back.",
)  # fmt: skip
NONE = (
    "She told him to stand still.", "If the nurse comes, stand still.", "Did you say don't move?", "Don't stand still.",
    "Nobody moves?", "Don't go to beta.", "No further.",
)  # fmt: skip


@pytest.fixture(scope="module")
def ward():
    ward = Ward()
    ward.talk((A, "Deliver a medkit to alpha."))
    return ward


@pytest.mark.parametrize("said", EVERYBODY + SPOT)
def test_a_plea_to_stand_still_stops_robots(ward, said):
    assert ward.moves() == {"Fetch", "Spot", "Temi"}
    who = "Spot" if said in SPOT else "Everything"
    assert f"{who} stops." in ward.talk(("nurse", said))
    assert not ward.moves()
    ward.talk((A, "Continue."))


@pytest.mark.parametrize("said", NONE)
def test_what_only_speaks_of_standing_still_stops_nobody(ward, said):
    ward.talk(("nurse", said))
    assert ward.moves() == {"Fetch", "Spot", "Temi"}


def test_whoever_may_let_goals_rest_lets_them_rest_with_wait(ward):
    assert "rests" in ward.talk((A, "Wait!"))
    assert not ward.moves()
    ward.talk((A, "Continue."))
