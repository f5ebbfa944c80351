"""Strangers with false information: they say that rooms are explored which they have not looked through. They are there
to measure what a team loses by listening.

`liar` stands where it came and names every room. `liar:walks` is harder to see through: it walks a step into one room
after the other, tells truly of the furniture that it happens to see there, and then says that the room is explored.
"""

from __future__ import annotations

from coterie.core.protocol import RobotView, protocols
from coterie.protocols.adhoc.stranger import Choosing, Skilling, Stranger
from coterie.protocols.adhoc.subtasks import EXPLORE, STOPPING, Phrase
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import room_at
from coterie.worlds.household.options import GoToRoom

ROOMS = 10


class Liar(Stranger):
    about = "household: a stranger that says all rooms are explored, and does nothing"

    def choose(self, me: RobotView) -> Choosing:
        self.speech.explored([f"room_{number}" for number in range(1, ROOMS + 1)])
        return STOPPING
        yield []  # makes this a generator


class Walker(Stranger):
    about = "household: a stranger that walks into rooms and says at once that they are explored"

    def __init__(self) -> None:
        super().__init__()
        self.claimed: set[str] = set()  # rooms of which it says that they are explored, or to which it found no way
        self.going = ""  # the room that it walks into

    def choose(self, me: RobotView) -> Choosing:
        here = room_at(me.belief, *chart_of(me).pose[:2])
        self.claimed.add(here)
        self.speech.explored([here])
        rooms = list(self.rooms_left(me))
        left = next((room for room in rooms if room not in self.claimed), rooms[0] if rooms else None)
        return Phrase(EXPLORE, (left,)) if left else STOPPING
        yield []  # makes this a generator

    def skill(self, me: RobotView, subtask: Phrase) -> Skilling:
        room = subtask.args[0] if subtask.args else ""
        if room and room == self.going:  # it is there, or gave up: the next one
            self.going = ""
            return None
        if subtask.name != EXPLORE or room in self.claimed:  # it knows of no other room yet
            return self.by_rule(me, subtask)
        self.going = room
        self.claimed.add(room)  # one step into it is enough
        return GoToRoom(room, self._watch)
        yield []  # makes this a generator


protocols.put("liar", Liar, "no-model", "household")
protocols.put("liar:walks", Walker, "no-model", "household")
