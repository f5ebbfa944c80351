"""What teammates say is told otherwise: nothing of it is lost, nothing else is changed."""

import re
from string import Formatter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask
from coterie.core.seeds import rng_of
from coterie.models import make_model
from coterie.protocols.shared.dialects import retold, said_otherwise, sayings

PARTS = ("train", "held", "makers", "unseen")
NAMES = st.sampled_from([f"{word}_{n}" for word in ("cup", "side_table", "a", "top_rack_2", "reach") for n in range(3)])
LISTS = st.lists(NAMES, min_size=1, max_size=4, unique=True).map(", ".join)


class Echo:
    name = "echo"

    def answer(self, asks):
        self.asked = list(asks)
        return []


@pytest.mark.parametrize("name", sayings())
@pytest.mark.parametrize("part, least", [("train", 40), ("held", 8), ("makers", 12), ("unseen", 11)])
def test_there_are_many_ways_and_each_keeps_every_slot(name, part, least):
    saying = sayings()[name]
    ways = getattr(saying, part)
    assert len(set(ways)) == len(ways) >= least
    assert not {*saying.train} & {*saying.held, *saying.makers, *saying.unseen}
    for way in ways:
        used = {slot.removesuffix("_and") for _, slot, _, _ in Formatter().parse(way) if slot}
        assert used == {*saying.usual.slots} and '"' not in way and "\n" not in way, way


@pytest.mark.parametrize("name", sayings())
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_word_in_a_slot_survives_in_every_way(name, data):
    saying, seed = sayings()[name], data.draw(st.integers(0, 999))
    many = ("things", "places", "work")
    values = {slot: data.draw(LISTS if slot in many else NAMES) for slot in saying.usual.slots}
    said = saying.usual.template.format(**values)
    for part in PARTS:
        told = said_otherwise(said, part, rng_of(seed))
        assert told != said and told == said_otherwise(said, part, rng_of(seed))
        for word in re.findall(r"\w+_\d", said):
            assert re.search(rf"(?<!\w){word}(?!\w)", told), (said, told)


def test_a_whole_plan_is_told_in_sentences_and_its_speech_after_it():
    said = "Ann: sofa, bed, shelf; Bob: box; Cy: what is within its reach My plan leaves no place out."
    for seed in range(20):
        told = said_otherwise(said, "held", rng_of(seed))
        assert "Ann: " not in told and "sofa, bed" in told and "My plan leaves no place out." not in told
        assert all(w in told for w in ("Ann", "Bob", "Cy", "sofa", "bed", "shelf", "box", "what is within its reach"))


PROMPT = (
    (
        "system",
        'You are Ann, "a wheeled base without an arm; it drives on the floor and looks".\n'
        "Team: Bob says: \"I am Bob, 'a manipulator fixed on the work table; it picks and places within its reach'.\".",
    ),
    (
        "user",
        'Ann\'s plan: "Ann: sofa; Bob: bed"\n4 communicate("cup_0 is at sofa.", all)\ncup_0 is at sofa.\n'
        'Heard: 3 Bob: "cup_1 is at bed. Ann, please bring cup_1." 5 Bob: "Who knows?"',
    ),
)


def test_only_words_of_teammates_in_quotes_are_told_otherwise():
    system, user = (text for _, text in retold(PROMPT, "held", lambda words: rng_of(1)))
    assert system.splitlines()[0] == PROMPT[0][1].splitlines()[0] and "I am Bob" not in system
    assert user.splitlines()[:3] == PROMPT[1][1].splitlines()[:3] and user.endswith('5 Bob: "Who knows?"')
    assert "cup_1 is at bed." not in user and "please bring cup_1" not in user


def test_a_model_is_asked_in_the_held_dialect_the_same_way_each_time():
    inner = Echo()
    model = make_model("reworded:oracle")
    assert model.name == "reworded:oracle"
    model.model = inner
    ask = Ask("Ann", "HMRC", 4, 0, PROMPT, ("a", "b"), 7)
    model.answer([ask])
    first = inner.asked[0]
    model.answer([ask._replace(step=9)])
    assert first.prompt == inner.asked[0].prompt != PROMPT and first._replace(prompt=PROMPT) == ask
    half = make_model("reworded:0:oracle")
    half.model = inner
    half.answer([ask])
    assert inner.asked == [ask] and half.name == "reworded:0:oracle"
    for bad in ("reworded", "reworded:2:oracle", "reworded:0.5:", "reworded:nobody", "reworded:makers:"):
        with pytest.raises(CoterieError):
            make_model(bad)
