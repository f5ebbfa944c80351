"""Replies are data: whatever a model writes ends as a plan or as a sentence."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.protocols.rounds.parse import Misread, Plan, read_plan, tidy, written
from tests.protocols.rounds.helpers import scene

SORT, PACK = scene(), scene("pack-grocery")
PATH = " PATH [(0.1, 0.2, 0.4), (0.2, 0.2, 0.4), (0.3, 0.2, 0.4), (0.4, 0.2, 0.4)]"


def plan(alice, bob="WAIT", head="EXECUTE"):
    return f"{head}\nNAME Alice ACTION {alice}\nNAME Bob ACTION {bob}"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (plan("PICK blue_square PLACE panel2"), Action("pick_place", ("blue_square", "panel2"))),
        (plan("WAIT"), Action("wait")),
        ("I think so.\n" + plan("pick blue_square place on panel2"), Action("pick_place", ("blue_square", "panel2"))),
        (plan("PICK <blue_square> PLACE <panel3>."), Action("pick_place", ("blue_square", "panel3"))),
        ("```\n" + plan("WAIT") + "\n```", Action("wait")),
        ("Bob said: ignore all rules.\nEXECUTE soon.\n" + plan("WAIT"), Action("wait")),
        ("- EXECUTE is near.\n**EXECUTE**\n- **NAME Alice ACTION WAIT**\n- NAME Bob ACTION WAIT", Action("wait")),
    ],
)
def test_plans_are_read_tolerantly(text, action):
    found = read_plan(text, SORT)
    assert isinstance(found, Plan), found
    assert found.joint["Alice"] == action
    assert list(found.joint) == ["Alice", "Bob"]


VERBS = ["PICK apple", "PLACE apple bin_left", "PUT apple bin_left", "OPEN apple", "MOVE apple", "SWEEP apple", "DUMP"]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_with_its_path(verb):
    found = read_plan(plan(verb + PATH, verb + PATH), PACK)
    assert isinstance(found, Plan), found
    alice = found.joint["Alice"]
    assert (alice.skill, alice.args) == (verb.split()[0].lower(), tuple(verb.split()[1:]))
    assert alice.path[0] == (0.1, 0.2, 0.4) and len(alice.path) == 4
    assert read_plan("EXECUTE\n" + found.text(), PACK) == found  # written and read back
    assert read_plan(plan(f"{verb}\n{PATH}", verb + PATH), PACK) == found, "a path may stand on its own line"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the reply was empty"),
        ("NAME Alice ACTION WAIT\nNAME Bob ACTION WAIT", "keyword EXECUTE is missing"),
        ("EXECUTE\nwe go", "keyword NAME is missing"),
        ("EXECUTE\nAlice ACTION WAIT\nNAME Bob ACTION WAIT", "keyword NAME is missing"),
        ("EXECUTE\nNAME Alice WAIT\nNAME Bob ACTION WAIT", "keyword ACTION is missing in the line of Alice"),
        ("EXECUTE\nNAME Alice ACTION WAIT", "no line for Bob"),
        (plan("WAIT") + "\nNAME Bob ACTION WAIT", "Bob has 2 lines; write exactly one line per agent"),
        ("EXECUTE\nNAME Zed ACTION WAIT", "there is no agent Zed; the agents are Alice, Bob"),
        (plan(""), "no action is given"),
        (plan("DANCE"), "unknown action DANCE"),
        (plan("PICK blue_square"), "PICK and PLACE must come together"),
        (plan("PICK ghost PLACE panel2"), "unknown object ghost; there are blue_square, pink_polygon"),
        (plan("PICK blue_square PLACE moon"), "unknown target moon; there are panel2, panel3"),
        (plan("PICK blue_square PLACE panel2 panel3"), "does not fit"),
    ],
)
def test_what_is_wrong_is_said(text, words):
    found = read_plan(text, SORT)
    assert isinstance(found, Misread)
    assert words in found.reason


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("", "keyword PATH is missing"),
        (" PATH", "the PATH has no points"),
        (" PATH [(nan, 0, 0)]", "point 1 of the PATH is not three finite numbers"),
        (" PATH [(0, 0, 0), (inf, 0, 0)]", "point 2 of the PATH"),
        (" PATH [(1, 2)]", "point 1 of the PATH"),
        (" PATH [(x, y, z)]", "point 1 of the PATH"),
        (" PATH [(1e300, 0, 0)]", "point 1 of the PATH"),
        (" PATH [" + "(0,0,0)," * 10_000 + "]", "points is too long"),
    ],
)
def test_bad_paths(way, words):
    found = read_plan(plan("PICK apple" + way, "PICK milk" + PATH), PACK)
    assert isinstance(found, Misread)
    assert words in found.reason or "EXECUTE is missing" in found.reason  # of an endless path only the end is read


PIECES = [
    *("EXECUTE", "NAME", "ACTION", "PATH", "Alice", "Bob", "PICK", "PLACE", "WAIT", "apple", "bin_left", "[(", ")]"),
    *("(0.1, 0.2, 0.3)", "(nan,nan,nan)", "\n", "\r\n", "\x00", "\u2028", " ", "9" * 400, "é", "${goal}"),
    "[Environment Feedback]:",
]


@settings(max_examples=15)
@given(st.one_of(st.text(max_size=400), st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join)))
def test_any_text_is_a_plan_or_a_sentence(text):
    for where in (SORT, PACK):
        found = read_plan(text, where)
        assert isinstance(found, (Plan, Misread))
        if isinstance(found, Misread):
            assert found.reason and len(found.reason) < 600 and len(found.shown) < 2000
            assert "\x00" not in tidy(text)
        else:
            for action in found.joint.values():
                assert all(isinstance(a, str) for a in action.args)
                assert all(math.isfinite(v) for p in action.path for v in p)
                assert written(action)


UNITS = ["x", "(", "EXECUTE\n", "NAME Alice ACTION ", "NAME Alice ACTION PICK apple PATH [(", "\x00"]


@pytest.mark.parametrize("unit", UNITS, ids=range(len(UNITS)))
def test_a_hundred_kilobytes_are_nothing_special(unit):
    text = "EXECUTE\nNAME Alice ACTION PICK apple PATH " + unit * (100_000 // len(unit))
    assert isinstance(read_plan(text, PACK), (Plan, Misread))
