"""Declarations of the yard: kinds of names, fluents, and how a plan reads what follows from others."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core.expr import Expr, fl
from coterie.core.fluents import BOOL, LISTING, Declared
from coterie.core.kinds import ROBOTS, TEXT, Kind, Knower, things_known


def _cells(me: Knower) -> Sequence[str]:
    return [key[1] for key in me.belief.base if key[0] == "cell"]


KINDS = (
    TEXT,
    Kind("location"),  # where a thing can be: a cell, or the robot that holds it
    Kind("cell", _cells, parent="location", pattern=r"[0-9]+\s*,\s*[0-9]+", usual=True),
    Kind("way", lambda me: ("left", "right", "up", "down")),
    Kind("thing", things_known, usual=True, held=True),
    Kind("robot", lambda me: list(me.heartbeat), parent="location", usual=True),
    ROBOTS,
)


def _f(name: str, *args: str, value: str = BOOL) -> Declared:
    return Declared(name, args, value)


FLUENTS = (
    _f("at", "robot", value="cell"),
    _f("holding", "robot", value="thing"),
    _f("where", "thing", value="location"),
    _f("lifted", "thing"),
    _f("beam", "thing"),
    _f("cell", "cell"),
    _f("neighbour", "cell", "way", value="cell"),
    _f("next", "robot", "way", value="cell"),
    _f("occupant", "robot", "way", value="robot"),
    _f("standing", "cell", value="robot"),
    _f("contents", "cell", value=LISTING),
    _f("near", "robot", "thing"),
    _f("joined", "robot", "thing", "robot"),
    _f("hearers", "robot", "robots", value=LISTING),
)

#: A robot's next cell is the neighbour of its own; who stands where, and who lifts together, execution judges.
READINGS: dict[str, Expr | None] = {
    "next": fl("neighbour", fl("at", "?0"), "?1"),
    **dict.fromkeys(("occupant", "near", "joined", "hearers")),
}
