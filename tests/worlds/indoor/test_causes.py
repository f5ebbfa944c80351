"""Why something failed in the house, as data and in words; who learns of it, and what it means that a change bites."""

import pytest

from coterie.core.action import Action, Cause, Outcome
from coterie.core.config import Config
from coterie.core.facts import Belief, Fact
from coterie.core.judge import known_verdict
from coterie.core.protocol import RobotView
from coterie.core.task import Change, Trigger
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.testing import check_skill
from coterie.worlds.indoor.plans.joint import Planner
from coterie.worlds.indoor.setting import Noise
from coterie.worlds.indoor.skills import skills
from coterie.worlds.indoor.tasks.changes import Settle
from coterie.worlds.indoor.tasks.draw import FINAL_PLACEMENT
from tests.worlds.indoor.conftest import do, make_world, says


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


# -- words ----------------------------------------------------------------------------------------------------------
def test_move_failures(world):
    do(world, "Alice", "navigate", "table_1", "stand_pose_0")
    says(do(world, "Alice", "move", 9.0, 0.0), "at most 1.5 m")
    says(do(world, "Alice", "move", "far", None), "neither a name nor a number")
    says(do(world, "Alice", "move", float("nan"), 0.0), "Move takes two numbers")
    x, y = world.truth["pose", "Alice"]
    tx, ty = world.scene.piece["table_1"].centre
    says(do(world, "Alice", "move", round(tx - x, 2), round(ty - y, 2)), "No path", "obstacle")


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


# -- who knows ------------------------------------------------------------------------------------------------------
def seen(world, robot):
    return {(f.pred, f.args): f.value for f in world.observe(robot).facts}


def test_a_closed_box_shows_nothing_of_its_contents():
    world = make_world({"book_0": ("fridge", -1), "apple_0": "table_1"})
    do(world, "Alice", "navigate", "fridge", "stand_pose_0")
    facts = seen(world, "Alice")
    assert facts["open", ("fridge",)] is False
    assert ("contents", ("fridge",)) not in facts
    assert not any("book_0" in args or value == "book_0" for (_, args), value in facts.items())
    do(world, "Alice", "open", "fridge")
    assert seen(world, "Alice")["contents", ("fridge",)] == ("book_0",)
    assert ("contents", ("fridge",)) not in seen(world, "Lucy")  # she is elsewhere


def test_nobody_speaks_for_a_newcomer_and_all_introduce_themselves():
    world, task = build(Config(team="Ma-MoMa", seed=2, scene="house:5", changes=("anc@5:UAV",)))
    events = Settle(task, 2)(world, task.changes[0]), world.apply(task.changes[0])
    assert [e.kind for e in events[1]] == ["change", "join"], "the world says nothing in a robot's name"
    played = play(Config(team="Ma-MoMa", seed=2, scene="house:5", changes=("anc@5:UAV",)))
    said = [(e.who, e.data["to"]) for e in played.log.events if e.kind == "say" and e.step == 5]
    assert said[:3] == [("Bob", ("Lucy",)), ("Alice", ("Lucy",)), ("Lucy", ("all",))], "their minds do, of their own"
    cards = [
        (e.who, f[1][0])
        for e in played.log.events
        if e.kind == "see" and e.step in (5, 6)
        for f in e.data["facts"]
        if f[0] == "card" and f[3] != e.who
    ]
    assert {("Bob", "Lucy"), ("Alice", "Lucy"), ("Lucy", "Bob"), ("Lucy", "Alice")} <= set(cards)


def test_a_dropped_thing_stays_in_the_room():
    world = make_world({"cup_0": "cabinet_top"})
    do(world, "Lucy", "navigate", "cabinet_top", "stand_pose_0")
    assert do(world, "Lucy", "pick", "cup_0").ok
    world.remove_robot("Lucy")
    assert world.truth["where", "cup_0"] == "floor@washstand"  # the low furniture of the same room


@pytest.mark.parametrize("change", ["irz@5", "rec@5:UAV", "cto@5", "rec@1:UAV"])
def test_bites_means_that_the_old_plan_breaks(change):
    """Judged here by doing: the plan of the moment before is carried out after the change."""
    for seed in range(2):
        config = Config(seed=seed, scene=f"house:{2 * seed + 1}", changes=(change,))
        world, task = build(config)
        plan = Planner(world).best()
        settled = Settle(task, seed)(world, task.changes[0])
        world.apply(settled)
        gone = any(robot not in world.cards for robot in plan.queues)
        goes = [(r, a) for r, queue in plan.queues.items() if r in world.cards for a in queue if a.skill == "navigate"]
        stuck = any(not world.check({robot: action})[robot].ok for robot, action in goes)
        assert settled.data["bites"] == (gone or stuck or world.goal != task.goal)


def test_a_change_that_does_not_matter_does_not_bite():
    world, task = build(Config(team="Ma-MoMa-UAV", seed=1, scene="flat", level="easy"))
    settled = Settle(task, 1)(world, Change(Trigger(step=1), "leave", {"robot": "Lucy"}))
    assert settled.data["bites"] is False  # nobody has to fetch anything
