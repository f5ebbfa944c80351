"""Lessons from episodes in a house, read from logs, and hints from them in a new episode.

A lesson holds only what robots saw and did, never the truth; hints are never facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coterie.core.event import Event
from coterie.core.protocol import TeamView
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
from coterie.memo.before.desk import Desk
from coterie.memo.before.hints import Hints
from coterie.memo.priors import Find, Job, kind_of


def learn(events: Sequence[Event]) -> Lesson | None:
    """The lesson of a finished episode; None for one that was cut, or has no furniture."""
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
    """Places where a robot itself first saw each thing, before it was carried."""
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


HUNCH = "hunch"  # (furniture) -> weight: a prior, which no skill and no guard rail is judged by


class HouseRecall(Hints):
    """Tells the team what earlier episodes suggest."""

    about = "priors from solved tasks: where kinds of things were found, and who did what"
    nothing = "no lesson fits this house, team and goal"

    @staticmethod
    def keep(desk: Desk, events: Sequence[Event], planning_s: float) -> str:
        """Keep the lesson of a success."""
        return desk.learn(learn(events))

    def request(self, team: TeamView) -> dict[str, Any]:
        """The house, the team and the goal, as every robot knows them."""
        belief = next(iter(team.robots.values())).belief
        goal = belief.value("goal")
        targets = getattr(goal, "targets", ())
        case = PriorCase(
            str(belief.value("house")),
            tuple(sorted(v.card.body for v in team.robots.values())),
            str(getattr(goal, "kind", "")),
            tuple(sorted({kind_of(str(t)) for t in targets})),
        )
        kinds = belief.value("furniture_kinds")
        return {"prior": [case.scene, list(case.team), case.goal, list(case.kinds)], "furniture": dict(kinds)}  # type: ignore[call-overload]

    def note(self, team: TeamView, found: Mapping[str, Any]) -> dict[str, Any] | None:
        count = found["episodes"]
        if not count:
            return None
        hunches = [[HUNCH, [name], weight] for name, weight in found["order"].items() if weight > 0]
        text = f"Hints from {count} earlier episode{'' if count == 1 else 's'}:"
        return {"text": text, "words": found["words"], "facts": hunches, "episode": "priors"}
