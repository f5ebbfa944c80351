"""What words do depends on who said what before: corrections, take-backs, stops, yes and no among several people."""

import pytest

from coterie.core.action import Cause
from coterie.core.facts import UNKNOWN
from coterie.mission.goals import Failure
from tests.mission.talkers import Hospital

pytestmark = pytest.mark.usefixtures("quick")

A, B, V = "instructor", "teacher", "visitor"
PAIN, PAINS = "1 painkiller at table C", "2 painkillers at table C"


class Ward(Hospital):
    """A hospital in which plans are made and goals end when a test says so; nothing moves by itself."""

    def talk(self, *lines):
        """Lines of (person, words); the reply to the last."""
        reply = ""
        for person, words in lines:
            reply = self.say(person, words)
            self.mission.think()
        return reply

    def end(self):
        """What is wanted is so."""
        for goal in self.mission.goals.live():
            self.mission._finish(self.mission.goals[goal.id])

    def fail(self):
        """A step of the first goal goes wrong, and a way out is proposed."""
        item = next(i for i in self.mission.agenda if i.action.skill == "pickup" and "bandagebox" in i.action.args)
        cause = Cause("stock", ("stock", ("bandagebox", "tableE"), 0), "before")
        self.mission._failures.append((item.goal, Failure("EXECUTION", cause, item.robot, "pickup", item.action.args)))
        self.mission.think()

    def states(self):
        goals = self.mission.goals
        return {self.mission.name_of(g): g.state for g in goals.all() if not g.parent and g.state != "cancelled"}

    def moves(self):
        return {i.robot for i in self.mission.agenda}


@pytest.fixture
def ward():
    return Ward()


# -- corrections ------------------------------------------------------------------------------------------------------
def test_a_correction_is_of_its_speakers_order_whoever_spoke_meanwhile(ward):
    ward.talk((A, "Put one painkiller on table C."), (B, "Put one thermometer on table G."), (A, "No, two."))
    assert sorted(ward.goals()) == ["1 thermometer at table G", PAINS]
    assert "whole sentence" in ward.talk((V, "No, three."))
    assert sorted(ward.goals()) == ["1 thermometer at table G", PAINS]


@pytest.mark.parametrize("said", ["No, two.", "No, table D."])
def test_what_is_no_part_of_the_last_order_may_be_of_the_one_before_and_is_read_back(ward, said):
    ward.talk((A, "Put one painkiller on table C."), (A, "Open the side door."))
    assert "instead of: Bring a painkiller to table C." in ward.talk((A, said))
    assert sorted(ward.goals()) == [PAIN, "the side door open"]


def test_a_door_is_no_thing_that_is_put_on_a_table(ward):
    ward.talk((A, "Open the side door."), (A, "Put two painkillers on table C."))
    assert "Do you mean: Open the alpha door." in ward.talk((A, "No, the door to alpha."))
    ward.talk((A, "Yes."))
    assert sorted(ward.goals()) == [PAINS, "the door of alpha open"]


@pytest.mark.parametrize("said", ["No, two.", "No, table D.", "I meant the gloves."])
def test_what_is_done_stays_and_a_correction_of_it_is_read_back(ward, said):
    ward.talk((A, "Put one painkiller on table C."))
    ward.end()
    assert "is done already, and stays. Do you mean" in ward.talk((A, said))
    assert ward.goals() == []


def test_what_somebody_else_called_off_is_not_begun_again_by_a_correction(ward):
    ward.talk((A, "Put one painkiller on table C."), (B, "Do not put a painkiller on table C."))
    assert "Teacher has called that off. Do you mean" in ward.talk((A, "No, table D."))
    assert ward.goals() == []


def test_a_correction_of_what_is_read_back_still_replaces_the_order(ward):
    ward.talk((A, "Put one painkiller on table C."), (A, "Actually, two."), (A, "No, wait, three."), (A, "Yes."))
    assert ward.goals() == ["3 painkillers at table C"]


def test_a_take_back_of_what_is_read_back_leaves_the_order(ward):
    ward.talk((A, "Put one painkiller on table C."), (A, "Make it two."))
    assert ward.talk((A, "Undo that.")) == "All right; I do nothing."
    assert ward.goals() == [PAIN]


