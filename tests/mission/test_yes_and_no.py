"""A yes and a no among several people: what they answer, and what they do not."""

import pytest

from tests.mission.ward import A, B, V, Ward

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def ward():
    return Ward()


@pytest.mark.parametrize("said", ["Not yet.", "Not now.", "Later.", "Let me think."])
def test_not_yet_is_no_no(ward, said):
    ward.talk((A, "Deliver a medkit to alpha."))
    ward.fail()
    before = ward.mission.partner.proposed(A)
    assert "that waits" in ward.talk((A, said)) and ward.mission.partner.proposed(A) == before
    ward.talk((A, "Yes."))
    assert "waiting" not in ward.states().values()


def test_a_yes_of_somebody_else_answers_no_read_back(ward):
    ward.talk((A, "Would it be possible to have the side door opened?"), (B, "Could you open alpha's door for me, eh?"))
    before = ward.goals()
    ward.talk((V, "Yes."))
    assert ward.goals() == before


def test_forget_it_with_a_proposal_asks_what_is_to_be_forgotten(ward):
    ward.talk((A, "Deliver a medkit to alpha."))
    ward.fail()
    assert "Do you want me to call off" in ward.talk((A, "Forget it."))
    assert list(ward.states().values()) == ["waiting"]
