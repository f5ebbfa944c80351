"""Houses from a seed, written in ProcTHOR's JSON and read through the same loader as real ones.

Seeds below 10,000 are for training (even) and tuning (odd); the suites' houses have seeds from 10,000.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.houses.model import House
from coterie.houses.placement import assets
from coterie.houses.procthor.fitting import Fitter, Stocker, door_zones
from coterie.houses.procthor.layout import FIRST_ROOM, OUTSIDE, PLANS, Edge, Layout, lay_out
from coterie.houses.procthor.load import house_from

ATTEMPTS = 100
CORNER_M = 0.15  # between a door and the corner
LEAST_THINGS, LEAST_RECEPTACLES = 10, 4  # so that there is something to tidy up
Point = tuple[float, float]


def generate(rooms: int, seed: int) -> dict[str, Any]:
    """A house as ProcTHOR would write it, ready for `json.dump`."""
    return _made(rooms, seed)[0]


@lru_cache(maxsize=128)
def generated(rooms: int, seed: int) -> House:
    return _made(rooms, seed)[1]


def _made(rooms: int, seed: int) -> tuple[dict[str, Any], House]:
    """A draw with places that cannot be reached is made again from the next sub-seed."""
    if rooms not in PLANS:
        raise CoterieError(f"There are houses of {min(PLANS)} to {max(PLANS)} rooms, not of {rooms}.")
    for attempt in range(ATTEMPTS):
        rng = rng_of("household", rooms, seed, attempt)
        layout = lay_out(rng, rooms)
        if layout is None:
            continue
        data = _written(rng, layout)
        house = house_from(data, name=f"rooms:{rooms}:{seed}")
        if _good(house):
            return data, house
    raise CoterieError(f"No house of {rooms} rooms could be made from seed {seed}.")


def _good(house: House) -> bool:
    """True if the whole house can be reached and used, and there is enough to do."""
    receptacles = sum(piece.receptacle for piece in house.furniture)
    return not house.notes and len(house.things) >= LEAST_THINGS and receptacles >= LEAST_RECEPTACLES


def _written(rng: random.Random, layout: Layout) -> dict[str, Any]:
    height = round(rng.uniform(2.4, 3.2), 2)
    walls = {edge: _wall(layout, edge, height) for edge in layout.edges}
    outer = [_outer(wall) for edge, wall in walls.items() if edge.other == OUTSIDE]
    doors, zones = _doors(rng, layout, walls)
    fitter = Fitter(rng, layout, zones)
    for room in range(len(layout.kinds)):
        fitter.fill(room)
    stocker = Stocker(rng, fitter)
    objects = []
    for placed in fitter.placed:
        item = stocker.item(
            placed.asset, placed.kind, placed.room, placed.x, placed.y, placed.size[2] / 2, placed.yaw_deg
        )
        stocker.stock(placed)
        objects.append({**item, "children": placed.children} if placed.children else item)
    for room in range(len(layout.kinds)):
        objects += stocker.on_floor(room)
    return {
        "rooms": [_room(layout, room) for room in range(len(layout.kinds))],
        "walls": [*walls.values(), *outer],
        "doors": doors,
        "windows": [],
        "objects": objects,
        "proceduralParameters": {},
        "metadata": {"roomSpecId": f"{len(layout.kinds)}-room", "schema": "1.0.0", "warnings": {}},
    }


def _room(layout: Layout, room: int) -> dict[str, Any]:
    corners = [_at(layout, edge.a) for edge in layout.edges if edge.room == room]
    return {
        "id": f"room|{room + FIRST_ROOM}",
        "roomType": layout.kinds[room],
        "floorPolygon": [{"x": x, "y": 0, "z": y} for x, y in corners],
        "ceilings": [],
        "children": [],
    }


def _wall(layout: Layout, edge: Edge, height: float) -> dict[str, Any]:
    a, b = _at(layout, edge.a), _at(layout, edge.b)
    low, high = sorted((a, b))
    number = edge.room + FIRST_ROOM
    return {
        "id": f"wall|{number}|{low[0]:.2f}|{low[1]:.2f}|{high[0]:.2f}|{high[1]:.2f}",
        "roomId": f"room|{number}",
        "polygon": [{"x": x, "y": y, "z": z} for y in (0, height) for x, z in (a, b)],
    }


def _outer(wall: dict[str, Any]) -> dict[str, Any]:
    name = "wall|exterior|" + wall["id"].split("|", 2)[2]
    return {"id": name, "roomId": "exterior", "polygon": [wall["polygon"][i] for i in (1, 0, 3, 2)]}


def _at(layout: Layout, cell: tuple[int, int]) -> Point:
    return round(cell[0] * layout.cell_m, 3), round(cell[1] * layout.cell_m, 3)


def _doors(rng: random.Random, layout: Layout, walls: dict[Edge, dict[str, Any]]) -> tuple[list[Any], list[Any]]:
    """Doors, passages without walls between kitchens and living rooms, one closed door to the outside."""
    doors, zones = [], []
    for one, two in layout.joins:
        edge = max((e for e in layout.edges if (e.room, e.other) == (one, two)), key=lambda e: (e.length, e))
        other = next(e for e in walls if (e.room, e.a, e.b) == (two, edge.b, edge.a))
        day = {layout.kinds[one], layout.kinds[two]} <= {"Kitchen", "LivingRoom"}
        if day and rng.random() < 0.35:
            walls[edge]["empty"] = walls[other]["empty"] = True
            zones.append(door_zones(_at(layout, edge.a), _at(layout, edge.b)))
            continue
        leaf = rng.random() < 0.85
        door, zone = _door(rng, layout, edge, walls[edge], walls[other], "Doorway" if leaf else "Doorframe")
        if leaf:
            door |= {"openable": True, "openness": 1}
        doors.append(door)
        zones.append(zone)
    outside = [e for e in layout.edges if e.other == OUTSIDE and e.length * layout.cell_m > 1.6]
    first = [e for e in outside if layout.kinds[e.room] in ("LivingRoom", "Kitchen")] or outside
    if first:
        edge = rng.choice(first)
        door, zone = _door(rng, layout, edge, walls[edge], _outer(walls[edge]), "Doorway")
        doors.append(door | {"openable": False, "openness": 0})
        zones.append(zone)
    return doors, zones


def _door(
    rng: random.Random, layout: Layout, edge: Edge, wall: dict[str, Any], beyond: dict[str, Any], kind: str
) -> tuple[dict[str, Any], Any]:
    length = edge.length * layout.cell_m
    double = length > 3.0 and rng.random() < 0.5
    names = [n for n, (k, _) in assets().items() if k == kind and ("Double" in n) == double]
    asset = rng.choice(names)
    width, _, height = assets()[asset][1]
    low = rng.uniform(CORNER_M, length - width - CORNER_M)
    here, there = edge.room + FIRST_ROOM, (edge.room if edge.other == OUTSIDE else edge.other) + FIRST_ROOM
    door = {
        "id": f"door|{here}|{there}",
        "assetId": asset,
        "room0": f"room|{here}",
        "room1": f"room|{there}",
        "wall0": wall["id"],
        "wall1": beyond["id"],
        "holePolygon": [{"x": round(low, 3), "y": 0, "z": 0}, {"x": round(low + width, 3), "y": height, "z": 0}],
        "assetPosition": {"x": round(low + width / 2, 3), "y": height / 2, "z": 0},
    }
    a, b = _at(layout, edge.a), _at(layout, edge.b)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    ends = [(a[0] + ux * t, a[1] + uy * t) for t in (low, low + width)]
    return door, door_zones(*ends)
