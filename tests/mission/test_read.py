"""Sentences that a model has read, from the mark to what becomes of them: the mark has the reading; no model runs."""

from types import SimpleNamespace

import pytest

from coterie.mission.dialogue.effects import SAY_NO
from coterie.mission.dialogue.listening import LOADING_S, Listener
from coterie.talk.marks import READ, mark
from tests.mission.scenes import play, scenes
from tests.mission.ward import A, B, V

READINGS = f"""
# a question is answered at once with what it was taken for
each: 0.99 | 0.7 | 0.4
visitor ({{}}): ask contents: table B > (I take it for: What is on table B?) ... painkiller
# a likely order begins with its reading back and a no takes it back
instructor (0.93): order: kit medkit at alpha > I take it for: Deliver a medkit to alpha. | > {SAY_NO}
= goals: a medkit at alpha | No. > I take that back | = goals:
# something else that was said in between makes a no one to something else
instructor (0.98): order: kit medkit at alpha | What is going on? | No. | = goals: a medkit at alpha
# a doubtful order waits for a plain yes
each: (0.8): order | (0.99 without gloves): order | (0.99): maybe order
instructor {{}}: kit medkit at alpha > Do you mean: Deliver a medkit to alpha. | = goals:
instructor (0.96): approve > not sure | = goals:
Yes. | = goals: a medkit (2 painkillers, 1 bandage box) at alpha
# a word that has no place is told
instructor (0.99 without gloves): order: kit medkit at alpha > I have no place for: 'gloves'.
# a proposal needs a plain yes
Deliver a medkit to alpha. | ... fails | instructor (0.96): approve > Do you want me to do it?
instructor (0.99 without Temi): approve > Do you want me to do it?
instructor (0.99): approve fastest > Do you want me to do it? | = states: a medkit at alpha waiting
instructor (0.98): approve > I do it | = states: a medkit at alpha running
# several meanings of one sentence wait for one yes
teacher (0.95): tell: empty at table E; tell: door alpha door > Do you mean: Table E is empty. The alpha door is open.
teacher: Yes. | Is table E empty? > Yes | Is the alpha door open? > Yes
# what does not exist what may be several and a remark
instructor (0.98): unknown hoverboard > I know no hoverboard here. There are:
instructor (0.98): ambiguous > Which one do you mean? | instructor (0.98): none => All right. | = goals:
# references and corrections are resolved
instructor (0.98): order: stock 1 gloves at table C
instructor (0.99): correct: number 2 > Do you mean: Bring two gloves to table C. | Yes. | = goals: 2 gloves at table C
instructor (0.95): order: @same at table F | = goals: 2 gloves at table C; 2 gloves at table F
instructor (0.95): order: kit medkit at @me > Where are you
# an answer in a lesson counts where it is likely and is read back where it is not
teacher: Define new kit 'burnkit'. | teacher (0.95): things: medical caddy > What does a burnkit contain
teacher (0.6): things: 2 gloves > Do you mean: Two gloves. | teacher: Yes. > contain anything else
teacher (0.95): unknown splint > I do not know a splint
# whoever may not command is refused and asked nothing
each: 0.99 | 0.6
nurse ({{}}): order: kit medkit at alpha > may not give commands | = goals:
# a pause goes on at a yes of its owner and others are told the word
Deliver a medkit to alpha. | Pause the medkit. | teacher (0.99): approve > say continue
instructor (0.99): approve > Do you want me to go on? | Yes. > goes on
"""


@pytest.mark.parametrize("scene", scenes(READINGS))
def test_scene(ward, scene):
    play(ward, scene)


def read(talk, person, brief, p=0.98, said="words"):
    return talk.say(person, mark(said, brief, p))


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


def test_an_unlikely_reading_says_what_it_was_taken_for_and_does_nothing(ward):
    reply = read(ward, A, "order: kit medkit at alpha", 0.3, said="a medkit would be nice for alpha one day")
    assert "I take it for: Deliver a medkit to alpha." in reply and "other words" in reply and "You could say" in reply
    ward.talk((A, "Yes."))
    assert ward.goals() == []


def test_a_stop_is_obeyed_whatever_its_probability_and_so_is_one_that_was_read_as_something_else(ward):
    for brief, p, said in (("stop all", 0.1, "whoa there"), ("none", 0.99, "Stop!")):
        ward.talk((A, "Deliver a medkit to alpha."))
        assert "stops" in read(ward, V, brief, p, said)
        assert set(ward.states().values()) == {"paused"}
        ward.talk((A, "Cancel everything."), (A, "Yes."), (A, "Continue."))


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
