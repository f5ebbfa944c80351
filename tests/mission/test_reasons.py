"""Questions for reasons, rights and what was done: each is answered as what it asks, and changes nothing."""

import pytest

from tests.mission.ward import A, B, V, with_medkit

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def ward():
    return with_medkit()


@pytest.mark.parametrize(("said", "answer"), [
    ("why are you going there?", "since instructor wants a medkit"), ("Why Spot?", "since instructor wants a medkit"),
    ("Why Fetch?", "since instructor wants a medkit"), ("Why is the alpha door shut?", "The alpha door is shut."),
    ("How come the alpha door is shut?", "Why, nobody has told me."), ("Why is table E empty?", "It is not so that"),
    ("Why is the door to alpha open?", "It is not so that the alpha door is open"),
    ("Why not use the bandage box on table G?", "nobody has looked"),
    ("Why don't you take the gloves from table D?", "does not need them"),
    ("What if nobody opens the alpha door?", "If the alpha door is jammed"),
    ("What happens if no one can open the alpha door?", "If the alpha door is jammed"),
    ("Can I also approve plans?", "Yes, you may approve plans"), ("May I set policies too?", "No, instructor may not"),
    ("Do I have the right to teach you?", "The teacher may teach."),
    ("Can I cancel orders?", "Yes, you may give commands"),
    ("Am I permitted to stop you?", "Yes, you may stop robots"), ("why are we waiting?", "since instructor wants"),
    ("Why does Fetch have to do it?", "since instructor wants"), ("What have the robots done?", "instructor wants"),
    ("Why don't you get the gloves from the nurse?", "Where should it go?"),
])  # fmt: skip
def test_the_reason_and_the_right_that_were_asked_for_are_told(ward, said, answer):
    states = ward.states()
    reply = ward.talk((A, said))
    assert answer in reply and "Nothing has failed" not in reply and ward.states() == states


def test_who_said_what_is_so_is_named(ward):
    ward.talk((B, "Table C is empty."))
    assert "Teacher said so." in ward.talk((A, "Why is table C empty?"))
    assert "Teacher said so." in ward.talk((A, "Why are there no gloves on table C?"))


def test_who_let_robots_go_on_is_told_after_another_stop(ward):
    ward.talk((V, "Stop!"), (A, "Go on."), (V, "Stop!"))
    reply = ward.talk((V, "Why did you go on?"))
    assert "Visitor stopped everything" in reply and "Before that instructor said continue." in reply


def test_what_robots_did_is_part_of_what_was_done(ward):
    assert "done" not in ward.talk((A, "What have you done so far?"))
    item = next(i for i in ward.mission.agenda if not i.after)
    item.state, item.ended_s = "done", 65.0
    ward.mission.agenda.past.append(item)
    words = ward.mission.domain.step_words(item.robot, item.action)
    assert f"1 step is done:\n  1:05 {words}" in ward.talk((A, "What have you done so far?"))


@pytest.mark.parametrize("said", [
    "When table E is empty, don't bring a bandage box to table E.", "If something is missing, do not ask the nurse.",
    "Don't bring a bandage box to table E when table E is empty.", "If a door is jammed, never give up.",
    "Whenever table E is empty, nobody should bring gloves to table E.",
])  # fmt: skip
def test_what_is_not_to_be_done_in_a_case_is_no_question_and_not_turned_round(ward, said):
    reply = ward.talk((B, said))
    assert "Do you mean" not in reply and "I take it for" not in reply and not list(ward.mission.lessons)


@pytest.mark.parametrize(
    "said", ["May I ask you to stop?", "Could I get you to stop", "Can I trouble you to stop now?"]
)
def test_a_plea_to_stop_is_no_question_for_a_right(ward, said):
    reply = ward.talk((V, said))
    assert "may stop" not in reply and ("Everything stops" in reply or "Do you mean: Stop." in reply)


def test_a_thing_of_a_kit_that_is_under_way_is_left_out_of_the_kit(ward):
    reply = ward.talk((B, "Leave out the bandage box."))
    assert "There is no goal with the bandage box. It is part of a medkit" in reply
    assert "2 painkillers)" in ward.talk((B, reply.rpartition("say: ")[2]))


def test_why_somebody_may_not_go_somewhere_names_who_closed_it(ward):
    ward.talk((B, "Close table C for Spot."))
    assert ward.talk((A, "Why can't Spot go to table C?")) == "Table C is closed for Spot: teacher said so."
    assert ward.talk((A, "Why is table C closed for Spot?")) == "Table C is closed for Spot: teacher said so."
    assert "Table D is open" in ward.talk((A, "Why is table D off limits?"))
