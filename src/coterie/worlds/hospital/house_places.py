"""Any house as a place of missions: its furniture are tables, its things are counted, and nobody has seen them yet.

Houses are those of `coterie.houses`: written ones (`flat`), generated ones (`rooms:5:3`), a user's TOML and ProcTHOR's
JSON. People know the rooms, the doors and the furniture, and the placement table says what usually lies where; where
anything lies is what robots see and people tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from coterie.core.action import WAIT
from coterie.core.errors import CoterieError
from coterie.core.reader import load_toml
from coterie.houses import names
from coterie.houses.model import House
from coterie.houses.placement import kinds, usual
from coterie.houses.procthor.items import snake
from coterie.worlds.hospital.bodies import SPOT, STRETCH, TEMI
from coterie.worlds.hospital.poses import poses_in
from coterie.worlds.hospital.scene import LABELS, Door, Person, Robot, Room, Scene, Table, label

#: The team of a house: who carries, who opens doors, and who only looks.
HELPER = replace(SPOT, skills=(*SPOT.skills[:-1], "lookat", "give", WAIT))
LOOKOUT = replace(TEMI, skills=("goto", "passdoor", "lookat", WAIT), about="a robot with a camera and no arm")
TEAM = {"Stretch": STRETCH, "Spot": HELPER, "Temi": LOOKOUT}
RESIDENT = "resident"
FAULTS = ("grasp", "door", "robot", "grasp+door", "")
UNFIT = ("GarbageCan", "Toilet")
LIVING = "LivingRoom"  # where people are, if there is one


def is_house(name: str) -> bool:
    """True if a name is that of a house; of TOML files, those with furniture are."""
    if name.endswith(".toml"):
        return "furniture" in load_toml(Path(name), "place")
    return name.partition(":")[0] in (*names.scene_names(), "rooms", "house") or ".json" in name


def house_place(name: str) -> Scene:
    return _place(names.house(name))


@lru_cache(maxsize=16)
def _place(house: House) -> Scene:
    rooms = _called([(r.name, r.kind, "") for r in house.rooms])
    pieces = [f for f in house.furniture if f.receptacle and not f.person]
    tables = _called([(f.name, f.kind, rooms[f.room]) for f in pieces])
    areas = {rooms[r.name]: Room(x, y, x1 - x, y1 - y) for r in house.rooms for x, y, x1, y1 in [r.rect]}
    doors = dict(_doors(house, rooms))
    stands = {tables[f.name]: Table(rooms[f.room], *f.centre) for f in pieces}
    lying = Counter((snake(t.kind), tables[t.on]) for t in house.things if t.on in tables)
    things = {snake(t.kind): t.kind for t in house.things if t.on in tables}
    if not things:
        raise CoterieError(f"The house '{house.name}' has nothing that robots could carry.")
    for name in (*areas, *stands):
        LABELS.setdefault(name, f"the {label(name)}")
    living = next((r for r in house.rooms if r.kind == LIVING), house.rooms[0])
    people = {RESIDENT: Person("teacher", rooms[living.name])}
    belongs = {
        (item, tables[f.name]): often
        for item, kind in things.items()
        for f in pieces
        if (often := kinds()[kind].on.get(f.kind, 0.0) * usual(kind, house.room[f.room].kind)) > 0
    }
    poses = dict(poses_in(areas, doors, stands, people))
    spots = [f"{room}__{i}" for i in (1, 2, 3) for room in areas]
    return Scene(
        areas, doors, stands, poses, people, tuple(things), (),
        expected={("open", n): house.door[d].open for n, d in zip(doors, _kept(house))},
        name=house.name,
        about=f"a house: {', '.join(label(room) for room in areas)}",
        robots={n: Robot(card, spot) for (n, card), spot in zip(TEAM.items(), spots)},
        wards=tuple(room for room in areas if any(table.room == room for table in stands.values())),
        really={("stock", *key): n for key, n in lying.items()},
        faults=FAULTS,
        belongs=belongs,
        unfit=tuple(tables[f.name] for f in pieces if f.kind in UNFIT),
    )  # fmt: skip


def _called(rows: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    """Names as people say them, of those that are numbered by kind: the kind alone where there is one of it, else with
    the room, else with a number."""
    plain = {name: snake(kind) for name, kind, _ in rows if name.rpartition("_")[0] == snake(kind)}
    many, found = Counter(plain.values()), dict[str, str]()
    for name, _, room in rows:
        called = plain.get(name, name)
        if name in plain and many[called] > 1:
            called = f"{room}_{called}" if room else called
            alike = [n for n, _, there in rows if there == room and plain.get(n) == plain[name]]
            called += f"_{alike.index(name) + 1}" if len(alike) > 1 else ""
        found[name] = called
    return found


def _kept(house: House) -> list[str]:
    """Doors between rooms, one between the same two; an opening rather than a door that may be shut."""
    inner = [d for d in house.doors if all(d.rooms)]
    one = {frozenset(d.rooms): d.name for d in sorted(inner, key=lambda d: not d.swings)}
    return [d.name for d in inner if d.name in one.values()]


def _doors(house: House, rooms: Mapping[str, str]) -> Iterator[tuple[str, Door]]:
    """Doors by the room that they lead to, from where people are."""
    order, kept = _from_living(house), [house.door[n] for n in _kept(house)]
    far = {d.name: max(d.rooms, key=order.index) for d in kept}
    many = Counter(far.values())
    for d in kept:
        near, there = (rooms[r] for r in sorted(d.rooms, key=order.index))
        called = f"{there}_door" if many[far[d.name]] == 1 else f"{near}_{there}_door"
        yield called, Door((rooms[d.rooms[0]], rooms[d.rooms[1]]), *d.at, d.swings)


def _from_living(house: House) -> list[str]:
    """Rooms, the nearest to the living room first."""
    found = [next((r for r in house.rooms if r.kind == LIVING), house.rooms[0]).name]
    for room in found:
        found += [r for d in house.doors if room in d.rooms for r in d.rooms if r and r not in found]
    return found + [r.name for r in house.rooms if r.name not in found]
