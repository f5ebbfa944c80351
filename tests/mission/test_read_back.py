"""What is read back says what it leaves out, and a word that matters never ends in a bare yes, no or cancel."""

import pytest

from tests.mission.ward import A, B, Ward

pytestmark = pytest.mark.usefixtures("quick")

WARM, CLEAN = "1 thermometer at table G", "1 antiseptic at table C"


@pytest.fixture
def ward():
    return Ward()


@pytest.fixture
def asked(ward):
    """A plan is proposed."""
    ward.talk((A, "Deliver a medkit to alpha."))
    ward.fail()
    return ward


# -- rights for a time ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("time", "minutes"), [
    ("for one hour", 60), ("for an hour", 60), ("for the next hour", 60), ("for two hours", 120),
    ("for half an hour", 30), ("for ten minutes", 10), ("for an hour and a half", 90), ("for a quarter of an hour", 15),
    ("for two and a half hours", 150),
])  # fmt: skip
def test_a_right_is_given_for_the_time_that_was_said(ward, time, minutes):
    if "Do you mean" in (reply := ward.talk((B, f"The nurse may give orders {time}."))):
        reply = ward.talk((B, "Yes."))
    assert f"for {minutes} minutes" in reply
    ward.mission.journal.time += 60 * minutes - 1
    assert ward.mission.authority.may("nurse", "command")
    ward.mission.journal.time += 2
    assert not ward.mission.authority.may("nurse", "command")


@pytest.mark.parametrize("time", ["today", "once", "while I am away", "this week", "for the day", "for two days"])
def test_a_time_that_is_not_read_is_said_to_be_left_out(ward, time):
    reply = ward.talk((B, f"The nurse may give orders {time}."))
    assert "leaves out" in reply or "did not understand" in reply
    assert not ward.mission.authority.may("nurse", "command")


def test_a_right_that_was_given_is_limited_and_given_for_good(ward):
    may = ward.mission.authority.may
    reply = ward.talk((B, "The nurse may approve plans."), (B, "The nurse may approve plans for ten minutes."))
    assert "for 10 minutes" in reply
    ward.mission.journal.time += 601
    assert not may("nurse", "approve")
    ward.talk((B, "The nurse may approve plans for ten minutes."), (B, "The nurse may approve plans."))
    ward.mission.journal.time += 601
    assert may("nurse", "approve")
    assert "already" in ward.talk((B, "The nurse may approve plans."))
    assert "by role" in ward.talk((B, "The instructor may give orders for ten minutes."))
    ward.mission.journal.time += 601
    assert may("instructor", "command")


@pytest.mark.parametrize("said", ["Only for ten minutes.", "But only for ten minutes.", "For ten minutes."])
def test_a_right_that_was_just_given_is_limited_by_a_time_alone(ward, said):
    assert "for 10 minutes" in ward.talk((B, "The nurse may approve plans."), (B, said))
    ward.mission.journal.time += 601
    assert not ward.mission.authority.may("nurse", "approve")


# -- which of several -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("said", "left"), [
    ("Cancel the first one.", [CLEAN]), ("Cancel the second one.", [WARM]), ("Cancel the last one.", [WARM]),
    ("Cancel both.", []), ("Cancel the earlier one.", [CLEAN]), ("Please cancel the first order.", [CLEAN]),
])  # fmt: skip
def test_one_of_several_orders_is_meant_by_its_place(ward, said, left):
    reply = ward.talk((A, "Bring a thermometer to table G."), (A, "Bring an antiseptic to table C."), (A, said))
    assert reply.startswith("Do you want me to call off 1 ")
    ward.talk((A, "Yes."))
    assert ward.goals() == left


@pytest.mark.parametrize(
    "said", ["Cancel the other one.", "Cancel the third one.", "Pause the previous one.", "Cancel one of them."]
)
def test_a_place_that_may_be_several_is_asked_about(ward, said):
    reply = ward.talk((A, "Bring a thermometer to table G."), (A, "Bring an antiseptic to table C."), (A, said))
    assert "Which do you mean?" in reply and WARM in reply and CLEAN in reply
    ward.talk((A, "Yes."))
    assert ward.goals() == [WARM, CLEAN]


# -- yes and no -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "I'd rather have Fetch do it.", "I'd prefer Temi to do that.", "Do it with two of them.", "Do it slowly.",
    "Fetch could do it, I agree.", "Sure, the other one.", "Do it later.",
])  # fmt: skip
def test_a_yes_with_a_word_that_matters_is_not_read_back_as_a_yes(asked, said):
    assert "Do you mean: Yes." not in asked.talk((A, said))


def test_rather_another_robot_is_another_robot(asked):
    assert "Temi" in (reply := asked.talk((A, "I'd rather have Temi do it."))) and "Do you mean" in reply


@pytest.mark.parametrize("said", ["No problem.", "I don't mind.", "Not bad.", "No objections."])
def test_no_problem_is_no_no(asked, said):
    assert "not plain" in asked.talk((A, said))
    assert list(asked.states().values()) == ["waiting"]
    asked.talk((A, "Do it."))
    assert list(asked.states().values()) == ["running"]


@pytest.mark.parametrize("said", ["Go ahead.", "Fine, do it.", "Yes.", "I said yes."])
def test_a_yes_behind_what_may_be_a_no_is_asked_about(asked, said):
    assert "not plain" in asked.talk((A, "Not before lunch."))
    assert "Not before lunch" in (reply := asked.talk((A, said))) and "Do you want me to do it?" in reply
    assert list(asked.states().values()) == ["waiting"]
    asked.talk((A, "Yes."))
    assert list(asked.states().values()) == ["running"]
