"""Which known type of teammates one has met, from their behaviour alone: where they are and whether they hold
something, step by step. How they speak is not looked at.

The type of a team is inferred by Bayes: each type predicts the next symbol from the last few, and the one that
predicted best is the likeliest. `benchmarks/team_types.py` makes `types.npz` from teams that play in training houses.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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


FILE = Path(__file__).with_name("types.npz")
TYPES = ("heuristic", "learning", "negotiate")
ORDER = 6  # symbols that the next one depends on
SMOOTH = 0.5  # of a symbol that was never seen there
BACK = 8.0  # how much a shorter past counts where a longer one was hardly seen
EACH = 0.5  # how much what one robot does counts beside what all do: the same is not counted twice
MOST_ROBOTS = 6
LONG = 2  # looks in a row at which all stand
MOST_STILL = 3  # looks in a row for which one stands who goes on after that
FIRST_STEPS = 6

Counts = list[NDArray[np.float64]]  # by the length of the past: (types, pasts, symbols)


class Library:
    def __init__(self, counts: Counts, together: NDArray[np.float64]):
        self.counts, self.together = counts, together  # (types, robots, whether all of them stood still, and how long)

    def predicted(self, past: Sequence[int], kind: int) -> NDArray[np.float64]:
        """How likely each symbol is next, for a type: from long pasts where they were seen, from short ones else."""
        shares = np.full(KINDS, 1.0 / KINDS)
        for length in range(min(len(past), ORDER) + 1):
            row = self.counts[length][kind, place(past[len(past) - length :])]
            shares = (row + BACK * shares) / (row.sum() + BACK)
        return shares

    def posterior(self, tracks: Iterable[Sequence[Look]]) -> dict[str, float]:
        """How likely each type is, given what all robots of one team were seen to do."""
        logs = np.full(len(TYPES), math.log(1.0 / len(TYPES)))
        tracks = list(tracks)
        for robots, still in stillness(tracks):
            rows = self.together[:, min(robots, MOST_ROBOTS)] + SMOOTH
            logs += np.log(rows[:, still] / rows.sum(axis=1))
        for looks in tracks:
            for run in symbols(looks):
                for at, symbol in enumerate(run):
                    past = run[max(0, at - ORDER) : at]
                    logs += [EACH * math.log(self.predicted(past, kind)[symbol]) for kind in range(len(TYPES))]
        shares = np.exp(logs - logs.max())
        return {t: float(p) for t, p in zip(TYPES, shares / shares.sum())}


def place(past: Sequence[int]) -> int:
    """The number of a past among those of its length."""
    number = 0
    for symbol in past:
        number = number * KINDS + symbol
    return number


def stillness(tracks: Sequence[Sequence[Look]]) -> list[tuple[int, int]]:
    """Of every moment at which several robots were looked at: how many, and whether all of them stood still: 0 if not,
    1 for one look, 2 for more in a row, which count once.

    Who stands for long has stopped, or its battery is flat, and does not count; nor do the first steps of all, in which
    every robot gets its bearings.
    """
    seen: dict[int, list[bool]] = {}
    for looks in tracks:
        both = [(a, b) for a, b in pairwise(looks) if b.step - a.step == EVERY]
        stood = [(b.step, math.hypot(b.x - a.x, b.y - a.y) < STILL_M) for a, b in both]
        for still, group in groupby(stood, key=lambda item: item[1]):
            rest = [step for step, _ in group]
            for step in rest if not still or len(rest) <= MOST_STILL else ():
                seen.setdefault(step, []).append(still)
    several = [(len(f), all(f)) for step, f in sorted(seen.items()) if len(f) > 1 and step > FIRST_STEPS]
    found: list[tuple[int, int]] = []
    for still, group in groupby(several, key=lambda item: item[1]):
        rows = [robots for robots, _ in group]
        found += [(rows[0], min(len(rows), LONG))] if still else [(robots, 0) for robots in rows]
    return found


@cache
def library() -> Library:
    with np.load(FILE) as file:
        counts = [file[f"counts{length}"].astype(np.float64) for length in range(ORDER + 1)]
        return Library(counts, file["together"].astype(np.float64))
