"""Families of tasks: how far the robots' work areas overlap decides how two tasks are compared.

With low overlap every robot has its own part of the table: a plan still fits when every target stays in its area. With
high overlap the arms share the space, so the old trajectories themselves are looked at. A task joins with
`families.put("my-task", Family("high", tau=0.8))`; a task without a family is taken for low overlap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coterie.core.registry import Registry

Overlap = Literal["low", "high"]


@dataclass(frozen=True)
class Family:
    """How tasks of a family are compared, and how many are kept in the fast table."""

    overlap: Overlap = "low"
    tau: float = 0.85  # the least mean reuse ratio of a similar task (high overlap alone)
    k: int = 50  # tasks in the fast table
    base_steps: int = 10  # rounds; a longer plan makes detours and is not kept
    any_order: bool = False  # whether turns of an old plan may change places where arms would get in each other's way


#: A world registers those of its tasks.
families: Registry[Family] = Registry("task family")

_ANY = Family()


def family_of(task: str) -> Family:
    return families.get(task) if task in families else _ANY
