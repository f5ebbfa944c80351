"""Bodies: where the hand is at home, limits, names, servos that follow, and the packages that they need."""

import math
import subprocess
import sys

import mujoco
import numpy as np
import pytest

from coterie.core.errors import CoterieError
from coterie.motion import needs
from coterie.motion.arm import arms_of
from coterie.motion.bodies import Mount, add_arm, home_of
from tests.motion.conftest import BODIES, alone, build

# Bases and hands at home of the six tabletop tasks [m].
HOMES = [
    ("ur5e", (-0.7, 1.05, 0.1), (-0.21, 1.18, 0.46), ()),
    ("panda", (0, -0.05, 0.1), (0.56, -0.05, 0.62), ()),
    ("ur5e-suction", (0.9, 1.05, 0.1), (1.39, 1.18, 0.45), ()),
    ("ur5e-suction", (-0.1, -0.2, 0.1), (0.39, -0.07, 0.45), ()),
    ("humanoid", (0.2, 1.06, 0.17), (-0.59, 0.86, 0.44), ()),
    ("ur5e", (-0.2, -0.2, 0.15), (0.29, -0.07, 0.51), ()),
    ("panda", (0.6, 1.02, 0.1), (1.16, 0.81, 0.83), (0, -1.57, 0, 1.5708, -1.5708, -1.5708, 1.57, -0.7853)),
    ("ur5e", (-0.2, -0.07, 0.15), (0.29, 0.06, 0.51), ()),
    ("panda", (-0.2, 1.05, 0.1), (0.36, 1.05, 0.62), ()),
]


@pytest.mark.parametrize("body, at, hand, home", HOMES)
def test_the_hand_is_where_the_task_says(body, at, hand, home):
    scene = build(mujoco.MjSpec(), Mount("R", body, at, rail=(-1.3, 1.3), home=home))
    data = scene.data()
    pos, _ = scene.arms["R"].pose(data)
    assert np.linalg.norm(pos - hand) < (0.02 if body == "humanoid" else 0.01)  # a palm is aimed with at its skin
    assert data.ncon == 0


@pytest.mark.parametrize("body", BODIES)
def test_at_home_the_tool_points_down_within_the_limits_on_a_rail_and_without(body):
    scene, bolted = alone(body), alone(body, rail=False)
    arm = scene.arms["Alice"]
    assert scene.data().site_xmat[arm.site].reshape(3, 3)[:, 2] == pytest.approx([0, 0, -1], abs=1e-3)
    assert scene.model.ngeom <= 12, "geometry is light"
    assert (arm.lo < arm.home).all() and (arm.home < arm.hi).all()
    assert len(arm.act) == len(arm.qpos) == len(arm.dof) == len(arm.home)
    assert bolted.arms["Alice"].n == arm.n - 1 and bolted.data().ncon == 0


def test_limits_are_those_of_the_makers():
    ur, panda = alone("ur5e").arms["Alice"], alone("panda").arms["Alice"]
    assert (ur.lo[1], ur.hi[1]) == pytest.approx((-2 * math.pi, 2 * math.pi))
    assert (ur.lo[3], ur.hi[3]) == pytest.approx((-math.pi, 2.14))
    assert (panda.lo[4], panda.hi[4]) == pytest.approx((-2.4, -0.07), abs=1e-3)
    assert (panda.lo[6], panda.hi[6]) == pytest.approx((-0.0175, 3.7525))
    for degree in (True, False):
        spec = mujoco.MjSpec()
        spec.compiler.degree = degree
        arm = build(spec, Mount("R", "panda", (0, 0, 0))).arms["R"]
        assert arm.hi[0] == pytest.approx(2.8973), "whatever the unit of angles of the scene"


def test_ur5e_reaches_as_far_as_its_lengths_say():
    """Arm stretched out sideways: shoulder to wrist is a2 + a3, and the rest stands off at right angles."""
    scene = alone("ur5e", rail=False)
    arm, data = scene.arms["Alice"], scene.data()
    data.qpos[arm.qpos] = (-math.pi / 2, 0, 0, 0, 0, 0)
    mujoco.mj_kinematics(scene.model, data)
    wrist = data.xpos[scene.model.body("Alice/wrist1").id]
    assert abs(wrist[0]) == pytest.approx(0.425 + 0.3922)
    assert wrist[2] == pytest.approx(0.1625)


