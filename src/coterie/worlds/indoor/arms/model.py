"""An arm among boxes as a MuJoCo model: the stage on which a pick or a place is planned.

Every arm is a UR5e, made longer or shorter so that its reach becomes the one on the robot's card. Its maker says
0.85 m, to the wrist; with a hand that may come from any side it takes things up to 1.02 m from its shoulder.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import atan2, pi
from typing import Any, NamedTuple

import numpy as np

from coterie.core.card import Card
from coterie.motion import needs
from coterie.motion.arm import Arm, arms_of, home_all
from coterie.motion.bodies import BODIES, Mount, add_arm
from coterie.motion.bodies.parts import ARMS
from coterie.motion.collision import Checker
from coterie.motion.grid import Point
from coterie.worlds.indoor.arms.surroundings import Box

mujoco = needs.mujoco()

NAME, HELD, BASE = "the arm", "the held thing", "its own base"  # no names that furniture can have
UR5E_REACH_M = 1.02  # shoulder to thing; measured: more is out of reach, less is not
SEAT_M = 0.02  # the arm's foot reaches this far below its mount, as a share of its size
BALL_M = 0.02  # radius of a thing in the hand

SHOULDER_M = next(link for link in ARMS["ur5e"] if link["name"] == "shoulder")["pos"][2]  # above the base
HOME = BODIES["ur5e"].home
#: Where an arm waits: the tool over the floor ahead; folded; folded and turned aside or back, before tall furniture.
_FOLDED = (-pi / 2, -2.3, 2.1, -pi / 2 + 0.2, -pi / 2, 0.0)
RESTS = (HOME, *((_FOLDED[0] + turn, *_FOLDED[1:]) for turn in (0.0, pi / 2, -pi / 2, pi)), (pi / 2, *HOME[1:]))


class Seat(NamedTuple):
    """Where an arm is: its card, its place, the way it faces, and how high the ground below it is."""

    card: Card
    pose: Point
    yaw: float
    ground_m: float

    @property
    def scale(self) -> float:
        return self.card.reach_m / UR5E_REACH_M

    @property
    def mount_z(self) -> float:
        return max(self.card.shoulder_m - SHOULDER_M * self.scale, self.ground_m + SEAT_M * self.scale)


@dataclass
class Stage:
    """A compiled scene with one arm, at rest."""

    model: Any
    data: Any
    arm: Arm
    checker: Checker
    rest: np.ndarray | None  # None: there is no room for the arm even at rest


def facing(card: Card, pose: Point, spot: Iterable[float], table_m: float) -> Seat:
    """A robot turns towards what it handles; a fixed arm is bolted to its table."""
    x, y, *_ = spot
    return Seat(card, pose, atan2(y - pose[1], x - pose[0]), 0.0 if card.moves else table_m)


def build(seat: Seat, boxes: Iterable[Box], holds: bool) -> Stage:
    spec = mujoco.MjSpec()
    world = spec.worldbody
    world.add_geom(name="the floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[10, 10, 0.1])
    _add_boxes(world, boxes)
    if seat.card.moves:
        _add_base(world, seat)
    mount = Mount(NAME, "ur5e", (*seat.pose, seat.mount_z), yaw=seat.yaw, scale=seat.scale)
    add_arm(spec, mount)
    if holds:
        held = world.add_body(name=HELD)
        held.add_freejoint(name=HELD)
        held.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[BALL_M, 0, 0], mass=0.1)
    model = spec.compile()
    data = mujoco.MjData(model)
    arm = arms_of(model, [mount])[NAME]
    home_all(model, data, [arm])
    if holds:
        _close_hand(data, arm)
        mujoco.mj_forward(model, data)
    checker = Checker(model, data, [arm], held={NAME: HELD} if holds else None)
    rest = next((q for q in map(np.array, RESTS) if checker.free(q)), None)
    return Stage(model, data, arm, checker, rest)


def _add_boxes(world: Any, boxes: Iterable[Box]) -> None:
    bodies: dict[str, Any] = {}
    for box in boxes:
        low, high = np.array(box.low), np.array(box.high)
        body = bodies.get(box.of)
        if body is None:
            body = bodies[box.of] = world.add_body(name=box.of)
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, pos=(low + high) / 2, size=(high - low) / 2)


def _add_base(world: Any, seat: Seat) -> None:
    """The wheels and the column: as wide as the footprint on the floor, up to the foot of the arm."""
    high = seat.mount_z - SEAT_M * seat.scale
    if high > 0.02:
        radius = seat.card.footprint_m
        body = world.add_body(name=BASE, pos=(*seat.pose, high / 2))
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[radius, high / 2, 0])


def _close_hand(data: Any, arm: Arm) -> None:
    """Puts the held thing, the only one with a free joint, between the fingers."""
    data.qpos[arm.finger_qpos] = arm.finger_shut * 0.5
    free = np.setdiff1d(np.arange(len(data.qpos)), np.concatenate((arm.qpos, arm.finger_qpos)))
    data.qpos[free[:3]] = data.site_xpos[arm.site]
