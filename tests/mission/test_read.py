"""Sentences that a model has read, from the mark to what becomes of them: the mark has the reading; no model runs."""

from types import SimpleNamespace

import pytest

from coterie.mission.dialogue.effects import SAY_NO
from coterie.mission.dialogue.listening import LOADING_S, Listener
from coterie.talk.marks import READ, mark
from tests.mission.ward import A, B, V, with_medkit

pytestmark = pytest.mark.usefixtures("quick")
MEDKIT = "a medkit (2 painkillers, 1 bandage box) at alpha"
ORDER = "order: kit medkit at alpha"


def read(talk, person, brief, p=0.98, missing=(), said="words"):
    return talk.say(person, mark(said, brief, p, tuple(missing)))


def test_a_question_is_answered_at_once_with_what_it_was_taken_for(talk):
    for p in (0.99, 0.7, 0.4):
        reply = read(talk, V, "ask contents: table B", p)
        assert reply.startswith("(I take it for: What is on table B?)") and "painkiller" in reply


def test_a_likely_order_begins_with_its_reading_back_and_a_no_takes_it_back(talk):
    reply = read(talk, A, ORDER, 0.93, said="alpha could do with a medkit")
    assert "I take it for: Deliver a medkit to alpha." in reply and SAY_NO in reply and talk.goals() == [MEDKIT]
    assert "I take that back" in talk.say(A, "No.") and talk.goals() == []
    read(talk, A, ORDER)
    talk.say(A, "What is going on?")
    talk.say(A, "No.")
    assert talk.goals() == [MEDKIT], "something else was said in between"


@pytest.mark.parametrize(("brief", "p", "missing"), [
    (ORDER, 0.8, ()), (ORDER, 0.99, ("gloves",)), (f"maybe {ORDER}", 0.99, ()),
])  # fmt: skip
def test_a_doubtful_order_waits_for_a_plain_yes(talk, brief, p, missing):
    reply = read(talk, A, brief, p, missing)
    assert reply.startswith("Do you mean: Deliver a medkit to alpha.") and talk.goals() == []
    assert all(f"I have no place for: '{word}'." in reply for word in missing)
    assert "not sure" in read(talk, A, "approve", 0.96) and talk.goals() == []
    talk.say(A, "Yes.")
    assert talk.goals() == [MEDKIT]


@pytest.mark.parametrize("brief", [
    "tell: empty at table E", "permit nurse: command", "close alpha", "alter medkit: add 1 gloves", "teach kit burnkit",
    "policy: any failure -> retry 2",
])  # fmt: skip
def test_what_is_known_allowed_or_taught_changes_at_a_yes(talk, brief):
    journal, parts = talk.mission.journal, []
    write = journal.write
    journal.write = lambda part, *rest: (parts.append(part), write(part, *rest))[1]
    assert read(talk, B, brief, 0.999).startswith("Do you mean: ")
    assert set(parts) == {"dialogue"} and not talk.mission.recovery.rules
    assert "Do you mean" not in read(talk, B, "approve", 0.98)


def test_an_unlikely_reading_says_what_it_was_taken_for_and_does_nothing(talk):
    reply = read(talk, A, ORDER, 0.3, said="a medkit would be nice for alpha one day")
    assert "I take it for: Deliver a medkit to alpha." in reply and "other words" in reply and "You could say" in reply
    talk.say(A, "Yes.")
    assert talk.goals() == []


def test_a_stop_is_obeyed_whatever_its_probability_and_so_is_one_that_was_read_as_something_else():
    ward = with_medkit()
    assert "stops" in read(ward, V, "stop all", 0.1, said="whoa there")
    assert list(ward.states().values()) == ["paused"]
    ward = with_medkit()
    read(ward, V, "none", 0.99, said="Stop!")
    assert list(ward.states().values()) == ["paused"]


def test_a_proposal_needs_a_plain_yes():
    ward = with_medkit()
    ward.fail()
    for brief, p, missing in (("approve", 0.96, ()), ("approve", 0.99, ("Temi",)), ("approve fastest", 0.99, ())):
        assert "Do you want me to do it?" in read(ward, A, brief, p, missing)
        assert list(ward.states().values()) == ["waiting"]
    assert "I do it" in read(ward, A, "approve", 0.98)
    assert list(ward.states().values()) == ["running"]


def test_several_meanings_of_one_sentence_wait_for_one_yes(talk):
    reply = read(talk, B, "tell: empty at table E; tell: door alpha door", 0.95)
    assert reply.startswith("Do you mean: Table E is empty. The alpha door is open.")
    talk.say(B, "Yes.")
    look = talk.mission.knowledge.value
    assert look("open", "alphadoor") is True and look("stock", "bandagebox", "tableE") == 0


def test_what_does_not_exist_what_may_be_several_and_a_remark(talk):
    assert "I know no hoverboard here. There are: " in read(talk, A, "unknown hoverboard")
    assert "Which one do you mean?" in read(talk, A, "ambiguous", said="bring the kit over")
    assert read(talk, A, "none") == "All right."
    assert talk.goals() == []


def test_references_and_corrections_are_resolved(talk):
    read(talk, A, "order: stock 1 gloves at table C")
    reply = read(talk, A, "correct: number 2", 0.99)
    assert "Do you mean: Bring two gloves to table C." in reply
    talk.say(A, "Yes.")
    assert talk.goals() == ["2 gloves at table C"]
    read(talk, A, "order: @same at table F", 0.95)
    assert talk.goals() == ["2 gloves at table C", "2 gloves at table F"]
    assert "Where are you" in read(talk, A, "order: kit medkit at @me", 0.95)


def test_an_answer_in_a_lesson_counts_where_it_is_likely_and_is_read_back_where_it_is_not(talk):
    talk.say(B, "Define new kit 'burnkit'.")
    assert "What does a burnkit contain" in read(talk, B, "things: medical caddy", 0.95)
    assert "Do you mean: Two gloves." in read(talk, B, "things: 2 gloves", 0.6)
    assert "contain anything else" in talk.say(B, "Yes.")
    assert "I do not know a splint" in read(talk, B, "unknown splint", 0.95)


def test_whoever_may_not_command_is_refused_and_asked_nothing(talk):
    for p in (0.99, 0.6):
        assert "may not give commands" in read(talk, "nurse", ORDER, p)
    assert talk.goals() == []


@pytest.mark.parametrize("text", [
    READ, f"{READ}{{}}", f'{READ}{{"said": "x", "brief": "no such brief", "p": 1, "missing": []}}', f"{READ}[" * 50,
])  # fmt: skip
def test_a_damaged_reading_is_answered_and_nothing_is_done(talk, text):
    assert talk.say(A, text) and talk.goals() == []


def test_plain_sentences_do_not_wait_for_a_reader_that_is_being_loaded(talk):
    listener, waited = Listener(), []
    listener._ready = SimpleNamespace(wait=waited.append)
    for said in ("Where is Temi?", "Stop!", "Deliver a medkit to alpha."):
        assert listener.to(talk.mission.dialogue, A, said) == said and not waited
    listener.to(talk.mission.dialogue, A, "any idea where Temi has got to")
    assert waited == [LOADING_S]
