"""A reason behind a plea or a wait changes nothing; what puts right, asks or tells of people is no reason to stop."""

import pytest

from coterie.mission.dialogue.quick import read
from coterie.mission.language.stops.first import stop_first
from coterie.mission.language.stops.reasons import is_reason, to_rest
from coterie.talk import meanings as m
from tests.mission.ward import A, B, V, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")

EVERYBODY = (
    "Wait, I'm vacuuming here.", "Please wait, I'm pushing my mother's wheelchair past you.",
    "Everyone please wait, we have a patient coming out of beta.", "Hold everything, we've got a fire drill.",
    "Hang on, my shoelace came loose.", "Hold on, we don't have permission yet.", "Please pause, they are praying.",
    "Please pause for a minute, I need to think.", "Wait - the cleaner has just waxed the floor.",
    "Robots, wait please, since we are carrying a stretcher through.", "Wait a minute because the lift is stuck.",
    "I want all robots to stay where they are for now.", "Hold the robots please.", "call them off",
    "Can you hold the robots? Someone spilled water.", "Would it be possible to stop the robots for a minute?",
    "Stay out of the hall for a bit, we're cleaning.", "Nobody leaves the pharmacy until the floor is dry.",
    "Excuse me, could the robot wait? I have to get by.", "I'd feel better if it stopped, honestly.",
    "Please let us pass first.", "it's got hold of my bag", "watch the wire", "the floor is flooding",
    "Can the machines be stopped for a while? It's loud.", "We'd appreciate it if you could pause for a bit.",
    "Keep the robots where they are for a moment.", "Don't let the robots move, I lost my ring.",
    "No robots in here please, she's giving birth.", "Wait up, I've lost my little brother.",
)  # fmt: skip
ONE = (
    "Spot, could you hold on? I need to get the bed through here.", "Can somebody make Spot wait?",
    "Spot, would you please wait? I'm still making the bed.", "It would be nice if Spot waited a minute.",
    "Spot, leave that table alone, I am working on it.", "Tell Spot to wait, he is in the way.",
)  # fmt: skip
NOBODY = (
    "I'll wait, I have time.", "The bus didn't wait, I missed it.", "Wait, I meant beta.", "Wait, two.",
    "Wait, I want three.", "Wait, take Spot instead.", "Hold on, is Spot at beta?", "Hold on, it's three painkillers.",
    "Wait, that's the wrong room.", "Wait, Spot can do that.", "Hold on, I didn't say that.",
    "Wait, the room is gamma.",
    "He can wait, he isn't ill.", "Can I wait here? My husband is inside.", "No need to wait, we are through.",
    "You don't have to stop, I can walk around you.", "Stop, he said.", "Stop Spot?", "Wait, no.",
    "Nobody leaves before six here, we have a lot to do.", "I like it when the robots wait for people.",
    "We let the old man pass first, he was tired.", "They called off the match, it was raining.",
    "Is it all right to wait here? I'm his brother.", "It would be nice if the sun came out.",
    "Watch the film, it's great.", "I got hold of the doctor, he is coming.", "Could you hold this? I need both hands.",
    "The cellar was flooded last year, we lost everything.", "Keep going, I'm out of the way.",
)  # fmt: skip


@pytest.fixture(scope="module")
def ward():
    return with_medkit()


@pytest.fixture(scope="module")
def words(ward):
    return ward.mission.partner.vocabulary


@pytest.mark.parametrize("said", EVERYBODY + ONE)
def test_a_plea_with_or_without_a_reason_stops_who_is_spoken_of(words, said):
    first = stop_first(said, words)
    assert first is not None and not first.rest
    assert isinstance(first.meaning, m.Stop) or m.only_waits(first.meaning)
    assert first.meaning.robots == (("Spot",) if said in ONE else ())
    assert read(said, words)[0] == [first.meaning]


@pytest.mark.parametrize("said", NOBODY)
def test_what_puts_right_asks_or_tells_stops_nobody(words, said):
    assert stop_first(said, words) is None


@pytest.mark.parametrize("why", [
    "I'm busy.", "because the patient is asleep", "my legs hurt", "the lift doors are about to close", "she's naked",
    "Mrs Miller has a visitor.", "bed coming through", "too dangerous", "you're scaring her",
])  # fmt: skip
def test_what_is_told_is_a_reason(words, why):
    assert is_reason(why, words)


@pytest.mark.parametrize("why", [
    "two", "beta", "Spot", "I want three", "is she asleep?", "bring it to beta", "it should go to gamma", "not that",
    "the patient is asleep, take it to beta", "what is going on?", "you should take Spot", "to the left", "over there",
])  # fmt: skip
def test_what_asks_orders_or_puts_right_is_none(words, why):
    assert not is_reason(why, words)


@pytest.mark.parametrize(("said", "alone"), [
    ("Hold off on the medkit, the nurse is checking the list.", "Hold off on the medkit."),
    ("Could you wait with the medkit? I have to ask the doctor.", "Could you wait with the medkit?"),
    ("Cancel it, that's not safe.", "Cancel it."), ("Cancel it, that's wrong.", "Cancel it."),
    ("Let's wait with that, the doctor comes.", "pause that."),
    ("Let it rest for now, we have a guest.", "pause it."), ("Cancel the medkit, I want two.", None),
    ("Put the medkit on hold because alpha is being cleaned.", "Put the medkit on hold."),
    ("Hold the medkit back, they have doubts.", "pause the medkit."), ("Wait with the medkit, is it ready?", None),
])  # fmt: skip
def test_what_is_to_rest_or_called_off_is_that_without_its_reason(words, said, alone):
    assert to_rest(said, words) == (alone or said)


# -- while robots move ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "Wait, the lift is stuck.", "Don't bring the medkit yet, the patient isn't ready.",
    "Stay out of alpha for a bit, we're cleaning.",
])  # fmt: skip
def test_a_visitor_with_a_reason_stops_whom_it_concerns(ward, said):
    assert ward.moves() and "Say continue to go on." in ward.talk((V, said)) and not ward.moves()
    assert ward.mission.goals.live()
    ward.talk((A, "Continue."))
    assert ward.moves()


def test_what_stands_behind_a_reason_is_heard(ward):
    reply = ward.talk((A, "Wait, the patient is asleep, bring the medkit to beta instead."))
    assert not ward.moves() and "Do you mean: Deliver a medkit to beta." in reply
    assert "has nothing to do" in ward.talk((A, "No."), (A, "Hold on, I'm confused, what is Temi doing?"))
    ward.talk((A, "Continue."))
    assert ward.moves()


def test_an_order_with_a_reason_is_read_back_without_it(ward):
    reply = ward.talk((A, "Put one thermometer on table G, the nurse needs it."))
    assert reply.startswith("Do you mean: Bring a thermometer to table G.")
    ward.talk((A, "No."))


def test_in_a_lesson_a_plea_with_a_reason_is_what_it_is_without():
    ward = Ward()
    ward.talk((A, "Put one thermometer on table G."), (B, "Let me teach you a new skill."), (B, "rounds"))
    reply = ward.talk((B, "Spot, go to gamma."), (B, "Wait there, the nurse comes."))
    assert "stop nobody" in reply and ward.moves()
    ward.talk((B, "Hold on, I have to think."))
    assert not ward.moves()
