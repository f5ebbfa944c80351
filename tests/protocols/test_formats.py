"""What readers of replies refuse; tables of replies as models write them are in `aside`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.replies import sections as out_loud
from coterie.core.replies.courtesy import own_turn, polite
from coterie.core.replies.json_blocks import load_loosely
from coterie.core.replies.normalize import _SIGNS, headed, plain, untabled
from coterie.core.replies.per_robot import by_name
from coterie.core.replies.sections import spoken
from coterie.core.replies.tool_dialects import as_json
from coterie.protocols.shared.replies import Misread, PlanReader, plan_for
from coterie.worlds.indoor.entry import INDOOR

TEAM = ["Alice", "Bob", "Lucy"]


@pytest.mark.parametrize(
    "reply",
    [
        "I could pick(apple_0) or open(bed).",
        "Action: pick(apple_0) or perhaps open(bed), I am not sure.",
        "Action: I would not pick(apple_0).",
        "<think>pick(apple_0)",
        "<think>Action: pick(apple_0)</think>",
        "Thought: pick(apple_0) is what I would do if I could",
        "<|channel|>analysis<|message|>Action: pick(apple_0)",
        "Plan: pick(apple_0), then place(apple_0, tray)",
        '{"thought": "pick(apple_0)"}',
    ],
)
def test_what_was_only_weighed_is_not_done(reply):
    assert isinstance(INDOOR.language.read(reply, ["Bob"]), Misread)


# -- plans ------------------------------------------------------------------------------------------------------------
def test_a_plan_that_forgets_somebody_is_asked_for_again():
    assert plan_for("Plan: lorem ipsum dolor", TEAM) == Misread("the plan has no part for Alice, Bob, Lucy")
    assert plan_for("Plan: Alice: bed; Bob: sofa", TEAM) == Misread("the plan has no part for Lucy")
    assert plan_for("Plan: everybody searches", TEAM) == "everybody searches"
    read = PlanReader(TEAM)
    assert isinstance(read("Plan: Alice: bed; Bob: sofa"), Misread)
    assert read("Plan: Alice: bed; Bob: sofa") == "Alice: bed; Bob: sofa"
    assert isinstance(read("Plan: lorem ipsum dolor"), Misread)


# -- twice ------------------------------------------------------------------------------------------------------------
def test_names_are_found_whole():
    assert by_name("Bobby: wait()\nBob: pick(x)", ["Bob"]) == {"Bob": "pick(x)"}
    assert spoken("<think>a</think>b<think>c") == "b"


MARKS = ["a", "Wait", " ", "\n", "_", "<", "</b>", "<think>", "[THINK]", "[/THINK]", "\u25c1think\u25b7", "<|end|>"]


@given(st.lists(st.sampled_from(MARKS), max_size=12).map("".join))
def test_nothing_is_passed_over_that_is_marked(text):
    """Texts without marks are not looked through for what these stand for: it would have changed nothing."""
    told = out_loud._told(headed(as_json(out_loud._one_turn(text), load_loosely)))
    told = own_turn(out_loud._TURN.sub("\n", out_loud._out_of_json(told)))
    assert spoken(text) == untabled(polite(plain(told)))


def test_signs_of_the_keyboard_are_plain():
    assert not any(chr(n).isascii() for n in _SIGNS)  # such a text is not translated
