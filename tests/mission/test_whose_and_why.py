"""Orders of others, short whys, places that may be full, all but something, and lessons that have ended."""

import pytest

from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.wording import Wording
from tests.mission.talkers import Hospital
from tests.mission.ward import A, B, Ward, with_medkit
from tests.mission.words import hospital

pytestmark = pytest.mark.usefixtures("quick")
ALPHA, GAMMA = (f"a medkit (2 painkillers, 1 bandage box) at {room}" for room in ("alpha", "gamma"))


@pytest.fixture(scope="module")
def ward():
    return with_medkit()


# -- orders of others -------------------------------------------------------------------------------------------------
def test_the_medkit_of_somebody_else_is_asked_about():
    ward = with_medkit()
    reply = ward.talk((B, "Bring the medkit to gamma."))
    assert reply.startswith(f"Instructor wants {ALPHA}. Do you want me to call that off")
    assert reply.endswith("For another one, say: Deliver another medkit to gamma.") and ward.goals() == [ALPHA]
    ward.talk((B, "Yes."))
    assert ward.goals() == [GAMMA]


@pytest.mark.parametrize(
    "said", ["Deliver another medkit to gamma.", "Deliver a medkit to gamma.", "A medkit to gamma."]
)
def test_another_medkit_is_a_second_one(said):
    ward = with_medkit()
    ward.talk((B, "Bring the medkit to gamma."), (B, said))
    assert ward.goals() == [ALPHA, GAMMA]


def test_who_may_not_command_is_refused_as_ever(ward):
    assert "may not give commands" in ward.talk(("nurse", "Bring the medkit to gamma.")) and ward.goals() == [ALPHA]


def test_part_of_an_order_of_somebody_else_is_theirs(ward):
    reply = ward.talk(("nurse", "Let Spot do it instead."))
    assert f"{ALPHA[1:]} for instructor" in reply and reply.endswith("Instructor and teacher may change it.")
    reply = ward.talk((B, "Let Spot do it instead."))
    assert reply.startswith(f"Instructor wants {ALPHA}. Do you want me to call that off, and instead: Spot should")
    ward.talk((B, "No."))
    assert ward.goals() == [ALPHA]


def test_part_of_nobodys_order_is_not_understood():
    assert "I did not ask anything" in Ward().talk((B, "Let Spot do it instead."))


# -- whys -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said, told", [
    ("Why alpha?", f"You want {ALPHA}."), ("Why a medkit?", f"You want {ALPHA}."), ("Why beta?", "Nobody wants"),
    ("Why table E?", "It is planned: "), ("Why Spot?", "Spot goes"), ("Why not Spot?", "I do count on Spot"),
    ("Why not gamma?", "nobody has said gamma. To change that, say: Deliver a medkit to gamma instead."),
    ("Why not a woundkit?", "say: Deliver a woundkit to alpha instead."), ("Why not?", "Nothing has failed"),
])  # fmt: skip
def test_a_short_why_is_about_what_is_under_way(ward, said, told):
    assert told in ward.talk((A, said)) and ward.goals() == [ALPHA]


@pytest.mark.parametrize("about", ["why that", "why not"])
@pytest.mark.parametrize(
    "field, name", [("where", "beta"), ("where", "tableE"), ("what", "medkit"), ("what", "gloves")]
)
def test_a_short_why_is_worded_as_it_is_read(about, field, name):
    asked = m.Ask(about, **{field: name})
    assert understand(Wording(hospital()).sentence(asked), hospital()) == [asked]


# -- places and all but something -------------------------------------------------------------------------------------
@pytest.mark.parametrize("said, told", [
    ("Is table E full?", "A bandage box."), ("How much is on table E?", "A bandage box."),
    ("How much is there on table G?", "I do not know what is at table G; nobody has looked."),
    ("Is table E empty?", "No, it is not so that table E is empty."),
])  # fmt: skip
def test_a_place_that_may_be_full_is_told_of(said, told):
    assert told in Hospital().say(A, said)


@pytest.mark.parametrize("said, example", [
    ("Put everything but the gloves on table C.", "Bring a painkiller to table C."),
    ("Deliver all kits except the medkit to alpha.", "Deliver a woundkit to alpha."),
])  # fmt: skip
def test_all_but_something_is_asked_about(said, example):
    ward = Ward()
    assert ward.talk((A, said)).endswith(f"Name each thing that you want, for example: {example}") and not ward.goals()
    ward.talk((A, "Yes."))
    assert not ward.goals()


def test_to_cancel_all_but_one_asks_about_the_others():
    ward = with_medkit()
    ward.talk((A, "Deliver a woundkit to beta."))
    reply = ward.talk((A, "Cancel everything except the woundkit."))
    assert "Do you want me to call off a medkit" in reply and "woundkit" not in reply.partition("stays.")[2]
    assert len(ward.goals()) == 2 and ward.talk((A, "Yes.")) and len(ward.goals()) == 1


# -- lessons ----------------------------------------------------------------------------------------------------------
LESSON = ("Define a new kit 'burnkit'.", "A medical caddy.", "Two antiseptics.")


def test_a_fact_that_was_read_back_and_has_no_yes_is_said_to_be_dropped():
    talk = Hospital()
    replies = [talk.say(B, w) for w in (*LESSON, "Table E seems to be empty today.", "Nothing else.")]
    assert "Do you mean: Table E is empty." in replies[3]
    assert replies[4].startswith("I have not taken that up, since you did not say yes: Table E is empty.")
    assert "I have learnt it" in replies[4] and "No, it is not so" in talk.say(B, "Is table E empty?")


@pytest.mark.parametrize("then", ["Yes.", "Table E is empty."])
def test_a_fact_that_was_read_back_and_said_again_is_kept(then):
    talk = Hospital()
    replies = [talk.say(B, w) for w in (*LESSON, "Table E seems to be empty today.", then, "Nothing else.")]
    assert "I have not taken that up" not in "".join(replies) and "Yes" in talk.say(B, "Is table E empty?")


def revoked():
    talk = Hospital()
    for person, words in ((B, "The nurse may teach you."), ("nurse", LESSON[0]), (B, "The nurse may not teach you.")):
        talk.say(person, words)
    return talk


@pytest.mark.parametrize("said", ["A medical caddy.", "burn gel", "Nothing else.", "Two."])
def test_a_late_answer_is_told_that_the_lesson_has_ended(said):
    assert revoked().say("nurse", said).startswith("The lesson of the kit burnkit has ended")


def test_what_is_said_after_that_is_heard_as_ever():
    talk = revoked()
    assert "nobody wants anything" in talk.say("nurse", "What are you doing?")
    assert "has ended" in talk.say("nurse", "A medical caddy.")
    assert "I take note of it" in talk.say("nurse", "Table E is empty.")
    assert "has ended" not in talk.say("nurse", "A medical caddy.")
