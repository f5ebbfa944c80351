"""Guests: robots of other teams that speak in lines as heuristic teammates do, and what these make of their words.

It is answered: who this is, what it does and knows, and whether something speaks against what it intends. What it says
it found is noted down with its name as the source; furniture that it tells of is used where the robot knows no place
itself; what it says it has put away is not gone for, unless it is seen to lie there; what it says it re-places is left
to it, until its battery must be flat. Rooms that it says it explored come last, if it was heard from there; they are
left out only if it told of the furniture that this robot has seen there, too. Humans, and robots that speak otherwise,
are understood as far as `adapter` reads them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from coterie.core.action import MEMO, Message
from coterie.core.facts import Fact
from coterie.core.protocol import RobotView
from coterie.protocols.heuristic import adapter
from coterie.protocols.heuristic.lines import KEEP, LIVES, SEEN, SOUGHT, pairs, point, read, values
from coterie.protocols.heuristic.passing import ask_way
from coterie.worlds.household.knowledge import graph
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, Thing

QUIET_S = 60.0  # who has said nothing for so long is not counted on
MOST_CHARS = 20_000  # of one message that are read
MOST_PIECES = 400  # of furniture that are kept
MOST_CARRIED, MOST_NAME = 100, 40  # things that a robot said it holds, and characters of the name of one
FEWEST, NEARLY = 2, 0.75  # pieces that one must have seen in a room to check a claim by, and the share to be told of
MOST_ROOM = 12  # characters of the name of a room


@dataclass
class Guest:
    spoke: float = 0.0
    task: str = ""  # its own words
    explored: set[str] = field(default_factory=set)
    been: set[str] = field(default_factory=set)  # rooms it said it is in, or told furniture of
    at: tuple[float, float] | None = None
    ends: float = math.inf  # when its battery is flat, by its own word
    pieces: set[str] = field(default_factory=set)  # furniture that it told of
    carried: set[str] = field(default_factory=set)  # what it said it holds, now or before
    met: bool = False  # it was told who this is
    lives: bool = False  # in this house
    sought: list[str] = field(default_factory=list)  # things it has asked for and was not told of yet


class Told(NamedTuple):
    """A thing or a piece of furniture, as somebody told of it."""

    who: str
    name: str
    kind: str
    on: str
    room: str
    at: tuple[float, float]

    @classmethod
    def of(cls, message: Message, words: str) -> Told | None:
        """From a line such as `mug_0 kind=Mug on=sofa_0 room=room_2 x=4.1 y=6.32`; None where it names no place."""
        given, at = values(words), point(words)
        kind, on, room = (given.get(key, "") for key in ("kind", "on", "room"))
        return None if at is None else cls(message.sender, words.split(" ")[0], kind, on, room, at)

    def note(self, me: RobotView, time: float) -> bool:
        """Note down that the thing lies there; False where this robot knows better."""
        return graph.note_thing(me.belief, me.name, self.who, self.name, self.kind, self.on, self.room, self.at, time)


class Guests:
    def __init__(self) -> None:
        self.known: dict[str, Guest] = {}
        self.things: dict[str, tuple[float, float]] = {}  # what a robot said is misplaced, and where
        self.pieces: dict[str, Told] = {}  # furniture that a robot told of
        self.seen: dict[str, Told] = {}  # things that a memo knows of
        self.done: dict[str, float] = {}  # things that a robot said it has put away, and when

    def listen(self, me: RobotView, message: Message) -> str | None:
        """Take in what a stranger says; its intention, if it speaks of one."""
        guest = self.known.setdefault(message.sender, Guest())
        guest.spoke, intention, memo = message.time, None, message.sender == MEMO
        for key, words in read(message.text[:MOST_CHARS]) or spoken(message):
            if key == "task":
                guest.task = words[:80]
            elif key == "explored":
                guest.explored.update(w.strip()[:MOST_ROOM] for w in words.split(","))
            elif key == "state":
                guest.at = point(words)
                guest.been.add(values(words).get("room", "")[:MOST_ROOM])
                guest.ends = message.time + _steps(values(words).get("battery", ""))
                if len(guest.carried) < MOST_CARRIED:
                    guest.carried.add(values(words).get("holding", "")[:MOST_NAME])
            elif key == "misplaced" and me.card.manipulates:
                thing = Told.of(message, words)
                if thing is not None:
                    when = message.time if thing.name in guest.carried or guest.lives else graph.HEARD_AT
                    if thing.note(me, when):
                        self.things[thing.name] = thing.at
            elif key == "receptacle":
                piece = Told.of(message, words)
                if len(guest.pieces) < MOST_PIECES:
                    guest.pieces.add(words.split(" ")[0][:MOST_NAME])
                if piece is not None and len(self.pieces) < MOST_PIECES and (me.card.manipulates or memo):
                    self.pieces.setdefault(piece.name, piece)
            elif key == "done" and (name := _put(words)):
                self.done[name] = message.time
            elif key == "intention":
                intention = words
            elif key in (LIVES, KEEP, SOUGHT, SEEN):
                self._of_residents(me, guest, message, key, words)
        return intention

    def _of_residents(self, me: RobotView, guest: Guest, message: Message, key: str, words: str) -> None:
        """Take in that a resident lives here, wants a thing to stay, asks for things or knows one, as a memo may."""
        if key == LIVES:
            guest.lives = True
        elif key == SOUGHT:
            guest.sought = [name.strip()[:MOST_NAME] for name in words.split(",")][:MOST_CARRIED]
        elif key == KEEP and guest.lives:
            note_kept(me, message, words)
        elif key == SEEN and (message.sender == MEMO or guest.lives) and (told := Told.of(message, words)) is not None:
            self.seen[told.name] = told

    def on_the_way(self, me: RobotView) -> None:
        """Before every step: what is not where it was said to lie is let go, and residents are asked to step aside."""
        if self.known:
            graph.let_go(me)
            ask_way(me, [name for name, guest in self.known.items() if guest.lives])

    # -- questions ------------------------------------------------------------------------------------------------
    def away(self, me: RobotView, astray: Mapping[str, Thing]) -> set[str]:
        """Of some things, those that a guest said it has put away since they were laid where they lie; not those that
        this robot sees lying there."""
        for fact in me.now.facts if me.now is not None and self.done else ():
            if fact.pred == "spot":
                self.done.pop(fact.args[0], None)
        return self.said_away(me, astray)

    def said_away(self, me: RobotView, astray: Mapping[str, Thing]) -> set[str]:
        """Of some things, those that a guest said it has put away since they were last seen."""
        found = set()
        for name in self.done.keys() & astray.keys():
            spot = me.belief.fact("spot", name)
            if spot is not None and spot.time < self.done[name]:
                found.add(name)
        return found

    def explored(self) -> set[str]:
        """Rooms that guests say they explored, as far as they were heard from there: words alone are not enough."""
        return {room for guest in self.known.values() for room in guest.explored & guest.been}

    def shown(self, me: RobotView, survey: Survey) -> set[str]:
        """Of those, rooms of which a guest also told nearly all the furniture that this robot has seen there: it must
        have looked around."""
        found = set()
        for guest in self.known.values():
            for room in guest.explored & guest.been:
                seen = [name for name, (_, where) in survey.pieces.items() if where == room and saw(me, name)]
                if len(seen) >= FEWEST and sum(name in guest.pieces for name in seen) >= NEARLY * len(seen):
                    found.add(room)
        return found

    def tasks(self, now: float = 0.0) -> list[str]:
        """The sub-tasks of guests that were heard lately and whose battery is not flat."""
        return [g.task for g in self.known.values() if _counts(g, now)]

    def astray(self, me: RobotView, survey: Survey) -> dict[str, Thing]:
        """Things that a guest called misplaced, until this robot sees them and knows the kind of room, or hears that
        it is elsewhere."""
        found = {}
        for name, at in self.things.items():
            thing, spot = survey.things.get(name), me.belief.fact("spot", name)
            if thing is None or spot is None or thing.spot is None:
                continue
            room = survey.room_of(thing) if spot.source == me.name else ""
            if room and survey.kind_of_room(room):  # then it judges by itself
                continue
            if math.dist(thing.spot[:2], at) < graph.SAME_M:
                found[name] = thing
        return found

    def home(self, me: RobotView, survey: Survey, kind: str, bad: Collection[str]) -> str:
        """The nearest piece that a robot told of, on which a kind of thing belongs; it is then noted down. Empty:
        there is none."""
        here, fit = chart_of(me).pose, []
        for name, told in self.pieces.items():
            if name not in bad and survey.belongs(kind, told.kind, self._kind_of_room(survey, told.room)):
                fit.append((round(math.dist(told.at, here[:2]), 2), name))
        if not fit:
            return ""
        name = min(fit)[1]
        told = self.pieces[name]
        graph.note_piece(me.belief, told.who, name, told.kind, told.room, told.at)
        return name if isinstance(me.belief.value("box", name), tuple) else ""

    def _kind_of_room(self, survey: Survey, room: str) -> str:
        """By the furniture that was seen in it, and that was told of."""
        heard = [t.kind for name, t in self.pieces.items() if t.room == room and name not in survey.pieces]
        odds = graph.odds_of(tuple(sorted([*survey.rooms.get(room, ()), *heard])))
        best, share = max(odds.items(), key=lambda item: item[1])
        return best if share >= graph.SURE else ""

    def searching(self, now: float) -> bool:
        """True if a robot may still find something."""
        return any(g.task.startswith("Explore") and _counts(g, now) for g in self.known.values())


def note_kept(me: RobotView, message: Message, words: str) -> None:
    """Take in that a resident wants a thing to stay where it lies."""
    if (told := Told.of(message, words)) is not None:
        me.belief.tell(Fact("keep", (told.name,), told.at, message.time, message.sender))


def note_told(me: RobotView, message: Message, words: str) -> None:
    """Take in where a thing lies that was asked for."""
    if (told := Told.of(message, words)) is not None:
        told.note(me, message.time)


def _counts(guest: Guest, now: float) -> bool:
    return now - guest.spoke <= QUIET_S and now < guest.ends


def saw(me: RobotView, piece: str) -> bool:
    """True if a robot has seen itself a piece of furniture that things can be put on."""
    box = me.belief.fact("box", piece)
    return box is not None and box.source == me.name and isinstance(box.value, tuple) and bool(box.value[6])


def _steps(words: str) -> float:
    """Of a battery; without end where nothing is said of it."""
    return float(words) if words.isascii() and words.isdigit() else math.inf


def spoken(message: Message) -> list[tuple[str, str]]:
    """A guest's words in sentences, or in another format, as lines."""
    told = adapter.read(message.text, message.sender)
    lines = [("task", str(told.subtask))] if told.subtask is not None else []
    lines += [("explored", ", ".join(told.explored))] if told.explored else []
    if told.position is not None:
        x, y = told.position
        holding = {} if told.holding is None else {"holding": told.holding}
        lines.append(("state", pairs(x=x, y=y, room=told.room, battery=told.battery_left, **holding)))
    for key, found in (("misplaced", told.misplaced), ("receptacle", told.receptacles)):
        for one in found:
            spot = dict(zip("xy", one.at or ()))
            lines.append((key, f"{one.name} {pairs(kind=one.kind, on=one.on, room=one.room, **spot)}"))
    return lines


def _put(words: str) -> str:
    """The thing of `mug_0 on=counter_top_0 room=room_1`; empty where the words name no place it was put."""
    name, given = words.split(" ")[0], values(words)
    return name if given.get("on") and given.get("room") and "=" not in name else ""


def against(intention: str, mine: str, explored: Sequence[str], room: str = "") -> str:
    """The objection to an intention, in words: this robot, which is in that room, is at it, or it is done. Empty:
    nothing."""
    words = [w.strip("<>.,") for w in intention.split()]
    own = [w.strip("<>.,") for w in mine.split()]
    if len(words) < 2:
        return ""
    if words[0] == "Explore" and words[1] in explored:
        return f"{words[1]} is explored"
    if words[0] == "Explore" and own[:1] == ["Explore"] and words[1] == room:
        return f"I explore {words[1]} myself"
    if words[0] == "Re-place" and own[:1] == ["Re-place"] and own[1:2] == words[1:2]:
        return f"I re-place {words[1]} myself"
    return ""