@pytest.mark.parametrize("yaw", (0.0, 0.7, math.pi))
def test_the_rail_lies_along_world_x_whatever_the_yaw(yaw):
    scene = alone("ur5e", yaw=yaw)
    arm, data = scene.arms["Alice"], scene.data()
    before, _ = arm.pose(data)
    data.qpos[arm.qpos[0]] += 0.3
    mujoco.mj_kinematics(scene.model, data)
    assert arm.pose(data)[0] - before == pytest.approx([0.3, 0, 0])


def test_only_hands_with_fingers_grip_and_fingers_close_on_each_other_along_x():
    for body, fingers in (("ur5e", 2), ("panda", 2), ("ur5e-suction", 0), ("humanoid", 0)):
        scene = alone(body)
        arm, data = scene.arms["Alice"], scene.data()
        arm.grip(data, 1.0)
        assert len(arm.fingers) == fingers
        assert data.ctrl[arm.fingers] == pytest.approx(arm.finger_shut)
        if not fingers:
            continue
        left, right = (scene.model.body(f"Alice/finger_{s}").geomadr[0] for s in ("left", "right"))
        gaps = []
        for q in (0.0, arm.finger_shut):
            data.qpos[arm.finger_qpos] = q
            mujoco.mj_kinematics(scene.model, data)
            gaps.append(
                abs((data.geom_xpos[left] - data.geom_xpos[right]) @ data.site_xmat[arm.site].reshape(3, 3)[:, 0])
            )
        assert gaps[0] > 0.09 and gaps[1] == pytest.approx(0.016, abs=1e-3)  # two pads, 8 mm each


def test_mistakes_are_named():
    with pytest.raises(CoterieError, match="Did you mean 'panda'"):
        add_arm(mujoco.MjSpec(), Mount("R", "pandas", (0, 0, 0)))
    with pytest.raises(CoterieError, match="has 2 joint values"):
        home_of(Mount("R", "panda", (0, 0, 0), home=(0, 0)))
    with pytest.raises(CoterieError, match="no 'Bob/base'"):
        arms_of(alone("panda").model, [Mount("Bob", "panda", (0, 0, 0))])


# -- servos ---------------------------------------------------------------------------------------------------------
def loaded(body):
    """An arm with 1 kg welded to its hand, contacts off."""
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.002
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    load = spec.worldbody.add_body(name="load")
    load.add_freejoint()
    load.add_site(name="grip")
    load.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.03] * 3, mass=1.0, contype=0, conaffinity=0)
    scene = build(spec, Mount("R", body, (0, 0, 0.5), rail=(-1.0, 1.0)))
    weld = spec.add_equality(type=mujoco.mjtEq.mjEQ_WELD, objtype=mujoco.mjtObj.mjOBJ_SITE)
    weld.name1, weld.name2 = "R/ee", "grip"
    model = spec.compile()
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    return model, scene.arms["R"]


@pytest.mark.parametrize("body", BODIES)
def test_servos_follow_a_smooth_move_with_a_kilogram_in_hand(body):
    model, arm = loaded(body)
    data, wanted = mujoco.MjData(model), mujoco.MjData(model)
    arm.put(data, arm.home)
    mujoco.mj_forward(model, data)
    data.qpos[:3], data.qpos[3:7] = arm.pose(data)
    goal = np.clip(arm.home + np.random.default_rng(1).uniform(-0.8, 0.8, arm.n), arm.lo + 0.05, arm.hi - 0.05)
    error, speed = [], []
    for k in range(1250):
        s = min(1.0, k / 1000)
        q = arm.home + (goal - arm.home) * (s**3 * (10 - 15 * s + 6 * s * s))
        data.ctrl[arm.act] = q
        mujoco.mj_step(model, data)
        if k % 10 == 0:
            wanted.qpos[arm.qpos] = q
            mujoco.mj_kinematics(model, wanted)
            error.append(float(np.linalg.norm(wanted.site_xpos[arm.site] - data.site_xpos[arm.site])))
            speed.append(float(np.abs(data.qvel[arm.dof]).max()))
    assert max(error) < 0.03  # on the way, behind by the servo's lag
    assert error[100] < 0.01  # when the target stops
    assert max(speed[-10:]) < 0.01  # and nothing swings on


# -- packages -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ("mujoco", "ompl"))
def test_a_missing_package_is_a_sentence_with_the_way_out(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(CoterieError, match=r"pip install 'coterie\[arms\]'"):
        getattr(needs, name)()


def test_mounts_need_no_physics():
    code = "import sys; import coterie.motion.bodies; assert 'mujoco' not in sys.modules and 'ompl' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
