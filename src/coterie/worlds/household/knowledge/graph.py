"""The scene graph of a robot as a view of its belief: rooms, furniture and things, and reports of others.

The kind of a room is inferred from the furniture that was seen in it. What is misplaced, and where it belongs, is read
from the placement table; a mind that judges by itself reads rooms and things alone. A `Survey` is kept up to date fact
by fact.

Words about things and furniture are noted with the speaker as the source, and never against what the robot has seen
itself, before or after: they count as older than anything that is seen. But a robot that said that it carries a thing
is believed where it put it down.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeVar

from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.protocol import RobotView
from coterie.houses.model import FLOOR, ROOM_KINDS
from coterie.houses.placement import belongs, homes, kinds, surface_m, usual
from coterie.houses.procthor.items import snake
from coterie.worlds.household.perception import BLOCKED, CELL_M, FIRST_ROOM

S = TypeVar("S", bound="Survey")
SURE = 0.8  # of the odds: then a room is taken to be of that kind
_ODDS = (0.02, 0.4, 1.0)  # that furniture stands in a room where it is never, sometimes or often found
_TELLS = frozenset({"where", "spot", "keep", "in_room"})  # facts that a survey is made from


@dataclass(frozen=True)
class Thing:
    name: str
    kind: str
    where: str  # a piece, FLOOR, or the robot that holds it
    spot: tuple[float, float, float] | None


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


def rooms_known(belief: Belief) -> list[str]:
    """Rooms of which a robot has seen the floor, furniture or a door, by their numbers."""
    found = {str(f.value) for f in belief.facts("in_room") if f.value is not UNKNOWN}
    for fact in belief.facts("joins"):
        found.update(r for r in fact.value[:2] if r)  # type: ignore[index]
    cells = belief.area.cells
    numbers = {int(n) for n in set(cells[cells > 0].tolist()) if n < BLOCKED}
    found.update(f"room_{n - FIRST_ROOM + 1}" for n in numbers)
    return sorted(found, key=number_of)


# -- a survey ---------------------------------------------------------------------------------------------------------
class Survey:
    def __init__(self, belief: Belief):
        self.belief = belief
        self.things: dict[str, Thing] = {}  # whose place is known
        self.astray: dict[str, Thing] = {}  # those of them that are misplaced
        self.pieces: dict[str, tuple[str, str]] = {}  # furniture: its kind, the room it stands in
        self.rooms: dict[str, tuple[str, ...]] = {}  # the kinds of furniture that was seen in each
        self.version = 0  # grows with everything that may change what is misplaced, or where it belongs
        self._read = 0

    def update(self) -> None:
        belief = self.belief
        if belief.cursor == self._read:
            return
        new, self._read = belief.since(self._read), belief.cursor
        things: dict[str, None] = {}
        rooms: dict[str, None] = {}
        for fact in new:
            if fact[0] in _TELLS:  # a few of many
                self._sort(fact, things, rooms)
        if rooms:
            things.update(dict.fromkeys(t.name for t in self.things.values() if self.room_of(t) in rooms))
        for name in things:
            self._judge(name)
        if things or rooms:
            self.version += 1

    def _sort(self, fact: Fact, things: dict[str, None], rooms: dict[str, None]) -> None:
        pred = fact.pred
        if pred in ("where", "spot", "keep"):
            things[fact.args[0]] = None
        elif pred == "in_room" and fact.value is not UNKNOWN:
            name, room = fact.args[0], str(fact.value)
            kind = self.belief.value("kind", name)
            self.pieces[name] = ("" if kind is UNKNOWN else str(kind), room)
            kinds = (k for k, r in self.pieces.values() if r == room and k)
            self.rooms[room] = tuple(sorted(kinds))
            rooms[room] = None

    def _judge(self, name: str) -> None:
        value = self.belief.value
        where, spot, kind = value("where", name), value("spot", name), value("kind", name)
        self.astray.pop(name, None)
        if not isinstance(where, str) or not isinstance(spot, tuple) or not isinstance(kind, str):
            self.things.pop(name, None)
            return
        thing = self.things[name] = Thing(name, kind, where, spot)
        if not _kept(value("keep", name), spot) and self.misplaced(thing):
            self.astray[name] = thing

    # -- rooms ----------------------------------------------------------------------------------------------------
    def room_of(self, thing: Thing) -> str:
        if thing.where == FLOOR:
            return room_at(self.belief, *thing.spot[:2]) if thing.spot is not None else ""
        return self.pieces[thing.where][1] if thing.where in self.pieces else ""

    def odds(self, room: str) -> dict[str, float]:
        return odds_of(self.rooms.get(room, ()))

    def kind_of_room(self, room: str, sure: float = SURE) -> str:
        best, share = max(self.odds(room).items(), key=lambda item: item[1])
        return best if share >= sure else ""

    # -- what belongs where ---------------------------------------------------------------------------------------
    def misplaced(self, thing: Thing) -> bool:
        """True if a thing lies where it does not belong, by the placement table and what is known of the room.

        In a room of a kind that is not clear, only what belongs on such furniture in no room at all.
        """
        wanted, room = self.wanted, self.room_of(thing)
        if wanted:
            on = f"{FLOOR}@{room}" if thing.where == FLOOR else thing.where
            return on not in wanted.get(thing.name, (on,))
        if not homes(thing.kind):
            return False
        on = FLOOR if thing.where == FLOOR else self.pieces.get(thing.where, ("", ""))[0]
        if not on or not room:
            return False
        return sum(share for kind, share in self.odds(room).items() if belongs(thing.kind, on, kind)) < 1.0 - SURE

    def belongs(self, kind: str, on: str, room: str) -> bool:
        """True if a kind of thing belongs on such furniture in such a kind of room."""
        return belongs(kind, on, room)

    @property
    def wanted(self) -> dict[str, tuple[str, ...]]:
        """Where the goal wants things by their names; empty where they belong by their kinds."""
        return getattr(self.belief.value("goal"), "wanted", {})

    def receptacles_for(self, kind: str, thing: str = "") -> list[str]:
        """Known furniture on which a kind of thing belongs, or on which the goal wants that thing."""
        if self.wanted:
            return [p for p in self.wanted.get(thing, ()) if p in self.pieces]
        clear = {room: self.kind_of_room(room) for room in self.rooms}
        return [p for p, (on, room) in self.pieces.items() if self.belongs(kind, on, clear.get(room, ""))]

    def by_distance(self, pieces: Iterable[str], at: Sequence[float]) -> list[str]:
        """Of some furniture what things can be put on, as far as its place is known, the nearest first."""
        boxes: list[tuple[Any, str]] = [(self.belief.value("box", p), p) for p in pieces]
        far = [(round(math.dist(b[:2], at[:2]), 2), p) for b, p in boxes if isinstance(b, tuple) and b[6]]
        return [piece for _, piece in sorted(far)]

    def rooms_for(self, kind: str, thing: str = "") -> list[str]:
        """Known rooms on whose floor a kind of thing belongs, or on which the goal wants that thing."""
        if self.wanted:
            floors = (place.partition("@")[2] for place in self.wanted.get(thing, ()))
            return [room for room in floors if room in self.rooms]
        return [room for room in self.rooms if self.belongs(kind, FLOOR, self.kind_of_room(room))]


def _kept(place: object, spot: Sequence[float]) -> bool:
    """True if a thing lies where a resident wants it to stay."""
    return isinstance(place, tuple) and math.dist(place[:2], spot[:2]) < SAME_M


def survey_of(me: RobotView) -> Survey:
    """The survey of a robot, brought up to date with its belief."""
    return survey_as(me, Survey)


def survey_as(me: RobotView, kind: type[S]) -> S:
    """The same of a kind, which everything that judges for the robot asks from now on."""
    survey = me.__dict__.get("_survey")
    if not isinstance(survey, kind):
        survey = me.__dict__["_survey"] = kind(me.belief)
    survey.update()
    return survey


def whole_survey(belief: Belief) -> Survey:
    """Of a belief that is looked at once."""
    survey = Survey(belief)
    survey.update()
    return survey


# -- reports ----------------------------------------------------------------------------------------------------------
HEARD_AT = -1.0  # the time of such facts
WIDE_M = 0.4  # of furniture of which only the place was told
HIGH_M = 0.7  # how high a thing is taken to lie that is said to be on furniture
MOST_M = 1e4  # places further off are of no house
SAME_M = 0.15  # places as near as that are one


@cache
def kind_by_name(name: str) -> str:
    """The kind that a name such as `counter_top_0` speaks of; empty where it is none of the world's."""
    word = name.rpartition("_")[0]
    return next((kind for kind in kinds() if snake(kind) == word), "")


