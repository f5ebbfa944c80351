"""Sentences of our own minds: what is said by a declaration is read back by it, and words alone are enough to act."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.action import Message
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.protocols.shared import sentences
from coterie.protocols.shared.hearing import read
from coterie.protocols.shared.reading import Reading
from coterie.protocols.shared.sentences import Sentence
from coterie.protocols.shared.words import on_table
from tests.protocols.rules.situations import NOW, Case, view

CONFIG = Config(task="pack-objects", level="medium", team="Ma-MoMa-UAV", scene="loft", radio="text=1")
names = st.sampled_from(["cup_0", "a", "Bob", "table_1", "D9", "nothing_0", "at"])
places = names | names.map(lambda n: f"floor@{n}")
free = st.sampled_from(["a", "Alice: sofa; Bob: all.", "Speech is silver", "two\nlines", "Plan: b", "I lead."])
VALUES = {
    "name": names,
    "place": places,
    "names": st.lists(names, max_size=3).map(tuple),
    "finds": st.lists(st.tuples(names, places), min_size=1, max_size=3),
    "state": st.sampled_from(["open", "closed"]),
    "kg": st.integers(0, 99).map(lambda n: n / 10),
    "m": st.integers(-9999, 9999).map(lambda n: n / 1000),
    "number": st.integers(0, 99),
    "text": free,
    "rest": free,
}
EVERY = {n: s for n, s in vars(sentences).items() if isinstance(s, Sentence)}


@pytest.mark.parametrize("name", EVERY)
def test_what_is_said_is_read_back(name):
    sentence = EVERY[name]
    kinds = sentence.kinds

    @given(values=st.tuples(*(VALUES[k] for k in kinds)))
    def both_ways(values):
        said = sentence.say(*values)
        assert sentence.whole(said) == values
        if not {"text", "rest"} & {*kinds}:  # words of one's own may be anything
            assert list(sentence.heard(f"Well. {said} And more.")) == [values]
            assert sentence.whole(f"{said} And more") is None

    both_ways()


# -- out of reach -----------------------------------------------------------------------------------------------------
def told(who, words, at=NOW):
    """Alice, who knows no spot of anything, after a teammate has said this."""
    me = view(Case("", "Alice", ()))
    return me, hear(me, who, words, at)


def hear(me, who, words, at=NOW):
    for fact in read(me, Message(who, ("all",), words, (), at)):
        me.belief.tell(fact)
    return Reading(me)


@pytest.mark.parametrize(
    "words", ["At table_0: cup_0.", "Out of my reach at table_0: cup_0. cup_0 is at table_0 (0.2 kg)."]
)
def test_what_the_arm_says_is_out_of_its_reach_has_to_be_brought(words):
    _, r = told("Bob", words)
    assert r.delivered("cup_0") is ("reach" not in words)
    assert ("cup_0" in r.missing) is ("reach" in words)
    assert ("out of Bob's reach" in on_table(r)) is ("reach" in words)


def test_it_is_believed_until_the_thing_is_moved():
    me, r = told("Bob", "Out of my reach at table_0: cup_0. cup_0 is at table_0.")
    assert r.beyond("Bob", "cup_0")
    assert not hear(me, "Lucy", "In my hand: cup_0.", NOW + 1).beyond("Bob", "cup_0")
    r = hear(me, "Lucy", "At table_0: cup_0.", NOW + 2)
    assert not r.beyond("Bob", "cup_0") and r.delivered("cup_0")
    assert hear(me, "Bob", "Out of my reach at table_0: cup_0.", NOW + 3).beyond("Bob", "cup_0")


@pytest.mark.parametrize(
    "words",
    ["I found cup_0 at sofa. cup_0 is at sofa.", "cup_0 is at sofa. I found them, but cannot take them: cup_0."],
)
def test_who_says_that_it_cannot_take_a_thing_is_not_asked_for_it(words):
    _, r = told("Lucy", words)
    assert not r.can_take("Lucy", "cup_0") and r.can_take("Alice", "cup_0")
    _, r = told("Lucy", "cup_0 is at sofa.")
    assert r.can_take("Lucy", "cup_0")


@pytest.mark.parametrize("protocol", ["rules", "dynahmrc", "dynahmrc:paper"])
@pytest.mark.parametrize("seed", range(777_777, 777_779))
def test_no_team_waits_for_ever_where_words_alone_travel(protocol, seed):
    """None of them was solved: what one said to be out of its reach others took for delivered."""
    model = "none" if protocol == "rules" else "oracle"
    assert play(replace(CONFIG, seed=seed, protocol=protocol, model=model)).result.success
