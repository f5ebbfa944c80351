"""Arms of others: reads MJCF or URDF with MuJoCo's own compiler, finds the joints, the hand and how it opens, and
writes a card with a model that needs no other file."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coterie.core.bounds import read_bounded
from coterie.core.errors import CoterieError
from coterie.motion import ik, needs
from coterie.motion.arm import arms_of, home_all
from coterie.motion.bodies.build import add_arm
from coterie.motion.bodies.card import CUP, FINGERS, MOST_MODEL, OWN, ArmCard, Ends, Joint, save
from coterie.motion.bodies.mount import Mount

mujoco = needs.mujoco()

SPEED, TORQUE = 1.6, 28.0  # [rad/s, Nm] where a file says nothing
FINGER = re.compile(r"finger|grip|jaw|knuckle|claw|driver|pad", re.I)
FLANGE = re.compile(r"attach|flange|tool0|tcp|pinch|grasp|end_?effector|\bee\b|gripperframe", re.I)
LEAST = 4  # joints of an arm, before which a tree that branches is no hand
MOST_FACES = 300  # of a mesh, as it is drawn
HULL = 32  # corners of a mesh, as it collides
SETTLE_S = 1.5  # in which a gripper opens or shuts
SWING = 0.8  # [rad] that a jaw opens by, at most
LOW_M = 0.1  # [m] above its foot, where a table is on which it works
DOWN = (0, 1, 0, 0)  # the hand points to the floor
PAD_M, TIP_M = 0.03, 0.012  # [m] of a finger that touches things, and from its point of aim to its end
SNAP = math.cos(math.radians(25))  # directions that are so near to an axis of the hand are that axis
POSTURES, OFTEN = 300, 0.8  # links that touch in so many of some postures always do


class Gripper(NamedTuple):
    """How a hand opens, in the frame of its body."""

    at: np.ndarray  # of the point of aim
    axes: np.ndarray  # (3, 3) columns: where fingers open, across, out of the hand
    opening_m: float
    fingers: tuple[Ends, ...]
    sides: tuple[tuple[int, ...], ...]
    motors: tuple[Ends, ...]


def import_arm(source: Path, out: Path, hand: str = "", tool: str = "", name: str = "") -> list[str]:
    """Write the card of an arm and its model beside it; returns sentences about what was found and what was assumed."""
    source_ = _Source(source)
    tree = _Tree(source_.model, hand)
    told = [*source_.told]
    gripper = _gripper(source_, tree) if tool in ("", OWN) and tree.finger_joints else None
    if tool == OWN and gripper is None:
        raise CoterieError(f"'{source}' has no gripper; leave out --tool, or use --tool {CUP} or {FINGERS}.")
    kind = OWN if gripper is not None else tool or CUP
    if not tool and gripper is None:
        what = "How its gripper opens is not understood" if tree.finger_joints else "It has no gripper"
        told.append(f"{what}: a suction cup is put on its flange (or --tool {FINGERS}).")
    spec, names = _written(tree, gripper)
    joints = [_joint(source_, j) for j in tree.joints]
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


class _Source:
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


class _Tree:
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
        self.joints = [j for b in self.path for j in self._own(b)]
        kinds = (int(mujoco.mjtJoint.mjJNT_SLIDE), int(mujoco.mjtJoint.mjJNT_HINGE))
        odd = [model.joint(j).name for j in self.joints if int(model.jnt_type[j]) not in kinds]
        if odd:
            raise CoterieError(f"'{odd[0]}' is neither a hinge nor a slide: only arms on a fixed base are imported.")
        self.beyond = [b for b in self._below(self.hand) if b != self.hand]
        self.finger_joints = [j for b in self.beyond for j in self._own(b)]

    def _own(self, body: int) -> list[int]:
        first = int(self.model.body_jntadr[body])
        return list(range(first, first + int(self.model.body_jntnum[body]))) if first >= 0 else []

    def _below(self, body: int) -> Iterator[int]:
        yield body
        for child in self.children[body]:
            yield from self._below(child)

    def _joints_below(self, body: int) -> int:
        return sum(len(self._own(b)) for b in self._below(body))

    def _body(self, name: str) -> int:
        found = int(mujoco.mj_name2id(self.model, int(mujoco.mjtObj.mjOBJ_BODY), name))
        if found < 0:
            names = ", ".join(self.model.body(b).name for b in range(1, self.model.nbody))
            raise CoterieError(f"There is no body '{name}' for a hand; there are: {names}.")
        return found

    def _found(self) -> int:
        """The last body before the tree branches into fingers, or before a joint that is named like one."""
        body, joints = self.root, len(self._own(self.root))
        while True:
            on = [c for c in self.children[body] if self._joints_below(c)]
            if len(on) == 1 and not any(FINGER.search(self.model.joint(j).name) for j in self._own(on[0])):
                body = on[0]
                joints += len(self._own(body))
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


def _joint(source: _Source, j: int) -> Joint:
    model, name = source.model, source.model.joint(j).name
    low, high = model.jnt_range[j] if model.jnt_limited[j] else (-2 * math.pi, 2 * math.pi)
    speed, torque = source.speeds.get(name, SPEED), source.torques.get(name, TORQUE)
    return Joint(_plain(name, f"j{j + 1}"), (float(low), float(high)), float(speed), float(torque))


def _plain(name: str, other: str) -> str:
    plain = re.sub(r"\W", "_", name) or other
    return f"{plain}_" if plain in ("slide", "base", "hand", "ee") or plain.startswith("finger") else plain


def _of_finger(name: str, other: str) -> str:
    return "finger_" + _plain(name, other).removeprefix("finger").strip("_")


# -- the gripper ----------------------------------------------------------------------------------------------------
def _gripper(source: _Source, tree: _Tree) -> Gripper | None:
    """How the hand opens: its motors are driven to either end, and what moves is looked at."""
    model = source.model
    plain = int(mujoco.mjtTrn.mjTRN_JOINT)
    driven = [int(model.actuator_trnid[a, 0]) if model.actuator_trntype[a] == plain else -1 for a in range(model.nu)]
    motors = [a for a, joint in enumerate(driven) if joint in (-1, *tree.finger_joints)]
    if not motors:
        return None
    ends = [_range(model, a) for a in motors]
    states = {told: _settled(tree, motors, told) for told in product(*ends)}
    spread = {told: _spread(tree, data) for told, data in states.items()}
    wide, narrow = max(spread, key=lambda t: spread[t]), min(spread, key=lambda t: spread[t])
    opened, shut = states[wide], states[narrow]
    hinges = [j for j in tree.finger_joints if int(model.jnt_type[j]) == int(mujoco.mjtJoint.mjJNT_HINGE)]
    swing = max((abs(float(opened.qpos[a] - shut.qpos[a])) for a in model.jnt_qposadr[hinges]), default=0.0)
    if swing > SWING:  # a jaw that opens wide does not face the other one any more
        wide = tuple(n + (w - n) * SWING / swing for w, n in zip(wide, narrow))
        opened = _settled(tree, motors, wide)
    points = [{b: _points(model, d, b, tree.hand) for b in tree.beyond} for d in (opened, shut)]
    moved = {b: points[1][b].mean(0) - points[0][b].mean(0) for b in tree.beyond if len(points[0][b])}
    if not moved or max(np.linalg.norm(d) for d in moved.values()) < 1e-3:
        return None
    most = max(moved.values(), key=lambda d: float(np.linalg.norm(d)))
    far = float(np.linalg.norm(most))
    ahead = [b for b, d in moved.items() if float(d @ most) > 0.3 * far * far]
    back = [b for b, d in moved.items() if float(d @ most) < -0.3 * far * far]
    pads = [np.concatenate([p[b] for b in [*ahead, *back]]) for p in points]
    axes = _axes(most / far, np.concatenate(pads).mean(0) - _points(model, opened, tree.hand, tree.hand).mean(0))
    tip = float(max((p @ axes[:, 2]).max() for p in pads))
    inner = [_face(points[0], side, axes, tip, sign) for side, sign in ((ahead, 1), (back, -1))]
    if not back:  # one jaw closes on a fixed one
        inner[1] = _face(points[1], ahead, axes, tip, 1)
    near = pads[0][pads[0] @ axes[:, 2] > tip - PAD_M]
    across = (near @ axes[:, 1]) if len(near) else np.zeros(1)
    at = axes @ np.array([sum(inner) / 2, (across.min() + across.max()) / 2, tip - TIP_M])
    if inner[1] - inner[0] < 1e-3:
        return None
    address = [int(model.jnt_qposadr[j]) for j in tree.finger_joints]
    named = [_of_finger(model.joint(j).name, f"j{j + 1}") for j in tree.finger_joints]
    limits = [model.jnt_range[j] if model.jnt_limited[j] else (-math.inf, math.inf) for j in tree.finger_joints]
    ends_of = [[float(np.clip(d.qpos[a], *lim)) for d in (opened, shut)] for a, lim in zip(address, limits)]
    fingers = tuple(Ends(n, *both) for n, both in zip(named, ends_of))
    told = tuple(Ends(model.actuator(a).name or f"motor{a}", *e) for a, *e in zip(motors, wide, narrow))
    sides = (tuple(ahead), tuple(back) or (tree.hand,))
    return Gripper(at, axes, (inner[1] - inner[0]) / 2, fingers, sides, told)


def _range(model: Any, act: int) -> tuple[float, float]:
    low, high = model.actuator_ctrlrange[act]
    if not model.actuator_ctrllimited[act]:
        low, high = model.jnt_range[int(model.actuator_trnid[act, 0])]
    return float(low), float(high)


def _settled(tree: _Tree, motors: Sequence[int], told: Sequence[float]) -> Any:
    """The state in which a gripper comes to rest: no gravity, and the arm is held."""
    model = tree.model
    data = mujoco.MjData(model)
    held = data.qpos.copy()
    arm, dofs = model.jnt_qposadr[tree.joints], model.jnt_dofadr[tree.joints]
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= int(off.mjDSBL_CONTACT) | int(off.mjDSBL_GRAVITY)
    data.ctrl[motors] = told
    for _ in range(min(10_000, round(SETTLE_S / float(model.opt.timestep)))):
        mujoco.mj_step(model, data)
        data.qpos[arm], data.qvel[dofs] = held[arm], 0.0
    mujoco.mj_forward(model, data)
    return data


def _spread(tree: _Tree, data: Any) -> float:
    """How far the parts of a gripper are from each other and from the hand, on average [m]."""
    seen = {b: _points(tree.model, data, b, tree.hand) for b in [tree.hand, *tree.beyond]}
    few = {b: p[:: max(1, len(p) // 60)] for b, p in seen.items() if len(p)}
    found = []
    for b in tree.beyond:
        others = [p for other, p in few.items() if other != b]
        if b in few and others:
            apart = np.linalg.norm(few[b][:, None] - np.concatenate(others)[None], axis=2)
            found.append(float(apart.min(axis=1).mean()))
    return sum(found)


def _points(model: Any, data: Any, body: int, frame: int) -> np.ndarray:
    """(n, 3) corners of all shapes of a body, of those that collide where there are some, in the frame of another."""
    geoms = [g for g in range(model.ngeom) if int(model.geom_bodyid[g]) == body]
    solid = [g for g in geoms if model.geom_contype[g] or model.geom_conaffinity[g]]
    found = [np.zeros((0, 3))]
    for g in solid or geoms:
        if int(model.geom_type[g]) == int(mujoco.mjtGeom.mjGEOM_MESH):
            mesh = int(model.geom_dataid[g])
            first = int(model.mesh_vertadr[mesh])
            local = np.array(model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])], float)
        else:
            centre, half = model.geom_aabb[g][:3], model.geom_aabb[g][3:]
            local = np.array([centre + half * s for s in product((-1, 1), repeat=3)])
        at = data.geom_xpos[g] + local @ data.geom_xmat[g].reshape(3, 3).T
        found.append((at - data.xpos[frame]) @ data.xmat[frame].reshape(3, 3))
    return np.concatenate(found)


def _face(points: dict[int, np.ndarray], side: Sequence[int], axes: np.ndarray, tip: float, sign: int) -> float:
    """Where the inner face of one side of a gripper is, along the direction in which it closes."""
    near = [p for b in side for p in points[b] if p @ axes[:, 2] > tip - PAD_M]
    return float(max(sign * (p @ axes[:, 0]) for p in near)) * sign if near else 0.0


def _axes(x: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Columns: where fingers close, across, and out of the hand; axes of the hand where they are near to such."""
    x = _snapped(x)
    z = _snapped(out - (out @ x) * x)
    z = z - (z @ x) * x
    z /= np.linalg.norm(z)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _snapped(v: np.ndarray) -> np.ndarray:
    v = v / max(float(np.linalg.norm(v)), 1e-9)
    k = int(np.abs(v).argmax())
    return np.sign(v[k]) * np.eye(3)[k] if abs(v[k]) > SNAP else v


