"""Habits of residents, from a TOML file: what they take, where they use it, how often, and whether they leave it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from coterie.core.reader import Reader, load_toml
from coterie.houses.placement import kinds

USUAL = Path(__file__).with_name("habits.toml")
LONGEST = 10_000  # steps


class Habit(NamedTuple):
    name: str
    takes: tuple[str, ...]  # kinds of things
    source: tuple[str, ...]  # kinds of furniture that they are taken from; none named: any place
    to: tuple[str, ...]  # kinds of furniture at which they are used
    often: float  # times in 100 steps
    stays: tuple[int, int]  # steps that one stays there
    leaves: float  # probabilities: that the thing is left there,
    keeps: float  # that it is to stay there then,
    says: float  # and that one says to be done with it


class Habits(NamedTuple):
    """The habits from which those of each resident are drawn."""

    all: tuple[Habit, ...]
    until: int  # the step after which residents rest
    each: int  # how many habits each of them has


@lru_cache(maxsize=16)
def read_habits(path: Path = USUAL) -> Habits:
    file = Reader(load_toml(path, "habits"), str(path))
    until = file.number("until", 300, 0, LONGEST, whole=True)
    each = file.number("habits_each", 4, 1, 100, whole=True)
    found = tuple(_habit(row) for row in file.tables("habit"))
    if not found:
        raise file.fail("there is no habit; add a table [[habit]] with `name`, `takes` and `to`.")
    file.done()
    return Habits(found, until, each)


def _habit(row: Reader) -> Habit:
    things = [name for name, kind in kinds().items() if kind.thing]
    pieces = [name for name, kind in kinds().items() if kind.receptacle]
    lists = {key: row.texts(key, required=key != "from") for key in ("takes", "from", "to")}
    for key, names in lists.items():
        for name in names:
            row.known("kind", name, things if key == "takes" else pieces)
    low, high = row.numbers("stays", 2, (5.0, 20.0))
    if not 0 <= low <= high <= LONGEST:
        raise row.fail(f"`stays` is from {low:g} to {high:g} steps; write the fewest first, like stays = [5, 20].")
    shares = [row.number(key, usual, 0, 1) for key, usual in (("leaves", 0.5), ("keeps", 0), ("says", 0))]
    if shares[1] + shares[2] > 1:
        raise row.fail("`keeps` and `says` are shares of what is left, 1 together at most.")
    name, often = row.text("name", required=True), row.number("often", 0.5, 0.01, 50)
    row.done()
    return Habit(name, lists["takes"], lists["from"], lists["to"], often, (int(low), int(high)), *shares)
