"""Large houses from a seed: as many rooms as wanted along a corridor, most of them behind doors, some doors closed.

`house:SEED:ROOMS` names one, with 6 to 20 rooms. The work table stands in the living room, at one end of the corridor,
so that what lies at the other end is far away. Seeds are split as those of small houses are.
"""

from __future__ import annotations

import random

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.worlds.indoor.scenes.generate import (
    CONTAINERS,
    HIGH,
    SURFACES,
    NoRoom,
    along_wall,
    near,
    split_of,
    work_table,
)
from coterie.worlds.indoor.scenes.load import finish
from coterie.worlds.indoor.scenes.scene import Door, Furniture, Rect, Room, Scene, Work

FEWEST_ROOMS, MOST_ROOMS = 6, 20
CORRIDOR_M = 2.2
KINDS = ("kitchen", "bedroom", "bathroom", "study", "store room")
CLOSED = 0.6  # share of doors that begin closed


def large_scene(seed: int, rooms: int) -> Scene:
    """A valid house; sketches that do not work out are drawn again from the next sub-seed."""
    if not FEWEST_ROOMS <= rooms <= MOST_ROOMS:
        raise CoterieError(f"house:{seed}:{rooms}: a large house has {FEWEST_ROOMS} to {MOST_ROOMS} rooms.")
    for attempt in range(100):
        try:
            return finish(_sketch(rng_of("large scene", seed, rooms, attempt), seed, rooms))
        except (CoterieError, NoRoom):
            continue
    raise CoterieError(f"No house of {rooms} rooms could be made from seed {seed}.")


def _sketch(rng: random.Random, seed: int, count: int) -> Scene:
    rooms, doors = _rooms(rng, count)
    furniture = [work_table(rng, rooms[0].rect)]
    taken: list[tuple[Rect, float]] = [(furniture[0].rect, 0.0)]
    keep_clear = [(d.at[0] - 0.9, d.at[1] - 0.9, d.at[0] + 0.9, d.at[1] + 0.9) for d in doors]
    numbers: dict[str, int] = {}

    def put(name: str, room: Room, size: tuple[float, float], height: float, base: float, top: float | None) -> bool:
        for _ in range(30):
            rect = along_wall(rng, room.rect, size)
            if rect is None or any(near(rect, c, 0.0) for c in keep_clear):
                continue
            if any(near(rect, r, 0.85 if base == 0 and b == 0 else 0.0) for r, b in taken):
                continue
            numbers[name] = n = numbers.get(name, 0) + 1
            full = name if n == 1 else f"{name}_{n}"
            furniture.append(
                Furniture(full, name.replace("_", " "), room.name, rect, height, base, top is not None, False, top)
            )
            taken.append((rect, base))
            return True
        return False

    containers = high = 0
    for room in rooms:
        if room.kind == "corridor":
            continue
        for name, w, d, h in rng.sample(SURFACES[room.kind], 1 if rng.random() < 0.6 else 2):
            put(name, room, (w, d), h, 0.0, None)
        if rng.random() < 0.45:
            name, w, d, h, top = rng.choice(CONTAINERS[room.kind])
            containers += put(name, room, (w, d), h, 0.0, top)
        if rng.random() < 0.25:
            name, w, d = rng.choice(HIGH)
            high += put(name, room, (w, d), rng.choice([1.9, 2.0, 2.1]), 1.7, None)
    if containers < 2 or high < 1 or len(furniture) < count:
        raise NoRoom
    table = furniture[0].rect
    work = Work("table_0", (table[0] + 0.5, table[3] - 0.15), (table[0] + 0.95, table[1] + 0.3))
    return Scene(f"house:{seed}:{count}", tuple(rooms), tuple(doors), tuple(furniture), work, split_of(seed))


def _rooms(rng: random.Random, count: int) -> tuple[list[Room], list[Door]]:
    """The living room across the head of a corridor, the others on both sides of it in turn."""
    deep = round(rng.uniform(3.4, 4.0), 1)
    width = round(rng.uniform(4.8, 5.6), 1)
    top = round(2 * deep + CORRIDOR_M, 1)
    low = round(deep, 1)
    high = round(deep + CORRIDOR_M, 1)
    rooms = [Room("living_room", "living room", (0.0, 0.0, width, top))]
    ends = [width, width]  # of the two rows
    rows: list[tuple[Room, int]] = []
    numbers: dict[str, int] = {}
    for i in range(count - 2):
        row = i % 2
        kind = KINDS[0] if i == 0 else rng.choice(KINDS)
        numbers[kind] = n = numbers.get(kind, 0) + 1
        name = kind.replace(" ", "_") if n == 1 else f"{kind.replace(' ', '_')}_{n}"
        left, right = ends[row], round(ends[row] + rng.uniform(3.2, 4.0), 1)
        ends[row] = right
        rect = (left, 0.0, right, low) if row == 0 else (left, high, right, top)
        rows.append((Room(name, kind, rect), row))
    long = max(ends)
    rooms.append(Room("corridor", "corridor", (width, low, long, high)))
    rooms += [room for room, _ in rows]
    doors = [
        Door("corridor_opening", ("living_room", "corridor"), (width, round((low + high) / 2, 1)), 1.6, True, False)
    ]
    for room, row in rows:
        x = round(rng.uniform(room.rect[0] + 0.9, room.rect[2] - 0.9), 1)
        swings = rng.random() < 0.8
        is_open = not swings or rng.random() >= CLOSED
        at = (x, low if row == 0 else high)
        doors.append(Door(f"{room.name}_door", ("corridor", room.name), at, 0.9 if swings else 1.2, is_open, swings))
    return rooms, doors
