"""Belief: three values, newer over older, listings."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from coterie.core.facts import UNKNOWN, Belief, Fact, stamped

PLACES = ("table", "shelf", "floor")
THINGS = ("apple", "ball", "cup")
LISTINGS = {"contents": "where"}

times = st.integers(0, 5).map(float)
where = st.builds(
    lambda thing, place, t: Fact("where", (thing,), place, t, "told"),
    st.sampled_from(THINGS),
    st.sampled_from([*PLACES, UNKNOWN]),
    times,
)
listing = st.builds(
    lambda place, things, t: Fact("contents", (place,), tuple(sorted(things)), t, "seen"),
    st.sampled_from(PLACES),
    st.sets(st.sampled_from(THINGS)),
    times,
)


def test_what_was_never_told_is_unknown_and_has_no_truth_value():
    belief = Belief()
    assert belief.value("open", "door") is UNKNOWN
    assert belief.fact("open", "door") is None
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(belief.value("open", "door"))


def test_false_and_none_are_not_unknown():
    belief = Belief()
    belief.tell(Fact("open", ("door",), False))
    belief.tell(Fact("holding", ("Alice",), None))
    assert belief.value("open", "door") is False
    assert belief.value("holding", "Alice") is None


def test_the_map_is_known_shared_and_can_be_overridden():
    base = {("open", "door"): True}
    one, two = Belief(base), Belief(base)
    assert one.value("open", "door") is True
    assert one.tell(Fact("open", ("door",), True)) is False, "the map said so already"
    assert list(one.facts()) == []
    assert one.tell(Fact("open", ("door",), False, 1.0)) is True
    assert (one.value("open", "door"), two.value("open", "door")) == (False, True)


def test_since_gives_what_changed_in_order():
    belief = Belief()
    belief.tell(Fact("p", ("a",), 1, 1.0))
    cursor = belief.cursor
    belief.tell(Fact("q", ("a",), 2, 2.0))
    belief.tell(Fact("p", ("a",), 3, 3.0))
    assert [str(f) for f in belief.since(cursor)] == ["q(a) = 2", "p(a) = 3"]
    assert [f.value for f in belief.facts("p")] == [3]


def test_a_listing_says_where_things_are_and_where_they_are_no_more():
    belief = Belief(listings=LISTINGS)
    belief.tell(Fact("contents", ("table",), ("apple", "ball"), 1.0, "Alice"))
    assert belief.value("where", "apple") == "table"
    assert belief.fact("where", "apple").source == "Alice"
    belief.tell(Fact("contents", ("table",), ("ball",), 2.0, "Alice"))
    assert belief.value("where", "apple") is UNKNOWN
    assert belief.members("where", "table") == {"ball"}


def test_an_old_listing_does_not_undo_newer_knowledge():
    belief = Belief(listings=LISTINGS)
    belief.tell(Fact("where", ("apple",), "table", 5.0))
    belief.tell(Fact("contents", ("table",), (), 3.0))
    assert belief.value("where", "apple") == "table", "it came to the table after that look"


@given(st.lists(where))
def test_the_newest_fact_wins(facts):
    belief = Belief()
    newest: dict[str, Fact] = {}
    for fact in facts:
        (thing,) = fact.args
        before = belief.value("where", thing)
        changed = belief.tell(fact)
        if thing in newest:
            newest[thing] = max(newest[thing], fact, key=lambda f: (f.time, f is fact))
        elif fact.value is not UNKNOWN:  # not to know what was never known is no news
            newest[thing] = fact
        after = belief.value("where", thing)
        assert after == (newest[thing].value if thing in newest else UNKNOWN)
        if not (before is UNKNOWN and after is UNKNOWN):
            assert changed == (before != after)


@given(st.lists(where))
def test_history_replayed_gives_the_same_belief(facts):
    belief, copy = Belief(), Belief()
    for fact in facts:
        cursor = belief.cursor
        belief.tell(fact)
        copy.tell_all(belief.since(cursor))
    assert {f.args: f.value for f in copy.facts()} == {f.args: f.value for f in belief.facts()}


@given(st.lists(where | listing))
def test_members_are_exactly_the_things_believed_there(facts):
    belief = Belief(listings=LISTINGS)
    belief.tell_all(facts)
    for place in PLACES:
        assert belief.members("where", place) == {t for t in THINGS if belief.value("where", t) == place}


@given(st.lists(where | listing), listing)
@example([Fact("contents", ("shelf",), ("apple",), t) for t in (0.0, 1.0)], Fact("contents", ("table",), ("apple",)))
@example([Fact("contents", ("table",), (), 1.0), Fact("where", ("apple",), "table", 2.0)],
         Fact("contents", ("table",), (), 3.0))  # fmt: skip
def test_after_a_look_the_place_holds_what_was_listed_or_what_is_newer(facts, look):
    belief = Belief(listings=LISTINGS)
    belief.tell_all(facts)
    (place,) = look.args
    old = belief.fact("contents", place)
    belief.tell(look)
    if old is not None and (old.time > look.time or (old.time == look.time and old.value == look.value)):
        return  # nothing new
    for thing in THINGS:
        fact = belief.fact("where", thing)
        if thing in look.value:
            again = belief.fact("contents", fact.value)  # seen again where it was: the look is newer than the fact
            seen = again.time if again is not None and thing in again.value else fact.time
            assert fact.value == place or max(fact.time, seen) > look.time
        elif fact is not None and fact.value == place:
            assert fact.time > look.time


def test_every_kind_of_listing_overrules_older_news_of_its_own_kind():
    both = Belief(listings={"crew": "rides", "contents": "where"})
    both.tell(Fact("contents", ("shelf",), (), 10.0, "me"))
    both.tell(Fact("crew", ("bus",), ("Ann",), 10.0, "me"))
    assert not both.tell(Fact("where", ("cup",), "shelf", 5.0, "you"))  # somebody looked since: it is not there
    assert not both.tell(Fact("rides", ("Bo",), "bus", 5.0, "you"))
    assert both.tell(Fact("where", ("cup",), "shelf", 11.0, "you"))
    assert (both.value("rides", "Ann"), both.value("where", "cup")) == ("bus", "shelf")
    assert both.members("rides", "bus") == {"Ann"}
    assert both.members("where", "shelf") == {"cup"}


def test_a_fact_without_a_time_is_news_when_it_is_said():
    seen = Fact("at", ("Lena",), "r1", 3.0, "Bo")
    said = Fact("at", ("Lena",), "r2")
    belief = Belief()
    belief.tell(seen)
    assert not belief.tell(said) and belief.value("at", "Lena") == "r1"
    told = stamped([said, seen], 4.0)
    assert [f.time for f in told] == [4.0, 3.0], "what has a time keeps it"
    assert belief.tell(told[0]) and belief.value("at", "Lena") == "r2"
