"""Every success and every failure cause of the benchmark's feedback table, in words."""

import pytest

from coterie.core.action import Action
from coterie.core.card import Card
from coterie.core.task import Change, Trigger
from tests.worlds.indoor.conftest import make_world


def do(world, robot, skill, *args):
    """One action of one robot, to its end."""
    world.start({robot: Action(skill, args)})
    (outcome,) = world.advance(None)
    return outcome


def says(outcome, *parts, status="failed"):
    assert outcome.status == status, outcome
    for part in parts:
        assert part in outcome.reason, outcome.reason


@pytest.fixture
def world():
    return make_world({"apple_0": "table_1", "book_0": ("fridge", -1), "cup_0": "wall_top", "pan_0": ("table_0", 0)})


# -- success --------------------------------------------------------------------------------------------------------
def test_navigation_names_what_is_found(world):
    says(
        do(world, "Alice", "navigate", "table_1", "stand_pose_0"),
        "Alice reached stand_pose_0 of table_1",
        status="done",
    )
    says(do(world, "Lucy", "navigate", "table_1", "stand_pose_0"), "Found on table_1: apple_0", status="done")


def test_navigation_to_a_container_shows_nothing(world):
    outcome = do(world, "Alice", "navigate", "fridge", "stand_pose_0")
    says(outcome, "fridge is closed", status="done")
    assert "book_0" not in outcome.reason


def test_open_names_the_contents(world):
    do(world, "Alice", "navigate", "fridge", "stand_pose_0")
    says(do(world, "Alice", "open", "fridge"), "fridge is open", "Found in fridge: book_0", status="done")


def test_pick_and_place(world):
    do(world, "Lucy", "navigate", "table_1", "stand_pose_0")
    says(do(world, "Lucy", "pick", "apple_0"), "Lucy picked up apple_0", status="done")
    says(do(world, "Lucy", "place", "apple_0", "table_1"), "Lucy placed apple_0 on table_1", status="done")


def test_move_tells_the_displacement(world):
    do(world, "Alice", "navigate", "table_1", "stand_pose_0")
    says(do(world, "Alice", "move", -0.2, 0.1), "-0.20 m along x", "+0.10 m along y", status="done")


def test_communicate_names_the_hearers(world):
    says(do(world, "Bob", "communicate", "hello", ("Alice", "Lucy")), "Alice, Lucy", status="done")
    outcome = do(world, "Bob", "communicate", "hello", ("all",))
    assert outcome.message.to == ("Alice", "David", "Lucy")


# -- navigation fails -----------------------------------------------------------------------------------------------
def test_start_of_path_on_an_obstacle(world):
    world.set(("pose", "Alice"), (2.5, 2.4))  # in the middle of the work table
    says(do(world, "Alice", "navigate", "sofa", "stand_pose_0"), "No path", "starting point")


def test_end_of_path_on_an_obstacle(world):
    wide = Card("Wide", "Wide", "ground", ("navigate", "wait"), "", footprint_m=0.6)
    world.add_robot("Wide", wide, (3.0, 1.2))
    reasons = [do(world, "Wide", "navigate", f.name, "stand_pose_0").reason for f in world.scene.furniture]
    assert any("the end point" in r and "obstacle" in r for r in reasons)


def test_unknown_target(world):
    says(do(world, "Alice", "navigate", "piano", "stand_pose_0"), "piano is not in the scene graph")
    says(do(world, "Alice", "navigate", "apple_0", "stand_pose_0"), "cannot be navigated to")
    says(do(world, "Alice", "navigate", "sofa", "stand_pose_9"), "has no stand_pose_9", "stand_pose_0")


def test_pose_error_when_somebody_stands_there(world):
    do(world, "David", "navigate", "table_1", "stand_pose_0")
    says(do(world, "Alice", "navigate", "table_1", "stand_pose_0"), "off the target pose", "David stands there")
    assert do(world, "Lucy", "navigate", "table_1", "stand_pose_0").ok  # in the air there is room


def test_two_at_once_for_one_place(world):
    both = {n: Action("navigate", ("table_1", "stand_pose_0")) for n in ("Alice", "David")}
    world.start(both)
    outcomes = world.advance(None) + world.advance(None)
    assert sorted(o.status for o in outcomes) == ["done", "failed"]
    assert "stands there" in next(o.reason for o in outcomes if not o.ok)


def test_elevated_places_are_beyond_ground_robots(world):
    for robot in ("Alice", "David"):
        says(do(world, robot, "navigate", "wall_top", "stand_pose_0"), "elevated")
    assert do(world, "Lucy", "navigate", "wall_top", "stand_pose_0").ok


