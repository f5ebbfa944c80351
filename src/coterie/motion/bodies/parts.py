"""Parts of arm bodies: links with one joint, capsules, boxes, servos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coterie.core.files import tables
from coterie.motion import needs

Vec = Sequence[float]
Range = tuple[float, float]
LAG = 0.02  # [s] by which a servo trails a moving target: its damping over its stiffness
PASSIVE = 0.02  # share of the damping that sits in the joint and still works when the servo is at its limit
COLOURS = {
    "grey": (0.55, 0.57, 0.6, 1), "dark": (0.2, 0.21, 0.23, 1), "white": (0.9, 0.9, 0.9, 1),
    "blue": (0.35, 0.5, 0.7, 1), "skin": (0.78, 0.6, 0.5, 1), "shirt": (0.3, 0.45, 0.4, 1),
}  # fmt: skip
ARMS = tables(__package__, "arms.toml")


@dataclass
class Kit:
    """Adds the parts of one robot to a spec under its name."""

    spec: Any  # mujoco.MjSpec
    name: str
    scale: float = 1.0  # of all lengths; masses and servos stay, which planning does not look at

    def __post_init__(self) -> None:
        self.mj = needs.mujoco()
        # A spec reads angles in degrees unless told otherwise, and the compiler belongs to whoever owns the scene.
        self.angle = 57.29577951308232 if self.spec.compiler.degree else 1.0

    def chain(self, name: str, known: Mapping[str, Any]) -> None:
        """Add a chain of links; those that are `known` are there already, like its base or the hand it is put on."""
        for link in ARMS[name]:
            body = known.get(link["name"]) or self.spec.body(f"{self.name}/{link['name']}")
            if body is None:
                parent = self.spec.body(f"{self.name}/{link['parent']}")
                body = self.body(parent, link["name"], link.get("pos", (0, 0, 0)), link.get("quat", (1, 0, 0, 0)))
            for part in link.get("parts", ()):
                getattr(self, part["part"])(body, **{k: v for k, v in part.items() if k != "part"})
            self.exclude(*link.get("exclude", ()))

    def body(self, parent: Any, name: str, pos: Vec = (0, 0, 0), quat: Vec = (1, 0, 0, 0)) -> Any:
        return parent.add_body(name=f"{self.name}/{name}", pos=self._long(pos), quat=_unit(quat), gravcomp=1)

    def capsule(self, body: Any, a: Vec, b: Vec, radius: float, mass: float, rgba: str = "grey") -> None:
        ends, size = self._long((*a, *b)), self._long((radius, 0, 0))
        body.add_geom(type=self.mj.mjtGeom.mjGEOM_CAPSULE, fromto=ends, size=size, mass=mass, rgba=COLOURS[rgba])

    def box(
        self, body: Any, pos: Vec, half: Vec, mass: float, rgba: str = "dark", friction: Vec = (1, 0.005, 0.0001)
    ) -> None:
        pos, half = self._long(pos), self._long(half)
        body.add_geom(
            type=self.mj.mjtGeom.mjGEOM_BOX, pos=pos, size=half, mass=mass, rgba=COLOURS[rgba], friction=friction
        )

    def ball(self, body: Any, pos: Vec, radius: float, mass: float, rgba: str = "grey") -> None:
        pos, size = self._long(pos), self._long((radius, 0, 0))
        body.add_geom(type=self.mj.mjtGeom.mjGEOM_SPHERE, pos=pos, size=size, mass=mass, rgba=COLOURS[rgba])

    def hinge(
        self, body: Any, name: str, axis: Vec, limits: Range, kp: float, force: float, armature: float = 0.1
    ) -> None:
        """A planned joint with its servo: stiffness `kp` [Nm/rad], at most `force` [Nm]."""
        kind = self.mj.mjtJoint.mjJNT_HINGE
        self._joint(body, name, kind, axis, limits, kp, armature, self.angle)
        self.servo(name, limits, kp, force)

    def slide(
        self, body: Any, name: str, axis: Vec, limits: Range, kp: float, force: float, armature: float = 1.0
    ) -> None:
        """A rail or a finger: stiffness `kp` [N/m], at most `force` [N]."""
        limits = (limits[0] * self.scale, limits[1] * self.scale)
        self._joint(body, name, self.mj.mjtJoint.mjJNT_SLIDE, axis, limits, kp, armature)
        self.servo(name, limits, kp, force)

    def _joint(
        self, body: Any, name: str, kind: Any, axis: Vec, limits: Range, kp: float, armature: float, unit: float = 1.0
    ) -> None:
        body.add_joint(
            name=f"{self.name}/{name}", type=kind, axis=axis, range=[v * unit for v in limits],
            limited=self.mj.mjtLimited.mjLIMITED_TRUE, armature=armature, damping=PASSIVE * LAG * kp,
        )  # fmt: skip

    def servo(self, joint: str, limits: Range, kp: float, force: float) -> None:
        """A position servo. The force limit keeps a collision from becoming an explosion."""
        act = self.spec.add_actuator(
            name=f"{self.name}/{joint}",
            target=f"{self.name}/{joint}",
            trntype=self.mj.mjtTrn.mjTRN_JOINT,
            ctrlrange=list(limits),
            ctrllimited=self.mj.mjtLimited.mjLIMITED_TRUE,
            forcerange=[-force, force],
            forcelimited=self.mj.mjtLimited.mjLIMITED_TRUE,
        )
        act.set_to_position(kp=kp, kv=(1 - PASSIVE) * LAG * kp)

    def ee(self, hand: Any, pos: Vec, quat: Vec = (1, 0, 0, 0)) -> None:
        """The point that tasks aim with: z out of the tool, x where the fingers open."""
        hand.add_site(name=f"{self.name}/ee", pos=self._long(pos), quat=_unit(quat), size=[0.01, 0.01, 0.01], group=4)

    def _long(self, lengths: Vec) -> list[float]:
        return [x * self.scale for x in lengths]

    def exclude(self, *pairs: Sequence[str]) -> None:
        """Neighbours that touch by construction. Parent and child never collide anyway, unless the parent is bolted."""
        for a, b in pairs:
            self.spec.add_exclude(bodyname1=f"{self.name}/{a}", bodyname2=f"{self.name}/{b}")


def _unit(quat: Vec) -> list[float]:
    size = sum(x * x for x in quat) ** 0.5
    return [x / size for x in quat]


# -- where an arm stands ----------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Mount:
    """One robot in a scene. All of it in the model is named after it: "Alice/hand", "Alice/j1".

    With `yaw` 0 an arm at home holds its tool out along world +x, and the humanoid looks along world -y.
    """

    name: str
    body: str  # a key of BODIES
    at: tuple[float, float, float]  # [m] of the base, world frame
    yaw: float = 0.0  # [rad] about world z
    rail: tuple[float, float] | None = None  # [m] the base slides along WORLD x, relative to `at`; None: bolted
    home: tuple[float, ...] = ()  # joint values, slide first when there is a rail; empty: the body's own
    scale: float = 1.0  # of every length of the body, for arms that reach farther or less far than its maker's
