"""Observed behaviour of a robot as a sequence of symbols: how far it moved, and whether its hands are full."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

EVERY = 2  # steps between two looks
STILL_M, STEP_M = 0.05, 0.3  # moved by less, it stood; by less than that, it made one step of two
MOVES = 3  # stood, one step, two
KINDS = 2 * MOVES  # with empty hands, and with full ones


class Look(NamedTuple):
    step: int
    x: float
    y: float
    full: bool  # hands


class Track:
    """Looks at one robot, in order. One that comes too soon after the last is left out."""

    def __init__(self) -> None:
        self.looks: list[Look] = []

    def add(self, step: int, at: tuple[float, float], full: bool) -> None:
        if not self.looks or step - self.looks[-1].step >= EVERY:
            self.looks.append(Look(step, at[0], at[1], full))


def symbols(looks: Sequence[Look]) -> list[list[int]]:
    """Runs of symbols; a new run begins wherever a look is missing."""
    found: list[list[int]] = [[]]
    for before, now in pairwise(looks):
        if now.step - before.step != EVERY:
            found.append([])
            continue
        far = math.hypot(now.x - before.x, now.y - before.y)
        moved = 0 if far < STILL_M else 1 if far < STEP_M else 2
        found[-1].append(moved + MOVES * now.full)
    return [run for run in found if run]
