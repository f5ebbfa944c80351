"""Where robots stand: in rooms, at tables and doors, near people, and where things are handed over."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping

from coterie.worlds.hospital.scene import KITTING, OPEN, Door, Person, Pose, Room, Table

AWAY_M = 0.8  # from a table or a door to the robot or person at it
SPOTS = 3  # in every room, to be out of the way


def poses_in(
    rooms: Mapping[str, Room],
    doors: Mapping[str, Door],
    tables: Mapping[str, Table],
    people: Mapping[str, Person],
    shared: Collection[str] | None = None,
) -> Iterator[tuple[str, Pose]]:
    """A few in every room, at tables and on both sides of doors, and near people. `shared` are the tables beside which
    others than packers stand, who have poses of their own then; None: nobody packs."""
    packs = shared is not None
    for name, room in rooms.items():
        for i in range(SPOTS):
            yield f"{name}__{i + 1}", Pose(name, *toward(room, centre(room), (i - 1) * AWAY_M))
    for name, table in tables.items():
        room, at = rooms[table.room], (table.x, table.y)
        if packs:
            yield f"{name}__pack", Pose(table.room, *toward(room, at, AWAY_M), KITTING, (name,))
        if shared is None or name in shared:
            turned = math.pi / 2 if packs else 0.0
            yield f"{name}__side", Pose(table.room, *toward(room, at, AWAY_M, turned), OPEN, (name,))
    for number, name in enumerate(dict.fromkeys(table.room for table in tables.values()) if packs else ()):
        x, y = centre(rooms[name])
        give, take = (f"handover__{way}{number}" for way in ("give", "take"))
        yield give, Pose(name, round(x - 0.5, 2), y, KITTING, meets=(take,))
        yield take, Pose(name, round(x + 0.5, 2), y)
    for name, door in doors.items():
        for there in door.rooms if door.swings else ():
            yield f"{name}__{there}", Pose(there, *toward(rooms[there], (door.x, door.y), AWAY_M), reaches=(name,))
    for name, person in people.items():
        room = rooms[person.room]
        if person.supplies:
            corner = room.x + room.width - 0.6, room.y + room.height - 0.6
            yield f"{name}__near", Pose(person.room, *toward(room, corner, AWAY_M), near=(name,))
        elif not packs:
            yield f"{name}__near", Pose(person.room, *toward(room, centre(room), AWAY_M, math.pi / 2), near=(name,))


def centre(room: Room) -> tuple[float, float]:
    return room.x + room.width / 2, room.y + room.height / 2


def toward(room: Room, at: tuple[float, float], far_m: float, turned: float = 0.0) -> tuple[float, float]:
    """A point that far from another one towards the middle of a room, or turned away from that, within the walls."""
    x, y = centre(room)
    way = math.atan2(y - at[1], x - at[0]) + turned
    found = at[0] + far_m * math.cos(way), at[1] + far_m * math.sin(way)
    low, high = (room.x + 0.2, room.y + 0.2), (room.x + room.width - 0.2, room.y + room.height - 0.2)
    return round(min(max(found[0], low[0]), high[0]), 2), round(min(max(found[1], low[1]), high[1]), 2)
