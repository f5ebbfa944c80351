"""What people of a ward say in passing: one here and one there, how it went, that it is needed after all, just one."""

import pytest

from coterie.mission.dialogue.counting import counted
from coterie.mission.language.calm import calmed, goes_ahead
from coterie.mission.language.guess import guess
from coterie.mission.language.picking import picked, picked_but
from coterie.mission.language.understand import understand, without_calm
from coterie.talk.writing import brief
from tests.mission.ward import PAIN, A, B, V, Ward
from tests.mission.words import hospital

pytestmark = pytest.mark.usefixtures("quick")
W = hospital()
BOTH = "order: kit medkit at alpha; kit medkit at beta"


def read(said):
    return "; ".join(brief(x) for x in understand(said, W))


@pytest.mark.parametrize("means, said", [
    (BOTH, ["Deliver a medkit to alpha and one to beta.", "I want two medkits, one for alpha and one for beta.",
            "Bring two medkits, one to alpha and one to beta.", "We need a medkit in alpha and one in beta.",
            "A medkit to alpha and one to beta, please.",
            "Two medkits please: one to alpha, one to beta."]),
    ("order: stock 2 painkiller at tableC; stock painkiller at tableD",
     ["Put two painkillers on table C and one on table D.",
     "I need three painkillers, two on table C and one on table D."]),
    ("ask took", ["How long did it take?", "How long did that take in the end?"]),
    ("ask took: medkit at alpha", ["How long did the medkit to alpha take?"]),
    ("ask delivered", ["What did you deliver today?", "What have you delivered so far?",
                       "What has been brought today?"]),
    ("ask delivered: at alpha", ["What arrived in alpha today?", "What has been delivered to alpha?",
                                 "Has anything arrived in alpha?"]),
    ("ask delivered: medkit", ["When was the medkit delivered?", "When did the medkit arrive?"]),
    ("ask rights: command", ["Could I get a painkiller?", "Can I have some gloves?"]),
    ("ask can: kit 4 medkit", ["Is it possible to make four medkits?"]),
    ("ask progress", ["Did it work out?", "Did everything go well?", "Has it worked?", "Was it a success?"]),
    ("greet no worries", ["No worries.", "Not to worry.", "No worries at all."]),
    ("pause gloves; resume medkit", ["Pause the gloves and go on with the medkit.",
                                     "Hold off on the gloves, but continue with the medkit."]),
])  # fmt: skip
def test_families(means, said):
    for words in said:
        assert read(words) == means, words


@pytest.mark.parametrize("means, said", [
    ("unclear", "I want two medkits, one for alpha and two for beta."),
    ("unclear", "One for alpha and two for beta."),
    ("order: kit medkit at alpha; kit woundkit at beta", "Deliver a medkit to alpha and a woundkit to beta."),
    (BOTH, "Deliver a medkit to alpha and another one to beta."), ("order: kit 2 medkit at alpha",
    "Deliver two medkits to alpha."),
    ("ask duration", "How long will it take?"), ("ask history", "What have you done so far?"),
    ("ask history", "What happened today?"),
    ("ask progress: medkit", "Did the medkit arrive?"), ("ask progress", "Did it arrive?"),
    ("approve", "No worries, go ahead."),
    ("refuse", "No."), ("refuse leave", "Don't worry."), ("pause gloves", "Pause the gloves."),
    ("resume", "Continue."),
    ("order: kit medkit; door betadoor", "Pack a medkit and open the beta door."), ("nothing", "That is all."),
    ("ask contents: tableC", "What is on table C?"),
    ("ask can: stock painkiller at @me", "Can you bring me a painkiller?"),
    ("order: stock 2 gloves at tableC; stock antiseptic at tableD",
     "Bring two gloves to table C and an antiseptic to table D."),
])  # fmt: skip
def test_neighbours(means, said):
    assert read(said) == means


def test_no_problem_may_be_a_yes_and_no_worries_is_neither():
    assert [brief(guess(s, W)) for s in ("No problem for me.", "No worries, take your time.")] == [
        "approve",
        "greet no worries",
    ]


