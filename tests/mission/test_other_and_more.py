"""The other one of two, what is added, how many more, and nothing that is read back as its opposite or as itself."""

import pytest

from coterie.mission.dialogue.counting import Count, counted
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from tests.mission.ward import A, B, Ward, with_medkit
from tests.mission.words import hospital

pytestmark = pytest.mark.usefixtures("quick")
ALPHA, BETA = (f"a medkit (2 painkillers, 1 bandage box) at {room}" for room in ("alpha", "beta"))
GLOVES, OTHER = "1 gloves at table F", "1 antiseptic at table C"


def two():
    ward = Ward()
    ward.talk((A, "Bring gloves to table F."), (A, "Bring an antiseptic to table C."))
    return ward


@pytest.mark.parametrize("said", ["And the other one to table G.", "Send the other one to table G."])
def test_the_other_one_of_two_orders_is_sent_elsewhere_after_a_question(said):
    ward = two()
    reply = ward.talk((A, said))
    assert reply == "Do you mean: Bring gloves to table G. That is instead of: Bring gloves to table F."
    assert ward.goals() == [GLOVES, OTHER]
    assert "Bring gloves to table G." in ward.talk((A, "What did you understand?"))
    ward.talk((A, "Yes."))
    assert sorted(ward.goals()) == [OTHER, "1 gloves at table G"]


def test_the_other_one_of_three_or_of_two_alike_is_asked_about():
    ward = two()
    ward.talk((A, "Open the alpha door."), (A, "Deliver a medkit to alpha."))
    before = ward.goals()
    assert "Which other one do you mean? You want to" in ward.talk((A, "Send the other one to table G."))
    assert ward.goals() == before
    alike = with_medkit()
    alike.talk((A, "Deliver a medkit to beta."))
    assert "Which other one do you mean?" in alike.talk((A, "Send the other one to gamma."))
    assert alike.goals() == [ALPHA, BETA]


def test_a_robot_for_the_other_one_keeps_its_place():
    ward = with_medkit()
    ward.talk((A, "Deliver a feverkit to beta."))
    assert "Temi should deliver a medkit to alpha." in ward.talk((A, "Let Temi take the other one."))


@pytest.mark.parametrize("said, more", [
    ("And beta.", "Deliver a medkit to beta."), ("And to beta.", "Deliver a medkit to beta."),
    ("Beta too, please.", "Deliver a medkit to beta."), ("One more.", "Deliver another medkit to alpha."),
    ("And two more.", "Deliver two medkits to alpha."),
])  # fmt: skip
def test_what_is_added_is_read_back_beside_what_stays(said, more):
    ward = with_medkit()
    assert ward.talk((A, said)) == f"Do you mean: {more} This stays: Deliver a medkit to alpha."
    assert ward.goals() == [ALPHA]


@pytest.mark.parametrize("said", ["Beta.", "No, beta.", "And beta instead."])
def test_without_an_and_it_is_instead(said):
    ward = with_medkit()
    assert "This stays" not in ward.talk((A, said))


@pytest.mark.parametrize("first, said, more", [
    ("Close alpha.", "And beta.", "Close the zone at beta."),
    ("Close alpha for Spot.", "And for Temi.", "Close the zone at alpha for Temi."),
    ("The nurse may approve plans.", "The pharmacist, too.", "The pharmacist may approve plans."),
    ("There are two gloves on table C.", "And table D.", "There are two gloves at table D."),
])  # fmt: skip
def test_a_place_a_right_and_a_fact_are_added_to_as_well(first, said, more):
    ward = Ward()
    ward.talk((B, first))
    assert ward.talk((B, said)).startswith(f"Do you mean: {more} This stays: ")


def test_who_is_asked_by_a_policy_is_put_right():
    ward = Ward()
    ward.talk((B, "If something is missing, ask the pharmacist."))
    assert "ask the nurse first" in ward.talk((B, "No, the nurse."))


