"""Inverse kinematics: joint values that bring an end effector to a pose. Damped least squares with restarts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from coterie.motion import needs
from coterie.motion.arm import Arm, home_all
from coterie.motion.collision import stand_in

mujoco = needs.mujoco()

SLACK = 0.03  # [rad or m] kept from every limit
STEPS = 60  # of one descent; most arrive within 15
NEAR_POS, NEAR_ROT = 2e-4, 2e-3  # [m], [rad]: arrived
ROT_WEIGHT = 0.3  # [m/rad] in the measure of progress
PATIENCE = 8  # steps without progress before a descent is given up
STRIDE = 0.6  # [rad] longest step of a descent
AROUND = 0.5  # [rad] spread of the restarts around the start
TURN = 2 * np.pi
APART = 0.006  # [m] between links of an arm that waits


def solve(
    model: Any,
    data: Any,
    arm: Arm,
    pos: Sequence[float] | np.ndarray,
    quat: Sequence[float] | np.ndarray,
    *,
    start: np.ndarray | None = None,
    free_yaw: bool = False,
    rng: np.random.Generator,
    tries: int = 20,
    accept: Callable[[np.ndarray], bool] | None = None,
) -> np.ndarray | None:
    """Joint values with the end effector at `pos` and `quat` (wxyz), or None.

    `free_yaw` leaves the turn about the tool's own axis open. `accept` has the last word on a solution, e.g. whether it
    is free of collisions; a refused one leads to another try. `data` is scratch: its arm and poses are overwritten.
    """
    target = _Target(np.asarray(pos, float), quat, free_yaw)
    begin = np.array(data.qpos[arm.qpos]) if start is None else np.asarray(start, float)
    keep = np.array(data.qpos[arm.qpos])
    try:
        for first in _starts(arm, begin, rng, tries):
            q = _descend(model, data, arm, target, first)
            if q is None:
                continue
            q = _unwind(arm, q, begin)
            if accept is None or accept(q):
                return q
        return None
    finally:
        data.qpos[arm.qpos] = keep


def as_checked(model: Any) -> None:
    """Change a model so that links which are near each other touch, in the shapes in which arms are checked."""
    model.geom_margin[:] = APART
    stand_in(model, range(model.ngeom))


def untangled(
    model: Any, arm: Arm, pos: Sequence[float] | np.ndarray, quat: Sequence[float] | np.ndarray, start: np.ndarray,
    free_yaw: bool = True,
) -> np.ndarray | None:  # fmt: skip
    """Joint values of an arm that is alone in its model, its hand at a pose and no links near each other; or None."""
    data = mujoco.MjData(model)
    as_checked(model)
    home_all(model, data, [arm])

    def free(q: np.ndarray) -> bool:
        data.qpos[arm.qpos] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        return not data.ncon

    rng = np.random.default_rng(0)
    return solve(model, data, arm, pos, quat, start=start, free_yaw=free_yaw, rng=rng, accept=free)


class _Target:
    """The wanted pose and how far a site is from it."""

    def __init__(self, pos: np.ndarray, quat: Sequence[float] | np.ndarray, free_yaw: bool):
        self.pos = pos
        self.free_yaw = free_yaw
        flat, unit = np.empty(9), np.asarray(quat, float)
        mujoco.mju_quat2Mat(flat, unit / np.linalg.norm(unit))
        self.rot = flat.reshape(3, 3)

    def error(self, at: np.ndarray, rot: np.ndarray) -> np.ndarray:
        """Translation, then rotation vector in the world frame that is still missing."""
        missing = self.pos - at
        if self.free_yaw:
            return np.concatenate((missing, _between(rot[:, 2], self.rot[:, 2])))
        return np.concatenate((missing, _rotvec(self.rot @ rot.T)))


def _between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The shortest rotation vector that takes direction `a` to `b`."""
    cross = np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
    sin, cos = float(np.sqrt(cross @ cross)), float(a @ b)
    if sin < 1e-9:
        if cos > 0:
            return cross
        side = np.array([1.0, 0, 0]) if abs(a[0]) < 0.9 else np.array([0, 1.0, 0])
        axis = np.cross(a, side)
        return axis * (np.pi / np.linalg.norm(axis))
    return cross * (np.arctan2(sin, cos) / sin)


def _rotvec(rot: np.ndarray) -> np.ndarray:
    quat, out = np.empty(4), np.empty(3)
    mujoco.mju_mat2Quat(quat, rot.ravel())
    mujoco.mju_quat2Vel(out, quat, 1.0)
    return out


