"""A task as the memo sees it: T = (content, robots, targets, obstacles, constraints), plain data and nothing else."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from coterie.memo.settings import family_of


class BadRow(ValueError):
    """Stored text that is not what it should be; readers skip it."""


class Pose(NamedTuple):
    x: float
    y: float
    z: float
    yaw: float = 0.0  # [rad]; 0 for things that look the same from all sides


class Thing(NamedTuple):
    """A target: what it is, in which work area it lies, and where exactly."""

    category: str
    area: str
    x: float
    y: float
    z: float
    yaw: float = 0.0

    @property
    def pose(self) -> Pose:
        return Pose(self.x, self.y, self.z, self.yaw)


@dataclass(frozen=True)
class Case:
    """One task in one place. Cases with the same `structure` differ in positions alone."""

    world: str
    task: str
    content: str
    robots: tuple[tuple[str, str], ...]  # (name, body)
    objects: Mapping[str, Thing]  # the targets, by name
    obstacles: Mapping[str, Pose] = field(default_factory=dict)
    constraints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        poses = {n: t.pose for n, t in self.objects.items()} | dict(self.obstacles)
        for name, pose in poses.items():
            if not all(math.isfinite(v) for v in pose):
                raise BadRow(f"the position of '{name}' is not a number")

    @cached_property
    def kin(self) -> str:
        """A hash of all that must be equal but for the work areas: content, robots, what there is, constraints."""
        return _hash(self._equal())

    @cached_property
    def structure(self) -> str:
        """A hash of all that must be equal for a plan to fit; with low overlap the area of every target, too."""
        equal = self._equal()
        if family_of(self.task).overlap == "low":
            equal["areas"] = [[name, self.objects[name].area] for name in sorted(self.objects)]
        return _hash(equal)

    def _equal(self) -> dict[str, Any]:
        return {
            "world": self.world,
            "task": self.task,
            "content": self.content,
            "robots": sorted(self.robots),
            "objects": [[name, self.objects[name].category] for name in sorted(self.objects)],
            "obstacles": sorted(self.obstacles),
            "constraints": list(self.constraints),
        }

    @cached_property
    def vector(self) -> np.ndarray:
        """Positions of the targets in name order, then of the obstacles, as float32  # (3 * n,)"""
        things: list[Thing | Pose] = [self.objects[n] for n in sorted(self.objects)]
        things += [self.obstacles[n] for n in sorted(self.obstacles)]
        return np.array([(t.x, t.y, t.z) for t in things], dtype=np.float32).reshape(-1)

    def pose(self, name: str) -> Pose | None:
        """Where a thing lies; None for what the case does not list (a fixed place)."""
        if name in self.objects:
            return self.objects[name].pose
        return self.obstacles.get(name)

    # -- as text --------------------------------------------------------------------------------------------------
    def to_json(self) -> dict[str, Any]:
        """Its fields; tuples are lists in JSON."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_json(cls, data: Any) -> Case:
        try:
            return cls(
                _text(data["world"]),
                _text(data["task"]),
                _text(data["content"]),
                tuple((_text(n), _text(b)) for n, b in data["robots"]),
                {_text(n): Thing(_text(t[0]), _text(t[1]), *map(float, t[2:])) for n, t in data["objects"].items()},
                {_text(n): Pose(*map(float, p)) for n, p in data["obstacles"].items()},
                tuple(_text(c) for c in data["constraints"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as err:
            raise BadRow(f"not a case: {err}") from err


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _hash(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def displacement(a: Case, b: Case) -> float:
    """The mean change of position [m] of things in two cases of one kin."""
    if len(a.vector) != len(b.vector):
        return math.inf
    if not len(a.vector):
        return 0.0
    moved = (a.vector.astype(np.float64) - b.vector.astype(np.float64)).reshape(-1, 3)
    return float(np.sqrt((moved**2).sum(axis=1)).mean())
