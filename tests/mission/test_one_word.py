"""One word that turns an utterance round is asked about: nothing is done, approved, listed or read back without it."""

import pytest

from coterie.talk.marks import EARLY
from tests.mission.talkers import Hospital
from tests.mission.test_care import KIT, proposing

LESSON = ("Define new kit 'burnkit'.", "A medical caddy.", "Two painkillers.")


@pytest.fixture
def talk():
    return Hospital()


def accepting(talk, monkeypatch):
    accepted = []
    monkeypatch.setattr(talk.mission, "_accept", lambda goal, offer: accepted.append(offer.words))
    return accepted


# -- no ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["No Temi.", "No woundkit.", "No beta.", "No two medkits.", "Nope beta."])
def test_a_no_without_a_comma_changes_nothing(talk, text):
    talk.say("instructor", "Deliver a medkit to alpha.")
    assert "Do you mean" in talk.say("instructor", text)
    assert [g.state for g in talk.mission.goals.all()] == ["submitted"] and talk.goals() == [f"{KIT} at alpha"]


def test_a_no_with_a_comma_puts_right(talk):
    talk.say("instructor", "Deliver a medkit to alpha.")
    talk.say("instructor", "No, beta.")
    assert talk.goals() == [f"{KIT} at beta"]


# -- lists ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [
    "No gloves.", "No, no gloves.", "Remove one painkiller.", "Drop one painkiller.", "No more painkillers.",
    "Another painkiller.", "One painkiller less.", "Two more painkillers.", "Maybe gloves.", "Some gloves?",
    "At most three gloves.", "Gloves or a thermometer.", "Three gloves if there are any.",
])  # fmt: skip
def test_an_answer_that_changes_a_list_or_leaves_it_open_is_asked_about(talk, text):
    for line in LESSON:
        talk.say("teacher", line)
    assert "anything else?" in talk.say("teacher", text)
    talk.say("teacher", "Nothing else.")
    assert talk.mission.speech.kit_names()["burnkit"][1] == {"painkiller": 2}


@pytest.mark.parametrize(("text", "inside"), [("No, gloves.", {"gloves": 1}), ("No, three.", {"painkiller": 3}),
                                              ("And two gloves.", {"painkiller": 2, "gloves": 2})])  # fmt: skip
def test_a_plain_answer_counts(talk, text, inside):
    for line in (*LESSON, text, "No more."):
        talk.say("teacher", line)
    assert talk.mission.speech.kit_names()["burnkit"][1] == inside


# -- yes --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "state"), [
    ("Right, stop.", "paused"), ("Okay. Cancel.", "cancelled"), ("Yes. No.", "waiting"), ("Yes.. but wait", "paused"),
    ("OK. What if Spot is broken?", "waiting"), ("Ok. Who can open doors?", "waiting"),
    ("Yes. Purple elephants.", "waiting"), ("Yes. Whoa, whoa, stop it!", "paused"),
])  # fmt: skip
def test_a_yes_with_more_behind_it_approves_nothing(talk, monkeypatch, text, state):
    now, accepted = proposing(talk, "ask the nurse", "wait a while"), accepting(talk, monkeypatch)
    reply = talk.say("instructor", text)
    assert not accepted and now() == state
    assert state != "waiting" or "Do you want me to do it?" in reply


@pytest.mark.parametrize("text", ["Yes. Thanks.", "Yes, please.", "Yes, go ahead.", "Yes. Do it."])
def test_a_yes_with_courtesy_approves(talk, monkeypatch, text):
    proposing(talk, "ask the nurse")
    accepted = accepting(talk, monkeypatch)
    assert "nothing to say yes to" not in talk.say("instructor", text) and accepted == ["ask the nurse"]


@pytest.mark.parametrize("text", ["Yes.", "No.", "Go ahead. Thanks."])
def test_a_yes_or_no_from_before_it_was_proposed_answers_nothing(talk, monkeypatch, text):
    now, accepted = proposing(talk, "ask the nurse"), accepting(talk, monkeypatch)
    said = talk.say("instructor", EARLY + text)
    assert said.startswith("You said that before I could tell you what I propose.") and "Do you want me" in said
    assert not accepted and now() == "waiting"
    talk.say("instructor", "Yes.")
    assert accepted
    assert "I proposed nothing" in Hospital().say("instructor", EARLY + "Yes.")


def test_an_okay_before_a_question_is_no_answer(talk):
    assert talk.say("visitor", "Ok. Who can open doors?") == "Spot can open doors."


