"""The jobs that come with the table, from `jobs.toml`: arms, things, views, and what a memo knows of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from coterie.core.files import tables

JOBS: dict[str, dict[str, Any]] = tables(__package__, "jobs.toml")


class Item(NamedTuple):
    """A thing of a job: its half sizes [m], colour and mass [kg].

    `told` is the height above its centre at which planners are told that it lies; `same` is how many times it looks the
    same in one turn, 0 for a round one.
    """

    half: tuple[float, float, float]
    rgba: tuple[float, float, float, float]
    shape: str = "box"
    mass: float = 0.1
    told: float = 0.0
    same: int = 0


def items_of(job: str) -> dict[str, Item]:
    found: dict[str, Item] = {}
    for name, row in JOBS[job]["items"].items():
        fields: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in row.items()}
        found[name] = Item(**fields)
    return found
