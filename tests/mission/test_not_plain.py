"""What a yes or a no answers: one that is only guessed at is never read back, and never ends as its opposite."""

import pytest
from coterie.mission.language.plain_answers import plainly

from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from tests.mission.ward import A, B, V, Ward, with_medkit
from tests.mission.words import hospital

pytestmark = pytest.mark.usefixtures("quick")
STOP_READ_BACK = "I told her to stop Spot."


@pytest.fixture
def waiting(quick):
    """The instructor is asked for a yes to another way."""
    ward = with_medkit()
    ward.fail()
    assert ward.mission.partner.proposed(A)
    return ward


@pytest.fixture
def working(quick):
    return with_medkit()


def waits(ward):
    return list(ward.states().values()) == ["waiting"]


# -- at a proposal ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "I'd be happier without.", "Not before lunch.", "Yes, but not through the hall.", "I don't see why not.",
    "No, wait, yes, do it.", "Yes, since we have no choice.", "I wouldn't say no.", "Don't ask, just do it.",
    "You don't need my permission.", "No rush.", "No idea.", "Not now, later.", "I didn't say yes.",
    "I haven't decided.", "Not before I've spoken with the ward.", "you needn't ask me for things like that",
    "Tell me the order in which you'll do it.", "Leave it as it is.", "Only one painkiller, please.",
])  # fmt: skip
def test_a_yes_behind_what_may_be_either_is_asked_about(waiting, said):
    reply = waiting.talk((A, said))
    assert "Do you mean: " not in reply
    reply = waiting.talk((A, "Yes."))
    assert "as it stands" in reply and said.rstrip(".") in reply and waits(waiting)


@pytest.mark.parametrize("between", [
    "Understood?", "That's what I said.", "Is that clear?", "Hello?", "Thanks.", "Sounds right.", "What did I say?",
    "Does that work for you?", "OK?",
])  # fmt: skip
def test_whatever_is_said_in_between(waiting, between):
    assert "Do it.\n  Don't do it." in waiting.talk((A, "Not before lunch."))
    waiting.talk((A, between))
    assert "as it stands" in waiting.talk((A, "Yes.")) and waits(waiting)


def test_a_no_behind_it_refuses_and_the_words_that_were_asked_for_approve():
    ward = with_medkit()
    ward.fail()
    ward.talk((A, "Not before lunch."), (A, "No, don't."))
    assert not waits(ward) and not ward.mission.partner.proposed(A)
    ward = with_medkit()
    ward.fail()
    assert ward.talk((A, "Not before lunch."), (A, "Do it.")) == "All right, I do it."


def test_plain_words_for_yes_and_no():
    for said in ("Please do.", "Go.", "Uh-huh.", "I said yes.", "ok fine", "My answer is yes.", "Sounds good to me.",
                 "ok, please proceed", "yes, go ahead with it", "Yes yes yes", "Yes, please, right away."):  # fmt: skip
        assert plainly(said) == m.Approve(), said
    for said in ("I forbid it.", "Please don't.", "Let's not.", "Under no circumstances.", "Don't you dare.",
                 "I'd rather you didn't.", "No, I'd prefer you didn't do that."):  # fmt: skip
        assert plainly(said) == m.Refuse(), said
    for said in ("Go to alpha.", "Please do it later.", "Fine?", "Let's not use Temi.", "Don't ask.", "Great.",
                 "I'd rather you didn't use Temi."):  # fmt: skip
        assert plainly(said) is None, said


def test_with_a_question_mark_nothing_is_answered(waiting):
    for said in ("OK?", "Okay?", "Do it, ok?"):
        assert not any(isinstance(x, (m.Approve, m.Refuse)) for x in understand(said, hospital())), said
        waiting.talk((A, said))
        assert waits(waiting)


# -- at what was read back --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "Yes, now!", "Yes damn it", "Yes, that would be nice.", "Of course I mean that!", "That's what I said.",
    "Yes, one moment.", "Sounds right.", "Exactly, thanks.", "Yes, this very second!",
    "Yes, before somebody gets hurt!",
])  # fmt: skip
def test_a_stop_that_was_read_back_is_done_at_a_yes_in_more_words(working, said):
    assert "Do you mean: Stop Spot." in working.talk((A, STOP_READ_BACK))
    assert "Spot stops" in working.talk((A, said)) and "paused" in working.states().values()
    working.talk((A, "Continue."))


def test_a_stop_that_was_read_back_outlasts_other_words_and_somebody_else_may_say_yes(working):
    working.talk((A, STOP_READ_BACK))
    for said in ("Hello?", "Thanks.", "OK?", "colourless green ideas", "No, that's not what I meant."):
        assert "Do you mean: Stop Spot." in working.talk((A, said))
    assert "Spot stops" in working.talk((V, "Yes."))
    working.talk((A, "Continue."), (A, STOP_READ_BACK))
    assert "Spot stops" in working.talk((V, "Yes, right now please!"))
    working.talk((A, "Continue."))


def test_an_order_that_was_read_back_is_asked_again_at_a_guessed_yes_and_left_at_a_guessed_no(working):
    order = "Deliver a woundkit to beta the moment the nurse shows up."
    before = working.goals()
    for no in ("No, that's wrong.", "Hm, no, not really, sorry."):
        assert "Do you mean: Deliver a woundkit" in working.talk((A, order))
        assert "Do you mean: Deliver a woundkit" in working.talk((A, "Yes, that would be nice."))
        assert working.talk((A, no)) == "All right; I do nothing."
        working.talk((A, "Yes."))
        assert working.goals() == before


# -- where nothing is asked -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "Please keep going, I'm in no hurry.", "Please don't let the patient wait.", "No hurry, take your time.",
    "Not a chance.", "No, that's not what I meant.", "OK, leave it as planned.", "Leave it as it is.",
    "Leave everything as it is.",
])  # fmt: skip
def test_nothing_is_called_off_by_a_guess(working, said):
    before = working.goals()
    assert "?" not in (reply := working.talk((A, said))) and "Do you mean" not in reply
    assert ("I change nothing" in reply) == said.endswith(("planned.", "it is."))
    working.talk((A, "Yes."))
    assert working.goals() == before


def test_whoever_goes_says_nothing_of_who_takes_over(working):
    assert "Do you mean" not in working.talk((A, "I'm going off shift. The teacher takes over."))
    assert "The teacher is away" in working.talk((A, "I am here, but the teacher has left."))


def test_to_scrap_a_step_leaves_the_others():
    ward = Ward()
    ward.talk((B, "Learn a new skill named 'patrol'."), (B, "Temi goes to alpha."), (B, "Temi goes to beta."))
    assert "Temi should go to beta" in ward.talk((B, "scrap that step"))
    ward.talk((B, "Yes."))
    assert "patrol with 1 step" in ward.talk((B, "That is all."))
