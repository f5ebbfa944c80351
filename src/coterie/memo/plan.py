"""A plan as it is kept: rounds of one action per robot, each with its way points and the motions that were executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.action import WAIT
from coterie.memo.case import BadRow

Put = Callable[[np.ndarray], Any]
MOST_NUMBERS = 5_000_000  # in one plan; more is not a plan but an accident


def _frozen(values: Any, columns: int | None = None) -> np.ndarray:
    """A read-only matrix. One that is read-only already was looked at when it was read."""
    ready = isinstance(values, np.ndarray) and values.dtype == np.float64 and not values.flags.writeable
    if ready and values.ndim == 2 and columns in (None, values.shape[1]):
        return values
    array = np.array(values, dtype=np.float64)
    if array.size == 0:
        array = array.reshape(0, columns or 0)
    if array.ndim != 2 or (columns is not None and array.shape[1] != columns):
        raise BadRow(f"points have the shape {array.shape}")
    if not np.isfinite(array).all():
        raise BadRow("a point is not a number")
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False)
class Motion:
    """One movement of one robot: joint knots and the way of its hand.

    `toward` names the thing (or fixed place) at which the motion ends, empty for home and for waiting; `holds` names
    what is in the hand on the way. From these the memo follows how far each end has moved in another task.
    """

    knots: np.ndarray  # (n, joints)
    ee: np.ndarray  # (m, 3) [m]
    toward: str = ""
    holds: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "knots", _frozen(self.knots))
        object.__setattr__(self, "ee", _frozen(self.ee, 3))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Motion) and self.to_json() == other.to_json()

    def to_json(self, put: Put = np.ndarray.tolist) -> dict[str, Any]:
        return {"knots": put(self.knots), "ee": put(self.ee), "toward": self.toward, "holds": self.holds}


@dataclass(frozen=True, eq=False)
class Act:
    """The action of one robot in one round, with its motions."""

    skill: str
    args: tuple[str, ...] = ()
    path: np.ndarray | None = None  # (n, 3) way points that were asked for, if any
    motions: tuple[Motion, ...] = ()

    def __post_init__(self) -> None:
        if self.path is not None:
            object.__setattr__(self, "path", _frozen(self.path, 3))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Act) and self.to_json() == other.to_json()

    def __str__(self) -> str:
        return " ".join((self.skill, *self.args))

    def to_json(self, put: Put = np.ndarray.tolist) -> dict[str, Any]:
        path = None if self.path is None else put(self.path)
        motions = [m.to_json(put) for m in self.motions]
        return {"skill": self.skill, "args": list(self.args), "path": path, "motion": motions}


Step = Mapping[str, Act]  # robot -> what it does in this round


@dataclass(frozen=True)
class Plan:
    """Rounds in order."""

    steps: tuple[Step, ...]

    @property
    def effective_steps(self) -> int:
        """The number of rounds in which any robot acts."""
        return sum(any(act.skill.lower() != WAIT for act in step.values()) for step in self.steps)

    def motions(self) -> Iterator[tuple[int, str, int, Act, Motion]]:
        """Every motion in the order of time: step, robot, number, its action, itself."""
        for i, step in enumerate(self.steps):
            for j in range(max((len(act.motions) for act in step.values()), default=0)):
                for robot, act in step.items():
                    if j < len(act.motions):
                        yield i, robot, j, act, act.motions[j]

    def to_json(self, put: Put = np.ndarray.tolist) -> list[dict[str, Any]]:
        """`put` says what stands for an array of points."""
        return [{robot: act.to_json(put) for robot, act in step.items()} for step in self.steps]

    @classmethod
    def from_json(cls, data: Any, take: Callable[[Any], Any] = lambda points: points) -> Plan:
        """`take` gives the points back that something stands for."""
        if not isinstance(data, list):
            raise BadRow("not a plan: it is no list of steps")
        try:
            return cls(tuple({name(r): _act(a, take) for r, a in step.items()} for step in data))
        except (KeyError, TypeError, ValueError, AttributeError) as err:
            raise err if isinstance(err, BadRow) else BadRow(f"not a plan: {err}") from err


def name(value: Any) -> str:
    if not isinstance(value, str):
        raise BadRow(f"{value!r} is not a name")
    return value


def _act(data: Any, take: Callable[[Any], Any]) -> Act:
    motions = tuple(
        Motion(take(m["knots"]), take(m["ee"]), name(m.get("toward", "")), name(m.get("holds", "")))
        for m in data["motion"]
    )
    path = None if data.get("path") is None else take(data["path"])
    return Act(name(data["skill"]), tuple(name(a) for a in data["args"]), path, motions)
