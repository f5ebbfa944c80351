"""Bodies in a house: they do not pass walls, do not see from afar, do not overlap, and are wrong about their hands."""

import math
from dataclasses import replace

import pytest

from coterie.core.action import Action
from coterie.core.errors import CoterieError
from coterie.core.facts import Belief
from coterie.core.judge import known_verdict
from coterie.core.protocol import RobotView
from coterie.houses.names import scene
from coterie.worlds.indoor.bodies import team as make_team
from coterie.worlds.indoor.setting import Noise
from coterie.worlds.indoor.tasks import draw
from coterie.worlds.indoor.tasks.draw import draw_task
from tests.worlds.indoor.conftest import do, make_task, make_world

APPLE = {"apple_0": "table_1"}


def test_a_move_goes_straight_and_not_through_a_wall():
    world = make_world(APPLE)
    card, grid = world.cards["Alice"], world.scene.nav(world.cards["Alice"]).grid
    nav = world.scene.nav(card)
    cells = [grid.centre(c) for c in range(0, grid.nx * grid.ny, 3) if not grid.blocked(c)]
    far = [
        (a, b)
        for a in cells[::21]
        for b in cells[::8]
        if math.dist(a, b) < 1.4 and nav.linked(a, b) and (nav.length(a, b) or 0) > 5
    ]
    assert far  # there are walls with free floor on both sides
    for (x, y), (u, v) in far[:5]:
        world.truth["pose", "Alice"] = (x, y)
        outcome = do(world, "Alice", "move", round(u - x, 2), round(v - y, 2))
        assert not outcome.ok and outcome.cause.clause == "move_free"


def test_whoever_moves_away_is_no_longer_at_a_place_and_sees_nothing_of_it():
    world = make_world({"book_0": "bed"})
    assert do(world, "Alice", "navigate", "bed", "stand_pose_0").ok
    assert any(f.pred == "contents" and f.args == ("bed",) for f in world.observe("Alice").facts)
    rect = world.scene.piece["bed"].rect
    for _ in range(12):
        x, y = world.truth["pose", "Alice"]
        away = [
            (d, a, b)
            for a in (-1.0, -0.5, 0.0, 0.5, 1.0)
            for b in (-1.0, -0.5, 0.0, 0.5, 1.0)
            if (a or b) and world.look("move_free", "Alice", a, b)
            for d in [_from(rect, (x + a, y + b))]
        ]
        assert do(world, "Alice", "move", *max(away)[1:]).ok
        gap = _from(rect, world.truth["pose", "Alice"])
        sees = any(f.pred == "contents" and f.args == ("bed",) for f in world.observe("Alice").facts)
        assert sees == (world.truth["at", "Alice"] == "bed") == (gap <= 1.0)
        if gap > 1.0:
            return
    raise AssertionError("the bed's room is larger than that")


def _from(rect, p):
    return math.dist(p, (min(max(p[0], rect[0]), rect[2]), min(max(p[1], rect[1]), rect[3])))


def test_a_robot_that_misjudged_its_hand_goes_by_that_until_it_uses_the_hand_again():
    world = make_world({"pan_0": "table_1"}, noise=Noise(misjudge=1.0))
    side = next(
        s
        for (f, s), pose in world.scene.stand_poses.items()
        if f == "table_1" and world.cards["Alice"].gap(pose, world.truth["spot", "pan_0"]) < 0.9
    )
    assert do(world, "Alice", "navigate", "table_1", side).ok
    taken = do(world, "Alice", "pick", "pan_0")
    assert not taken.ok and world.truth["holding", "Alice"] == "pan_0"  # she has it, and does not know

    def felt():
        return next(f.value for f in world.observe("Alice").facts if f.pred == "holding" and f.args == ("Alice",))

    assert felt() is None
    do(world, "Alice", "wait")
    assert felt() is None  # waiting tells her nothing
    world.noise = Noise(misjudge=1e-12)
    again = do(world, "Alice", "pick", "pan_0")
    assert "already holds pan_0" in again.reason and felt() == "pan_0"


def test_what_misses_a_piece_of_furniture_lies_on_the_floor_beside_it():
    world = make_world({"pan_0": "table_1"}, noise=Noise(misplace=1.0))
    world.set(("holding", "Alice"), "pan_0")
    world.put("pan_0", "Alice", world.truth["spot", "pan_0"])
    assert do(world, "Alice", "navigate", "sofa", "stand_pose_0").ok
    missed = do(world, "Alice", "place", "pan_0", "sofa")
    assert not missed.ok and missed.cause.clause == "misplace"
    assert world.truth["where", "pan_0"] == "floor@sofa" and world.truth["holding", "Alice"] is None
    world.noise = Noise()
    assert do(world, "Alice", "pick", "pan_0").ok  # and can be taken up from there


def test_guard_rails_know_nothing_of_a_door_that_is_shut_from_the_beginning():
    """In a house that begins with a closed door, nobody knows of it before it was seen."""
    world = make_world(APPLE)
    door = next(d for d in world.scene.doors if d.swings)
    shut = replace(world.scene, doors=tuple(replace(d, open=d is not door) for d in world.scene.doors))
    task = replace(make_task(APPLE), setting=replace(world.setting, scene=shut))
    world = type(world)(task)
    card = world.cards["Alice"]
    belief = Belief(world.map(), world.listings())
    me = RobotView("Alice", card, belief, world.lookup(belief), skills={s: world.skill(s) for s in card.skills})
    for fact in world.observe("Alice").facts:
        belief.tell(fact)
    behind = next(f for f in shut.places if world.look("shut_door", "Alice", f.name, "stand_pose_0") == door.name)
    go = Action("navigate", (behind.name, "stand_pose_0"))
    assert known_verdict(me, go).ok is not False
    outcome = do(world, "Alice", go.skill, *go.args)
    assert not outcome.ok and door.name in outcome.reason
    belief.tell_all(outcome.facts)
    assert known_verdict(me, go).ok is False  # now she knows


def test_no_task_is_drawn_that_a_battery_cannot_do(monkeypatch):
    """One that lasts for five actions fetches one thing at most; one that lasts for two fetches none."""
    flat = scene("flat")

    def weak(steps):
        low = tuple((n, replace(c, battery_steps=steps) if c.moves else c) for n, c in make_team("Ma-MoMa"))
        monkeypatch.setattr(draw, "make_team", lambda name: low)

    weak(5)
    drawn = [draw_task("pack-objects", "medium-search", "Ma-MoMa", flat, seed) for seed in range(6)]
    assert all(sum(place != 0 for place in task.about["locations"]) == 1 for task in drawn)
    weak(2)
    with pytest.raises(CoterieError, match="No feasible"):
        draw_task("pack-objects", "medium-search", "Ma-MoMa", flat, 0)
