"""A scene of bodies and joints, such as arms at a table, as Foxglove's messages: a frame and shapes for each body."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.lazy import need
from coterie.export.parts import MAP, SCENE, TF, fox, text_at, time_of, vector
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
        self.names = [MAP, *(self.model.body(b).name or f"body {b}" for b in range(1, self.model.nbody))]
        self.sent = np.full((self.model.nbody, 7), np.inf)  # where each was last said to be

    def shapes(self, t: float) -> Any:
        """Everything there is, each shape in the frame of the body that carries it, with the names of things."""
        geoms, found = Geoms(self.model), defaultdict[str, dict[str, list[Any]]](lambda: defaultdict(list))
        rgba = geoms.rgba()
        for g in np.flatnonzero(geoms.shown(rgba)).tolist():
            for kind, shape in self._shapes(g, fox.Color(**dict(zip("rgba", rgba[g].tolist())))):
                found[self.names[geoms.body[g]]][kind].append(shape)
        for name in set(self.names) & self.scene.things:
            found[name]["texts"].append(text_at(name, (0.0, 0.0), LABEL_M, LETTERS_M))
        same = {"timestamp": time_of(t), "frame_locked": True}
        made = [fox.SceneEntity(id=f"body {name}", frame_id=name, **same, **found[name]) for name in sorted(found)]
        return fox.SceneUpdate(entities=made)

    def _shapes(self, g: int, hue: Any) -> Iterator[tuple[str, Any]]:
        """A geom as the primitives that Foxglove has."""
        m, kind, (a, b, c) = self.model, int(self.model.geom_type[g]), self.model.geom_size[g]
        at, turn = m.geom_pos[g], m.geom_quat[g]
        where = {"pose": _pose(at, turn), "color": hue}
        if kind in (PLANE, BOX):
            size = vector(2 * a or GROUND_M, 2 * b or GROUND_M, 2 * c if kind == BOX else 0.0)
            yield "cubes", fox.CubePrimitive(size=size, **where)
        elif kind in (SPHERE, ELLIPSOID):
            size = vector(2 * a, 2 * b, 2 * c) if kind == ELLIPSOID else vector(2 * a, 2 * a, 2 * a)
            yield "spheres", fox.SpherePrimitive(size=size, **where)
        elif kind in (CAPSULE, CYLINDER):
            size = vector(2 * a, 2 * a, 2 * b)
            yield "cylinders", fox.CylinderPrimitive(size=size, bottom_scale=1.0, top_scale=1.0, **where)
            axis, ball = np.zeros(3), vector(2 * a, 2 * a, 2 * a)
            self.mujoco.mju_rotVecQuat(axis, np.array([0.0, 0.0, b]), turn)
            for end in (at - axis, at + axis) if kind == CAPSULE else ():
                yield "spheres", fox.SpherePrimitive(size=ball, pose=_pose(end, turn), color=hue)
        elif kind == MESH:
            mesh = int(m.geom_dataid[g])
            corners = m.mesh_vert[m.mesh_vertadr[mesh] :][: m.mesh_vertnum[mesh]].tolist()
            faces = m.mesh_face[m.mesh_faceadr[mesh] :][: m.mesh_facenum[mesh]]
            points = [fox.Point3(x=x, y=y, z=z) for x, y, z in corners]
            yield "triangles", fox.TriangleListPrimitive(points=points, indices=faces.ravel().tolist(), **where)

    def frame(self, moments: Sequence[Moment], state: State) -> Iterator[tuple[str, float, Any]]:
        """Frame transforms up to a state, all bodies before those that moved, and robots' names at their hands."""
        for n, (t, joints) in enumerate(moments or [(state.t, self.data.qpos.tolist())]):
            if len(joints) != self.model.nq:
                raise CoterieError(f"A frame of the log has {len(joints)} positions, the scene has {self.model.nq}.")
            self.data.qpos[:] = joints
            self.mujoco.mj_kinematics(self.model, self.data)
            where = self._relative()
            some = [b for b in range(1, len(where)) if not n or np.abs(where[b] - self.sent[b]).max() > STILL]
            self.sent[some] = where[some]
            if some:
                yield TF, t, fox.FrameTransforms(transforms=[self._transform(b, t) for b in some])
        named = [self._named(*hand, state) for hand in self.scene.hands.items()]
        yield SCENE, state.t, fox.SceneUpdate(entities=named)

    def _relative(self) -> Any:
        """Where each body is in the frame of its parent: place and turn."""
        found, back, at, turn = np.zeros((self.model.nbody, 7)), np.zeros(4), self.data.xpos, self.data.xquat
        for b, parent in enumerate(self.model.body_parentid):
            self.mujoco.mju_negQuat(back, turn[parent])
            self.mujoco.mju_rotVecQuat(found[b, :3], at[b] - at[parent], back)
            self.mujoco.mju_mulQuat(found[b, 3:], back, turn[b])
        return found

    def _transform(self, b: int, t: float) -> Any:
        parent, at = self.names[self.model.body_parentid[b]], self.sent[b]
        where = {"translation": vector(*at[:3]), "rotation": _quaternion(at[3:])}
        return fox.FrameTransform(timestamp=time_of(t), parent_frame_id=parent, child_frame_id=self.names[b], **where)

    def _named(self, robot: str, frame: str, state: State) -> Any:
        said = state.robots[robot].said
        words = f"{robot}: {said.text[:120]}" if said is not None and said.step == state.step else robot
        some = {"frame_id": frame, "frame_locked": True, "texts": [text_at(words, (0.0, 0.0), LABEL_M, LETTERS_M)]}
        return fox.SceneEntity(timestamp=time_of(state.t), id=f"robot {robot}", **some)


def _pose(at: Any, turn: Any) -> Any:
    return fox.Pose(position=vector(*at), orientation=_quaternion(turn))


def _quaternion(turn: Any) -> Any:
    w, x, y, z = map(float, turn)
    return fox.Quaternion(x=x, y=y, z=z, w=w)
