"""How the hand of an arm opens, found by driving its motors; and where a tool goes on an arm without one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from coterie.motion import needs
from coterie.motion.bodies.card import Ends
from coterie.motion.makers.maker import FLANGE, Source, Tree, finger_name

mujoco = needs.mujoco()

SETTLE_S = 1.5  # in which a gripper opens or shuts
SWING = 0.8  # [rad] that a jaw opens by, at most
PAD_M, TIP_M = 0.03, 0.012  # [m] of a finger that touches things, and from its point of aim to its end
SNAP = math.cos(math.radians(25))  # directions that are so near to an axis of the hand are that axis


class Gripper(NamedTuple):
    """How a hand opens, in the frame of its body."""

    at: np.ndarray  # of the point of aim
    axes: np.ndarray  # (3, 3) columns: where fingers open, across, out of the hand
    opening_m: float
    fingers: tuple[Ends, ...]
    sides: tuple[tuple[int, ...], ...]
    motors: tuple[Ends, ...]


def gripper_of(source: Source, tree: Tree) -> Gripper | None:
    """How the hand opens: its motors are driven to either end, and what moves is looked at."""
    model = source.model
    plain = int(mujoco.mjtTrn.mjTRN_JOINT)
    driven = [int(model.actuator_trnid[a, 0]) if model.actuator_trntype[a] == plain else -1 for a in range(model.nu)]
    motors = [a for a, joint in enumerate(driven) if joint in (-1, *tree.finger_joints)]
    if not motors:
        return None
    ends = [_range(model, a) for a in motors]
    states = {told: _settled(tree, motors, told) for told in product(*ends)}
    spread = {told: _spread(tree, data) for told, data in states.items()}
    wide, narrow = max(spread, key=lambda t: spread[t]), min(spread, key=lambda t: spread[t])
    opened, shut = states[wide], states[narrow]
    hinges = [j for j in tree.finger_joints if int(model.jnt_type[j]) == int(mujoco.mjtJoint.mjJNT_HINGE)]
    swing = max((abs(float(opened.qpos[a] - shut.qpos[a])) for a in model.jnt_qposadr[hinges]), default=0.0)
    if swing > SWING:  # a jaw that opens wide does not face the other one any more
        wide = tuple(n + (w - n) * SWING / swing for w, n in zip(wide, narrow))
        opened = _settled(tree, motors, wide)
    points = [{b: points_of(model, d, b, tree.hand) for b in tree.beyond} for d in (opened, shut)]
    moved = {b: points[1][b].mean(0) - points[0][b].mean(0) for b in tree.beyond if len(points[0][b])}
    if not moved or max(np.linalg.norm(d) for d in moved.values()) < 1e-3:
        return None
    most = max(moved.values(), key=lambda d: float(np.linalg.norm(d)))
    far = float(np.linalg.norm(most))
    ahead = [b for b, d in moved.items() if float(d @ most) > 0.3 * far * far]
    back = [b for b, d in moved.items() if float(d @ most) < -0.3 * far * far]
    pads = [np.concatenate([p[b] for b in [*ahead, *back]]) for p in points]
    axes = _axes(most / far, np.concatenate(pads).mean(0) - points_of(model, opened, tree.hand, tree.hand).mean(0))
    tip = float(max((p @ axes[:, 2]).max() for p in pads))
    inner = [_face(points[0], side, axes, tip, sign) for side, sign in ((ahead, 1), (back, -1))]
    if not back:  # one jaw closes on a fixed one
        inner[1] = _face(points[1], ahead, axes, tip, 1)
    near = pads[0][pads[0] @ axes[:, 2] > tip - PAD_M]
    across = (near @ axes[:, 1]) if len(near) else np.zeros(1)
    at = axes @ np.array([sum(inner) / 2, (across.min() + across.max()) / 2, tip - TIP_M])
    if inner[1] - inner[0] < 1e-3:
        return None
    address = [int(model.jnt_qposadr[j]) for j in tree.finger_joints]
    named = [finger_name(model.joint(j).name, f"j{j + 1}") for j in tree.finger_joints]
    limits = [model.jnt_range[j] if model.jnt_limited[j] else (-math.inf, math.inf) for j in tree.finger_joints]
    ends_of = [[float(np.clip(d.qpos[a], *lim)) for d in (opened, shut)] for a, lim in zip(address, limits)]
    fingers = tuple(Ends(n, *both) for n, both in zip(named, ends_of))
    told = tuple(Ends(model.actuator(a).name or f"motor{a}", *e) for a, *e in zip(motors, wide, narrow))
    sides = (tuple(ahead), tuple(back) or (tree.hand,))
    return Gripper(at, axes, (inner[1] - inner[0]) / 2, fingers, sides, told)


def _range(model: Any, act: int) -> tuple[float, float]:
    low, high = model.actuator_ctrlrange[act]
    if not model.actuator_ctrllimited[act]:
        low, high = model.jnt_range[int(model.actuator_trnid[act, 0])]
    return float(low), float(high)


def _settled(tree: Tree, motors: Sequence[int], told: Sequence[float]) -> Any:
    """The state in which a gripper comes to rest: no gravity, and the arm is held."""
    model = tree.model
    data = mujoco.MjData(model)
    held = data.qpos.copy()
    arm, dofs = model.jnt_qposadr[tree.joints], model.jnt_dofadr[tree.joints]
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= int(off.mjDSBL_CONTACT) | int(off.mjDSBL_GRAVITY)
    data.ctrl[motors] = told
    for _ in range(min(10_000, round(SETTLE_S / float(model.opt.timestep)))):
        mujoco.mj_step(model, data)
        data.qpos[arm], data.qvel[dofs] = held[arm], 0.0
    mujoco.mj_forward(model, data)
    return data


def _spread(tree: Tree, data: Any) -> float:
    """How far the parts of a gripper are from each other and from the hand, on average [m]."""
    seen = {b: points_of(tree.model, data, b, tree.hand) for b in [tree.hand, *tree.beyond]}
    few = {b: p[:: max(1, len(p) // 60)] for b, p in seen.items() if len(p)}
    found = []
    for b in tree.beyond:
        others = [p for other, p in few.items() if other != b]
        if b in few and others:
            apart = np.linalg.norm(few[b][:, None] - np.concatenate(others)[None], axis=2)
            found.append(float(apart.min(axis=1).mean()))
    return sum(found)


def points_of(model: Any, data: Any, body: int, frame: int) -> np.ndarray:
    """(n, 3) corners of all shapes of a body, of those that collide where there are some, in the frame of another."""
    geoms = [g for g in range(model.ngeom) if int(model.geom_bodyid[g]) == body]
    solid = [g for g in geoms if model.geom_contype[g] or model.geom_conaffinity[g]]
    found = [np.zeros((0, 3))]
    for g in solid or geoms:
        if int(model.geom_type[g]) == int(mujoco.mjtGeom.mjGEOM_MESH):
            mesh = int(model.geom_dataid[g])
            first = int(model.mesh_vertadr[mesh])
            local = np.array(model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])], float)
        else:
            centre, half = model.geom_aabb[g][:3], model.geom_aabb[g][3:]
            local = np.array([centre + half * s for s in product((-1, 1), repeat=3)])
        at = data.geom_xpos[g] + local @ data.geom_xmat[g].reshape(3, 3).T
        found.append((at - data.xpos[frame]) @ data.xmat[frame].reshape(3, 3))
    return np.concatenate(found)


def _face(points: dict[int, np.ndarray], side: Sequence[int], axes: np.ndarray, tip: float, sign: int) -> float:
    """Where the inner face of one side of a gripper is, along the direction in which it closes."""
    near = [p for b in side for p in points[b] if p @ axes[:, 2] > tip - PAD_M]
    return float(max(sign * (p @ axes[:, 0]) for p in near)) * sign if near else 0.0


def _axes(x: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Columns: where fingers close, across, and out of the hand; axes of the hand where they are near to such."""
    x = _snapped(x)
    z = _snapped(out - (out @ x) * x)
    z = z - (z @ x) * x
    z /= np.linalg.norm(z)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _snapped(v: np.ndarray) -> np.ndarray:
    v = v / max(float(np.linalg.norm(v)), 1e-9)
    k = int(np.abs(v).argmax())
    return np.sign(v[k]) * np.eye(3)[k] if abs(v[k]) > SNAP else v


