"""Replies are data: whatever a model says ends as a valid action or as waiting, and changes nobody else's mind."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.protocols import coela
from coterie.protocols.coherent import Coherent
from coterie.protocols.shared import replies as parse
from coterie.protocols.shared.mind import _echoes
from coterie.worlds.indoor.entry import INDOOR

TEAM = ["Bob", "Lucy"]


def test_votes_and_shifts():
    assert parse.one_of("Leader: Lucy", "leader", TEAM) == "Lucy"
    assert parse.one_of("I think Bob is best, but Leader: Lucy.", "leader", TEAM) == "Lucy"
    assert parse.one_of("Bob!", "leader", TEAM) == "Bob"
    assert parse.one_of("Bob or Lucy", "leader", TEAM) is None
    assert parse.shift("Move: -0.2, 0.4") == (-0.2, 0.4)
    for text in ("left", "1e9, -1e9", "nan, inf", "9e999, 0", "\u0661, \u0662", "\uff11, \uff12", "cup_1, cup_2"):
        assert parse.shift(f"Move: {text}") is None


@pytest.mark.parametrize(
    "letter", ["\u0130", "\u212a", "\u017f", "\u0131", "\uff21", "\u0410", "\u2460", "\u0661", "\u00c9a"]
)
def test_letters_that_only_look_like_options_are_none(letter):
    for reply in (f"Option: {letter}", f"option {letter}{letter}", letter, f"Option: A{letter}"):
        assert isinstance(coela._read_choice(reply, [Action("wait")] * 800), parse.Misread)
    assert coela._read_choice("Option: B", [Action("wait"), Action("open", ("bed",))]).skill == "open"
    assert isinstance(coela._read_choice("Option: ZZ", [Action("wait")]), parse.Misread)


@pytest.mark.parametrize("noise", ["\n", ":", "*", " ", "\n:", "a(", "Plan ", "Option", "Leader:", "Action "])
def test_reading_takes_no_longer_than_a_reply_is_long(noise):
    text = (noise * 4000)[:4000]
    begun = time.process_time()
    for reply in (text, f"Plan{text}", f"Leader{text}", f"Option{text}", f"Action{text}", f"move{text}"):
        parse.field(reply, "plan")
        parse.one_of(reply, "leader", TEAM)
        INDOOR.language.read(reply, TEAM)
        parse.shift(reply)
        coela._read_choice(reply, [Action("wait")])
        coela._read_draft(reply)
        Coherent()._read(reply, TEAM, INDOOR.language)
    assert time.process_time() - begun < 2  # a pattern that goes wrong takes minutes


@settings(max_examples=25)
@given(st.text(max_size=300))
def test_any_text_is_an_action_or_a_reason(text):
    found = INDOOR.language.read(text, TEAM)
    assert isinstance(found, (Action, parse.Misread))
    if isinstance(found, Action):
        assert all(isinstance(a, (str, float, tuple)) for a in found.args)
        assert len(str(found.args)) < 1500


def test_words_of_the_prompt_are_no_answer():
    asked = "Write two short lines. Summary: what you found and what failed. Plan: what you do next."
    assert _echoes("what you found and what failed. what you do next.", asked)
    assert not _echoes("what you found and what failed. The fridge is shut.", asked)
    assert not _echoes("the plan", asked)
