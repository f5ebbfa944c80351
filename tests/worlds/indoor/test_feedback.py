"""What the feedback of the benchmark rests on. Its words stand in the tests of DynaHMRC, cause by cause."""

import pytest

from coterie.core.action import Action
from tests.worlds.indoor.conftest import do, make_world, says


@pytest.fixture
def world():
    return make_world({"apple_0": "table_1", "book_0": ("fridge", -1), "cup_0": "wall_top", "pan_0": ("table_0", 0)})


# -- move fails -----------------------------------------------------------------------------------------------------
def test_move_failures(world):
    do(world, "Alice", "navigate", "table_1", "stand_pose_0")
    says(do(world, "Alice", "move", 9.0, 0.0), "at most 1.5 m")
    says(do(world, "Alice", "move", "far", None), "neither a name nor a number")
    says(do(world, "Alice", "move", float("nan"), 0.0), "Move takes two numbers")
    x, y = world.truth["pose", "Alice"]
    tx, ty = world.scene.piece["table_1"].centre
    says(do(world, "Alice", "move", round(tx - x, 2), round(ty - y, 2)), "No path", "obstacle")


# -- place fails ----------------------------------------------------------------------------------------------------
def test_hidden_rule_is_learnt_by_breaking_it(world):
    do(world, "Lucy", "navigate", "table_1", "stand_pose_0")
    do(world, "Lucy", "pick", "apple_0")
    do(world, "Lucy", "navigate", "table_0", "stand_pose_0")
    assert world.check({"Lucy": Action("place", ("apple_0", "tray"))})["Lucy"].ok  # a check sees public rules only
    outcome = do(world, "Lucy", "place", "apple_0", "tray")
    says(outcome, "violates a rule", "only the arm")
    assert [(f.pred, f.args, f.value) for f in outcome.facts] == [("may_place", ("Lucy", "tray"), False)]
    assert world.truth["holding", "Lucy"] == "apple_0"


def test_status_line():
    world = make_world({"apple_0": "table_1", "cup_0": "sofa"})
    assert world.progress().text == "In the tray: nothing."
    world.put("apple_0", "tray", (2.3, 2.3, 0.75))
    assert world.progress()[:3] == (False, 0.5, "In the tray: apple_0.")
    sort = make_world({"red_cube_0": "sofa", "blue_cube_0": "sofa"}, kind="sort")
    sort.put("red_cube_0", "blue_panel", (2.3, 2.3, 0.75))
    assert sort.progress()[:3] == (False, 0.0, "On the panels: red_cube_0 on blue_panel.")
    stack = make_world(
        {"bread_0": "sofa", "ham_0": "sofa", "egg_0": "sofa"}, kind="stack", targets=("bread_0", "ham_0")
    )
    stack.put("bread_0", "cutting_board", (2.3, 2.3, 0.75))
    stack.put("egg_0", "cutting_board", (2.3, 2.3, 0.78))
    assert stack.progress()[:3] == (False, 0.0, "On the cutting_board, bottom to top: bread_0, egg_0.")


def test_an_intruder_cancels_one_right_thing():
    """Two of three right plus one intruder scored 0.333 in the paper's case study."""
    world = make_world(
        {n: "sofa" for n in ("book_0", "fork_0", "soap_0", "paste_0")}, targets=("book_0", "fork_0", "soap_0")
    )
    for name in ("book_0", "soap_0", "paste_0"):
        world.put(name, "tray", (2.3, 2.3, 0.75))
    assert world.progress().partial == pytest.approx(1 / 3)
    assert not world.progress().done
