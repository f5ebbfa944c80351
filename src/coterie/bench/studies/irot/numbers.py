"""The numbers of the paper's tables, from rows of a bench: %Suc, %PS, #TS, #AS, and %SE against the team by itself.

A method is written `TEAM+STRANGER@STEP`; its partner is `TEAM`, on the same task with the same seed. Where the model is
another one, `TEAM@MODEL+STRANGER@STEP`, so is that of the partner, unless it is the stranger's alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from coterie.bench.results import Row
from coterie.bench.statistics import Paired, paired
from coterie.bench.studies.irot.paper import WEAKER
from coterie.bench.table import interval
from coterie.core.protocol import asks_model, protocols

_METHOD = re.compile(r"([^+@]+)(?:@([^+]+))?\+([^+@]+)@(\d+)(?:-(\d+))?(?::([\w]+))?$")


class Joined(NamedTuple):
    team: str
    stranger: str
    step: int
    body: str = ""
    leaves: int | None = None
    model: str = ""  # another one than others ask

    @property
    def alone(self) -> str:
        """The same team by itself, as a method: with the same model, if it asks any."""
        own = self.model and "@" not in self.model and self.team in protocols and asks_model(self.team)
        return f"{self.team}@{self.model}" if own else self.team

    @property
    def words(self) -> str:
        """The stranger, as it stands in a table."""
        more = [self.body, f"leaves at {self.leaves}" if self.leaves is not None else "", self.model]
        listed = ", ".join(filter(None, more))
        return f"{self.stranger} ({listed})" if listed else self.stranger

    @property
    def in_paper(self) -> str | None:
        """Its name in the paper's tables; None where the paper has nothing of the kind."""
        if self.body or self.leaves is not None:
            return None
        return (WEAKER if self.stranger == "irot" else None) if self.model else self.stranger


def joined(method: str) -> Joined | None:
    """The parts of a method with one stranger; None for a team by itself."""
    found = _METHOD.match(method)
    if found is None:
        return None
    leaves = int(found[5]) if found[5] else None
    return Joined(found[1], found[3], int(found[4]), found[6] or "", leaves, found[2] or "")


def temporal(row: Row) -> float:
    return float(row["ts"])


def actions(row: Row) -> float:
    """Steps of all robots together; where a task was not done, each counts the limit."""
    robots = row["robots"]
    if not row["success"]:
        return float((row["limit"] or row["steps"]) * len(robots))
    return float(sum(robot["steps"] for robot in robots.values()))


METRICS: dict[str, Callable[[Row], float]] = {
    "%Suc ↑": lambda row: 100.0 * bool(row["success"]),
    "%PS ↑": lambda row: 100.0 * float(row["ps"]),
    "#TS ↓": temporal,
    "#AS ↓": actions,
}


def efficiency(row: Row, alone: Row) -> float:
    """%SE of one task: the part of the team's steps that the stranger saved; nothing where the task was not done."""
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


def told(found: Paired) -> str:
    """A difference as it stands in a table."""
    return f"{found.difference:+.1f} {interval(found.low, found.high, 1, '+')}"


def means(rows: Sequence[Row]) -> Mapping[str, float]:
    return {name: sum(map(read, rows)) / len(rows) for name, read in METRICS.items()} if rows else {}
