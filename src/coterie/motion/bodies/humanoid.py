"""The right arm of a humanoid that sits at the table: eleven joints from the waist to the hand, those of a tall person.

Frame of the base: it looks along -y, its right is -x. With all joints at zero the arm hangs, palm to the thigh.
Joints are named by their axes as motion capture does: rx pitches, ry turns about the upright, rz tilts sideways.
"""

from __future__ import annotations

from typing import Any

from coterie.motion.bodies.parts import SHIRT, SKIN, Kit

WAIST, CHEST, SHOULDER = 0.10, 0.30, (-0.18, 0.0, 0.03)  # [m] up, up, from the breastbone
UPPER_ARM, FOREARM, PALM = 0.32, 0.28, 0.10  # [m]
HOME = (-0.1233, 0.0172, -0.0511, 0.0, -0.7062, -0.0995, 1.059, -0.6389, 0.8723, -0.0192, -0.03)  # palm down
X, BACK, UP = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def build(kit: Kit, base: Any) -> None:
    kit.capsule(base, (-0.07, 0, 0.0), (0.07, 0, 0.0), 0.10, 12.0, SHIRT)
    thorax = kit.body(base, "thorax", (0, 0, WAIST))
    kit.hinge(thorax, "j1", UP, (-0.8, 0.8), kp=40_000, force=600)  # thorax ry
    kit.hinge(thorax, "j2", X, (-0.2, 0.7), kp=40_000, force=600)  # thorax rx: leans forward
    kit.capsule(thorax, (0, 0, 0.06), (0, 0, 0.16), 0.11, 8.0, SHIRT)
    kit.capsule(thorax, (-0.08, 0, 0.26), (0.16, 0, 0.26), 0.09, 8.0, SHIRT)
    kit.capsule(thorax, (0, 0, 0.34), (0, -0.01, 0.42), 0.05, 1.0, SKIN)
    kit.ball(thorax, (0, -0.02, 0.52), 0.105, 4.0, SKIN)
    kit.capsule(thorax, (0.24, 0, 0.24), (0.26, 0.02, 0.0), 0.045, 2.0, SHIRT)  # the left arm rests
    clavicle = kit.body(thorax, "clavicle", (0, 0, CHEST))
    kit.hinge(clavicle, "j3", UP, (-0.2, 0.4), kp=24_000, force=400)  # clavicle ry
    kit.hinge(clavicle, "j4", BACK, (-0.1, 0.5), kp=24_000, force=400)  # clavicle rz
    kit.capsule(clavicle, (-0.06, 0, 0.02), SHOULDER, 0.05, 1.5, SHIRT)
    humerus = kit.body(clavicle, "humerus", SHOULDER)
    kit.hinge(humerus, "j5", X, (-3.0, 1.0), kp=20_000, force=300)  # humerus rx
    kit.hinge(humerus, "j6", UP, (-1.6, 1.6), kp=20_000, force=300)  # humerus ry
    kit.hinge(humerus, "j7", BACK, (-0.3, 2.2), kp=20_000, force=300)  # humerus rz
    kit.capsule(humerus, (0, 0, 0), (0, 0, -UPPER_ARM + 0.03), 0.048, 2.2, SHIRT)
    radius = kit.body(humerus, "radius", (0, 0, -UPPER_ARM))
    kit.hinge(radius, "j8", X, (-2.6, 0.0), kp=12_000, force=200)  # radius rx
    kit.capsule(radius, (0, 0, 0), (0, 0, -0.15), 0.042, 1.0, SKIN)
    wrist = kit.body(radius, "wrist", (0, 0, -FOREARM))
    kit.hinge(wrist, "j9", UP, (-1.6, 1.9), kp=5_000, force=80)  # wrist ry: turns the palm
    kit.capsule(
        wrist, (0, 0, 0.09), (0, 0, 0.02), 0.022, 0.5, SKIN
    )  # slim: a palm on a slice lies a slice above the table
    hand = kit.body(wrist, "hand")
    kit.hinge(hand, "j10", X, (-0.7, 0.7), kp=4_000, force=80)  # hand rx
    kit.hinge(hand, "j11", BACK, (-1.4, 1.4), kp=4_000, force=80)  # hand rz
    kit.box(hand, (0, 0, -0.09), (0.016, 0.042, 0.085), 0.5, SKIN)
    kit.ee(hand, (0.012, 0, -PALM), (1, 0, 1, 0))
    kit.exclude(("base", "thorax"), ("base", "clavicle"), ("thorax", "humerus"), ("radius", "hand"))
