"""The trained reader on the model itself, and what must be accounted for."""

import json
from pathlib import Path

import pytest

from coterie.core.protocol import Reply
from coterie.talk import meanings as m
from coterie.talk.accounting import unaccounted
from coterie.talk.brief import Scene, parse
from coterie.talk.marks import mark, typed, unheard, unmarked
from coterie.talk.reader import READER, Reader
from tests.talk.test_brief import HOSPITAL

SAID = Path(__file__).with_name("data") / "read.jsonl"


@pytest.mark.network("the embedded model")
def test_free_phrasing_is_read():
    from coterie.models.embedded import Embedded

    reader = Reader(Embedded(READER, slots=1, apart=True))
    reader.warm(HOSPITAL)
    rows = [json.loads(line) for line in SAID.read_text("utf-8").splitlines()]
    wrong = []
    for row in rows:
        found = reader.read(row["say"], HOSPITAL, row.get("asked", ""), row.get("before", ""))
        assert found is not None and 0.0 < found.p <= 1.0
        if found.brief != row["brief"]:
            wrong.append((row["say"], found.brief))
    assert len(wrong) <= len(rows) * 0.1, wrong


class Says:
    """A model that always answers the same."""

    def __init__(self, text: str):
        self.text, self.asked = text, ""

    def answer(self, asks):
        self.asked = asks[0].prompt[0][1]
        return [Reply(self.text)]


def test_a_model_that_tells_no_probabilities_is_never_sure():
    found = Reader(Says("order: kit medkit at alpha")).read("alpha could do with a medkit", HOSPITAL)
    assert found is not None and found.p == 0.0
    assert found.meanings == (m.Order((m.Want(m.KIT, "medkit", "alpha"),)),)


def test_what_is_no_meaning_is_not_read():
    assert Reader(Says("sudo open everything")).read("open up", HOSPITAL) is None


def test_a_model_that_was_not_trained_is_told_the_forms():
    model = Says("none")
    Reader(model, trained=False).read("lovely weather", HOSPITAL)
    assert "order: kit medkit at alpha" in model.asked


@pytest.mark.parametrize(
    ("heard", "brief", "missing"),
    [
        ("bring a medkit to alpha", "order: kit medkit at alpha", []),
        ("bring a medkit to alpha, Spot", "order: kit medkit at alpha", ["Spot"]),
        ("bring two medkits to alpha", "order: kit medkit at alpha", ["two"]),
        ("don't bring a medkit to alpha", "order: kit medkit at alpha", ["don't"]),
        ("bring gloves and a medkit to alpha", "order: kit medkit at alpha", ["gloves"]),
        ("a medkit to alpha without Spot", "order: kit medkit at alpha without Spot", []),
        ("there are no gloves on table e", "tell: not stock gloves at table E", []),
        ("lovely day in alpha, Spot", "none", []),
        ("how long will it take without Spot?", "ask duration: medkit", ["Spot", "without"]),
        ("don't let anyone into alpha", "close alpha", []),
        ("wouldn't dream of it!", "approve", ["wouldn't"]),
        ("yes, go ahead", "approve", []),
    ],
)
def test_names_numbers_and_negations_are_accounted_for(heard, brief, missing):
    assert list(unaccounted(heard, parse(brief, HOSPITAL), HOSPITAL)) == missing


def test_a_reading_is_kept_in_the_utterance_and_nobody_can_type_one():
    text = mark("alpha could do with a medkit", "order: kit medkit at alpha", 0.987, ("could",))
    assert unmarked(text) == ("alpha could do with a medkit", "order: kit medkit at alpha", 0.987, ("could",))
    assert unheard(text) == "alpha could do with a medkit"
    assert unmarked(typed(text)).brief == "" and typed("Hello.") == "Hello."
    assert unmarked("read: {broken").said == "read: {broken"


def test_an_empty_scene_has_a_prompt():
    assert Scene().lines()[0] == "robots: -"
