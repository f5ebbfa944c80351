"""Replies that are written exactly as asked are read at once, and as the same as by all the patterns for others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.core.kinds import Misread
from coterie.core.language import Language
from coterie.core.replies.action import Hearing
from coterie.core.replies.exact import exact, exact_lines, exact_option
from coterie.core.skill import Skill
from coterie.core.skills import Skills
from coterie.protocols.coela import LETTERS, _read_choice
from coterie.protocols.coherent import Coherent
from coterie.worlds.indoor.skills import skills

MATES = ("Bob", "Alice", "Lucy")
TRICKY = (
    "wait", "no", "actually", "not", "never", "I", "cannot", "help", "as", "an", "ai", "one", "short", "sentence",
    "oops", "action", "thought", "plan", "print", "Bob", "Alice", "or", "maybe", "if", "already", "pick", "final",
    "answer", "why", "me", "the", "words", "nothing", "your", "message", "here", "todo", "1", "42", "wallet_0",
    "table_1", "so", "sorry",
)  # fmt: skip
WORDS = st.lists(st.sampled_from(TRICKY) | st.from_regex(r"[A-Za-z0-9_.]{1,9}", fullmatch=True), min_size=1, max_size=9)
NAMES = st.sampled_from((*TRICKY, "bed", "0", "stand_pose_1", "tray", "no", "a_", "_b_", "x__y", "Lucy", "all", "-1"))
CALLS = st.builds(
    lambda skill, names: f"{skill}({', '.join(names)})",
    st.sampled_from((*skills, "fly", "plan", "print", "Pick")),
    st.lists(NAMES, max_size=4),
)
THOUGHTS = st.builds(lambda words, end: " ".join(words) + end, WORDS, st.sampled_from(("", ".", "?", ", no", ": yes")))


@settings(max_examples=40)
@given(THOUGHTS, CALLS, st.sampled_from(("Thought: {}\nAction: {}", "{1}", "Thought: {}\nAction: {}\n")))
def test_what_is_exact_is_read_as_everything_else_is(thought, call, form):
    reply, hearing = form.format(thought, call), Hearing(skills, MATES)
    assert hearing.read(reply) == hearing.meant(reply)


@settings(max_examples=25)
@given(THOUGHTS, st.lists(CALLS, min_size=3, max_size=3))
def test_lines_of_a_team_are_read_as_everything_else_is(thought, calls):
    reply = f"Thought: {thought}\n" + "\n".join(f"{name}: {call}" for name, call in zip(MATES, calls))
    mind, language = Coherent(), Language(skills)
    with pytest.MonkeyPatch.context() as patch:
        found = mind._read(reply, MATES, language)
        patch.setattr("coterie.protocols.coherent.exact_lines", lambda reply, names: None)
        patch.setattr("coterie.core.replies.action.exact", lambda reply: None)
        assert mind._read(reply, MATES, language) == found


@settings(max_examples=40)
@given(THOUGHTS, st.sampled_from((*LETTERS[:40], "GO", "ZZ", "b", "A B", "wait()")), st.sampled_from(("", ".", "\n")))
def test_an_option_is_read_as_everything_else_is(thought, letters, end):
    choices = [Action("navigate", ("bed", f"stand_pose_{n}")) for n in range(30)] + [Action("wait")]
    reply, language = f"Thought: {thought}\nOption: {letters}{end}", Language(skills)
    with pytest.MonkeyPatch.context() as patch:
        found = _read_choice(reply, choices, language)
        patch.setattr("coterie.protocols.coela.exact_option", lambda reply: None)
        patch.setattr("coterie.core.replies.action.exact", lambda reply: None)
        assert _read_choice(reply, choices, language) == found


def test_letters_that_are_a_skill_as_well_are_not_read_at_once():
    """They may be meant as either."""
    home = Skills("there")
    for name in ("go", "wait"):
        home.put(name, Skill(name, ()))
    choices = [*[Action("wait")] * 200, Action("go")]
    reply = f"Thought: Off I go.\nOption: {LETTERS[200]}"
    assert LETTERS[200] == "GS" and _read_choice(reply, choices, Language(home)).skill == "go"
    refused = _read_choice("Thought: Off I go.\nOption: GO", choices, Language(home))
    assert isinstance(refused, Misread) and "several" in refused.reason


def test_what_a_held_model_writes_is_exact():
    """Or nothing is gained."""
    assert exact("Thought: I look for wallet_0.\nAction: navigate(drawer, 0)") == (
        "navigate", "drawer, 0", "I look for wallet_0."
    )  # fmt: skip
    assert exact("wait()") == ("wait", "", "")
    assert exact_lines("Thought: Go.\nBob: wait()\nAlice: pick(cup_0)", ("Bob", "Alice")) == {
        "Bob": "wait()", "Alice": "pick(cup_0)"
    }  # fmt: skip
    assert exact_option("Thought: I look for wallet_0.\nOption: AB") == ("AB", "I look for wallet_0.")
    read = Hearing(skills).read("Thought: I look for wallet_0.\nAction: navigate(drawer, 0)")
    assert read == Action("navigate", ("drawer", "stand_pose_0"), "I look for wallet_0.")


@pytest.mark.parametrize(
    "reply",
    [
        "Thought: a, b\nAction: wait()",
        "Action: wait()",
        "Thought: x\nAction: wait() or pick(cup_0)",
        'communicate("hello", all)',
        "Thought: x\n\nAction: wait()",
        "Thought: 1.\nAction: wait()",
        "wait(" + "a" * 500 + ")",
    ],
)
def test_anything_else_is_left_to_the_readers(reply):
    assert exact(reply) is None and exact_option(reply.replace("Action: wait()", "Option: B")) is None
