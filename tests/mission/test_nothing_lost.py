"""Nothing is lost without a word: a correction that fails, a lesson without a right, a yes and a no of two people."""

import pytest

A, B, N, V = "instructor", "teacher", "nurse", "visitor"
MEDKIT = "a medkit (2 painkillers, 1 bandage box) at {}"
ALPHA, GAMMA = MEDKIT.format("alpha"), MEDKIT.format("gamma")


def kits(ward):
    return ward.mission.speech.kit_names()


# -- corrections that cannot be ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("answer, left", [("none", [ALPHA]), ("two", [ALPHA, ALPHA])])
def test_a_correction_that_is_asked_about_leaves_the_order_until_it_is_answered(ward, answer, left):
    ward.talk((A, "Deliver a medkit to alpha."))
    assert "How many should it be?" in ward.talk((A, "No, zero."))
    assert ward.goals() == [ALPHA]
    ward.talk((A, answer))
    assert ward.goals() == left


def test_a_correction_of_what_rests_because_a_robot_was_stopped_is_taken(ward):
    ward.talk((A, "Deliver a medkit to alpha."), (B, "Stop Spot."))
    assert "It rests, as before" in ward.talk((A, "No, to gamma."))
    assert ward.states() == {GAMMA: "paused"}


def test_a_correction_is_planned_once(ward):
    sought = []
    seek = ward.mission.planner._sought
    ward.mission.planner._sought = lambda question: (sought.append(question), seek(question))[1]
    ward.talk((A, "Deliver a medkit to alpha."))
    first = len(sought)
    ward.talk((A, "No, to gamma."))
    assert ward.goals() == [GAMMA] and len(sought) - first <= 1


def test_after_a_stop_of_ones_own_a_correction_counts_when_it_goes_on(ward):
    ward.talk((A, "Deliver a medkit to alpha."), (A, "Stop!"), (A, "No, to gamma."))
    assert not ward.moves()
    ward.talk((A, "Continue."))
    assert ward.states() == {GAMMA: "running"}


def test_continue_is_no_answer_to_a_correction_that_was_read_back(ward):
    ward.talk((A, "Deliver a medkit to alpha."), (A, "Open the side door."), (A, "Stop!"), (A, "No, to gamma."))
    reply = ward.talk((A, "Continue."))
    assert "You have not answered that yet" in reply and "Deliver a medkit to gamma." in reply and not ward.moves()
    ward.talk((A, "Yes."), (A, "Continue."))
    assert ward.states() == {GAMMA: "running", "the side door open": "running"}


# -- lessons ----------------------------------------------------------------------------------------------------------
def test_a_lesson_is_not_kept_when_the_right_to_teach_is_taken_back(ward):
    ward.talk((B, "The instructor may teach you."), (A, "Define a new kit 'coldkit'."), (A, "A caddy."))
    ward.say(B, "The instructor may not teach you.")
    assert ward.told(A) == ["teacher takes back that you may teach."]
    reply = ward.talk((A, "One thermometer."), (A, "Nothing else."))
    assert "You may not teach me any more" in reply and "coldkit" not in kits(ward)


def test_a_lesson_is_not_kept_when_the_time_of_the_right_is_over(ward):
    ward.talk((B, "The instructor may teach you for one minute."), (A, "Define a new kit 'coldkit'."), (A, "A caddy."))
    ward.mission.journal.time += 90
    reply = ward.talk((A, "One thermometer."), (A, "Nothing else."))
    assert reply == "You may not teach me any more, so I have not kept the kit coldkit." and "coldkit" not in kits(ward)


# -- yes and no -------------------------------------------------------------------------------------------------------
def test_whoever_is_asked_by_a_policy_is_told_the_goal_and_what_failed(ward):
    ward.talk((B, "If something is missing, ask me first."), (A, "Deliver a medkit to alpha."))
    ward.mission.desk.take()
    ward.fail()
    told = " ".join(ward.told(B))
    assert "This is for a medkit" in told and "which instructor wants" in told and "no bandage box at table E" in told


def test_who_is_asked_when_nobody_answers_is_told_the_goal_and_what_failed(ward):
    ward.talk((A, "Deliver a medkit to alpha."))
    ward.fail()
    ward.mission.journal.time += 1000
    ward.mission.desk.take()
    ward.mission.think()
    assert "which instructor wants. I failed execution because there is no bandage box" in " ".join(ward.told(B))


# -- zones ------------------------------------------------------------------------------------------------------------
def test_the_reason_for_no_plan_names_a_closed_room(ward):
    ward.talk((B, "Close gamma for Temi."))
    assert "I found no plan because gamma is closed for Temi." in ward.talk((A, "Temi, go to gamma.")) + " ".join(
        ward.told(A)
    )
    assert "gamma is closed for Temi" in ward.talk((A, "Why?"))


def test_zones_can_be_asked_about(ward):
    ward.talk((B, "Close gamma for Temi."))
    assert ward.talk((A, "Is gamma closed for Temi?")) == "Yes, gamma is closed for Temi: teacher said so."
    assert ward.talk((A, "Is gamma closed for Spot?")) == "No, gamma is open for Spot."
    assert ward.talk((A, "May Spot go to gamma?")) == "Yes, gamma is open for Spot."
    assert ward.talk((A, "Gamma is closed?")).startswith("Yes, gamma is closed for Temi")


def test_who_closed_a_room_is_told_when_somebody_else_opens_it(ward):
    ward.talk((B, "Nobody goes near table B."))
    ward.say(A, "Reopen table B.")
    assert ward.told(B) == ["instructor has spoken: table B is open again."]


# -- words ------------------------------------------------------------------------------------------------------------
def test_without_a_robot(ward):
    ward.talk((A, "Deliver a medkit to gamma without Spot."))
    assert ward.goals() == [GAMMA] and "Spot" not in ward.moves()
    ward.talk((A, "Deliver a feverkit to alpha."))
    assert "Do you mean: Deliver a feverkit to alpha without Spot." in ward.talk((A, "Without Spot."))
    reply = ward.talk((A, "Yes."))
    assert "because it is to be done without Spot" in reply and "stays" in reply


def test_what_other_orders_bring_about_needs_no_approval(ward):
    ward.talk((A, "Open the side door."), (A, "Spot, go to beta."))
    assert ward.states() == {"the side door open": "running", "Spot at beta": "running"}
    ward.talk((A, "Cancel the side door."))
    assert ward.states() == {"Spot at beta": "running"} and ward.moves() == {"Spot"}


# -- found in dialogues that were written afterwards -------------------------------------------------------------------
def test_a_list_that_is_put_right_in_a_lesson_keeps_what_was_not_named(ward):
    ward.talk((B, "Define a new kit 'nightkit'."), (B, "A caddy."), (B, "One thermometer and two painkillers."))
    ward.talk((B, "Wait, three painkillers."), (B, "No, that was everything."))
    assert kits(ward)["nightkit"][1] == {"thermometer": 1, "painkiller": 3}


def test_another_kit_is_changed_instead(ward):
    ward.talk((B, "Add an antiseptic to the medkit."), (B, "Sorry, I meant the feverkit."))
    assert "antiseptic" not in kits(ward)["medkit"][1] and kits(ward)["feverkit"][1]["antiseptic"] == 1


def test_a_fact_that_was_put_right_is_as_before_when_that_is_undone(ward):
    ward.talk((N, "There are three gloves on table D."), (N, "No, five."), (N, "Undo that."))
    assert "three gloves" in ward.talk((A, "How many gloves are on table D?"))
