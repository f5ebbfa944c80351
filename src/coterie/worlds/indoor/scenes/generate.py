"""Houses from a seed: rooms cut from a rectangle, doors between neighbours, furniture along the walls.

Seeds below 10,000 are for training (even) and tuning (odd); tests use seeds from 10,000.
"""

from __future__ import annotations

import random

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.worlds.indoor.scenes.load import finish
from coterie.worlds.indoor.scenes.scene import Door, Furniture, Rect, Room, Scene, Work

SURFACES = {
    "living room": (("sofa", 1.6, 0.7, 0.45), ("tv_stand", 1.2, 0.5, 0.5), ("side_table", 0.6, 0.6, 0.6)),
    "kitchen": (("counter", 1.6, 0.6, 0.9), ("kitchen_table", 1.1, 0.7, 0.75), ("trolley", 0.7, 0.5, 0.8)),
    "bedroom": (("bed", 1.8, 1.4, 0.5), ("nightstand", 0.5, 0.5, 0.55), ("vanity", 1.0, 0.5, 0.75)),
    "bathroom": (("sink_top", 0.9, 0.5, 0.85), ("stool", 0.5, 0.5, 0.45)),
    "study": (("desk", 1.3, 0.7, 0.75), ("low_shelf", 1.0, 0.4, 0.8)),
    "store room": (("bench", 1.4, 0.5, 0.6), ("pallet", 0.9, 0.8, 0.3)),
}
CONTAINERS = {  # name, width, depth, shelf height, top
    "living room": (("cupboard", 0.9, 0.5, 0.6, 0.9),),
    "kitchen": (("freezer", 0.7, 0.7, 0.8, 1.6), ("pantry", 0.8, 0.5, 0.9, 1.5)),
    "bedroom": (("dresser", 0.9, 0.5, 0.7, 1.0),),
    "bathroom": (("washer", 0.6, 0.6, 0.5, 0.9),),
    "study": (("locker", 0.6, 0.5, 0.8, 1.2),),
    "store room": (("toolbox", 0.8, 0.6, 0.5, 0.7),),
}
HIGH = (("top_rack", 1.0, 0.3), ("ledge", 0.9, 0.3), ("beam", 1.2, 0.3))


def split_of(seed: int) -> str:
    return "test" if seed >= 10_000 else ("train" if seed % 2 == 0 else "dev")


def generate_scene(seed: int) -> Scene:
    """A valid house; sketches that do not work out are drawn again from the next sub-seed."""
    for attempt in range(200):
        try:
            return finish(_sketch(rng_of("scene", seed, attempt), seed))
        except (CoterieError, NoRoom):
            continue
    raise CoterieError(f"No house could be made from seed {seed}.")


class NoRoom(Exception):
    pass


