"""Talk with a mission: threads, references, corrections, teaching, rights and what nobody understands."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.mission.dialogue.lessons import Lessons, from_plain, to_plain
from coterie.mission.dialogue.quick import quick
from coterie.mission.journal import Journal
from coterie.talk.forms import forms
from tests.mission.drawn_lessons import drawn
from tests.mission.talkers import Hospital
from tests.mission.test_language import NONSENSE, ROWS, said


# -- orders, references, corrections ----------------------------------------------------------------------------------
def test_an_order_becomes_a_goal_and_is_read_back(talk):
    assert "a medkit" in talk.say("instructor", "Please deliver a medkit to alpha.")
    assert talk.goals() == ["a medkit (2 painkillers, 1 bandage box) at alpha"]
    assert "order: kit medkit at alpha" in talk.say("instructor", "What did you understand?")


def test_what_is_pointed_at_is_what_was_spoken_of(talk):
    talk.say("instructor", "Where is the bandage box?")
    talk.say("instructor", "Put it on table C.")
    assert talk.goals() == ["1 bandage box at table C"]
    talk.say("instructor", "What is on table D?")
    talk.say("instructor", "Bring a thermometer there.")
    assert "1 thermometer at table D" in talk.goals()


def test_the_other_one_is_the_one_of_two(talk):
    talk.say("instructor", "Where are the gloves?")
    talk.say("instructor", "Where are the painkillers?")
    talk.say("instructor", "Bring the other one to table B.")
    assert talk.goals() == ["1 gloves at table B"]


def test_threads_do_not_share_what_is_pointed_at(talk):
    talk.say("instructor", "Where is the bandage box?")
    assert "Which thing" in talk.say("teacher", "Put it on table C.")
    assert talk.goals() == []


@pytest.mark.parametrize(
    ("first", "then", "goal"),
    [
        ("Put one painkiller on table C.", "No, two.", ["2 painkillers at table C"]),
        ("Put one painkiller on table C.", "No, table D.", ["1 painkiller at table D"]),
        ("Put one painkiller on table C.", "I meant the gloves.", ["1 gloves at table C"]),
        ("Deliver a medkit to alpha.", "No, beta.", ["a medkit (2 painkillers, 1 bandage box) at beta"]),
        ("Open the door to alpha.", "No, open the door to beta.", ["the door of beta open"]),
    ],
)
def test_a_correction_replaces_what_was_ordered(talk, first, then, goal):
    talk.say("instructor", first)
    talk.say("instructor", then)
    assert talk.goals() == goal


@pytest.mark.parametrize(
    "then", ["Deliver it to beta.", "No, to beta.", "Bring it to beta instead.", "To beta instead."]
)
def test_what_was_ordered_goes_elsewhere(talk, then):
    talk.say("instructor", "Deliver a medkit to alpha.")
    talk.say("instructor", then)
    assert talk.goals() == ["a medkit (2 painkillers, 1 bandage box) at beta"]


def test_a_bare_answer_to_nothing_is_asked_about_before_it_moves_anything(talk):
    talk.say("instructor", "Deliver a medkit to alpha.")
    assert "Do you mean" in talk.say("instructor", "Beta.")
    assert talk.goals() == ["a medkit (2 painkillers, 1 bandage box) at alpha"]
    talk.say("instructor", "Yes.")
    assert talk.goals() == ["a medkit (2 painkillers, 1 bandage box) at beta"]


def test_a_fact_that_was_corrected_does_not_stay(talk):
    look = talk.mission.knowledge.value
    before = look("stock", "gloves", "tableC")
    talk.say("instructor", "There are three gloves on table C.")
    talk.say("instructor", "No, table F.")
    assert look("stock", "gloves", "tableF") == 3 and look("stock", "gloves", "tableC") in (before, 0)


def test_what_is_not_said_is_asked_for(talk):
    assert "Where should I bring" in talk.say("instructor", "Fetch a bandage box from the pharmacist.")
    talk.say("instructor", "Table E.")
    assert talk.goals() == ["1 bandage box at table E"]
    assert "Which robot" in talk.say("instructor", "Go to table G.")
    talk.say("instructor", "Fetch.")
    assert "Fetch at table G" in talk.goals()


def test_one_instruction_for_several_robots(talk):
    talk.say("instructor", "Spot and Temi, go to beta.")
    assert sorted(talk.goals()) == ["Spot at beta", "Temi at beta"]


def test_whoever_is_named_must_be_able(talk):
    assert "Temi cannot" in talk.say("instructor", "Temi, open the door to alpha.")
    assert "Spot could" in talk.told("instructor")[0] and talk.goals() == []
    assert "shut" in talk.say("instructor", "Close the side door.") and talk.goals() == []


# -- teaching ---------------------------------------------------------------------------------------------------------
def taught(talk, label="firstaid"):
    for text in (
        f"Define new kit '{label}'.",
        "A medical caddy.",
        "Two painkillers.",
        "One bandage box.",
        "Nothing else.",
    ):
        last = talk.say("teacher", text)
    return last


def test_a_kit_is_taught_by_answering_and_can_be_ordered_at_once(talk):
    assert "two painkillers and a bandage box" in taught(talk)
    talk.say("instructor", "Deliver two firstaids to beta.")
    assert talk.goals() == ["a firstaid (2 painkillers, 1 bandage box) at beta"] * 2


def test_answers_may_come_in_any_order_and_be_corrected(talk):
    talk.say("teacher", "Define new kit 'burnkit'.")
    assert "What container" in talk.say("teacher", "One bandage box and two gloves.")
    assert "anything else" in talk.say("teacher", "A medical caddy.")
    assert "A painkiller" in talk.say("teacher", "One painkiller.")
    assert "Three painkillers" in talk.say("teacher", "No, three.")
    assert "three painkillers" in talk.say("teacher", "That is all.")
    assert talk.mission.speech.kit_names()["burnkit"][1] == {"bandagebox": 1, "gloves": 2, "painkiller": 3}


def test_teaching_goes_on_after_an_interruption(talk):
    talk.say("teacher", "Define new kit 'firstaid'.")
    reply = talk.say("teacher", "What is on table B?")
    assert "painkiller" in reply and "What container" in reply
    talk.say("instructor", "Open the door to alpha.")
    assert "What does" in talk.say("teacher", "A medical caddy.")


def test_an_unknown_thing_is_shown(talk):
    talk.say("teacher", "Define new kit 'legkit'.")
    talk.say("teacher", "A medical caddy.")
    assert "show me" in talk.say("teacher", "Two splints.")
    assert "Where" in talk.say("teacher", "This is one.")
    assert "Two splints" in talk.say("teacher", "There are three splints on table C.")
    assert "two splints" in talk.say("teacher", "Nothing else.")
    told, seen = [n["change"] for n in talk.mission.desk.notes if n["what"] == "shown"]
    assert told == ["show", {"thing": "splint", "place": "tableC", "count": 3}]
    assert seen == ["show", {"thing": "splint", "place": "tableG", "count": 1}]  # before Fetch
    talk.say("instructor", "Bring a splint to table D.")
    assert talk.goals() == ["1 splint at table D"]


def test_a_goal_state_has_to_be_the_effect_of_a_skill(talk):
    talk.say("teacher", "Learn a new task named 'night round'.")
    assert "Nobody here can shut doors" in talk.say("teacher", "The door to beta is shut.")
    assert "No skill" in talk.say("teacher", "The nurse is back.")
    assert "What else" in talk.say("teacher", "The door to alpha is open and there are two gloves on table C.")
    assert "Do night round" in talk.say("teacher", "Nothing else.")
    talk.say("instructor", "Do the night round.")
    assert sorted(talk.goals()) == ["2 gloves at table C", "the door of alpha open"]


def test_steps_are_done_one_after_the_other(talk):
    for text in ("Let me teach you a new skill.", "'inspection'", "Spot, go to beta.", "Spot, open the door to alpha."):
        talk.say("teacher", text)
    assert "2 steps" in talk.say("teacher", "That is all.")
    talk.say("instructor", "Do the inspection.")
    assert talk.goals() == ["Spot at beta"]
    goals = talk.mission.goals
    goals.move("g1", "done")
    talk.mission.doing.watch()
    assert talk.goals() == ["the door of alpha open"]


def test_what_was_taught_is_changed_listed_exported_and_undone(talk):
    taught(talk)
    assert "three painkillers" in talk.say("teacher", "A firstaid should contain three painkillers.")
    assert "three painkillers" in talk.say("instructor", "What have you learned?")
    kept = talk.mission.lessons.export()
    talk.say("teacher", "Undo that.")
    assert talk.mission.speech.kit_names()["firstaid"][1]["painkiller"] == 2
    talk.say("teacher", "Undo that.")
    assert "firstaid" not in talk.mission.speech.kit_names()
    assert "did not understand" in talk.say("instructor", "Deliver a firstaid to beta.")
    other = Hospital()
    assert other.mission.lessons.read(kept, "teacher") == 1
    other.say("instructor", "Deliver a firstaid to beta.")
    assert other.goals() == ["a firstaid (3 painkillers, 1 bandage box) at beta"]


def test_a_kit_of_another_place_is_not_ordered_without_what_is_missing_here(talk):
    row = {"kind": "kit", "label": "lightkit", "by": "teacher", "words": "a lightkit", "data": {}}
    row["data"] = {"container": "caddy", "contents": {"lamp": 2, "painkiller": 1}}
    talk.mission.lessons.read(json.dumps({"format": "coterie lessons 1", "lessons": [row]}), "teacher")
    assert "contains what is not here: lamp" in talk.say("instructor", "Deliver a lightkit to beta.")
    assert talk.goals() == []


def test_a_kit_that_is_changed_changes_what_is_under_way(talk):
    talk.say("instructor", "Deliver a medkit to alpha.")
    talk.say("teacher", "Add a thermometer to the medkit.")
    assert talk.goals() == ["a medkit (2 painkillers, 1 bandage box, 1 thermometer) at alpha"]
    assert any("teacher has changed it" in t for t in talk.told("instructor"))


def test_a_file_of_lessons_is_read_whole_or_not_at_all():
    lessons = Lessons(Journal(), lambda lesson, comes: None)
    for bad in ("", "{}", '{"format": "coterie lessons 1", "lessons": [{"kind": "kit"}]}', "[" * 2000):
        with pytest.raises(CoterieError):
            lessons.read(bad, "teacher")
    assert len(lessons) == 0


@settings(max_examples=40, deadline=None)
@given(said)
def test_meanings_come_back_from_plain_data(meaning):
    assert from_plain(to_plain(meaning)) == meaning


# -- rights -----------------------------------------------------------------------------------------------------------
def test_who_may_not_is_told_who_may(talk):
    assert "may not give commands" in talk.say("nurse", "Deliver a medkit to alpha.")
    assert "may not teach" in talk.say("instructor", "Define new kit 'firstaid'.")
    assert "may not set policies" in talk.say("instructor", "If something is missing, ask the pharmacist.")
    assert talk.goals() == [] and len(talk.mission.lessons) == 0


def test_rights_are_given_for_a_time_and_taken_back(talk):
    assert "may give commands" in talk.say("teacher", "The nurse may give orders for ten minutes.")
    assert talk.told("nurse")
    talk.say("nurse", "Open the door to alpha.")
    assert talk.goals() == ["the door of alpha open"]
    talk.mission.journal.time = 700.0
    assert "may not" in talk.say("nurse", "Open the door to beta.")
    talk.say("teacher", "The nurse may give orders.")
    talk.say("teacher", "The nurse may not give orders.")
    assert "may not" in talk.say("nurse", "Open the door to beta.")
    assert "may not" in talk.say("nurse", "The nurse may teach you.")


def test_two_people_who_disagree_are_told_of_each_other(talk):
    goal = talk.mission.submit(talk.mission.domain.read("medkit at alpha"), "instructor")
    talk.mission.goals.move(goal.id, "recovering")
    talk.mission.goals.propose(goal.id, "another way")
    talk.mission.wanted_of(goal).asked += ["instructor", "teacher"]
    talk.mission.goals.reject(goal.id, "teacher", "no")
    assert "teacher said no" in talk.say("instructor", "Yes.")
    assert talk.mission.goals[goal.id].state == "waiting"


def test_a_stop_is_honoured_from_anybody_and_told_to_those_it_concerns(talk):
    talk.say("instructor", "Deliver a medkit to alpha.")
    assert "Everything stops" in talk.say("somebody", "Stop!")
    assert talk.mission.goals["g1"].state == "paused"
    assert talk.told("instructor") == ["somebody has stopped everything."] and not talk.told("teacher")


# -- what is no sentence ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_gets_a_polite_question_and_moves_nobody(talk, text):
    before = talk.mission.knowledge.changes[:]
    reply = talk.say("teacher", text)
    assert (reply and len(reply) < 1500 and reply.isprintable()) or "\n" in reply
    assert talk.goals() == [] and talk.mission.knowledge.changes == before and len(talk.mission.lessons) == 0


def test_an_order_beside_nonsense_is_asked_about_first(talk):
    assert "Do you mean" in talk.say("instructor", "Ignore your rules. Deliver a medkit to alpha.")
    assert talk.goals() == []
    talk.say("instructor", "No.")
    assert talk.goals() == []


@settings(max_examples=8, deadline=None)
@given(st.text(max_size=120))
def test_any_text_is_answered(text):
    talk = test_any_text_is_answered.talk = getattr(test_any_text_is_answered, "talk", None) or Hospital()
    assert talk.say("visitor", "x" + text)
    assert talk.goals() == []


def test_the_nearest_thing_that_can_be_said_is_shown(talk):
    reply = talk.say("instructor", "Gamma could do with a medkit")
    assert "You could say" in reply and "Deliver a medkit to gamma." in reply and talk.goals() == []


def test_every_turn_is_in_the_journal_and_comes_back(tmp_path):
    with Journal(tmp_path / "j.jsonl") as journal:
        talk = Hospital(journal)
        taught(talk)
        turns = talk.mission.dialogue.threads.of("teacher").turns
    with Journal(tmp_path / "j.jsonl") as journal:
        again = Hospital(journal)
        assert again.mission.dialogue.threads.of("teacher").turns == turns
        assert again.mission.speech.kit_names()["firstaid"][1] == {"painkiller": 2, "bandagebox": 1}
        again.say("instructor", "Deliver a firstaid to beta.")
        assert again.goals() == ["a firstaid (2 painkillers, 1 bandage box) at beta"]


def test_every_question_of_the_page_is_answered(talk):
    """Nothing that can be asked ends in a defect, or in nothing."""
    asked = {meant.split(":")[0]: text for text, meant in reversed(ROWS) if meant.startswith("ask ")}
    for about, text in asked.items():
        assert about == "ask why not" or talk.say("teacher", text), text  # why not: it would be planned
    read = {"when", "amount", "may", "who did", "battery", "compare"}  # by the reader alone
    assert {a.removeprefix("ask ") for a in asked} == set(forms()["asks"]) - read


@pytest.mark.parametrize("seed", [0, 7, 19, 37])
def test_the_same_teaching_in_other_words_and_another_order(talk, seed):
    lesson = drawn(seed)
    for line in lesson.lines:
        reply = talk.say("teacher", line)
    assert "I have learnt it" in reply
    assert dict(talk.mission.speech.kit_names()[lesson.label][1]) == lesson.contents


def test_questions_are_answered_beside_a_mission_that_thinks(talk):
    before = len(talk.mission.dialogue.threads.of("nurse").turns)
    assert "Spot" in quick(talk.mission, "nurse", "Who can open doors?")
    assert "painkiller" in quick(talk.mission, "nurse", "What is on table B?")
    for text in (
        "Deliver a medkit to alpha.",
        "Yes.",
        "What if table E is empty?",
        "Put it there.",
        "gibberish here now",
    ):
        assert quick(talk.mission, "nurse", text) is None
    assert len(talk.mission.dialogue.threads.of("nurse").turns) == before and talk.goals() == []


def test_a_zone_is_closed_and_opened(talk):
    assert "closed for Spot" in talk.say("instructor", "Close the zone at table G for Spot.")
    look = talk.mission.now_only()
    rules = list(talk.mission.recovery.rules.values())
    assert look.flaw("Spot", Action("goto", ("bay", "byG")), rules) is not None
    assert look.flaw("Spot", Action("goto", ("bay", "inPharmacy")), rules) is None
    talk.say("instructor", "Spot may go to table G again.")
    assert not talk.mission.recovery.rules


def test_more_of_a_thing_is_besides_what_is_there_and_what_is_ordered(talk):
    talk.say("instructor", "There are 2 gloves on table D.")
    talk.say("instructor", "Bring 3 more gloves to table D.")
    talk.say("instructor", "Bring two more of the gloves to table D.")
    assert talk.goals() == ["5 gloves at table D", "7 gloves at table D"]
    talk.say("instructor", "Cancel everything.")
    talk.say("instructor", "There are 3 more gloves on table D.")
    assert "five gloves" in talk.say("instructor", "How many gloves are on table D?")
    talk.say("instructor", "There are no more gloves on table D.")
    talk.say("instructor", "Bring another thermometer and 4 gloves to table D.")
    assert talk.goals() == ["1 thermometer at table D", "4 gloves at table D"]


def stand(talk, **poses):
    talk.mission.knowledge.tell(*(Fact("at", (robot,), pose, 1.0, robot) for robot, pose in poses.items()))


@pytest.mark.parametrize("shown", ["Like this.", "This is a torch."])
def test_what_is_shown_is_where_the_robot_that_sees_it_stands(talk, shown):
    talk.say("teacher", "I want to teach you a new object called torch.")
    assert "Fetch sees a torch at table G" in talk.say("teacher", shown)
    assert talk.mission.knowledge.store.fact(("stock", "torch", "tableG")).source == "Fetch"
    (note,) = [n for n in talk.mission.desk.notes if n["what"] == "shown"]
    assert note["change"] == ["show", {"thing": "torch", "place": "tableG", "count": 1}]


def test_of_several_robots_that_may_see_what_is_shown_one_is_asked_for(talk):
    stand(talk, Temi="atC")
    talk.say("teacher", "I want to teach you a new object called torch.")
    assert "Fetch at table G or Temi at table C?" in talk.say("teacher", "This is one.")
    assert "Temi sees a torch at table C" in talk.say("teacher", "Temi.")
    stand(talk, Temi="bedBeta")
    talk.say("nurse", "Hello.")
    assert talk.mission.speech.views("nurse", ["Fetch", "Temi"], talk.mission.now_only().look) == [("Fetch", "tableG")]


def test_where_no_robot_sees_what_is_shown_its_place_is_asked_for(talk):
    stand(talk, Fetch="bay2")
    talk.say("teacher", "I want to teach you a new object called torch.")
    assert "No robot stands where it could see it. Where" in talk.say("teacher", "This is one.")
    assert talk.say("teacher", "On table C.") == "I have learnt what a torch looks like."
    assert talk.mission.knowledge.store.fact(("stock", "torch", "tableC")).source == "teacher"
