"""The state of a table: where things and hands are, what is held, what touches what."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.wire import carry
from coterie.motion.arm import Arm, arms_of, home_all
from coterie.motion.needs import mujoco
from coterie.motion.spare import Spare
from coterie.worlds.tabletop.build import model_of, weld_name
from coterie.worlds.tabletop.job import DOWN, PINCHED, TABLE_TOP, Job, Layout, Pose, Quat, Xyz, down

DEPTH_M, FREE_M = 0.03, 0.01  # [m] fingers reach so far down beside a thing, and stay so far above what it lies on
TOUCH_M = -0.001  # a cup or a palm presses on a thing by so much
LAID_M = 0.002  # above the table, where a thing is laid down
CONTACT_M = 0.002  # closer than this counts as touching
KEPT = 8  # scenes whose first state is kept
_settled: dict[str, dict[str, Any]] = {}


class Diverged(Exception):
    """The physics ran away; the words say what was seen."""


class Table:
    """Model and data of one scene, read and changed in the words of the task."""

    def __init__(self, job: Job, layout: Layout, at_rest: bool = True):
        self.job, self.layout = job, layout
        self.mj = mujoco()
        self.model, self.mjcf = model_of(job, layout)
        self.data = self.mj.MjData(self.model)
        self.spare = Spare(self.model)
        self.arms: dict[str, Arm] = arms_of(self.model, job.mounts)
        self.held: dict[str, str] = {}  # robot -> thing
        self.more: dict[str, Any] = {}  # what a job has to remember
        self._body = {self.model.body(i).name: i for i in range(self.model.nbody)}
        self._site = {self.model.site(i).name: i for i in range(self.model.nsite)}
        self._root = self._roots()
        kinds = self.mj.mjtWarning
        self._alarms = [int(k) for k in (kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC)]
        self._weld = {self.model.eq(i).name: i for i in range(self.model.neq)}
        if at_rest:
            self._begin()
        else:  # as it was drawn, for who looks at postures only
            home_all(self.model, self.data, self.arms.values())
            self.mj.mj_forward(self.model, self.data)

    def _begin(self) -> None:
        """Arms at home, things at rest. Methods play the same scenes: one that has settled is kept for a while."""
        name = f"{type(self.job).__module__}.{self.job.name}|{self.mjcf}|{json.dumps(self.layout.to_json())}"
        if name in _settled:
            self.load(_settled[name])
            return
        home_all(self.model, self.data, self.arms.values())
        self.job.prepare(self)
        self.step(self.job.settle_steps)
        state = self.save()
        self.load(state)  # so that the first to come finds the very same state as those after it
        _settled[name] = state
        while len(_settled) > KEPT:
            del _settled[next(iter(_settled))]

    def _roots(self) -> list[str]:
        """Each body's part of the scene: the robot, or the thing or furniture it belongs to."""
        names = []
        for i in range(self.model.nbody):
            root = int(self.model.body_rootid[i])
            name = self.model.body(i).name
            owner = name.split("/")[0] if "/" in name else self.model.body(root).name
            names.append(owner.split("/")[0] or "world")
        return names

    # -- reading --------------------------------------------------------------------------------------------------
    def body(self, name: str) -> int:
        if name not in self._body:
            raise CoterieError(f"There is no '{name}' on this table.")
        return self._body[name]

    def pos(self, name: str) -> Xyz:
        x, y, z = self.data.xpos[self.body(name)]
        return (float(x), float(y), float(z))

    def yaw(self, name: str) -> float:
        m = self.data.xmat[self.body(name)]
        return math.atan2(m[3], m[0])

    def site(self, name: str) -> Xyz:
        x, y, z = self.data.site_xpos[self._site[name]]
        return (float(x), float(y), float(z))

    def ee(self, robot: str) -> Xyz:
        """Where a hand is: as reported, or as its joints are."""
        if f"{robot}/hand" in self.more:
            return self.more[f"{robot}/hand"]
        x, y, z = self.data.site_xpos[self.arms[robot].site]
        return (float(x), float(y), float(z))

    def joint(self, name: str) -> float:
        return float(self.data.joint(name).qpos[0])

    def holder(self, thing: str) -> str:
        return next((r for r, t in self.held.items() if t == thing), "")

    def carried(self, thing: str) -> bool:
        """Does a hand that holds this carry it, as it does a cube, and not a door by its handle?"""
        joint = int(self.model.body_jntadr[self.body(thing)])
        return joint >= 0 and int(self.model.jnt_type[joint]) == int(self.mj.mjtJoint.mjJNT_FREE)

    def single(self, thing: str) -> bool:
        """Is it one loose piece, with nothing hanging from it?"""
        body = self.body(thing)
        return self.carried(thing) and not bool(np.any(self.model.body_parentid == body))

    def half(self, thing: str) -> tuple[float, float, float]:
        """Half the sizes of a thing in its own frame, as a box around all of it; 0 for one without a shape."""
        known = self.job.half(thing)
        if known is not None:
            return known
        body, most = self.body(thing), np.zeros(3)
        for g in np.flatnonzero(self.model.geom_bodyid == body):
            centre, half = self.model.geom_aabb[g][:3], self.model.geom_aabb[g][3:]
            most = np.maximum(most, np.abs(self.model.geom_pos[g] + centre) + half)
        x, y, z = (round(float(v), 4) for v in most)
        return (x, y, z)

    def over(self, robot: str, thing: str) -> float:
        """How far above the middle of a thing a hand's point of aim is when it takes it from above: fingers reach down
        beside it, a cup or a palm touches its top."""
        tool, half = self.arms[robot].tool, self.half(thing)[2]
        if not tool.opening:
            return half + tool.tip + TOUCH_M
        return half + tool.tip - min(DEPTH_M, 2 * half - FREE_M)

    def turns(self, robot: str, thing: str) -> tuple[tuple[Quat, ...], bool]:
        """How a hand may be turned to take a thing from above, and whether any turn will do: fingers close across its
        narrow sides, those first for which the hand turns least."""
        fold, first = self.job.sides(thing)
        if not fold or not self.arms[robot].tool.opening:
            return (DOWN,), True
        x, y = self.data.site_xmat[self.arms[robot].site].reshape(3, 3)[:2, 0]
        now = math.atan2(y, x)
        yaws = [self.yaw(thing) + first + 2 * math.pi * k / fold for k in range(fold)]
        return tuple(down(a) for a in sorted(yaws, key=lambda a: abs(math.remainder(a - now, 2 * math.pi)))), False

    def touches(self, data: Any = None) -> set[frozenset[str]]:
        """The pairs of things, furniture and robots that touch now, or in another state of the scene."""
        data = self.data if data is None else data
        found: set[frozenset[str]] = set()
        con = data.contact
        for k in range(data.ncon):
            if con.dist[k] < CONTACT_M:
                a, b = self.model.geom_bodyid[con.geom[k]]
                found.add(frozenset((self._root[a], self._root[b])))
        return found

    def touch(self, a: str, b: str) -> bool:
        return frozenset((a, b)) in self.touches()

    # -- changing -------------------------------------------------------------------------------------------------
    def step(self, n: int = 1) -> None:
        """Physics goes on; a world that flies apart is noticed at once."""
        self.mj.mj_step(self.model, self.data, nstep=n)
        warned = self.data.warning
        bad = any(int(warned[kind].number) for kind in self._alarms)
        if bad or not np.isfinite(self.data.qpos).all():
            raise Diverged("the physics diverged: a joint or a thing left all bounds")

    def by_friction(self, robot: str, thing: str) -> bool:
        """Do fingers alone hold it? Cups, palms, handles and ropes are welded."""
        return bool(len(self.arms[robot].fingers)) and self.job.grip_kind(thing) == "weld" and not self.job.welded

    def grasp(self, robot: str, thing: str) -> None:
        """Hold a thing as it now lies in the hand."""
        self.arms[robot].grip(self.data, 1.0)
        self.held[robot] = thing
        if self.by_friction(robot, thing):
            return
        eq = self._weld[weld_name(robot, thing)]
        hand, body = self.model.eq_obj1id[eq], self.model.eq_obj2id[eq]
        pos, quat = relative(self.mj, self.data, int(hand), int(body))
        self.model.eq_data[eq][0:3] = 0.0
        self.model.eq_data[eq][3:6] = pos
        self.model.eq_data[eq][6:10] = quat
        self.model.eq_data[eq][10] = 0.0 if self.job.grip_kind(thing) == "ball" else 1.0  # share of torque
        self.data.eq_active[eq] = 1

    def take(self, robot: str, thing: str) -> None:
        """Hold a thing wherever it was: it is in the hand now."""
        self.set_down(thing, self.ee(robot))
        self.grasp(robot, thing)

    def release(self, robot: str) -> None:
        thing = self.held.pop(robot, "")
        if thing:
            self.data.eq_active[self._weld[weld_name(robot, thing)]] = 0
        if not thing or self.job.sides(thing) is not PINCHED:
            self.arms[robot].grip(self.data, 0.0)

    def put(self, thing: str, pose: Pose) -> None:
        """Let a loose thing lie elsewhere, as after a nudge."""
        joint = int(self.model.body_jntadr[self.body(thing)])
        at, dof = int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])
        self.data.qpos[at : at + 2] = pose.at[:2]
        self.data.qvel[dof : dof + 6] = 0.0
        self.mj.mj_forward(self.model, self.data)

    def lay(self, thing: str, spot: tuple[float, float]) -> None:
        """Let a thing that was in a hand lie level on the table."""
        self.set_down(thing, (*spot, TABLE_TOP + self.half(thing)[2] + LAID_M))

    def set_down(self, thing: str, spot: Xyz) -> None:
        """Let a loose thing be level at a point."""
        joint = int(self.model.body_jntadr[self.body(thing)])
        at, dof = int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])
        turn = self.yaw(thing) / 2
        self.data.qpos[at : at + 3] = spot
        self.data.qpos[at + 3 : at + 7] = (math.cos(turn), 0.0, 0.0, math.sin(turn))
        self.data.qvel[dof : dof + 6] = 0.0
        self.mj.mj_forward(self.model, self.data)

    # -- keeping --------------------------------------------------------------------------------------------------
    def save(self) -> dict[str, Any]:
        kind = self.mj.mjtState.mjSTATE_INTEGRATION
        state = np.zeros(self.mj.mj_stateSize(self.model, int(kind)))
        self.mj.mj_getState(self.model, self.data, state, int(kind))
        return {"state": state, "welds": self.model.eq_data.copy(), "held": dict(self.held), "more": dict(self.more)}

    def load(self, saved: Mapping[str, Any]) -> None:
        kind = self.mj.mjtState.mjSTATE_INTEGRATION
        self.mj.mj_resetData(self.model, self.data)
        self.model.eq_data[:] = saved["welds"]
        self.mj.mj_setState(self.model, self.data, saved["state"], int(kind))
        self.mj.mj_forward(self.model, self.data)
        self.held, self.more = dict(saved["held"]), dict(saved["more"])


def _give(array: np.ndarray) -> list[Any]:
    return [str(array.dtype), list(array.shape), base64.b64encode(array.tobytes()).decode("ascii")]


def _take(data: list[Any]) -> np.ndarray:
    kind, shape, values = data
    if kind not in ("float64", "float32", "int64", "int32", "uint8", "bool"):
        raise ValueError(f"an array of {kind}")
    return np.frombuffer(base64.b64decode(values), dtype=kind).reshape(shape).copy()


carry(np.ndarray, "array", _give, _take)


def relative(mj: Any, data: Any, a: int, b: int) -> tuple[np.ndarray, np.ndarray]:
    """The pose of body `b` in the frame of body `a`."""
    inverse, turn, offset = np.zeros(4), np.zeros(4), np.zeros(3)
    mj.mju_negQuat(inverse, data.xquat[a])
    mj.mju_rotVecQuat(offset, data.xpos[b] - data.xpos[a], inverse)
    mj.mju_mulQuat(turn, inverse, data.xquat[b])
    return offset, turn
