"""A yes and a no, among several people: what they answer, and what they do not. One that is only guessed at is never
read back, and never ends as its opposite."""

import pytest

from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from tests.mission.ward import A, B, V
from tests.mission.words import hospital


@pytest.mark.parametrize("said", ["Not yet.", "Not now.", "Later.", "Let me think."])
def test_not_yet_is_no_no(waiting, said):
    before = waiting.mission.partner.proposed(A)
    assert "that waits" in waiting.talk((A, said)) and waiting.mission.partner.proposed(A) == before
    waiting.talk((A, "Yes."))
    assert "waiting" not in waiting.states().values()


def test_a_yes_of_somebody_else_answers_no_read_back(ward):
    ward.talk((A, "Would it be possible to have the side door opened?"), (B, "Could you open alpha's door for me, eh?"))
    before = ward.goals()
    ward.talk((V, "Yes."))
    assert ward.goals() == before


def test_forget_it_with_a_proposal_asks_what_is_to_be_forgotten(waiting):
    assert "Do you want me to call off" in waiting.talk((A, "Forget it.")) and waiting.waits()


@pytest.mark.parametrize("said", [
    "I'd be happier without.", "Not before lunch.", "Yes, but not through the hall.", "I don't see why not.",
    "No, wait, yes, do it.", "Yes, since we have no choice.", "I wouldn't say no.", "Don't ask, just do it.",
    "You don't need my permission.", "No rush.", "No idea.", "Not now, later.", "I didn't say yes.",
    "I haven't decided.", "Not before I've spoken with the ward.", "you needn't ask me for things like that",
    "Tell me the order in which you'll do it.", "Leave it as it is.", "Only one painkiller, please.",
    "Leave out the bandage box this time, please.", "Leave out the bandage box.", "Go the long way round the ward.",
    "Ask for the large blue boxes.", "Could you do it without the box?", "Better take the long corridor.",
    "Don't ask the pharmacist, ask the nurse.",
])  # fmt: skip
def test_a_yes_after_words_that_were_not_understood_is_asked_about(waiting, said):
    assert "Do you mean: " not in waiting.talk((A, said))
    reply = waiting.talk((A, "Yes please."))
    assert "Do you mean my proposal as it stands?" in reply and said.rstrip(".?") in reply and waiting.waits()


def test_to_wait_with_it_is_no_no_and_the_yes_of_somebody_else_is_their_own(waiting):
    for said in ("Don't do it yet.", "No, don't ask the pharmacist yet.", "Don't do that now."):
        assert "that waits" in waiting.talk((A, said)) and waiting.waits()
    waiting.talk((A, "Better take the long corridor."))
    assert "as it stands" not in waiting.talk((B, "Yes.")), "the teacher has said nothing of the kind"
    assert waiting.waits(), "and is told first what it is about"


def test_with_a_question_mark_nothing_is_answered(waiting):
    for said in ("OK?", "Okay?", "Do it, ok?"):
        assert not any(isinstance(x, (m.Approve, m.Refuse)) for x in understand(said, hospital())), said
        waiting.talk((A, said))
        assert waiting.waits()


@pytest.mark.parametrize("said", [
    "I'd rather have Fetch do it.", "I'd prefer Temi to do that.", "Do it with two of them.", "Do it slowly.",
    "Fetch could do it, I agree.", "Sure, the other one.", "Do it later.",
])  # fmt: skip
def test_a_yes_with_a_word_that_matters_is_not_read_back_as_a_yes(waiting, said):
    assert "Do you mean: Yes." not in waiting.talk((A, said))
