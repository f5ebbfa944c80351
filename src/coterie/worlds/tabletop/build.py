"""Models from code: the table, its surroundings, and the parts that jobs are made of."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from coterie.motion.bodies import add_arm
from coterie.motion.needs import mujoco
from coterie.worlds.tabletop.job import Job, Layout, Pose, Xyz

if TYPE_CHECKING:
    from mujoco import MjModel

TIMESTEP = 0.002
Rgba = tuple[float, float, float, float]

TABLE_AT: Xyz = (0.0, 0.5, 0.1)
TABLE_HALF: Xyz = (1.6, 0.4, 0.05)

WOOD: Rgba = (0.80, 0.71, 0.58, 1.0)
STEEL: Rgba = (0.62, 0.64, 0.68, 1.0)
POST: Rgba = (0.36, 0.38, 0.42, 1.0)
MARK: Rgba = (0.93, 0.92, 0.88, 1.0)


def on_table(at: Xyz, inset: float) -> bool:
    """True if a point is above the table, farther than that from its edge."""
    return all(abs(at[i] - TABLE_AT[i]) < TABLE_HALF[i] - inset for i in (0, 1))


def model_of(job: Job, layout: Layout) -> tuple[MjModel, str]:
    """The compiled model of a job, and its description as text, which goes into the log."""
    mj = mujoco()
    spec = mj.MjSpec()
    spec.modelname = job.name
    spec.option.timestep = TIMESTEP
    spec.option.integrator = mj.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mj.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    _surroundings(spec, job)
    job.furnish(spec, layout)
    for name, (pose, half) in layout.posts().items():
        box(spec.worldbody, name, pose.at, half, POST, pose.yaw)
    for mount in job.mounts:
        add_arm(spec, mount)
    job.equip(spec, layout)
    for mount in job.mounts:
        for thing in job.graspable(layout):
            if job.grip_kind(thing):
                _weld(spec, f"{mount.name}/hand", thing)
    model = spec.compile()
    return model, spec.to_xml()


def _surroundings(spec: Any, job: Job) -> None:
    mj = mujoco()
    world = spec.worldbody
    world.add_light(pos=[0, 0, 3], dir=[0, 0, -1])
    floor = world.add_body(name="floor", pos=[0, 0, -0.5])
    floor.add_geom(type=mj.mjtGeom.mjGEOM_PLANE, size=[4, 4, 0.1], rgba=[0.86, 0.87, 0.88, 1])
    table = world.add_body(name="table", pos=list(TABLE_AT))
    for x0, y0, x1, y1 in _tops(job.hole):
        half = [(x1 - x0) / 2, (y1 - y0) / 2, TABLE_HALF[2]]
        at = [(x0 + x1) / 2 - TABLE_AT[0], (y0 + y1) / 2 - TABLE_AT[1], 0.0]
        table.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=half, pos=at, rgba=list(WOOD))


def _tops(hole: tuple[float, float, float, float] | None) -> list[tuple[float, float, float, float]]:
    """The table's top as rectangles around a hole."""
    x0, x1 = TABLE_AT[0] - TABLE_HALF[0], TABLE_AT[0] + TABLE_HALF[0]
    y0, y1 = TABLE_AT[1] - TABLE_HALF[1], TABLE_AT[1] + TABLE_HALF[1]
    if hole is None:
        return [(x0, y0, x1, y1)]
    a, b, c, d = hole
    return [(x0, y0, a, y1), (c, y0, x1, y1), (a, y0, c, b), (a, d, c, y1)]


def _weld(spec: Any, hand: str, thing: str) -> None:
    """Grasps are welds that wait to be switched on."""
    mj = mujoco()
    eq = spec.add_equality(
        name=weld_name(hand.split("/")[0], thing),
        type=mj.mjtEq.mjEQ_WELD,
        objtype=mj.mjtObj.mjOBJ_BODY,
        name1=hand,
        name2=thing,
        active=False,
    )
    eq.solref = [0.006, 1.0]
    eq.solimp = [0.95, 0.99, 0.001, 0.5, 2.0]


def weld_name(robot: str, thing: str) -> str:
    return f"{robot}+{thing}"


def turned(yaw: float) -> list[float]:
    return [math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)]


# -- parts ----------------------------------------------------------------------------------------------------------
def box(parent: Any, name: str, at: Xyz, half: Xyz, rgba: Rgba, yaw: float = 0.0, **more: Any) -> Any:
    """A fixed body made of one box."""
    body = parent.add_body(name=name, pos=list(at), quat=turned(yaw))
    body.add_geom(type=mujoco().mjtGeom.mjGEOM_BOX, size=list(half), rgba=list(rgba), **more)
    return body


def mark(parent: Any, name: str, at: Xyz, half: Xyz, rgba: Rgba = MARK) -> Any:
    """Paint: something to be seen that nothing collides with."""
    return box(parent, name, at, half, rgba, contype=0, conaffinity=0)


def loose(spec: Any, name: str, pose: Pose) -> Any:
    """A body that can be moved freely; geoms are added by the caller."""
    body = spec.worldbody.add_body(name=name, pos=list(pose.at), quat=turned(pose.yaw))
    body.add_freejoint(name=f"{name}/free")
    return body


def shaped(spec: Any, name: str, pose: Pose, shape: str, half: Xyz, rgba: Rgba, mass: float = 0.1, **more: Any) -> Any:
    """A loose box, upright cylinder or ball by its half sizes, or one of a mesh that is called `NAME/mesh`."""
    kinds, (x, _, z) = mujoco().mjtGeom, half
    kind, size = {
        "box": (kinds.mjGEOM_BOX, list(half)), "cylinder": (kinds.mjGEOM_CYLINDER, [x, z, 0]),
        "ball": (kinds.mjGEOM_SPHERE, [x, 0, 0]), "mesh": (kinds.mjGEOM_MESH, [0, 0, 0]),
    }[shape]  # fmt: skip
    own: dict[str, Any] = {"meshname": f"{name}/mesh"} if shape == "mesh" else {}
    own |= ROLLS_LITTLE if shape == "ball" else GRIPPY
    body = loose(spec, name, pose)
    body.add_geom(type=kind, size=size, rgba=list(rgba), mass=mass, **{**own, **more})
    return body


ROLLS_LITTLE = {"friction": [1.0, 0.02, 0.01], "condim": 6, "solref": [0.01, 1.0]}
GRIPPY = {"friction": [1.0, 0.02, 0.002], "condim": 4, "solref": [0.01, 1.0]}
