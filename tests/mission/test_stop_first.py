"""A sentence that begins with a plea to stop stops robots at once; what follows is heard by itself."""

import pytest

from coterie.mission.dialogue.quick import read
from coterie.mission.language.stops.first import stop_first
from coterie.talk import meanings as m
from tests.mission.ward import A, B, V, Ward

pytestmark = pytest.mark.usefixtures("quick")

PAIN = "1 painkiller at table D"
#: Words, and what is said besides that everything stops.
BEGUN = (
    ("Stop and tell me what is going on.", "it rests"),
    ("Stop and put gloves on table F.", "Do you mean: Bring gloves to table F."),
    ("Stop right there and don't come closer.", ""), ("Stop until I say so.", ""), ("I said stop!", ""),
    ("Stop what you're doing and listen.", ""), ("Stop moving while I clean the floor.", ""),
    ("Stop and come back.", "did not understand what you said behind that: 'come back'"),
    ("Stop it and forget the medkit.", "Do you mean: Forget the kit medkit."), ("Stop and wait for me.", ""),
    ("Freeze until I am out of the way.", ""), ("Stand still while I pass.", ""), ("Stop before you hit me!", ""),
    ("Stay where you are and tell me what is going on.", "it rests"), ("I told you to stop!", ""),
    ("OK stop, what are you doing?", "it rests"), ("Halt, and don't touch anything.", ""), ("Stop! I said stop!", ""),
    ("Please, everybody, stop and listen to me.", ""), ("Stop - there is a child!", ""),
    ("Hey, stop for a moment while the patient passes.", ""), ("Stop moving and continue.", "Do you mean: Continue."),
)  # fmt: skip
CANCELS = (
    "Stop and cancel the painkiller.", "Please stop and cancel my order.", "Stop Fetch and cancel the painkiller.",
    "Stop and cancel.", "Stop everything and cancel it all.", "Halt and drop everything.",
    "Could you please stop and cancel the painkiller?", "Stop, Fetch, and cancel everything.",
)  # fmt: skip
NONE = (
    "Stop at table D.", "Don't stop.", "Why did you stop?", "Stop by the pharmacy.", "Then it stops at table A.",
    "Stop, he said.", "Stop if the nurse comes.", "Stop, if the nurse comes.", "Stop when you are done.",
    "Stop before table D.", "Do not stop and wait.", "I said don't stop.", "Did you stop and wait?", "Who said stop?",
    "Please don't stop until you are done.", "Should Fetch stop and wait?", "Can you stop at table D?",
    "Tell me when to stop and wait.", "Stop or go on?", "Wait for Temi and then go on.", "Stop worrying and carry on.",
    "The bus stop and the door.", "If I say stop, stop.",
)  # fmt: skip


@pytest.fixture(scope="module")
def ward():
    ward = Ward()
    ward.talk((A, "Put a painkiller on table D."))
    return ward


@pytest.mark.parametrize("person", ["nurse", V])
@pytest.mark.parametrize(("said", "more"), BEGUN)
def test_a_stop_at_the_beginning_is_obeyed_whatever_follows(ward, person, said, more):
    assert ward.moves() == {"Fetch"}
    reply = ward.talk((person, said))
    assert reply.startswith("Everything stops.") and more in reply and not ward.moves()
    assert more or reply == "Everything stops. Say continue to go on."
    ward.talk((person, "Never mind."), (A, "Continue."))


@pytest.mark.parametrize("said", CANCELS)
def test_what_is_called_off_behind_a_stop_is_called_off(said):
    ward = Ward()
    reply = ward.talk((A, "Put a painkiller on table D."), (A, said))
    assert ("Fetch" if "Fetch" in said else "Everything") + " stops." in reply
    assert f"{PAIN} is called off" in reply and ward.goals() == [] and not ward.moves()


@pytest.mark.parametrize("said", CANCELS)
def test_whoever_may_not_call_off_stops_and_no_more(ward, said):
    reply = ward.talk((V, said))
    assert " stops." in reply and "may not give commands" in reply and not ward.moves() and ward.goals() == [PAIN]
    ward.talk((A, "Continue."))


