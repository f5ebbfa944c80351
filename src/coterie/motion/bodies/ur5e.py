"""Universal Robots UR5e, with a two-finger gripper like the Robotiq 2F-85 or with a suction cup."""

from __future__ import annotations

from math import pi
from typing import Any

from coterie.motion.bodies.parts import BLUE, DARK, Kit

# Denavit-Hartenberg lengths of the maker [m]
D1, A2, A3, D4, D5, D6 = 0.1625, 0.425, 0.3922, 0.1333, 0.0997, 0.0996
SHOULDER_Y, ELBOW_Y = 0.138, -0.131  # how D4 is spread over the links; only the sum is kinematics
HOME = (-pi / 2, -pi / 2, pi / 2, -pi / 2, -pi / 2, 0.0)
LARGE, SMALL = 150, 28  # [Nm] of the maker: the first three joints, and the wrist
FULL = (-2 * pi, 2 * pi)
ELBOW = (-pi, 2.14)
Y = (0, 1, 0)


def two_finger(kit: Kit, base: Any) -> None:
    fingers(kit, _links(kit, base))


def fingers(kit: Kit, hand: Any) -> None:
    """A gripper like the Robotiq 2F-85, on any hand whose z axis leaves the flange."""
    kit.box(hand, (0, 0, 0.03), (0.045, 0.032, 0.03), 0.6)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        finger = kit.body(hand, f"finger_{side}", (0, 0, 0.062))
        kit.slide(finger, f"finger_{side}", (-sign, 0, 0), (0.0, 0.042), kp=400, force=20, armature=0.05)
        kit.box(finger, (sign * 0.05, 0, 0.038), (0.008, 0.012, 0.042), 0.05, friction=(1.5, 0.02, 0.0005))
    kit.exclude(("finger_left", "finger_right"))
    kit.ee(hand, (0, 0, 0.13))


def suction(kit: Kit, base: Any) -> None:
    cup(kit, _links(kit, base))


def cup(kit: Kit, hand: Any) -> None:
    """A suction cup, on any hand whose z axis leaves the flange."""
    kit.capsule(hand, (0, 0, 0.03), (0, 0, 0.045), 0.035, 0.5, DARK)
    kit.capsule(hand, (0, 0, 0.09), (0, 0, 0.12), 0.018, 0.1, DARK)
    kit.ee(hand, (0, 0, 0.134))


def _links(kit: Kit, base: Any) -> Any:
    """Up to the flange; returns the hand, whose z axis leaves the flange."""
    kit.capsule(base, (0, 0, 0.06), (0, 0, 0.08), 0.072, 4.0, DARK)
    # The quarter turn makes home hold the tool out along the base's x axis.
    shoulder = kit.body(base, "shoulder", (0, 0, D1), (1, 0, 0, 1))
    kit.hinge(shoulder, "j1", (0, 0, 1), FULL, kp=20_000, force=LARGE)
    kit.capsule(shoulder, (0, 0, 0), (0, 0.07, 0), 0.06, 3.7, BLUE)
    upper = kit.body(shoulder, "upper_arm", (0, SHOULDER_Y, 0), (1, 0, 1, 0))
    kit.hinge(upper, "j2", Y, FULL, kp=20_000, force=LARGE)
    kit.capsule(upper, (0, 0, 0), (0, 0, A2), 0.056, 5.0)
    kit.capsule(upper, (0, 0, A2), (0, ELBOW_Y, A2), 0.05, 1.5, BLUE)
    forearm = kit.body(upper, "forearm", (0, ELBOW_Y, A2))
    kit.hinge(forearm, "j3", Y, ELBOW, kp=16_000, force=LARGE)
    kit.capsule(forearm, (0, 0, 0), (0, 0, A3), 0.048, 2.3)
    wrist1 = kit.body(forearm, "wrist1", (0, 0, A3), (1, 0, 1, 0))
    kit.hinge(wrist1, "j4", Y, FULL, kp=6_000, force=SMALL)
    offset = D4 - SHOULDER_Y - ELBOW_Y
    kit.capsule(wrist1, (0, 0.03, 0), (0, offset, 0), 0.042, 1.2, BLUE)
    wrist2 = kit.body(wrist1, "wrist2", (0, offset, 0))
    kit.hinge(wrist2, "j5", (0, 0, 1), FULL, kp=6_000, force=SMALL)
    kit.capsule(wrist2, (0, 0, 0.0), (0, 0, D5), 0.042, 1.2)
    wrist3 = kit.body(wrist2, "wrist3", (0, 0, D5))
    kit.hinge(wrist3, "j6", Y, FULL, kp=4_000, force=SMALL)
    kit.capsule(wrist3, (0, 0.04, 0), (0, D6 - 0.035, 0), 0.037, 0.3, BLUE)
    kit.exclude(
        ("base", "shoulder"), ("base", "upper_arm"), ("wrist1", "wrist3"), ("wrist1", "hand"), ("wrist2", "hand")
    )
    return kit.body(wrist3, "hand", (0, D6, 0), (-1, 1, 0, 0))
