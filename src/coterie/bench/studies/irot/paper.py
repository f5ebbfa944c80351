"""The figures of the paper (Tables I to IV): %Suc, %PS, #TS, #AS, %SE by team, stranger and step.

Where a number and the percentage in its brackets do not go together and another number of the same table says which of
them is a misprint, the mended one stands here: steps of random strangers with learnt teams at step 50, and %PS of two
ablations at step 100.
"""

from __future__ import annotations

import csv
from functools import cache

from coterie.core.files import shipped

WEAKER = "irot weaker"  # IRoT with a weaker model: GPT-3.5 in the paper

Row = tuple[float, float, float, float, float | None]


@cache
def table() -> dict[tuple[str, str, int], Row]:
    """(team, stranger, step) -> the five numbers; "" is no stranger."""
    rows = csv.reader(shipped(__package__, "paper.csv").splitlines()[1:])
    return {
        (team, stranger, int(step)): (float(suc), float(ps), float(ts), float(actions), float(se) if se else None)
        for team, stranger, step, suc, ps, ts, actions, se in rows
    }


def numbers(team: str, stranger: str, step: int) -> Row | None:
    """A row of the paper; that of a team by itself is the same for every step."""
    return table().get((team, stranger, step if stranger else 0))