def note_thing(
    belief: Belief,
    me: str,
    who: str,
    name: str,
    kind: str,
    on: str,
    room: str,
    at: tuple[float, float],
    when: float = HEARD_AT,
) -> bool:
    """A thing that `who` said lies somewhere; whether it was news. What `me` has seen itself stands, unless `who` has
    carried it since: then `when` is the time at which it said where it put it."""
    known = kinds().get(kind)
    if known is None or not known.thing or not on or any(abs(v) > MOST_M for v in at):
        return False
    spot = belief.fact("spot", name)
    if spot is not None and isinstance(spot.value, tuple) and math.dist(spot.value[:2], at) < SAME_M:
        return False
    found = {"kind": kind, "where": on, "spot": (*at, 0.0 if on == FLOOR else HIGH_M)}
    facts = [Fact(pred, (name,), value, when, who) for pred, value in found.items()]
    piece = kind_by_name(on)
    if piece and room and belief.value("in_room", on) is UNKNOWN:
        facts += [Fact("kind", (on,), piece, HEARD_AT, who), Fact("in_room", (on,), room, HEARD_AT, who)]
    return belief.tell_all(facts) > 0


def note_piece(belief: Belief, who: str, name: str, kind: str, room: str, at: tuple[float, float]) -> bool:
    """A receptacle that `who` said stands somewhere; whether it was news. Its size is not known, only how high things
    usually lie on such."""
    known = kinds().get(kind)
    if known is None or not known.receptacle or not room or any(abs(v) > MOST_M for v in at):
        return False
    if belief.value("box", name) is not UNKNOWN:
        return False
    high = known.size_m[2]
    box = (*at, WIDE_M, WIDE_M, high, 0.0, surface_m(kind, high), 0.0)
    facts = {"kind": kind, "box": box, "in_room": room}
    return belief.tell_all(Fact(pred, (name,), value, HEARD_AT, who) for pred, value in facts.items()) > 0


def let_go(me: RobotView) -> None:
    """Places that are seen to be empty: what was only said to lie there is not believed any more."""
    for fact in me.now.gone if me.now is not None else ():
        if fact.pred != "spot":
            continue
        spot = me.belief.fact("spot", fact.args[0])
        heard = spot is not None and spot.source != me.name and isinstance(spot.value, tuple)
        if heard and math.dist(spot.value[:2], fact.value[:2]) < SAME_M:  # type: ignore[union-attr, index]
            me.belief.tell(Fact("spot", fact.args, UNKNOWN, me.time, me.name))