def test_closed_zones(world):
    world.apply(Change(Trigger(step=0), "zones", {"closed": {"Alice": ["sofa", "bed/stand_pose_0"]}}))
    outcome = do(world, "Alice", "navigate", "sofa", "stand_pose_0")
    says(outcome, "sofa lies in a zone that is closed to Alice")
    assert [(f.pred, f.args, f.value) for f in outcome.facts] == [("allowed", ("Alice", "sofa"), False)]
    says(do(world, "Alice", "navigate", "bed", "stand_pose_0"), "stand_pose_0 of bed lies in a zone")
    assert do(world, "Alice", "navigate", "bed", "stand_pose_1").ok
    assert do(world, "David", "navigate", "sofa", "stand_pose_0").ok


def test_closed_door_leaves_no_path(world):
    for door in ("kitchen_door", "bedroom_door"):
        world.apply(Change(Trigger(step=0), "door", {"door": door, "open": False}))
    outcome = do(world, "Alice", "navigate", "fridge", "stand_pose_0")
    says(outcome, "No path leads Alice to stand_pose_0 of fridge")
    assert do(world, "Alice", "navigate", "kitchen_door", "stand_pose_0").ok
    assert do(world, "Alice", "open", "kitchen_door").ok
    assert do(world, "Alice", "navigate", "fridge", "stand_pose_0").ok


def test_lacking_skill(world):
    says(do(world, "Bob", "navigate", "sofa", "stand_pose_0"), "Bob (Ma) cannot navigate", "it can pick")
    says(do(world, "David", "pick", "apple_0"), "David (Mo) cannot pick")
    says(do(world, "Lucy", "open", "fridge"), "Lucy (UAV) cannot open")
    says(do(world, "Alice", "dance"), "cannot dance")


# -- open fails -----------------------------------------------------------------------------------------------------
def test_open_failures(world):
    says(do(world, "Alice", "open", "fridge"), "out of range", " m away")
    do(world, "Alice", "navigate", "fridge", "stand_pose_0")
    says(do(world, "Alice", "open", "sofa"), "cannot be opened")
    says(do(world, "Alice", "open", "piano"), "not in the scene graph")
    assert do(world, "Alice", "open", "fridge").ok
    says(do(world, "Alice", "open", "fridge"), "already open")


# -- move fails -----------------------------------------------------------------------------------------------------
def test_move_failures(world):
    do(world, "Alice", "navigate", "table_1", "stand_pose_0")
    says(do(world, "Alice", "move", 9.0, 0.0), "at most 1.5 m")
    says(do(world, "Alice", "move", "far", None), "neither a name nor a number")
    says(do(world, "Alice", "move", float("nan"), 0.0), "Move takes two numbers")
    x, y = world.truth["pose", "Alice"]
    tx, ty = world.scene.piece["table_1"].centre
    says(do(world, "Alice", "move", round(tx - x, 2), round(ty - y, 2)), "No path", "obstacle")


# -- pick fails -----------------------------------------------------------------------------------------------------
def test_pick_failures(world):
    says(do(world, "Alice", "pick", "apple_0"), "not in the scene graph of Alice")
    do(world, "Alice", "navigate", "fridge", "stand_pose_0")
    says(do(world, "Alice", "pick", "book_0"), "not in the scene graph")  # still closed
    do(world, "Alice", "open", "fridge")
    assert do(world, "Alice", "pick", "book_0").ok
    says(do(world, "Alice", "pick", "apple_0"), "already holds book_0")


def test_out_of_reach_tells_the_distance_and_for_moma_the_offset():
    far = make_world({"apple_0": ("table_0", 3), "cup_0": ("table_0", 40)})
    spots = {t: far.truth["spot", t] for t in ("apple_0", "cup_0")}
    for stand in ("stand_pose_0", "stand_pose_1", "stand_pose_2", "stand_pose_3"):
        do(far, "Alice", "navigate", "table_0", stand)
        for thing, spot in spots.items():
            if far.look("gap", "Alice", thing) > 0.95:
                outcome = do(far, "Alice", "pick", thing)
                x, y = far.truth["pose", "Alice"]
                says(outcome, "out of reach", f"{far.look('gap', 'Alice', thing):.2f} m away")
                says(outcome, f"dx = {spot[0] - x:+.2f} m", f"dy = {spot[1] - y:+.2f} m")
                return
    raise AssertionError("nothing was out of reach")


