"""Scenes with arms, built once: compiling is quick, but there are many tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import mujoco
import numpy as np

from coterie.motion.arm import Arm, arms_of, home_all
from coterie.motion.bodies import Mount, add_arm

BODIES = ("ur5e", "panda", "ur5e-suction", "humanoid")
BOX = mujoco.mjtGeom.mjGEOM_BOX


@dataclass(frozen=True)
class Scene:
    model: Any
    arms: dict[str, Arm]

    def data(self) -> Any:
        """A fresh state with all arms at home."""
        data = mujoco.MjData(self.model)
        home_all(self.model, data, self.arms.values())
        return data

    @property
    def home(self) -> np.ndarray:
        return np.concatenate([a.home for a in self.arms.values()])


def build(spec: Any, *mounts: Mount) -> Scene:
    for mount in mounts:
        add_arm(spec, mount)
    model = spec.compile()
    return Scene(model, arms_of(model, mounts))


@cache
def alone(body: str, at: tuple[float, float, float] = (0.0, 0.0, 0.0), rail: bool = True, yaw: float = 0.0) -> Scene:
    """One arm and nothing else."""
    return build(mujoco.MjSpec(), Mount("Alice", body, at, yaw, (-1.0, 1.0) if rail else None))


@cache
def two_rooms() -> Scene:
    """An arm on a rail that a wall without a door cuts in two."""
    spec = mujoco.MjSpec()
    spec.worldbody.add_body(name="wall").add_geom(type=BOX, size=[0.01, 3, 3])
    return build(spec, Mount("Alice", "ur5e", (0, 0, 0), rail=(-1.4, 1.4)))


@cache
def pair() -> Scene:
    """Alice and Bob at a table with a brick on it and a post between them."""
    spec = mujoco.MjSpec()
    world = spec.worldbody
    world.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[3, 3, 0.1], pos=[0, 0, -0.5])
    world.add_body(name="table", pos=[0, 0.5, 0.1]).add_geom(type=BOX, size=[1.6, 0.4, 0.05])
    world.add_body(name="post", pos=[0.3, 0.5, 0.35]).add_geom(type=BOX, size=[0.03, 0.03, 0.2])
    for name, x in (("brick", -0.3), ("other", -0.9)):
        thing = world.add_body(name=name, pos=[x, 0.5, 0.19])
        thing.add_freejoint()
        thing.add_geom(type=BOX, size=[0.04, 0.04, 0.04], mass=0.2)
    return build(
        spec,
        Mount("Alice", "ur5e", (-0.2, -0.07, 0.15), rail=(-1.3, 1.3)),
        Mount("Bob", "panda", (-0.2, 1.05, 0.1), rail=(-1.5, 1.3)),
    )
