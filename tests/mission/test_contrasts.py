"""What is set against what is meant stays as it is, and what was steered by mistake is put right."""

import pytest

from coterie.mission.language.contrasts import all_but, contrast
from coterie.talk import meanings as m
from tests.mission.ward import A, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")
FEVERKIT = m.Steer("pause", "feverkit")


@pytest.fixture(scope="module")
def words():
    return Ward().mission.partner.vocabulary


@pytest.mark.parametrize(("said", "meant"), [
    ("Pause the feverkit, not the medkit.", FEVERKIT), ("Pause the feverkit but not the medkit.", FEVERKIT),
    ("Pause the feverkit. Not the medkit.", FEVERKIT), ("Hold the feverkit, just not the medkit.", FEVERKIT),
    ("Stop the feverkit, not the medkit.", FEVERKIT), ("Pause the feverkit, don't pause the medkit.", FEVERKIT),
    ("Not the medkit, pause the feverkit.", FEVERKIT), ("Pause not the medkit but the feverkit.", FEVERKIT),
    ("Pause the feverkit, the medkit stays.", FEVERKIT), ("Pause gamma, not alpha.", m.Steer("pause", where="gamma")),
    ("Keep the medkit, drop the feverkit.", m.Steer("cancel", "feverkit")),
    ("Don't cancel the medkit, cancel the feverkit.", m.Steer("cancel", "feverkit")),
    ("Do the feverkit first, not the medkit.", m.Steer("prioritise", "feverkit", "high")),
    ("Resume the feverkit, not the medkit.", m.Steer("resume", "feverkit")),
    ("Call off the feverkit but don't touch the medkit.", m.Steer("cancel", "feverkit")),
    ("Pause everything, not the medkit.", m.Steer("pause")), ("Stop everything, not just the medkit.", m.Stop()),
    ("Nobody may go into gamma, alpha is fine.", m.Zone("gamma")),
    ("Close gamma, not alpha.", m.Zone("gamma")), ("Stop Temi, not Spot.", m.Stop(("Temi",))),
    ("The nurse may approve plans, not the pharmacist.", m.Permit("nurse", "approve")),
    ("The nurse may approve plans, but not give orders.", m.Permit("nurse", "approve")),
])  # fmt: skip
def test_only_what_is_meant_is_heard(words, said, meant):
    found = contrast(said, words)
    assert found is not None and found.meaning == meant


@pytest.mark.parametrize("said", [
    "Deliver a medkit to gamma, not alpha.", "Not the medkit.", "No, not the medkit.", "Wait, not the medkit.",
    "Pause the feverkit, don't deliver the medkit.", "Leave table C alone and pause the medkit.",
    "Don't touch table C, pause the medkit.", "Leave the feverkit, do the medkit.",
    "Pause the feverkit and cancel the medkit.", "Why the feverkit, not the medkit?", "Pause all but the medkit.",
])  # fmt: skip
def test_other_sentences_are_read_as_they_stand(words, said):
    assert contrast(said, words) is None


def test_all_but_one_thing_is_said_in_two_ways():
    assert all_but("Cancel everything, but not the medkit.") == "Cancel everything but the medkit."
    for said in ("Stop everything, not the medkit.", "Cancel everything, not just the medkit."):
        assert all_but(said) == said


def test_what_is_set_against_it_or_was_paused_by_mistake_goes_on():
    ward = with_medkit()
    ward.talk((A, "Also bring a feverkit to gamma."))

    def states():
        return [state for _, state in sorted(ward.states().items())]  # of the feverkit and of the medkit

    reply = ward.talk((A, "Pause the feverkit, not the medkit."))
    assert states() == ["paused", "running"] and "Nothing changes for the medkit" in reply
    ward.talk((A, "Resume the feverkit, not the medkit."))
    assert states() == ["running", "running"]
    ward.talk((A, "Pause the medkit."), (A, "No, I meant the feverkit."))
    assert states() == ["paused", "running"]
    ward.talk((A, "No, pause the medkit, not the feverkit."))
    assert states() == ["running", "paused"]
    ward.talk((A, "Sorry, I meant the one to gamma."), (A, "Yes."))
    assert states() == ["paused", "running"]
    ward.talk((A, "No, the medkit."))
    assert states() == ["running", "paused"]
    reply = ward.talk((A, "No, the woundkit."))  # nobody wants one
    assert states() == ["running", "paused"] and "stays as it was" in reply
    reply = ward.talk((A, "And the feverkit."))
    assert states() == ["running", "paused"] and "This stays: Pause the order for a medkit." in reply
    ward.talk((A, "No."), (A, "Cancel the medkit."))
    reply = ward.talk((A, "Oh no, I meant the feverkit!"))
    assert len(states()) == 1 and "Deliver a medkit to alpha." in reply
    ward.talk((A, "Yes."))
    assert [name.split()[1] for name in ward.states()] == ["medkit"]


