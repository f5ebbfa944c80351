"""Settings of the memo, and the names of its variants: `memo`, `memo:no-splanner`, `memo:tau=0.8-and-k=20`.

Families of tasks say how far the robots' work areas overlap, which decides how two tasks are compared. With low overlap
every robot has its own part of the table: a plan still fits when every target stays in its area. With high overlap the
arms share the space, so the old trajectories themselves are looked at. A task joins with
`families.put("my-task", Family("high", tau=0.8))`; a task without a family is taken for low overlap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from coterie.core.errors import CoterieError, unknown_name
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


NAME = "memo"
Reuse = Literal["tasks", "prefixes", "transitions", "things"]
REUSE: tuple[Reuse, ...] = ("tasks", "prefixes", "transitions", "things")


@dataclass(frozen=True)
class MemoSettings:
    """Everything that can be set. None: what the family of the task says."""

    tau: float | None = None  # least mean reuse ratio of a similar task
    eps: float = 0.01  # [m] a target that moved less has not moved; a radian counts `metres_per_rad`
    eta: float = 0.2  # distance between key points as a share of the path's points
    k: int | None = None  # tasks in the fast table
    base_steps: int | None = None  # rounds; a longer plan is not kept
    near: int = 32  # how many of the nearest tasks are looked at
    best: int = 8  # how many of those, the most promising, get the exact test
    axis: Literal["line", "x"] = "line"  # progress along start-goal, or along x as the paper prints it
    metres_per_rad: float = 0.1
    similarity: bool = True  # off: the task with the smallest mean displacement, untested
    splanner: bool = True  # off: old trajectories as they are
    continues: bool = True  # off: after a failure the model starts from scratch
    selective: bool = True  # off: one table, searched from end to end with the exact test
    reuse: Reuse = "things"  # what is used again; each takes in what stands before it, "tasks" is the paper's

    def tau_of(self, task: str) -> float:
        return family_of(task).tau if self.tau is None else self.tau

    def k_of(self, task: str) -> int:
        return family_of(task).k if self.k is None else self.k

    def base_of(self, task: str) -> int:
        return family_of(task).base_steps if self.base_steps is None else self.base_steps


ABLATIONS = {
    "no-similarity": "similarity",
    "no-splanner": "splanner",
    "no-continue": "continues",
    "no-selective": "selective",
}


def _number(kind: Callable[[str], float], good: Callable[[float], bool], words: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = kind(text)
        if not good(value):
            raise ValueError(words)
        return value

    return read


def _one_of(names: Sequence[str], words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in names:
            raise ValueError(words)
        return text

    return read


_SOME = _number(int, lambda n: n >= 1, "it is at least 1")
PARAMETERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "tau": ("tau", _number(float, lambda x: 0 <= x <= 1, "it lies between 0 and 1")),
    "eps": ("eps", _number(float, lambda x: 0 <= x < math.inf, "it is a length in metres")),
    "eta": ("eta", _number(float, lambda x: 0 < x <= 1, "it is more than 0 and at most 1")),
    "k": ("k", _number(int, lambda n: n >= 0, "it is not negative")),
    "base": ("base_steps", _SOME),
    "near": ("near", _SOME),
    "best": ("best", _SOME),
    "axis": ("axis", _one_of(("line", "x"), "it is 'line' or 'x'")),
    "reuse": ("reuse", _one_of(REUSE, f"it is one of {', '.join(REUSE)}")),
}


def parse_variant(name: str) -> MemoSettings:
    """`memo`, or `memo:` and parts joined with `-and-`: ablations and `parameter=value`. Ablations are the paper's, and
    so is what they use again, unless a part says otherwise."""
    head, _, rest = name.partition(":")
    if head != NAME:
        raise unknown_name("memo", name, variants())
    parts = list(filter(None, rest.split("-and-")))
    settings = MemoSettings(reuse="tasks") if set(parts) & set(ABLATIONS) else MemoSettings()
    for part in parts:
        settings = replace(settings, **_change(part))
    return settings


def variants() -> list[str]:
    return [NAME, *(f"{NAME}:{part}" for part in ABLATIONS)]


def _change(part: str) -> dict[str, Any]:
    if part in ABLATIONS:
        return {ABLATIONS[part]: False}
    key, sign, value = part.partition("=")
    if not sign or key not in PARAMETERS:
        raise unknown_name("variant of the memo", part, [*ABLATIONS, *(f"{p}=…" for p in PARAMETERS)])
    field, read = PARAMETERS[key]
    try:
        return {field: read(value)}
    except ValueError as err:
        raise CoterieError(f"'{part}' does not fit the memo: {key} cannot be '{value}' ({err}).") from err
