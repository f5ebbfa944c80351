"""Places from TOML files: the rooms, doors, tables, things, people, robots and kits of a mission.

Those in the folder `built_in` come with it; others are files of a user's own. Where a file lists no poses, robots stand
at tables and doors, near people who supply things, in every room, and at a hand-over where there are tables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

from coterie.core.bounds import brief, is_word
from coterie.core.errors import unknown_name
from coterie.core.reader import Reader, load_toml
from coterie.core.rights import ACTS
from coterie.worlds.hospital.bodies import BODIES, HUMAN, load_card, zones_of
from coterie.worlds.hospital.faults import FAULTS
from coterie.worlds.hospital.poses import poses_in
from coterie.worlds.hospital.scene import (
    KITTING,
    LABELS,
    OPEN,
    Door,
    Key,
    Kit,
    Person,
    Pose,
    Robot,
    Room,
    Scene,
    Table,
    label,
)

FOLDER = Path(__file__).with_name("built_in")
ROLES = ("teacher", "instructor", "supplies", "visitor")
WALL_M = 0.3  # how far a door may lie from the walls that it is in
MOST = 200  # of everything
#: Of a file; `world` is for other readers.
KEYS = ("world", "name", "about", "faults", "taught", "roles", "room", "door", "table", "caddy", "thing", "kit",
        "person", "robot", "pose")  # fmt: skip


def place_names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def place(name: str) -> Scene:
    """A place by its name, or from a file of one's own."""
    if name in place_names():
        return _packaged(name)
    from coterie.worlds.hospital.house_places import house_place, is_house

    if is_house(name):
        return house_place(name)
    if name.endswith(".toml"):
        return load_place(Path(name))
    raise unknown_name("place", name, [*place_names(), "FILE.toml", "a house"])


@cache
def _packaged(name: str) -> Scene:
    return load_place(FOLDER / f"{name}.toml")


def load_place(path: Path) -> Scene:
    """Read a place; complaints name the file, the line and the fix."""
    return _File(path).scene()


