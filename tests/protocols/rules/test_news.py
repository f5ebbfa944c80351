"""What rule minds tell each other of what they see: nobody looks where another has looked, and everybody hears it."""

from __future__ import annotations

import pytest

from coterie.core.action import Message
from coterie.core.config import Config
from coterie.core.facts import Fact
from coterie.episode.play import play
from coterie.protocols.rules.news import settle, tell_news
from coterie.protocols.shared.hearing import read
from tests.protocols.rules.situations import Case, view
from tests.protocols.rules.test_situations import lies

SEEN = (("contents", "bed", ("book_0",)), *lies("book_0", "bed"))


def said(who: str, **more) -> Message:
    me = view(Case("", who, ("wait",), knows=SEEN, **more))
    own = [f._replace(source=who) for f in me.belief.facts() if f.pred in ("contents", "where", "spot")]
    me.belief.follow(own)
    tell_news(me, me.belief.cursor - len(own))
    (words,) = me.outbox
    return words


def test_who_finds_something_takes_it_and_says_so():
    words = said("Alice", at="bed")
    assert ("job", ("book_0",), "Alice") in [f[:3] for f in words.facts]
    assert ("contents", ("bed",), ("book_0",)) in [f[:3] for f in words.facts]
    assert "I take book_0." in words.text


def test_who_cannot_take_it_says_who_is_to_bring_it():
    words = said("David", at="bed", others=("Alice", "Bob", "Lucy"))
    assert ("job", ("book_0",), "Lucy") in [f[:3] for f in words.facts]


@pytest.mark.parametrize("who", ["Alice", "Bob", "Lucy"])
def test_who_says_that_it_takes_a_thing_comes_before_one_who_is_asked_whatever_is_heard_last(who):
    claims = [Fact("job", ("book_0",), "Lucy", 50.0, "Lucy"), Fact("job", ("book_0",), "Alice", 50.0, "David")]
    for heard in (claims, claims[::-1]):
        me = view(Case("", who, ("wait",)))
        before = me.belief.cursor
        me.belief.tell_all(heard)
        settle(me, before)
        assert me.belief.value("job", "book_0") == "Lucy"


@pytest.mark.parametrize(
    "heard",
    [
        [Fact("job", ("book_0",), n, 50.0, n) for n in ("Alice", "Lucy")],  # of two who say so the first by name
        [Fact("job", ("book_0",), "Lucy", 50.0, "Lucy"), Fact("job", ("book_0",), "Alice", 56.0, "Lucy")],  # the later
    ],
)
def test_of_two_claims_one_stands(heard):
    me = view(Case("", "Bob", ("wait",)))
    before = me.belief.cursor
    for fact in heard:
        me.belief.tell(fact)
    settle(me, before)
    assert me.belief.value("job", "book_0") == "Alice"


def test_nothing_new_is_not_told():
    me = view(Case("", "Alice", ("wait",), knows=SEEN, at="bed"))
    assert tell_news(me, me.belief.cursor) == (me.belief.cursor, [])
    assert not me.outbox


@pytest.mark.parametrize("who", ["Alice", "David"])
def test_words_alone_say_as_much_as_facts(who):
    words = said(who, at="bed", others=tuple(n for n in ("Alice", "Bob", "Lucy") if n != who))
    hearer = view(Case("", "Bob", ("wait",), others=(who,)))
    heard = {f[:3] for f in read(hearer, words._replace(facts=()))}
    assert {f[:3] for f in words.facts if f.pred in ("contents", "where", "job", "may_place")} <= heard


def again(protocol: str, seed: int) -> int:
    """How often robots go to search where another of them had looked before."""
    looked: dict[str, str] = {}
    found = 0
    for e in play(Config(seed=seed, protocol=protocol, level="hard", heartbeat="off")).log.events:
        if e.kind == "act" and e.data["skill"] == "navigate":
            place = e.data["args"][0]
            found += e.data["why"].startswith("I look for") and looked.get(place, e.who) != e.who
            looked.setdefault(place, e.who)
    return found


def test_nobody_searches_where_another_has_looked():
    seeds = (10, 14)
    assert sum(again("rules", seed) for seed in seeds) == 0
    assert sum(again("rules:silent", seed) for seed in seeds) > 0  # which is what the words are for
