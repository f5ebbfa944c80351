"""Robots that are spoken of by who is not meant, and stops in words that nobody foresaw."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.mission.language.others import others_named
from tests.mission.ward import A, V, with_medkit

pytestmark = pytest.mark.usefixtures("quick")
ROBOTS = ("Fetch", "Spot", "Temi")


@pytest.fixture
def ward():
    return with_medkit()


@given(st.sets(st.sampled_from(ROBOTS), min_size=1, max_size=2), st.sampled_from(["but", "except", "apart from"]))
def test_everybody_but_some_are_the_others(left, but):
    others = [r for r in ROBOTS if r not in left]
    said = others_named(f"Everybody {but} {' and '.join(sorted(left))}, stop!", ROBOTS)
    assert said == f"{' and '.join(others)}, stop!"


@pytest.mark.parametrize(
    "said", ["Stop everything except the medkit.", "Everything but that.", "All right, but Spot waits."]
)
def test_what_leaves_out_no_robot_stays_as_it_was(said):
    assert others_named(said, ROBOTS) == said


@pytest.mark.parametrize("said", [
    "Everybody but Temi, stop!", "All robots but Temi, halt!", "Everyone except Temi stop.",
    "Stop everything except Temi.", "Stop everybody apart from Temi.",
])  # fmt: skip
def test_who_is_left_out_of_a_stop_is_not_the_one_that_stops(ward, said):
    ward.talk((V, said))
    assert set(ward.mission.doing.steering.held) == {"Fetch", "Spot"}


@pytest.mark.parametrize("said", [
    "Fetch, keep going, the rest of you stop!", "Not you Fetch, Temi, stop!", "Spot and Temi, but not Fetch, stop.",
    "Whoa whoa whoa!", "That's enough of that, thank you.", "Could you possibly pause for a minute?",
    "Don't deliver the medkit before the nurse is here.",
])  # fmt: skip
def test_a_stop_is_not_lost(ward, said):
    ward.talk((V, said))
    assert not ward.moves()


@pytest.mark.parametrize("said", [
    "Wait until the nurse is here.", "Don't deliver it until I say so.", "All but Spot should wait.", "Don't continue.",
])  # fmt: skip
def test_what_is_put_off_rests_and_goes_on_when_somebody_says_so(ward, said):
    ward.talk((A, said))
    assert not ward.moves() and list(ward.states().values()) == ["paused"]
    ward.talk((A, "Continue."))
    assert ward.moves()


@pytest.mark.parametrize("said", ["If Spot falls, stop.", "She said Spot, stop!", "When I shout, everybody stop."])
def test_a_stop_that_is_told_or_put_off_stops_nobody(ward, said):
    ward.talk((A, said))
    assert ward.moves()
