"""Facts from the sentences of teammates, where only words travel; sentences that are not understood state nothing.

Agents say everything they mean in the sentences of `shared.sentences`. A sentence counts as its speaker's word at the
time it was said; names of places must be on the map, and a robot is believed about where it may go itself alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coterie.core.action import PERSON, Message
from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.core.protocol import RobotView
from coterie.protocols.shared import sentences
from coterie.protocols.shared.reading import BEYOND
from coterie.worlds.indoor.bodies import robots as bodies

Stated = tuple[str, tuple[str, ...], Any]  # predicate, arguments, value
MOST_READ = 2000  # characters of a message
SURE_S = 60.0  # seconds for which what a robot saw itself counts more than what others say


def hear(me: RobotView) -> None:
    """Take in what teammates said in words alone since this robot last decided, of strangers nothing."""
    for message in me.inbox:
        if not message.facts and message.via != PERSON and message.sender in me.heartbeat:
            for fact in read(me, message):
                me.belief.tell(fact)


def believe(me: RobotView, message: Message) -> None:
    """Take in the facts that a message states, but for what this robot has just seen to be otherwise."""
    for fact in read(me, message):
        if believable(me, fact):
            me.belief.tell(fact)


def believable(me: RobotView, fact: Fact) -> bool:
    """Whether a robot has not seen the contrary itself a short while ago."""
    own = [me.belief.fact(fact.pred, *fact.args)]
    if fact.pred == "where" and isinstance(fact.value, str):
        look = me.belief.fact("contents", fact.value)
        own.append(
            look if look is not None and isinstance(look.value, tuple) and fact.args[0] not in look.value else None
        )
    return not any(
        o is not None and o.source == me.name and o.value != fact.value and me.time - o.time <= SURE_S for o in own
    )


def read(me: RobotView, message: Message) -> Iterator[Fact]:
    """The facts that a message states, as its sender's word."""
    for pred, args, value in _stated(me, message.text[:MOST_READ], message.sender):
        yield Fact(pred, args, value, message.time, message.sender)


def _stated(me: RobotView, text: str, sender: str) -> Iterator[Stated]:
    for (body,) in sentences.BODY.heard(text):
        try:
            yield "card", (sender,), bodies.get(body)
        except CoterieError:
            continue
        yield from (("pose", (sender,), foot) for foot in sentences.FOOT.heard(text))
    yield from _of_places(me, text)
    for robot, what in (*sentences.BRING.heard(text), *sentences.OPEN.heard(text)):
        yield "job", (what,), robot
    for (thing,) in sentences.TAKES.heard(text):
        yield "job", (thing,), sender
    for (platform,) in sentences.MAY_NOT_PLACE.heard(text):
        yield "may_place", (sender, platform), False
    for (thing,) in sentences.IN_HAND.heard(text):
        yield "where", (thing,), sender
    yield from _of_limits(me, text, sender)


def _of_places(me: RobotView, text: str) -> Iterator[Stated]:
    """Where things lie, and how heavy they are."""
    for place, things in sentences.SEEN.heard(text):
        if _known(me, place):
            yield "contents", (place,), things
    for thing, place, *mass in (*sentences.LIES.heard(text), *sentences.LIES_HEAVY.heard(text)):
        if _known(me, place):
            yield "where", (thing,), place
            yield from (("mass", (thing,), kg) for kg in mass)


def _of_limits(me: RobotView, text: str, sender: str) -> Iterator[Stated]:
    """States of doors and boxes, places closed to the speaker, and things it cannot take."""
    for fixture, state in sentences.STATE.heard(text):
        if me.look("openable", fixture):
            yield "open", (fixture,), state == "open"
    for (places,) in sentences.MAY_NOT_ENTER.heard(text):
        for place in places:
            if _known(me, place) or place in me.look("all_rooms"):  # type: ignore[operator]
                yield "allowed", (sender, place), False
    for place, things in sentences.OUT_OF_REACH.heard(text):
        yield from ((BEYOND, (sender, thing), place) for thing in things)
    for (finds,) in sentences.NOT_FOR_ME.heard(text):
        yield from ((BEYOND, (sender, thing), place) for thing, place in finds)
    for (things,) in sentences.CANNOT_TAKE.heard(text):
        yield from ((BEYOND, (sender, thing), me.belief.value("where", thing)) for thing in things)


def _known(me: RobotView, place: str) -> bool:
    return bool(me.look("furniture", place.removeprefix("floor@")))
