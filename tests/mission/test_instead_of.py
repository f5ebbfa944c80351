"""Something instead of something that is named, and what undo makes of it."""

import pytest

from tests.mission.ward import MEDKIT, WOUNDKIT, A, Ward

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def ward():
    return Ward()


@pytest.mark.parametrize("said", [
    "Deliver the medkit to gamma instead of alpha.", "Deliver the medkit to gamma rather than to alpha.",
    "Instead of alpha, deliver the medkit to gamma.", "Deliver the medkit to gamma, not alpha.",
])  # fmt: skip
def test_what_is_named_as_wrong_says_which_order_is_meant(ward, said):
    ward.talk((A, "Deliver a medkit to alpha."), (A, "Deliver a feverkit to beta."), (A, said))
    if "Do you mean" in ward.told(A)[-1]:
        ward.talk((A, "Yes."))
    assert f"{MEDKIT} at gamma" in ward.goals() and len(ward.goals()) == 2


def test_another_kit_goes_where_the_wrong_one_went(ward):
    ward.talk((A, "Deliver a medkit to alpha."), (A, "Take a woundkit instead of the medkit."))
    assert ward.goals() == [f"{WOUNDKIT} at alpha"]


def test_instead_of_what_is_not_under_way_begins_nothing(ward):
    reply = ward.talk((A, "Deliver a medkit to alpha."), (A, "Deliver a woundkit to gamma instead of beta."))
    assert "You have said nothing with beta" in reply and ward.goals() == [f"{MEDKIT} at alpha"]


def test_undo_of_ones_own_instead_asks_for_what_was_before(ward):
    reply = ward.talk((A, "Deliver a medkit to alpha."), (A, "Take the medkit to beta instead."), (A, "Undo that."))
    assert "Do you want again" in reply and ward.goals() == []
    ward.talk((A, "Yes."))
    assert ward.goals() == [f"{MEDKIT} at alpha"]


@pytest.mark.parametrize("said", ["Let Spot do it instead.", "Spot should do it instead.", "Let Spot do it."])
def test_a_robot_instead_that_cannot_leaves_the_order_and_says_who_could(ward, said):
    reply = ward.talk((A, "Deliver a medkit to alpha."), (A, said))
    assert "Temi could" in reply and ward.goals() == [f"{MEDKIT} at alpha"]