def test_what_waits_for_an_answer_can_be_put_right(ward):
    ward.talk((A, "Put one painkiller on the table."), (A, "No, two."), (A, "Table C."))
    assert ward.goals() == [PAINS]


def test_it_is_the_thing_that_was_ordered_and_goes_elsewhere(ward):
    ward.talk((A, "Put one painkiller on table C."), (B, "Where are the gloves?"), (A, "Put it on table D."))
    assert ward.goals() == ["1 painkiller at table D"]
    ward.end()
    ward.talk((A, "Put it on table C."))
    assert ward.goals() == [PAIN]
    assert "Which thing" in ward.talk((V, "Put it on table D."))


def test_a_correction_beside_a_proposal_is_read_back_and_the_proposal_is_asked_again(ward):
    ward.talk((A, "Deliver a medkit to alpha."))
    ward.fail()
    assert "Do you mean: Deliver two medkits" in ward.talk((A, "No, two."))
    reply = ward.talk((A, "No."))
    assert "not taken that for a no" in reply and "Do you want me to do it?" in reply
    assert list(ward.states().values()) == ["waiting"]


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
@pytest.mark.parametrize("said", ["Cancel that.", "Cancel the order.", "I changed my mind.", "Hurry up!"])
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


def test_an_order_is_called_off_whole(ward):
    ward.talk((A, "Spot and Temi, go to beta."), (B, "Open the side door."), (A, "Cancel that."))
    assert ward.goals() == ["the side door open"]


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


def test_what_was_said_in_between_may_be_meant_by_undo(ward):
    ward.talk((B, "Deliver a medkit to alpha."), (B, "Hurry up!"))  # which a teacher may not
    assert "Do you want me to undo" in ward.talk((B, "Undo that."))
    assert list(ward.states().values()) == ["running"]


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


# -- stopping ---------------------------------------------------------------------------------------------------------
def test_a_robot_that_is_stopped_does_nothing_later_either(ward):
    ward.talk((A, "Deliver a medkit to alpha."), (B, "Put one thermometer on table G."))
    later = next(r for r in ("Temi", "Spot", "Fetch") if not any(i.robot == r for i in ward.mission.agenda.running()))
    assert later in ward.moves()
    ward.talk((V, f"Stop {later}."), (A, "Open the side door."))
    assert later not in ward.moves()
    ward.talk((A, "Continue."))
    assert later in ward.moves()


def test_a_robot_that_is_stopped_can_do_what_it_could(ward):
    ward.talk((A, "Stop Spot."))
    assert "Spot can" in ward.talk((A, "Who can open doors?"))
    ward.talk((A, "Spot, open the side door."))
    assert ward.moves() == {"Spot"}


def test_only_the_robot_that_is_named_goes_on_or_one_is_asked(ward):
    ward.talk((A, "Spot, go to gamma."), (B, "Temi, go to beta."), (V, "Stop!"), (A, "Spot, continue."))
    assert ward.states() == {"Spot at gamma": "running", "Temi at beta": "paused"}
    ward.talk((B, "Go on with my order."))
    assert ward.states() == {"Spot at gamma": "running", "Temi at beta": "running"}


def test_a_robot_does_not_bring_others_with_it_without_a_question(ward):
    ward.talk((A, "Deliver a medkit to alpha."), (B, "Stop!"))
    assert "would go on, too" in ward.talk((B, "Spot, continue."))
    assert list(ward.states().values()) == ["paused"]


def test_continue_after_a_stop_leaves_what_was_paused_by_name(ward):
    ward.talk((A, "Spot, go to gamma."), (B, "Deliver a feverkit to beta."), (B, "Pause the feverkit."))
    reply = ward.talk((A, "Stop!"), (A, "Continue."))
    assert "Still at rest, by teacher" in reply and sorted(ward.states().values()) == ["paused", "running"]
    assert "teacher paused that" in ward.talk((A, "Continue."))


def test_a_correction_does_not_end_a_stop(ward):
    ward.talk((A, "Put one painkiller on table C."), (B, "Stop!"))
    assert "It rests, as before" in ward.talk((A, "No, two."))
    assert ward.states() == {PAINS: "paused"} and not ward.moves()