def _flange(tree: _Tree) -> tuple[np.ndarray, np.ndarray]:
    """Where a tool is put on an arm without one, in the frame of its last body: a site that is named so, else the end
    of the last body along the axis of its joint."""
    model, last = tree.model, tree.hand
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    back = data.xmat[last].reshape(3, 3).T
    own = {last, *(b for b in tree.beyond if not tree.finger_joints)}
    sites = [s for s in range(model.nsite) if int(model.site_bodyid[s]) in own and FLANGE.search(model.site(s).name)]
    if sites:
        at, axes = data.site_xpos[sites[0]], data.site_xmat[sites[0]].reshape(3, 3)
        return back @ (at - data.xpos[last]), back @ axes
    if FLANGE.search(model.body(last).name):
        return np.zeros(3), np.eye(3)
    joint = tree.joints[-1]
    moved = int(model.jnt_bodyid[joint])
    z = back @ data.xaxis[joint]
    points = np.concatenate([_points(model, data, b, last) for b in sorted({moved, last})])
    z = z if not len(points) or abs((points @ z).max()) >= abs((points @ z).min()) else -z
    side = np.array([1.0, 0, 0]) if abs(z[0]) < 0.9 else np.array([0, 1.0, 0])
    far = float((points @ z).max()) if len(points) else 0.0
    return z * max(far, 0.0), _axes(side - (side @ z) * z, z)


