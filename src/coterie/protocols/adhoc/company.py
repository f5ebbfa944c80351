"""What a stranger knows of the others, from their words alone, and who said what when."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from coterie.core.action import Message
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import RobotView
from coterie.protocols.adhoc.told import Found, Told, merged, read
from coterie.worlds.household.house import FLOOR
from coterie.worlds.household.placement import kinds
from coterie.worlds.household.read import snake

MOST_SAID = 200  # messages that are kept; older ones are let go
MOST_CHARS = 600  # of one message that are kept for prompts
ON_SOMETHING_M = 0.7  # how high a thing is taken to lie that was only said to be on furniture


class Said(NamedTuple):
    step: int
    who: str
    text: str


class Company:
    def __init__(self) -> None:
        self.mates: dict[str, Told] = {}  # all that each of them said, put together
        self.fresh: dict[str, Told] = {}  # what each said since the last intention
        self.spoke: dict[str, float] = {}  # when each was last heard
        self.said: list[Said] = []  # also the stranger's own words
        self.version = 0  # grows with news of things and rooms

    def note(self, step: int, who: str, text: str) -> None:
        self.said.append(Said(step, who, text[:MOST_CHARS]))
        if len(self.said) > MOST_SAID:
            del self.said[: MOST_SAID // 4]

    def hear(self, me: RobotView, new: Sequence[Message]) -> None:
        """Take in messages: what they say of their sender, and what of the house. A mind that notes down what it was
        told says so by the source; what it has seen itself it keeps."""
        for message in new:
            told = read(message.text)
            self.note(me.step, message.sender, message.text)
            self.spoke[message.sender] = message.time
            for kept in (self.mates, self.fresh):
                kept[message.sender] = merged(kept.get(message.sender, Told()), told)
            for thing in told.misplaced:
                self._note_thing(me, message, thing)
            self.version += bool(told.misplaced or told.explored)

    def _note_thing(self, me: RobotView, message: Message, thing: Found) -> None:
        if thing.at is None or not thing.on or thing.kind not in kinds():
            return
        belief, now, who = me.belief, message.time, message.sender
        known = belief.fact("spot", thing.name)
        if known is not None and known.source == me.name and known.value is not UNKNOWN and known.time >= now:
            return
        high = 0.0 if thing.on == FLOOR else ON_SOMETHING_M
        facts = [
            Fact("kind", (thing.name,), thing.kind, now, who),
            Fact("where", (thing.name,), thing.on, now, who),
            Fact("spot", (thing.name,), (*thing.at, high), now, who),
        ]
        piece = kind_by_name(thing.on)
        if thing.on != FLOOR and piece and belief.value("in_room", thing.on) is UNKNOWN and thing.room:
            facts += [Fact("kind", (thing.on,), piece, now, who), Fact("in_room", (thing.on,), thing.room, now, who)]
        belief.tell_all(facts)

    # -- questions ------------------------------------------------------------------------------------------------
    def explored(self) -> set[str]:
        """Rooms that others said they have explored."""
        return {room for told in self.mates.values() for room in told.explored}

    def at_work_on(self, thing: str) -> str:
        """Who said that it re-places or holds a thing; empty: nobody."""
        for name, told in self.mates.items():
            task = told.subtask
            if told.holding == thing or (task is not None and task.args[:1] == (thing,)):
                return name
        return ""


@cache
def kind_by_name(name: str) -> str:
    """The kind that a name such as `counter_top_0` speaks of."""
    word = name.rpartition("_")[0]
    return next((kind for kind in kinds() if snake(kind) == word), "")
