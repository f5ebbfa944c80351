"""Messages of a heuristic teammate, each piece of news once: as lines for everybody, and as facts for its own team."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from coterie.core.action import MEMO, Message
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import RobotView
from coterie.protocols.heuristic.guests import Guest, Guests, against, saw
from coterie.protocols.heuristic.lines import SEEN, SOUGHT, ability, is_explored, pairs, state, write
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, Thing, room_at

MOST_PLACES = 2  # that a robot is told of who holds a thing and asks


class Talk:
    write = staticmethod(write)  # how lines become a message

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        self.facts: list[Fact] = []
        self.told: set[tuple[str, Any]] = set()  # what was told already
        self.doing = ""
        self.team: set[str] = set()  # teammates, also those whose battery is flat by now
        self.guests = Guests()  # those who are no teammates, and say something

    def send(self, me: RobotView) -> None:
        if self.lines:
            lines = [("robot", me.name), *self.lines]
            me.say(self.write(lines), facts=self.facts)
            self.lines, self.facts = [], []

    # -- about itself ---------------------------------------------------------------------------------------------
    def introduce(self, me: RobotView) -> None:
        if not self._new("ability", me.name):
            return
        self.lines += [("ability", ability(me)), ("state", state(me))]
        facts = {"arm": me.card.manipulates, "payload": me.card.payload_kg, "pose": chart_of(me).pose}
        self.facts += [Fact(pred, (me.name,), value) for pred, value in facts.items()]

    def task(self, me: RobotView, words: str, aim: tuple[float, float] | None) -> None:
        """A new sub-task is told; so is where exploring leads."""
        if words == self.doing and not (aim is not None and words == "Explore" and ("aim", aim) not in self.told):
            return
        if words != self.doing:
            self.lines += [("state", state(me)), ("task", words)]
            self.facts += [Fact("doing", (me.name,), words), Fact("pose", (me.name,), chart_of(me).pose)]
        self.doing = words
        self.facts.append(Fact("aim", (me.name,), aim if aim is not None else UNKNOWN))
        self.told.add(("aim", aim))

    # -- about the house ------------------------------------------------------------------------------------------
    def news(self, me: RobotView, survey: Survey) -> None:
        """Tell the misplaced things that this robot saw; where they belong, each finds out by itself."""
        for thing in survey.astray.values():
            spot = me.belief.fact("spot", thing.name)
            if spot is not None and spot.source == me.name and self._new("misplaced", (thing.name, thing.spot)):
                self.lines.append(("misplaced", lies(survey, thing)))
                self._pass_on_place(me, survey, thing.name, thing.where)

    def _pass_on_place(self, me: RobotView, survey: Survey, thing: str, where: str) -> None:
        self._pass_on(me, thing, ("kind", "where", "spot"))
        if where in survey.pieces:
            self._pass_on(me, where, ("kind", "box", "in_room"))

    def _pass_on(self, me: RobotView, name: str, preds: tuple[str, ...]) -> None:
        found = (me.belief.fact(pred, name) for pred in preds)
        self.facts += [f for f in found if f is not None]

    def explored(self, me: RobotView, survey: Survey) -> None:
        """Rooms in which nothing is left to explore. Whose eyes do not reach the floor cannot say so of any."""
        if me.card.sight_m is not None and (me.card.camera_m or 0.0) >= me.card.sight_m:
            return
        new = (room for room in survey.rooms if not self._is_explored(me, room) and self._saw(me, survey, room))
        chart = chart_of(me)
        names = [room for room in new if is_explored(chart, room)]
        if names:
            self.told.update(("explored", room) for room in names)
            self.lines.append(("explored", ", ".join(names)))
            self.facts += [Fact("explored", (room,), True) for room in names]

    def _saw(self, me: RobotView, survey: Survey, room: str) -> bool:
        """True if this robot's eyes are such that nothing is left to explore of a room whose floor it knows."""
        return True

    def done(self, me: RobotView, survey: Survey, thing: str) -> None:
        """Tell that this robot has put a thing where it belongs: nobody else need go for it."""
        where = me.belief.value("where", thing)
        if not isinstance(where, str):
            return
        spot = me.belief.value("spot", thing)
        at = room_at(me.belief, *spot[:2]) if isinstance(spot, tuple) else ""
        room = survey.pieces[where][1] if where in survey.pieces else at
        self.lines.append(("done", f"{thing} {pairs(on=where, room=room)}"))
        self._pass_on_place(me, survey, thing, where)

    def failed(self, me: RobotView, thing: str, why: str) -> None:
        """Tell that this robot could not take a thing, and its weight, if that was the reason: others may try."""
        self.lines.append(("failed", f"{thing}: {why}"))
        self.facts.append(Fact("failed_at", (me.name, thing), True))
        self._pass_on(me, thing, ("mass",))

    def report(self, me: RobotView, thing: str, where: str) -> None:
        self.lines.append(("report", f"{thing} {pairs(on=where)}"))
        self.facts.append(Fact("reported", (thing,), where))
        self.send(me)

    def _new(self, what: str, key: Any) -> bool:
        if (what, key) in self.told:
            return False
        self.told.add((what, key))
        return True

    # -- to others ------------------------------------------------------------------------------------------------
    def hear(self, me: RobotView, survey: Survey, doing: str, new: Sequence[Message]) -> None:
        """Answer robots of other teams: first with who this is and what it does, and whenever one tells its intention,
        also what is known, with what speaks against that."""
        self.team.update(me.heartbeat)
        for message in new:
            if message.sender in self.team:
                continue
            intention = self.guests.listen(me, message)
            guest = self.guests.known[message.sender]
            self._ask_resident(me, survey, guest, message.sender)
            if (guest.met and intention is None) or message.sender == MEMO:  # a memo hears no answer
                continue
            guest.met = True
            lines = [("robot", me.name), ("ability", ability(me)), ("state", state(me)), ("task", doing)]
            if intention is not None:
                explored = [room for room in survey.rooms if self._is_explored(me, room)]
                lines += [("explored", ", ".join(explored))] if explored else []
                away = self.guests.said_away(me, survey.astray)
                lines += [
                    ("misplaced", lies(survey, thing)) for name, thing in survey.astray.items() if name not in away
                ]
                lines += self._places(me, survey, message.sender, intention)
                why = against(intention, doing, explored, room_at(me.belief, *chart_of(me).pose[:2]))
                lines.append(("answer", f"no, {why}" if why else "yes"))
            me.say(self.write(lines), to=(message.sender,))

    def _ask_resident(self, me: RobotView, survey: Survey, guest: Guest, name: str) -> None:
        """Tell a guest of the things that it asked for, and ask one who lives here for those of the goal, once."""
        sought, guest.sought = guest.sought, []
        lines = [(SEEN, lies(survey, survey.things[thing])) for thing in sought if thing in survey.things]
        wanted = getattr(me.belief.value("goal"), "things", ())
        if guest.lives and wanted and self._new(SOUGHT, name):
            lines.append((SOUGHT, ", ".join(wanted)))
        if lines:
            me.say(write([("robot", me.name), *lines]), to=(name,))

    def _places(self, me: RobotView, survey: Survey, guest: str, intention: str) -> list[tuple[str, str]]:
        """Furniture that this robot has seen and on which the thing belongs that a robot holds and intends to put
        away, nearest to who asks first; each piece is told of once."""
        words = [w.strip("<>.,") for w in intention.split()]
        kind = me.belief.value("kind", words[1]) if words[:1] == ["Re-place"] and len(words) > 1 else UNKNOWN
        known = self.guests.known[guest]
        if not isinstance(kind, str) or words[1] not in known.carried or known.at is None:
            return []
        found = []
        for piece in survey.receptacles_for(kind, words[1]):
            if saw(me, piece):
                x, y = me.belief.value("box", piece)[:2]  # type: ignore[index]
                found.append((round(math.dist((x, y), known.at), 2), piece, x, y))
        lines = []
        for _, piece, x, y in sorted(found)[:MOST_PLACES]:
            if self._new("receptacle", (guest, piece)):
                on, room = survey.pieces[piece]
                lines.append(("receptacle", f"{piece} {pairs(kind=on, room=room, x=x, y=y)}"))
        return lines

    def _is_explored(self, me: RobotView, room: str) -> bool:
        return ("explored", room) in self.told or me.belief.value("explored", room) is True


def lies(survey: Survey, thing: Thing) -> str:
    """Where a thing lies, as a line tells it."""
    x, y, _ = thing.spot or (None, None, None)
    return f"{thing.name} {pairs(kind=thing.kind, on=thing.where, room=survey.room_of(thing), x=x, y=y)}"
