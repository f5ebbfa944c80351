"""A compact prompt says outright what is left: whose places, which sides, what to fetch and by whom."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.protocols.shared.remaining import parts
from tests.protocols.dynahmrc.helpers import act_out, of, prompt_at, run
from tests.protocols.dynahmrc.test_changes import at, task_with

PLAN = "Plan: Alice: fridge, drawer; Bob: the tray; David: bed, sofa; Lucy: cabinet_top, wall_top"


def proposals(ask):
    return PLAN if ask.stage == "TALB" else None


def line(prompt, heading):
    return next((x for x in prompt.splitlines() if x.startswith(heading)), "")


def test_whose_places_are_left_and_from_which_side():
    script = {"Alice": ["navigate(fridge, 0)", "open(fridge)", "wait()"], "David": ["navigate(bed, 0)"]}
    _, asked = act_out(task_with(), script, proposals)
    left = line(prompt_at(asked, "Alice", 2), "Left to search: ")
    assert left.startswith("Left to search: yours: drawer 0; David's: bed 0, sofa 0; Lucy's: cabinet_top, wall_top; ")
    assert "fridge" not in left and "nobody's: book_case 0" in left
    davids = line(prompt_at(asked, "David", 2), "Left to search: ")
    assert "yours: sofa 0; " in davids and "Alice's: fridge, drawer; " in davids  # he has not heard, and cannot open
    assert "dishwasher (Alice)" in davids
    assert not line(prompt_at(asked, "Bob", 2), "Left to search: ")  # an arm searches nothing


def test_a_side_that_failed_is_not_offered_at_once():
    _, asked = act_out(task_with(), {"David": ["navigate(sofa, 9)", "navigate(sofa, 0)"]}, proposals)
    assert "sofa 0" in line(prompt_at(asked, "David", 1), "Left to search: ")


def test_the_part_of_one_who_is_gone_is_nobodys():
    _, asked = act_out(task_with(at(2, "leave", robot="David"), steps=4), {}, proposals)
    before, after = (line(prompt_at(asked, "Alice", n), "Left to search: ") for n in (1, 2))
    assert "David's: bed 0, sofa 0" in before
    assert "David" not in after and re.search(r"nobody's: .*\bbed 0", after)


def test_who_can_fetch_what_and_who_was_asked():
    script = {
        "David": ["navigate(table_1, 0)", 'communicate("Lucy, could you bring apple_0 from table_1?", all)', "wait()"],
    }
    _, asked = act_out(task_with(), script, proposals)
    assert re.search(r"apple_0 at table_1 \((Alice or Lucy)\)", line(prompt_at(asked, "David", 1), "Needed: "))
    needed = line(prompt_at(asked, "Alice", 2), "Needed: ")
    assert re.search(r"apple_0 at table_1 \d(, move closer)? \(you or Lucy; asked: Lucy\)", needed), needed
    assert "asked: you" in line(prompt_at(asked, "Lucy", 2), "Needed: ")


def test_the_leader_reads_who_can_search_what_is_left_and_in_the_end_nothing_is():
    played, asked, _ = run(team="Ma-MoMa-UAV", seed=11, scene="flat", level="medium-search")
    first = of(asked, "TALB")[0].prompt[1][1]
    assert (
        "Left to search: Alice alone: dishwasher, drawer, fridge; Lucy alone: cabinet_top, wall_top; Alice or Lucy: "
        in first
    )
    last = of(asked, "HMRC", "Alice")[-1].prompt[1][1]
    assert played.result.success and "not found" not in last and "Left to search" not in last


@pytest.mark.parametrize(
    ("plan", "alice"),
    [
        ("Alice: bed, desk; Bob: tray", ["bed", "desk"]),
        ("Bob: tray. Alice: bed", ["bed"]),
        ("Alice searches bed and desk, Bob waits", ["searches", "bed", "and", "desk"]),
        ("Everybody: bed", []),
        ("", []),
    ],
)
def test_parts_of_a_plan(plan, alice):
    assert parts(plan, frozenset({"Alice", "Bob"})).get("Alice", []) == alice


@settings(max_examples=15)
@given(st.text(max_size=40), st.sets(st.sampled_from(["Al", "Alice", "Bo.b", "x+"]), min_size=1))
def test_any_text_may_be_a_plan(plan, names):
    found = parts(plan, frozenset(names))
    assert set(found) <= names
    assert all(word in plan for words in found.values() for word in words)
