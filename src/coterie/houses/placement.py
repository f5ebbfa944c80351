"""The placement table (`placement.toml`, read once): where kinds of things belong, their mass and size.

"Misplaced" is judged by this table and nothing else. Kinds are ProcTHOR's types.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from coterie.houses.model import FLOOR, ROOM_KINDS

HERE = Path(__file__).parent
Size = tuple[float, float, float]


class Kind(NamedTuple):
    """All that the table says about one kind of thing or furniture."""

    name: str
    size_m: Size  # width, depth, height
    rooms: tuple[int, ...]  # how usual in each of ROOM_KINDS: 0 never, 1 sometimes, 2 often
    mass_kg: float = 0.0  # of things
    on: Mapping[str, float] = {}  # on which part of such receptacles one lies, the most usual first; FLOOR is one
    surface: float = 1.0  # of receptacles: how high things lie, as a part of the height,
    most_m: float = 2.0  # and at most
    thing: bool = False
    receptacle: bool = False
    hung: bool = False  # on a wall, out of everybody's way


@cache
def kinds() -> Mapping[str, Kind]:
    table = tomllib.loads((HERE / "placement.toml").read_text("utf-8"))
    found: dict[str, Kind] = {}
    for section, rows in table.items():
        what = {"thing": section == "things", "receptacle": section == "receptacles"}
        for name, row in rows.items():
            fields = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
            found[name] = Kind(**{**fields, **what, "name": name})
    return found


@cache
def furniture(section: str) -> Mapping[str, list[Any]]:
    """The contents of generated houses by kind of room; `furniture.toml` says what stands in its rows."""
    found: Mapping[str, list[Any]] = tomllib.loads((HERE / "furniture.toml").read_text("utf-8"))[section]
    return found


@cache
def words() -> Mapping[str, Mapping[str, Any]]:
    """Words for furniture (`names.toml`)."""
    return tomllib.loads((HERE / "names.toml").read_text("utf-8"))


@cache
def assets() -> Mapping[str, tuple[str, Size]]:
    """Kind and bounding box of each asset that houses are furnished with."""
    lines = (HERE / "assets.csv").read_text("utf-8").splitlines()
    rows = csv.reader(line for line in lines if not line.startswith("#"))
    next(rows)
    return {name: (kind, (float(w), float(d), float(h))) for name, kind, w, d, h in rows}


def belongs(thing: str, receptacle: str, room: str) -> bool:
    """True if a kind of thing belongs on a kind of receptacle (or FLOOR) in a kind of room."""
    kind = kinds().get(thing)
    return kind is not None and receptacle in kind.on and usual(thing, room) > 0


def usual(kind: str, room: str) -> int:
    """How usual things or furniture are in a kind of room: 0 never, 1 sometimes, 2 often."""
    found = kinds().get(kind)
    return found.rooms[ROOM_KINDS.index(room)] if found and room in ROOM_KINDS else 0


@cache
def homes(thing: str) -> tuple[tuple[str, str], ...]:
    """(receptacle, room) kinds where a kind of thing belongs, the most usual first; none for an unknown one."""
    kind = kinds().get(thing)
    if kind is None:
        return ()
    # A pair counts only where such furniture is found in such rooms at all.
    pairs = [(on, room) for on in kind.on for room in ROOM_KINDS if on == FLOOR or usual(on, room)]
    found = [pair for pair in pairs if usual(thing, pair[1])]
    return tuple(sorted(found, key=lambda pair: -kind.on[pair[0]] * usual(thing, pair[1])))


def surface_m(kind: str, height_m: float) -> float:
    """How high things lie on a receptacle of some height."""
    known = kinds()[kind]
    return min(known.surface * height_m, known.most_m)
