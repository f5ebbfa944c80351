"""Houses from a seed, with a work table and containers: `house:17` is small, `house:17:12` has twelve rooms.

Seeds below 10,000 are for training (even) and tuning (odd); tests use seeds from 10,000.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.houses.checks import finish
from coterie.houses.model import Door, Furniture, Rect, Room, Work, door_in_wall, furniture_on, meet, rect_corners
from coterie.houses.placement import furniture
from coterie.houses.scene import Scene

KINDS = ("kitchen", "bedroom", "bathroom", "study", "store room")
FEWEST_ROOMS, MOST_ROOMS = 6, 20  # of large houses
CORRIDOR_M = 2.2
CLOSED = 0.6  # share of the doors of large houses that begin closed
TEST_FROM = 10_000  # seeds of tests and suites
GAP_M = 0.85  # between pieces of furniture, for robots to stand there


def split_of(seed: int) -> str:
    return "test" if seed >= TEST_FROM else ("train" if seed % 2 == 0 else "dev")


def generate_scene(seed: int) -> Scene:
    """A valid house of three or four rooms around a living room."""
    found = _first_valid(200, lambda attempt: _small(rng_of("scene", seed, attempt), seed))
    if found is None:
        raise CoterieError(f"No house could be made from seed {seed}.")
    return found


def large_scene(seed: int, rooms: int) -> Scene:
    """A valid house of many rooms along a corridor, most of them behind doors, some doors closed.

    The work table stands in the living room, at one end of the corridor, so that what lies at the other is far away.
    """
    if not FEWEST_ROOMS <= rooms <= MOST_ROOMS:
        raise CoterieError(f"house:{seed}:{rooms}: a large house has {FEWEST_ROOMS} to {MOST_ROOMS} rooms.")
    found = _first_valid(100, lambda attempt: _large(rng_of("large scene", seed, rooms, attempt), seed, rooms))
    if found is None:
        raise CoterieError(f"No house of {rooms} rooms could be made from seed {seed}.")
    return found


def _first_valid(attempts: int, sketch: Callable[[int], Scene | None]) -> Scene | None:
    """Sketches that do not work out are drawn again from the next sub-seed."""
    for attempt in range(attempts):
        try:
            scene = sketch(attempt)
            if scene is not None:
                return finish(scene)
        except CoterieError:
            continue
    return None


def _small(rng: random.Random, seed: int) -> Scene | None:
    left, right = rng.uniform(4.6, 6.0), rng.uniform(3.4, 4.4)
    front, back = rng.uniform(4.0, 4.8), rng.uniform(3.2, 3.8)
    width, depth = round(left + right, 1), round(front + back, 1)
    left, front = round(left, 1), round(front, 1)
    kinds = ["kitchen", *rng.sample(["bedroom", "bathroom", "study", "store room"], 2)]
    rng.shuffle(kinds)
    rects: list[Rect] = [(left, 0.0, width, front), (0.0, front, left, depth), (left, front, width, depth)]
    if rng.random() < 0.35:  # two rooms at the back become one
        rects = [rects[0], (0.0, front, width, depth)]
    rooms = [Room("living_room", "living room", rect_corners((0.0, 0.0, left, front)))]
    rooms += [Room(kind.replace(" ", "_"), kind, rect_corners(rect)) for kind, rect in zip(kinds, rects)]
    sketch = _Sketch(rng, rooms, _small_doors(rng, rooms, left, front), clear_m=0.8, tries=40)
    containers = 0
    for room in rooms:
        sketch.surfaces(room, 2 if len(rooms) < 4 or room.kind == "living room" else rng.choice([1, 2]))
        if containers < 3:
            containers += sketch.container(room)
    high = sum([sketch.high(room) for room in rng.sample(rooms, k=min(2, len(rooms)))])
    if containers < 2 or high < 1 or not 8 <= len(sketch.furniture) <= 12:
        return None
    return sketch.scene(f"house:{seed}", seed, behind=rng.random() < 0.5)


def _small_doors(rng: random.Random, rooms: list[Room], left: float, front: float) -> list[Door]:
    doors = []
    for room in rooms[1:]:
        x0, y0, x1, _ = room.rect
        if y0 == 0.0:  # right of the living room
            at, other = (left, round(rng.uniform(1.2, front - 1.2), 1)), rooms[0]
        elif x0 == 0.0:  # behind it
            at, other = (round(rng.uniform(1.2, min(left, x1) - 1.2), 1), front), rooms[0]
        else:  # the far corner, entered from the room before it
            at, other = (round(rng.uniform(left + 1.0, x1 - 1.0), 1), front), rooms[1]
        swings = rng.random() >= 0.3
        doors.append(door_in_wall(f"{room.name}_door", other, room, at, 0.9 if swings else 1.2, swings=swings))
    return doors


def _large(rng: random.Random, seed: int, count: int) -> Scene | None:
    sketch = _Sketch(rng, *_large_rooms(rng, count), clear_m=0.9, tries=30)
    containers = high = 0
    for room in sketch.rooms:
        if room.kind == "corridor":
            continue
        sketch.surfaces(room, 1 if rng.random() < 0.6 else 2)
        if rng.random() < 0.45:
            containers += sketch.container(room)
        if rng.random() < 0.25:
            high += sketch.high(room)
    if containers < 2 or high < 1 or len(sketch.furniture) < count:
        return None
    return sketch.scene(f"house:{seed}:{count}", seed)


def _large_rooms(rng: random.Random, count: int) -> tuple[list[Room], list[Door]]:
    """The living room across the head of a corridor, the others on both sides of it in turn."""
    deep = round(rng.uniform(3.4, 4.0), 1)
    width = round(rng.uniform(4.8, 5.6), 1)
    top = round(2 * deep + CORRIDOR_M, 1)
    low, high = round(deep, 1), round(deep + CORRIDOR_M, 1)
    living = Room("living_room", "living room", rect_corners((0.0, 0.0, width, top)))
    ends = [width, width]  # of the two rows
    rows: list[tuple[Room, int]] = []
    numbers: dict[str, int] = {}
    for i in range(count - 2):
        row = i % 2
        kind = KINDS[0] if i == 0 else rng.choice(KINDS)
        left, right = ends[row], round(ends[row] + rng.uniform(3.2, 4.0), 1)
        ends[row] = right
        rect = (left, 0.0, right, low) if row == 0 else (left, high, right, top)
        rows.append((Room(_numbered(kind.replace(" ", "_"), numbers), kind, rect_corners(rect)), row))
    corridor = Room("corridor", "corridor", rect_corners((width, low, max(ends), high)))
    middle = (width, round((low + high) / 2, 1))
    doors = [door_in_wall("corridor_opening", living, corridor, middle, 1.6, swings=False)]
    for room, row in rows:
        x = round(rng.uniform(room.rect[0] + 0.9, room.rect[2] - 0.9), 1)
        swings = rng.random() < 0.8
        is_open = not swings or rng.random() >= CLOSED
        at = (x, low if row == 0 else high)
        doors.append(door_in_wall(f"{room.name}_door", corridor, room, at, 0.9 if swings else 1.2, is_open, swings))
    return [living, corridor, *(room for room, _ in rows)], doors


class _Sketch:
    """Rooms and doors, and furniture along the walls that keeps doorways and its own sides free."""

    def __init__(self, rng: random.Random, rooms: list[Room], doors: list[Door], clear_m: float, tries: int):
        self.rng, self.rooms, self.doors, self.tries = rng, rooms, doors, tries
        self.furniture = [_work_table(rng, rooms[0].rect)]
        self._clear = [(x - clear_m, y - clear_m, x + clear_m, y + clear_m) for x, y in (d.at for d in doors)]
        self._numbers: dict[str, int] = {}

    def surfaces(self, room: Room, count: int) -> None:
        for name, w, d, surface in self.rng.sample(furniture("surfaces")[room.kind], count):
            self._put(name, room, (w, d), surface)

    def container(self, room: Room) -> bool:
        name, w, d, surface, top = self.rng.choice(furniture("containers")[room.kind])
        return self._put(name, room, (w, d), surface, 0.0, top)

    def high(self, room: Room) -> bool:
        name, w, d = self.rng.choice(furniture("high")["all"])
        return self._put(name, room, (w, d), self.rng.choice([1.9, 2.0, 2.1]), 1.7)

    def _put(
        self,
        name: str,
        room: Room,
        size: tuple[float, float],
        surface: float,
        base: float = 0.0,
        top: float | None = None,
    ) -> bool:
        for _ in range(self.tries):
            rect = _along_wall(self.rng, room.rect, size)
            if rect is None or any(meet(rect, c) for c in self._clear):
                continue
            if any(meet(rect, f.rect, GAP_M if base == 0 and f.base_m == 0 else 0.0) for f in self.furniture):
                continue
            full, kind = _numbered(name, self._numbers), name.replace("_", " ")
            self.furniture.append(furniture_on(full, kind, room.name, rect, surface, base, top, opens=top is not None))
            return True
        return False

    def scene(self, name: str, seed: int, behind: bool = True) -> Scene:
        """`behind`: the arm stands at the far side of the work table, the tray at the near one."""
        x0, y0, _, y1 = self.furniture[0].rect
        arm, platform = (y1 - 0.15, y0 + 0.3) if behind else (y0 + 0.15, y1 - 0.3)
        work = Work("table_0", (x0 + 0.5, arm), (x0 + 0.95, platform))
        rooms, doors, furniture = tuple(self.rooms), tuple(self.doors), tuple(self.furniture)
        return Scene(name, rooms, (), doors, furniture, work=work, split=split_of(seed))


def _numbered(name: str, numbers: dict[str, int]) -> str:
    numbers[name] = n = numbers.get(name, 0) + 1
    return name if n == 1 else f"{name}_{n}"


def _work_table(rng: random.Random, room: Rect) -> Furniture:
    w, d = 2.2, 0.8
    x = round(rng.uniform(room[0] + 1.1, max(room[0] + 1.1, room[2] - w - 1.1)), 2)
    y = round(rng.uniform(room[1] + 1.5, max(room[1] + 1.5, room[3] - d - 1.3)), 2)
    return furniture_on("table_0", "table", "living_room", (x, y, x + w, y + d), 0.75)


def _along_wall(rng: random.Random, room: Rect, size: tuple[float, float]) -> Rect | None:
    x0, y0, x1, y1 = room[0] + 0.1, room[1] + 0.1, room[2] - 0.1, room[3] - 0.1
    side = rng.randrange(4)
    along, across = size if side < 2 else size[::-1]  # turned: the long side runs along the wall
    if x1 - x0 < along or y1 - y0 < across:
        return None
    if side < 2:
        x, y = rng.uniform(x0, x1 - along), y0 if side == 0 else y1 - across
    else:
        x, y = x0 if side == 2 else x1 - along, rng.uniform(y0, y1 - across)
    return (round(x, 2), round(y, 2), round(x + along, 2), round(y + across, 2))
