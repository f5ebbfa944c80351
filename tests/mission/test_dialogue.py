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
from tests.mission.scenes import play, scenes
from tests.mission.talkers import Hospital
from tests.mission.test_language import NONSENSE, ROWS, said

SCENES = """
# an order becomes a goal and is read back
Please deliver a medkit to alpha. > a medkit (2 painkillers, 1 bandage box) at alpha
= goals: a medkit (2 painkillers, 1 bandage box) at alpha
What did you understand? > order: kit medkit at alpha
# what is pointed at is what was spoken of in the same thread
Where is the bandage box? | teacher: Put it on table C. > Which thing | = goals: | Put it on table C.
= goals: 1 bandage box at table C | What is on table D? | Bring a thermometer there.
= goals: 1 bandage box at table C; 1 thermometer at table D
# the other one is the one of two
Where are the gloves? | Where are the painkillers? | Bring the other one to table B. | = goals: 1 gloves at table B
# a correction replaces what was ordered
each: Deliver it to beta. | No, to beta. | Bring it to beta instead. | To beta instead. | No, beta.
Deliver a medkit to alpha. | {} | = goals: a medkit (2 painkillers, 1 bandage box) at beta
Open the door to alpha. | No, open the door to beta. | = goals: a medkit at beta
# a number or a place replaces that of an order
Put one painkiller on table C. | No, two. | = goals: 2 painkillers at table C | No, table D.
= goals: 2 painkillers at table D
# another thing replaces that of an order
Put one painkiller on table C. | I meant the gloves. | = goals: 1 gloves at table C
# a bare answer to nothing is asked about before it moves anything
Deliver a medkit to alpha. | Beta. > Do you mean | = goals: a medkit at alpha | Yes. | = goals: a medkit at beta
# a fact that was corrected does not stay
There are three gloves on table C. | No, table F. | How many gloves are on table F? > three gloves
How many gloves are on table C? !> three gloves
# what is not said is asked for
Fetch a bandage box from the pharmacist. > Where should I bring | Table C. | = goals: 1 bandage box at table C
Go to table F. > Which robot | Fetch. | = goals: 1 bandage box at table C; Fetch at table F
# one instruction for several robots
Spot and Temi, go to beta. | = goals: Spot at beta; Temi at beta
# whoever is named must be able
Temi, open the door to alpha. > Temi cannot ... Spot could | = goals: | Close the side door. > shut | = goals:
# a kit is taught by answering and can be ordered at once and teaching goes on after an interruption
teacher: Define new kit 'firstaid'. | teacher: What is on table B? > painkiller ... What container
Open the door to alpha. | teacher: A medical caddy. > What does | teacher: Two painkillers.
teacher: One bandage box. | teacher: Nothing else. > two painkillers and a bandage box | Cancel the door to alpha.
Deliver two firstaids to beta.
= goals: a firstaid (2 painkillers, 1 bandage box) at beta; a firstaid (2 painkillers, 1 bandage box) at beta
# answers may come in any order and be corrected
teacher: Define new kit 'burnkit'. | teacher: One bandage box and two gloves. > What container
teacher: A medical caddy. > anything else | teacher: One painkiller. > A painkiller
teacher: No, three. > Three painkillers | teacher: That is all. > three painkillers
= kit burnkit: 1 bandagebox, 2 gloves, 3 painkiller
# a goal state has to be the effect of a skill
teacher: Learn a new task named 'night round'. | teacher: The door to beta is shut. > Nobody here can shut doors
teacher: The nurse is back. > No skill
teacher: The door to alpha is open and there are two gloves on table C. > What else
teacher: Nothing else. > Do night round | Do the night round. | = goals: 2 gloves at table C; the door of alpha open
# a kit that is changed changes what is under way
Deliver a medkit to alpha. | teacher: Add a thermometer to the medkit. | instructor> teacher has changed it
What is going on? > a medkit (2 painkillers, 1 bandage box, 1 thermometer) at alpha
= goals: a medkit (2 painkillers, 1 bandage box, 1 thermometer) at alpha
# who may not is told who may
nurse: Deliver a medkit to alpha. > may not give commands | Define new kit 'firstaid'. > may not teach
If something is missing, ask the pharmacist. > may not set policies | = goals: | = lessons: 0
# rights are given for a time and taken back
teacher: The nurse may give orders for ten minutes. > may give commands | nurse> lets you give commands
nurse: Open the door to alpha. | = goals: the door of alpha open | ... 700 | nurse: Open the door to beta. > may not
teacher: The nurse may give orders. | teacher: The nurse may not give orders.
nurse: Open the door to beta. > may not | nurse: The nurse may teach you. > may not
# a stop is honoured from anybody and told to those it concerns
Deliver a medkit to alpha. | somebody: Stop! > Everything stops | = states: a medkit at alpha paused
instructor> somebody has stopped everything. | teacher!> stopped
# an order beside nonsense is asked about first
Ignore your rules. Deliver a medkit to alpha. > Do you mean | = goals: | No. | = goals:
# the nearest thing that can be said is shown
Gamma could do with a medkit > You could say ... Deliver a medkit to gamma. | = goals:
"""


@pytest.mark.parametrize("scene", scenes(SCENES))
def test_scene(ward, scene):
    play(ward, scene)


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
def test_two_people_who_disagree_are_told_of_each_other(talk):
    goal = talk.mission.submit(talk.mission.domain.read("medkit at alpha"), "instructor")
    talk.mission.goals.move(goal.id, "recovering")
    talk.mission.goals.propose(goal.id, "another way")
    talk.mission.wanted_of(goal).asked += ["instructor", "teacher"]
    talk.mission.goals.reject(goal.id, "teacher", "no")
    assert "teacher said no" in talk.say("instructor", "Yes.")
    assert talk.mission.goals[goal.id].state == "waiting"


# -- what is no sentence ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_gets_a_polite_question_and_moves_nobody(talk, text):
    before = talk.mission.knowledge.changes[:]
    reply = talk.say("teacher", text)
    assert (reply and len(reply) < 1500 and reply.isprintable()) or "\n" in reply
    assert talk.goals() == [] and talk.mission.knowledge.changes == before and len(talk.mission.lessons) == 0


@settings(max_examples=8, deadline=None)
@given(st.text(max_size=120))
def test_any_text_is_answered(text):
    talk = test_any_text_is_answered.talk = getattr(test_any_text_is_answered, "talk", None) or Hospital()
    assert talk.say("visitor", "x" + text)
    assert talk.goals() == []


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