def test_an_order_after_the_stop_of_somebody_else_is_asked_about_and_they_are_told(ward):
    ward.talk((B, "Spot, go to gamma."), (V, "Stop!"))
    assert "visitor has stopped everything" in ward.talk((A, "Open the side door."))
    assert ward.states() == {"Spot at gamma": "paused"}
    ward.say(A, "Yes.")
    assert ward.goals() == ["Spot at gamma", "the side door open"]
    assert ward.told(V) == ["instructor wants, although you said stop: Open the side door."]


HARMLESS = (
    "No, two.", "Undo that.", "Yes.", "Not yet.", "Make it three.", "Hurry up!", "No, table D.", "What is going on?",
    "Table E is empty.", "Put it on table D.", "Forget it.", "Let Spot do it.", "The nurse may approve plans.",
)  # fmt: skip


@pytest.mark.parametrize("person", [A, B])
@pytest.mark.parametrize("said", HARMLESS)
def test_after_a_stop_nothing_moves_but_by_continue_or_an_order(ward, person, said):
    ward.talk((A, "Put one painkiller on table C."), (B, "Spot, go to gamma."), (V, "Stop!"), (person, said))
    assert not ward.moves() and "running" not in ward.states().values()


def test_an_order_of_whoever_said_stop_is_done(ward):
    ward.talk((A, "Spot, go to gamma."), (A, "Stop!"), (A, "Fetch, go to table A."))
    assert ward.states() == {"Spot at gamma": "paused", "Fetch at table A": "running"}


def test_after_a_stop_nothing_begins_by_itself(ward):
    ward.talk((A, "When table E is empty, bring a bandage box to table E."), (V, "Stop!"), (A, "Table E is empty."))
    assert ward.goals() == []
    ward.talk((A, "Continue."))
    assert ward.goals() == ["1 bandage box at table E"]


def test_whoever_said_stop_is_told_that_it_goes_on(ward):
    ward.talk((A, "Spot, go to gamma."), (V, "Stop!"))
    ward.say(A, "Continue.")
    assert ward.told(V) == ["instructor has spoken: Spot at gamma goes on."]


@pytest.mark.parametrize("said", ["Yes.", "Go ahead."])
def test_a_yes_after_a_stop_is_asked_about(ward, said):
    ward.talk((A, "Spot, go to gamma."), (A, "Stop!"))
    assert "Do you want me to go on?" in ward.talk((A, said))
    assert list(ward.states().values()) == ["paused"]


def test_what_was_read_back_before_a_stop_is_over(ward):
    ward.talk((A, "Spot, go to gamma."), (B, "Stop!"), (A, "Sorry, continue."), (A, "Stop!"))
    ward.talk((A, "Yes."))
    assert list(ward.states().values()) == ["paused"]


def test_a_step_that_the_corrected_order_counts_on_is_done_to_its_end(ward):
    ward.talk((A, "Deliver a medkit to alpha."))
    begun = [r for r in sorted(ward.moves()) if ward.mission.next_step(r) is not None]
    ward.talk((A, "No, to gamma."))
    at_once = ward.mission.stopped(begun)
    assert set(begun) > set(at_once) and not set(at_once) & {i.robot for i in ward.mission.agenda}
    ward.talk((A, "Cancel that."))
    assert sorted([*at_once, *ward.mission.stopped(begun)]) == begun


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


def test_as_many_as_a_kit_needs_of_a_new_thing_are_asked_for(ward):
    ward.talk((B, "Define new kit 'burnkit'."), (B, "A medical caddy."), (B, "Three 'plasters'."))
    assert "Where are there three plasters?" in ward.talk((B, "This is one."))
    ward.talk((B, "On table C."), (B, "Nothing else."))
    assert "There are three plasters at table C." in ward.talk((B, "How many plasters are on table C?"))


def test_a_rule_that_nobody_is_asked_is_not_read_back_as_one_that_asks(ward):
    assert "Do you mean" not in ward.talk((B, "If a door is jammed, don't ask me."))


