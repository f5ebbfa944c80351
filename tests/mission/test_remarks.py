"""What only tells of thoughts is no answer; a cry of no or to get away is a stop; apostrophes may be curly."""

import pytest

from coterie.mission.dialogue.quick import read
from coterie.talk import meanings as m
from tests.mission.talkers import Hospital
from tests.mission.ward import A, B, V, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")
LESSON = ("Define a new kit 'burnkit'.", "A medical caddy.", "Two antiseptics.")


def learnt(*said):
    talk = Hospital()
    replies = [talk.say(B, words) for words in (*LESSON, *said, "Nothing else.")]
    return dict(talk.mission.speech.kit_names()["burnkit"][1]), replies[3:]


@pytest.mark.parametrize("said", [
    "I was thinking of gloves.", "I wanted gloves.", "I remember gloves.", "I had gloves in mind.",
    "I wish we had gloves.", "We considered two gloves.", "I'm thinking of gloves.", "The doctor asked for gloves.",
    "I need gloves for my hands.", "I used to want gloves.",
])  # fmt: skip
def test_a_thought_is_no_answer_and_is_asked_about(said):
    contents, replies = learnt(said)
    assert contents == {"antiseptic": 2} and "I have not taken that for an answer." in replies[0]
    assert "loves." in replies[0].split("say just: ")[1]


@pytest.mark.parametrize("said, inside", [
    ("I think gloves.", {"antiseptic": 2, "gloves": 1}), ("I guess two gloves.", {"antiseptic": 2, "gloves": 2}),
    ("I would like two gloves.", {"antiseptic": 2, "gloves": 2}), ("I meant gloves.", {"gloves": 1}),
    ("No, I wanted gloves.", {"gloves": 1}), ("It should have been gloves.", {"gloves": 1}),
])  # fmt: skip
def test_a_hedge_is_an_answer_and_a_correction_puts_right(said, inside):
    assert learnt(said)[0] == inside


def test_an_order_with_a_place_is_done_beside_a_lesson():
    talk = Hospital()
    for words in (*LESSON, "Bring gloves to table F."):
        talk.say(B, words)
    assert talk.goals() == ["1 gloves at table F"]


def test_what_is_in_it_so_far_is_the_list_as_it_stands():
    talk = Hospital()
    assert "told me nothing of the kit burnkit" in [talk.say(B, w) for w in (LESSON[0], "What is in it so far?")][1]
    for words in (*LESSON[1:], "Gloves.", "Actually one antiseptic only.", "Without gloves."):
        talk.say(B, words)
    so_far = talk.say(B, "What is in it so far?").splitlines()[0]
    assert so_far.endswith(": A medical caddy and an antiseptic.")


# -- cries ------------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def ward():
    return with_medkit()


@pytest.mark.parametrize("said", [
    "No no no no!", "No, no, no!", "No! No!", "Nonono!", "Oh no no no!", "Please don't!", "No, don't!", "Look out!",
    "Get out of my way!", "Move, move!", "Watch out!", "Out of the way, please!", "Step aside!", "Let me through!",
    "Make way!", "Let the patient pass, please.", "Danger!", "Don\u2019t move!",
    "For heaven\u2019s sake don\u2019t move!",
])  # fmt: skip
def test_a_cry_of_no_or_to_get_away_stops(ward, said):
    assert ward.moves()
    assert "Everything stops." in ward.talk((V, said)) and not ward.moves()
    assert isinstance(read(said, ward.mission.partner.vocabulary)[0][0], m.Stop)
    ward.talk((A, "Continue."))


@pytest.mark.parametrize("said", [
    "No.", "No!", "No no.", "No, two.", "Look out for gloves.", "Get the gloves out of the way.", "Make room for it.",
    "What if somebody is in the way?", "Should Spot get out of the way?", "I said no no no to the doctor.",
    "Let the nurse pass the orders.", "Move the gloves.", "Don't stop!",
])  # fmt: skip
def test_what_is_no_cry_stops_nobody(ward, said):
    ward.talk((V, said), (V, "Never mind."))
    assert ward.moves() == {"Fetch", "Spot", "Temi"}


def test_a_cry_of_no_answers_what_was_asked():
    ward = with_medkit()
    assert "call off" in ward.talk((A, "No."))
    assert ward.talk((A, "No no no!")) == "All right; I do nothing." and ward.moves()
    ward = with_medkit()
    ward.fail()
    ward.talk((A, "No no no no!"))
    assert not any(s == "paused" for s in ward.states().values())


def test_a_cry_in_a_lesson_stops_and_ends_no_list():
    ward = Ward()
    ward.talk((A, "Deliver a medkit to alpha."), *((B, words) for words in LESSON))
    reply = ward.talk((B, "No no no!"))
    assert "Everything stops." in reply and reply.endswith("Does a burnkit contain anything else?") and not ward.moves()
