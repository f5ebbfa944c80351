"""A scene of bodies and joints, such as arms at a table, as Foxglove's messages: a frame and shapes for each body."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.extras import need
from coterie.export.parts import MAP, fox, text_at, time_of, vector
from coterie.log.state import State
from coterie.render.pictures import Jointed
from coterie.render.solids.geoms import BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, PLANE, SPHERE, Geoms

GROUND_M = 6.0  # how wide a ground without end is shown
LABEL_M, LETTERS_M = 0.06, 0.03  # how far above a body its name stands, and its letters
STILL = 1e-6  # less than this is no motion

Moment = tuple[float, Sequence[float]]  # when [s], and the positions of all joints


class Bodies:
    """The bodies of a scene: their shapes once, and how they move."""

    def __init__(self, scene: Jointed):
        self.mujoco = need("mujoco", "arms", "Arms in Foxglove need")
        self.scene, self.model, self.data = scene, scene.model, scene.data
        root = np.asarray(self.model.body_rootid)
        still = (np.asarray(self.model.body_weldid) == 0) & (np.asarray(self.model.body_mocapid)[root] < 0)
        self.moving = np.flatnonzero(~still).tolist()
        self.names = [MAP if s else self.model.body(b).name or f"body {b}" for b, s in enumerate(still)]
        self.sent = np.full((self.model.nbody, 7), np.inf)  # where each was last said to be

    def shapes(self, t: float) -> Any:
        """Everything there is, each shape in the frame of the body that carries it, with the names of things."""
        geoms, found = Geoms(self.model), defaultdict[str, dict[str, list[Any]]](lambda: defaultdict(list))
        rgba = geoms.rgba()
        for g in np.flatnonzero(geoms.shown(rgba)).tolist():
            name = self.names[geoms.body[g]]
            at, turn = self.model.geom_pos[g], self.model.geom_quat[g]
            if name == MAP:
                at, turn = self.data.geom_xpos[g], np.zeros(4)
                self.mujoco.mju_mat2Quat(turn, self.data.geom_xmat[g])
            for kind, shape in self._shapes(
                int(geoms.kind[g]), g, at, turn, fox.Color(**dict(zip("rgba", rgba[g].tolist())))
            ):
                found[name][kind].append(shape)
        for name in set(self.names) & self.scene.things:
            found[name]["texts"].append(text_at(name, (0.0, 0.0), LABEL_M, LETTERS_M))
        same = {"timestamp": time_of(t), "frame_locked": True}
        return fox.SceneUpdate(
            entities=[
                fox.SceneEntity(id=f"body {name}", frame_id=name, **same, **found[name]) for name in sorted(found)
            ]
        )

    def _shapes(self, kind: int, g: int, at: Any, turn: Any, hue: Any) -> Iterator[tuple[str, Any]]:
        """A geom as the primitives that Foxglove has."""
        size, where = self.model.geom_size[g], {"pose": _pose(at, turn), "color": hue}
        if kind == PLANE:
            wide, deep = (2 * s or GROUND_M for s in size[:2])
            yield "cubes", fox.CubePrimitive(size=vector(wide, deep, 0.0), **where)
        elif kind == BOX:
            yield "cubes", fox.CubePrimitive(size=vector(*2 * size), **where)
        elif kind in (SPHERE, ELLIPSOID):
            yield (
                "spheres",
                fox.SpherePrimitive(size=vector(*2 * (size if kind == ELLIPSOID else size[[0, 0, 0]])), **where),
            )
        elif kind in (CAPSULE, CYLINDER):
            across = 2 * size[0]
            long = vector(across, across, 2 * size[1])
            yield "cylinders", fox.CylinderPrimitive(size=long, bottom_scale=1.0, top_scale=1.0, **where)
            axis = np.zeros(3)
            self.mujoco.mju_rotVecQuat(axis, np.array([0.0, 0.0, size[1]]), turn)
            for end in (at - axis, at + axis) if kind == CAPSULE else ():
                ball = vector(across, across, across)
                yield "spheres", fox.SpherePrimitive(size=ball, pose=_pose(end, turn), color=hue)
        elif kind == MESH:
            m, mesh = self.model, int(self.model.geom_dataid[g])
            corners = m.mesh_vert[m.mesh_vertadr[mesh] :][: m.mesh_vertnum[mesh]].tolist()
            faces = m.mesh_face[m.mesh_faceadr[mesh] :][: m.mesh_facenum[mesh]]
            points = [fox.Point3(x=x, y=y, z=z) for x, y, z in corners]
            yield "triangles", fox.TriangleListPrimitive(points=points, indices=faces.ravel().tolist(), **where)

    # -- what moves -------------------------------------------------------------------------------------------------
    def moves(self, moments: Sequence[Moment], now: float) -> Iterator[tuple[float, Any]]:
        """Frame transforms of some moments, each with its time: all bodies first, then those that moved. Without a
        moment everything is where it was."""
        for n, (t, joints) in enumerate(moments or [(now, self.data.qpos.tolist())]):
            if len(joints) != self.model.nq:
                raise CoterieError(f"A frame of the log has {len(joints)} positions, the scene has {self.model.nq}.")
            self.data.qpos[:] = joints
            self.mujoco.mj_kinematics(self.model, self.data)
            where = self._relative()
            some = [b for b in self.moving if not n or np.abs(where[b] - self.sent[b]).max() > STILL]
            self.sent[some] = where[some]
            if some:
                yield float(t), fox.FrameTransforms(transforms=[self._transform(b, float(t)) for b in some])

    def _relative(self) -> Any:
        """Where each body is in the frame of its parent: place and turn."""
        found = np.zeros((self.model.nbody, 7))
        for b in self.moving:
            parent = self.model.body_parentid[b]
            at, turn = self.data.xpos[b], self.data.xquat[b]
            if self.names[parent] == MAP:
                found[b] = [*at, *turn]
                continue
            back = np.zeros(4)
            self.mujoco.mju_negQuat(back, self.data.xquat[parent])
            self.mujoco.mju_rotVecQuat(found[b, :3], at - self.data.xpos[parent], back)
            self.mujoco.mju_mulQuat(found[b, 3:], back, turn)
        return found

    def _transform(self, b: int, t: float) -> Any:
        parent, at = self.names[self.model.body_parentid[b]], self.sent[b]
        where = {"translation": vector(*at[:3]), "rotation": _quaternion(at[3:])}
        return fox.FrameTransform(timestamp=time_of(t), parent_frame_id=parent, child_frame_id=self.names[b], **where)

    def labels(self, state: State) -> Any:
        """The names of robots at their hands, with what they have just said."""
        made = []
        for name, frame in self.scene.hands.items():
            said = state.robots[name].said
            words = f"{name}: {said.text[:120]}" if said is not None and said.step == state.step else name
            some = {"frame_id": frame, "frame_locked": True, "texts": [text_at(words, (0.0, 0.0), LABEL_M, LETTERS_M)]}
            made.append(fox.SceneEntity(timestamp=time_of(state.t), id=f"robot {name}", **some))
        return fox.SceneUpdate(entities=made)


def _pose(at: Any, turn: Any) -> Any:
    return fox.Pose(position=vector(*at), orientation=_quaternion(turn))


def _quaternion(turn: Any) -> Any:
    w, x, y, z = map(float, turn)
    return fox.Quaternion(x=x, y=y, z=z, w=w)
