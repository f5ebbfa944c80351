"""A no, "undo that" and "instead" are about what their speaker knows, did and may change."""

import pytest

from tests.mission.ward import PAIN, A, B, V

N = "nurse"
ALPHA = "a medkit (2 painkillers, 1 bandage box) at alpha"


def contents(ward, kit="medkit"):
    return ward.mission.speech.kit_names()[kit][1]


# -- a no -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", ["No.", "No thanks.", "Never mind.", "Nope.", "Yes."])
def test_an_answer_to_what_its_speaker_was_never_told_of_answers_nothing(ward, said):
    ward.talk((B, "Deliver a medkit to alpha."))
    ward.fail()
    reply = ward.talk((A, said))
    assert "which teacher wants" in reply and reply.endswith("Do you want me to do it?")
    assert ward.states() == {ALPHA: "waiting"} and not [t for t in ward.told(B) if A in t]
    assert "I leave that" in ward.talk((A, "No.")) and ward.states() == {ALPHA: "failed"}
    assert any("instructor said no" in t for t in ward.told(B))


def test_never_mind_is_first_about_a_question_of_ones_own(ward):
    ward.talk((B, "Deliver a medkit to alpha."), (A, "How long will it take?"))
    ward.fail()
    assert ward.talk((A, "Never mind.")) == "All right." and ward.states() == {ALPHA: "waiting"}
    assert "Do you want me to do it?" in ward.talk((A, "No.")) and ward.states() == {ALPHA: "waiting"}


def test_never_mind_right_after_an_order_offers_to_call_it_off(ward):
    ward.talk((B, "Deliver a medkit to alpha."))
    assert f"call off {ALPHA}?" in ward.talk((B, "Never mind."))


def test_never_mind_is_first_about_an_order_of_ones_own(ward):
    ward.talk((B, "Deliver a medkit to alpha."), (A, "Put one painkiller on table C."))
    ward.fail()
    assert f"call off {PAIN}?" in ward.talk((A, "Never mind."))
    ward.talk((A, "Yes."))
    assert ward.states() == {ALPHA: "waiting"}


def test_who_was_lent_the_right_is_told_before_a_no_counts(ward):
    ward.talk((B, "Deliver a medkit to alpha."), (B, "The nurse may approve plans."))
    ward.fail()
    assert "Do you want me to do it?" in ward.talk((N, "No.")) and ward.states() == {ALPHA: "waiting"}
    assert "may not approve" in ward.talk((V, "No.")) and ward.states() == {ALPHA: "waiting"}


# -- a lesson ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("undo", ["Undo that.", "Scratch that.", "Forget that."])
def test_what_was_done_beside_a_lesson_is_taken_back_and_the_lesson_goes_on(ward, undo):
    ward.talk((B, "Define a new skill 'rounds'."), (B, "From now on a medkit has three painkillers."))
    assert contents(ward)["painkiller"] == 3
    assert "I go on with the skill rounds.\nWhat is the first step" in ward.talk((B, undo))
    assert contents(ward)["painkiller"] == 2
    rules = set(ward.mission.recovery.rules)
    ward.talk((B, "Open the alpha door."), (B, "Close gamma."))
    assert set(ward.mission.recovery.rules) != rules
    assert ward.talk((B, undo)).endswith("I go on with the skill rounds.\nAnd then?")
    assert set(ward.mission.recovery.rules) == rules


def test_answers_of_a_lesson_are_taken_back_one_by_one_and_asked_for_again(ward):
    ward.talk((B, "Define a new kit 'firstaid'."), (B, "A medical caddy."), (B, "Two painkillers."))
    ward.talk((B, "Deliver a medkit to alpha."))
    assert "Deliver a medkit to alpha. I go on" in ward.talk((B, "Undo that.")) and ward.goals() == []
    assert "Two painkillers. I go on" in ward.talk((B, "Undo that."))
    ward.talk((B, "Three gloves."), (B, "Nothing else."))
    assert contents(ward, "firstaid") == {"gloves": 3}


@pytest.mark.parametrize("said", ["Leave the lesson.", "Forget the lesson.", "Cancel this lesson.", "Never mind."])
def test_a_lesson_is_left_by_words_of_its_own(ward, said):
    ward.talk((B, "Define a new skill 'rounds'."), (B, "Open the alpha door."))
    assert ward.talk((B, said)) == "All right; I leave the skill rounds."
    assert "rounds" not in [x.label for x in ward.mission.partner.teaching.lessons]


def test_where_no_lesson_is_given_leaving_it_touches_nothing(ward):
    ward.talk((B, "Deliver a medkit to alpha."))
    ward.fail()
    assert "no lesson" in ward.talk((B, "Leave the lesson.")) and ward.states() == {ALPHA: "waiting"}


def test_what_took_back_a_zone_is_no_deed_to_undo(ward):
    rules = set(ward.mission.recovery.rules)
    ward.talk((B, "Close gamma."), (B, "Undo that."))
    assert "already" in ward.talk((B, "Undo that.")) and set(ward.mission.recovery.rules) == rules


def test_where_a_thing_will_be_found_is_a_place_and_no_order(ward):
    ward.talk((B, "The nurse may teach."), (N, "Define a new kit 'firstaid'."), (N, "A medical caddy."))
    ward.talk((N, "Two scissors."), (N, "This is one."))
    assert "Does a firstaid contain anything else?" in ward.talk((N, "You'll find them on table C."))
    assert "does not answer" in ward.talk((N, "You'll find them on table C."))
    ward.talk((N, "Nothing else."))
    assert "take note" in ward.talk((N, "You will find painkillers on table C.")) and ward.goals() == []


# -- instead ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "Take the medkit to beta instead.", "No, deliver a medkit to beta.", "Take a feverkit to gamma instead.",
    "Put gloves on table C instead.", "Bring gloves instead.",
])  # fmt: skip
def test_instead_of_what_somebody_else_wants_changes_nothing_and_tells_what_to_leave(ward, said):
    assert ward.talk((A, said)).startswith("Instead of what? Nobody wants anything") and ward.goals() == []
    ward.talk((B, "Deliver a medkit to alpha."))
    reply = ward.talk((A, said))
    assert reply.startswith(f"Instead of what? teacher wants {ALPHA}") and "To have it as well, say:" in reply
    assert ward.goals() == [ALPHA]


def test_who_opened_a_place_is_told_when_it_is_closed_again(ward):
    ward.talk((A, "Close gamma."), (B, "Open gamma."))
    ward.mission.desk.take()
    ward.talk((A, "Close gamma."))
    assert any("gamma is closed" in t for t in ward.told(B))
