"""Why something failed in the house, as data: which clause, what it turned on, and when."""

import pytest

from coterie.core.action import Action, Cause, Outcome
from coterie.core.facts import Belief, Fact
from coterie.core.judge import known_verdict
from coterie.core.protocol import RobotView
from coterie.testing import check_skill
from coterie.worlds.indoor.setting import Noise
from coterie.worlds.indoor.skills import skills
from coterie.worlds.indoor.tasks.draw import FINAL_PLACEMENT
from tests.worlds.indoor.conftest import do, make_world


@pytest.fixture
def world():
    return make_world({"apple_0": "table_1", "book_0": ("fridge", -1)})


@pytest.mark.parametrize("name", [name for name, _ in skills.items()])
def test_clauses_of_a_skill_can_be_told_apart(name):
    check_skill(skills.get(name), [FINAL_PLACEMENT])


def test_what_the_arm_finds_has_a_name_for_each_finding():
    for skill, pred in (("pick", "arm_finds"), ("place", "arm_finds_to")):
        found = [c.name for c in skills.get(skill).when if pred in str(c.expr)]
        assert found == ["arm_posture", "arm_free_posture", "arm_path"]


@pytest.mark.parametrize(("robot", "action", "cause"), [
    ("Bob", ("navigate", "bed", "stand_pose_0"), ("on_card", "skills", ("Bob",))),
    ("Lucy", ("pick",), ("argument_count", "arguments", ("pick",))),
    ("Lucy", ("pick", None), ("argument_kind", "kind", ("pick", "object"))),
    ("Lucy", ("pick", "apple_0"), ("in_view", "in_view", ("Lucy", "apple_0"))),
    ("Lucy", ("place", "apple_0", "tray"), ("holds_something", "holding", ("Lucy",))),
    ("Alice", ("open", "fridge"), ("gap_to", "gap_to", ("Alice", "fridge"))),
    ("Alice", ("navigate", "wall_top", "stand_pose_0"), ("level_ok", "level_ok", ("Alice", "wall_top"))),
])  # fmt: skip
def test_an_outcome_and_a_check_name_the_clause_and_what_it_turned_on(world, robot, action, cause):
    checked = world.check({robot: Action(action[0], action[1:])})[robot].cause
    outcome = do(world, robot, *action)
    assert outcome.cause == checked
    assert (checked.clause, *checked.fact[:2]) == cause and checked.moment == "before"


def test_the_value_is_the_one_in_the_words(world):
    cause = do(world, "Alice", "open", "fridge").cause
    assert cause.fact[2] == world.look("gap_to", "Alice", "fridge")
    unseen = do(world, "Lucy", "pick", "apple_0").cause
    assert unseen.fact[2] is False  # not in view; neither where it is, nor how far


def test_what_others_broke_meanwhile_is_told_as_after(world):
    for robot, stand in (("Lucy", "stand_pose_0"), ("Alice", "stand_pose_2")):
        do(world, robot, "navigate", "table_1", stand)
    assert all(v.ok for v in world.check({r: Action("pick", ("apple_0",)) for r in ("Lucy", "Alice")}).values())
    world.start({r: Action("pick", ("apple_0",)) for r in ("Lucy", "Alice")})
    first, last = world.advance(None)
    assert first.ok and last.cause == Cause("in_view", ("in_view", (last.robot, "apple_0"), False), "after")
    assert do(world, last.robot, "pick", "apple_0").cause.moment == "before"


@pytest.mark.parametrize(("noise", "action", "clause", "moment"), [
    ("slip", ("pick", "apple_0"), "slip", "during"),
    ("misjudge", ("pick", "apple_0"), "misjudge", "after"),
    ("misjudge", ("pick", "book_0"), None, None),  # takes a failure for a success
])  # fmt: skip
def test_accidents(noise, action, clause, moment):
    world = make_world({"apple_0": "table_1", "book_0": ("fridge", -1)}, noise=Noise(**{noise: 1.0}))
    do(world, "Lucy", "navigate", "table_1", "stand_pose_0")
    outcome = do(world, "Lucy", *action)
    assert outcome.ok == (clause is None)
    assert (outcome.cause and outcome.cause.clause, outcome.cause and outcome.cause.moment) == (clause, moment)


def test_a_thing_laid_elsewhere_and_a_drive_that_ends_elsewhere():
    world = make_world({"apple_0": ("table_0", 15)}, noise=Noise(misplace=1.0))
    do(world, "Bob", "pick", "apple_0")
    cause = do(world, "Bob", "place", "apple_0", "tray").cause
    assert cause == Cause("misplace", ("where", ("apple_0",), "table_0"), "during")
    found = set()
    for seed in range(8):
        world = make_world({"apple_0": "table_1"}, noise=Noise(drift=1.0), seed=seed)
        outcome = do(world, "Alice", "navigate", "bed", "stand_pose_0")
        found.add(outcome.cause and (outcome.cause.clause, outcome.cause.moment))
    assert ("drift", "during") in found


def test_a_cancelled_action_was_called_off(world):
    world.start({"Lucy": Action("navigate", ("table_1", "stand_pose_0"))})
    assert world.cancel("Lucy").cause == Cause("called_off", ("called_off", ("Lucy",), True), "during")


def test_guard_rails_tell_the_belief_and_not_the_truth(world):
    """The fridge was open when Alice last looked; it is closed now. The guard speaks of what she believes."""
    do(world, "Alice", "navigate", "fridge", "stand_pose_0")
    belief = Belief(world.map(), world.listings())
    belief.tell_all(world.observe("Alice").facts)
    belief.tell_all([Fact("open", ("fridge",), True, world.now + 1, "Lucy")])
    look = world.lookup(belief)
    me = RobotView("Alice", world.cards["Alice"], belief, look, skills={"open": skills.get("open")})
    assert world.look("open", "fridge") is False
    assert known_verdict(me, Action("open", ("fridge",))).cause == Cause("open", ("open", ("fridge",), True))


def test_what_a_robot_with_a_driver_of_its_own_says_is_judged_when_it_has_ended(world):
    claimed = world.accept(Outcome("Lucy", Action("pick", ("apple_0",)), "done", "I have it."))
    assert (claimed.status, claimed.cause.clause, claimed.cause.moment) == ("failed", "in_view", "after")
    broken = world.accept(Outcome("Lucy", Action("pick", ("apple_0",)), "failed", "My hand is stuck."))
    assert broken.cause == Cause("driver", None, "during")
