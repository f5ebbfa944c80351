"""The jobs that come with the table, from `jobs.toml`: arms, things, posts, views, and what a memo knows of them."""

from __future__ import annotations

from collections.abc import Mapping
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


POST_HALF = 0.02  # [m] of a post's square foot


class Posts(NamedTuple):
    """The clutter of a job: how many posts, where they may stand, how high they rise, how far they keep off."""

    number: int
    x: tuple[float, float]
    y: tuple[float, float]
    top: tuple[float, float]  # [m] above the floor of the scene, as hands are measured
    keep: float  # [m] from the middle of anything that hands have to reach
    apart: float = 0.2  # [m] from each other
    half: tuple[float, float] = (POST_HALF, POST_HALF)  # [m] of a foot; a board has a long one
    least: int = 0  # layouts that have no room for so many are drawn anew
    tries: int = 4000
    nearer: float = 0.0  # [m] by so much things of a similar task may lie nearer


def in_tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the file as arguments of its class."""
    return {key: tuple(v) if isinstance(v, list) else v for key, v in row.items()}


def items_of(job: str) -> dict[str, Item]:
    return {name: Item(**in_tuples(row)) for name, row in JOBS[job]["items"].items()}