def test_arm_gets_the_distance_only():
    world = make_world({"apple_0": ("table_0", 12)})
    if world.look("gap", "Bob", "apple_0") <= 0.85:
        world.truth["spot", "apple_0"] = (3.5, 2.1, 0.75)
    outcome = do(world, "Bob", "pick", "apple_0")
    says(outcome, "out of reach")
    assert "dx" not in outcome.reason


def test_too_heavy():
    world = make_world({"apple_0": "table_1"}, mass=2.0)
    do(world, "Lucy", "navigate", "table_1", "stand_pose_0")
    says(do(world, "Lucy", "pick", "apple_0"), "weighs 2.0 kg", "1.5 kg Lucy can lift")


def test_one_thing_for_two_hands(world):
    do(world, "Lucy", "navigate", "table_1", "stand_pose_0")
    for stand in ("stand_pose_0", "stand_pose_1", "stand_pose_2"):
        do(world, "Alice", "navigate", "table_1", stand)
        if world.look("gap", "Alice", "apple_0") <= 0.95:
            break
    world.start({n: Action("pick", ("apple_0",)) for n in ("Alice", "Lucy")})
    outcomes = world.advance(None)
    assert [o.status for o in outcomes] == ["done", "failed"]
    assert world.truth["where", "apple_0"] == outcomes[0].robot


def test_only_the_top_of_a_stack_comes_off():
    world = make_world({"bread_0": ("table_0", 14), "ham_0": ("table_0", 15)}, kind="stack")
    for t in ("bread_0", "ham_0"):
        world.put(t, "cutting_board", (2.35, 2.3, 0.75))
    says(do(world, "Bob", "pick", "bread_0"), "ham_0 lies on top of it")
    assert do(world, "Bob", "pick", "ham_0").ok


# -- place fails ----------------------------------------------------------------------------------------------------
def test_place_failures(world):
    says(do(world, "Lucy", "place", "apple_0", "table_1"), "gripper of Lucy is empty")
    do(world, "Lucy", "navigate", "table_1", "stand_pose_0")
    do(world, "Lucy", "pick", "apple_0")
    says(do(world, "Lucy", "place", "book_0", "table_1"), "Lucy holds apple_0, not book_0")
    says(do(world, "Lucy", "place", "apple_0", "piano"), "piano is not in the scene graph")
    says(do(world, "Lucy", "place", "apple_0", "sofa"), "sofa is out of reach")
    do(world, "Lucy", "navigate", "fridge", "stand_pose_0")
    says(do(world, "Lucy", "place", "apple_0", "fridge"), "fridge is closed; apple_0 was not placed")


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


def test_flat_battery():
    world = make_world({"apple_0": "table_1"})
    tired = Card("Tired", "Tired", "ground", ("navigate", "wait"), "", battery_steps=1)
    world.add_robot("Tired", tired, (5.0, 3.0))
    assert do(world, "Tired", "navigate", "sofa", "stand_pose_0").ok
    says(do(world, "Tired", "navigate", "table_1", "stand_pose_0"), "battery of Tired is flat")
    assert do(world, "Tired", "wait").ok


# -- noise ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("noise", "robot", "action", "words"),
    [
        ("slip", "Lucy", ("pick", "apple_0"), "slipped"),
        ("misjudge", "Lucy", ("pick", "apple_0"), "judged to have failed"),
        ("drift", "Alice", ("navigate", "bed", "stand_pose_0"), "off the target pose"),
    ],
)
def test_noise_switches(noise, robot, action, words):
    from coterie.worlds.indoor.noise import Noise

    seen = set()
    for seed in range(8):
        world = make_world({"apple_0": "table_1"}, noise=Noise(**{noise: 1.0}), seed=seed)
        if noise != "drift":
            do(world, robot, "navigate", "table_1", "stand_pose_0")
        seen.add(words in do(world, robot, *action).reason)
    assert True in seen


def test_misplaced_things_lie_beside_the_tray():
    from coterie.worlds.indoor.noise import Noise

    world = make_world({"apple_0": ("table_0", 15)}, noise=Noise(misplace=1.0))
    assert do(world, "Bob", "pick", "apple_0").ok
    says(do(world, "Bob", "place", "apple_0", "tray"), "was not placed at the target location")
    assert world.truth["where", "apple_0"] == "table_0"
    assert world.truth["holding", "Bob"] is None


def test_missed_things_are_neither_seen_nor_named():
    from coterie.worlds.indoor.noise import Noise

    world = make_world({"apple_0": "table_1"}, noise=Noise(miss=1.0))
    assert "Found on table_1: nothing" in do(world, "Lucy", "navigate", "table_1", "stand_pose_0").reason
    assert not any(f.args == ("apple_0",) for f in world.observe("Lucy").facts)
