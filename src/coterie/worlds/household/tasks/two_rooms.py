"""Two rooms with a corridor between them (Sec. VI of the paper on strangers), drawn from `two_rooms.toml` and a seed:
how large rooms are, what stands where along which wall, where bottles lie and where robots begin.

Robots do not wait for each other, and a call of a model takes time. The level says which case it is: `help`, where a
team that could do it alone is faster with a stranger, and `arm`, where nobody but the stranger can carry.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.files import tables
from coterie.core.seeds import rng_of
from coterie.core.task import Task
from coterie.houses.floor import floor_of
from coterie.houses.generate import split_of
from coterie.houses.model import FLOOR, Door, Furniture, House, Room, Thing, Wall, meet
from coterie.houses.placement import belongs, kinds, surface_m
from coterie.houses.procthor.items import snake
from coterie.motion import polygons
from coterie.worlds.household.bodies import card
from coterie.worlds.household.setting import Setting, Start
from coterie.worlds.household.tasks.draw import lattice_of, replaced
from coterie.worlds.household.tasks.goals import Tidy

NAME = "two-rooms"
FIRST, SECOND, CORRIDOR = "first", "second", "corridor"
HIGH_M, DOOR_M = 2.5, 2.1  # of walls and doorways
LIMIT, TRIES = 900, 200  # actions, of a second each; draws
GAP_M = 0.15  # between pieces
CLEAR_M = 0.9  # around a doorway in which nothing stands
REACH_M = 1.3  # from somewhere a robot can stand to what it takes
APART_M = 0.8  # between robots at first
NEAR_M = 2.5  # to what a robot begins near
NAMES = ("Alice", "Bob", "Carol", "Dave")


class Rect(NamedTuple):
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        return (self.x0, self.y0), (self.x1, self.y0), (self.x1, self.y1), (self.x0, self.y1)


@cache
def written() -> Mapping[str, Any]:
    return tables(__package__, "two_rooms.toml")


def cases() -> Mapping[str, str]:
    return {name: str(case["about"]) for name, case in written()["cases"].items()}


def draw_two_rooms(config: Config, data: Mapping[str, Any] | None = None) -> Task:
    """two misplaced bottles in two rooms: no robot waits for another, and a stranger joins after a minute"""
    data = data or written()
    case = _case(config, data)
    rng = rng_of(NAME, config.level, config.seed)
    for _ in range(TRIES):
        house = _house(data, rng)
        found = _mislaid(house, data, rng) if house is not None else None
        if found is not None:
            break
    else:
        raise CoterieError("The furniture of the two rooms does not fit; make them larger, or leave something out.")
    robots = tuple((NAMES[i], _card(data, body, NAMES[i])) for i, body in enumerate(case["team"]))
    starts: list[tuple[float, float]] = []
    begin = tuple(
        (name, _start(found, case["starts"], rng, starts, _near(found, case, body)))
        for (name, _), body in zip(robots, case["team"])
    )
    about = {"level": config.level, "rooms": 2, "robots": len(robots), "astray": len(data["things"])}
    setting = Setting(found, begin, tuple(t.name for t in found.things))
    return Task(
        NAME, Tidy(), setting, robots, step_limit=LIMIT, split=split_of(config.seed), seed=config.seed, about=about
    )


def _near(house: House, case: Mapping[str, Any], body: str) -> tuple[float, float] | None:
    """Where the thing lies that a robot begins near; None: it begins anywhere in its room."""
    kind = case.get("near", {}).get(body)
    thing = next((t for t in house.things if t.kind == kind), None)
    if kind is not None and thing is None:
        raise CoterieError(f"The {body} begins near a {kind}, and there is none; name another thing, or leave it out.")
    return None if thing is None else thing.spot[:2]


def newcomer(task: Task, config: Config) -> Mapping[str, Any]:
    """The stranger of a case: its body by the data, its place drawn."""
    data = written()
    case = _case(config, data)
    rng = rng_of(NAME, "stranger", config.level, config.seed)
    start = _start(task.setting.house, case["comes"], rng, [])
    return {"robot": "Zoe", "card": _card(data, case["stranger"], "Zoe"), "start": tuple(start)}


def _case(config: Config, data: Mapping[str, Any]) -> Mapping[str, Any]:
    if config.level not in data["cases"]:
        raise unknown_name("level", config.level, data["cases"])
    found: Mapping[str, Any] = data["cases"][config.level]
    return found


def _card(data: Mapping[str, Any], body: str, name: str) -> Card:
    if body not in data["bodies"]:
        raise unknown_name("robot", body, data["bodies"])
    given = dict(data["bodies"][body])
    payload, high = float(given.pop("payload_kg", 0.0)), float(given["camera_m"])
    made = card(high > 1.2, payload > 0, payload, None, name)
    parts = f"a {body} robot, camera at {high:g} m, " + (f"an arm that lifts {payload:g} kg" if payload else "no arm")
    return replace(made, about=f"{parts}.", height_m=max(high, 0.4), **given)


# -- the house --------------------------------------------------------------------------------------------------------
def _house(data: Mapping[str, Any], rng: random.Random) -> House | None:
    """Rooms side by side, with the corridor from the middle of one to the middle of the other; None: no place for
    something."""
    sizes = {
        name: (_cells(data["rooms"][name]["wide"], rng), _cells(data["rooms"][name]["deep"], rng))
        for name in (FIRST, SECOND)
    }
    long, wide = _cells(data["rooms"][CORRIDOR]["long"], rng), float(data["rooms"][CORRIDOR]["wide"])
    (w1, d1), (w2, d2) = sizes[FIRST], sizes[SECOND]
    low = round(rng.uniform(0.5, min(d1, d2) - wide - 0.5) * 4) / 4
    at = {
        FIRST: Rect(0.0, 0.0, w1, d1), CORRIDOR: Rect(w1, low, w1 + long, low + wide),
        SECOND: Rect(w1 + long, 0.0, w1 + long + w2, d2),
    }  # fmt: skip
    kind = {FIRST: data["rooms"][FIRST]["kind"], SECOND: data["rooms"][SECOND]["kind"], CORRIDOR: "LivingRoom"}
    rooms = tuple(Room(name, kind[name], at[name].corners) for name in (FIRST, CORRIDOR, SECOND))
    doors = tuple(
        Door(f"door_{i}", pair, (x, low), (x, low + wide), DOOR_M)
        for i, (pair, x) in enumerate((((FIRST, CORRIDOR), w1), ((CORRIDOR, SECOND), w1 + long)))
    )
    pieces = _furnished(data, at, [(d.a, d.b) for d in doors], rng)
    if pieces is None:
        return None
    return House(NAME, rooms, tuple(_walls(at, low, low + wide)), doors, tuple(pieces), ())


def _cells(span: Any, rng: random.Random) -> float:
    low, high = span if isinstance(span, list) else (span, span)
    return round(rng.uniform(low, high) * 4) / 4


def _walls(at: Mapping[str, Rect], low: float, high: float) -> list[Wall]:
    a, c, b = at[FIRST], at[CORRIDOR], at[SECOND]
    lines = []
    for rect, open_x in ((a, a.x1), (b, b.x0)):
        lines += [((rect.x0, rect.y0), (rect.x1, rect.y0)), ((rect.x0, rect.y1), (rect.x1, rect.y1))]
        shut = rect.x0 if open_x == rect.x1 else rect.x1
        lines += [
            ((shut, rect.y0), (shut, rect.y1)),
            ((open_x, rect.y0), (open_x, low)),
            ((open_x, high), (open_x, rect.y1)),
        ]
    lines += [((c.x0, low), (c.x1, low)), ((c.x0, high), (c.x1, high))]
    return [Wall(p, q, HIGH_M) for p, q in lines]


def _furnished(
    data: Mapping[str, Any], at: Mapping[str, Rect], doors: list[tuple[Any, Any]], rng: random.Random
) -> list[Furniture] | None:
    """Each piece with its back to some wall of its room, apart from the others and from doorways."""
    found: list[Furniture] = []
    count: dict[str, int] = {}
    for item in data["furniture"]:
        kind, rect = str(item["kind"]), at[item["room"]]
        size = tuple(float(v) for v in item.get("size", kinds()[kind].size_m))
        number = count[kind] = count.get(kind, -1) + 1
        for _ in range(TRIES):
            piece = _along_wall(f"{snake(kind)}_{number}", kind, item["room"], rect, size, rng)
            if piece is not None and _fits(piece, found, doors):
                found.append(piece)
                break
        else:
            return None
    return found


def _along_wall(name: str, kind: str, room: str, rect: Rect, size: Any, rng: random.Random) -> Furniture | None:
    wide, deep, high = size
    side = rng.randrange(4)
    long = rect.x1 - rect.x0 if side % 2 == 0 else rect.y1 - rect.y0
    if long < wide + 0.4:
        return None
    along, off = rng.uniform(0.2 + wide / 2, long - 0.2 - wide / 2), deep / 2 + 0.05
    x, y, yaw = (
        (rect.x0 + along, rect.y0 + off, 0.0), (rect.x1 - off, rect.y0 + along, 90.0),
        (rect.x0 + along, rect.y1 - off, 180.0), (rect.x0 + off, rect.y0 + along, 270.0),
    )[side]  # fmt: skip
    known = kinds()[kind]
    centre = (round(x, 2), round(y, 2))
    return Furniture(name, kind, room, centre, (wide, deep, high), yaw, 0.0, known.receptacle, surface_m(kind, high))


def _fits(piece: Furniture, others: list[Furniture], doors: list[tuple[Any, Any]]) -> bool:
    mine = polygons.bounds(piece.corners)
    clear = [(a[0] - CLEAR_M, a[1] - 0.3, a[0] + CLEAR_M, b[1] + 0.3) for a, b in doors]
    near = [polygons.bounds(other.corners) for other in others if other.room == piece.room]
    return not any(meet(mine, other, GAP_M) for other in near) and not any(meet(mine, door) for door in clear)


# -- what lies there, and who stands there ----------------------------------------------------------------------------
def _mislaid(house: House, data: Mapping[str, Any], rng: random.Random) -> House | None:
    """The house with its things; None where one of them, or its home, cannot be reached."""
    things = []
    for i, item in enumerate(data["things"]):
        kind = kinds()[item["kind"]]
        spot = _on_floor(house, item["room"], rng) if item["on"] == FLOOR else _on_piece(house, item["on"], rng)
        if spot is None:
            return None
        on = spot[1]
        where = house.piece[on].room if on in house.piece else item["room"]
        if belongs(kind.name, house.piece[on].kind if on in house.piece else FLOOR, house.room[where].kind):
            raise CoterieError(
                f"A {kind.name} belongs on a {item['on']} in a {house.room[where].kind}; lay it elsewhere."
            )
        homes = [p for p in house.furniture if p.receptacle and belongs(kind.name, p.kind, house.room[p.room].kind)]
        if not any(_reached(house, p.centre) for p in homes):
            return None
        things.append(Thing(f"{snake(kind.name)}_{i}", kind.name, on, spot[0], kind.size_m, kind.mass_kg))
    return replaced(house, tuple(things))


def _nodes(house: House, room: str = "") -> list[tuple[float, float]]:
    """Where robots can stand in a room, or in the whole house."""
    lattice, floor = lattice_of(house), floor_of(house)
    nodes = [lattice.point(n) for n in np.flatnonzero(lattice.main).tolist()]
    return [p for p in nodes if not room or floor.room_at(p) == room]


def _on_floor(house: House, room: str, rng: random.Random) -> tuple[tuple[float, float, float], str] | None:
    inside = _nodes(house, room)
    return ((*rng.choice(inside), 0.0), FLOOR) if inside else None


def _on_piece(house: House, kind: str, rng: random.Random) -> tuple[tuple[float, float, float], str] | None:
    some = [p for p in house.furniture if p.kind == kind and p.receptacle]
    if not some:
        raise CoterieError(f"Nothing in the two rooms is a {kind} on which something could lie.")
    piece = rng.choice(some)
    return ((*piece.centre, piece.surface_m), piece.name) if _reached(house, piece.centre) else None


def _reached(house: House, point: tuple[float, float]) -> bool:
    return any(math.dist(p, point) <= REACH_M for p in _nodes(house))


def _start(
    house: House,
    room: str,
    rng: random.Random,
    others: list[tuple[float, float]],
    near: tuple[float, float] | None = None,
) -> Start:
    inside = [p for p in _nodes(house, room) if all(math.dist(p, o) >= APART_M for o in others)]
    if near is not None:
        inside = [p for p in inside if math.dist(p, near) <= NEAR_M] or inside
    if not inside:
        raise CoterieError(f"There is no room for a robot in '{room}'.")
    x, y = rng.choice(inside)
    others.append((x, y))
    return Start(x, y, float(rng.choice((0, 90, 180, 270))))
