"""Who learns what, and when: boxes, zones, newcomers, the vanished; and what it means that a change bites."""

import pytest

from coterie.core.config import Config
from coterie.core.task import Change, Trigger
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.worlds.indoor.plans.joint import Planner
from coterie.worlds.indoor.tasks.changes import Settle
from tests.worlds.indoor.conftest import do, make_world


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
