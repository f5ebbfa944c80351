"""Stops with an or behind them, pleas of others, families of danger; remarks that stop nobody; a stop that is kept."""

import pytest

from coterie.mission.dialogue.quick import read
from coterie.mission.language.stops.harm import in_danger
from coterie.mission.language.stops.unmeant import unmeant
from coterie.talk import meanings as m
from tests.mission.ward import A, B, V, with_medkit

pytestmark = pytest.mark.usefixtures("quick")

OR = ("Stop it, or somebody gets hurt", "stop or I'll scream", "stop it at once or I call security", "freeze or I cry")
PLEAS = (
    "I think you should stop now", "I believe it should stop", "he wants you to stop", "cease all movement",
    "all robots hold position", "Power off", "Turn that thing off!!", "everybody stays where they are",
    "please wait, bed coming through", "hey get that robot off me", "wait a sec", "bring everything to a standstill",
    "HELP", "help!", "hey hey hey!", "the patient is asking you to stop", "one sec, I need to get past",
    "stop hurting me", "Stop taking that away from me", "stop shaking the bed", "Quit pushing me", "hang on hang on",
    "somebody switch it off", "I want everything stopped",
)  # fmt: skip
DANGER = (
    "somebody fell down right next to Spot", "the lady in the corridor collapsed", "he isn't breathing", "code blue!",
    "a child is running towards Temi", "there are children in the hall", "a puppy walked in front of Spot",
    "careful, she's right behind you!", "It's on fire!", "Temi is smoking", "I smell something burning",
    "Fetch is tipping over!", "it's going to fall on someone", "Spot is out of control", "Temi has gone mad",
    "Spot won't stop!", "it's not letting go of my wrist", "Spot's got the patient's IV line!", "Spot bit me",
    "Spot is heading straight for the stairs", "the kid's finger is in the gripper", "Temi's blocking the crash cart!",
    "my foot is under Temi", "there's smoke coming out of Fetch",
)  # fmt: skip
REMARKS = (
    "we will stop at five", "we stop work at six", "I need to stop eating sweets", "wait till you see my new shoes",
    "freeze-dried soup again", "watch out, here comes the sun", "ouch, that's an expensive coffee",
    "the doctor will stop the infusion soon", "the elevator will stop at floor three", "he should stop smoking",
    "I can hardly wait for the weekend", "our team is on fire this season", "she fell in love with the doctor",
    "the patient has fallen asleep", "my hair is out of control", "a child drew this picture of Spot",
    "a cat lives near the hospital", "the thermometer fell off table C", "the children are in school today",
    "the nurse stands next to Spot and smiles", "the oxygen bottle was replaced this morning", "help", "hey hey",
    "I slipped the note under the door", "Stop or go on?", "Is there a child in the corridor?", "Spot is very fast",
    "stop worrying about it", "Stop by whenever you like", "hold on to the railing", "my notes are under the table",
)  # fmt: skip


@pytest.fixture(scope="module")
def ward():
    return with_medkit()


@pytest.mark.parametrize("said", [*OR, *PLEAS, *DANGER])
def test_a_visitor_stops_robots_in_any_of_these_words(ward, said):
    before = ward.moves()
    assert before and "stops." in ward.talk((V, said)) and not ward.moves()
    first = read(said, ward.mission.partner.vocabulary)[0][0]
    assert isinstance(first, m.Stop) or m.only_waits(first)
    ward.talk((V, "Never mind."), (A, "Continue."))
    assert ward.moves() == before


@pytest.mark.parametrize("said", REMARKS)
def test_a_remark_stops_nobody(ward, said):
    before = ward.moves()
    ward.talk((V, said), (V, "No."))
    assert ward.moves() == before and not in_danger(said, ward.mission.partner.vocabulary)


@pytest.mark.parametrize("said", [s for s in DANGER if "!" not in s])
def test_danger_that_is_asked_about_supposed_or_told_is_none(ward, said):
    for other in (f"{said}?", f"If {said}, tell me.", f"She said {said}.", f"Yesterday {said}."):
        assert not in_danger(other, ward.mission.partner.vocabulary), other


@pytest.mark.parametrize("said", [
    "We need to stop now!", "we have to stop everything", "Stop eating my gloves, robots!", "we must stop you at once",
])  # fmt: skip
def test_what_is_said_to_robots_is_no_remark(said):
    assert not unmeant(said)


def test_a_cry_for_help_stops_and_shows_what_can_be_said(ward):
    reply = ward.talk((V, "HELP"))
    assert reply.startswith("Everything stops.") and "You can say" in reply
    ward.talk((A, "Continue."))


# -- behind something else --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("said", "who"), [
    ("two painkillers, and stop Temi", "Temi"), ("two painkillers and stop everything", "Everything"),
])  # fmt: skip
def test_a_stop_behind_an_answer_is_done_and_the_answer_counts(said, who):
    ward = with_medkit()
    reply = ward.talk((B, "Define a new kit 'burnkit'."), (B, "A medical caddy."), (B, said))
    assert reply.startswith(f"{who} stops.") and "Two painkillers." in reply and not ward.moves()
    ward.talk((B, "Nothing else."))
    assert dict(ward.mission.speech.kits["burnkit"].contents) == {"painkiller": 2}


def test_an_order_before_a_stop_waits_for_a_yes():
    ward = with_medkit()
    reply = ward.talk((A, "Bring gloves to table F and stop Temi."))
    assert reply.startswith("Temi stops.") and "Do you mean: Bring gloves to table F." in reply and not ward.moves()


@pytest.mark.parametrize("said", ["Go to beta and then stop Temi.", "I told her to go and stop Temi."])
def test_what_is_told_or_comes_later_stops_nobody(ward, said):
    before = ward.moves()
    ward.talk((V, said), (V, "No."))
    assert ward.moves() == before


# -- a stop that holds ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "back to work for me, you stay", "back to work for me", "well, back to work for us then", "Continue. No, stop.",
    "carry on, nobody moves", "time to get back to work for me",
])  # fmt: skip
def test_nothing_is_let_go_in_between(said):
    ward = with_medkit()
    heard = []
    ward.talk((V, "Stop!"))
    ward.mission.desk.tell = lambda person, words: heard.append(words)
    assert "goes on." not in ward.talk((A, said)) and not ward.moves()
    assert not any("goes on" in words for words in heard)


@pytest.mark.parametrize("said", ["Back to work.", "Back to work, all of you.", "Get back to work for me please."])
def test_robots_that_are_sent_back_to_work_go_on(said):
    ward = with_medkit()
    ward.talk((V, "Stop!"), (A, said))
    assert ward.moves()
