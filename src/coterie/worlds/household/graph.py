"""What a robot knows of a house as a tree: house, rooms, furniture, things. A view of its belief.

The kind of a room is inferred from the furniture that was seen in it. What is misplaced, and where it belongs, is read
from the placement table by whoever asks here; a mind that judges by itself reads the tree alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from coterie.core.facts import UNKNOWN, Belief
from coterie.houses.model import FLOOR, ROOM_KINDS
from coterie.houses.placement import belongs, homes, usual
from coterie.worlds.household.perception import BLOCKED, CELL_M, FIRST_ROOM

SURE = 0.8  # of the odds: then a room is taken to be of that kind
_ODDS = (0.02, 0.4, 1.0)  # that furniture stands in a room where it is never, sometimes or often found


@dataclass(frozen=True)
class Thing:
    name: str
    kind: str
    where: str  # a piece, FLOOR, or the robot that holds it
    spot: tuple[float, float, float] | None


@dataclass(frozen=True)
class Receptacle:
    """A piece of furniture, whether things can lie on it or not."""

    name: str
    kind: str
    things: tuple[Thing, ...]


@dataclass(frozen=True)
class Room:
    name: str
    kind: str  # the likeliest; empty while nothing tells
    odds: dict[str, float]
    pieces: tuple[Receptacle, ...]
    floor: tuple[Thing, ...]  # things on the floor
    cells: int  # how many cells of its floor were seen
    doors: tuple[str, ...]


@dataclass(frozen=True)
class Graph:
    rooms: tuple[Room, ...]
    held: tuple[Thing, ...]  # things in somebody's hands
    lost: tuple[Thing, ...]  # things of which is not known where they are

    @property
    def room(self) -> dict[str, Room]:
        return {r.name: r for r in self.rooms}

    def text(self) -> str:
        """In lines that are indented by level, for prompts and people."""
        lines = ["house"]
        for room in self.rooms:
            lines.append(f"  {room.name}: {room.kind or 'unknown kind'}")
            for piece in room.pieces:
                on = ", ".join(t.name for t in piece.things)
                lines.append(f"    {piece.name} ({piece.kind})" + (f": {on}" if on else ""))
            if room.floor:
                lines.append(f"    floor: {', '.join(t.name for t in room.floor)}")
        return "\n".join(lines)


# -- rooms ------------------------------------------------------------------------------------------------------------
def number_of(room: str) -> int:
    """The number that cells of a room's floor have; 0 for what is no room."""
    digits = room.removeprefix("room_")
    return int(digits) - 1 + FIRST_ROOM if digits.isdecimal() and room != digits else 0


def room_at(belief: Belief, x: float, y: float) -> str:
    """The room that a place is in, as far as the robot has seen; empty where it does not know."""
    column, row = math.floor(x / CELL_M), math.floor(y / CELL_M)
    for dx, dy in ((0, 0), (-1, 0), (0, -1), (-1, -1), (1, 0), (0, 1)):
        number = belief.area.at(column + dx, row + dy)
        if 0 < number < BLOCKED:
            return f"room_{number - FIRST_ROOM + 1}"
    return ""


@lru_cache(maxsize=4096)
def odds_of(kinds: tuple[str, ...]) -> dict[str, float]:
    """How likely a room with such furniture is of each kind."""
    weights = {room: math.prod(_ODDS[usual(kind, room)] for kind in kinds) for room in ROOM_KINDS}
    total = sum(weights.values())
    return {room: weight / total for room, weight in weights.items()}


def room_odds(belief: Belief, room: str) -> dict[str, float]:
    """How likely a room is of each kind, by the furniture that was seen in it."""
    pieces = (f.args[0] for f in belief.facts("in_room") if f.value == room)
    return odds_of(tuple(sorted(str(belief.value("kind", p)) for p in pieces)))


def room_kind(belief: Belief, room: str, sure: float = SURE) -> str:
    """The kind of a room, if what was seen in it leaves little doubt; empty otherwise."""
    best = max(room_odds(belief, room).items(), key=lambda item: item[1])
    return best[0] if best[1] >= sure else ""


