"""A house whose rooms can all be reached: doors that cut rooms off are opened, furniture in doorways is taken out.

Robots take steps of 0.25 m along x and y, to multiples of it. Where such steps miss a narrow place between furniture,
the whole house is moved by a few centimetres; where that does not help, by finer amounts. Whatever else was done, and
whatever could not be repaired, is told with its reason.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from coterie.houses.floor import TALLEST_M, Floor, keep_floor
from coterie.houses.lattice import Lattice
from coterie.houses.model import Door, Furniture, House, Point
from coterie.motion import polygons

RADIUS_M, REACH_M, STEP_M = 0.25, 1.5, 0.25  # of a usual robot
NEAR_M = 0.6  # furniture so near a door may stand in its way
MOST_TRIES = 8  # pieces that are taken out to see whether it helps
SHIFTS = tuple((x / 20, y / 20) for x in range(5) for y in range(5))  # by whole cells of the floor
FINE = tuple((x / 80, y / 80) for x, y in sorted(product(range(4), repeat=2), key=lambda p: (p[0] % 2 + p[1] % 2, p)))
SLIMMER_M = (0.225, 0.2, 0.175, 0.15, 0.1, 0.05)
LOST = 0.02  # of the places of a house: more than that is worth a shift


class Fit(NamedTuple):
    """How well steps go through a house, by where it lies."""

    cut: frozenset[str]  # rooms that are not reached
    lost: float  # part of the free places that are not reached
    shift: Point


def repaired(house: House) -> House:
    house = _opened(house)
    floor = Floor(house)
    fit = fitted(floor)
    for fine in FINE if fit.cut else ():
        moved = Floor(_shifted(house, fine))
        other = fitted(moved)
        if len(other.cut) < len(fit.cut):
            house, floor, fit = moved.house, moved, other
        if not fit.cut:
            break
    if fit.cut:
        house, floor, fit = _cleared(house, floor, fit)
    lattice = Lattice(floor, RADIUS_M, STEP_M, fit.shift)
    inside = lattice.point(int(np.argmax(lattice.main)))
    told = [_why_cut(floor, name, inside) for name in sorted(fit.cut)]
    lost = [piece.name for piece in floor.unusable(RADIUS_M, REACH_M)]
    told += [
        f"{n} cannot be used: nobody can stand within {REACH_M:g} m of it. It is no receptacle here." for n in lost
    ]
    pieces = tuple(replace(p, receptacle=False) if p.name in lost else p for p in house.furniture)
    house = replace(_shifted(replace(house, furniture=pieces), fit.shift), notes=(*house.notes, *told))
    if fit.shift == (0.0, 0.0):  # otherwise it is made anew: a moved one would differ by roundings
        keep_floor(floor.belonging_to(house))
    return house


def _why_cut(floor: Floor, name: str, start: Point) -> str:
    """Why a room is not reached from a place: by the steps, by what leaves too narrow a way, or since there is none."""
    if name not in _missed(floor, RADIUS_M, start):
        return (
            f"{name} cannot be reached in steps of {STEP_M:g} m, though a robot of radius {RADIUS_M:g} m would fit: "
            "the way is narrow, and no step ends in it. Shorter steps may lead there."
        )
    fits = next((r for r in SLIMMER_M if name not in _missed(floor, r, start)), None)
    if fits is None:
        return f"{name} cannot be reached: no open door leads there, or something stands right across the way."
    return (
        f"{name} cannot be reached by a robot of radius {RADIUS_M:g} m: "
        f"the widest way there has room for one of {fits:g} m."
    )


def _missed(floor: Floor, radius_m: float, start: Point | None = None) -> frozenset[str]:
    """Rooms that a robot does not reach from a place, or from the largest region, however short its steps are."""
    seen = set(np.unique(floor.room[floor.reachable(radius_m, start)]).tolist())
    return frozenset(room.name for i, room in enumerate(floor.house.rooms) if i not in seen)


def fitted(floor: Floor) -> Fit:
    """The first place for the house at which steps go everywhere, or the best."""
    cut, best = _missed(floor, RADIUS_M), None
    for shift in SHIFTS:
        lattice = Lattice(floor, RADIUS_M, STEP_M, shift)
        main = lattice.main
        rooms = set(np.unique(floor.room[floor.cells(lattice.points[main])]).tolist())
        missed = frozenset(room.name for i, room in enumerate(floor.house.rooms) if i not in rooms)
        fit = Fit(missed, 1 - main.sum() / max(lattice.free.sum(), 1), shift)
        if best is None or (len(fit.cut), fit.lost) < (len(best.cut), best.lost):
            best = fit
        if missed <= cut and fit.lost <= LOST:
            break
    assert best is not None
    return best


def _opened(house: House) -> House:
    """Nobody opens doors here: a closed one between two rooms is opened where there is no other way."""
    told, doors = list(house.notes), list(house.doors)
    home = {room.name: room.name for room in house.rooms}

    def join(door: Door) -> bool:
        one, two = home[door.rooms[0]], home[door.rooms[1]]
        for name, at in home.items():
            home[name] = one if at == two else at
        return one != two

    inner = [(i, d) for i, d in enumerate(doors) if d.rooms[1]]
    for _, door in inner:
        if door.open:
            join(door)
    for i, door in inner:
        if not door.open and join(door):
            doors[i] = replace(door, open=True)
            told.append(f"{door.name} was closed and the only way between {' and '.join(door.rooms)}; it is open now.")
    return replace(house, doors=tuple(doors), notes=tuple(told))


def _cleared(house: House, floor: Floor, fit: Fit) -> tuple[House, Floor, Fit]:
    """Takes out what stands in the doorways of rooms that are cut off, the smallest first, and only what helps."""
    doors = [d for d in house.doors if d.open and d.rooms[1] and fit.cut & set(d.rooms)]
    near = [p for p in house.furniture if p.base_m < TALLEST_M and any(_gap(p, d) <= NEAR_M for d in doors)]
    out: list[Furniture] = []
    best = fit
    for piece in sorted(near, key=lambda p: p.size[0] * p.size[1])[:MOST_TRIES]:
        out.append(piece)
        best = fitted(Floor(_without(house, out)))
        if not best.cut:
            break
    if len(best.cut) >= len(fit.cut):
        return house, floor, fit
    for piece in out[-2::-1]:  # those that were in nobody's way come back
        rest = [p for p in out if p is not piece]
        again = fitted(Floor(_without(house, rest)))
        if len(again.cut) <= len(best.cut):
            out, best = rest, again
    told = []
    for piece in out:
        lost = [t.name for t in house.things if t.on == piece.name]
        more = f", and with it {', '.join(lost)}" if lost else ""
        told.append(f"{piece.name} stood in the only way into a room; it is left out{more}.")
    house = replace(_without(house, out), notes=(*house.notes, *told))
    return house, Floor(house), best


def _gap(piece: Furniture, door: Door) -> float:
    sides = list(polygons.edges(piece.corners))
    middle = ((door.a[0] + door.b[0]) / 2, (door.a[1] + door.b[1]) / 2)
    if polygons.contains(piece.corners, middle):
        return 0.0
    ends = [polygons.to_segment(p, a, b) for p in (door.a, door.b, middle) for a, b in sides]
    return min(ends + [polygons.to_segment(p, door.a, door.b) for p in piece.corners])


def _without(house: House, out: list[Furniture]) -> House:
    gone = {p.name for p in out}
    pieces = tuple(p for p in house.furniture if p.name not in gone)
    return replace(house, furniture=pieces, things=tuple(t for t in house.things if t.on not in gone))


def _shifted(house: House, by: Point) -> House:
    if by == (0.0, 0.0):
        return house

    def at(p: Point) -> Point:
        return round(p[0] + by[0], 3), round(p[1] + by[1], 3)

    old = house.moved
    return replace(
        house,
        rooms=tuple(replace(r, polygon=tuple(at(p) for p in r.polygon)) for r in house.rooms),
        walls=tuple(replace(w, a=at(w.a), b=at(w.b)) for w in house.walls),
        doors=tuple(replace(d, a=at(d.a), b=at(d.b)) for d in house.doors),
        furniture=tuple(replace(p, centre=at(p.centre), covers=None) for p in house.furniture),
        things=tuple(replace(t, spot=(*at(t.spot[:2]), t.spot[2])) for t in house.things),
        start=at(house.start) if house.start else None,
        moved=(round(old[0] + by[0], 4), round(old[1] + by[1], 4)),
    )