@pytest.mark.parametrize("said", NONE)
def test_what_only_speaks_of_stopping_stops_nobody(ward, said):
    ward.talk((V, said), (V, "No."))
    assert ward.moves() == {"Fetch"} and stop_first(said, ward.mission.partner.vocabulary) is None


def test_to_wait_and_say_something_lets_goals_rest(ward):
    reply = ward.talk((A, "Hold on and tell me what is going on."))
    assert f"{PAIN} rests" in reply and "it rests" in reply and not ward.moves()
    ward.talk((A, "Continue."), (A, "I said wait."))
    assert not ward.moves()
    ward.talk((A, "Continue."))


def test_a_stop_of_an_order_stops_who_works_on_it_and_asks():
    ward = Ward()
    ward.talk((A, "Put a painkiller on table D."), (B, "Put one thermometer on table G."))
    reply = ward.talk((V, "Stop the painkiller."))
    assert reply.startswith("Fetch stops.") and "may call it off" in reply and ward.moves() == {"Spot"}
    ward.talk((A, "Continue."))
    reply = ward.talk((A, "Stop the painkiller and open the side door."))
    assert f"{PAIN} rests. Do you mean: Cancel the painkiller." in reply and "say again" in reply
    assert ward.moves() == {"Spot"} and len(ward.goals()) == 2
    assert "is called off" in ward.talk((A, "Yes.")) and ward.goals() == ["1 thermometer at table G"]


def test_a_stop_at_the_beginning_waits_for_no_plan(ward):
    vocabulary = ward.mission.partner.vocabulary
    assert read("Stop and tell me what is going on.", vocabulary)[0] == [m.Stop()]
    assert read("Stop Fetch and put gloves on table F.", vocabulary)[0] == [m.Stop(("Fetch",))]


def test_in_a_lesson_a_stop_at_the_beginning_stops_and_the_lesson_goes_on():
    ward = Ward()
    ward.talk((A, "Put a painkiller on table D."), (B, "Let me teach you a new skill."), (B, "rounds"))
    ward.talk((B, "Wait there and then go to beta."))
    assert ward.moves() == {"Fetch"}
    assert "Everything stops." in ward.talk((B, "Stop until I say so.")) and not ward.moves()


# -- calling off all --------------------------------------------------------------------------------------------------
def test_cancel_everything_leaves_what_was_read_back_and_calls_off_what_was_ordered():
    ward = Ward()
    ward.talk((A, "Put a painkiller on table D."), (A, "I'd love some gloves on table F maybe."))
    reply = ward.talk((A, "Cancel everything."))
    assert reply == f"I leave what I asked you. All right: {PAIN} is called off." and ward.goals() == []


def test_cancel_everything_leaves_a_lesson_and_calls_off_what_was_ordered_or_waits():
    ward = Ward()
    ward.talk((B, "Put a painkiller on table D."), (B, "Open the side door when table F is empty."))
    reply = ward.talk((B, "Define new kit 'k1'."), (B, "Cancel everything."))
    assert reply.startswith(f"I leave the kit k1. All right: {PAIN} is called off.") and "side door" in reply
    assert ward.goals() == [] and not ward.mission.doing.standing
    assert ward.mission.dialogue.threads.of(B).asking is None


@pytest.mark.parametrize(("answer", "left"), [("Yes.", []), ("No.", ["1 thermometer at table G"])])
def test_what_others_want_is_asked_about_before_it_is_called_off(answer, left):
    ward = Ward()
    ward.talk((A, "Put a painkiller on table D."), (B, "Put one thermometer on table G."))
    reply = ward.talk((A, "Cancel everything."))
    assert f"{PAIN} is called off. Do you want me also to call off 1 thermometer at table G for teacher?" in reply
    ward.talk((A, answer))
    assert ward.goals() == left


def test_who_may_not_call_off_is_told_so_whatever_was_asked():
    ward = Ward()
    ward.talk((A, "Put a painkiller on table D."))
    for said in ("Cancel everything.", "I'd love some gloves on table F maybe.", "Cancel everything."):
        reply = ward.talk((V, said))
    assert "may not give commands" in reply and "All right" not in reply and ward.goals() == [PAIN]
