"""What words do depends on who said what before: corrections, take-backs, lessons, reports, reasons."""

import pytest

from tests.mission.ward import A, B, V


# -- corrections ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", ["No, two.", "No, table D.", "I meant the gloves."])
def test_what_is_done_stays_and_a_correction_of_it_is_read_back(ward, said):
    ward.talk((A, "Put one painkiller on table C."))
    ward.end()
    assert "is done already, and stays. Do you mean" in ward.talk((A, said))
    assert ward.goals() == []


def test_a_lesson_of_somebody_else_is_neither_put_right_nor_undone(ward):
    kits = ward.mission.speech.kit_names
    ward.talk((B, "The instructor may teach you."), (B, "Add a thermometer to the medkit."))
    ward.talk((A, "Add an antiseptic to the feverkit."), (B, "No, two."))
    assert kits()["medkit"][1]["thermometer"] == 2 and kits()["feverkit"][1]["antiseptic"] == 1
    ward.talk((A, "Add a thermometer to the woundkit."), (B, "Undo that."))
    assert "thermometer" not in kits()["medkit"][1] and "thermometer" in kits()["woundkit"][1]
    ward.talk((A, "Add gloves to the medkit."), (B, "Add gloves to the feverkit."), (A, "Where is Spot?"))
    ward.talk((A, "Undo that."))
    assert "gloves" in kits()["feverkit"][1] and "gloves" not in kits()["medkit"][1]


# -- taking back ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", ["Cancel that.", "Cancel the order.", "Hurry up!"])
def test_nobody_takes_back_or_hurries_what_others_want_without_a_question(ward, said):
    ward.mission.authority.grant("mission", B, "priority")
    ward.talk((A, "Deliver a medkit to alpha."))
    assert "for instructor?" in ward.talk((B, said))
    goal = ward.mission.goals.all()[0]
    assert goal.state == "running" and goal.priority == 0
    assert "may not" in ward.talk((V, said)) and ward.mission.goals.all()[0].state == "running"


def test_a_name_means_ones_own_of_that_name_first(ward):
    ward.talk((A, "Deliver a feverkit to alpha."), (B, "Deliver a feverkit to beta."), (A, "Cancel the feverkit."))
    assert [g.by for g in ward.mission.goals.live()] == [B]


def test_an_order_that_waits_is_called_off_before_one_that_came_earlier(ward):
    ward.talk((A, "Open the side door."), (A, "When table E is empty, bring a bandage box to table E."))
    ward.talk((A, "Cancel that."))
    assert ward.goals() == ["the side door open"] and not ward.mission.doing.standing


@pytest.mark.parametrize(
    "said", ["Close the zone at table G.", "The medkit is urgent.", "Pause the medkit.", "Spot is broken.", "Stop!"]
)
def test_undo_is_of_the_last_thing_and_never_of_one_before(ward, said):
    ward.talk((A, "Deliver a medkit to alpha."))
    rules = set(ward.mission.recovery.rules)
    ward.talk((A, said))
    reply = ward.talk((A, "Undo that."))
    (goal,) = ward.mission.goals.all()
    assert goal.state in (("paused",) if said == "Stop!" else ("running", "waiting")) and goal.priority == 0
    assert set(ward.mission.recovery.rules) == rules
    assert "until somebody says continue" in reply if said == "Stop!" else "take that back" in reply


def test_a_right_that_was_given_is_taken_back_and_no_lesson(ward):
    ward.talk((B, "Add a thermometer to the medkit."), (B, "The nurse may approve plans."), (B, "Undo that."))
    assert not ward.mission.authority.may("nurse", "approve")
    assert "thermometer" in ward.mission.speech.kit_names()["medkit"][1]


def test_nobody_says_that_what_is_done_was_taken_back(ward):
    ward.talk((A, "Put one painkiller on table C."))
    ward.end()
    assert "done already, and stays" in ward.talk((A, "Undo that."))


