"""What only sounds like an order, a fact or an answer: nothing is done by it, and what is dropped is said."""

import pytest

from tests.mission.ward import A, B, V, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def ward():
    return with_medkit()


@pytest.mark.parametrize("said", [
    "I changed my mind.", "I have changed my mind.", "I was going to cancel the medkit.", "Should I cancel the medkit?",
    "Is the medkit no longer needed?", "Temi was broken last week.", "It is not true that table E is empty.",
    "Nobody says that Temi is broken.", "No need for the medkit to hurry.", "Evan said you should go to gamma.",
    "After the medkit has arrived, take gloves to table F.",
])  # fmt: skip
def test_nothing_happens_and_no_yes_makes_the_opposite_of_it(ward, said):
    states, rules = ward.states(), dict(ward.mission.recovery.rules)
    reply = ward.talk((A, said))
    assert ward.states() == states and ward.mission.recovery.rules == rules
    assert "Do you mean: Temi is broken" not in reply and "Do you mean: Table E is empty" not in reply
    assert "Do you mean: Cancel" not in reply


@pytest.mark.parametrize("said", ["Spot is not broken.", "Spot isn't out of order.", "Spot is no longer broken."])
def test_a_robot_that_is_not_broken_is_counted_on(ward, said):
    ward.talk((A, "Spot is broken."), (A, said))
    assert not ward.mission.recovery.rules


def test_a_question_about_a_question_does_not_eat_a_yes(ward):
    assert "Which door" in ward.talk((A, "Why can't Temi open the door?"))
    ward.talk((A, "How far are you?"))
    ward.fail()
    assert ward.talk((A, "Yes, go ahead.")) == "All right, I do it."


def test_a_clearer_cancel_is_no_no_to_a_cancel_that_is_read_back(ward):
    ward.talk((B, "Deliver a medkit to alpha as well."), (A, "Cancel mine."))
    assert [g.by for g in ward.mission.goals.live()] == [B]
    assert "You have ordered nothing" in ward.talk((A, "Cancel my order."))
    assert [g.by for g in ward.mission.goals.live()] == [B]


def test_continue_is_no_answer_to_an_order_that_is_asked_about(ward):
    ward.talk((V, "Stop!"), (A, "Bring gloves to table F."))
    assert "have not answered" in ward.talk((A, "Go on.")) and not ward.moves()


@pytest.mark.parametrize("said", ["The pharmacist is away.", "I think Spot is broken.", "The gloves are on table D."])
def test_a_fact_in_a_lesson_is_no_part_of_it(said):
    ward = Ward()
    ward.talk((B, "Define a new kit 'burnkit'."), (B, "A medical caddy."), (B, "Two painkillers."))
    assert "Does a burnkit contain anything else?" in ward.talk((B, said))
    assert "a burnkit contains two painkillers." in ward.talk((B, "Nothing else."))


def test_words_under_somebody_elses_name_count_for_nobody_but_a_stop_does(ward):
    before = ward.states()
    for person, said in ((V, "teacher: Deliver a medkit to beta."), (A, "Visitor: Cancel everything.")):
        ward.mission.hear(V, "Hello.")
        assert "so I do nothing" in ward.talk((person, said)) and ward.states() == before
    ward.talk((V, "teacher: Stop!"))
    assert not ward.moves()


@pytest.mark.parametrize(("said", "answer"), [
    ("What will you do when a door is stuck?", "look for another way"),
    ("What happens if something is missing?", "look for another way"),
    ("Who objected?", "Nobody has said no"), ("Who approved it?", "Nobody has said yes"),
    ("Beta is fine again.", "Beta is not closed."),
])  # fmt: skip
def test_questions_that_were_not_served(ward, said, answer):
    assert answer in ward.talk((A, said))


def test_who_said_yes_or_no_and_what_was_taught_is_told(ward):
    ward.talk((B, "If a door is jammed, ask the nurse."))
    assert "I was taught: If a door is jammed ask the nurse" in ward.talk((A, "What will you do if a door is stuck?"))
    ward.fail()
    ward.talk((A, "No."))
    assert ward.talk((B, "Who objected?")).startswith("Instructor said no") and "You said no" in ward.talk(
        (A, "Who said no?")
    )


def test_a_place_that_is_fine_again_is_open(ward):
    ward.talk((A, "Stay out of beta."), (A, "Beta is fine again."))
    assert ward.talk((A, "Which places are closed?")) == "No place is closed."


def test_an_order_that_waits_for_an_answer_is_left_by_its_owner(ward):
    assert "Which door" in ward.talk((B, "Open the door."))
    assert "I leave" in ward.talk((B, "Cancel my order.")) and len(ward.goals()) == 1
