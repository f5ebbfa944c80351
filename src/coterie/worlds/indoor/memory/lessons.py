"""What an episode in a house teaches, read from its log: only what its robots saw and did, never the truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import (
    ActEvent,
    ChangeEvent,
    EndEvent,
    JoinEvent,
    OutcomeEvent,
    SayEvent,
    SeeEvent,
    StartEvent,
)  # fmt: skip
from coterie.log.state import homes
from coterie.memo import Lesson, PriorCase
from coterie.memo.priors import Find, Job, kind_of


def learn(events: Sequence[Event]) -> Lesson | None:
    """What a finished episode teaches; None for one that was cut, or has no furniture."""
    if not events or events[0].kind != "start" or events[-1].kind != "end":
        return None
    start = read(StartEvent, events[0])
    furniture = {f["name"]: f["kind"] for f in start.scene.get("furniture", ())}
    if not furniture:
        return None
    bodies = {name: robot["card"].get("body", "") for name, robot in start.robots.items()}
    changes = (read(ChangeEvent, e) for e in events if e.kind == "change")
    goals = [start.goal, *(c.goal for c in changes if c.kind == "goal")]
    wanted = homes(goals[-1])
    kinds = tuple(sorted({kind_of(t) for t in wanted}))
    case = PriorCase(start.scene.get("name", ""), tuple(sorted(bodies.values())), goals[0].get("kind", ""), kinds)
    bodies |= {e.who: read(JoinEvent, e).card.get("body", "") for e in events if e.kind == "join"}
    return Lesson(
        case,
        read(EndEvent, events[-1]).success,
        tuple(_finds(events, furniture)),
        tuple(_jobs(events, wanted, bodies)),
        _leader(events, bodies),
    )


def _finds(events: Iterable[Event], furniture: Mapping[str, str]) -> Iterable[Find]:
    """Where each thing was first seen, with somebody's own eyes and before anybody had carried it."""
    known: set[str] = set()
    for e in events:
        for pred, args, value, *source in read(SeeEvent, e).rows(e.who) if e.kind == "see" else ():
            if pred != "where" or not isinstance(value, str) or value == "?" or args[0] in known:
                continue
            place = value.removeprefix("floor@")
            if source and source[0] == e.who:
                known.add(args[0])
                if place in furniture:
                    yield Find(kind_of(args[0]), place, furniture[place])


def _jobs(events: Iterable[Event], wanted: Mapping[str, str], bodies: Mapping[str, str]) -> Iterable[Job]:
    acts: dict[int, ActEvent] = {}
    fetched: dict[str, str] = {}
    placed: dict[str, str] = {}
    for e in events:
        if e.kind == "act":
            acts[e.seq] = read(ActEvent, e)
        elif e.kind == "outcome" and e.causes and e.causes[0] in acts and read(OutcomeEvent, e).status == "done":
            act = acts[e.causes[0]]
            args = [str(a) for a in act.args]
            if not args or args[0] not in wanted:
                continue
            if act.skill == "pick":
                fetched.setdefault(args[0], bodies.get(e.who, ""))
            elif act.skill == "place" and args[1:2] == [wanted[args[0]]]:
                placed[args[0]] = bodies.get(e.who, "")
    return [Job(kind_of(t), body, placed.get(t, "")) for t, body in fetched.items()]


def _leader(events: Iterable[Event], bodies: Mapping[str, str]) -> str:
    led = ""
    for e in events:
        for pred, _, value, *_ in read(SayEvent, e).facts if e.kind == "say" else ():
            if pred == "leader" and isinstance(value, str):
                led = bodies.get(value, "")
    return led