@pytest.mark.parametrize(
    ("said", "state"), [("No.", "cancelled"), ("Don't do that.", "cancelled"), ("Not yet.", "paused")]
)
def test_a_no_to_what_one_has_ordered_is_asked_about(ward, said, state):
    ward.talk((A, "Deliver a medkit to alpha."))
    assert "proposed nothing" in ward.talk((B, said))
    assert "Do you want me to" in ward.talk((A, said))
    assert list(ward.states().values()) == ["running"]
    ward.talk((A, "Yes."))
    assert ward.mission.goals.all()[0].state == state


# -- lessons ----------------------------------------------------------------------------------------------------------
def test_a_correction_in_a_lesson_is_of_the_answer_that_names_the_same_thing(ward):
    ward.talk((B, "Define new kit 'burnkit'."), (B, "A medical caddy."), (B, "Two gloves."), (B, "One antiseptic."))
    ward.talk((B, "No, three gloves."))
    told = ward.talk((B, "Nothing else."))
    assert "three gloves" in told and "antiseptic" in told and "two gloves" not in told


def test_not_yet_ends_no_lesson(ward):
    ward.talk((B, "Define new kit 'burnkit'."), (B, "A medical caddy."), (B, "Two gloves."))
    assert "contain anything else" in ward.talk((B, "Not yet."))
    told = ward.talk((B, "One antiseptic."), (B, "Nothing else."))
    assert "two gloves" in told and "antiseptic" in told


# -- reports ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "said",
    [
        "I have opened the door to alpha.", "I am going to open the side door.",
        "I can bring a bandage box to table E.",
        "We have already put a thermometer on table G.", "The nurse is bringing a bandage box to table E.",
        "I will take the gloves to table C.", "He has just opened the side door.",
    ],
)  # fmt: skip
def test_what_people_do_themselves_is_no_order(ward, said):
    ward.talk((A, said), (A, "Yes."))
    assert ward.goals() == []


# -- how many in all, and how many more -------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "From now on a medkit has three painkillers.", "From now on, a medkit contains three painkillers.",
    "From now on a medkit also has one painkiller.", "Add one painkiller to the medkit.",
])  # fmt: skip
def test_a_number_of_a_kit_is_how_many_in_all_where_nothing_says_more(ward, said):
    if "Do you mean" in ward.talk((B, said)):
        ward.talk((B, "Yes."))
    assert ward.mission.speech.kit_names()["medkit"][1] == {"painkiller": 3, "bandagebox": 1}


# -- what was asked is answered ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("said", "answer", "goal"), [
    ("Bring me a medkit.", "Alpha.", "at alpha"), ("Bring me a medkit.", "I'm in alpha.", "at alpha"),
    ("Bring a medkit there.", "alpha", "at alpha"), ("Bring a thermometer there.", "to table C", "table C"),
    ("Bring it to table C.", "the thermometer", "1 thermometer at table C"),
    ("Bring it to alpha.", "A medkit.", "at alpha"),
])  # fmt: skip
def test_where_and_what_is_meant_is_asked_and_answered(ward, said, answer, goal):
    assert "?" in ward.talk((A, said))
    ward.talk((A, answer))
    assert [goal in g for g in ward.goals()] == [True]


# -- reasons ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("said", "who"), [
    ("Fetch, go to the corridor.", "Fetch cannot get to"), ("Everybody, go to the corridor.", "Fetch cannot get to"),
    ("Spot, Temi and Fetch, go to table C.", "Spot cannot get to"),
])  # fmt: skip
def test_what_a_robot_cannot_is_not_put_down_to_other_goals(ward, said, who):
    reply = ward.talk((A, said))
    assert who in reply and "set aside" not in reply and "nothing left" not in reply
    assert who in ward.talk((A, "Why?")) and ward.goals() == []
    ward.talk((A, "Spot, go to the corridor."))
    assert "Nothing has failed" in ward.talk((A, "Why?"))
