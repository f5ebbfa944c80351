"""A tiny world: robots on a grid of cells carry light things alone and lift beams two by two.

It is as small as a world can be that uses every part of the interface: skills as data with unequal durations, robots of
unequal speed, sight of the neighbouring cells only, a joint action, a free check of joint actions, hidden rules,
robots that come and go. With `rewinds`, actions that are under way together hold or fall as one, the way arms that
share a table do: the first accident takes the world back to where the round began. The clock is never taken back, for
a belief keeps the newer of two facts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from coterie.core.action import COMMUNICATE, Action, Cause, Message, Outcome, Verdict
from coterie.core.card import Card
from coterie.core.causes import (
    IDLE,
    PRESENT,
    TEAM_CHANGED,
    by_driver,
    called_off,
    of_teammate,
)
from coterie.core.effects import outcome_of
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.event import Event
from coterie.core.expr import Lookup
from coterie.core.facts import UNKNOWN, Belief, Fact, stamped
from coterie.core.judge import Flaw, flaw_of
from coterie.core.skill import Rule, Skill, fill
from coterie.core.task import Change, Goal, Progress, Task
from coterie.core.wire import carry_record, pack, unpack
from coterie.core.world import Observation
from coterie.worlds.yard.skills import SKILLS, STEPS
from coterie.worlds.yard.tasks import Yard

KINDS = ("join", "leave", "goal", "nothing")
_EPS = 1e-9
_KEPT = ("now", "truth", "cards", "goal", "rules", "underway", "before", "ended", "order", "traced")


@dataclass
class Underway:
    robot: str
    action: Action
    start: float
    end: float
    order: int
    outcome: Outcome | None = None  # held back until the whole round has ended
    doubt: str = ""  # the clause that did not hold at the start


carry_record(Underway, "yard_underway")


class YardWorld:
    free_check = True

    def __init__(self, task: Task):
        self.setting: Yard = task.setting
        self.goal: Goal = task.goal
        self.rules: tuple[Rule, ...] = task.rules
        self.now = 0.0
        self.truth: dict[tuple[str, ...], Any] = {}
        self.cards: dict[str, Card] = {}
        self.underway: dict[str, Underway] = {}
        self.before: dict[tuple[str, ...], Any] | None = None  # the truth at the start of the open round
        self.ended: list[Outcome] = []
        self.order = 0
        self.traced: dict[tuple[str, ...], None] = {}
        self._map = _make_map(self.setting)
        self.cells = [key[1] for key in self._map if key[0] == "cell"]
        self.look = self._over(self._get)
        for thing, cell in (*self.setting.things, *self.setting.beams):
            self._set(("where", thing), cell)
        for beam, _ in self.setting.beams:
            self._set(("lifted", beam), False)
        starts = dict(self.setting.starts)
        for name, card in task.robots:
            self._enter(name, card, starts.get(name))
        self.traced.clear()

    # -- truth ----------------------------------------------------------------------------------------------------
    def _over(self, get: Callable[..., object], not_mapped: object = None) -> Lookup:
        """A lookup over a store of facts. What follows from an unknown is unknown, and `not_mapped` what is beside a
        cell, or in a direction, that there is not."""

        def look(pred: str, *args: Any) -> object:
            if pred == "next":
                at = get("at", args[0])
                return at if at is UNKNOWN else self._map.get(("neighbour", str(at), args[1]), not_mapped)
            if pred == "occupant":
                cell = look("next", *args)
                return cell if cell is UNKNOWN or cell is None else get("standing", cell)
            if pred == "near":
                at, where = get("at", args[0]), get("where", args[1])
                if at is UNKNOWN or where is UNKNOWN:
                    return UNKNOWN
                return at == where or any(self._map.get(("neighbour", str(at), way)) == where for way in STEPS)
            if pred in ("beam", "cell", "neighbour"):  # the map is complete: what it does not name is not so
                return self._map.get((pred, *args), not_mapped if pred == "neighbour" else None)
            return get(pred, *args)

        return look

    def _get(self, pred: str, *args: Any) -> object:
        if pred == "standing":
            return next((r for r in self.cards if self.truth["at", r] == args[0]), None)
        if pred == "contents":
            return tuple(k[1] for k, v in self.truth.items() if k[0] == "where" and v == args[0])
        if pred == "hearers":
            return self._hearers(*args)
        if pred == "joined":  # a lift may begin a little before the partner's, but not end before that one has begun
            robot, beam, partner = args
            other = self.underway.get(partner)
            lifting = other is not None and other.action.skill == "lift" and other.action.args == (beam, robot)
            return lifting or self.truth.get(("lifted", beam))
        return self.truth.get((pred, *args), SKILLS.initials.get(pred))

    def _set(self, key: tuple[str, ...], value: Any) -> None:
        self.truth[key] = value
        self.traced[key] = None

    def _hearers(self, robot: str, recipients: str | tuple[str, ...]) -> tuple[str, ...]:
        wanted = (recipients,) if isinstance(recipients, str) else recipients
        return tuple(n for n in self.cards if n != robot and ("all" in wanted or n in wanted))

    def _enter(self, name: str, card: Card, cell: str | None) -> None:
        if name in self.cards:
            raise CoterieError(f"There is already a robot named '{name}'.")
        free = [c for c in self.cells if self._get("standing", c) is None]
        cell = cell if cell is not None else next(iter(free), "")
        if cell not in free:
            raise CoterieError(f"{name} cannot begin in cell '{cell}'. Free are: {', '.join(free) or 'none'}.")
        self.cards[name] = card
        self._set(("at", name), cell)
        self._set(("holding", name), None)

    def _leave(self, name: str) -> str | None:
        if name not in self.cards:
            raise unknown_name("robot", name, self.cards)
        held: str | None = self.truth["holding", name]
        if held is not None:
            self._set(("where", held), self.truth["at", name])
        self.underway.pop(name, None)
        self.ended = [o for o in self.ended if o.robot != name]
        del self.cards[name], self.truth["at", name], self.truth["holding", name]
        return held

    # -- interface ------------------------------------------------------------------------------------------------
    def robots(self) -> Mapping[str, Card]:
        return self.cards

    def map(self) -> Mapping[tuple[str, ...], object]:
        return self._map

    def listings(self) -> Mapping[str, str]:
        return {"contents": "where"}

    def lookup(self, belief: Belief) -> Lookup:
        return self._over(belief.value, UNKNOWN)

    def skill(self, name: str) -> Skill | None:
        return SKILLS.find(name)

    def observe(self, robot: str) -> Observation:
        """The robot itself, and what is in its own cell and the cells beside it."""
        at = self.truth["at", robot]
        known: list[tuple[str, tuple[str, ...], object]] = [
            ("card", (robot,), self.cards[robot]),
            ("at", (robot,), at),
            ("holding", (robot,), self.truth["holding", robot]),
        ]
        if self.truth["holding", robot] is not None:
            known.append(("where", (self.truth["holding", robot],), robot))
        beside = (self._map["neighbour", at, way] for way in STEPS)
        for cell in (at, *(str(c) for c in beside if c is not None)):
            things: Any = self._get("contents", cell)
            other = self._get("standing", cell)
            known += [("contents", (cell,), things), ("standing", (cell,), other)]
            known += [("lifted", (t,), self.truth["lifted", t]) for t in things if ("beam", t) in self._map]
            if other is not None and other != robot:
                known.append(("at", (str(other),), cell))
        facts = [Fact(pred, args, value, self.now, robot) for pred, args, value in known]
        facts += [f._replace(time=self.now) for f in self.goal.facts()]
        return Observation(robot, self.now, tuple(facts), tuple(n for n in self.cards if n != robot))

    def check(self, joint: Mapping[str, Action]) -> Mapping[str, Verdict]:
        """The outcomes that a joint action would have: it is tried out on the world and undone."""
        verdicts: dict[str, Verdict] = {}
        for robot in joint:
            if robot not in self.cards:
                cause = Cause(PRESENT, ("present", (robot,), False))
                verdicts[robot] = Verdict(False, f"'{robot}' is not here.", cause)
            elif robot in self.underway:
                action = self.underway[robot].action
                cause = Cause(IDLE, ("busy_with", (robot,), action.skill))
                verdicts[robot] = Verdict(False, f"{robot} is still busy with {action}.", cause)
        before = self.snapshot()
        self.rules = tuple(r for r in self.rules if r.public)
        self.start({r: a for r, a in joint.items() if r not in verdicts})
        while any(robot not in verdicts for robot in joint):  # others may be under way and end meanwhile
            for o in self.advance():
                verdicts.setdefault(o.robot, Verdict(o.ok, "" if o.ok else o.reason, o.cause))
        self.restore(before)
        return {robot: verdicts[robot] for robot in joint}

    def start(self, joint: Mapping[str, Action]) -> None:
        for robot in joint:
            if robot not in self.cards:
                raise unknown_name("robot", robot, self.cards)
            if robot in self.underway:
                raise CoterieError(f"{robot} is still busy with {self.underway[robot].action}.")
        if self.setting.rewinds and not self.underway:
            self.before = dict(self.truth)
        for robot, action in joint.items():
            self.order += 1
            skill = SKILLS.find(action.skill)
            took = skill.duration_s if skill is not None else 1.0
            if action.skill in STEPS:
                took /= self.cards[robot].speed_mps  # a cell is a metre wide
            self.underway[robot] = Underway(robot, action, self.now, self.now + took, self.order)
        for robot, action in joint.items():  # when all have begun: what they do together counts as joined
            flaw = self._failure(robot, action)
            self.underway[robot].doubt = flaw.cause.clause if flaw is not None else ""

    def advance(self, until: float | None = None) -> list[Outcome]:
        while not self.ended:
            running = [u for u in self.underway.values() if u.outcome is None]
            end = min((u.end for u in running), default=None)
            if end is None or (until is not None and end > until + _EPS):
                self.now = self.now if until is None else max(self.now, until)
                return []
            self.now = max(self.now, end)
            for u in sorted((u for u in running if u.end <= self.now + _EPS), key=lambda u: (u.end, u.order)):
                if u.robot in self.underway:  # not rewound by one that ended at the same moment
                    self._finish(u)
        ended, self.ended = self.ended, []
        return ended

    def _finish(self, u: Underway) -> None:
        """Judge an action as it ends, all earlier effects included."""
        flaw = self._failure(u.robot, u.action)
        if flaw is not None and flaw.cause.clause != u.doubt:  # it would have gone well without the others
            flaw = flaw._replace(cause=flaw.cause.at("after"))
        if flaw is not None and self.setting.rewinds:
            self._rewind(f"{u.robot} could not {u.action.skill:.40}: {flaw.words}", flaw.cause, u.robot)
            return
        words, cause = flaw if flaw is not None else ("", None)
        outcome = Outcome(u.robot, u.action, "failed", words, u.start, self.now - u.start, cause=cause)
        if flaw is None:
            outcome = self._done(outcome)
        if self.setting.rewinds:
            u.outcome = outcome
            if all(v.outcome is not None for v in self.underway.values()):
                self.ended += [v.outcome for v in self.underway.values() if v.outcome is not None]
                self.underway.clear()
        else:
            del self.underway[u.robot]
            self.ended.append(outcome)

    def _done(self, outcome: Outcome) -> Outcome:
        """The effects of an action that has succeeded, and the words for it."""
        robot, action = outcome.robot, outcome.action
        skill = SKILLS[action.skill]
        bound = skill.bind(robot, action.args) or {}
        for key, value in outcome_of(skill, bound, self.look).items():
            self._set(key, value)
        outcome = outcome._replace(status="done", reason=fill(skill.says, bound, self.look))
        if skill.name == COMMUNICATE:
            content, recipients = action.args
            to = self._hearers(robot, recipients)
            outcome = outcome._replace(message=Message(robot, to, content, stamped(action.facts, self.now), self.now))
        return outcome

    def accept(self, outcome: Outcome) -> Outcome:
        """Take over what a robot with a driver of its own has done, if that can be so."""
        if not outcome.ok:
            return by_driver(outcome)
        flaw = self._failure(outcome.robot, outcome.action)
        if flaw is None:
            return self._done(outcome)
        return outcome._replace(status="failed", reason=flaw.words, cause=flaw.cause.at("after"))

    def _failure(self, robot: str, action: Action) -> Flaw | None:
        able = self.cards[robot].skills
        return flaw_of(robot, able, action, SKILLS.find(action.skill), self.look, self.rules)

    def _rewind(self, why: str, cause: Cause, whose: str = "") -> None:
        """Take the round back for a cause that lies with one robot, or with none of them."""
        for u in self.underway.values():
            reason = f"The round was taken back to its start: {why}"
            mine = cause if whose in ("", u.robot) else of_teammate(whose, cause)
            self.ended.append(Outcome(u.robot, u.action, "rewound", reason, u.start, self.now - u.start, cause=mine))
        assert self.before is not None
        for key, value in self.before.items():
            if self.truth[key] != value:
                self._set(key, value)
        for key in [k for k in self.truth if k not in self.before]:  # what a skill brought into the world
            self._set(key, SKILLS.initials.get(key[0]))
        self.underway.clear()

    def cancel(self, robot: str) -> Outcome | None:
        u = self.underway.pop(robot, None)
        if u is None:
            return None
        if self.setting.rewinds:
            self._rewind(f"{robot} was stopped.", called_off(robot), robot)
        cause = called_off(robot)
        return Outcome(robot, u.action, "cancelled", "it was stopped.", u.start, self.now - u.start, cause=cause)

    def apply(self, change: Change) -> list[Event]:
        before = self.snapshot()
        try:
            return self._apply(change)
        except CoterieError:
            self.restore(before)  # a change that cannot be made leaves no trace
            raise

    def _apply(self, change: Change) -> list[Event]:
        data, extra = dict(change.data), []
        if change.kind in ("join", "leave") and self.setting.rewinds and self.underway:
            # No round goes back to a team that is no more.
            self._rewind("the team has changed.", Cause(TEAM_CHANGED, None, "during"))
        if change.kind == "goal":
            self.goal = data["goal"]
        elif change.kind == "leave":
            data["dropped"] = self._leave(data["robot"])
        elif change.kind == "join":
            name, card = data["robot"], data["card"]
            self._enter(name, card, data.get("start"))
            extra = [Event(-1, 0, self.now, "join", name, {"card": card, "party": data.get("party", "")})]
        elif change.kind != "nothing":
            raise unknown_name("kind of change", change.kind, KINDS)
        return [Event(-1, 0, self.now, "change", change.source, {"kind": change.kind, **data}), *extra]

    def progress(self) -> Progress:
        return self.goal.progress(self.look)

    def trace(self) -> list[list[Any]]:
        changed = [[k[0], list(k[1:]), self.truth[k]] for k in self.traced if k in self.truth]
        self.traced.clear()
        return changed

    def distance(self, a: str, b: str) -> float | None:
        """Between two robots [m], a cell being one wide."""
        here, there = self.truth.get(("at", a)), self.truth.get(("at", b))
        if here is None or there is None:
            return None
        return math.dist([int(n) for n in str(here).split(",")], [int(n) for n in str(there).split(",")])

    def start_data(self) -> dict[str, Any]:
        """The data that a log reader needs to show the yard."""
        cells = {n: self.truth["at", n] for n in self.cards}
        lying = [*self.setting.things, *self.setting.beams]
        return {
            "robots": {n: {"card": c, "at": cells[n]} for n, c in self.cards.items()},
            "scene": {"name": "yard", "width": self.setting.width, "height": self.setting.height},
            "things": [[t, "beam" if ("beam", t) in self._map else "thing", "", cell, []] for t, cell in lying],
        }

    def snapshot(self) -> bytes:
        return pack(tuple(getattr(self, name) for name in _KEPT))

    def restore(self, data: bytes) -> None:
        for name, value in zip(_KEPT, unpack(data)):
            setattr(self, name, value)


def _make_map(yard: Yard) -> dict[tuple[str, ...], object]:
    m: dict[tuple[str, ...], object] = {("beam", name): True for name, _ in yard.beams}
    for y in range(yard.height):
        for x in range(yard.width):
            m["cell", f"{x},{y}"] = True
            for way, (dx, dy) in STEPS.items():
                inside = 0 <= x + dx < yard.width and 0 <= y + dy < yard.height
                m["neighbour", f"{x},{y}", way] = f"{x + dx},{y + dy}" if inside else None
    return m
