"""The place as data: rooms, doors, tables, poses and people, and what of it everybody knows beforehand.

A pose is where one robot stands. Kitting poses are close to the tables, for robots that pack; the others are for
everybody who moves about. Lengths are metres from the lower left corner of the pharmacy.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from coterie.core.wire import carry_record
from coterie.worlds.hospital.declared import EXPECTED, KIND

Key = tuple[str, ...]
KITTING, OPEN = "kitting", "open"  # zones of poses


class Room(NamedTuple):
    x: float
    y: float
    width: float
    height: float


class Door(NamedTuple):
    rooms: tuple[str, str]
    x: float
    y: float


class Table(NamedTuple):
    room: str
    x: float
    y: float


class Pose(NamedTuple):
    room: str
    x: float
    y: float
    zone: str = OPEN
    overlooks: tuple[str, ...] = ()  # tables
    reaches: tuple[str, ...] = ()  # doors
    meets: tuple[str, ...] = ()  # poses
    near: tuple[str, ...] = ()  # people


class Person(NamedTuple):
    """Somebody who works here, and how they are: how soon they answer (median, and how much that varies)."""

    role: str
    room: str
    supplies: tuple[str, ...] = ()
    delay_s: float = 8.0
    spread: float = 0.5
    answers: bool = True
    patience_s: float = 45.0  # after which a robot takes it that nobody will answer


@dataclass(frozen=True)
class Scene:
    rooms: Mapping[str, Room]
    doors: Mapping[str, Door]
    tables: Mapping[str, Table]
    poses: Mapping[str, Pose]
    people: Mapping[str, Person]
    items: tuple[str, ...]
    caddies: tuple[str, ...]
    expected: Mapping[Key, object] = field(default_factory=dict)  # what people say is so, before anybody looked

    @property
    def things(self) -> tuple[str, ...]:
        return (*self.items, *self.caddies)

    def map(self) -> dict[Key, object]:
        """Common knowledge that never changes; also what is expected, marked as such."""
        found = dict(self._kinds())
        for name, pose in self.poses.items():
            found["room_of", name] = pose.room
            found["spot", name] = (pose.x, pose.y)
            for door, d in self.doors.items():
                if pose.room in d.rooms:
                    found["beside", name, door] = True
            found.update({("overlooks", name, t): True for t in pose.overlooks})
            found.update({("reaches", name, d): True for d in pose.reaches})
            found.update({("near", name, p): True for p in pose.near})
            for other in pose.meets:
                found["meets", name, other] = found["meets", other, name] = True
        found.update({("spot", name): (door.x, door.y) for name, door in self.doors.items()})
        for person, p in self.people.items():
            found["role", person] = p.role
            found.update({("supplies", person, item): True for item in p.supplies})
        found.update({(EXPECTED, *key): value for key, value in self.expected.items()})
        return found

    def _kinds(self) -> Iterator[tuple[Key, object]]:
        for kind, names in (
            ("room", self.rooms),
            ("door", self.doors),
            ("table", self.tables),
            ("pose", self.poses),
            ("person", self.people),
            ("item", self.items),
            ("caddy", self.caddies),
        ):
            yield from (((KIND, name), kind) for name in names)


def metres(chart: Mapping[Key, object], *way: str) -> float:
    """The length of a way over poses and doors; 0 where one of them is not on the map."""
    spots: list[Any] = [chart.get(("spot", name)) for name in way]
    return 0.0 if None in spots else sum(math.dist(a, b) for a, b in itertools.pairwise(spots))


for _cls in (Room, Door, Table, Pose, Person):
    carry_record(_cls, f"hospital_{_cls.__name__.lower()}")

ITEMS = ("painkiller", "bandagebox", "gloves", "antiseptic", "thermometer")
#: Tables of the pharmacy with the poses of those who pack: the usual one, and another side.
_TABLES = {
    "tableA": (Table("pharmacy", 2.0, 1.0), (2.0, 1.8), (1.2, 1.0)),
    "tableB": (Table("pharmacy", 4.0, 1.0), (4.0, 1.8), None),
    "tableC": (Table("pharmacy", 6.0, 1.0), (6.0, 1.8), None),
    "tableD": (Table("pharmacy", 8.0, 1.0), (8.0, 1.8), None),
    "tableE": (Table("pharmacy", 1.0, 4.5), (1.8, 4.5), (1.0, 3.7)),
    "tableF": (Table("pharmacy", 1.0, 7.0), (1.8, 7.0), None),
    "tableG": (Table("pharmacy", 6.0, 6.8), (5.2, 6.8), None),
}


def ward(rooms: int = 3, side_door: bool = True) -> Scene:
    """The pharmacy with its seven tables, the office of the pharmacist, and rooms along a corridor."""
    names = ("alpha", "beta", "gamma", "delta")[:rooms]
    tall = max(12.0, 4.0 * len(names))
    places = {
        "pharmacy": Room(0, 0, 10, 8),
        "office": Room(0, 8, 6, 4),
        "corridor": Room(10, 0, 3, tall),
        **{n: Room(13, 4 * i, 5, 4) for i, n in enumerate(names)},
    }
    doors = {
        "officedoor": Door(("pharmacy", "office"), 4, 8),
        "pharmacydoor": Door(("pharmacy", "corridor"), 10, 4),
        **{f"{n}door": Door(("corridor", n), 13, 4 * i + 2) for i, n in enumerate(names)},
    }
    if side_door and len(names) > 1:
        doors["sidedoor"] = Door((names[0], names[1]), 16, 4)
    poses = dict(_pharmacy_poses())
    poses["counter"] = Pose("office", 3, 10, near=("pharmacist",))
    poses |= {f"hall{i + 1}": Pose("corridor", 11, 1.5 + 3 * i) for i in range(3)}
    poses["dock"] = Pose("corridor", 11, 10.5)
    poses["outPharmacy"] = Pose("corridor", 10.8, 4.0, reaches=("pharmacydoor",))
    for i, n in enumerate(names):
        poses[f"out{n.capitalize()}"] = Pose("corridor", 12.2, 4 * i + 2, reaches=(f"{n}door",))
        reaches = (f"{n}door", *(["sidedoor"] if "sidedoor" in doors and i < 2 else []))
        poses[f"in{n.capitalize()}"] = Pose(n, 14.0, 4 * i + 2, reaches=reaches)
        poses[f"bed{n.capitalize()}"] = Pose(n, 16.5, 4 * i + 2)
    people = {
        "teacher": Person("teacher", "pharmacy"),
        "instructor": Person("instructor", names[0]),
        "pharmacist": Person("supplies", "office", ITEMS),
    }
    if len(names) > 1:
        people["nurse"] = Person("supplies", names[1], ("gloves", "thermometer"), delay_s=12.0)
        poses[f"bed{names[1].capitalize()}"] = poses[f"bed{names[1].capitalize()}"]._replace(near=("nurse",))
    tables = {name: row[0] for name, row in _TABLES.items()}
    return Scene(places, doors, tables, poses, people, ITEMS, ("caddy1", "caddy2"))


def _pharmacy_poses() -> Iterator[tuple[str, Pose]]:
    for name, (_, first, second) in _TABLES.items():
        yield f"at{name[-1]}", Pose("pharmacy", *first, KITTING, (name,))
        if second is not None:
            yield f"at{name[-1]}2", Pose("pharmacy", *second, KITTING, (name,))
    yield "byG", Pose("pharmacy", 6.8, 6.8, OPEN, ("tableG",))
    yield "byG2", Pose("pharmacy", 6.0, 7.6, OPEN, ("tableG",))
    yield "bay", Pose("pharmacy", 8.8, 6.0)
    yield "bay2", Pose("pharmacy", 8.8, 7.2)
    yield "handL", Pose("pharmacy", 7.6, 3.6, KITTING, meets=("handR",))
    yield "handR", Pose("pharmacy", 8.6, 3.6)
    yield "inPharmacy", Pose("pharmacy", 9.3, 4.4, reaches=("pharmacydoor",))
    yield "byOffice", Pose("pharmacy", 4.0, 7.3, reaches=("officedoor",))


#: How people call what has an odd name.
LABELS = {
    "bandagebox": "bandage box",
    "caddy1": "medical caddy",
    "caddy2": "second medical caddy",
    "officedoor": "office door",
    "pharmacydoor": "pharmacy door",
    "sidedoor": "side door",
    "handL": "the hand-over",
    "handR": "the hand-over",
    "bay": "the bay",
    "bay2": "the second bay",
    "dock": "the dock",
    "counter": "the counter",
    "byG2": "the other side of table G",
    "byOffice": "the office door",
    "outPharmacy": "the pharmacy door",
    "inPharmacy": "the pharmacy door",
}
_POSES = {"at": "table {}", "by": "table {}", "out": "the door of {}", "in": "{}", "bed": "the bed in {}"}


def label(name: str) -> str:
    """A name as people say it: `tableE` is table E, `alphadoor` the door of alpha."""
    if name in LABELS:
        return LABELS[name]
    if name.endswith("door"):
        return f"door of {name.removesuffix('door')}"
    match = re.fullmatch(r"(at|by|out|in|bed)([A-Z]\w*?)(2?)", name)
    if match is not None:
        place = match[2] if len(match[2]) == 1 else match[2].lower()
        return ("the other side of " if match[3] else "") + _POSES[match[1]].format(place)
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", " ", name)


def counted(count: int, name: str) -> str:
    """So many of a thing: 2 painkillers."""
    word = label(name)
    if count == 1 or word.endswith("s"):
        return f"{count} {word}"
    return f"{count} {word}{'es' if word.endswith(('x', 'ch')) else 's'}"