class _File:
    """A file that is read, with the names that it has given so far."""

    def __init__(self, path: Path):
        self.path, self.r = path, Reader(load_toml(path, "place"), str(path))
        self.kinds: dict[str, str] = {}

    def scene(self) -> Scene:
        r = self.r
        for key in r.data:
            if key not in KEYS:
                raise r.fail(str(unknown_name("key", key, KEYS)))
        name, about = r.text("name", self.path.stem), r.text("about", "")
        faults = r.texts("faults", tuple(FAULTS))
        taught = r.text("taught", "")
        taught = str(self.path.parent / taught) if taught else ""
        if taught and not Path(taught).exists():
            raise r.fail(f"`taught` names '{taught}', which is not there; keep one with: coterie talk --taught FILE.")
        for kind in (k for text in faults for k in text.split("+") if k):
            if kind not in FAULTS:
                raise r.fail(f"`faults`: {unknown_name('fault', kind, FAULTS)}")
        self.rights = {role: r.table("roles").texts(role) for role in r.table("roles").data}
        for role, act in ((role, act) for role, acts in self.rights.items() for act in acts):
            if act not in ACTS:
                raise r.fail(f"`roles`: {role}: {unknown_name('act', act, ACTS)}")
        rows = {n: t for n, t in self.named("room")}
        self.rooms = {n: self.room(t) for n, t in rows.items()}
        if not self.rooms:
            raise r.fail("a place needs at least one [[room]].")
        wards = tuple(n for n, t in rows.items() if t.flag("kits", True))
        for t in rows.values():
            t.done()
        doors = {n: self.door(t) for n, t in self.named("door")}
        self.doors = {n: door for n, (door, _) in doors.items()}
        rows = {n: t for n, t in self.named("table")}
        self.tables = {n: Table(*self.inside(t)) for n, t in rows.items()}
        shared = frozenset(n for n, t in rows.items() if t.flag("shared")) or frozenset(rows)
        for t in rows.values():
            t.done()
        caddies = {n: self.caddy(n, t) for n, t in self.named("caddy")}
        things = {n: self.thing(n, t) for n, t in self.named("thing")}
        both = [*caddies.values(), *things.values()]
        said: dict[Key, object] = {k: v for rows, _ in both for k, v in rows.items()}
        said |= {("open", n): is_open for n, (_, is_open) in doors.items()}
        really: dict[Key, object] = {k: v for _, rows in both for k, v in rows.items()}
        people = {n: self.person(t, tuple(things)) for n, t in self.named("person")}
        if not people:
            raise r.fail('somebody has to ask; add a [[person]] with `role = "instructor"`.')
        poses = {n: self.pose(t, people) for n, t in self.named("pose")}
        for n, pose in poses.items():
            self.known(r, f"pose '{n}': `meets`", pose.meets, poses)
        poses = poses or dict(poses_in(self.rooms, self.doors, self.tables, people, shared))
        robots: dict[str, Robot] = {}
        for n, t in self.named("robot"):
            robots[n] = self.robot(t, poses, robots)
        if not robots:
            raise r.fail('nobody is there to do anything; add a [[robot]] with `card = "Fetch"` or a file.')
        kits = {n: Kit(n, "caddy", self.contents(t, things, caddies)) for n, t in self.named("kit")}
        return Scene(
            self.rooms, self.doors, self.tables, poses, people, tuple(things), tuple(caddies), said, name, about,
            robots, kits, wards or tuple(self.rooms), really, faults, taught, self.rights,
        )  # fmt: skip

    # -- rows -----------------------------------------------------------------------------------------------------
    def named(self, key: str) -> Iterator[tuple[str, Reader]]:
        """Tables of a kind with their names, which nothing else has; what people call them is kept."""
        for t in self.r.tables(key, MOST):
            name, words = t.text("name", required=True), t.text("label", None, most=60)
            if not is_word(name) or "__" in name or name == "all":
                raise t.fail(f"`name` is {brief(name)}; use letters, digits and single _.")
            if name in self.kinds:
                raise t.fail(f"there is a {self.kinds[name]} of that name already; give it another one.")
            self.kinds[name] = key
            if words is not None and LABELS.setdefault(name, words) != words:
                raise t.fail(f"`label`: '{name}' is called '{LABELS[name]}' already; give it another name.")
            yield name, t

    def known(self, t: Reader, what: str, names: Collection[str], among: Collection[str]) -> None:
        for name in names:
            if name not in among:
                raise t.fail(f"{what} names '{name}', which is not here. There are: {', '.join(among) or 'none'}.")

    def room(self, t: Reader) -> Room:
        t.numbers("rect", 4, required=True)
        x0, y0, x1, y1 = t.data["rect"]
        if x1 - x0 < 0.5 or y1 - y0 < 0.5:
            raise t.fail(f"`rect` is [{x0}, {y0}, {x1}, {y1}]; it must be [left, bottom, right, top] in metres.")
        return Room(x0, y0, x1 - x0, y1 - y0)

    def door(self, t: Reader) -> tuple[Door, bool]:
        between = t.texts("between", required=True)
        if len(set(between)) != 2 or len(between) != 2:
            raise t.fail('`between` must name two rooms, like ["pharmacy", "corridor"].')
        self.known(t, "`between`", between, self.rooms)
        t.numbers("at", 2, required=True)
        x, y = t.data["at"]
        for name in between:
            if not _holds(self.rooms[name], x, y, WALL_M):
                raise t.fail(f"`at` [{x}, {y}] is not in a wall of '{name}'; put the door where both rooms meet.")
        is_open = t.flag("open", True)
        t.done()
        return Door((between[0], between[1]), x, y), is_open

    def inside(self, t: Reader) -> tuple[str, float, float]:
        """A point, with the room that it is in."""
        t.numbers("at", 2, required=True)
        x, y = t.data["at"]
        room = next((n for n, room in self.rooms.items() if _holds(room, x, y)), None)
        if room is None:
            raise t.fail(f"`at` [{x}, {y}] lies in no room; move it into one.")
        return room, x, y

    def caddy(self, name: str, t: Reader) -> tuple[dict[Key, int], dict[Key, int]]:
        at, really = t.text("at", required=True), t.text("really", None)
        self.known(t, "`at`", [at, *([really] if really else [])], self.tables)
        t.done()
        there: dict[Key, int] = {("stock", name, at): 1}
        return there, {} if really is None else {("stock", name, at): 0, ("stock", name, really): 1}

    def thing(self, name: str, t: Reader) -> tuple[dict[Key, int], dict[Key, int]]:
        """Where people say that there are some, and how many there really are where that is otherwise."""
        said: dict[Key, int] = {("stock", name, p): n for p, n in self.counts(t, "at", self.tables, 0)}
        really: dict[Key, int] = {("stock", name, p): n for p, n in self.counts(t, "really", self.tables, 0)}
        t.done()
        return said, really

    def contents(self, t: Reader, things: Collection[str], caddies: Collection[str]) -> dict[str, int]:
        if not caddies:
            raise t.fail("nothing is here that kits go into; add a [[caddy]] with a table as `at`.")
        found = dict(self.counts(t, "contents", things, 1))
        if not found:
            raise t.fail("`contents` is missing; write how many of which things, like contents = { gloves = 2 }.")
        t.done()
        return found

    def counts(self, t: Reader, key: str, names: Collection[str], low: int) -> Iterator[tuple[str, int]]:
        inside = t.table(key)
        self.known(t, f"`{key}`", inside.data, names)
        for name in inside.data:
            yield name, inside.number(name, low=low, high=99, whole=True)

    def person(self, t: Reader, things: tuple[str, ...]) -> Person:
        role = t.text("role", "visitor", choices=(*self.rights, *ROLES))
        room = t.text("room", required=True)
        self.known(t, "`room`", [room], self.rooms)
        supplies = t.texts("supplies")
        supplies = things if supplies == ("all",) else supplies
        self.known(t, "`supplies`", supplies, things)
        usual = Person._field_defaults
        times = {k: t.number(k, usual[k], low=0.0, high=3600.0) for k in ("delay_s", "spread", "patience_s")}
        answers = t.flag("answers", True)
        t.done()
        return Person(role, room, supplies, answers=answers, **times)

    def pose(self, t: Reader, people: Collection[str]) -> Pose:
        room, x, y = self.inside(t)
        zone = KITTING if t.flag("packing") else OPEN
        rows = [t.texts(key) for key in ("overlooks", "reaches", "meets", "near")]
        among: dict[str, Collection[str]] = {"overlooks": self.tables, "reaches": self.doors, "near": people}
        for (key, known), names in zip(among.items(), (rows[0], rows[1], rows[3])):
            self.known(t, f"`{key}`", names, known)
        t.done()
        return Pose(room, x, y, zone, *rows)

    def robot(self, t: Reader, poses: Mapping[str, Pose], others: Mapping[str, Robot]) -> Robot:
        named, at, room = t.text("card", required=True), t.text("at", None), t.text("room", None)
        chance = t.number("chance", 1.0, low=0.0, high=1.0)
        t.done()
        bodies = {card.body: card for card in (*BODIES, HUMAN)}
        if named.endswith(".toml"):
            card = load_card(self.path.parent / named)
        elif named in bodies:
            card = bodies[named]
        else:
            raise t.fail(f"`card`: {unknown_name('robot', named, [*bodies, 'FILE.toml'])}")
        taken = {robot.at for robot in others.values()}
        if at is not None:
            self.known(t, "`at`", [at], poses)
        elif room is None:
            raise t.fail("say where it begins: add `room = ...`, or the name of a pose as `at`.")
        else:
            self.known(t, "`room`", [room], self.rooms)
            zones = zones_of(card)
            at = next((n for n, p in poses.items() if p.room == room and p.zone in zones and n not in taken), None)
            if at is None:
                raise t.fail(f"there is no free pose for a {card.body} in '{room}'; let it begin in another room.")
        if at in taken:
            raise t.fail(f"somebody stands at '{at}' already; let it begin elsewhere.")
        return Robot(card, at, chance)


def _holds(room: Room, x: float, y: float, wall_m: float = 0.0) -> bool:
    across = room.x - wall_m <= x <= room.x + room.width + wall_m
    return across and room.y - wall_m <= y <= room.y + room.height + wall_m


def described(name: str) -> tuple[str, str]:
    """A place that comes with it, in a few words."""
    scene = place(name)
    return name, scene.about or ", ".join(label(room) for room in scene.rooms)
