"""What was ordered, put another way as a whole: swapped, less of it, for so long, or wrong without a word of what."""

import pytest

from tests.mission.ward import MEDKIT, WOUNDKIT, A, B, Ward

pytestmark = pytest.mark.usefixtures("quick")
BOTH = {f"{MEDKIT} at alpha": "running", f"{WOUNDKIT} at beta": "running"}
SWAPPED = {f"{MEDKIT} at beta": "running", f"{WOUNDKIT} at alpha": "running"}
ONE_BY_ONE = ((A, "Deliver a medkit to alpha."), (A, "Deliver a woundkit to beta."))
AT_ONCE = ((A, "Deliver a medkit to alpha and a woundkit to beta."),)


@pytest.fixture
def ward():
    return Ward()


@pytest.mark.parametrize("said", ["Swap them.", "No, the other way round.", "Switch the two, please."])
@pytest.mark.parametrize("orders", [ONE_BY_ONE, AT_ONCE])
def test_two_orders_are_swapped_at_a_yes(ward, orders, said):
    assert "That is instead of" in ward.talk(*orders, (A, said))
    assert ward.states() == BOTH
    ward.talk((A, "Yes."))
    assert ward.states() == SWAPPED


def test_what_cannot_be_swapped_is_asked(ward):
    assert ward.talk((A, "Swap them.")) == "What should be swapped? Say each thing with the place for it."
    assert "What should be swapped? You want: Deliver a medkit to alpha." in ward.talk(ONE_BY_ONE[0], (A, "Swap them."))
    assert "You want" not in ward.talk((B, "Swap them."))
    assert ward.states() == {f"{MEDKIT} at alpha": "running"}


@pytest.mark.parametrize("said", ["Only the medkit, please.", "I only need the medkit.", "Just the medkit will do."])
@pytest.mark.parametrize("orders", [ONE_BY_ONE, AT_ONCE])
def test_only_one_of_them_calls_off_the_rest_at_a_yes(ward, orders, said):
    ward.talk(*orders, (A, said))
    assert ward.states() == BOTH
    ward.talk((A, "Yes."))
    assert ward.states() == {f"{MEDKIT} at alpha": "running"}


def test_only_what_was_ordered_changes_nothing(ward):
    assert "That is all that you want" in ward.talk(ONE_BY_ONE[0], (A, "Only the medkit."))
    ward.talk((A, "Only the feverkit."), (A, "Is it only the medkit?"), (A, "Yes."))
    assert ward.states() == {f"{MEDKIT} at alpha": "running"}


def test_only_a_thing_of_several(ward):
    ward.talk((A, "Put two gloves and one painkiller on table C."), (A, "Only the gloves."), (A, "Yes."))
    assert ward.states() == {"2 gloves at table C": "running"}


@pytest.mark.parametrize("said", ["Cancel both.", "Cancel them both.", "Cancel them.", "Forget both of them."])
@pytest.mark.parametrize("orders", [ONE_BY_ONE, AT_ONCE])
def test_both_are_called_off_after_a_question(ward, orders, said):
    assert "Do you want me to call off" in ward.talk(*orders, (A, said))
    assert ward.states() == BOTH
    ward.talk((A, "Yes."))
    assert ward.states() == {}


def test_both_of_three_is_asked_and_those_of_others_are_not_touched(ward):
    ward.talk(*ONE_BY_ONE, (A, "Open the side door."))
    assert "Which do you mean?" in ward.talk((A, "Cancel both."))
    ward.talk((B, "Cancel both."), (B, "Yes."))
    assert len(ward.states()) == 3


def test_both_wait_and_a_cry_about_both_stops(ward):
    ward.talk(*ONE_BY_ONE, (A, "Hold off on both."), (A, "Yes."))
    assert set(ward.states().values()) == {"paused"}
    ward.talk((A, "Continue."))
    assert "Everything stops." in ward.talk((A, "Stop both!"))


# -- for how long -----------------------------------------------------------------------------------------------------
def test_a_time_is_added_to_what_is_read_back(ward):
    assert "Do you mean" in ward.talk((B, "Perhaps the nurse may approve plans"))
    assert "The nurse may approve plans for 60 minutes." in ward.talk((B, "For an hour."))
    assert "for 60 minutes" in ward.talk((B, "Yes."))


def test_a_rule_has_no_end_and_that_is_said(ward):
    ward.talk((B, "Whenever something is missing you had better ask the pharmacist"))
    assert "A rule does not end by itself" in ward.talk((B, "For an hour."))
    assert "pharmacist" in ward.talk((B, "Yes."))


def test_a_time_to_an_order_that_is_read_back_does_nothing(ward):
    ward.talk((A, "Perhaps deliver a medkit to alpha."), (A, "For an hour."))
    assert ward.states() == {}


# -- a yes before an order, and what is wrong --------------------------------------------------------------------------
@pytest.mark.parametrize("said", ["Sure, deliver a medkit to alpha.", "Yes, deliver a medkit to alpha."])
def test_a_yes_to_nothing_before_an_order_only_leads_it_in(ward, said):
    assert "not taken that for a yes" not in ward.talk((A, said))
    assert ward.states() == {f"{MEDKIT} at alpha": "running"}


def test_a_yes_to_nothing_before_a_bare_name_is_none(ward):
    ward.talk(ONE_BY_ONE[0], (A, "Sure, two."), (A, "Sure, beta."))
    assert ward.states() == {f"{MEDKIT} at alpha": "running"}


@pytest.mark.parametrize(
    ("said", "right"), [("Oops, wrong room.", "No, gamma."), ("That was the wrong kit.", "No, the feverkit.")]
)
def test_what_is_wrong_is_asked_for(ward, said, right):
    reply = ward.talk(ONE_BY_ONE[0], (A, said))
    assert "What do you want instead of: Deliver a medkit to alpha." in reply and right in reply
    ward.talk((A, right), (A, "Yes."))
    assert f"{MEDKIT} at alpha" not in ward.states() and len(ward.states()) == 1
