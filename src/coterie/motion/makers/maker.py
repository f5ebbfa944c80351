"""A model of an arm by its maker, MJCF or URDF: compiled, with its limits, and its joints from base to hand."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coterie.core.bounds import read_bounded
from coterie.core.errors import CoterieError
from coterie.motion import needs
from coterie.motion.bodies.card import MOST_MODEL, Joint

mujoco = needs.mujoco()

SPEED, TORQUE = 1.6, 28.0  # [rad/s, Nm] where a file says nothing
FINGER = re.compile(r"finger|grip|jaw|knuckle|claw|driver|pad", re.I)
FLANGE = re.compile(r"attach|flange|tool0|tcp|pinch|grasp|end_?effector|\bee\b|gripperframe", re.I)
LEAST = 4  # joints of an arm, before which a tree that branches is no hand


class Source:
    """A file of others, compiled; what it says beside the model."""

    def __init__(self, path: Path):
        text = read_bounded(path, "model of an arm", MOST_MODEL)
        self.path, self.told = path, list[str]()
        try:
            root = ET.fromstring(text)
        except (ET.ParseError, ValueError) as err:
            raise CoterieError(f"'{path}' is no MJCF and no URDF: {err}.") from None
        self.speeds: dict[str, float] = {}
        self.torques: dict[str, float] = {}
        try:
            spec = mujoco.MjSpec.from_file(str(path))
            if root.tag == "robot":
                self._urdf(spec, root)
            self._meshes(spec)
            self.model = spec.compile()
        except ValueError as err:
            raise CoterieError(f"MuJoCo cannot read '{path}': {' '.join(str(err).split())}") from None
        for a in range(self.model.nu):
            if int(self.model.actuator_trntype[a]) == 0:
                most = self._most(a)
                if most:
                    self.torques.setdefault(self.model.joint(int(self.model.actuator_trnid[a, 0])).name, most)

    def _most(self, act: int) -> float:
        """The largest torque of a servo [Nm]."""
        model = self.model
        gear = abs(float(model.actuator_gear[act, 0])) or 1.0
        if model.actuator_forcelimited[act]:
            return gear * float(model.actuator_forcerange[act, 1])
        joint = int(model.actuator_trnid[act, 0])
        if model.jnt_actfrclimited[joint]:
            return float(model.jnt_actfrcrange[joint, 1])
        motor = not model.actuator_biastype[act] and model.actuator_ctrllimited[act]
        return gear * float(model.actuator_gainprm[act, 0] * model.actuator_ctrlrange[act, 1]) if motor else 0.0

    def _urdf(self, spec: Any, root: Any) -> None:
        """Links that are fixed to others stay links, shapes for the eye stay, and joints get their limits and, for
        fingers, a servo."""
        spec.compiler.fusestatic, spec.compiler.discardvisual = 0, 0
        spec.compiler.balanceinertia, spec.compiler.boundmass, spec.compiler.boundinertia = 1, 1e-3, 1e-6
        follows: set[str] = set()
        for joint in root.findall("joint"):
            name, limit, mimic = joint.get("name", ""), joint.find("limit"), joint.find("mimic")
            for found, key in ((self.speeds, "velocity"), (self.torques, "effort")):
                value = _float(limit.get(key)) if limit is not None else 0.0
                if value > 0:
                    found[name] = value
            if mimic is not None:
                follows.add(name)
                if not any(name in (e.name1, e.name2) for e in spec.equalities):
                    given = [_float(mimic.get("offset")), _float(mimic.get("multiplier"), 1.0), 0.0, 0.0, 0.0]
                    eq = spec.add_equality(type=mujoco.mjtEq.mjEQ_JOINT, objtype=mujoco.mjtObj.mjOBJ_JOINT)
                    eq.name1, eq.name2 = name, mimic.get("joint", "")
                    eq.data[:5] = given
        for joint in spec.joints:
            if FINGER.search(joint.name) and joint.name not in follows and not any(spec.actuators):
                act = spec.add_actuator(name=joint.name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
                act.ctrlrange, act.ctrllimited = list(joint.range), True
                act.set_to_position(kp=200.0 if joint.type == mujoco.mjtJoint.mjJNT_SLIDE else 5.0, dampratio=[1.0])

    def _meshes(self, spec: Any) -> None:
        """Files of meshes are looked for beside the model, too; what is for the eye alone and not there is left out."""
        folder = self.path.parent
        for mesh in [m for m in spec.meshes if m.file]:
            file = mesh.file.partition("://")[2] or mesh.file
            tried = [folder / spec.modelfiledir / spec.meshdir / file, folder / spec.meshdir / file, folder / file]
            tried += [p / "/".join(Path(file).parts[1:]) for p in folder.absolute().parents[:3]]
            found = next((p for p in tried if p.is_file()), None)
            found = found or next(iter(sorted(folder.rglob(Path(file).name))), None)
            if found is not None:
                mesh.file = str(found.absolute())
                continue
            users = [g for g in spec.geoms if g.meshname == mesh.name]
            if any(g.contype or g.conaffinity for g in users):
                raise CoterieError(f"'{self.path}': there is no mesh '{mesh.file}', with which a link collides.")
            for user in [*users, mesh]:
                spec.delete(user)
            self.told.append(f"There is no mesh '{mesh.file}': that part is not drawn.")


class Tree:
    """The joints between base and hand, and those of the gripper beyond."""

    def __init__(self, model: Any, hand: str):
        self.model = model
        self.children: dict[int, list[int]] = {b: [] for b in range(model.nbody)}
        for b in range(1, model.nbody):
            self.children[int(model.body_parentid[b])].append(b)
        roots = sorted(self.children[0], key=self._joints_below, reverse=True)
        if not roots or not self._joints_below(roots[0]):
            raise CoterieError("There is no arm: nothing in the model has joints.")
        self.root = roots[0]
        self.hand = self._body(hand) if hand else self._found()
        path = [self.hand]
        while path[-1] != self.root:
            path.append(int(model.body_parentid[path[-1]]))
            if not path[-1]:
                raise CoterieError(f"'{hand}' is no part of the arm, whose base is '{model.body(self.root).name}'.")
        self.path = path[::-1]
        self.joints = [j for b in self.path for j in self.own(b)]
        kinds = (int(mujoco.mjtJoint.mjJNT_SLIDE), int(mujoco.mjtJoint.mjJNT_HINGE))
        odd = [model.joint(j).name for j in self.joints if int(model.jnt_type[j]) not in kinds]
        if odd:
            raise CoterieError(f"'{odd[0]}' is neither a hinge nor a slide: only arms on a fixed base are imported.")
        self.beyond = [b for b in self.below(self.hand) if b != self.hand]
        self.finger_joints = [j for b in self.beyond for j in self.own(b)]

    def own(self, body: int) -> list[int]:
        first = int(self.model.body_jntadr[body])
        return list(range(first, first + int(self.model.body_jntnum[body]))) if first >= 0 else []

    def below(self, body: int) -> Iterator[int]:
        yield body
        for child in self.children[body]:
            yield from self.below(child)

    def _joints_below(self, body: int) -> int:
        return sum(len(self.own(b)) for b in self.below(body))

    def _body(self, name: str) -> int:
        found = int(mujoco.mj_name2id(self.model, int(mujoco.mjtObj.mjOBJ_BODY), name))
        if found < 0:
            names = ", ".join(self.model.body(b).name for b in range(1, self.model.nbody))
            raise CoterieError(f"There is no body '{name}' for a hand; there are: {names}.")
        return found

    def _found(self) -> int:
        """The last body before the tree branches into fingers, or before a joint that is named like one."""
        body, joints = self.root, len(self.own(self.root))
        while True:
            on = [c for c in self.children[body] if self._joints_below(c)]
            if len(on) == 1 and not any(FINGER.search(self.model.joint(j).name) for j in self.own(on[0])):
                body = on[0]
                joints += len(self.own(body))
                continue
            if len(on) > 1 and joints < LEAST:
                names = ", ".join(self.model.body(c).name for c in on)
                words = f"The model branches after {joints} joints into {names}: name the hand with --hand BODY."
                raise CoterieError(words)
            fixed = [c for c in self.children[body] if not on and FLANGE.search(self.model.body(c).name)]
            return fixed[0] if fixed else body


def _float(text: str | None, usual: float = 0.0) -> float:
    try:
        value = float(text) if text else usual
    except ValueError:
        return usual
    return value if math.isfinite(value) else usual


def joint_of(source: Source, j: int) -> Joint:
    model, name = source.model, source.model.joint(j).name
    low, high = model.jnt_range[j] if model.jnt_limited[j] else (-2 * math.pi, 2 * math.pi)
    speed, torque = source.speeds.get(name, SPEED), source.torques.get(name, TORQUE)
    return Joint(plain_name(name, f"j{j + 1}"), (float(low), float(high)), float(speed), float(torque))


def plain_name(name: str, other: str) -> str:
    plain = re.sub(r"\W", "_", name) or other
    return f"{plain}_" if plain in ("slide", "base", "hand", "ee") or plain.startswith("finger") else plain


def finger_name(name: str, other: str) -> str:
    return "finger_" + plain_name(name, other).removeprefix("finger").strip("_")