def _sketch(rng: random.Random, seed: int) -> Scene:
    left, right = rng.uniform(4.6, 6.0), rng.uniform(3.4, 4.4)
    front, back = rng.uniform(4.0, 4.8), rng.uniform(3.2, 3.8)
    width, depth = round(left + right, 1), round(front + back, 1)
    left, front = round(left, 1), round(front, 1)
    kinds = ["kitchen", *rng.sample(["bedroom", "bathroom", "study", "store room"], 2)]
    rng.shuffle(kinds)
    rooms = [Room("living_room", "living room", (0.0, 0.0, left, front))]
    rects: list[Rect] = [(left, 0.0, width, front), (0.0, front, left, depth), (left, front, width, depth)]
    if rng.random() < 0.35:  # two rooms at the back become one
        rects = [rects[0], (0.0, front, width, depth)]
    for kind, rect in zip(kinds, rects):
        rooms.append(Room(kind.replace(" ", "_"), kind, rect))
    doors = _doors(rng, rooms, left, front)
    taken: list[tuple[Rect, float, float]] = []
    furniture = [work_table(rng, rooms[0].rect)]
    taken.append((furniture[0].rect, 0.0, 0.75))
    keep_clear = [(d.at[0] - 0.8, d.at[1] - 0.8, d.at[0] + 0.8, d.at[1] + 0.8) for d in doors]
    numbers: dict[str, int] = {}

    def put(
        name: str, room: Room, size: tuple[float, float], height: float, base: float, opens: bool, top: float | None
    ) -> bool:
        for _ in range(40):
            rect = along_wall(rng, room.rect, size)
            if rect is None or any(near(rect, c, 0.0) for c in keep_clear):
                continue
            if any(near(rect, r, 0.85 if base == 0 and b == 0 else 0.0) for r, b, _ in taken):
                continue
            numbers[name] = n = numbers.get(name, 0) + 1
            full = name if n == 1 else f"{name}_{n}"
            furniture.append(Furniture(full, name.replace("_", " "), room.name, rect, height, base, opens, False, top))
            taken.append((rect, base, top or height))
            return True
        return False

    containers = 0
    for room in rooms:
        surfaces = rng.sample(
            SURFACES[room.kind], k=2 if len(rooms) < 4 or room.kind == "living room" else rng.choice([1, 2])
        )
        for name, w, d, h in surfaces:
            put(name, room, (w, d), h, 0.0, False, None)
        if containers < 3:
            name, w, d, h, top = rng.choice(CONTAINERS[room.kind])
            containers += put(name, room, (w, d), h, 0.0, True, top)
    high = 0
    for room in rng.sample(rooms, k=min(2, len(rooms))):
        name, w, d = rng.choice(HIGH)
        high += put(name, room, (w, d), rng.choice([1.9, 2.0, 2.1]), 1.7, False, None)
    if containers < 2 or high < 1 or not 8 <= len(furniture) <= 12:
        raise NoRoom
    table = furniture[0].rect
    if rng.random() < 0.5:
        work = Work("table_0", (table[0] + 0.5, table[3] - 0.15), (table[0] + 0.95, table[1] + 0.3))
    else:
        work = Work("table_0", (table[0] + 0.5, table[1] + 0.15), (table[0] + 0.95, table[3] - 0.3))
    return Scene(f"house:{seed}", tuple(rooms), tuple(doors), tuple(furniture), work, split_of(seed))


def _doors(rng: random.Random, rooms: list[Room], left: float, front: float) -> list[Door]:
    doors = []
    for room in rooms[1:]:
        x0, y0, x1, _ = room.rect
        if y0 == 0.0:  # right of the living room
            at, other = (left, round(rng.uniform(1.2, front - 1.2), 1)), "living_room"
        elif x0 == 0.0:  # behind it
            at, other = (round(rng.uniform(1.2, min(left, x1) - 1.2), 1), front), "living_room"
        else:  # the far corner, entered from the room before it
            at, other = (round(rng.uniform(left + 1.0, x1 - 1.0), 1), front), rooms[1].name
        opening = rng.random() < 0.3
        doors.append(Door(f"{room.name}_door", (other, room.name), at, 1.2 if opening else 0.9, True, not opening))
    return doors


def work_table(rng: random.Random, room: Rect) -> Furniture:
    w, d = 2.2, 0.8
    x = round(rng.uniform(room[0] + 1.1, max(room[0] + 1.1, room[2] - w - 1.1)), 2)
    y = round(rng.uniform(room[1] + 1.5, max(room[1] + 1.5, room[3] - d - 1.3)), 2)
    return Furniture("table_0", "table", "living_room", (x, y, x + w, y + d), 0.75)


def along_wall(rng: random.Random, room: Rect, size: tuple[float, float]) -> Rect | None:
    w, d = size
    x0, y0, x1, y1 = room[0] + 0.1, room[1] + 0.1, room[2] - 0.1, room[3] - 0.1
    side = rng.randrange(4)
    along = w if side < 2 else d
    across = d if side < 2 else w
    if side >= 2:
        along, across = d, w  # turned: the long side runs along the wall
    if x1 - x0 < along or y1 - y0 < across:
        return None
    if side == 0:
        x, y = rng.uniform(x0, x1 - along), y0
    elif side == 1:
        x, y = rng.uniform(x0, x1 - along), y1 - across
    elif side == 2:
        x, y = x0, rng.uniform(y0, y1 - across)
    else:
        x, y = x1 - along, rng.uniform(y0, y1 - across)
    return (round(x, 2), round(y, 2), round(x + along, 2), round(y + across, 2))


def near(a: Rect, b: Rect, gap: float) -> bool:
    return a[0] < b[2] + gap and b[0] < a[2] + gap and a[1] < b[3] + gap and b[1] < a[3] + gap