# -- the model ------------------------------------------------------------------------------------------------------
def _written(tree: _Tree, gripper: Gripper | None) -> tuple[Any, dict[int, str]]:
    """The arm alone as a model of its own, with meshes in it; and the names of its bodies."""
    model = tree.model
    spec = mujoco.MjSpec()
    spec.modelname, spec.compiler.degree = "arm", 0
    kept = [b for b in tree._below(tree.root) if gripper is not None or b not in tree.beyond]
    made: dict[int, Any] = {}
    names: dict[int, str] = {}
    base = None
    if tree._own(tree.root) or tree.root == tree.hand:
        base = spec.worldbody.add_body(name="base", gravcomp=1, mass=1.0, inertia=[0.01] * 3, explicitinertial=True)
    for b in kept:
        names[b] = (_of_finger if b in tree.beyond else _plain)(model.body(b).name, f"link{b}")
        names[b] = "hand" if b == tree.hand and gripper else names[b]
        names[b] = "base" if b == tree.root and base is None else names[b]
        parent = made.get(int(model.body_parentid[b]), base or spec.worldbody)
        at, quat = (model.body_pos[b], model.body_quat[b]) if b != tree.root else ([0.0] * 3, [1.0, 0, 0, 0])
        body = made[b] = parent.add_body(name=names[b], pos=list(at), quat=list(quat), gravcomp=1)
        body.explicitinertial = True
        body.mass, body.ipos, body.iquat = float(model.body_mass[b]), model.body_ipos[b], model.body_iquat[b]
        body.inertia = model.body_inertia[b]
        if body.mass <= 0 and (tree._own(b) or b == tree.root):  # a base slides along its rail
            body.mass, body.inertia = (1.0, np.full(3, 0.01)) if b == tree.root else (1e-3, np.full(3, 1e-6))
        for j in tree._own(b):
            of = _of_finger if b in tree.beyond else _plain
            _add_joint(body, model, j, of(model.joint(j).name, f"j{j + 1}"))
        _add_geoms(spec, body, model, b)
    _add_ee(made[tree.hand], tree, gripper)
    return spec, names


