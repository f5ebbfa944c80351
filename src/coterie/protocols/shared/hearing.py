"""Facts from the sentences of teammates, where only words travel; sentences that are not understood state nothing.

Agents say everything they mean in the sentences of `shared.sentences`. A sentence counts as its speaker's word at the
time it was said; names of places must be on the map, and a robot is believed about where it may go itself alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from coterie.core.action import PERSON, Message
from coterie.core.bounds import clean
from coterie.core.card import MOST_ABOUT
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import RobotView
from coterie.protocols.shared import sentences
from coterie.protocols.shared.reading import BEYOND, Reading
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
    """True if a robot has not seen the contrary itself a short while ago."""
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


def introduction(r: Reading) -> tuple[str, list[Fact]]:
    facts = [Fact("card", (r.name,), r.card, r.me.time, r.name)]
    if not r.card.moves:
        facts.append(Fact("pose", (r.name,), r.pose, r.me.time, r.name))
    text = f"I am {r.name}, {clean(r.card.about, MOST_ABOUT)}."
    if r.at is not None:  # what I see from where I begin
        for fact in r.belief.facts():
            if fact.pred in ("contents", "spot", "mass") and fact.source == r.name:
                facts.append(fact)
        text += f" At {r.at} I see {', '.join(r.contents(r.at)) or 'nothing'}."
    return text, facts


def body_in_words(r: Reading) -> str:
    """The body in words, for a radio that carries no facts: which it is, and where the foot of an arm stands."""
    foot = f" {sentences.FOOT.say(*r.pose[:2])}" if not r.card.moves else ""
    return f" {sentences.BODY.say(r.card.body)}{foot}"


def greet(r: Reading, newcomers: Iterable[str], more: Iterable[Fact] = (), words: str = "", share: bool = True) -> None:
    """Say to those who have just come who I am: nobody else does."""
    facts = [Fact("card", (r.name,), r.card, r.me.time, r.name)] if share else []
    if share and not r.card.moves:
        facts.append(Fact("pose", (r.name,), r.pose, r.me.time, r.name))
    r.me.say(
        f"I am {r.name}, {clean(r.card.about, MOST_ABOUT)}.{words}", to=tuple(sorted(newcomers)), facts=[*facts, *more]
    )


def named_facts(r: Reading, text: str) -> list[Fact]:
    """The speaker's facts about the things and places it names, which travel with its words."""
    named = set(re.findall(r"[\w@-]+", text))
    facts = []
    for fact in r.belief.facts():
        if fact.value is UNKNOWN or fact.pred not in ("where", "spot", "mass", "contents", "open", "allowed"):
            continue
        if fact.pred == "allowed":  # of itself alone: where it may not go
            if fact.args[0] == r.name and fact.args[1] in named:
                facts.append(fact)
        elif fact.args[0] in named and not (fact.pred == "where" and fact.value == r.name):
            facts.append(fact)
    boxes = {f.value for f in facts if f.pred == "where"}  # and whether the box it lies in stands open
    facts += [f for f in r.belief.facts("open") if f.args[0] in boxes and f not in facts and f.value is not UNKNOWN]
    return facts[:60]


FIRST, EACH = 5, 4  # steps that a robot may take for its part: so many, and so many more for each thing in it
QUIET = 6  # steps without a sign after which a robot may have gone, though nothing is waited for


class Signs(NamedTuple):
    """Signs of teammates as one robot noticed them: a value, replaced and never changed."""

    last: tuple[tuple[str, int], ...] = ()  # (teammate, step of its last sign or when nothing was waited for)
    alive: tuple[tuple[str, int], ...] = ()  # (teammate, step of its last sign)
    missed: frozenset[str] = frozenset()

    def silent(self, name: str | None, now: int) -> int:
        """Steps since the last sign of a robot, or since nothing was waited for from it."""
        return now - dict(self.last).get(name or "", now)

    def quiet(self, names: Iterable[str], now: int) -> bool:
        """True if one of these has given no sign for a while."""
        return any(self.quiet_for(n, now) >= QUIET for n in names)

    def quiet_for(self, name: str, now: int) -> int:
        """Steps since the last sign of a robot."""
        return now - dict(self.alive).get(name, 0)


NO_SIGNS = Signs()


def notice(me: RobotView, signs: Signs) -> Signs:
    """Look once more who is there; to be asked once at every decision."""
    if me.pulse is None or not me.heartbeat:
        return signs
    r = Reading.of(me, signs.missed)
    seen, alive = dict(signs.last), dict(signs.alive)
    missed = set(signs.missed)
    heard = {m.sender for m in me.inbox} | set(me.pulse)
    for name in me.heartbeat:
        if name in heard or _beside(r, name):
            seen[name] = alive[name] = me.step
            missed.discard(name)
            continue
        due = waited_for(r, name)
        if due == 0:
            seen[name] = me.step
        elif me.step - seen.setdefault(name, me.step) > FIRST + EACH * due:
            missed.add(name)
    gone = signs.missed if missed == signs.missed else frozenset(missed)
    return Signs(tuple(seen.items()), tuple(alive.items()), gone)


def _beside(r: Reading, name: str) -> bool:
    """I see it at this moment."""
    fact = r.belief.fact("holding", name)
    return fact is not None and fact.source == r.name and fact.time >= r.me.time


def waited_for(r: Reading, name: str) -> int:
    """How many things a teammate is to bring, as far as I know. Fixed arms are never waited for: nothing is without."""
    card = r.belief.value("card", name)
    if r.goal is UNKNOWN or not getattr(card, "moves", True):
        return 0
    return sum(name in (r.belief.value("job", t), r.belief.value("where", t)) for t in r.missing)
