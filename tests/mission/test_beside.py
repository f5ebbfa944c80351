"""What people are told while a plan is sought: answers of that moment, which leave no trace in the mission."""

import pytest

from coterie.mission.assess import Trial
from coterie.mission.dialogue import quick as q
from tests.mission.talkers import Hospital

AT_ONCE = (
    "What is going on?", "What are the chances?", "How long will it take?", "How far are you?", "What changed?",
    "Can Spot open doors?", "Can you deliver a feverkit to gamma?", "Why don't you use Temi?", "Hello.",
    "What has happened so far?", "What may I do?",
)  # fmt: skip
PLANNED = (
    "What if table E is empty?", "Why don't you bring a woundkit to gamma?",
    "How long does a woundkit take?",
)  # fmt: skip
WAITS = ("There are two painkillers on table C.", "Deliver a feverkit to beta.", "No, three.", "Yes.", "blah blah")


pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def talk():
    talk = Hospital()
    talk.say("teacher", "Deliver a medkit to alpha.")
    talk.mission.think()
    return talk


def test_what_needs_no_plan_is_answered_as_the_mission_would(talk):
    for text in AT_ONCE:
        beside = q.quick(talk.mission, "nurse", text)
        assert beside is not None and beside == talk.say("nurse", text), text
    assert not any(q.quick(talk.mission, "nurse", text) for text in (*PLANNED, *WAITS, "Where is it?"))


def test_chances_of_a_plan_that_is_not_there_are_not_made_up(talk):
    talk.say("teacher", "Deliver a feverkit to beta.")
    for text in ("What are the chances?", "How long will it take?"):
        assert q.quick(talk.mission, "nurse", text) is None  # it would be about half of what is wanted
        said = talk.say("nurse", text)
        assert said.startswith("A medkit") and "There is no plan for a feverkit" in said
    talk.mission.think()
    both = "A medkit (2 painkillers, 1 bandage box) at alpha and a feverkit"
    assert talk.say("nurse", text).startswith(both)
    talk.say("teacher", "Pause.")
    assert "There is no plan for a medkit (2 painkillers, 1 bandage box) at alpha: it rests." in talk.say("nurse", text)


def test_what_has_changed_meanwhile_is_not_answered_by_halves(talk, monkeypatch):
    answers = talk.mission.partner.answers
    goals = type(answers)._goals

    def changing(self, thread, x):
        talk.mission.agenda.made += 1
        return goals(self, thread, x)

    monkeypatch.setattr(type(answers), "_goals", changing)
    assert q.quick(talk.mission, "nurse", "What are your goals?") is None


def test_who_has_to_wait_is_told_what_was_heard(talk):
    talk.say("teacher", "Deliver a feverkit to beta.")
    for text in WAITS:
        assert f"I have heard you: '{text.rstrip('.')}'. I am looking for a plan for a feverkit" in q.noticed(
            talk.mission, "x", text
        )
    for text in ("Stop!", "Right, stop.", "oi, everybody stop it now!"):
        assert "I have heard the stop" in q.noticed(talk.mission, "nurse", text)
    assert "then I answer" in q.noticed(talk.mission, "nurse", PLANNED[0])
    odd = q.noticed(talk.mission, "nurse", "\x1b[2J" + "x" * 5000)
    assert odd.isprintable() and len(odd) < 300


def test_who_is_in_a_lesson_is_answered_by_the_lesson(talk):
    talk.say("teacher", "Define a new kit 'firstaid'.")
    assert q.quick(talk.mission, "teacher", "What is going on?") is None and q.quick(talk.mission, "nurse", "Hello.")


def test_nothing_that_the_mission_does_later_hangs_on_what_is_asked_beside(talk):
    """Else a log would hang on how long a plan was sought."""
    mission = talk.mission
    mission.trials.add(Trial("pick", "Fetch", True, 9.0, 5.0, "painkiller", "g1.1"))  # which the assessor has not seen

    def stand():
        assessor, planner, threads = mission.assessor, mission.planner, mission.dialogue.threads
        return (
            mission.journal.number, len(mission.desk.notes), assessor._seen, id(assessor.rates), planner.asked,
            planner.thinking, [(t.person, t.seen, t.names, t.meanings, len(t.turns)) for t in threads],
            [dict(w.told) for w in mission.wanted.values()], len(mission.events),
        )  # fmt: skip

    talk.say("nurse", "What changed?")
    before = stand()
    for text in (*AT_ONCE, "Where is the bandage box?", "Why did you fail?"):
        assert q.quick(mission, "nurse", text) is not None
        q.noticed(mission, "nurse", text)
        assert stand() == before, text


@pytest.mark.parametrize("said", ["Pause.", "Cancel that.", "No, wait."])
def test_whoever_wants_less_is_told_that_nothing_begins_before_it_is_heard(talk, said):
    assert "No robot begins anything" in q.noticed(talk.mission, "teacher", said)
    assert "No robot begins" not in q.noticed(talk.mission, "teacher", "Continue.")
    assert talk.mission.at_once(said) != talk.mission.at_once("Continue.")
