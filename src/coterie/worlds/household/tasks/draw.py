"""Misplaced things and start poses of robots: drawn from a seed, as the paper on strangers does.

Some things are taken from where they belong and put onto furniture where they do not, or dropped somewhere on the
floor. Each of them can be reached, and has a home in the house that can be reached and has room for it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from coterie.core.errors import CoterieError
from coterie.houses.floor import floor_of, nearest_on
from coterie.houses.lattice import HEADINGS, Lattice
from coterie.houses.model import FLOOR, Furniture, House, Thing, has_room
from coterie.houses.placement import belongs
from coterie.worlds.household.setting import Start

RADIUS_M, STEP_M, REACH_M = 0.25, 0.25, 1.5  # of a usual robot
DROPPED = 0.5  # how often a thing lies on the floor instead of on the wrong furniture
SAFE_M = 0.1  # nearer than the reach, so that nothing lies just out of it
APART_M = 0.75  # between robots at first
TRIES = 200
Spot = tuple[float, float, float]


def lattice_of(house: House) -> Lattice:
    """Where usual robots go in a house; made once and kept with it."""
    kept = house.__dict__.get("_lattice")
    if not isinstance(kept, Lattice):
        kept = house.__dict__["_lattice"] = Lattice(floor_of(house), RADIUS_M, STEP_M)
    return kept


def right(house: House, thing: Thing, on: str, room: str) -> bool:
    """Whether a thing belongs on a piece or on the FLOOR of a room: by the table, or as the task wants it."""
    if house.homes:
        floor = next((f"{FLOOR}@room_{i}" for i, r in enumerate(house.rooms, 1) if r.name == room), "")
        return thing.name not in house.homes or (floor if on == FLOOR else on) in house.homes[thing.name]
    return room in house.room and belongs(
        thing.kind, FLOOR if on == FLOOR else house.piece[on].kind, house.room[room].kind
    )


def homes_in(house: House, thing: Thing) -> list[str]:
    """Pieces in the house where a thing belongs, and FLOOR where it belongs on the floor of some room."""
    found = [p.name for p in house.furniture if p.receptacle and right(house, thing, p.name, p.room)]
    return found + [FLOOR] * any(right(house, thing, FLOOR, room.name) for room in house.rooms)


def lies_in(house: House, on: str, spot: Sequence[float]) -> str:
    """The room of what lies on a piece or somewhere on the FLOOR."""
    return floor_of(house).room_at((spot[0], spot[1])) if on == FLOOR else house.piece[on].room


def tidied(house: House) -> House:
    """Without the things that lie where they do not belong: files need not be in order."""
    things = tuple(t for t in house.things if right(house, t, t.on, lies_in(house, t.on, t.spot)))
    return house if len(things) == len(house.things) else replaced(house, things)


def replaced(house: House, things: tuple[Thing, ...]) -> House:
    """The same house with other things in it; what was computed of its floor stays."""
    found = replace(house, things=things)
    for key in ("_floor", "_lattice", "piece", "room"):
        if key in house.__dict__:
            found.__dict__[key] = house.__dict__[key]
    return found


def mislaid(house: House, count: int, rng: random.Random) -> tuple[House, tuple[str, ...]]:
    """A house in which so many things are misplaced, and which."""
    house = tidied(house)
    usable = {p.name for p in house.furniture if p.receptacle and _near(house, p) <= REACH_M - SAFE_M}
    could = [t for t in house.things if any(_takes_back(house, t, h, usable) for h in homes_in(house, t))]
    if len(could) < count:
        if not could:
            raise CoterieError(f"The house '{house.name}' has nothing that could be misplaced; take another house.")
        raise CoterieError(
            f"The house '{house.name}' has {len(could)} things that could be misplaced, not {count}; "
            "take a lower level."
        )
    moved: dict[str, Thing] = {}
    for thing in rng.sample(could, len(could)):
        if len(moved) == count:
            break
        lying = [t for t in house.things if t.name not in moved] + list(moved.values())
        found = _displaced(house, thing, rng, lying)
        if found is not None:
            moved[thing.name] = found
    if len(moved) < count:
        raise CoterieError(f"In the house '{house.name}' no {count} things could be mislaid; take a lower level.")
    things = tuple(moved.get(t.name, t) for t in house.things)
    return replaced(house, things), tuple(t.name for t in house.things if t.name in moved)


def starts_in(house: House, robots: Sequence[str], rng: random.Random) -> tuple[tuple[str, Start], ...]:
    """Places all over the house, apart from each other where there is room for that."""
    lattice = lattice_of(house)
    free = np.flatnonzero(lattice.main).tolist()
    found: list[tuple[str, Start]] = []
    for name in robots:
        apart = APART_M
        for _ in range(TRIES):
            x, y = lattice.point(rng.choice(free))
            if all(math.hypot(x - s.x, y - s.y) >= apart for _, s in found):
                break
            apart = max(2 * RADIUS_M, apart * 0.99)
        else:
            raise CoterieError(f"The house '{house.name}' has no room for {len(robots)} robots.")
        found.append((name, Start(x, y, float(rng.choice(HEADINGS)))))
    return tuple(found)


def _takes_back(house: House, thing: Thing, home: str, usable: set[str]) -> bool:
    """True if a home of a thing that lies in order could take it back."""
    if home == FLOOR or home not in usable:
        return home == FLOOR
    lying = [(t, t.spot[:2]) for t in house.things if t.on == home and t is not thing]
    return has_room(house.piece[home], thing, lying)


# -- one thing --------------------------------------------------------------------------------------------------------
def _displaced(house: House, thing: Thing, rng: random.Random, lying: Sequence[Thing]) -> Thing | None:
    """The thing on the wrong furniture or on the floor; None where no place was found."""
    wide = 0.8 * max(thing.size[:2])  # a little of it may stick out
    pieces = [p for p in house.furniture if p.receptacle and min(p.size[:2]) >= wide]
    wrong = [p for p in pieces if not belongs(thing.kind, p.kind, house.room[p.room].kind)]
    dropped = not wrong or rng.random() < DROPPED
    for _ in range(TRIES):
        piece = None if dropped else rng.choice(wrong)
        spot = _on_piece(house, piece, thing, rng, lying) if piece else _on_floor(house, thing, rng)
        if spot is not None:
            return replace(thing, on=piece.name if piece else FLOOR, spot=spot)
    return None


def _on_floor(house: House, thing: Thing, rng: random.Random) -> Spot | None:
    lattice, floor = lattice_of(house), floor_of(house)
    x, y = lattice.point(rng.choice(np.flatnonzero(lattice.main).tolist()))
    x, y = round(x + rng.uniform(-0.3, 0.3), 2), round(y + rng.uniform(-0.3, 0.3), 2)
    room = house.room.get(floor.room_at((x, y)))
    if room is None or belongs(thing.kind, FLOOR, room.kind) or not floor.is_free((x, y), max(thing.size[:2]) / 2):
        return None
    return x, y, 0.0


def _on_piece(house: House, piece: Furniture, thing: Thing, rng: random.Random, lying: Sequence[Thing]) -> Spot | None:
    """Somewhere on a piece where there is room, within reach of a robot beside it."""
    w, d = (max(0.0, side / 2 - max(thing.size[:2]) / 2 - 0.02) for side in piece.size[:2])
    u, v = rng.uniform(-w, w), rng.uniform(-d, d)
    c, s = math.cos(math.radians(piece.yaw_deg)), math.sin(math.radians(piece.yaw_deg))
    x, y = round(piece.centre[0] + u * c - v * s, 3), round(piece.centre[1] + u * s + v * c, 3)
    wide = max(thing.size[:2])
    for other in lying:
        if other.on == piece.name and math.dist(other.spot[:2], (x, y)) < (wide + max(other.size[:2])) / 2:
            return None
    lattice = lattice_of(house)
    gaps = np.hypot(*(lattice.points[lattice.main] - np.array([x, y])).T)
    return (x, y, round(piece.surface_m, 3)) if gaps.min() <= REACH_M - SAFE_M else None


def _near(house: House, piece: Furniture) -> float:
    """How near robots get to a piece [m]."""
    lattice = lattice_of(house)
    at = lattice.points[lattice.main]
    return float(np.hypot(*(nearest_on(piece, at) - at).T).min(initial=math.inf))
