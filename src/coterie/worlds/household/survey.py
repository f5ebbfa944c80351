"""What a robot knows of rooms, furniture and things, kept up to date fact by fact: `graph.py` without looking at all of
a belief again.

Minds that judge by the placement table ask it what is misplaced and where that belongs.
"""

from __future__ import annotations

from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.protocol import RobotView
from coterie.houses.model import FLOOR
from coterie.houses.placement import belongs, homes
from coterie.worlds.household.graph import SURE, Thing, odds_of, room_at

_TELLS = frozenset({"where", "spot", "in_room"})  # facts that it is made from


def survey_of(me: RobotView) -> Survey:
    """The survey of a robot, brought up to date with its belief."""
    survey: Survey | None = me.__dict__.get("_survey")
    if survey is None:
        survey = me.__dict__["_survey"] = Survey(me.belief)
    survey.update()
    return survey


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
        if pred in ("where", "spot"):
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
        if self.misplaced(thing):
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
        """As `graph.misplaced`."""
        if not homes(thing.kind):
            return False
        room = self.room_of(thing)
        on = FLOOR if thing.where == FLOOR else self.pieces.get(thing.where, ("", ""))[0]
        if not on or not room:
            return False
        return sum(share for kind, share in self.odds(room).items() if belongs(thing.kind, on, kind)) < 1.0 - SURE

    def belongs(self, kind: str, on: str, room: str) -> bool:
        """Whether a kind of thing belongs on such furniture in such a kind of room."""
        return belongs(kind, on, room)

    def receptacles_for(self, kind: str) -> list[str]:
        """Known furniture on which a kind of thing belongs."""
        clear = {room: self.kind_of_room(room) for room in self.rooms}
        return [p for p, (on, room) in self.pieces.items() if on and clear[room] and belongs(kind, on, clear[room])]

    def rooms_for(self, kind: str) -> list[str]:
        """Known rooms on whose floor a kind of thing belongs."""
        return [room for room in self.rooms if belongs(kind, FLOOR, self.kind_of_room(room))]
