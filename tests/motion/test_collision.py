"""Who may touch whom, and what a hand carries."""

import mujoco
import numpy as np
import pytest

from coterie.core.errors import CoterieError
from coterie.motion import ik
from coterie.motion.bodies import Mount
from coterie.motion.collision import Checker, _margins, _spread
from coterie.motion.spare import CHANGED, Spare
from tests.motion.conftest import BODIES, BOX, alone, build, pair, two_rooms

DOWN = np.array([0.0, 1.0, 0.0, 0.0])


def hand_at(scene, name, pos):
    """The stacked configuration in which one hand is at a point, tool down, and the other arm at home."""
    arms, rng = scene.arms, np.random.default_rng(0)
    q = ik.solve(scene.model, scene.data(), arms[name], np.array(pos), DOWN, free_yaw=True, rng=rng)
    assert q is not None
    return np.concatenate([q if n == name else a.home for n, a in arms.items()])


def checker(scene, data=None, **options):
    return Checker(scene.model, scene.data() if data is None else data, list(scene.arms.values()), **options)


def test_home_is_free_and_a_collision_is_named_by_its_roots():
    check = checker(pair())
    assert check.free(pair().home) and check.pairs(pair().home) == [], "things at rest do not count"
    q = hand_at(pair(), "Alice", (0.3, 0.5, 0.4))
    assert not check.free(q)
    assert check.pairs(q) == [("Alice", "post")]
    for held, words in (({"Alic": "brick"}, "No robot 'Alic'"), ({"Alice": "brik"}, "no such body")):
        with pytest.raises(CoterieError, match=words):
            checker(pair(), held=held)


def test_contact_that_is_allowed_is_free_in_either_order():
    q = hand_at(pair(), "Bob", (0.3, 0.5, 0.4))
    assert not checker(pair()).free(q)
    for one, other in (("Bob", "post"), ("post", "Bob")):
        assert checker(pair(), allowed=lambda a, b, p=(one, other): (a, b) == p).free(q)


def test_robots_collide_with_each_other_and_with_themselves():
    scene, place = pair(), (-0.6, 0.5, 0.4)
    both = hand_at(scene, "Alice", place)
    both[7:] = hand_at(scene, "Bob", place)[7:]
    assert ("Alice", "Bob") in checker(scene).pairs(both)
    folded = scene.home
    folded[3] = -3.1
    assert ("Alice", "Alice") in checker(scene).pairs(folded)


@pytest.mark.parametrize("body", BODIES)
def test_neighbouring_links_do_not_collide(body):
    """Small moves around home must be free, with or without a rail."""
    for rail in (True, False):
        scene = alone(body, rail=rail)
        check, arm = checker(scene), scene.arms["Alice"]
        rng = np.random.default_rng(0)
        for _ in range(100):
            assert check.free(np.clip(arm.home + rng.uniform(-0.15, 0.15, arm.n), arm.lo, arm.hi))


def test_links_of_one_arm_keep_the_distance_that_is_asked_for():
    scene = alone("ur5e")
    arm = list(scene.arms.values())
    near, far = (Checker(scene.model, scene.data(), arm, own=own) for own in (0.0, 0.5))
    assert near.free(scene.home) and not far.free(scene.home)
    assert far.pairs(scene.home) == [("Alice", "Alice")]


