"""Messages of a stranger: lines of a key and words, and each piece of news once.

robot: Zoe
ability: arm=yes payload=6.22 height=tall battery=63
state: x=2.5 y=1.25 heading=270 room=room_3 holding=none battery=41
intention: Explore <room_3>
task: Re-place <mug_0> <CounterTop> <Kitchen>
skill: PickupObject <mug_0>
done: Explore <room_3>
done: mug_0 on=counter_top_0 room=room_4
given up: Re-place <mug_0> <CounterTop> <Kitchen>
misplaced: mug_0 kind=Mug on=bathtub_0 room=room_2 x=4.1 y=6.32
receptacle: counter_top_0 kind=CounterTop room=room_4 x=1.5 y=0.5
explored: room_1, room_2
failed: mug_0: mug_0 is too heavy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from coterie.core.protocol import RobotView
from coterie.protocols.adhoc.subtasks import Phrase
from coterie.protocols.heuristic.lines import ability, pairs, state
from coterie.worlds.household.knowledge.graph import Survey, Thing


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
        """Whether this is news."""
        if (what, key) in self.told:
            return False
        self.told.add((what, key))
        return True

    # -- about itself ---------------------------------------------------------------------------------------------
    def introduce(self, me: RobotView) -> None:
        self.lines += [f"ability: {ability(me)}", f"state: {state(me)}"]

    def state(self, me: RobotView) -> None:
        self.lines.append(f"state: {state(me)}")

    def intention(self, phrase: Phrase) -> None:
        self.lines.append(f"intention: {phrase}")

    def task(self, me: RobotView, phrase: Phrase) -> None:
        self.lines += [f"state: {state(me)}", f"task: {phrase}"]

    def skill(self, words: str) -> None:
        self.lines.append(f"skill: {words}")

    def done(self, phrase: Phrase) -> None:
        self.lines.append(f"done: {phrase}")

    def put(self, thing: str, place: str, room: str) -> None:
        """Tell where a thing has been put, so that nobody goes for it where it was."""
        self.lines.append(f"done: {thing} {pairs(on=place, room=room)}")

    def given_up(self, phrase: Phrase) -> None:
        self.lines.append(f"given up: {phrase}")

    # -- about the house ------------------------------------------------------------------------------------------
    def misplaced(self, thing: Thing, room: str) -> None:
        if thing.spot is not None and self.once("misplaced", (thing.name, thing.spot)):
            at = pairs(kind=thing.kind, on=thing.where, room=room, x=thing.spot[0], y=thing.spot[1])
            self.lines.append(f"misplaced: {thing.name} {at}")

    def receptacle(self, survey: Survey, piece: str) -> None:
        kind, room = survey.pieces[piece]
        box = survey.belief.value("box", piece)
        if isinstance(box, tuple) and self.once("receptacle", piece):
            self.lines.append(f"receptacle: {piece} {pairs(kind=kind, room=room, x=box[0], y=box[1])}")

    def explored(self, rooms: list[str]) -> None:
        new = [room for room in rooms if self.once("explored", room)]
        if new:
            self.lines.append(f"explored: {', '.join(new)}")

    def failed(self, thing: str, why: str) -> None:
        self.lines.append(f"failed: {thing}: {why}")
