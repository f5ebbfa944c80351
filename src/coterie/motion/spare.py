"""Shared state of the collision checks of one scene: copies to work on, handed on, and tables that never change.

A round asks for a dozen checkers. A copy of model and state costs more than a hundred checks with it, and is as good as
new once it is written over.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from coterie.motion import needs
from coterie.motion.arm import Arm

mujoco = needs.mujoco()

MOST = 8  # copies that wait for the next checker
CHANGED = ("geom_type", "geom_size", "geom_rbound", "geom_contype", "geom_conaffinity", "geom_margin", "geom_gap")
WRIST = 2  # links above the hand that a held thing may touch


class Kind(NamedTuple):
    """Geoms that are treated alike."""

    root: str
    part: str  # "hand" (with the wrist), "arm" or ""
    contype: int
    conaffinity: int


class Known(NamedTuple):
    """Tables of a model that depend only on which arms are checked."""

    names: list[str]  # of each geom: the robot or thing that it belongs to
    solid: np.ndarray  # numbers of geoms that collide with anything
    kinds: list[Kind]
    kind_of: np.ndarray  # for each of `solid`: the number of its kind


class Spare:
    """Copies of one model with its state, and tables about it. The model itself is never written to."""

    def __init__(self, model: Any):
        self.model = model
        self._waiting: list[tuple[Any, Any]] = []
        self._blank: list[Any] = []
        self._known: dict[tuple[str, ...], Known] = {}

    def take(self, data: Any) -> tuple[Any, Any]:
        """A copy of the model, and one of this state."""
        if not self._waiting:
            return copy.deepcopy(self.model), copy.copy(data)
        model, own = self._waiting.pop()
        for name in CHANGED:
            getattr(model, name)[:] = getattr(self.model, name)
        mujoco.mj_copyData(own, model, data)
        return model, own

    def give(self, model: Any, data: Any) -> None:
        """Nobody uses these two any more."""
        if len(self._waiting) < MOST:
            self._waiting.append((model, data))

    def blank(self) -> Any:
        """A state for somebody's own use, as if it were new; `back` takes it."""
        if not self._blank:
            return mujoco.MjData(self.model)
        data = self._blank.pop()
        mujoco.mj_resetData(self.model, data)
        return data

    def back(self, data: Any) -> None:
        if len(self._blank) < MOST:
            self._blank.append(data)

    def known(self, arms: Sequence[Arm]) -> Known:
        key = tuple(a.name for a in arms)
        if key not in self._known:
            self._known[key] = self._look(arms)
        return self._known[key]

    def _look(self, arms: Sequence[Arm]) -> Known:
        model = self.model
        names = [_root(model, arms, g) for g in range(model.ngeom)]
        solid = [g for g in range(model.ngeom) if model.geom_contype[g] or model.geom_conaffinity[g]]
        of = {
            g: Kind(names[g], _part(model, arms, g), int(model.geom_contype[g]), int(model.geom_conaffinity[g]))
            for g in solid
        }
        kinds = sorted(set(of.values()))
        number = {kind: i for i, kind in enumerate(kinds)}
        return Known(names, np.array(solid, dtype=int), kinds, np.array([number[of[g]] for g in solid], dtype=int))

    @cached_property
    def _middles(self) -> np.ndarray:
        """(geoms,) how far [m] a geom's middle is from the origin of its body."""
        return np.array([float(np.linalg.norm(at)) for at in self.model.geom_pos])

    def sizes(self, model: Any) -> list[float]:
        """How far [m] the farthest point of each body is from its origin, without those that hang from it. The model is
        a copy: its geoms are as large as they are checked."""
        size = np.zeros(model.nbody)
        np.maximum.at(size, model.geom_bodyid, self._middles + model.geom_rbound)
        found: list[float] = size.tolist()
        return found

    @cached_property
    def offsets(self) -> list[tuple[int, int, float]]:
        """Body, parent and the distance [m] of their origins, from the outermost inwards."""
        model = self.model
        far = [float(np.linalg.norm(at)) for at in model.body_pos]
        return [(b, int(model.body_parentid[b]), far[b]) for b in range(model.nbody - 1, 0, -1)]


def outermost(model: Any, body: int) -> str:
    """The name of the body that a body is part of. A robot that is not planned for keeps its own name, too."""
    return str(model.body(int(model.body_rootid[body])).name).partition("/")[0]


def _root(model: Any, arms: Sequence[Arm], geom: int) -> str:
    body = int(model.geom_bodyid[geom])
    for arm in arms:
        if body in arm.bodies:
            return arm.name
    if body == 0:
        return model.geom(geom).name or "world"
    return outermost(model, body)


def _part(model: Any, arms: Sequence[Arm], geom: int) -> str:
    """Which part of an arm a geom belongs to; a held thing may touch the hand that holds it."""
    body = int(model.geom_bodyid[geom])
    for arm in arms:
        if body in arm.bodies:
            wrist = arm.hand
            for _ in range(WRIST):
                wrist = int(model.body_parentid[wrist])
            while body and body != wrist:
                body = int(model.body_parentid[body])
            return "hand" if body == wrist else "arm"
    return ""
