"""Meanings in brief: what is written is read back, whatever the names, and the data of the reader is made of them."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.learn import scenes
from coterie.learn.sentences import Sampler, fill, packaged, read_ways
from coterie.talk import meanings as m
from coterie.talk.brief import Scene, gbnf, parse
from coterie.talk.prompt import prompt
from coterie.talk.writing import brief, briefs
from tests.gbnf import as_regex

HOSPITAL = Scene(
    {
        "robot": {"Spot": "Spot", "Temi": "Temi"},
        "person": {"nurse": "nurse"},
        "room": {"alpha": "alpha", "beta": "beta"},
        "table": {"table E": "tableE"},
        "door": {"alpha door": "alphadoor"},
        "kit": {"medkit": "medkit"},
        "item": {"bandage box": "bandagebox", "gloves": "gloves"},
    }
)
FAMILIES = read_ways(packaged())


def scene_with_all_kinds() -> scenes.Drawn:
    rng = random.Random(5)
    while True:
        drawn = scenes.draw(rng)
        if min(map(len, vars(drawn).values())) >= 2:
            return drawn


DRAWN = scene_with_all_kinds()


@pytest.mark.parametrize("share", [0.05, pytest.param(1.0, marks=pytest.mark.long)])
def test_every_meaning_of_the_data_is_parsed_written_and_read_back(share):
    rng, scene = random.Random(5), DRAWN.scene()
    for family in rng.sample(FAMILIES, int(share * len(FAMILIES))):
        found = parse(fill(rng, family.meaning, family.ways[0], DRAWN, 0.0).meaning, scene)
        assert parse(briefs(found), scene) == found, family.meaning


def test_names_of_a_brief_become_those_of_the_world():
    assert parse("order: stock 2 bandage box at table E without Spot by 14:30", HOSPITAL) == [
        m.Order((m.Want(m.STOCK, "bandagebox", "tableE", 2),), without=("Spot",), time=m.Time("by", "14:30"))
    ]
    assert parse("stop all but Spot", HOSPITAL) == [m.Stop(but=("Spot",))]
    assert parse("refuse; order: door alpha door shut", HOSPITAL) == [
        m.Refuse(),
        m.Order((m.Want(m.DOOR, "alphadoor", holds=False),)),
    ]


@pytest.mark.parametrize(
    "wrong", ["", "order:", "order: kit hoverboard at alpha", "stop", "permit nurse", "order: kit medkit at", "tell"]
)
def test_what_is_no_brief_is_told(wrong):
    with pytest.raises(CoterieError, match="no meaning"):
        parse(wrong, HOSPITAL)


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_a_meaning_or_a_sentence_about_it(text):
    try:
        assert all(brief(x) for x in parse(text, HOSPITAL))
    except CoterieError as err:
        assert "no meaning" in str(err)


def test_a_grammar_for_a_model_takes_what_the_parser_takes():
    rng, allowed = random.Random(6), as_regex(gbnf(DRAWN.scene(), "anything"))
    for family in FAMILIES:
        meaning = fill(rng, family.meaning, family.ways[0], DRAWN, 0.0).meaning
        if "unknown" not in meaning and "teach" not in meaning:
            assert allowed.fullmatch(meaning), meaning
    assert not allowed.fullmatch("order: kit hoverboard")


def test_a_name_that_nobody_knows_is_made_of_words_that_were_heard():
    allowed = as_regex(gbnf(HOSPITAL, "bring the hoverboard over"))
    assert allowed.fullmatch("unknown hoverboard") and not allowed.fullmatch("unknown spaceship")


def test_the_scene_stands_first_in_a_prompt():
    lines = prompt(HOSPITAL, " Bring\nit. ", "Which one?", "Hello.").splitlines()
    assert lines[0] == "robots: Spot, Temi" and lines[-3:] == ["before: Hello.", "team: Which one?", "heard: Bring it."]


def test_samples_repeat_with_their_seed_and_are_meanings():
    sampler = Sampler(FAMILIES)
    first, again = ([sampler.sample(random.Random(3)) for _ in range(2)] for _ in range(2))
    assert [s.prompt for s in first] == [s.prompt for s in again]
    rng = random.Random(4)
    for _ in range(4):
        drawn = sampler.sample(rng)
        assert parse(drawn.reply, drawn.scene.scene()), drawn.reply
    assert not [s.heard for s in (sampler.sample(rng) for _ in range(300)) if "{t}" in s.heard or "{kit}" in s.heard]