def _add_ee(hand: Any, tree: _Tree, gripper: Gripper | None) -> None:
    """The point of aim in the maker's hand; else an empty hand on the flange, which gets one with its tool."""
    at, axes = (gripper.at, gripper.axes) if gripper is not None else _flange(tree)
    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(axes).ravel())
    if gripper is not None:
        hand.add_site(name="ee", pos=list(at), quat=list(quat), size=[0.01] * 3, group=4)
    else:
        hand.add_body(name="hand", pos=list(at), quat=list(quat), gravcomp=1)


def _add_joint(body: Any, model: Any, j: int, name: str) -> None:
    low, high = model.jnt_range[j] if model.jnt_limited[j] else (-2 * math.pi, 2 * math.pi)
    body.add_joint(
        name=name, type=mujoco.mjtJoint(int(model.jnt_type[j])), axis=model.jnt_axis[j], pos=model.jnt_pos[j],
        range=[float(low), float(high)], limited=mujoco.mjtLimited.mjLIMITED_TRUE,
        ref=float(model.qpos0[int(model.jnt_qposadr[j])]),
    )  # fmt: skip


def _add_geoms(spec: Any, body: Any, model: Any, b: int) -> None:
    """Shapes of a body: those that collide, and those that are seen where these are others."""
    geoms = [g for g in range(model.ngeom) if int(model.geom_bodyid[g]) == b]
    solid = {g for g in geoms if model.geom_contype[g] or model.geom_conaffinity[g]}
    seen = {g for g in geoms if g not in solid and model.geom_group[g] < 3 and _rgba(model, g)[3] > 0}
    some = solid or seen
    for g in sorted(solid | seen):
        collides = g in some
        more: dict[str, Any] = {"contype": int(collides), "conaffinity": int(collides), "rgba": _rgba(model, g)}
        more["group"] = 3 if collides and seen and model.geom_group[g] > 2 else 2
        more["friction"] = [float(v) for v in model.geom_friction[g]]
        kind = mujoco.mjtGeom(int(model.geom_type[g]))
        if kind == mujoco.mjtGeom.mjGEOM_MESH:
            more["meshname"] = _add_mesh(spec, model, int(model.geom_dataid[g]))
        elif kind in (mujoco.mjtGeom.mjGEOM_PLANE, mujoco.mjtGeom.mjGEOM_HFIELD, mujoco.mjtGeom.mjGEOM_SDF):
            continue
        else:
            more["size"] = [float(v) for v in model.geom_size[g]]
        body.add_geom(type=kind, pos=list(model.geom_pos[g]), quat=list(model.geom_quat[g]), **more)


