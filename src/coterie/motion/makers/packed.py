"""An arm alone as a model of its own, with its meshes in it, made small."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from coterie.motion import needs
from coterie.motion.makers.grippers import Gripper, flange_of
from coterie.motion.makers.maker import Tree, finger_name, plain_name

mujoco = needs.mujoco()

MOST_FACES = 300  # of a mesh, as it is drawn
HULL = 32  # corners of a mesh, as it collides


def packed(tree: Tree, gripper: Gripper | None) -> tuple[Any, dict[int, str]]:
    """The arm alone as a model of its own, with meshes in it; and the names of its bodies."""
    model = tree.model
    spec = mujoco.MjSpec()
    spec.modelname, spec.compiler.degree = "arm", 0
    kept = [b for b in tree.below(tree.root) if gripper is not None or b not in tree.beyond]
    made: dict[int, Any] = {}
    names: dict[int, str] = {}
    base = None
    if tree.own(tree.root) or tree.root == tree.hand:
        base = spec.worldbody.add_body(name="base", gravcomp=1, mass=1.0, inertia=[0.01] * 3, explicitinertial=True)
    for b in kept:
        names[b] = (finger_name if b in tree.beyond else plain_name)(model.body(b).name, f"link{b}")
        names[b] = "hand" if b == tree.hand and gripper else names[b]
        names[b] = "base" if b == tree.root and base is None else names[b]
        parent = made.get(int(model.body_parentid[b]), base or spec.worldbody)
        at, quat = (model.body_pos[b], model.body_quat[b]) if b != tree.root else ([0.0] * 3, [1.0, 0, 0, 0])
        body = made[b] = parent.add_body(name=names[b], pos=list(at), quat=list(quat), gravcomp=1)
        body.explicitinertial = True
        body.mass, body.ipos, body.iquat = float(model.body_mass[b]), model.body_ipos[b], model.body_iquat[b]
        body.inertia = model.body_inertia[b]
        if min(body.mass, *body.inertia) <= 0 and (tree.own(b) or b == tree.root):  # a base slides along its rail
            body.mass, body.inertia = (1.0, np.full(3, 0.01)) if b == tree.root else (1e-3, np.full(3, 1e-6))
        for j in tree.own(b):
            of = finger_name if b in tree.beyond else plain_name
            _add_joint(body, model, j, of(model.joint(j).name, f"j{j + 1}"))
        _add_geoms(spec, body, model, b)
    _add_ee(made[tree.hand], tree, gripper)
    return spec, names


def _add_ee(hand: Any, tree: Tree, gripper: Gripper | None) -> None:
    """The point of aim in the maker's hand; else an empty hand on the flange, which gets one with its tool."""
    at, axes = (gripper.at, gripper.axes) if gripper is not None else flange_of(tree)
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
