"""Arms and what they handle for Foxglove: the bodies of a MuJoCo model once, and where they are in every frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coterie.render.solids.geoms import BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, SPHERE, Geoms

MAP = "map"


def bodies(model: Any, timestamp: Any) -> list[Any]:
    """An entity for each body that shows anything, in the frame of that body."""
    from foxglove.messages import SceneEntity

    geoms = Geoms(model)
    rgba = geoms.rgba()
    parts: dict[int, dict[str, Any]] = {}
    for g in range(model.ngeom):
        if geoms.shown(rgba)[g]:
            for form, primitive in _primitives(model, g, rgba[g]):
                parts.setdefault(int(geoms.body[g]), {}).setdefault(form, []).append(primitive)
    return [
        SceneEntity(timestamp=timestamp, frame_id=frame_of(model, b), frame_locked=True, id=frame_of(model, b), **some)
        for b, some in parts.items()
    ]


def frame_of(model: Any, body: int) -> str:
    return model.body(body).name or (MAP if body == 0 else f"body {body}")


def transforms(model: Any, data: Any, timestamp: Any) -> list[Any]:
    """Where every body is now."""
    from foxglove.messages import FrameTransform

    return [
        FrameTransform(
            timestamp=timestamp,
            parent_frame_id=MAP,
            child_frame_id=frame_of(model, b),
            translation=_vector(data.xpos[b]),
            rotation=_quaternion(data.xquat[b]),
        )
        for b in range(model.nbody)
        if frame_of(model, b) != MAP
    ]


def _primitives(model: Any, g: int, rgba: Any) -> Iterator[tuple[str, Any]]:
    from foxglove.messages import (
        Color,
        CubePrimitive,
        CylinderPrimitive,
        Point3,
        Pose,
        SpherePrimitive,
        TriangleListPrimitive,
    )

    kind, size = int(model.geom_type[g]), model.geom_size[g]
    pose = Pose(position=_vector(model.geom_pos[g]), orientation=_quaternion(model.geom_quat[g]))
    colour = Color(**{k: float(v) for k, v in zip("rgba", rgba)})
    if kind == BOX:
        yield "cubes", CubePrimitive(pose=pose, size=_vector(2 * size), color=colour)
    elif kind in (SPHERE, ELLIPSOID):
        wide = 2 * size if kind == ELLIPSOID else [2 * size[0]] * 3
        yield "spheres", SpherePrimitive(pose=pose, size=_vector(wide), color=colour)
    elif kind in (CYLINDER, CAPSULE):
        tube = _vector([2 * size[0], 2 * size[0], 2 * size[1]])
        yield (
            "cylinders",
            CylinderPrimitive(pose=pose, size=tube, bottom_scale=1.0, top_scale=1.0, color=colour),
        )
    elif kind == MESH:
        mesh = int(model.geom_dataid[g])
        first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        face, faces = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
        points = [Point3(x=float(x), y=float(y), z=float(z)) for x, y, z in model.mesh_vert[first : first + count]]
        indices = [int(i) for row in model.mesh_face[face : face + faces] for i in row]
        yield "triangles", TriangleListPrimitive(pose=pose, points=points, indices=indices, color=colour)


def _vector(values: Any) -> Any:
    from foxglove.messages import Vector3

    return Vector3(x=float(values[0]), y=float(values[1]), z=float(values[2]))


def _quaternion(values: Any) -> Any:
    """From MuJoCo's order, the real part first."""
    from foxglove.messages import Quaternion

    w, x, y, z = (float(v) for v in values)
    return Quaternion(x=x, y=y, z=z, w=w)