def _starts(arm: Arm, begin: np.ndarray, rng: np.random.Generator, tries: int) -> Iterator[np.ndarray]:
    """Where descents begin: here, at home, then in turn around here and anywhere."""
    lo, hi = arm.lo + SLACK, arm.hi - SLACK
    yield np.clip(begin, lo, hi)
    if tries > 1:
        yield np.clip(arm.home, lo, hi)
    # Arms that turn twice over repeat themselves: half the range, around home, has every posture.
    low, high = np.maximum(lo, arm.home - np.pi), np.minimum(hi, arm.home + np.pi)
    for i in range(2, tries):
        anywhere = rng.uniform(low, high)
        if i % 2 == 0:
            around = begin + rng.uniform(-AROUND, AROUND, arm.n)
            around[-1] = anywhere[-1]  # the wrist's roll runs into its limit first, and the rest need not move for it
            yield np.clip(around, lo, hi)
        else:
            yield anywhere


def _descend(model: Any, data: Any, arm: Arm, target: _Target, first: np.ndarray) -> np.ndarray | None:
    """Damped least squares from one start; None when it stalls."""
    lo, hi = arm.lo + SLACK, arm.hi - SLACK
    q = first.copy()
    jac_all = np.zeros((6, model.nv))
    joints, dofs = _span(arm.qpos), _span(arm.dof)
    eye = np.eye(6)
    best, stale = np.inf, 0
    at, rot = data.site_xpos[arm.site], data.site_xmat[arm.site].reshape(3, 3)  # views: they follow the state
    for _ in range(STEPS):
        data.qpos[joints] = q
        mujoco.mj_kinematics(model, data)
        error = target.error(at, rot)
        e_pos = math.sqrt(error[:3] @ error[:3])
        e_rot = math.sqrt(error[3:] @ error[3:])
        if e_pos < NEAR_POS and e_rot < NEAR_ROT:
            return q
        size = e_pos + ROT_WEIGHT * e_rot
        stale = 0 if size < 0.9 * best else stale + 1
        best = min(best, size)
        if stale > PATIENCE:
            return None
        mujoco.mj_comPos(model, data)
        mujoco.mj_jacSite(model, data, jac_all[:3], jac_all[3:], arm.site)
        jac = jac_all[:, dofs]
        if target.free_yaw:
            jac = jac.copy()
            jac[3:] -= np.outer(rot[:, 2], rot[:, 2] @ jac[3:])
        q = _step(jac, error, eye * (1e-6 + 0.1 * min(size, 0.1) ** 2), q, lo, hi)
    return None


def _step(
    jac: np.ndarray, error: np.ndarray, damping: np.ndarray, q: np.ndarray, lo: np.ndarray, hi: np.ndarray
) -> np.ndarray:
    """One step within the limits. Joints that push against a limit are taken out, and the others do their work."""
    step = _least_squares(jac, error, damping)
    there = q + step
    within = np.minimum(np.maximum(there, lo), hi)
    if (within != there).any():
        stuck = ((q <= lo) & (step < 0)) | ((q >= hi) & (step > 0))
        step = _least_squares(jac * ~stuck, error, damping)
    longest = max(float(step.max()), -float(step.min()))
    if longest > STRIDE:
        step *= STRIDE / longest
    return np.minimum(np.maximum(q + step, lo), hi)


def _least_squares(jac: np.ndarray, error: np.ndarray, damping: np.ndarray) -> np.ndarray:
    square = np.dot(jac, jac.T)
    square += damping
    pull = np.empty(len(error))
    mujoco.mju_cholFactor(square, 1e-12)  # three times quicker than numpy's at this size
    mujoco.mju_cholSolve(pull, square, error)
    return np.dot(pull, jac)


def _span(addresses: np.ndarray) -> slice:
    """The joints of one arm lie side by side: a slice is quicker than a list of addresses."""
    return slice(int(addresses[0]), int(addresses[-1]) + 1)


def _unwind(arm: Arm, q: np.ndarray, near: np.ndarray) -> np.ndarray:
    """The same posture with full turns taken out, as near as possible to where the arm is."""
    lo, hi = arm.lo + SLACK, arm.hi - SLACK
    out = q.copy()
    for i in np.flatnonzero(~arm.slides & (hi - lo > TURN)):
        options = q[i] + TURN * np.arange(-2, 3)
        options = options[(options >= lo[i]) & (options <= hi[i])]
        out[i] = options[np.argmin(np.abs(options - near[i]))]
    return out
