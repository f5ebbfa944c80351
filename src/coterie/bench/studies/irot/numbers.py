"""The numbers of the paper's tables, from rows of a bench: %Suc, %PS, #TS, #AS, and %SE against the team by itself.

A method is written `TEAM+STRANGER@STEP`; its partner is `TEAM`, on the same task with the same seed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from coterie.bench.results import Row
from coterie.bench.statistics import Paired, paired

_METHOD = re.compile(r"([^+@]+)\+([^+@]+)@(\d+)(?:-\d+)?(?::([\w]+))?$")


class Joined(NamedTuple):
    team: str
    stranger: str
    step: int
    body: str = ""


def joined(method: str) -> Joined | None:
    """The parts of a method with one stranger; None for a team by itself."""
    found = _METHOD.match(method)
    return None if found is None else Joined(found[1], found[2], int(found[3]), found[4] or "")


def success(row: Row) -> float:
    return 100.0 * bool(row["success"])


def partial(row: Row) -> float:
    return 100.0 * float(row["ps"])


def temporal(row: Row) -> float:
    return float(row["ts"])


def actions(row: Row) -> float:
    """Steps of all robots together; where a task was not done, each counts the limit."""
    robots = row["robots"]
    if not row["success"]:
        return float((row["limit"] or row["steps"]) * len(robots))
    return float(sum(robot["steps"] for robot in robots.values()))


METRICS = {"%Suc ↑": success, "%PS ↑": partial, "#TS ↓": temporal, "#AS ↓": actions}


def efficiency(row: Row, alone: Row) -> float:
    """%SE of one task: the part of the team's steps that the stranger saved, where the task was done."""
    before = temporal(alone)
    return 100.0 * max(0.0, before - temporal(row)) / before if row["success"] and before else 0.0


def by_key(rows: Sequence[Row], method: str) -> dict[str, Row]:
    return {r["key"]: r for r in rows if r["method"] == method and "error" not in r}


def pairs(rows: Sequence[Row], method: str, other: str) -> list[tuple[Row, Row]]:
    """Tasks that both have played."""
    mine, theirs = by_key(rows, method), by_key(rows, other)
    return [(mine[key], theirs[key]) for key in mine if key in theirs]


def gain(found: Sequence[tuple[Row, Row]], metric: str) -> Paired:
    read = METRICS[metric]
    return paired([read(a) for a, _ in found], [read(b) for _, b in found], seed=metric)


def means(rows: Sequence[Row]) -> Mapping[str, float]:
    return {name: sum(map(read, rows)) / len(rows) for name, read in METRICS.items()} if rows else {}
