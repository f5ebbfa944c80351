"""Families of tasks: how far the robots' work areas overlap decides how two tasks are compared.

With low overlap every robot has its own part of the table: a plan still fits when every target stays in its area. With
high overlap the arms share the space, so the old trajectories themselves are looked at. An outsider's task joins with
`families.put("my-task", Family("high", tau=0.8))`; a task without a family is taken for low overlap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coterie.core.registry import Registry

Overlap = Literal["low", "high"]


@dataclass(frozen=True)
class Family:
    """What a task is compared by, and how much of it is kept at hand."""

    overlap: Overlap = "low"
    tau: float = 0.85  # the least mean reuse ratio of a similar task (high overlap alone)
    k: int = 50  # tasks in the fast table
    base_steps: int = 10  # rounds; a longer plan makes detours and is not kept


#: tau and k as in the MeCo paper (Sec. 4.2, 5.2); the rounds of a straight plan, and two more for a clumsy one.
families: Registry[Family] = Registry("task family")
families.put("move-rope", Family("high", tau=0.7, k=40, base_steps=4))
families.put("pack-grocery", Family("high", tau=0.85, k=30, base_steps=8))
families.put("sandwich", Family("low", k=700, base_steps=9))
families.put("sort-cubes", Family("low", k=50, base_steps=7))
families.put("sweep-floor", Family("low", k=9, base_steps=10))
families.put("arrange-cabinet", Family("low", k=9, base_steps=6))

_ANY = Family()


def family_of(task: str) -> Family:
    return families.get(task) if task in families else _ANY
