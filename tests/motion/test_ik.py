"""Inverse kinematics: what it returns is right, inside the limits and accepted."""

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.motion import ik
from coterie.motion.collision import Checker
from tests.motion.conftest import BODIES, alone, pair

DOWN = np.array([0.0, 1.0, 0.0, 0.0])


def reachable(arm, seed):
    """A random posture around home, well inside the limits."""
    rng = np.random.default_rng(seed)
    return np.clip(arm.home + rng.uniform(-0.7, 0.7, arm.n), arm.lo + 0.05, arm.hi - 0.05)


def pose_at(scene, arm, q):
    data = scene.data()
    data.qpos[arm.qpos] = q
    mujoco.mj_kinematics(scene.model, data)
    return arm.pose(data)


def angle(a, b):
    return 2 * np.arccos(min(1.0, abs(float(a @ b))))


@settings(max_examples=12)
@given(body=st.sampled_from(BODIES), seed=st.integers(0, 10**6))
def test_solutions_are_on_target_and_inside_the_limits(body, seed):
    scene = alone(body)
    arm = scene.arms["Alice"]
    pos, quat = pose_at(scene, arm, reachable(arm, seed))
    q = ik.solve(scene.model, scene.data(), arm, pos, quat, rng=np.random.default_rng(seed), tries=40)
    assert q is not None
    there, turned = pose_at(scene, arm, q)
    assert np.linalg.norm(there - pos) < 1e-3
    assert angle(turned, quat) < 0.01
    assert (q >= arm.lo + ik.SLACK - 1e-9).all() and (q <= arm.hi - ik.SLACK + 1e-9).all()


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_accepted_solutions_do_not_collide(seed):
    scene = pair()
    data = scene.data()
    checker = Checker(scene.model, data, list(scene.arms.values()))
    rng = np.random.default_rng(seed)
    for i, arm in enumerate(scene.arms.values()):
        at = slice(0, 7) if i == 0 else slice(7, 15)

        def accept(q, at=at):
            stack = scene.home
            stack[at] = q
            return checker.free(stack)

        pos = rng.uniform((-0.8, 0.2, 0.2), (0.8, 0.8, 0.5))
        q = ik.solve(scene.model, scene.data(), arm, pos, DOWN, free_yaw=True, rng=rng, accept=accept)
        assert q is None or accept(q)


def test_free_yaw_keeps_the_approach_and_no_more():
    scene = alone("ur5e")
    arm = scene.arms["Alice"]
    at, rng, data = np.array([0.4, 0.3, 0.3]), np.random.default_rng(0), scene.data()
    q = ik.solve(scene.model, scene.data(), arm, at, DOWN, free_yaw=True, rng=rng)
    data.qpos[arm.qpos] = q
    mujoco.mj_kinematics(scene.model, data)
    rot = data.site_xmat[arm.site].reshape(3, 3)
    assert rot[:, 2] == pytest.approx([0, 0, -1], abs=3e-3)
    assert abs(rot[0, 0]) < 0.9  # the hand kept a turn of its own


def test_the_same_generator_gives_the_same_solution_and_scratch_is_put_back():
    scene = alone("panda")
    arm, data = scene.arms["Alice"], scene.data()
    pos, quat = pose_at(scene, arm, reachable(arm, 3))
    found = [ik.solve(scene.model, data, arm, pos, quat, rng=np.random.default_rng(5)) for _ in range(2)]
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(data.qpos[arm.qpos], arm.home)


def test_refused_solutions_lead_to_others_until_tries_run_out_and_out_of_reach_there_is_none():
    scene, asked = alone("ur5e"), []

    def tried(at, tries, **more):
        rng = np.random.default_rng(0)
        return ik.solve(
            scene.model, scene.data(), scene.arms["Alice"], np.array(at), DOWN, rng=rng, tries=tries, **more
        )

    assert tried([0.4, 0.2, 0.3], 6, accept=lambda q: bool(asked.append(q))) is None and len(asked) > 2
    assert tried([0.0, 3.0, 0.3], 4) is None


def test_full_turns_are_taken_out():
    scene = alone("ur5e")
    arm = scene.arms["Alice"]
    start = arm.home.copy()
    start[6] += 2 * np.pi - 0.1
    pos, quat = pose_at(scene, arm, arm.home)
    q = ik.solve(scene.model, scene.data(), arm, pos, quat, start=start, rng=np.random.default_rng(0))
    assert abs(q[6] - start[6]) < np.pi
