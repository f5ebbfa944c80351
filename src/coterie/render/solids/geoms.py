"""The geoms of a MuJoCo model as solids to draw; the model is only read, so nothing of MuJoCo is imported here."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.render.solids.quadrics import ball, disc, tube
from coterie.render.solids.zbuffer import FACES, Array, Canvas, Ints, Light, Window, ramp

# mjtGeom, the numbers of which are part of MuJoCo's interface
PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = 0, 2, 3, 4, 5, 6, 7
KINDS = (PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH)
LAST_GROUP = 2  # MuJoCo's own viewer shows groups 0 to 2 as well
_GREY = np.array([0.5, 0.5, 0.5, 1.0], np.float32)  # a geom that was given no colour takes that of its material
_CORNERS = np.array(list(product((-1, 1), repeat=3)), float)
_SIDES = np.array([[0, 0, 1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, -1]], float)
_TURN = np.arange(12) * (np.pi / 6)
_RIM = np.array([(np.cos(t), np.sin(t), s) for t in _TURN for s in (-1, 1)])
_BALL = np.array([p for p in product((-1, 0, 1), repeat=3) if any(p)], float)
_BALL /= np.linalg.norm(_BALL, axis=1)[:, None]
HULL = len(_BALL)


class Geoms:
    """The geoms of a model, in the shapes that drawing needs."""

    def __init__(self, model: Any):
        self.model = model
        self.kind: Ints = np.asarray(model.geom_type)
        self.size = np.asarray(model.geom_size)  # seen through: changes of the model show
        self.body: Ints = np.asarray(model.geom_bodyid)
        held = np.asarray(model.body_weldid)[self.body] == 0
        roots = np.asarray(model.body_rootid)[self.body]
        self.still = held & (np.asarray(model.body_mocapid)[roots] < 0)  # never moves
        self._known = np.isin(self.kind, KINDS) & (np.asarray(model.geom_group) <= LAST_GROUP)

    def rgba(self) -> Array:
        """Colours as they are now; they may change between two frames."""
        own = np.array(self.model.geom_rgba, np.float32)
        material = np.asarray(self.model.geom_matid)
        plain = (material >= 0) & (own == _GREY).all(axis=1)
        if plain.any():
            own[plain] = np.asarray(self.model.mat_rgba)[material[plain]]
        return own

    def shown(self, rgba: Array) -> NDArray[np.bool_]:
        return self._known & (rgba[:, 3] > 0)

    @cached_property
    def hull(self) -> tuple[Array, Array]:
        """Every geom as few points (n, HULL, 3) in its own frame and a radius around them; planes have no radius."""
        points, radii = np.zeros((len(self.kind), HULL, 3)), np.zeros(len(self.kind))
        for g, kind in enumerate(self.kind):
            size = self.size[g]
            some = np.zeros((1, 3))
            if kind == PLANE:
                radii[g] = np.inf
            elif kind == SPHERE:
                radii[g] = size[0]
            elif kind == CAPSULE:
                radii[g], some = size[0], np.array([[0, 0, size[1]], [0, 0, -size[1]]])
            elif kind == CYLINDER:
                some = _RIM * (size[0], size[0], size[1])
            elif kind == BOX:
                some = _CORNERS * size
            elif kind == ELLIPSOID:
                some = _BALL * size
            elif kind == MESH:
                corners = self._mesh(int(self.model.geom_dataid[g]))[0].reshape(-1, 3)
                some = corners[(corners @ _BALL.T).argmax(axis=0)]
            points[g] = some[np.arange(HULL) % len(some)]
        return points, radii

    @lru_cache(maxsize=256)  # noqa: B019 - lives as long as the model, which the picture holds anyway
    def _mesh(self, mesh: int) -> tuple[Array, Array]:
        """The triangles of a mesh: corners and their normals, (n, 3, 3) each."""
        m = self.model
        vert, normal, face = int(m.mesh_vertadr[mesh]), int(m.mesh_normaladr[mesh]), int(m.mesh_faceadr[mesh])
        faces = slice(face, face + int(m.mesh_facenum[mesh]))
        corners = np.asarray(m.mesh_vert)[vert + np.asarray(m.mesh_face)[faces]]
        return corners.astype(float), np.asarray(m.mesh_normal)[normal + np.asarray(m.mesh_facenormal)[faces]]

    # -- drawing; places and turns are in the frame of the eye ---------------------------------------------------------

    def window(self, canvas: Canvas, g: int, pos: Array, mat: Array) -> Window | None:
        points, radii = self.hull
        if self.kind[g] == PLANE:
            return canvas.whole()
        if radii[g]:
            return canvas.around_spheres((points[g, :2] @ mat.T + pos).tolist(), float(radii[g]))
        half = self.size[g]
        centre = np.zeros(3)
        if self.kind[g] == CYLINDER:
            half = half[[0, 0, 1]]
        elif self.kind[g] == MESH:
            centre, half = np.split(np.asarray(self.model.geom_aabb[g]), 2)
        return canvas.around_points((_CORNERS * half + centre) @ mat.T + pos)

    @np.errstate(invalid="ignore")  # rays that miss
    def draw(self, canvas: Canvas, g: int, pos: Array, mat: Array, light: Light, rgba: Array) -> None:
        colours, code, kind = ramp(tuple(rgba[:3].tolist())), (g + 1) * FACES, self.kind[g]
        size = self.size[g]
        at = self.window(canvas, g, pos, mat) if kind != CAPSULE else None  # which has three of its own
        if kind in (BOX, PLANE):
            sides = _SIDES
            if kind == PLANE:  # it has only an upper side; a length of 0 goes on for ever
                sides, size = _SIDES[:5][np.abs(_SIDES[:5]) @ (size * (1, 1, 0) + (0, 0, 1)) > 0], size * (1, 1, 0)
            normals = sides @ mat.T
            offsets = normals @ pos + np.abs(sides) @ size
            canvas.convex(normals, offsets, at, colours[light.level(normals, shiny=False)], code)
        elif kind in (CAPSULE, CYLINDER):
            r, half, axis = float(size[0]), float(size[1]), mat[:, 2]
            tube(canvas, pos, axis, r, half, kind == CAPSULE, light, (colours, code))
            for end in (axis, -axis) if kind == CYLINDER else ():
                level = int(light.level(end, shiny=False))
                disc(canvas, end, pos + end * half, r, at, colours[level], code + 1)
        elif kind == SPHERE:
            r = float(size[0])
            ball(canvas, np.eye(3) / r**2, pos, at, light, (colours, code), r)
        elif kind == ELLIPSOID:
            ball(canvas, (mat / size**2) @ mat.T, pos, at, light, (colours, code))
        elif kind == MESH and at is not None:
            corners, normals = self._mesh(int(self.model.geom_dataid[g]))
            front = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            front = ((-pos @ mat - corners[:, 0]) * front).sum(axis=1) > 0
            levels = light.level(normals[front] @ mat.T)
            canvas.triangles(corners[front] @ mat.T + pos, levels, colours, code)
