"""Franka Emika Panda with its hand."""

from __future__ import annotations

from math import pi
from typing import Any

from coterie.motion.bodies.parts import DARK, WHITE, Kit

HOME = (0.0, 0.0, 0.0, -pi / 2, 0.0, pi / 2, -pi / 4)
LARGE, SMALL = 87, 12  # [Nm] of the maker: the first four joints, and the last three
WIDE = (-2.8973, 2.8973)
Z = (0, 0, 1)


def build(kit: Kit, base: Any) -> None:
    kit.capsule(base, (-0.05, 0, 0.06), (0, 0, 0.06), 0.065, 2.9, WHITE)
    link1 = kit.body(base, "link1", (0, 0, 0.333))
    kit.hinge(link1, "j1", Z, WIDE, kp=20_000, force=LARGE)
    kit.capsule(link1, (0, 0, -0.18), (0, 0, -0.04), 0.065, 3.0, WHITE)
    link2 = kit.body(link1, "link2", quat=(1, -1, 0, 0))
    kit.hinge(link2, "j2", Z, (-1.7628, 1.7628), kp=20_000, force=LARGE)
    kit.capsule(link2, (0, 0, -0.06), (0, 0, 0.06), 0.06, 2.0, WHITE)
    link3 = kit.body(link2, "link3", (0, -0.316, 0), (1, 1, 0, 0))
    kit.hinge(link3, "j3", Z, WIDE, kp=16_000, force=LARGE)
    kit.capsule(link3, (0, 0, -0.2), (0, 0, -0.06), 0.06, 2.5, WHITE)
    link4 = kit.body(link3, "link4", (0.0825, 0, 0), (1, 1, 0, 0))
    kit.hinge(link4, "j4", Z, (-2.4, -0.0698), kp=16_000, force=LARGE)
    kit.capsule(link4, (0, 0, -0.05), (0, 0, 0.05), 0.058, 2.0, WHITE)
    link5 = kit.body(link4, "link5", (-0.0825, 0.384, 0), (1, -1, 0, 0))
    kit.hinge(link5, "j5", Z, WIDE, kp=8_000, force=SMALL)
    kit.capsule(link5, (0, 0.02, -0.26), (0, 0.07, -0.08), 0.045, 2.2, WHITE)
    link6 = kit.body(link5, "link6", quat=(1, 1, 0, 0))
    kit.hinge(link6, "j6", Z, (-0.0175, 3.7525), kp=6_000, force=SMALL)
    kit.capsule(link6, (0, 0, -0.05), (0.06, 0, 0), 0.05, 1.4, WHITE)
    link7 = kit.body(link6, "link7", (0.088, 0, 0), (1, 1, 0, 0))
    kit.hinge(link7, "j7", Z, WIDE, kp=4_000, force=SMALL)
    kit.capsule(link7, (0, 0, 0.04), (0, 0, 0.07), 0.045, 0.7, WHITE)
    hand = kit.body(link7, "hand", (0, 0, 0.107), (0.9238795, 0, 0, -0.3826834))
    # The maker's fingers open along y; the turn of the hand's content makes that x.
    kit.box(hand, (0, 0, 0.03), (0.03, 0.1, 0.035), 0.7, WHITE)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        finger = kit.body(hand, f"finger_{side}", (0, 0, 0.0584))
        kit.slide(finger, f"finger_{side}", (0, -sign, 0), (0.0, 0.04), kp=400, force=20, armature=0.05)
        kit.box(finger, (0, sign * 0.048, 0.028), (0.011, 0.008, 0.028), 0.02, DARK, friction=(1.5, 0.02, 0.0005))
    kit.ee(hand, (0, 0, 0.1034), (1, 0, 0, 1))
    kit.exclude(("base", "link1"), ("base", "link2"), ("link1", "link3"), ("link3", "link5"), ("link5", "link7"))
    kit.exclude(("link5", "hand"), ("link6", "hand"), ("finger_left", "finger_right"))
