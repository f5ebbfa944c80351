"""A cabinet with two doors, on a stand: its parts, and where its handles go when a door swings."""

from __future__ import annotations

import math
from typing import Any

from coterie.motion.needs import mujoco
from coterie.worlds.tabletop.build import STEEL, Rgba, turned
from coterie.worlds.tabletop.job import TABLE_TOP, Pose, Quat, Xyz

HALF: Xyz = (0.35, 0.2, 0.3)  # across, deep, high; doors are at -y of its own frame
BOARD = 0.01  # half of a board's thickness
SHELF = 0.008  # height of the shelf's middle above that of the cabinet
PLINTH = -0.252  # height of the bottom's top, likewise
GAP = 0.003  # between door and frame
HANDLE = 0.06  # from a door's face to the middle of its handle
HANDLE_IN = 0.08  # from a door's free edge to its handle
WIDEST = 2.6  # [rad]
DAMPING = 15.0  # [Nm s/rad] what arms of their makers' torque swing at leisure
SIDES = {"left_door": -1.0, "right_door": 1.0}
OAK: Rgba = (0.66, 0.50, 0.34, 1.0)
PANEL: Rgba = (0.78, 0.63, 0.45, 1.0)


def handle_of(door: str) -> str:
    return f"{door}_handle"


def hinge_of(door: str) -> str:
    return f"{door}_hinge"


def add_cabinet(spec: Any, pose: Pose) -> None:
    """The box with its shelf; each door is a thing of its own, since it moves and may be in the way."""
    x, y, z = HALF
    body = spec.worldbody.add_body(name="cabinet", pos=list(pose.at), quat=turned(pose.yaw))
    for side in (-1, 1):
        _board(body, (side * (x - BOARD), 0, 0), (BOARD, y, z))
    _board(body, (0, y - BOARD, 0), (x, BOARD, z))
    _board(body, (0, 0, z - BOARD), (x, y, BOARD))
    _board(body, (0, 0.02, SHELF), (x, y - 0.02, BOARD))
    _board(body, (0, 0, (PLINTH - z) / 2), (x, y, (PLINTH + z) / 2))
    gap = pose.at[2] - z - TABLE_TOP
    _board(body, (0, 0.05, -z - gap / 2), (0.25, 0.12, gap / 2))  # the stand
    for door in SIDES:
        _door(spec, pose, door)


def _door(spec: Any, pose: Pose, door: str) -> None:
    """A door's frame is at its hinge: x points along the closed door to the other one."""
    mj = mujoco()
    side = SIDES[door]
    body = spec.worldbody.add_body(name=door, pos=list(_hinge(pose, door)), quat=turned(pose.yaw))
    low, high = (-WIDEST, 0.0) if side < 0 else (0.0, WIDEST)
    unit = 180 / math.pi if spec.compiler.degree else 1.0
    body.add_joint(
        name=hinge_of(door), type=mj.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1], range=[low * unit, high * unit],
        limited=mj.mjtLimited.mjLIMITED_TRUE, damping=DAMPING, armature=0.1,
    )  # fmt: skip
    wide = HALF[0] - GAP
    _board(body, (-side * wide / 2, 0, 0), (wide / 2 - GAP, BOARD, HALF[2] - GAP), PANEL, mass=1.0)
    grip = body.add_body(name=handle_of(door), pos=[-side * (wide - HANDLE_IN), -BOARD - HANDLE, 0])
    kind = mj.mjtGeom.mjGEOM_CAPSULE
    grip.add_geom(type=kind, fromto=[0, 0, -0.08, 0, 0, 0.08], size=[0.01, 0, 0], rgba=list(STEEL), mass=0.1)
    for end in (-0.08, 0.08):
        grip.add_geom(type=kind, fromto=[0, 0, end, 0, HANDLE, end], size=[0.007, 0, 0], rgba=list(STEEL), mass=0.02)
    spec.add_exclude(bodyname1="cabinet", bodyname2=door)
    if side > 0:
        spec.add_exclude(bodyname1="left_door", bodyname2=door)


def _hinge(pose: Pose, door: str) -> Xyz:
    return _placed(pose, (SIDES[door] * HALF[0], -HALF[1] - BOARD - GAP, 0.0))


def handle_at(pose: Pose, door: str, angle: float) -> Xyz:
    """Where a handle is when its hinge stands at an angle."""
    side = SIDES[door]
    x, y, z = _hinge(pose, door)
    arm = (-side * (HALF[0] - GAP - HANDLE_IN), -BOARD - HANDLE, 0.0)
    return _placed(Pose((x, y, z), pose.yaw + angle), arm)


def _placed(pose: Pose, p: Xyz) -> Xyz:
    c, s = math.cos(pose.yaw), math.sin(pose.yaw)
    x, y, z = pose.at
    return (x + c * p[0] - s * p[1], y + s * p[0] + c * p[1], z + p[2])


def _board(body: Any, at: Xyz, half: Xyz, rgba: Rgba = OAK, mass: float = 2.0) -> None:
    body.add_geom(type=mujoco().mjtGeom.mjGEOM_BOX, pos=list(at), size=list(half), rgba=list(rgba), mass=mass)


def facing(yaw: float, pitch: float, roll: float) -> Quat:
    """The tool points along `yaw`, looking down by `pitch`; fingers open sideways, turned by `roll`."""
    half = (yaw / 2, (math.pi / 2 + pitch) / 2, (math.pi / 2 + roll) / 2)
    (cz, cy, ct), (sz, sy, st) = ([f(a) for a in half] for f in (math.cos, math.sin))
    # yaw about z, then a quarter turn (and pitch) about y, then the turn about the tool itself
    w, x, y, z = cz * cy, -sz * sy, cz * sy, sz * cy
    return (w * ct - z * st, x * ct + y * st, y * ct - x * st, w * st + z * ct)


def away(yaw: float, pitch: float, far: float) -> Xyz:
    flat = far * math.cos(pitch)
    return (-flat * math.cos(yaw), -flat * math.sin(yaw), far * math.sin(pitch))
