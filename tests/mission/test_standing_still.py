"""A plea to stand still is a stop, from anybody and in any words; one that is told, asked or put off is none."""

import pytest

from tests.mission.ward import A, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")

EVERYBODY = (
    "Hold it!", "Hold it right there!", "Nobody move!", "No one moves!", "Stand still!", "Stay where you are!", "Wait!",
    "Don't go any further!", "Don't come any closer!", "Don't go in there!", "Not one step further!", "Keep still!",
    "Hold on!", "Wait a second!", "Everybody, stay put!", "Could you all stand still please?", "Quit moving!", "Whoa!",
    "There is a child behind you, don't move!", "Stay!", "Not so fast!", "Wait here!",
    "All robots stay put until I say so.", "Everyone hold still a second.", "Don't drive on!",
    "Just a second!", "One moment, please!", "Don't touch it!", "Don't touch the patient!", "Hands off!", "Enough!",
    "That's enough!", "Abort!", "Abort, abort!", "Please don't come near me.", "Get away from him!",
    "Don't touch anything in alpha!",
)  # fmt: skip
SPOT = (
    "Spot, don't move!", "Spot, hold it right there!", "Spot, stay where you are.", "Stand still, Spot!",
    "Make Spot stand still!", "Careful, Spot, hold it!",
    "Wait, Spot!", "Hold on, Spot!", "Spot, no further!", "Spot, stay!", "Please wait here, Spot.",
    "Spot, stay put until Temi is back.", "Spot, hold on!", "Spot, wait a second!", "Spot, just a moment!",
    "Don't touch that, Spot!",
)  # fmt: skip
NONE = (
    "She told him to stand still.", "If the nurse comes, stand still.", "Did you say don't move?", "Don't stand still.",
    "Nobody moves?", "Don't go to beta.", "No further.", "Two is enough.", "He said enough.", "Is that enough?",
    "Abort the lesson.", "Touch it.", "Nobody goes to gamma.", "Don't open the gamma door!",
)  # fmt: skip


@pytest.fixture(scope="module")
def ward():
    return with_medkit()


@pytest.mark.parametrize("said", EVERYBODY + SPOT)
def test_a_plea_to_stand_still_stops_robots(ward, said):
    assert ward.moves() == {"Fetch", "Spot", "Temi"}
    who = "Spot" if said in SPOT else "Everything"
    assert f"{who} stops." in ward.talk(("nurse", said))
    assert not ward.moves()
    ward.talk((A, "Continue."))


@pytest.mark.parametrize("said", NONE)
def test_what_only_speaks_of_standing_still_stops_nobody(ward, said):
    ward.talk(("nurse", said))
    assert ward.moves() == {"Fetch", "Spot", "Temi"}


def test_whoever_may_let_goals_rest_lets_them_rest_with_wait(ward):
    assert "rests" in ward.talk((A, "Wait!"))
    assert not ward.moves()
    ward.talk((A, "Continue."))


# -- what is not to be done -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("said", "who"), [
    ("Don't go into alpha!", "Temi"), ("Nobody goes into alpha!", "Temi"), ("Keep out of alpha!", "Temi"),
    ("Temi, don't go into alpha!", "Temi"), ("Don't touch table B!", "Fetch"),
    ("Don't bring a medkit to alpha!", "Fetch, Spot and Temi"),
])  # fmt: skip
def test_a_prohibition_of_somebody_without_the_right_stops_whoever_is_about_to_do_it(ward, said, who):
    rules = set(ward.mission.recovery.rules)
    reply = ward.talk(("nurse", said))
    assert f"{who} stop" in reply and "Instructor and teacher may" in reply and not ward.moves()
    ward.talk((A, "Continue."))
    assert ward.moves() == {"Fetch", "Spot", "Temi"} and set(ward.mission.recovery.rules) == rules


def test_a_prohibition_that_concerns_nobody_names_who_may_close_a_place(ward):
    reply = ward.talk(("visitor", "Spot, don't go into beta!"))
    assert "Spot is not on the way to beta. Instructor and teacher may close beta" in reply
    assert ward.moves() == {"Fetch", "Spot", "Temi"}


def test_whoever_may_command_closes_a_place_by_a_prohibition():
    ward = Ward()
    ward.talk((A, "Put one thermometer on table G."), (A, "Don't go into alpha!"))
    assert ward.goals() == ["1 thermometer at table G"] and "is closed" in ward.talk((A, "Is alpha closed?"))


def test_not_to_go_where_a_robot_was_just_sent_calls_that_off():
    ward = Ward()
    ward.talk((A, "Spot, go to alpha."), (A, "Don't go to alpha."))
    assert ward.goals() == [] and "is open" in ward.talk((A, "Is alpha closed?"))


# -- who said so ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("asked", ["Why did you go on?", "Who told you to continue?", "Why are you going on?"])
def test_who_let_robots_go_on_is_why_they_go_on(ward, asked):
    ward.talk(("visitor", "Stop!"))
    assert ward.talk(("nurse", "Why did you stop?")).startswith("Visitor stopped everything; it rests")
    assert "Visitor stopped everything" in ward.talk(("nurse", "What happened?"))
    ward.talk((A, "Continue."))
    assert ward.talk(("nurse", asked)) == "Visitor stopped everything, then instructor said continue."


def test_where_nobody_has_stopped_anything_it_is_said_why_robots_move():
    ward = Ward()
    ward.talk((A, "Spot, go to alpha."))
    reply = ward.talk(("nurse", "Why did you go on?"))
    assert reply.startswith("Nobody has stopped anything.") and "since instructor wants Spot at alpha" in reply


# -- in a lesson ------------------------------------------------------------------------------------------------------
def test_in_a_lesson_to_stay_is_no_stop_and_enough_ends_it():
    ward = Ward()
    ward.talk(
        (A, "Put one thermometer on table G."), ("teacher", "Let me teach you a new skill."), ("teacher", "rounds")
    )
    for said in ("Stay there.", "Then wait there, Spot.", "Stay where you are."):
        reply = ward.talk(("teacher", "Spot, go to gamma."), ("teacher", said))
        assert "stop nobody" in reply and ward.moves()
    assert "I have learnt rounds with 3 steps" in ward.talk(("teacher", "Enough.")) and ward.moves()
    ward.talk(("teacher", "Define new kit 'burnkit'."), ("teacher", "A caddy."), ("teacher", "Two gloves."))
    assert "Take your time" in ward.talk(("teacher", "Just a second.")) and ward.moves()
    assert "I have learnt it" in ward.talk(("teacher", "That's enough.")) and ward.moves()


@pytest.mark.parametrize("said", ["Stay there!", "Enough!", "Don't move.", "Wait!"])
def test_a_cry_in_a_lesson_is_a_stop(said):
    ward = Ward()
    ward.talk(
        (A, "Put one thermometer on table G."), ("teacher", "Let me teach you a new skill."), ("teacher", "rounds")
    )
    ward.talk(("teacher", "Spot, go to gamma."), ("teacher", said))
    assert not ward.moves()


def test_in_a_lesson_a_prohibition_is_read_back_before_it_closes_anything():
    ward = Ward()
    ward.talk(("teacher", "Let me teach you a new skill."), ("teacher", "rounds"), ("teacher", "Spot, go to gamma."))
    assert "Do you mean: Close the zone at table B." in ward.talk(("teacher", "Don't go to table B."))
    assert "And then?" in ward.talk(("teacher", "No."))
    assert "is open" in ward.talk(("teacher", "Is table B closed?"))
