"""Words in a lesson that are no answer, and corrections that keep what was said last."""

import pytest

from tests.mission.ward import MEDKIT, B, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def lesson():
    ward = Ward()
    ward.talk((B, "Define a new kit 'bluekit'."), (B, "A medical caddy."), (B, "A painkiller."))
    return ward


def learnt(ward):
    ward.talk((B, "Nothing else."))
    return ward.mission.speech.kit_names()["bluekit"][1]


@pytest.mark.parametrize("said", ["forget the bluekit? no way", "swap them? nah", "Leave it? No."])
def test_a_question_that_somebody_answers_themselves_does_nothing(lesson, said):
    reply = lesson.talk((B, said))
    assert "no to your own question" in reply and "Does a bluekit contain anything else?" in reply
    assert learnt(lesson) == {"painkiller": 1}


def test_nor_does_it_call_off_an_order():
    ward = with_medkit()
    ward.talk((B, "Continue? No."))
    assert ward.goals() == [f"{MEDKIT} at alpha"] and ward.talk((B, "Yes.")) != "All right; I do nothing."


def test_a_bare_no_ends_the_list(lesson):
    assert "I have learnt it" in lesson.talk((B, "No."))


def test_what_stands_in_for_something_counts_although_it_was_taken_out_before(lesson):
    lesson.talk((B, "Zero gloves."), (B, "Gloves instead of the painkiller."))
    assert learnt(lesson) == {"gloves": 1}


def test_what_was_said_after_it_of_other_things_stays(lesson):
    lesson.talk((B, "Zero gloves."), (B, "Two thermometers."), (B, "Gloves instead of the painkiller."))
    assert learnt(lesson) == {"gloves": 1, "thermometer": 2}


def test_what_is_taken_out_stays_out(lesson):
    lesson.talk((B, "Gloves."), (B, "Zero gloves."))
    assert learnt(lesson) == {"painkiller": 1}


@pytest.mark.parametrize(
    "said", ["actually call it pinkkit", "Call it redkit.", "No, name it pinkkit.", "Rename it pinkkit."]
)
def test_another_name_is_no_thing_of_the_kit(lesson, said):
    assert "I cannot give the kit bluekit another name." in lesson.talk((B, said))
    assert learnt(lesson) == {"painkiller": 1}


def test_a_name_that_is_asked_for_may_be_given_so():
    ward = Ward()
    assert "What is the kit called?" in ward.talk((B, "Define a new kit."))
    assert "another name" not in ward.talk((B, "Call it pinkkit."))


def test_a_second_lesson_says_that_the_first_waits(lesson):
    reply = lesson.talk((B, "Define a new kit 'redkit'."))
    assert "The kit bluekit waits until the kit redkit is done." in reply and "container does a redkit use?" in reply
    reply = lesson.talk((B, "A medical caddy."), (B, "Gloves."), (B, "Nothing else."))
    assert "a redkit contains gloves" in reply and "Does a bluekit contain anything else?" in reply
    assert learnt(lesson) == {"painkiller": 1}
