"""What only sounds like an order, a fact or an answer: nothing is done by it, and what is dropped is said."""

import pytest

from tests.mission.ward import A, B, V, with_medkit

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def ward():
    return with_medkit()


@pytest.mark.parametrize("said", [
    "I changed my mind.", "I have changed my mind.", "I was going to cancel the medkit.", "Should I cancel the medkit?",
    "Is the medkit no longer needed?", "Temi was broken last week.", "It is not true that table E is empty.",
    "Nobody says that Temi is broken.", "No need for the medkit to hurry.", "Evan said you should go to gamma.",
    "After the medkit has arrived, take gloves to table F.", "Not Spot.",
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


def test_words_under_somebody_elses_name_count_for_nobody_but_a_stop_does(ward):
    before = ward.states()
    for person, said in ((V, "teacher: Deliver a medkit to beta."), (A, "Visitor: Cancel everything.")):
        ward.mission.hear(V, "Hello.")
        assert "so I do nothing" in ward.talk((person, said)) and ward.states() == before
    ward.talk((V, "teacher: Stop!"))
    assert not ward.moves()


def test_who_said_yes_or_no_and_what_was_taught_is_told(ward):
    ward.talk((B, "If a door is jammed, ask the nurse."))
    assert "I was taught: If a door is jammed ask the nurse" in ward.talk((A, "What will you do if a door is stuck?"))
    ward.fail()
    ward.talk((A, "No."))
    assert ward.talk((B, "Who objected?")).startswith("Instructor said no") and "You said no" in ward.talk(
        (A, "Who said no?")
    )


def test_an_order_that_waits_for_an_answer_is_left_by_its_owner(ward):
    assert "Which door" in ward.talk((B, "Open the door."))
    assert "I leave" in ward.talk((B, "Cancel my order.")) and len(ward.goals()) == 1


def test_an_order_that_waits_is_called_off_by_its_name_and_nothing_of_others_with_it(ward):
    ward.talk((B, "Deliver a feverkit to beta."), (A, "When table E is empty, deliver a feverkit to alpha."))
    assert "I leave that: When table E is empty" in ward.talk((A, "Cancel the feverkit."))
    assert list(ward.states().values()) == ["running"] * 2 and not ward.mission.doing.standing


def test_one_that_waits_beside_one_under_way_is_asked_about(ward):
    ward.talk((A, "Deliver a feverkit to beta."), (A, "When table E is empty, deliver a feverkit to alpha."))
    reply = ward.talk((A, "Cancel the feverkit."))
    assert "There is more than one." in reply and "Also: When table E is empty" in reply
    assert list(ward.states().values()) == ["running"] * 2 and ward.mission.doing.standing
    ward.talk((A, "Yes."))
    assert list(ward.states().values()) == ["running"] and not ward.mission.doing.standing
