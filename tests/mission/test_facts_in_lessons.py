"""What is said to be so while a lesson asks for something: it is heard beside the lesson, and never part of it."""

import json
import random
from pathlib import Path

import pytest

from coterie.talk import meanings as m
from coterie.talk.wording import Wording
from tests.mission.talkers import Hospital
from tests.mission.test_language import ROWS
from tests.mission.words import hospital

PARAPHRASES = Path(__file__).parent / "data" / "paraphrases.jsonl"
FIRST = ("Define a new kit 'burnkit'.", "A medical caddy.", "Two painkillers.")


def drawn(seed, count=60):
    """Facts of every kind about any names of the ward, as they are worded."""
    rng, v, w = random.Random(seed), hospital(), Wording(hospital())
    pick = lambda kind: rng.choice(v.names(kind))  # noqa: E731
    for _ in range(count):
        thing, table, door, robot = pick("item"), pick("table"), pick("door"), pick("robot")
        person, holds, many = pick("person"), rng.random() < 0.6, rng.choice((None, 1, 2, 5))
        claim = rng.choice((
            m.Claim(m.STOCK, thing, table, many if holds else None, holds),
            m.Claim(m.SUPPLY, thing, person, None, holds), m.Claim(m.EMPTY, "", table),
            m.Claim(m.DOOR, door, holds=holds), m.Claim(m.JAMMED, door, holds=holds),
            m.Claim(m.ABLE, robot, holds=holds), m.Claim(m.PRESENT, person, holds=holds),
        ))  # fmt: skip
        yield w.sentence(m.Tell((claim,)))


def told():
    rows = [json.loads(r) for r in PARAPHRASES.read_text("utf-8").splitlines()]
    found = [r["text"] for r in rows if r["meaning"].startswith("tell:")]
    return [*(said for said, meant in ROWS if meant.startswith("tell:")), *found]


def learnt_with(facts, first=FIRST, last=("Nothing else.",)):
    """The kit that is taught with facts in between; each is heard as one, read back or not understood."""
    talk = Hospital()
    for said in first:
        talk.say("teacher", said)
    thread = talk.mission.dialogue.threads.of("teacher")
    lesson, answers = thread.asking, list(thread.asking.answers)
    for fact in facts:
        reply = talk.say("teacher", fact)
        if thread.asking is not lesson:
            assert thread.asking.outer is lesson and "Do you mean" in reply, fact
            talk.say("teacher", "No.")
        assert thread.asking is lesson and lesson.answers == answers, fact
        assert not reply.startswith(".")
    for said in last:
        if talk.say("teacher", said).startswith("Where"):  # there are none any more, by the facts
            talk.say("teacher", "On table B.")
    return talk.mission.speech.kit_names()["burnkit"]


@pytest.mark.parametrize("first", [FIRST, FIRST[:2], FIRST[:1]])
def test_no_statement_of_fact_is_stored_as_contents(first):
    last = (*FIRST[len(first) :], "Nothing else.")
    assert learnt_with([*told(), *drawn(len(first))], first, last)[1] == {"painkiller": 2}


@pytest.mark.parametrize(("said", "contents"), [
    ("Not painkillers, antiseptics.", {"antiseptic": 2, "gloves": 1}),
    ("No, not the painkillers, three antiseptics.", {"antiseptic": 3, "gloves": 1}),
    ("Antiseptics instead of painkillers.", {"antiseptic": 2, "gloves": 1}),
    ("Not gloves, a thermometer.", {"painkiller": 2, "thermometer": 1}),
    ("Not the gloves.", {"painkiller": 2}), ("Gloves rather than painkillers.", {"gloves": 1}),
    ("Antiseptics instead of thermometers.", {"painkiller": 2, "gloves": 1}),  # of which nobody spoke
    ("Not thermometers, antiseptics.", {"painkiller": 2, "gloves": 1}),
    ("Without gloves, painkillers.", {"painkiller": 2, "gloves": 1}),  # that may be either
])  # fmt: skip
def test_one_thing_stands_in_for_another_and_the_rest_stays(said, contents):
    talk = Hospital()
    for text in (*FIRST, "Gloves.", said, "Nothing else."):
        talk.say("teacher", text)
    assert talk.mission.speech.kit_names()["burnkit"][1] == contents


@pytest.mark.parametrize("said", [
    "The nurse said gloves belong in it.", "The nurse has gone to get gloves.", "My colleague says gloves are missing.",
    "The nurse went out for gloves.", "The pharmacist has just counted the gloves.",
])  # fmt: skip
def test_what_somebody_said_or_does_is_no_answer(said):
    assert learnt_with([said])[1] == {"painkiller": 2}