@pytest.mark.parametrize("said, count", [
    ("One more.", Count("more", 1)), ("Two are enough.", Count("enough", 2)), ("One less.", Count("less", 1)),
    ("One is enough, thanks.", Count("enough", 1)), ("Another.", Count("more", 1)),
])  # fmt: skip
def test_how_many_is_said_without_a_thing(said, count):
    assert counted(said, hospital()) == count


@pytest.mark.parametrize("said", ["One more time.", "One more painkiller.", "Two.", "One more?", "Enough.", "No more."])
def test_other_words_count_nothing(said):
    assert counted(said, hospital()) is None


def test_how_many_are_enough_is_a_correction_and_none_is_asked_about():
    ward = Ward()
    ward.talk((A, "Bring three gloves to table C."))
    assert "Do you mean: Bring two gloves to table C." in ward.talk((A, "Two are enough."))
    ward.talk((A, "No."))
    assert "Do you mean: Bring two gloves to table C." in ward.talk((A, "One less."))
    ward.talk((A, "No."))
    assert "None would be left" in ward.talk((A, "Three less.")) and ward.goals() == ["3 gloves at table C"]


# -- nothing is read back as its opposite -----------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "I'm told the alpha door is locked, but I wouldn't bet on it.", "I doubt that the alpha door is open.",
    "Painkillers on table B used to be plenty.", "Some people put three gloves into a medkit.",
    "The gloves may go anywhere but table C.", "Bring one and a half painkillers to table C.",
    "Take the painkillers from table B to wherever the nurse is.",
])  # fmt: skip
def test_what_is_doubted_denied_or_done_elsewhere_is_not_read_back(said):
    assert "Do you mean" not in Ward().talk((A, said))


@pytest.mark.parametrize("said", ["The alpha door is locked.", "Bring two painkillers to table C.",
                                  "The gloves may go to table C."])  # fmt: skip
def test_the_same_without_the_doubt_is_understood(said):
    assert "I did not understand" not in Ward().talk((A, said))


@pytest.mark.parametrize("said, word", [
    ("Deliver a medkit to alpha the moment the nurse shows up.", "the moment"),
    ("The alpha door may be locked.", "may be"), ("Put the painkiller next to table C.", "next to"),
    ("Let Spot have a rest afterwards.", "afterwards"),
])  # fmt: skip
def test_what_a_guess_leaves_out_is_named(said, word):
    assert f"That leaves out what you said with '{word}'" in Ward().talk((A, said))


def test_one_kit_only_is_named_as_left_out():
    assert "this one medkit only" in Ward().talk((B, "Add a thermometer to this one medkit only."))


@pytest.mark.parametrize(
    "said", ["No medkit.", "And the medkit.", "Forget what I said about alpha.", "I'd rather not have it in alpha."]
)
def test_no_order_is_offered_instead_of_itself(said):
    ward = with_medkit()
    reply = ward.talk((A, said))
    assert "instead of: Deliver a medkit to alpha. That" not in reply and "Do you mean: Deliver a medkit" not in reply
    assert ward.goals() == [ALPHA]


def test_what_is_not_everything_goes_on():
    ward = Ward()
    ward.talk((B, "Define a new kit 'nightkit'."), (B, "A medical caddy."), (B, "Two painkillers."))
    assert ward.talk((B, "That's not everything.")).startswith("Take your time.")
    assert "I have learnt it" in ward.talk((B, "That's everything."))


@pytest.mark.parametrize("said", ["Yes, that one.", "Fine by me.", "No worries, go ahead.", "That is fine with me."])
def test_a_yes_in_few_words(said):
    assert understand(said, hospital()) == [m.Approve()]


@pytest.mark.parametrize("said", ["That one.", "No worries.", "Okay, that one to beta.", "Yes, the other one."])
def test_near_words_are_no_yes(said):
    assert m.Approve() not in understand(said, hospital())


def test_yes_that_one_calls_off_what_was_asked_about():
    ward = with_medkit()
    assert "call off" in ward.talk((A, "Never mind."))
    assert "is called off" in ward.talk((A, "Yes, that one.")) and not ward.goals()
