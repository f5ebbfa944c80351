"""No guess is read back that turns the sense of a sentence round."""

import pytest

from tests.mission.ward import A, B, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture(scope="module")
def waiting():
    """A ward in which the instructor is asked about a plan."""
    ward = with_medkit()
    ward.talk((B, "There are no bandage boxes on table E."))
    assert ward.mission.partner.proposed(A)
    return ward


@pytest.mark.parametrize("said", [
    "not no", "it's not a no", "That is not a no.", "Yes and no", "do what you have to do if there's no other way",
    "good question", "It's a good stopping point for lunch", "good point", "good luck",
])  # fmt: skip
def test_what_is_neither_yes_nor_no_is_offered_as_neither(waiting, said):
    reply = waiting.talk((A, said))
    assert "Do you mean: Yes." not in reply and "Do you mean: No." not in reply
    assert waiting.mission.partner.proposed(A)


@pytest.mark.parametrize("said, read", [
    ("good idea", "Yes."), ("That is a good plan.", "Yes."), ("I would rather you did not.", "No."),
])  # fmt: skip
def test_what_is_one_in_other_words_is_guessed_to_be_that(waiting, said, read):
    dialogue = waiting.mission.dialogue
    guessed = dialogue._guessed(dialogue.threads.of(A), said)
    assert guessed is not None and dialogue.wording.sentence(guessed) == read


@pytest.mark.parametrize(
    "said", ["minus two gloves", "minus two gloves to table F", "Bring a painkiller to table C, minus the gloves."]
)
def test_what_is_less_is_no_order(said):
    ward = Ward()
    reply = ward.talk((A, said))
    assert "Do you mean" not in reply and "Where should I bring" not in reply and ward.goals() == []
