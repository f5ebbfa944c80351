"""The richer prompts for large models: they say more, and keep what changes out of the part that is cached."""

import re

import pytest

from tests.protocols.dynahmrc.helpers import act_out, of
from tests.protocols.dynahmrc.test_changes import task_with

NAMES = ("Alice", "Bob", "David", "Lucy")


def prompts(style, script, steps=12):
    return act_out(task_with(steps=steps), script, style=style)[1]


@pytest.mark.parametrize("robot", NAMES)
def test_every_body_has_six_or_seven_principles(robot):
    full, compact = (of(prompts(s, {}, 1), "HMRC", robot)[0].prompt[0][1] for s in ("full", "compact"))
    assert len(re.findall(r"^[1-7]\. [A-Z].*\.$", full, re.M)) in (6, 7)
    assert "Principles" not in compact and "step by step" not in compact
    assert "Thought: think step by step" in full


def test_a_robot_reads_its_own_position():
    asked = prompts("full", {"Alice": ["navigate(sofa, 0)"]}, 2)
    found = [re.search(r"Your position is (\(.*?\))", a.prompt[1][1]) for a in of(asked, "HMRC", "Alice")]
    assert all(found) and found[0].group(1) != found[1].group(1)
    assert not [a for a in prompts("compact", {}, 2) if "Your position" in a.prompt[1][1]]


def test_the_scene_graph_stands_in_discussions():
    for style in ("full", "compact"):
        asked = of(prompts(style, {}), "GD")
        assert asked and all(("Scene graph" in a.prompt[0][1]) == (style == "full") for a in asked)


def test_what_is_open_is_told_where_things_change():
    asked = of(prompts("full", {"Alice": ["navigate(fridge, 0)", "open(fridge)"]}, 4), "HMRC", "Alice")
    assert len({a.prompt[0][1] for a in asked}) == 1
    first, last = asked[0].prompt[1][1], asked[-1].prompt[1][1]
    assert "Boxes: closed " in first
    assert "Boxes: open fridge; closed " in last
    assert "closed," not in asked[0].prompt[0][1]