def flange_of(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Where a tool is put on an arm without one, in the frame of its last body: a site that is named so, else the end
    of the last body along the axis of its joint."""
    model, last = tree.model, tree.hand
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    back = data.xmat[last].reshape(3, 3).T
    own = {last, *(b for b in tree.beyond if not tree.finger_joints)}
    sites = [s for s in range(model.nsite) if int(model.site_bodyid[s]) in own and FLANGE.search(model.site(s).name)]
    if sites:
        at, axes = data.site_xpos[sites[0]], data.site_xmat[sites[0]].reshape(3, 3)
        return back @ (at - data.xpos[last]), back @ axes
    if FLANGE.search(model.body(last).name):
        return np.zeros(3), np.eye(3)
    joint = tree.joints[-1]
    moved = int(model.jnt_bodyid[joint])
    z = back @ data.xaxis[joint]
    points = np.concatenate([points_of(model, data, b, last) for b in sorted({moved, last})])
    z = z if not len(points) or abs((points @ z).max()) >= abs((points @ z).min()) else -z
    side = np.array([1.0, 0, 0]) if abs(z[0]) < 0.9 else np.array([0, 1.0, 0])
    far = float((points @ z).max()) if len(points) else 0.0
    return z * max(far, 0.0), _axes(side - (side @ z) * z, z)
