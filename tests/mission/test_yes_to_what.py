"""A yes after words that nobody understood is asked what it is for; whoever was asked for a thing may have none."""

import pytest

from tests.mission.ward import A, B, with_medkit

pytestmark = pytest.mark.usefixtures("quick")
N, P = "nurse", "pharmacist"


@pytest.fixture
def ward(quick):
    """The instructor is asked for a yes to another way."""
    ward = with_medkit()
    ward.fail()
    assert ward.mission.partner.proposed(A)
    return ward


def waits(ward):
    return list(ward.states().values()) == ["waiting"]


@pytest.mark.parametrize("said", [
    "Leave out the bandage box this time, please.", "Leave out the bandage box.", "Go the long way round the ward.",
    "Ask for the large blue boxes.", "Could you do it without the box?", "Better take the long corridor.",
    "Don't ask the pharmacist, ask the nurse.",
])  # fmt: skip
def test_a_yes_after_words_that_were_not_understood_is_asked_about(ward, said):
    ward.talk((A, said))
    reply = ward.talk((A, "Yes please."))
    assert "Do you mean my proposal as it stands?" in reply and said.rstrip(".?") in reply and waits(ward)


def test_to_wait_with_it_is_no_no_and_the_yes_of_somebody_else_is_their_own(ward):
    for said in (
        "Don't do it yet.",
        "No, don't ask the pharmacist yet.",
        "Don't start just yet.",
        "Don't do that now.",
    ):
        assert "that waits" in ward.talk((A, said)) and waits(ward)
    ward.talk((A, "Better take the long corridor."))
    assert "as it stands" not in ward.talk((B, "Yes.")), "the teacher has said nothing of the kind"
    assert waits(ward), "and is told first what it is about"
