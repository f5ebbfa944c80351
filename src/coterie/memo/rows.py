"""Rows of the file as records."""

from __future__ import annotations

from typing import NamedTuple

from coterie.memo.case import Case
from coterie.memo.plan import Plan


class Stored(NamedTuple):
    id: int
    episode: str
    case: Case
    plan: Plan
    freq: int


class Row(NamedTuple):
    """A line of `coterie memo list`."""

    id: int
    episode: str
    world: str
    task: str
    freq: int
    steps: int
