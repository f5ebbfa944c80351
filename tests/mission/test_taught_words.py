"""What was taught is spoken of like everything else; and what is put right is the part that was meant."""

import pytest


def taught(talk, *lines):
    for line in lines:
        said = talk.say("teacher", line)
    assert "I have learnt" in said
    return talk


@pytest.fixture
def patrol(talk):
    steps = ("Spot, go to alpha.", "Spot, open the beta door.")
    return taught(talk, "Let me teach you a new skill.", "patrol", *steps, "That is all.")


@pytest.mark.parametrize("text", [
    "Spot, patrol.", "Spot, patrol!", "Spot should patrol.", "Let Spot patrol.", "Spot, please patrol.",
    "Tell Spot to patrol.", "Do the patrol.", "Spot, do a patrol.",
])  # fmt: skip
def test_a_skill_that_was_taught_is_done_when_a_robot_is_told_its_name(patrol, text):
    assert patrol.say("teacher", text) == "All right: Spot at alpha." and patrol.goals() == ["Spot at alpha"]


def test_steps_for_nobody_are_for_whoever_is_told(talk):
    taught(talk, "Let me teach you a new skill.", "airing", "Open the beta door.", "That is all.")
    talk.say("teacher", "Spot, airing.")
    (goal,) = talk.mission.goals.live()
    assert goal.name == "the door of beta open"
    assert "no skill opendoor" in talk.say("teacher", "Temi, airing.") and len(talk.goals()) == 1


@pytest.mark.parametrize("start", ["Let me teach you a new skill called 'vesper'.", "Learn a new task named 'vesper'."])
def test_a_condition_is_not_dropped_from_a_step_or_a_goal_state(talk, start):
    talk.say("teacher", start)
    talk.say("teacher", "Open the beta door.")
    assert "condition" in talk.say("teacher", "When table E is empty, bring a painkiller to table D.")
    taught(talk, "That is all.")
    learnt = talk.say("teacher", "What have you learned?")
    assert "beta door" in learnt and "painkiller to table D" not in learnt


def test_a_goal_state_with_a_robot_in_it_can_be_done(talk):
    lesson = ("Learn a new task named 'watch'.", "Spot is at alpha.", "Send Temi to beta.", "Nothing else.")
    taught(talk, *lesson)
    assert talk.say("teacher", "Do watch.") == "All right: Spot at alpha and Temi at beta."
    talk.say("teacher", "Learn a new task named 'tour'.")
    assert "Who is there then?" in talk.say("teacher", "Go to alpha.")


def test_what_was_shown_stays_when_a_later_answer_is_put_right(talk):
    lines = ("Define new kit 'warmkit'.", "A medical caddy.", "Two blankets.", "Here is one.", "On table F.",
             "Four gloves.", "No, three.", "Nothing else.")  # fmt: skip
    taught(talk, *lines)
    assert talk.mission.speech.kit_names()["warmkit"][1] == {"blanket": 2, "gloves": 3}
    assert "name of something else" in talk.say("teacher", "Define new kit 'blanket'.")


# -- putting right ----------------------------------------------------------------------------------------------------
def test_a_thing_instead_of_a_kit_is_asked_about(talk):
    talk.say("teacher", "Deliver a medkit to alpha.")
    assert "Say a whole sentence." in talk.say("teacher", "No, three painkillers.")
    assert talk.goals() == ["a medkit (2 painkillers, 1 bandage box) at alpha"]
    talk.say("teacher", "The medkit should contain three painkillers.")
    assert talk.goals() == ["a medkit (3 painkillers, 1 bandage box) at alpha"]
