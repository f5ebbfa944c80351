"""A place as data: rooms, doors, tables, poses, people, robots and kits, and what of it everybody knows beforehand.

A pose is where one robot stands. Kitting poses are close to the tables, for robots that pack; the others are for
everybody who moves about. `places.py` reads them from files.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from coterie.core.card import Card
from coterie.core.wire import carry_record
from coterie.worlds.hospital.skills import EXPECTED, KIND

Key = tuple[str, ...]
KITTING, OPEN = "kitting", "open"  # zones of poses
KIT, RIGHTS = "kit", "rights"  # on the map: the contents of a kit, and what a role may do
#: On the map: how usual a thing is on a table, the room of a table, tables for what is usual there alone, and what
#: a robot or person of the place can do.
BELONGS, INSIDE, UNFIT, SKILL = "belongs", "inside", "unfit", "skill"


class Room(NamedTuple):
    x: float
    y: float
    width: float
    height: float


class Door(NamedTuple):
    rooms: tuple[str, str]
    x: float
    y: float
    swings: bool = True  # False: an opening that is never shut


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
    """A person who works here, and how soon they answer (median, and how much that varies)."""

    role: str
    room: str
    supplies: tuple[str, ...] = ()
    delay_s: float = 8.0
    spread: float = 0.5
    answers: bool = True
    patience_s: float = 45.0  # after which a robot takes it that nobody will answer


class Robot(NamedTuple):
    """A robot that belongs to a place: its pose at the beginning, and how likely it is there in a drawn mission."""

    card: Card
    at: str
    chance: float = 1.0


@dataclass(frozen=True)
class Kit:
    name: str
    container: str  # a kind of thing
    contents: Mapping[str, int] = field(default_factory=dict)


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
    name: str = ""
    about: str = ""
    robots: Mapping[str, Robot] = field(default_factory=dict)
    kits: Mapping[str, Kit] = field(default_factory=dict)
    wards: tuple[str, ...] = ()  # rooms that kits are brought to in drawn missions
    really: Mapping[Key, object] = field(default_factory=dict)  # where it is not as people say
    faults: tuple[str, ...] = ()  # that may be drawn, joined with +
    taught: str = ""  # a file of lessons
    rights: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # roles of its own, and what they may do
    belongs: Mapping[tuple[str, str], float] = field(default_factory=dict)  # how usual a thing is on a table
    unfit: tuple[str, ...] = ()  # tables on which nothing is put that is not usual there

    @property
    def shared(self) -> frozenset[str]:
        """Tables that robots reach which move about."""
        return frozenset(t for p in self.poses.values() if p.zone == OPEN for t in p.overlooks)

    @property
    def searched(self) -> bool:
        """True if robots search for what nobody has seen."""
        return any("lookat" in robot.card.skills for robot in self.robots.values())

    @property
    def asker(self) -> str:
        """The person who asks where nobody is named."""
        roles = {p.role: n for n, p in reversed(list(self.people.items()))}
        return roles.get("instructor") or roles.get("teacher") or next(iter(self.people), "")

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
        found.update({(KIT, name): tuple(kit.contents.items()) for name, kit in self.kits.items()})
        found.update({(RIGHTS, role): acts for role, acts in self.rights.items()})
        found.update({(BELONGS, *key): often for key, often in self.belongs.items()})
        found.update({(UNFIT, name): True for name in self.unfit})
        found.update({(INSIDE, name): table.room for name, table in self.tables.items()})
        found.update({(SKILL, skill): True for robot in self.robots.values() for skill in robot.card.skills})
        return found

    def way(self, start: str, goal: str) -> list[str]:
        """The doors on the shortest way between two rooms; none where there is no way."""
        ways: dict[str, list[str]] = {start: []}
        for room in (queue := [start]):
            for name, door in self.doors.items():
                for new in door.rooms if room in door.rooms else ():
                    if new not in ways:
                        ways[new] = [*ways[room], name]
                        queue.append(new)
        return ways.get(goal, [])

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


def kits_of(chart: Mapping[Key, object]) -> dict[str, Kit]:
    """The kits that are known in a place."""
    return {k[1]: Kit(k[1], "caddy", dict(inside)) for k, inside in chart.items() if k[0] == KIT}  # type: ignore[call-overload]


def metres(chart: Mapping[Key, object], *way: str) -> float:
    """The length of a way over poses and doors; 0 where one of them is not on the map."""
    spots: list[Any] = [chart.get(("spot", name)) for name in way]
    return 0.0 if None in spots else sum(math.dist(a, b) for a, b in itertools.pairwise(spots))


for _cls in (Room, Door, Table, Pose, Person):
    carry_record(_cls, f"hospital_{_cls.__name__.lower()}")

#: How people call what has an odd name, as the files of places say; one process has one word for a name.
LABELS: dict[str, str] = {}
_POSES = {"at": "table {}", "by": "table {}", "out": "the door of {}", "in": "{}", "bed": "the bed in {}"}


def label(name: str) -> str:
    """A name as people say it: `tableE` is table E, `alphadoor` the door of alpha."""
    if name in LABELS:
        return LABELS[name]
    place, _, spot = name.partition("__")  # a pose that was not named by anybody
    if spot:
        words = label(place)
        plain = spot.isdigit() or words != words.lower() or words.startswith("the ")
        return words if plain else f"the {words}"
    if name.endswith("door"):
        return f"door of {label(name.removesuffix('door').rstrip('_'))}"
    match = re.fullmatch(r"(at|by|out|in|bed)([A-Z]\w*?)(2?)", name)
    if match is not None:
        place = match[2] if len(match[2]) == 1 else match[2].lower()
        return ("the other side of " if match[3] else "") + _POSES[match[1]].format(place)
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", " ", name).replace("_", " ")


def counted(count: int, name: str) -> str:
    """So many of a thing: 2 painkillers."""
    word = label(name)
    if count == 1 or word.endswith("s"):
        return f"{count} {word}"
    return f"{count} {word}{'es' if word.endswith(('x', 'ch')) else 's'}"
