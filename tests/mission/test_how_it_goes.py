"""How far something is, whether it is being brought, and orders of things that wait, hurry and go on."""

import pytest

from tests.mission.ward import A, B, V, Ward

pytestmark = pytest.mark.usefixtures("quick")
GLOVES = "2 gloves at table C"


@pytest.fixture
def ward():
    """A ward in which two gloves are on their way to a table."""
    ward = Ward()
    ward.talk((A, "Put two gloves on table C."))
    return ward


# -- how far ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "said",
    [
        "How far along is it?", "How far are you?", "How's it going with the gloves?", "Are the gloves there yet?",
        "How far have you got with the gloves?", "How are the gloves coming along?", "Is it nearly there?",
    ],
)  # fmt: skip
def test_how_far_it_is_is_told_in_any_words(ward, said):
    assert ward.talk((A, said)).startswith(f"{GLOVES} is being worked on")
    assert ward.talk((A, "Wait with the gloves."), (A, said)).startswith(f"{GLOVES} rests")


def test_how_far_something_is_that_nobody_wants_is_not_what_others_want(ward):
    assert ward.talk((A, "How far are you with the medkit?")) == "Nothing with the medkit is under way."
    ward.talk((A, "Cancel the gloves."))
    assert ward.talk((A, "How far along is it?")).startswith("Nothing is under way.")


def test_how_far_a_thing_is_that_goes_with_a_kit():
    ward = Ward()
    ward.talk((A, "Deliver a medkit to alpha."))
    assert ward.talk((A, "How's it going with the bandage box?")).startswith("A medkit")


def test_how_long_a_thing_takes_is_told_of_that_alone(ward):
    ward.talk((A, "Deliver a medkit to alpha."))
    for said in ("How much longer with the gloves?", "When are the gloves coming?", "How long will the gloves take?"):
        told = ward.talk((A, said))
        assert GLOVES in told and "medkit" not in told


@pytest.mark.parametrize(
    "said", ["What happened so far?", "What happened while I was away?", "What has happened lately?"]
)
def test_what_happened_is_told(ward, said):
    assert f"instructor wants {GLOVES}" in ward.talk((A, said))


# -- what is being brought --------------------------------------------------------------------------------------------
def test_whether_something_is_being_brought_is_answered_both_ways(ward):
    asked = "Is somebody bringing something to table C?"
    assert ward.talk((A, asked)).startswith(f"Yes: instructor wants {GLOVES}")
    assert "With a part in it: Fetch" in ward.talk((B, asked))
    assert ward.talk((A, "Is somebody bringing something to alpha?")).startswith(
        "No, nobody is bringing anything to alpha"
    )
    assert ward.talk((A, "Is Spot bringing gloves to table C?")).startswith("No, Spot is not bringing gloves")
    assert ward.talk((A, "Are the painkillers being brought to table C?")).startswith("No, nobody")
    assert "it rests" in (no := ward.talk((V, "Stop!"), (A, asked))) and no.startswith("No, nobody")
    ward.talk((A, "Cancel the gloves."))
    assert ward.talk((A, asked)) == "No, nobody is bringing anything to table C at the moment."


def test_what_is_in_a_kit_is_brought_with_it():
    ward = Ward()
    ward.talk((A, "Deliver a medkit to alpha."))
    assert ward.talk((A, "Is anybody bringing a bandage box to alpha?")).startswith("Yes: instructor wants a medkit")
    assert ward.talk((A, "Is anybody bringing gloves to alpha?")).startswith("No, nobody is bringing gloves")


# -- waiting and going on ---------------------------------------------------------------------------------------------
def test_who_speaks_of_what_is_not_ordered_pauses_nothing(ward):
    assert "no goal with the medkit" in ward.talk((A, "Hold off on the medkit for a sec."))
    assert "may not" in ward.talk((V, "Hold off on the gloves for a sec."))
    assert ward.states() == {GLOVES: "running"}


@pytest.mark.parametrize("said", ["Leave it for now.", "Start again.", "Put it aside."])
def test_what_may_be_about_what_is_asked_neither_pauses_nor_moves_anything(ward, said):
    ward.talk((B, "Open the side door."), (B, "Pause the order."), (B, "Define a new kit 'firstaid'."))
    before = ward.states()
    ward.talk((B, said))
    assert ward.states() == before


def test_back_to_work_lets_what_rests_go_on(ward):
    ward.talk((V, "Stop!"))
    assert ward.states() == {GLOVES: "paused"}
    ward.talk((A, "Back to work, everyone."))
    assert ward.states() == {GLOVES: "running"}
    assert ward.talk((A, "Back to work, everyone.")) == "Nothing rests: everything goes on."


def test_a_word_that_all_is_well_by_itself_moves_nobody(ward):
    ward.talk((V, "Stop!"))
    for said in ("Everything is fine.", "False alarm.", "Everything is fine, don't go on yet."):
        ward.talk((A, said))
        assert ward.states() == {GLOVES: "paused"} and not ward.moves()


def test_one_that_waits_and_one_that_goes_on_in_one_sentence_are_not_mixed_up():
    ward = Ward()
    ward.talk((A, "Deliver a medkit to alpha."), (A, "Deliver a woundkit to beta."))
    reply = ward.talk((A, "Can we pause the medkit and go on with the woundkit?"))
    assert "Do you mean: Resume the order for a medkit" not in reply and "paused" not in ward.states().values()
