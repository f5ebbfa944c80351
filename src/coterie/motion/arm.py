"""One arm of a model: which numbers of a MuJoCo state are its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.motion import needs
from coterie.motion.bodies import Mount, Tool, home_of, tool_of
from coterie.motion.bodies.card import SUFFIX, load

mujoco = needs.mujoco()


@dataclass(frozen=True, eq=False)
class Arm:
    """Addresses and limits of the planned joints of one robot, in order from the base to the hand."""

    name: str
    body: str
    qpos: np.ndarray  # (n,) addresses in data.qpos
    dof: np.ndarray  # (n,) addresses in data.qvel
    act: np.ndarray  # (n,) servos, addresses in data.ctrl
    joints: np.ndarray  # (n,) joint ids
    lo: np.ndarray  # (n,) [m] for a slide, [rad]
    hi: np.ndarray
    home: np.ndarray
    slides: np.ndarray  # (n,) True where the joint is a rail
    site: int  # the end effector: z out of the tool
    hand: int  # body id
    bodies: frozenset[int]
    fingers: np.ndarray  # servos of the fingers, addresses in data.ctrl
    finger_qpos: np.ndarray
    finger_open: np.ndarray  # value of each finger when open, and when closed
    finger_shut: np.ndarray
    sides: tuple[tuple[int, ...], ...]  # bodies that close on a thing from either side; a cup or a palm has one
    tool: Tool
    speed: np.ndarray  # (n,) [rad/s or m/s] of the maker; inf where nobody said

    @property
    def n(self) -> int:
        return len(self.qpos)

    def grip(self, data: Any, closed: float) -> None:
        """Tells the fingers to go to a share of closed: 0 open, 1 shut. Bodies without fingers ignore it."""
        data.ctrl[self.fingers] = self.finger_at(closed)

    def finger_at(self, closed: float) -> np.ndarray:
        """(fingers,) joint values at a share of closed."""
        return self.finger_open + closed * (self.finger_shut - self.finger_open)

    def put(self, data: Any, q: np.ndarray) -> None:
        """Sets joints and servo targets alike, so that physics starts at rest there."""
        data.qpos[self.qpos] = q
        data.qvel[self.dof] = 0.0
        data.ctrl[self.act] = q

    def pose(self, data: Any) -> tuple[np.ndarray, np.ndarray]:
        """Position and quaternion (wxyz) of the end effector, of the last forward pass."""
        quat = np.empty(4)
        mujoco.mju_mat2Quat(quat, data.site_xmat[self.site])
        return np.array(data.site_xpos[self.site]), quat


def arms_of(model: Any, mounts: Iterable[Mount]) -> dict[str, Arm]:
    return {m.name: _arm(model, m) for m in mounts}


def home_all(model: Any, data: Any, arms: Iterable[Arm]) -> None:
    """Puts every arm at home with open fingers and brings the poses of `data` up to date."""
    for arm in arms:
        arm.put(data, arm.home)
        data.qpos[arm.finger_qpos] = arm.finger_open
        arm.grip(data, 0.0)
    mujoco.mj_forward(model, data)


def _arm(model: Any, mount: Mount) -> Arm:
    base = _id(model, mujoco.mjtObj.mjOBJ_BODY, f"{mount.name}/base")
    bodies = [b for b in range(model.nbody) if _under(model, b, base)]
    mine = [j for j in range(model.njnt) if int(model.jnt_bodyid[j]) in bodies]
    # Things the hand carries from the start may be part of its tree; only named joints are the robot's own.
    own = [j for j in mine if model.joint(j).name.startswith(f"{mount.name}/")]
    fingers = [j for j in own if "/finger" in model.joint(j).name]
    planned = [j for j in own if j not in fingers]
    ranges = model.jnt_range[planned]
    hand = _id(model, mujoco.mjtObj.mjOBJ_BODY, f"{mount.name}/hand")
    card = load(mount.body) if mount.body.endswith(SUFFIX) else None
    opened, shut = np.zeros(len(fingers)), np.array(model.jnt_range[fingers, 1])
    sides = [[int(model.jnt_bodyid[j])] for j in fingers] or [[hand]]
    speed = np.full(len(planned), np.inf)
    if card is not None:
        speed[-len(card.joints) :] = [j.speed for j in card.joints]
        if card.fingers:
            opened, shut = (np.array([getattr(f, end) for f in card.fingers]) for end in ("open", "shut"))
            sides = [[_id(model, mujoco.mjtObj.mjOBJ_BODY, f"{mount.name}/{n}") for n in s] for s in card.sides]
    return Arm(
        name=mount.name,
        body=mount.body,
        qpos=np.array(model.jnt_qposadr[planned], dtype=int),
        dof=np.array(model.jnt_dofadr[planned], dtype=int),
        act=_servos(model, planned),
        joints=np.array(planned, dtype=int),
        lo=np.array(ranges[:, 0]),
        hi=np.array(ranges[:, 1]),
        home=np.array(home_of(mount)),
        slides=np.array([int(model.jnt_type[j]) == int(mujoco.mjtJoint.mjJNT_SLIDE) for j in planned]),
        site=_id(model, mujoco.mjtObj.mjOBJ_SITE, f"{mount.name}/ee"),
        hand=hand,
        bodies=frozenset(bodies),
        fingers=_servos(model, fingers),
        finger_qpos=np.array(model.jnt_qposadr[fingers], dtype=int),
        finger_open=opened,
        finger_shut=shut,
        sides=tuple(tuple(s) for s in sides),
        tool=tool_of(mount.body),
        speed=speed,
    )


def _under(model: Any, body: int, root: int) -> bool:
    while body:
        if body == root:
            return True
        body = int(model.body_parentid[body])
    return False


def _servos(model: Any, joints: list[int]) -> np.ndarray:
    ids = [_id(model, mujoco.mjtObj.mjOBJ_ACTUATOR, model.joint(j).name) for j in joints]
    return np.array(ids, dtype=int)


def _id(model: Any, kind: Any, name: str) -> int:
    found = int(mujoco.mj_name2id(model, int(kind), name))
    if found < 0:
        raise CoterieError(f"The model has no '{name}'. Was the arm added with add_arm() under that name?")
    return found