# -- yes and no -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "said",
    [
        "Yes, but use Temi.", "Yes, if it takes less than five minutes.", "No, ask the nurse.",
        "Sure, unless it rains.", "Yes, in ten minutes.", "Yes in ten minutes.",
        "Yes, as long as it takes less than a minute.",
        "Yes, the second one.", "Sure, the other one.",
    ],
)  # fmt: skip
def test_a_yes_or_no_with_more_answers_nothing_and_is_asked_again(ward, said):
    ward.talk((A, "Deliver a medkit to alpha."))
    ward.fail()
    reply = ward.talk((A, said))
    assert "since you said more" in reply and "Do you want me to do it?" in reply
    assert list(ward.states().values()) == ["waiting"]


def test_a_yes_with_another_order_is_not_lost_when_that_is_settled(ward):
    ward.talk((A, "Deliver a medkit to alpha."))
    ward.fail()
    assert "Do you mean: Open the side door." in ward.talk((A, "OK, and also open the side door."))
    assert "Do you want me to do it?" in ward.talk((A, "Yes."))
    assert "the side door open" in ward.goals() and "waiting" in ward.states().values()
    ward.talk((A, "Yes."))
    assert "waiting" not in ward.states().values()


@pytest.mark.parametrize("said", ["Not yet.", "Not now.", "Later.", "Let me think."])
def test_not_yet_is_no_no(ward, said):
    ward.talk((A, "Deliver a medkit to alpha."))
    ward.fail()
    before = ward.mission.partner.proposed(A)
    assert "that waits" in ward.talk((A, said)) and ward.mission.partner.proposed(A) == before
    ward.talk((A, "Yes."))
    assert "waiting" not in ward.states().values()


def test_a_yes_of_somebody_else_answers_no_read_back(ward):
    ward.talk((A, "Would it be possible to have the side door opened?"), (B, "Could you open alpha's door for me, eh?"))
    before = ward.goals()
    ward.talk((V, "Yes."))
    assert ward.goals() == before


def test_forget_it_with_a_proposal_asks_what_is_to_be_forgotten(ward):
    ward.talk((A, "Deliver a medkit to alpha."))
    ward.fail()
    assert "Do you want me to call off" in ward.talk((A, "Forget it."))
    assert list(ward.states().values()) == ["waiting"]


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


def test_a_time_that_is_not_heeded_is_named(ward):
    assert "'at five'" in ward.talk((A, "Deliver a medkit to alpha at five."))


# -- how many in all, and how many more -------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "From now on a medkit has three painkillers.", "From now on, a medkit contains three painkillers.",
    "Use three painkillers in a medkit.", "Make it three painkillers in a medkit.",
    "There are three painkillers in a medkit.", "Change the medkit to three painkillers.",
    "The medkit gets three painkillers.", "From now on a medkit also has one painkiller.",
    "From now on a medkit has one painkiller more.", "Add one painkiller to the medkit.",
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


def test_what_was_asked_is_left_with_never_mind(ward):
    assert "Which thing" in ward.talk((A, "Bring it to table C."))
    assert "leave" in ward.talk((A, "Never mind.")) and ward.goals() == []


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


def test_facts_are_told_in_words(ward):
    words = ward.mission.domain.fact_words
    assert words("perceived", ("caddy", "tableA"), None) == words("perceived", ("caddy", "tableA"), UNKNOWN)
    for told in (
        words("perceived", ("caddy", "tableA"), None),
        words("odd", ("caddy",), 3),
        words("odd", ("x",), None),
    ):
        assert "(" not in told and "None" not in told


def test_two_who_send_a_robot_to_two_places_are_told_of_each_other(ward):
    ward.talk((A, "Temi, go to beta."))
    reply = ward.talk((B, "Temi, go to table G."))
    assert "Instructor wants Temi at beta: Temi cannot be at both." in reply
    told = [n["text"] for n in ward.mission.desk.notes if n["what"] == "tell" and n["to"] == A]
    assert any("Teacher wants Temi at table G, and you want Temi at beta" in t for t in told)
    assert "both" not in ward.talk((A, "Spot, go to alpha.")) and "both" not in ward.talk((B, "Spot, go to alpha."))
