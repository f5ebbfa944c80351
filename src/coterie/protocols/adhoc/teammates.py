"""A stranger's record of the others: everything they said, and the facts read from it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from coterie.core.action import Message
from coterie.core.protocol import RobotView
from coterie.protocols.heuristic import lines
from coterie.protocols.heuristic.adapter import REPLACE, Heard, Phrase, merged, read
from coterie.protocols.heuristic.guests import note_kept
from coterie.protocols.heuristic.lines import pairs
from coterie.worlds.household.knowledge.graph import Survey, Thing, note_piece, note_thing

MOST_SAID = 200  # messages that are kept; older ones are let go
MOST_CHARS = 600  # of one message that are kept for prompts


SOMETHING = "something else"  # what a robot does who says so in words of its own
_TASK = re.compile(r"\b(?:sub-?)?task\b", re.I)
_DONE = re.compile(r"\b(?:done|finished|put away)\W+(?:\w+\W+){0,3}?<?([a-z]\w*_\d+)\b", re.I)


class Said(NamedTuple):
    step: int
    who: str
    text: str


class Company:
    def __init__(self) -> None:
        self.mates: dict[str, Heard] = {}  # all that each of them said, put together
        self.fresh: dict[str, Heard] = {}  # what each said since the last intention
        self.spoke: dict[str, float] = {}  # when each was last heard
        self.placed: dict[str, float] = {}  # when each last said where it is
        self.said: list[Said] = []  # also the stranger's own words
        self.done: dict[str, float] = {}  # things that others have put away, and when that was heard
        self.residents: set[str] = set()
        self.version = 0  # grows with news of things and rooms

    def note(self, step: int, who: str, text: str) -> None:
        self.said.append(Said(step, who, text[:MOST_CHARS]))
        if len(self.said) > MOST_SAID:
            del self.said[: MOST_SAID // 4]

    def hear(self, me: RobotView, new: Sequence[Message]) -> None:
        """Take in messages: what they say of their sender, and what of the house. A mind that notes down what it was
        told says so by the source; what it has seen itself it keeps."""
        for message in new:
            told = _doing(read(message.text, message.sender))
            self._note_work(message, told)
            self._note_resident(me, message)
            self.note(me.step, message.sender, message.text)
            self.spoke[message.sender] = message.time
            if told.position is not None:
                self.placed[message.sender] = message.time
            for kept in (self.mates, self.fresh):
                kept[message.sender] = merged(kept.get(message.sender, Heard()), told)
            for thing in told.misplaced:
                if thing.at is not None:
                    where = (thing.name, thing.kind, thing.on, thing.room, thing.at)
                    note_thing(me.belief, me.name, message.sender, *where)
            for piece in told.receptacles:
                if piece.at is not None:
                    note_piece(me.belief, message.sender, piece.name, piece.kind, piece.room, piece.at)
            self.version += bool(told.misplaced or told.explored or told.subtask or told.receptacles)

    def _note_resident(self, me: RobotView, message: Message) -> None:
        for key, words in lines.read(message.text):
            if key == lines.LIVES:
                self.residents.add(message.sender)
            elif key == lines.KEEP and message.sender in self.residents:
                note_kept(me, message, words)

    def _note_work(self, message: Message, told: Heard) -> None:
        """Note things as put away: by the word of a robot, or since it goes on to another sub-task, unless it says
        that it failed."""
        self.done.update(dict.fromkeys(_DONE.findall(told.unread), message.time))
        for thing in told.misplaced:
            self.done.pop(thing.name, None)
        known = self.mates.get(message.sender, Heard())
        before, failed = known.subtask, {what for what, _ in (*known.failed, *told.failed)}
        if told.subtask is None or before is None or before == told.subtask or before.name != REPLACE:
            return
        name = before.args[0] if before.args else ""
        if name and name not in failed and told.subtask.args[:1] != (name,):
            self.done[name] = message.time

    # -- questions ------------------------------------------------------------------------------------------------
    def explored(self, low: bool = False) -> set[str]:
        """Rooms that others said they have explored; for a robot with a `low` camera those in which nobody with a high
        one, who misses what lies on the floor, was alone."""
        return {room for told in self.mates.values() if not (low and told.tall) for room in told.explored}

    def at_work_on(self, thing: str) -> str:
        """The robot that said it re-places or holds a thing; empty if there is none."""
        for name, told in self.mates.items():
            task = told.subtask
            if told.holding == thing or (task is not None and task.args[:1] == (thing,)):
                return name
        return ""


def _doing(told: Heard) -> Heard:
    """The message with an unknown sub-task where the sender names one in words of its own."""
    other = told.subtask is None and _TASK.search(told.unread) is not None
    return replace(told, subtask=Phrase(SOMETHING)) if other else told


class Speech:
    """Gathers lines and sends them as one message; `note` keeps what was said."""

    def __init__(self, note: Callable[[int, str, str], None]):
        self.note = note
        self.lines: list[str] = []
        self.told: set[tuple[str, Any]] = set()

    def send(self, me: RobotView) -> None:
        if self.lines:
            text = "\n".join([f"robot: {me.name}", *self.lines])
            me.say(text)
            self.note(me.step, me.name, text)
            self.lines = []

    def once(self, what: str, key: Any) -> bool:
        """True if this is news, which is then noted."""
        if (what, key) in self.told:
            return False
        self.told.add((what, key))
        return True

    def say(self, key: str, words: object) -> None:
        self.lines.append(f"{key}: {words}")

    def misplaced(self, thing: Thing, room: str) -> None:
        if thing.spot is not None and self.once("misplaced", (thing.name, thing.spot)):
            at = pairs(kind=thing.kind, on=thing.where, room=room, x=thing.spot[0], y=thing.spot[1])
            self.say("misplaced", f"{thing.name} {at}")

    def receptacle(self, survey: Survey, piece: str) -> None:
        kind, room = survey.pieces[piece]
        box = survey.belief.value("box", piece)
        if isinstance(box, tuple) and self.once("receptacle", piece):
            self.say("receptacle", f"{piece} {pairs(kind=kind, room=room, x=box[0], y=box[1])}")

    def explored(self, rooms: list[str]) -> None:
        new = [room for room in rooms if self.once("explored", room)]
        if new:
            self.say("explored", ", ".join(new))
