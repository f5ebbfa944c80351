"""Reading what teammates say where only words travel: plain sentences to facts, and nothing that is not understood.

Rule minds say everything they mean in such sentences (see `talk`). A sentence counts as its speaker's word at the time
it was said; names of places must be on the map, and nobody is believed about where another may go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from coterie.core.action import PERSON, Message
from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.core.protocol import RobotView
from coterie.worlds.indoor.bodies import robots as bodies

_NAME = r"[A-Za-z]\w*"
_PLACE = r"(?:floor@)?[A-Za-z]\w*"
_LISTED = re.compile(rf"\bAt ({_PLACE}): ((?:{_NAME}(?:, )?)+)\.")
_THING = re.compile(rf"\b({_NAME}) is at ({_PLACE})(?: \((\d+\.\d+) kg\))?\.")
_BRING = re.compile(rf"\b({_NAME}), please (?:bring|open) ({_NAME})\.")
_TAKES = re.compile(rf"\bI take ({_NAME})\.")
_HOLDS = re.compile(rf"\bIn my hand: ({_NAME})\.")
_REFUSED = re.compile(rf"\bI may not place anything on ({_NAME})\.")
_STATE = re.compile(rf"\b({_NAME}) is (open|closed)\b")
_BARRED = re.compile(rf"\bI may not enter ((?:{_NAME}(?:, )?)+);")
_BODY = re.compile(rf"\bMy body: ({_NAME})\.(?: My foot is at (-?\d+\.\d+), (-?\d+\.\d+)\.)?")


def hear(me: RobotView) -> None:
    """Take in what teammates said in words alone since this robot last decided, of strangers nothing."""
    for message in me.inbox:
        if not message.facts and message.via != PERSON and message.sender in me.heartbeat:
            for fact in read(me, message):
                me.belief.tell(fact)


def read(me: RobotView, message: Message) -> Iterator[Fact]:
    """The facts that a message states, as its sender's word."""
    text, sender, time = message.text[:2000], message.sender, message.time
    for body, x, y in _BODY.findall(text):
        try:
            yield Fact("card", (sender,), bodies.get(body), time, sender)
        except CoterieError:
            continue
        if x:
            yield Fact("pose", (sender,), (float(x), float(y)), time, sender)
    for place, things in _LISTED.findall(text):
        if _known(me, place):
            found = tuple(t for t in things.split(", ") if t and t != "nothing")
            yield Fact("contents", (place,), found, time, sender)
    for thing, place, mass in _THING.findall(text):
        if _known(me, place):
            yield Fact("where", (thing,), place, time, sender)
            if mass:
                yield Fact("mass", (thing,), float(mass), time, sender)
    for robot, what in _BRING.findall(text):
        yield Fact("job", (what,), robot, time, sender)
    for thing in _TAKES.findall(text):
        yield Fact("job", (thing,), sender, time, sender)
    for platform in _REFUSED.findall(text):
        yield Fact("may_place", (sender, platform), False, time, sender)
    for thing in _HOLDS.findall(text):
        yield Fact("where", (thing,), sender, time, sender)
    for fixture, state in _STATE.findall(text):
        if me.look("openable", fixture):
            yield Fact("open", (fixture,), state == "open", time, sender)
    for places in _BARRED.findall(text):
        for place in places.split(", "):
            if _known(me, place) or place in me.look("all_rooms"):  # type: ignore[operator]
                yield Fact("allowed", (sender, place), False, time, sender)


def _known(me: RobotView, place: str) -> bool:
    return bool(me.look("furniture", place.removeprefix("floor@")))