@pytest.mark.parametrize(("order", "then", "wanted"), [
    ("Bring two painkillers to table G.", "Bring them to table F instead.", ["2 painkillers at table F"]),
    ("Bring two gloves to table G.", "No, take the gloves to table D.", ["2 gloves at table D"]),
    ("Bring two painkillers to table G.", "Bring one painkiller to table F instead.", ["1 painkiller at table F"]),
    ("Bring two gloves and a bandage box to table G.", "Bring them to table F instead.",
     ["2 gloves at table F", "1 bandage box at table F"]),
    ("Bring sixty painkillers to table G.", "Bring them to table F instead.", []),
])  # fmt: skip
def test_what_goes_elsewhere_is_as_many_as_was_ordered(order, then, wanted):
    ward = Ward()
    ward.say(A, order)
    ward.say(A, then)
    assert ward.goals() == wanted


def test_two_kits_go_elsewhere_together():
    ward = Ward()
    ward.say(A, "Deliver two feverkits to gamma.")
    ward.say(A, "Bring them to beta instead.")
    assert len(ward.goals()) == 2 and all(g.endswith("beta") for g in ward.goals())


@pytest.fixture(scope="module")
def medkit():
    """A ward with a medkit on its way, in which nothing is done by the sentences of a test."""
    return with_medkit()


@pytest.mark.parametrize(("said", "right"), [
    ("Table C is empty, somebody took all the painkillers.", "Do you mean: There is no painkiller at table C."),
    ("Somebody used the last painkillers on table B.", "Do you mean: There is no painkiller at table B."),
    ("The thermometer from table E is broken.", "I did not understand"),
    ("The painkillers on table B are expired.", "I did not understand"),
    ("There are two painkillers on table B but they are expired.", "I did not understand"),
    ("There should be three bandage boxes on table D, I put them there this morning.", "I did not understand"),
    ("Bring a new thermometer to table E, the old one is broken.", "Do you mean: Bring a thermometer to table E."),
])  # fmt: skip
def test_no_fact_is_turned_round(medkit, said, right):
    assert medkit.say(A, said).startswith(right)
    medkit.say(A, "No.")


@pytest.mark.parametrize("said", [
    "When the medkit has arrived, send Temi to the office.", "After the medkit, Temi should go to the office.",
])  # fmt: skip
def test_what_is_to_be_done_later_says_that_the_when_is_left_out(medkit, said):
    reply = medkit.say(A, said)
    assert reply.startswith("Do you mean: Temi should go to the office.\nThat leaves out what you said with")
    medkit.say(A, "No.")


def test_a_thing_from_elsewhere_is_no_order_in_the_place_of_a_kit(medkit):
    reply = medkit.say(A, "Take the bandage box from table D instead.")
    assert "which stays" in reply and "There is a bandage box at table D." in reply and len(medkit.goals()) == 1


def test_how_many_go_into_a_kit_is_told_by_what_it_contains(medkit):
    for said in ("How many painkillers go into the medkit?", "How many painkillers does a medkit need?"):
        assert medkit.say(A, said) == "A medkit contains two painkillers and a bandage box."


@pytest.mark.parametrize("said", ["Wait, what is Spot doing?", "Hang on, who asked for the medkit?"])
def test_a_question_behind_a_wait_is_answered_once(medkit, said):
    reply = medkit.say(A, said)
    assert ("Spot" in reply or "instructor wants" in reply) and "understand" not in reply


def test_a_continue_behind_thanks_is_one_and_a_cancel_is_taken_back():
    ward = with_medkit()
    ward.talk((A, "Stop."))
    assert not ward.moves()
    ward.talk((A, "Thanks, you can carry on now."))
    assert ward.moves()
    reply = ward.talk((A, "Cancel the medkit."), (A, "Undo the cancellation."))
    assert "Do you want it again: Deliver a medkit to alpha." in reply
