"""A house whose rooms can all be reached: doors that cut rooms off are opened, furniture in doorways is taken out.

Whatever was done, and whatever could not be mended, is told with the house.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from coterie.motion import polygons
from coterie.worlds.household.floor import Floor, keep_floor
from coterie.worlds.household.house import Door, House, Piece

RADIUS_M, REACH_M = 0.25, 1.5  # of a usual robot
NEAR_M = 0.6  # furniture so near a door may stand in its way
MOST_TRIES = 12  # floors that are made anew, some 10 ms each


def mended(house: House) -> House:
    house = _opened(house)
    floor = Floor(house)
    cut = unreached(floor)
    if cut:
        house, floor = _cleared(house, floor, cut)
    house = replace(house, told=(*house.told, *floor.told(RADIUS_M, REACH_M)))
    floor.house = house
    keep_floor(floor)
    return house


def unreached(floor: Floor) -> set[str]:
    """Rooms that no robot of the usual size gets into, from where most of the house is."""
    seen = set(np.unique(floor.room[floor.reachable(RADIUS_M)]).tolist())
    return {room.name for i, room in enumerate(floor.house.rooms) if i not in seen}


def _opened(house: House) -> House:
    """Nobody opens doors here: a closed one between two rooms is opened where there is no other way."""
    told, doors = list(house.told), list(house.doors)
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
    return replace(house, doors=tuple(doors), told=tuple(told))


def _cleared(house: House, floor: Floor, cut: set[str]) -> tuple[House, Floor]:
    """Takes out what stands in the doorways of rooms that are cut off, the smallest first, and only what helps."""
    doors = [d for d in house.doors if d.open and d.rooms[1] and cut & set(d.rooms)]
    near = [p for p in house.pieces if p.base_m < floor.height_m and any(_gap(p, d) <= NEAR_M for d in doors)]
    out: list[Piece] = []
    for piece in sorted(near, key=lambda p: p.size[0] * p.size[1])[:MOST_TRIES]:
        tried = Floor(_without(house, [*out, piece]))
        left = unreached(tried)
        out.append(piece)
        if not left:
            break
    for piece in out[:-1][::-1]:  # those that were in nobody's way come back
        rest = [p for p in out if p is not piece]
        if len(unreached(Floor(_without(house, rest)))) <= len(unreached(Floor(_without(house, out)))):
            out = rest
    if len(unreached(Floor(_without(house, out)))) >= len(cut):
        return house, floor
    told = []
    for piece in out:
        lost = [t.name for t in house.things if t.on == piece.name]
        more = f", and with it {', '.join(lost)}" if lost else ""
        told.append(f"{piece.name} stood in the only way into a room; it is left out{more}.")
    house = replace(_without(house, out), told=(*house.told, *told))
    return house, Floor(house)


def _gap(piece: Piece, door: Door) -> float:
    sides = list(polygons.edges(piece.corners))
    middle = ((door.a[0] + door.b[0]) / 2, (door.a[1] + door.b[1]) / 2)
    if polygons.contains(piece.corners, middle):
        return 0.0
    ends = [polygons.to_segment(p, a, b) for p in (door.a, door.b, middle) for a, b in sides]
    return min(ends + [polygons.to_segment(p, door.a, door.b) for p in piece.corners])


def _without(house: House, out: list[Piece]) -> House:
    gone = {p.name for p in out}
    pieces = tuple(p for p in house.pieces if p.name not in gone)
    return replace(house, pieces=pieces, things=tuple(t for t in house.things if t.on not in gone))
