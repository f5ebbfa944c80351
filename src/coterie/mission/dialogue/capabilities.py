"""What can be understood and not acted on yet, in one table: each row tests a meaning and has one honest sentence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning

#: Wants that no robot here brings about.
WANTS = {
    m.PUT: "put one thing into another by itself",
    m.TAKE_OUT: "take things out of something",
    m.GIVE: "hand things over",
    m.DROP: "let something go; say stop to halt a robot",
    m.FOLLOW: "follow anybody",
    m.CLEAR: "clear a place",
    m.TIDY: "tidy up",
    m.HOME: "send robots home; name a place to go to",
    m.CHARGE: "charge robots",
    m.MESSAGE: "bring messages to people",
    m.SAME: "tell what to do again; say it as a whole",
}
#: Questions that nothing here can answer.
QUESTIONS = {"battery": "tell how much charge a robot has", "who did": "tell who brought that about"}
Test = Callable[[Any], bool]
_TABLE: tuple[tuple[type[Meaning], Test, str], ...] = (
    (m.Order, lambda x: x.time is not None, "do that at a set time; say it when it is due"),
    (m.Order, lambda x: x.later, "keep an order for later; say it when it is due"),
    (m.Order, lambda x: x.any_of, "choose between several; say one of them"),
    (m.Order, lambda x: bool(x.extra), "add things to one order alone; order them as well, or change the kit"),
    (m.Steer, lambda x: x.how == "slow", "make robots slower or more careful; say stop to halt them"),
    (m.Policy, lambda x: x.then == "wait", "wait by itself when something fails; say whom to ask instead"),
    (m.Permit, lambda x: bool(x.robot), "give a right for one robot alone; say it without the robot"),
    (m.Zone, lambda x: bool(x.until), "tell when that time is; say for how many minutes"),
    (
        m.Tell,
        lambda x: any(c.kind == m.LOW for c in x.claims),
        "note that few are left; say how many there are",
    ),
    (m.Tell, lambda x: any(c.kind == m.CLOSED for c in x.claims), "take that for closed; say: close the zone"),
    (m.Alter, lambda x: x.how == "swap", "swap things in one sentence; say what comes out and what goes in"),
    (m.Approve, lambda x: bool(x.what) and not x.what.isdigit(), "tell which that is; say yes with the plan's number"),
)


def cannot(meaning: Meaning, robots: Sequence[str], can: Collection[str] = ()) -> str:
    """What cannot be done of a meaning, behind "I cannot"; empty where it can be acted on. `can` are kinds of wants
    that robots of this place bring about."""
    inner = meaning.instead if isinstance(meaning, m.Correct) else meaning
    wants = inner.wants if isinstance(inner, (m.Order, m.Policy)) else ()
    for want in wants:
        if want.kind in WANTS and want.kind not in can:
            return WANTS[want.kind]
    if isinstance(inner, m.Order) and set(inner.without) - set(robots):
        return "leave things out of one order alone; take them out of the kit instead"
    if isinstance(inner, m.Ask) and inner.about in QUESTIONS:
        return QUESTIONS[inner.about]
    return next((words for kind, test, words in _TABLE if isinstance(inner, kind) and test(inner)), "")


def adapted(meaning: Meaning, robots: Sequence[str]) -> Meaning:
    """A meaning in the terms that can be acted on: robots by name where some are excepted, a danger at a place as that
    place closed."""
    if isinstance(meaning, (m.Stop, m.Zone, m.Steer)) and meaning.but:
        return replace(meaning, robots=tuple(r for r in robots if r not in meaning.but), but=())
    claims = meaning.claims if isinstance(meaning, m.Tell) else ()
    if len(claims) == 1 and claims[0].kind == m.HAZARD and claims[0].where:
        return m.Zone(claims[0].where, holds=claims[0].holds)
    return meaning
