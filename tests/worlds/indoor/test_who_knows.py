"""Who learns what, and when: boxes, zones, newcomers, the vanished; and what it means that a change bites."""

import pytest

from coterie.core.config import Config
from coterie.episode.loop import Episode
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.worlds.indoor.plans.joint import Planner
from coterie.worlds.indoor.tasks.changes import Settle
from tests.worlds.indoor.conftest import make_world
from tests.worlds.indoor.test_feedback import do


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


def test_open_tells_nothing_from_afar():
    world = make_world({"book_0": "fridge"})
    world.set(("open", "fridge"), True)
    outcome = do(world, "Alice", "open", "fridge")
    assert "out of range" in outcome.reason
    assert outcome.facts == ()


def beliefs(config, pred):
    """For every step, who believes `pred(...) is False` of itself, in an episode of the rule minds."""
    found = {}

    def watch(episode: Episode) -> None:
        for name, view in episode.views.items():
            for fact in view.belief.facts(pred):
                if fact.value is False and name not in found:
                    found[name] = episode.step

    return play(config, watch=watch), found


def test_zones_are_known_from_feedback_alone():
    known = 0
    for seed in range(3):
        config = Config(team="Ma-MoMa-Mo-UAV", seed=seed, scene=f"house:{2 * seed + 1}", changes=("irz@5:3",))
        played, found = beliefs(config, "allowed")
        closed = {
            e.who: e.step
            for e in reversed(played.log.events)
            if e.kind == "outcome" and "zone that is closed" in e.data["reason"]
        }
        told = {e.step for e in played.log.events if e.kind == "message"}
        for name, step in found.items():
            assert step > 5
            assert name in closed or told, f"{name} knew of a zone that nobody had run into"
            known += name in closed
        change = next(e for e in played.log.events if e.kind == "change")
        assert not any(
            e.kind in ("message", "say") and e.step == 5 and "zone" in e.data["text"] for e in played.log.events
        )
        assert change.data["closed"]
    assert known > 0


def test_the_vanished_are_announced_by_nothing_but_silence():
    played = play(Config(seed=2, scene="house:5", changes=("rec@5:MoMa",)))
    after = [e for e in played.log.events if e.step >= 5]
    assert not any(e.kind in ("message", "say") and e.who == "Alice" for e in after)
    lost = [e for e in after if e.kind == "see" and any(f[0] == "online" and f[2] is False for f in e.data["facts"])]
    assert {e.who for e in lost} == {"Bob", "Lucy"}  # its heartbeat is missing
    assert not any("Alice" in (*f[1], f[2]) and f[0] in ("where", "at") for e in lost for f in e.data["facts"])


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
        world.apply(settled._replace(data={k: v for k, v in settled.data.items()}))
        goal = world.goal
        broken = False
        for robot, queue in plan.queues.items():
            if robot not in world.cards:
                broken = True
                continue
            for action in queue:
                if action.skill == "navigate" and not world.check({robot: action})[robot].ok:
                    broken = True
        broken = broken or goal != task.goal
        assert settled.data["bites"] == broken


def test_a_change_that_does_not_matter_does_not_bite():
    world, task = build(Config(team="Ma-MoMa-UAV", seed=1, scene="flat", level="easy"))
    from coterie.core.task import Change, Trigger

    settled = Settle(task, 1)(world, Change(Trigger(step=1), "leave", {"robot": "Lucy"}))
    assert settled.data["bites"] is False  # nobody has to fetch anything
