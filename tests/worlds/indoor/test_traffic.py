"""Robots that go somewhere: they go round each other, wait for each other, and that takes time."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.worlds.indoor.continuous_traffic import EVADE_S, MAKE_WAY_S, Route, among, way
from tests.worlds.indoor.conftest import make_world

SIDE = st.tuples(st.floats(0, 8), st.floats(0, 8))


@given(SIDE, SIDE, SIDE, SIDE, st.floats(0, 3))
def test_two_that_are_under_way_keep_apart_or_take_time_to_evade(a, b, c, d, later):
    first, second = Route((a, b), 0.0, 1.0, 0.25), Route((c, d), later, 0.8, 0.25)
    late, evading = among(second, [first])
    both = [t / 8 for t in range(200) if max(late.begun, first.begun) < t / 8 < min(late.end, first.end)]
    apart = [math.dist(first.at(t), late.at(t)) for t in both]
    assert evading == EVADE_S or all(gap > 0.5 - 0.25 * 1.8 for gap in apart)  # between two looks they go that far
    assert late.begun >= second.begun and late.end - late.begun == pytest.approx(second.end - second.begun)


def test_a_way_leads_round_one_who_rests():
    world = make_world({"apple_0": "table_1"})
    card = world.cards["Alice"]
    planner = world.scene.nav(card)
    poses = list(world.scene.stand_poses.values())
    longer = blocked = 0
    for a, b in pairwise(poses):
        found = planner.path(a, b)
        if found is None or len(found[1]) < 30:
            continue
        free, _ = way(planner, a, b, 0.25, [])
        door = next((d.at for d in world.scene.doors if any(math.dist(d.at, p) < 0.1 for p in free)), None)
        middle = door if door is not None and not blocked else free[len(free) // 2]
        points, held_up = way(planner, a, b, 0.25, [(middle, 0.25)])
        if held_up:
            assert held_up == MAKE_WAY_S
            blocked += 1
        else:
            assert all(math.dist(p, middle) >= 0.5 - 1e-6 for p in points[1:-1])
            longer += Route(points, 0, 1, 0.25).end > Route(free, 0, 1, 0.25).end
    assert longer and blocked  # in a wide room there is a way round, in a doorway there is not


def test_two_that_change_places_through_one_door_do_not_pass_it_at_once():
    def time(together):
        world = make_world({"apple_0": "table_1"}, team="Ma-MoMa-Mo")
        poses = world.scene.stand_poses
        world.truth["pose", "Alice"], world.truth["pose", "David"] = (
            poses["bed", "stand_pose_0"],
            poses["sofa", "stand_pose_0"],
        )
        go = {
            "Alice": Action("navigate", ("sofa", "stand_pose_1")),
            "David": Action("navigate", ("bed", "stand_pose_1")),
        }
        world.start(go if together else {"David": go["David"]})
        return world.underway["David"].end

    assert time(True) > time(False)


def test_a_snapshot_keeps_who_is_under_way():
    world = make_world({"apple_0": "table_1"}, team="Ma-MoMa-Mo")
    world.start({"Alice": Action("navigate", ("bed", "stand_pose_0"))})
    kept = world.snapshot()
    route = world.driver.routes["Alice"]
    world.advance(None)
    assert not world.driver.routes
    world.restore(kept)
    assert world.driver.routes["Alice"].kept == route.kept


def test_the_expert_is_a_bound_with_many_robots():
    """Sixteen robots in a flat: places to stand are reserved, and who has nothing to do makes room."""
    crowd = "-".join(["Ma", *["MoMa"] * 7, *["UAV"] * 4, *["Mo"] * 4])
    for task, scene, seed in (("pack-objects", "hall", 1), ("sort-solids", "flat", 2)):
        config = Config(task=task, team=crowd, scene=scene, seed=seed, level="hard", protocol="expert")
        assert play(config).result.success


def test_a_parked_teammate_leaves_the_side_that_somebody_needs():
    config = Config(task="sort-solids", team="Ma-MoMa-Mo", scene="bungalow", seed=123457)
    assert play(config).result.success