def rooms_known(belief: Belief) -> list[str]:
    """Rooms of which a robot has seen the floor, furniture or a door, by their numbers."""
    found = {str(f.value) for f in belief.facts("in_room") if f.value is not UNKNOWN}
    for fact in belief.facts("joins"):
        found.update(r for r in fact.value[:2] if r)  # type: ignore[index]
    cells = belief.area.cells
    numbers = {int(n) for n in set(cells[cells > 0].tolist()) if n < BLOCKED}
    found.update(f"room_{n - FIRST_ROOM + 1}" for n in numbers)
    return sorted(found, key=number_of)


# -- things -----------------------------------------------------------------------------------------------------------
def thing_of(belief: Belief, name: str) -> Thing:
    spot: Any = belief.value("spot", name)
    where, kind = belief.value("where", name), belief.value("kind", name)
    at = None if spot is UNKNOWN or spot is None else (float(spot[0]), float(spot[1]), float(spot[2]))
    return Thing(
        name, "" if kind is UNKNOWN else str(kind), "" if where is UNKNOWN or where is None else str(where), at
    )


def room_of(belief: Belief, thing: Thing) -> str:
    """The room that a thing lies in; empty where that is not known."""
    if thing.where == FLOOR:
        return room_at(belief, *thing.spot[:2]) if thing.spot is not None else ""
    room = belief.value("in_room", thing.where)
    return "" if room is UNKNOWN else str(room)


def misplaced(belief: Belief, thing: Thing) -> bool:
    """Whether a thing lies where it does not belong, by the placement table and what is known of the room.

    In a room of a kind that is not clear, only what belongs on such furniture in no room at all.
    """
    if not thing.kind or not thing.where or not homes(thing.kind):
        return False
    on = FLOOR if thing.where == FLOOR else belief.value("kind", thing.where)
    room = room_of(belief, thing)
    if on is UNKNOWN or not room:
        return False
    odds = room_odds(belief, room)
    fits = sum(share for kind, share in odds.items() if belongs(thing.kind, str(on), kind))
    return fits < 1.0 - SURE


def astray(belief: Belief) -> list[Thing]:
    """Things that are known and misplaced, in the order in which they were heard of."""
    found = (thing_of(belief, f.args[0]) for f in belief.facts("where") if f.value is not UNKNOWN)
    return [t for t in found if t.spot is not None and misplaced(belief, t)]


def receptacles_for(belief: Belief, kind: str) -> list[tuple[str, str, str]]:
    """Known furniture on which a kind of thing belongs: name, its kind, the kind of its room."""
    found = []
    for fact in belief.facts("in_room"):
        piece = fact.args[0]
        on, room = belief.value("kind", piece), room_kind(belief, str(fact.value))
        if room and on is not UNKNOWN and belongs(kind, str(on), room):
            found.append((piece, str(on), room))
    return found


def graph_of(belief: Belief) -> Graph:
    """All that a robot knows of the house, as a tree."""
    things = [thing_of(belief, f.args[0]) for f in belief.facts("where")]
    on: dict[str, list[Thing]] = {}
    floor: dict[str, list[Thing]] = {}
    held: list[Thing] = []
    lost: list[Thing] = []
    for thing in things:
        if thing.where == FLOOR:
            floor.setdefault(room_of(belief, thing), []).append(thing)
        elif belief.value("box", thing.where) is not UNKNOWN:
            on.setdefault(thing.where, []).append(thing)
        else:
            (held if thing.where else lost).append(thing)
    pieces: dict[str, list[Receptacle]] = {}
    for fact in belief.facts("in_room"):
        name = fact.args[0]
        piece = Receptacle(name, str(belief.value("kind", name)), tuple(on.get(name, ())))
        pieces.setdefault(str(fact.value), []).append(piece)
    doors: dict[str, list[str]] = {}
    for fact in belief.facts("joins"):
        for room in fact.value[:2]:  # type: ignore[index]
            doors.setdefault(room, []).append(fact.args[0])
    rooms = []
    for name in rooms_known(belief):
        odds = room_odds(belief, name)
        kind, share = max(odds.items(), key=lambda item: item[1])
        seen = int((belief.area.cells == number_of(name)).sum())
        own, leads = tuple(pieces.get(name, ())), tuple(doors.get(name, ()))
        likely = kind if own and share >= 0.5 else ""
        rooms.append(Room(name, likely, odds, own, tuple(floor.get(name, ())), seen, leads))
    return Graph(tuple(rooms), tuple(held), tuple(lost))
