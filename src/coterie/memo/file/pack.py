"""A plan in two columns: an outline as JSON text, and all of its numbers as one block of doubles.

Reading a plan is then a matter of microseconds, and the knots come back bit for bit.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from coterie.core.bounds import load_json
from coterie.memo.case import BadRow
from coterie.memo.plan import MOST_NUMBERS, Act, Motion, Plan, name


def pack(plan: Plan) -> tuple[str, bytes]:
    blocks: list[np.ndarray] = []
    at = 0

    def put(array: np.ndarray | None) -> list[int] | None:
        nonlocal at
        if array is None:
            return None
        place = [at, *array.shape]
        blocks.append(array)
        at += array.size
        return place

    outline = [
        {
            robot: {
                "skill": act.skill,
                "args": list(act.args),
                "path": put(act.path),
                "motion": [[put(m.knots), put(m.ee), m.toward, m.holds] for m in act.motions],
            }
            for robot, act in step.items()
        }
        for step in plan.steps
    ]
    if at > MOST_NUMBERS:
        raise BadRow(f"a plan of {at} numbers is too long to keep")
    numbers = np.concatenate([b.reshape(-1) for b in blocks]) if blocks else np.empty(0)
    if not np.isfinite(numbers).all():
        raise BadRow("a number of the plan is not finite")
    return json.dumps(outline, separators=(",", ":")), numbers.astype("<f8").tobytes()


def unpack(outline: str, numbers: bytes) -> Plan:
    try:
        data, values = load_json(outline), np.frombuffer(numbers, dtype="<f8")
        if not np.isfinite(values).all():
            raise BadRow("a number of the plan is not finite")
        if not isinstance(data, list):
            raise BadRow("the outline is no list of steps")
        return Plan(tuple({name(r): _act(a, values) for r, a in step.items()} for step in data))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as err:
        raise err if isinstance(err, BadRow) else BadRow(f"not a plan: {err}") from err


def _act(data: Any, values: np.ndarray) -> Act:
    motions = tuple(
        Motion(_cut(knots, values), _cut(ee, values), name(toward), name(holds))
        for knots, ee, toward, holds in data["motion"]
    )
    path = None if data["path"] is None else _cut(data["path"], values)
    return Act(name(data["skill"]), tuple(name(a) for a in data["args"]), path, motions)


def _cut(place: Any, values: np.ndarray) -> np.ndarray:
    at, rows, columns = place
    if at < 0 or rows < 0 or columns < 0 or at + rows * columns > len(values):
        raise BadRow("the numbers are cut short")
    return values[at : at + rows * columns].reshape(rows, columns)