@pytest.mark.parametrize("seed", range(20))
def test_one_of_two_has_the_margin_that_both_need(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    need = np.where(rng.random((n, n)) < 0.4, rng.uniform(0.001, 0.2, (n, n)), -np.inf)
    need = np.maximum(need, need.T)
    margin = _margins(need, need > -np.inf)
    assert (np.maximum(margin[:, None], margin[None, :]) >= need).all()
    assert set(margin.tolist()) <= {0.0, *need[need > 0].tolist()}


def test_a_wall_to_keep_away_from_has_the_margin_and_not_the_arms():
    """Else arms would be looked at everywhere as closely as at the wall, at three times the cost."""
    need = np.full((4, 4), -1e-3)  # two arms and the table touch each other, and all keep away from the wall
    need[3, :3] = need[:3, 3] = 0.1
    bad = np.ones((4, 4), dtype=bool)
    bad[2:, 2:] = False
    need[2:, 2:] = -np.inf
    assert _margins(need, bad).tolist() == [0.0, 0.0, 0.0, 0.1]


def test_a_robot_that_is_not_planned_for_is_an_obstacle_under_its_own_name():
    scene, place = pair(), (-0.6, 0.5, 0.4)
    data = scene.data()
    data.qpos[scene.arms["Bob"].qpos] = hand_at(scene, "Bob", place)[7:]
    check = Checker(scene.model, data, [scene.arms["Alice"]])
    assert ("Alice", "Bob") in check.pairs(hand_at(scene, "Alice", place)[:7])


def holding():
    """Alice's hand over the brick, fingers to its sides, and the state in which that is so."""
    scene = pair()
    q = hand_at(scene, "Alice", (-0.3, 0.5, 0.24))
    data = scene.data()
    data.qpos[scene.arms["Alice"].qpos] = q[:7]
    mujoco.mj_kinematics(scene.model, data)
    return scene, q, data


def test_a_held_thing_moves_with_the_hand_and_may_touch_it():
    scene, q, data = holding()
    check = checker(scene, data, held={"Alice": "brick"})
    assert check.pairs(q) == []  # brick in hand, and still at rest on the table
    before = np.array(check.data.body("brick").xpos)
    q = q.copy()
    q[0] += 0.2
    check.free(q)
    assert check.data.body("brick").xpos - before == pytest.approx([0.2, 0, 0], abs=1e-6)


def test_a_held_thing_collides_where_the_hand_alone_would_not():
    scene, _, data = holding()
    there = hand_at(scene, "Alice", (0.3, 0.5, 0.62))  # the fingers end above the post, what hangs from them does not
    assert checker(scene, data).free(there)
    assert checker(scene, data, held={"Alice": "brick"}).pairs(there) == [("brick", "post")]
    allowed = checker(scene, data, held={"Alice": "brick"}, allowed=lambda a, b: {a, b} == {"brick", "post"})
    assert allowed.free(there)


def test_what_is_held_and_not_free_stays_where_it_is():
    scene, _, data = holding()
    check = checker(scene, data, held={"Alice": "post"})
    assert check.free(hand_at(scene, "Alice", (0.3, 0.5, 0.4)))  # the hand may touch it, and it stands on the table


def test_what_is_held_by_a_part_of_it_may_be_touched_as_a_whole():
    spec = mujoco.MjSpec()
    door = spec.worldbody.add_body(name="door", pos=[0.49, 0.13, 0.4])
    door.add_joint(axis=[0, 0, 1])
    door.add_geom(type=BOX, size=[0.02, 0.02, 0.1])
    door.add_body(name="handle").add_geom(type=BOX, size=[0.01, 0.01, 0.01])
    scene = build(spec, Mount("Alice", "ur5e", (0, 0, 0)))
    assert checker(scene).pairs(scene.home) == [("Alice", "door")]
    assert checker(scene, held={"Alice": "handle"}).free(scene.home)


def test_things_that_nobody_holds_do_not_collide_with_each_other():
    scene = pair()
    data = scene.data()
    data.qpos[scene.model.jnt_qposadr[scene.model.body("other").jntadr[0]]] = -0.32  # into the brick
    mujoco.mj_forward(scene.model, data)
    assert data.ncon > 8
    assert checker(scene, data).free(scene.home)


def test_apart_keeps_a_distance():
    scene = pair()
    near = hand_at(scene, "Alice", (-0.6, 0.5, 0.182))  # the fingertips are 2 cm over the table
    assert checker(scene).free(near)
    assert checker(scene, apart=lambda a, b: 0.01).free(near)
    assert not checker(scene, apart=lambda a, b: 0.03).free(near)
    wide = checker(scene, apart=lambda a, b: 0.03 if (a, b) == ("table", "Alice") else 0.0)
    assert wide.pairs(near) == [("Alice", "table")]


def test_a_link_right_through_a_thin_wall_is_seen():
    """The engine's own test of capsule against box misses these."""
    spec = mujoco.MjSpec()
    spec.worldbody.add_body(name="plate", pos=[0.2, 0, 0.6]).add_geom(type=BOX, size=[0.01, 0.4, 0.4])
    scene = build(spec, Mount("Alice", "ur5e", (0, 0, 0)))
    assert checker(scene).pairs(scene.home) == [("Alice", "plate")]


def test_lines_are_checked_finely_enough():
    """No geom moves more than 2 cm between two checks."""
    scene = pair()
    check = checker(scene)
    rng = np.random.default_rng(0)
    for _ in range(40):
        a = scene.home + rng.normal(0, 0.4, len(scene.home))
        b = a + rng.normal(0, 0.4, len(a))
        poses = []
        for q in (a, *check.line(a, b), b):
            check._pose(q)
            poses.append(np.array(check.data.geom_xpos))
        assert np.linalg.norm(np.diff(poses, axis=0), axis=2).max() < 0.02


def test_an_edge_through_a_wall_is_bad():
    scene = two_rooms()
    check = checker(scene)
    a, b = scene.home, scene.home
    a[0], b[0] = -1.2, 1.2
    assert check.free(a) and check.free(b)
    assert not check.edge(a, b)
    assert not all(check.free(q) for q in check.line(a, b))


@pytest.mark.parametrize("n", (1, 2, 3, 7, 64, 65))
def test_halving_order_visits_every_point_once(n):
    assert sorted(_spread(n)) == list(range(n - 1))


def test_more_kinds_than_filter_bits_still_work():
    """With a rule of its own for every thing, the filters run out of bits and the table of distances takes over."""
    spec = mujoco.MjSpec()
    for i in range(40):
        spec.worldbody.add_body(name=f"t{i}", pos=[0.49, -0.5 + i * 0.03, 0.42]).add_geom(type=BOX, size=[0.01] * 3)
    mounts = [Mount(f"R{k}", "ur5e", (0, 2.0 * k, 0)) for k in range(7)]
    scene = build(spec, *mounts)
    fine = {(f"R{k}", f"t{i}") for k in range(7) for i in range(40) if (i >> k) & 1}
    check = checker(scene, allowed=lambda a, b: (a, b) in fine)
    plain = checker(scene)
    hit = {b for a, b in plain.pairs(scene.home) if a == "R0"}
    assert {b for a, b in check.pairs(scene.home) if a == "R0"} == {b for b in hit if ("R0", b) not in fine}
    assert len(hit) > 2


def test_a_copy_that_served_another_checker_is_as_good_as_new():
    """Filters, margins, stand-ins and states of the one before are gone, and one that is in use is not handed out."""
    scene = pair()
    arms, spare = list(scene.arms.values()), Spare(scene.model)
    rng = np.random.default_rng(4)
    moved = scene.data()
    moved.qpos[:] += rng.uniform(-0.05, 0.05, len(moved.qpos))
    tried = [(arms, scene.data(), 0.0), (arms[:1], moved, 0.4), (arms[1:], scene.data(), 0.0), (arms, moved, 0.2)]
    alive = Checker(scene.model, scene.data(), arms, spare=spare)
    q0 = np.concatenate([a.home for a in arms])
    before = alive.pairs(q0)
    for some, data, far in tried * 2:
        apart = {0.0: None, 0.2: lambda a, b: 0.2, 0.4: lambda a, b: 0.4}[far]
        used, new = (Checker(scene.model, data, some, apart=apart, spare=s) for s in (spare, None))
        assert (used.levers == new.levers).all()
        assert all((getattr(used.model, name) == getattr(new.model, name)).all() for name in CHANGED)
        home = np.concatenate([a.home for a in some])
        for _ in range(20):
            q = home + rng.uniform(-1.0, 1.0, len(home))
            assert used.pairs(q) == new.pairs(q)
    assert alive.pairs(q0) == before
