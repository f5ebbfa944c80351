"""Noticing who is gone where no heartbeat tells it.

A robot is missed when it has a part to do, as far as I know (it was asked for a thing, or has one in its hand), and for
longer than that should take there was no sign of it: no word, I have not seen it beside me, and its part is not done.
A missed robot counts as gone until there is a sign again. That may be wrong: a slow robot is missed, too, and then
another robot does its part as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView
from coterie.protocols.shared.reading import Reading

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
        """Whether one of these has given no sign for a while."""
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
