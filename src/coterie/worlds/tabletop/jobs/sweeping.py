"""The tools of Sweep Floor: a dustpan and a broom fixed to hands, and a bin sunk into the table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from coterie.motion.needs import mujoco
from coterie.worlds.tabletop.build import STEEL, Rgba
from coterie.worlds.tabletop.job import Quat, Xyz

HANDLE = 0.175  # from the hand to the middle of the tray
RIM = 0.1  # from there to the rim
TRAY = (0.125, 0.12)  # half
WALL = 0.05  # height
LIP = 0.04  # the front of the floor slopes down to the table
FLOOR = 0.008  # height of the floor's top above the table
SLICK = {"priority": 2, "friction": [0.4, 0.005, 0.0005], "solref": [0.01, 1.0]}  # cubes slide out when it is tilted

STICK = 0.5
BRUSH = (0.08, 0.07, 0.032)  # half: along the stick, across, along the push
BRUSH_END = 0.445  # from the hand to the end of the brush

BLUE: Rgba = (0.30, 0.45, 0.62, 1.0)
STRAW: Rgba = (0.82, 0.66, 0.36, 1.0)


def add_dustpan(spec: Any, robot: str) -> None:
    """Seen from the hand: y is ahead, z is down. The tray's middle, at the height of the table, is the origin."""
    mj = mujoco()
    pan = _in_hand(spec, robot, "dustpan", (0.0, HANDLE, 0.08))
    x, y = TRAY
    thin = 0.0025
    flat = y - LIP / 2  # half length of the level part
    _plate(pan, (0.0, -LIP / 2, thin - FLOOR), (x, flat, thin), BLUE)
    for side in (-x, x):
        _plate(pan, (side, -LIP / 4, -WALL / 2 - 0.004), (0.003, y - LIP / 4, WALL / 2), BLUE)
    _plate(pan, (0.0, -y, -WALL / 2 - 0.004), (x, 0.003, WALL / 2), BLUE)
    corners = [(y - LIP, -FLOOR), (y - LIP, -0.002), (y, 0.0005)]  # the lip reaches the table
    vertices = [v for side in (-x, x) for ahead, down in corners for v in (side, ahead, down)]
    spec.add_mesh(name="dustpan/lip", uservert=vertices)
    only_cubes = {"contype": 2, "conaffinity": 2}
    mesh = mj.mjtGeom.mjGEOM_MESH
    pan.add_geom(type=mesh, meshname="dustpan/lip", rgba=list(BLUE), mass=0.02, **only_cubes, **SLICK)
    grip = [0.0, -HANDLE, -0.08, 0.0, -y, -WALL]
    bar = {"type": mj.mjtGeom.mjGEOM_CAPSULE, "fromto": grip, "size": [0.012, 0, 0]}
    pan.add_geom(rgba=list(BLUE), mass=0.05, contype=0, conaffinity=0, **bar)
    pan.add_site(name="dustpan/rim", pos=[0.0, RIM, 0.0], size=[0.005, 0.005, 0.005], group=4)
    _apart(spec, robot, "dustpan")


def in_pan(at: Any) -> bool:
    """True if a point in the pan's frame is over its level floor, between its walls."""
    x, y = TRAY
    return bool(abs(at[0]) < x and -y < at[1] < y - LIP and -WALL - 0.1 < at[2] < 0.0)


def add_broom(spec: Any, robot: str) -> None:
    """Seen from the hand: z is ahead, -y is down, and so is x of the broom."""
    mj = mujoco()
    broom = _in_hand(spec, robot, "broom", (0.0, 0.0, 0.0), (0.5**0.5, 0.0, 0.0, -(0.5**0.5)))
    low = BRUSH_END - 2 * BRUSH[0]
    broom.add_geom(
        type=mj.mjtGeom.mjGEOM_CAPSULE, fromto=[low + 0.05 - STICK, 0, 0, low + 0.05, 0, 0], size=[0.012, 0, 0],
        rgba=list(STEEL), mass=0.1,
    )  # fmt: skip
    _plate(broom, (BRUSH_END - BRUSH[0], 0.0, 0.0), BRUSH, STRAW, friction=[0.5, 0.005, 0.0005])
    _apart(spec, robot, "broom")


def add_bin(spec: Any, at: Xyz) -> None:
    """A bottom and four walls that lean outwards, so that what falls in slides to the middle."""
    bin_ = spec.worldbody.add_body(name="trash_bin", pos=list(at))
    _plate(bin_, (0.0, 0.0, 0.0), (0.12, 0.18, 0.04), STEEL)
    low, high = (0.10, 0.15, 0.04), (0.17, 0.23, 0.15)  # inside: half x, half y, height
    lean = [math.atan2(high[i] - low[i], high[2] - low[2]) for i in (0, 1)]
    rise = (low[2] + high[2]) / 2
    for sign in (-1.0, 1.0):
        middle = [(low[i] + high[i]) / 2 for i in (0, 1)]
        tall = [(high[2] - low[2]) / 2 / math.cos(a) for a in lean]
        turn = sign * lean[0] / 2
        _plate(bin_, (sign * middle[0], 0.0, rise), (0.004, high[1], tall[0]), STEEL,
               quat=[math.cos(turn), 0.0, math.sin(turn), 0.0])  # fmt: skip
        turn = -sign * lean[1] / 2
        _plate(bin_, (0.0, sign * middle[1], rise), (high[0], 0.004, tall[1]), STEEL,
               quat=[math.cos(turn), math.sin(turn), 0.0, 0.0])  # fmt: skip


def _in_hand(spec: Any, robot: str, name: str, at: Xyz, quat: Quat = (1.0, 0.0, 0.0, 0.0)) -> Any:
    """A body fixed to a hand, by its place seen from the hand's point of aim: x where fingers open, z out of it."""
    mj, site = mujoco(), spec.site(f"{robot}/ee")
    pos, turn, frame = np.zeros(3), np.zeros(4), np.array(site.quat)
    mj.mju_mulPose(pos, turn, np.array(site.pos), frame / np.linalg.norm(frame), np.array(at), np.array(quat))
    hand = spec.body(f"{robot}/hand")
    return hand.add_body(name=name, pos=pos.round(9).tolist(), quat=turn.round(9).tolist(), gravcomp=1)


def _plate(body: Any, at: Xyz, half: Xyz, rgba: Rgba, **more: Any) -> None:
    kind = mujoco().mjtGeom.mjGEOM_BOX
    body.add_geom(type=kind, pos=list(at), size=list(half), rgba=list(rgba), mass=0.05, **{**SLICK, **more})


def _apart(spec: Any, robot: str, tool: str) -> None:
    """Fingers hold a tool all the time; that is no collision."""
    for finger in [b.name for b in spec.bodies if b.name.startswith(f"{robot}/finger")]:
        spec.add_exclude(bodyname1=finger, bodyname2=tool)
