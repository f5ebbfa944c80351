"""Stops in more words: waits, brakes, harm as it happens, somebody in the way; and what only sounds like one."""

import pytest

from coterie.mission.dialogue.quick import read
from coterie.mission.language.stops.first import stop_first
from coterie.mission.language.stops.harm import in_danger
from coterie.talk import meanings as m
from tests.mission.ward import A, V, with_medkit

pytestmark = pytest.mark.usefixtures("quick")

WAITS = (
    "Hang on a moment!", "Everybody hold!", "Do not proceed.", "Would you mind stopping?", "Mind waiting a bit?",
    "Brakes!", "Pull the plug!", "Kill the power!", "Cease and desist.", "No further!", "You should stop now.",
    "I need you all to stand by.", "Why don't you stop?", "Give me a second before you go on.",
)  # fmt: skip
OF = (
    "Stop the one to beta.", "Stop the robot with the kit!", "Halt whatever is on its way to alpha.",
    "Stop pushing that trolley!", "He is bleeding, stop the robots!",
)  # fmt: skip
HARM = (
    "Spot just drove over my foot!", "Temi has just hit the patient!", "My hand is stuck in Fetch's gripper!",
    "Get off my foot!", "Let go of my arm!", "There's somebody lying on the floor in front of Temi.",
    "Temi will hit the nurse!", "The lady's sleeve is caught!", "Its wheel is on my shoe!", "You're crushing it!",
    "A child is sitting under Spot.", "Somebody has fallen in the corridor!", "Someone is going to get hurt!",
    "I think Spot has hit somebody.", "I am pinned between Temi and the wall.", "Stay away from the patient!",
    "Temi is on my foot, it was too fast!", "My foot!",
)  # fmt: skip
REASONS = (
    "Please don't come into alpha right now, the patient is naked.", "Do not come in, I'm not dressed.",
    "The patient can't breathe, make way!", "Nobody touches that caddy!", "Don't touch those gloves, they are mine.",
)  # fmt: skip
NONE = (
    "The stop button is red.", "The stop took a long time.", "Spot did not hit anyone.", "Nobody is hurt.",
    "Did Spot hit somebody?", "Nobody is lying in front of Temi.", "Is somebody standing in front of Temi?",
    "Yesterday Temi hit the patient.", "Spot once drove over my foot.", "If Spot hits somebody, tell me.",
    "The nurse said that Temi hit the patient.", "He broke his leg.", "She hit her head at home.",
    "Temi is standing at the patient's bed.", "Temi is pushing the bed.", "My hand is cold.",
    "My foot hurts since Monday.", "Nobody touched table D.",
    "Would Spot hurt a child?", "I would not mind waiting.", "The brakes are fine.", "Nobody touched that caddy.",
    "Don't stop the delivery.", "Stop the delivery if the nurse comes.", "Do you mind the noise?",
    "Can I stop the one to beta?", "The patient has fallen asleep.",
)  # fmt: skip


@pytest.fixture(scope="module")
def ward():
    return with_medkit()


@pytest.mark.parametrize("said", [*WAITS, *OF, *HARM, *REASONS])
def test_a_visitor_is_heard_at_once(ward, said):
    before = ward.moves()
    reply = ward.talk((V, said))
    assert "stop" in reply and ward.moves() < before
    ward.talk((V, "Never mind."), (A, "Continue."))
    assert ward.moves() == before


@pytest.mark.parametrize("said", [*WAITS, *OF, *HARM])
def test_it_is_heard_while_a_plan_is_sought(ward, said):
    first = read(said, ward.mission.partner.vocabulary)[0][0]
    assert isinstance(first, m.Stop) or m.only_waits(first)


@pytest.mark.parametrize("said", NONE)
def test_what_only_sounds_like_it_stops_nobody(ward, said):
    before = ward.moves()
    ward.talk((V, said), (V, "No."))
    assert ward.moves() == before
    assert not in_danger(said, ward.mission.partner.vocabulary)


@pytest.mark.parametrize("said", [s for s in HARM if s.endswith("!") and "off" not in s and "go of" not in s])
def test_harm_that_is_asked_about_or_supposed_is_none(ward, said):
    vocabulary = ward.mission.partner.vocabulary
    for other in (said.rstrip("!") + "?", f"If {said}", f"She said: {said}", f"Yesterday {said}"):
        assert not in_danger(other, vocabulary)


def test_a_reason_that_says_something_is_heard_too(ward):
    first = stop_first("Don't go into alpha, the alpha door is locked.", ward.mission.partner.vocabulary)
    assert first is None or (first.meaning == m.Zone("alpha") and first.rest == "the alpha door is locked.")


def test_to_stop_working_on_something_lets_that_rest(ward):
    vocabulary = ward.mission.partner.vocabulary
    assert stop_first("Stop working on the medkit.", vocabulary).of == "medkit"
    assert stop_first("Stop the lesson.", vocabulary) is None


def test_what_is_ordered_behind_such_a_stop_is_not_lost(ward):
    first = stop_first("Stop the one to beta and put gloves on table F.", ward.mission.partner.vocabulary)
    assert first.meaning == m.Stop() and first.rest == "put gloves on table F."