def test_go_ahead_behind_a_word_that_all_is_well_lets_robots_go_on():
    for said in ("It's all clear again, go ahead.", "All clear, you can proceed.",
                 "The floor is dry again, off you go.",
                 "False alarm, go ahead please.", "Everything is fine, carry on."):  # fmt: skip
        assert read(without_calm(said, W)) == "resume", said
    assert without_calm("It's all clear again, go ahead.", W, waits=True).endswith("go ahead."), "that may be a yes"
    for said in ("Go ahead.", "It's all clear.", "The soup is fine, go ahead.", "Go ahead with the medkit."):
        assert without_calm(said, W) == said
    assert not goes_ahead("go ahead and open the door") and calmed("All clear, open the door.") == "open the door."


def test_all_but_one_and_how_many():
    assert picked_but("Go on with everything but the gloves.") == ("resume", "the gloves")
    assert picked_but("Please cancel all except the medkit.") == ("cancel", "the medkit")
    assert picked_but("Stop everything but the medkit.") is None and picked_but("Go on.") is None
    assert picked("Cancel both.") == ("cancel", "both")
    for said in ("Sorry, just one.", "No, only one.", "Wait, just one of them."):
        assert counted(said, W) == ("enough", 1), said
    for said in ("Just one moment.", "No, one.", "One.", "Sorry.", "Just one painkiller."):
        assert counted(said, W) is None, said


@pytest.fixture
def ward(quick):
    """A painkiller is on its way to table C."""
    ward = Ward()
    ward.talk((A, "Put one painkiller on table C."))
    return ward


def test_one_is_enough_after_all(ward):
    ward.talk((A, "One more."))
    assert "This stays: Bring a painkiller" in ward.talk((A, "Sorry, just one.")) and ward.states() == {PAIN: "running"}


def test_whoever_may_not_order_is_told_so_and_who_may(ward):
    assert "may not" in (reply := ward.talk((V, "Can you bring me a painkiller?"))) and "Where are you" not in reply
    assert "instructor" in reply and "Where are you" in ward.talk((B, "Can you bring me a painkiller?"))
    ward.talk((B, "Never mind."))


def test_what_was_called_off_is_offered_again(ward):
    for off, regrets in [("Cancel the thermometer.", "Oh no, that was a mistake, I still need it."),
                         ("Cancel that.", "Sorry, I do need the thermometer after all.")]:  # fmt: skip
        ward.talk((A, "Put a thermometer on table G."), (A, off))
        assert "Do you want it again: Bring a thermometer to table G." in ward.talk((A, regrets))
        assert ward.states() == {PAIN: "running"}
    ward.talk((A, "No."), (A, "Put a thermometer on table G."), (A, "Cancel both."), (A, "Yes."))
    reply = ward.talk((A, "That was a mistake, I still need them."))
    assert "Bring a painkiller to table C and then bring a thermometer to table G." in reply and not ward.goals()
    ward.talk((A, "No."), (A, "Put one painkiller on table C."), (A, "Put a thermometer on table G."))
    ward.talk((A, "Cancel the thermometer."), (A, "What is going on?"), (A, "Thanks."))
    assert "again" not in ward.talk((A, "That was a mistake.")), "something else was said since"


def test_all_but_one_go_on(ward):
    ward.talk((A, "Put two gloves on table F."), (A, "Stop!"))
    assert "Do you want me to go on with 1 painkiller" in ward.talk((A, "Go on with everything but the gloves."))
    ward.talk((A, "Yes."))
    assert ward.states() == {PAIN: "running", "2 gloves at table F": "paused"}
    ward.talk((A, "Pause the painkiller and go on with the gloves."))
    assert ward.states() == {PAIN: "paused", "2 gloves at table F": "running"}
    ward.talk((A, "Go on with the painkiller."), (A, "Stop!"))
    assert "goes on" in ward.talk((A, "It's all clear again, go ahead."))
    assert set(ward.states().values()) == {"running"}


def test_what_was_brought(ward):
    ward.talk((A, "Put two gloves on table F."))
    assert "is not done yet" in ward.talk((A, "How long did it take?"))
    assert ward.talk((A, "What did you deliver today?")).startswith(
        "Nothing was brought so far. 1 painkiller at table C"
    )
    ward.mission.journal.time += 90
    ward.end()
    assert "2 gloves at table F took 1 minute 30 seconds" in ward.talk((A, "How long did it take?"))
    assert "for instructor at 1:30" in ward.talk((B, "What arrived on table C today?"))
    assert ward.talk((A, "What arrived in beta today?")) == "Nothing was brought to beta so far."
    assert "is reached" in ward.talk((A, "Did it work out?"))