def _rgba(model: Any, g: int) -> list[float]:
    material = int(model.geom_matid[g])
    return [float(v) for v in (model.mat_rgba[material] if material >= 0 else model.geom_rgba[g])]


def _add_mesh(spec: Any, model: Any, mesh: int) -> str:
    """A mesh with few corners, once; the frame of its geoms is that in which the compiler has put its corners."""
    name = f"mesh{mesh}"
    if all(m.name != name for m in spec.meshes):
        first, face = int(model.mesh_vertadr[mesh]), int(model.mesh_faceadr[mesh])
        corners = np.array(model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])], float)
        faces = np.array(model.mesh_face[face : face + int(model.mesh_facenum[mesh])], int)
        corners, faces = fewer(corners, faces)
        flat = [round(float(v), 5) for v in corners.ravel()]
        shell = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL  # thin ones have no volume
        spec.add_mesh(name=name, uservert=flat, userface=faces.ravel().tolist(), maxhullvert=HULL, inertia=shell)
    return name


def fewer(corners: np.ndarray, faces: np.ndarray, most: int = MOST_FACES) -> tuple[np.ndarray, np.ndarray]:
    """A mesh with at most so many faces: corners in one cell of a raster become the outermost of them."""
    low, size = corners.min(0), float(np.ptp(corners, axis=0).max()) or 1.0
    out = np.linalg.norm(corners - corners.mean(0), axis=1)
    for cells in (128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3):
        key = np.floor((corners - low) / size * cells).astype(int) @ np.array([1, 1009, 1009 * 1009])
        order = np.lexsort((-out, key))
        kept = order[np.concatenate(([True], np.diff(key[order]) != 0))]
        number = np.searchsorted(key[kept], key)
        small = number[faces]
        small = small[(small[:, 0] != small[:, 1]) & (small[:, 1] != small[:, 2]) & (small[:, 0] != small[:, 2])]
        _, once = np.unique(np.sort(small, axis=1), axis=0, return_index=True)
        small = small[np.sort(once)]
        if len(small) <= most and len(kept) >= 4:
            used = np.unique(small)
            if len(used) >= 4:
                return corners[kept][used], np.searchsorted(used, small)
    return corners, faces


# -- the card -------------------------------------------------------------------------------------------------------
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
    base = _points(model, data, int(mujoco.mj_name2id(model, int(mujoco.mjtObj.mjOBJ_BODY), "Arm/base")), 0)
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
