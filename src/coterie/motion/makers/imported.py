"""Arms of others: reads MJCF or URDF with MuJoCo's own compiler, finds the joints, the hand and how it opens, and
writes a card with a model that needs no other file."""

from __future__ import annotations

import math
import re
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.motion import ik, needs
from coterie.motion.arm import arms_of, home_all
from coterie.motion.bodies.build import add_arm
from coterie.motion.bodies.card import CUP, FINGERS, OWN, ArmCard, save
from coterie.motion.bodies.parts import Mount
from coterie.motion.makers.grippers import TIP_M, gripper_of, points_of
from coterie.motion.makers.maker import SPEED, TORQUE, Source, Tree, joint_of
from coterie.motion.makers.packed import packed

mujoco = needs.mujoco()

LOW_M = 0.1  # [m] above its foot, where a table is on which it works
DOWN = (0, 1, 0, 0)  # the hand points to the floor
POSTURES, OFTEN = 300, 0.8  # links that touch in so many of some postures always do


def import_arm(source: Path, out: Path, hand: str = "", tool: str = "", name: str = "") -> list[str]:
    """Write the card of an arm and its model beside it; returns sentences about what was found and what was assumed."""
    source_ = Source(source)
    tree = Tree(source_.model, hand)
    told = [*source_.told]
    gripper = gripper_of(source_, tree) if tool in ("", OWN) and tree.finger_joints else None
    if tool == OWN and gripper is None:
        raise CoterieError(f"'{source}' has no gripper; leave out --tool, or use --tool {CUP} or {FINGERS}.")
    kind = OWN if gripper is not None else tool or CUP
    if not tool and gripper is None:
        what = "How its gripper opens is not understood" if tree.finger_joints else "It has no gripper"
        told.append(f"{what}: a suction cup is put on its flange (or --tool {FINGERS}).")
    spec, names = packed(tree, gripper)
    joints = [joint_of(source_, j) for j in tree.joints]
    for what, found in (("speeds", source_.speeds), ("torques", source_.torques)):
        missing = [j.name for j, i in zip(joints, tree.joints) if tree.model.joint(i).name not in found]
        if missing:
            usual = f"{SPEED} rad/s" if what == "speeds" else f"{TORQUE} Nm"
            told.append(f"It says nothing of the {what} of {', '.join(missing)}: {usual} is assumed; correct the card.")
    words = {OWN: "a gripper of its own", CUP: "a suction cup", FINGERS: "a two-finger gripper"}[kind]
    touch = [("hand", names[b]) for b in tree.path[-2:] if gripper is None]  # what a tool of ours is put on
    touch += [("base", names[int(source_.model.jnt_bodyid[tree.joints[0]])])]  # neighbours of what is bolted collide
    card = ArmCard(
        body=name or re.sub(r"\W", "", source.stem.title()) or "Arm",
        about=f"a {len(joints)}-joint arm with {words}, on a rail",
        home=tuple(float(np.clip(0.0, *j.range)) for j in joints),
        joints=tuple(joints),
        tool=kind,
        tip_m=TIP_M,
        opening_m=gripper.opening_m if gripper is not None else 0.0,
        fingers=gripper.fingers if gripper is not None else (),
        sides=tuple(tuple(names[b] for b in side) for side in gripper.sides) if gripper is not None else (),
        motors=gripper.motors if gripper is not None else (),
        may_touch=(*touch, *combinations(sorted({"hand", *(names[b] for b in tree.beyond if b in names)}), 2)),
        mjcf=spec.to_xml(),
    )
    card = _finished(card, out)
    pairs = len(card.may_touch)
    told.append(f"{len(joints)} joints, reach {card.reach_m} m, {words}, {pairs} pairs of links may touch.")
    if gripper is not None:
        told.append(f"Its fingers open by {2000 * gripper.opening_m:.0f} mm.")
    return told


def _finished(card: ArmCard, out: Path) -> ArmCard:
    """Find out with the arm itself how far it reaches, which links always touch and where it waits; and write it."""
    save(card, out)
    model, arm = _alone(out)
    data, rng = mujoco.MjData(model), np.random.default_rng(0)
    seen: dict[tuple[str, str], int] = {}
    reach = 0.0
    ik.as_checked(model)
    home_all(model, data, [arm])
    for _ in range(POSTURES):
        data.qpos[arm.qpos] = rng.uniform(np.maximum(arm.lo, -math.pi), np.minimum(arm.hi, math.pi))
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        reach = max(reach, float(np.hypot(*data.site_xpos[arm.site][:2])))
        pairs = {tuple(sorted(model.geom_bodyid[g].tolist())) for g in data.contact.geom}
        for a, b in pairs:
            first, second = sorted(model.body(i).name.partition("/")[2] for i in (a, b))
            seen[first, second] = seen.get((first, second), 0) + 1
    often = [(a, b) for (a, b), n in seen.items() if n >= OFTEN * POSTURES]
    card = card._replace(may_touch=tuple(sorted({*card.may_touch, *often})))
    save(card, out)
    home, reach = _home(out, reach)
    base = points_of(model, data, int(mujoco.mj_name2id(model, int(mujoco.mjtObj.mjOBJ_BODY), "Arm/base")), 0)
    foot = round(float(np.abs(base[:, 1]).max(initial=0.05)), 3)
    card = card._replace(home=home, reach_m=round(reach, 2), foot_m=foot)
    save(card, out)
    return card


def _alone(path: Path) -> tuple[Any, Any]:
    spec = mujoco.MjSpec()
    mount = Mount("Arm", str(path), (0.0, 0.0, 0.0))
    add_arm(spec, mount)
    try:
        model = spec.compile()
    except ValueError as err:
        raise CoterieError(f"The arm cannot be built: {' '.join(str(err).split())}") from None
    return model, arms_of(model, [mount])["Arm"]


def _home(out: Path, reach: float) -> tuple[tuple[float, ...], float]:
    """A posture with the hand before the base, pointing down, where no link touches another; and how far from the base
    it can do so a little above its foot [m]."""
    model, arm = _alone(out)
    middle = np.clip((np.maximum(arm.lo, -math.pi) + np.minimum(arm.hi, math.pi)) / 2, arm.lo, arm.hi)
    for share, high in product((0.55, 0.65, 0.45, 0.75, 0.35), (0.4, 0.3, 0.5, 0.2, 0.1)):
        at = (share * reach, 0.0, high * reach)
        q = ik.untangled(model, arm, at, DOWN, middle)
        if q is not None:
            ways = ((s, ik.untangled(model, arm, (s, 0.0, LOW_M), DOWN, q)) for s in np.arange(1.0, 0.3, -0.05) * reach)
            return tuple(float(v) for v in q), float(next((s for s, way in ways if way is not None), share * reach))
    raise CoterieError("No posture was found with the hand pointing down before the base; name the hand with --hand.")
