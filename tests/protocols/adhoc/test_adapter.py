"""What a stranger reads of teammates' words: the formats of the teams in full, and never something false."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.protocols.heuristic.adapter import MOST_CHARS, Found, Heard, Phrase, merged, read
from tests.protocols.adhoc.formats import SEEN, UNSEEN
from tests.protocols.adhoc.traps import TRAPS
from tests.protocols.adhoc.truth import drawn, told, understood, wrong

COUNT = 12


@pytest.mark.parametrize("name", SEEN)
def test_formats_of_the_teams_are_read_in_full(name: str) -> None:
    for truth in map(drawn, range(COUNT)):
        heard = read(SEEN[name](truth), truth.name)
        assert understood(truth, heard) == told(truth) and not wrong(truth, heard)


@pytest.mark.parametrize("name", UNSEEN)
def test_unseen_formats_are_never_read_wrongly(name: str) -> None:
    for truth in map(drawn, range(COUNT)):
        heard = read(UNSEEN[name](truth), truth.name)
        assert not wrong(truth, heard)


@pytest.mark.parametrize("text, good", TRAPS)
def test_what_is_asked_supposed_denied_or_said_of_others_is_not_taken(text: str, good: dict) -> None:
    heard = replace(read(text, "Alice"), unread="")
    assert heard in (Heard(**good), Heard())


def test_what_is_not_read_is_kept() -> None:
    heard = read("Grüezi mitenand. 12 steps are left", "Bob")
    assert heard.battery_left == 12
    assert "Grüezi mitenand" in heard.unread
    assert read("Grüezi mitenand", "Bob") == Heard(unread="Grüezi mitenand")


def test_long_texts_and_other_alphabets_are_borne() -> None:
    heard = read("task: Explore room_2\n" + "ла ла " * 20_000, "Bob")
    assert heard.subtask == Phrase("Explore", ("room_2",))
    assert len(heard.unread) < MOST_CHARS


def test_news_replaces_what_is_old_and_lists_grow() -> None:
    old = Heard(arm=True, room="room_1", explored=("room_1",), misplaced=(Found("mug_0", "Mug", "sofa_0"),))
    new = Heard(
        room="room_2", unexplored=("room_1",), explored=("room_3",), misplaced=(Found("mug_0", "Mug", "bed_0"),)
    )
    both = merged(old, new)
    assert (both.arm, both.room, both.explored) == (True, "room_2", ("room_3",))
    assert both.misplaced == (Found("mug_0", "Mug", "bed_0"),)


WORDS = ("arm", "yes", "<task>", "</task>", "room_1", "I am ", "1.5", "\n")
PIECES = st.sampled_from([*WORDS, *':={}[]"()|;,'])


@pytest.mark.long
@settings(max_examples=8)
@given(st.lists(PIECES | st.text(max_size=8), max_size=25).map(" ".join))
def test_nothing_that_is_said_brings_it_down(text: str) -> None:
    heard = read(text, "Alice")
    assert isinstance(heard, Heard)
    assert read(text, "Alice") == heard