@pytest.mark.parametrize(("then", "accepted", "goals"), [
    ("One.", [], [f"{KIT} at alpha", f"{KIT} at beta"]), ("Two.", ["ask the nurse"], [f"{KIT} at alpha"]),
    ("No.", [], [f"{KIT} at alpha"]),
])  # fmt: skip
def test_a_yes_to_one_of_two_questions_is_asked_about(talk, monkeypatch, then, accepted, goals):
    talk.say("instructor", "Let Temi handle getting a medkit to room beta.")
    proposing(talk, "ask the nurse")
    found = accepting(talk, monkeypatch)
    assert "To which do you say yes?" in talk.say("instructor", "Yes.")
    assert not found and talk.goals() == [f"{KIT} at alpha"]
    talk.say("instructor", then)
    assert found == accepted and talk.goals() == goals


# -- what is read back ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [
    "Okay then, forget it.", "Fine, I will do it myself.", "Everybody may approve plans.", "Don't stop.",
    "Don't cancel.", "Yes, but without Spot.", "Avoid opening the alpha door.", "Open every door but alpha.",
    "Cancel all but the medkit.", "Nobody but the nurse may give orders.", "It is forbidden to open the alpha door.",
    "Do not let Spot open the alpha door.", "Bring everything except the gloves to table C.",
])  # fmt: skip
def test_the_opposite_is_not_read_back(talk, monkeypatch, text):
    now, accepted = proposing(talk, "ask the nurse"), accepting(talk, monkeypatch)
    reply = talk.say("instructor", text)
    assert "Do you mean" not in reply and "alpha door is open" not in reply and "Stop" not in reply
    assert now() == "waiting" and not accepted


@pytest.mark.parametrize(("text", "lost"), [
    ("The nurse may approve plans until noon.", "until"), ("The nurse may approve plans tomorrow.", "tomorrow"),
    ("The nurse may approve plans if I am away.", "if"), ("Cancel the medkit unless it is ready.", "unless"),
    ("If something is missing, ask the pharmacist unless it is night.", "unless"),
    ("Deliver a woundkit to beta at 5 pm.", "at 5 pm"), ("Deliver a woundkit to beta by Friday.", "by friday"),
    ("Deliver a woundkit to beta on Monday.", "on monday"),
    ("Deliver a woundkit to beta and wake the patient.", "and wake"),
])  # fmt: skip
def test_what_a_guess_leaves_out_is_said(talk, text, lost):
    talk.say("instructor", "Deliver a medkit to alpha.")
    assert f"leaves out what you said with '{lost}" in talk.say("instructor", text)
    assert talk.goals() == [f"{KIT} at alpha"]


# -- everything, nothing ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["Cancel everything.", "Cancel all."])
def test_everything_is_called_off(talk, text):
    for line in ("Deliver a medkit to alpha.", "Open the beta door.", text):
        talk.say("instructor", line)
    assert talk.goals() == []


def test_a_table_that_is_not_empty_is_no_longer_taken_for_empty(talk):
    talk.say("teacher", "Table F is empty.")
    assert talk.mission.knowledge.value("stock", "gloves", "tableF") == 0
    assert "Thank you" in talk.say("teacher", "Table F is not empty.")
    assert talk.mission.knowledge.value("stock", "gloves", "tableF") != 0


@pytest.mark.parametrize(("text", "state"), [
    ("Bus stop.", "submitted"), ("Non-stop service please.", "submitted"), ("Stop!", "paused"),
    ("Come to a full stop!", "paused"),
])  # fmt: skip
def test_a_stop_that_is_a_place_stops_nothing(talk, text, state):
    talk.say("instructor", "Deliver a medkit to alpha.")
    talk.say("visitor", text)
    assert talk.mission.goals["g1"].state == state


# -- out of a list ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [
    "Keep the gloves out of it.", "Leave the gloves out again.", "Leave the gloves out.", "Drop the gloves.",
    "Take the gloves out.", "Skip the gloves.", "Scrap the gloves.", "Without the gloves.", "Not the gloves.",
    "The gloves shouldn't be in there.", "We don't need the gloves.", "Remove the gloves.", "Forget the gloves.",
    "I don't want the gloves in it.", "Minus the gloves.", "Get rid of the gloves.",
])  # fmt: skip
def test_what_is_taken_out_of_a_list_is_out_of_it(talk, text):
    for line in (*LESSON, "Two gloves."):
        talk.say("teacher", line)
    assert "anything else?" in talk.say("teacher", text)
    assert talk.goals() == []
    talk.say("teacher", "Nothing else.")
    assert talk.mission.speech.kit_names()["burnkit"][1] == {"painkiller": 2}
