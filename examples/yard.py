"""A tiny world: robots on a grid of cells carry light things alone and lift beams two by two.

    coterie run yard-tidy --load examples/yard.py --level beam --protocol foreman

It stands on the interface itself and uses every part of it: skills as data with unequal durations, robots of
unequal speed, sight of the neighbouring cells only, a joint action, a free check of joint actions, hidden rules,
robots that come and go. With `rewinds`, actions that are under way together hold or fall as one, the way arms that
share a table do: the first accident takes the world back to where the round began. The clock is never taken back, for
a belief keeps the newer of two facts.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coterie.core.action import COMMUNICATE, WAIT, Action, Cause, Message, Outcome, Verdict
from coterie.core.card import Card
from coterie.core.causes import (
    IDLE,
    PRESENT,
    TEAM_CHANGED,
    by_driver,
    called_off,
    of_teammate,
)
from coterie.core.config import Config
from coterie.core.entry import WorldEntry, worlds
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.event import Event
from coterie.core.expr import Expr, Lookup, all_of, eq, fl, ne
from coterie.core.facts import UNKNOWN, Belief, Fact, stamped
from coterie.core.fluents import BOOL, LISTING, Declared
from coterie.core.judge import Flaw, flaw_of
from coterie.core.kinds import ROBOTS, TEXT, Kind, Knower, things_known
from coterie.core.protocol import (
    Ask,
    Asking,
    Decision,
    Option,
    RobotView,
    SoloProtocol,
    TeamProtocol,
    TeamView,
    protocols,
)
from coterie.core.replies.fields import quoted
from coterie.core.skill import Clause, Effect, Param, Rule, Skill, fill, outcome_of
from coterie.core.skills import Skills
from coterie.core.task import Change, Goal, Progress, Task, Trigger, goals
from coterie.core.wire import carry_record, pack, unpack
from coterie.core.world import Observation, World
from coterie.log.state import State
from coterie.render.describe import Agent, FloorPlan, Frame, Item, Point, Region
from coterie.render.pictures import Pictures
from coterie.render.states import agent, colours, frame, subtitle, title


def _cells(me: Knower) -> Sequence[str]:
    return [key[1] for key in me.belief.base if key[0] == "cell"]


KINDS = (
    TEXT,
    Kind("location"),  # where a thing can be: a cell, or the robot that holds it
    Kind("cell", _cells, parent="location", pattern=r"[0-9]+\s*,\s*[0-9]+", usual=True),
    Kind("way", lambda me: ("left", "right", "up", "down")),
    Kind("thing", things_known, usual=True, held=True),
    Kind("robot", lambda me: list(me.heartbeat), parent="location", usual=True),
    ROBOTS,
)


def _f(name: str, *args: str, value: str = BOOL) -> Declared:
    return Declared(name, args, value)


FLUENTS = (
    _f("at", "robot", value="cell"),
    _f("holding", "robot", value="thing"),
    _f("where", "thing", value="location"),
    _f("lifted", "thing"),
    _f("beam", "thing"),
    _f("cell", "cell"),
    _f("neighbour", "cell", "way", value="cell"),
    _f("next", "robot", "way", value="cell"),
    _f("occupant", "robot", "way", value="robot"),
    _f("standing", "cell", value="robot"),
    _f("contents", "cell", value=LISTING),
    _f("near", "robot", "thing"),
    _f("joined", "robot", "thing", "robot"),
    _f("hearers", "robot", "robots", value=LISTING),
)

#: A robot's next cell is the neighbour of its own; who stands where, and who lifts together, execution judges.
READINGS: dict[str, Expr | None] = {
    "next": fl("neighbour", fl("at", "?0"), "?1"),
    **dict.fromkeys(("occupant", "near", "joined", "hearers")),
}


STEPS: dict[str, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def _step(way: str) -> Skill:
    return Skill(
        name=way,
        params=(),
        help=f"go one cell {way}",
        when=(
            Clause(ne(fl("next", "?robot", way), None), f"{{robot}} stands at the edge: no cell lies {way} of it."),
            Clause(
                eq(fl("occupant", "?robot", way), None),
                f"{{occupant(robot, {way})}} stands in cell {{next(robot, {way})}}.",
            ),
        ),
        then=(Effect(fl("at", "?robot"), fl("next", "?robot", way)),),
        says="{robot} went to cell {at(robot)}.",
    )


_ALL = (
    *(_step(way) for way in STEPS),
    Skill(
        name="grab",
        params=(Param("thing", "thing"),),
        help="take a light thing from the cell of the robot",
        when=(
            Clause(eq(fl("holding", "?robot"), None), "{robot} already holds {holding(robot)}."),
            Clause(eq(fl("where", "?thing"), fl("at", "?robot")), "{thing} is not in the cell of {robot}."),
            Clause(ne(fl("beam", "?thing"), True), "{thing} is too heavy for one robot; lift it with a partner."),
        ),
        then=(Effect(fl("where", "?thing"), "?robot"), Effect(fl("holding", "?robot"), "?thing")),
        duration_s=2.0,
        says="{robot} grabbed {thing}.",
    ),
    Skill(
        name="drop",
        params=(Param("thing", "thing"),),
        help="put the held thing down in the cell of the robot",
        when=(Clause(eq(fl("holding", "?robot"), "?thing"), "{robot} does not hold {thing}."),),
        then=(Effect(fl("where", "?thing"), fl("at", "?robot")), Effect(fl("holding", "?robot"), None)),
        duration_s=0.5,
        says="{robot} dropped {thing} in cell {at(robot)}.",
    ),
    Skill(
        name="lift",
        params=(Param("beam", "thing"), Param("partner", "robot")),
        help="lift a beam together with a partner who lifts it too; both stand in or beside its cell",
        when=(
            Clause(eq(fl("beam", "?beam"), True), "{beam} is not a beam."),
            Clause(eq(fl("holding", "?robot"), None), "{robot} has no free hand: it holds {holding(robot)}."),
            Clause(eq(fl("near", "?robot", "?beam"), True), "{robot} does not stand beside {beam}."),
            Clause(
                all_of(ne("?robot", "?partner"), eq(fl("joined", "?robot", "?beam", "?partner"), True)),
                "{partner} does not lift {beam} together with {robot}.",
                name="joined",
            ),
        ),
        then=(Effect(fl("lifted", "?beam"), True),),
        duration_s=3.0,
        says="{robot} and {partner} lifted {beam}.",
    ),
    Skill(
        name=COMMUNICATE,
        params=(Param("content", "text", shown='"words"'), Param("recipients", "robots", shown="name or all")),
        help="send a message to one teammate, to several, or to all",
        when=(Clause(fl("hearers", "?robot", "?recipients"), "nobody named {recipients} is there to hear it."),),
        duration_s=0.5,
        says="{robot} sent the message.",
    ),
    Skill(name="wait", params=(), help="do nothing for a second", says="{robot} waited."),
)
SKILLS = Skills("yard", KINDS, FLUENTS, READINGS)
for _skill in _ALL:
    SKILLS.put(_skill.name, _skill)


@dataclass(frozen=True)
class Tidy(Goal):
    """Bring every thing home, and have the beams lifted."""

    homes: tuple[tuple[str, str], ...]  # (thing, cell)
    beams: tuple[str, ...] = ()
    kind: str = "tidy"

    def progress(self, look: Lookup) -> Progress:
        met = [look("where", t) == c for t, c in self.homes] + [look("lifted", b) is True for b in self.beams]
        return Progress(all(met), sum(met) / len(met) if met else 1.0, f"{sum(met)} of {len(met)} in order.")

    def text(self) -> str:
        wishes = [f"{t} to cell {c}" for t, c in self.homes] + [f"{b} up in the air" for b in self.beams]
        return f"Bring {'; '.join(wishes)}." if wishes else "Nothing is to be done."

    def facts(self) -> list[Fact]:
        return [Fact("goal", (), self)]

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "homes": [list(h) for h in self.homes], "beams": list(self.beams)}


goals.put("tidy", lambda data: Tidy(tuple((t, c) for t, c in data["homes"]), tuple(data["beams"])))


@dataclass(frozen=True)
class Yard:
    """The initial setting of a tiny world. Cells are named "x,y"."""

    width: int
    height: int
    starts: tuple[tuple[str, str], ...]  # (robot, cell)
    things: tuple[tuple[str, str], ...] = ()
    beams: tuple[tuple[str, str], ...] = ()
    rewinds: bool = False


_EVERYTHING = tuple(SKILLS)
RUNNER = Card("Runner", "Ada", "ground", _EVERYTHING, "a quick robot with a gripper", speed_mps=1.0)
CRAWLER = Card("Crawler", "Bo", "ground", _EVERYTHING, "a slow robot with a gripper", speed_mps=0.5)


def yard_task(
    *,
    beam: bool = False,
    rewinds: bool = False,
    rules: Sequence[Rule] = (),
    changes: Sequence[Change] = (),
    step_limit: int | None = 40,
    time_limit_s: float | None = None,
) -> Task:
    """Quick Ada and slow Bo bring a ball and a cup home on a grid of 6 x 2 cells and, with `beam`, lift it together."""
    yard = Yard(
        6,
        2,
        starts=(("Ada", "0,0"), ("Bo", "5,0")),
        things=(("ball", "3,0"), ("cup", "2,1")),
        beams=(("beam", "3,1"),) if beam else (),
        rewinds=rewinds,
    )
    return Task(
        name="yard-tidy",
        goal=Tidy((("ball", "5,1"), ("cup", "0,1")), ("beam",) if beam else ()),
        setting=yard,
        robots=(("Ada", RUNNER), ("Bo", CRAWLER)),
        rules=tuple(rules),
        changes=tuple(changes),
        step_limit=step_limit,
        time_limit_s=time_limit_s,
    )


def draw_yard(config: Config) -> Task:
    """bring a ball and a cup home; with --level beam also lift a beam together"""
    if config.level not in ("plain", "beam"):
        raise unknown_name("level of the yard", config.level, ("plain", "beam"))
    task = yard_task(beam=config.level == "beam")
    about = {"level": config.level, "team": "Runner-Crawler", "scene": "yard"}
    return replace(task, seed=config.seed, about=about)


def stranger_joins(step: int | None = None, time: float | None = None, start: str | None = None) -> Change:
    """Zed, whom nobody knows, comes in; its party is named "stranger"."""
    data: dict[str, Any] = {"robot": "Zed", "card": RUNNER, "party": "stranger"}
    data |= {"start": start} if start is not None else {}
    return Change(Trigger(step, time), "join", data, ("all",), awaited=False)


CHANGES = ("join", "leave", "goal", "nothing")
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
            raise unknown_name("kind of change", change.kind, CHANGES)
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


class WalkTo(Option):
    """Go to a cell, step by step, around whoever is seen on the way."""

    def __init__(self, cell: str, me: RobotView):
        self.cell, self.name = cell, f"walk to {cell}"
        self._goal, self._outcome = me.look("goal"), me.outcome

    def step(self, me: RobotView) -> Action | None:
        way = _way(me, self.cell)
        return Action(way, why=self.name) if way else None

    def interrupted(self, me: RobotView) -> str | None:
        if me.inbox:
            return f"{me.inbox[-1].sender} has said something."
        if me.look("goal") != self._goal:
            return "the goal has changed."
        if me.outcome is not None and me.outcome is not self._outcome and not me.outcome.ok:
            return me.outcome.reason
        return None


def _way(me: RobotView, target: str) -> str | None:
    """The first step of a shortest way over cells where nobody is believed to stand; None if there is none."""
    start = me.look("at", me.name)
    first: dict[object, str] = {start: ""}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if cell == target:
            return first[cell] or None
        for way in STEPS:
            there = me.look("neighbour", cell, way)
            if there is None or there in first or me.look("standing", there) not in (None, UNKNOWN):
                continue
            first[there] = first[cell] or way
            queue.append(there)
    return None


def errand(me: RobotView) -> Decision:
    """A robot that acts for the goal by itself, from its belief alone."""
    goal, here, held = me.look("goal"), me.look("at", me.name), me.look("holding", me.name)
    if not isinstance(goal, Tidy):
        return Action(WAIT, why="the goal is not known")
    if isinstance(held, str):
        home = dict(goal.homes).get(held, here)
        return Action("drop", (held,)) if here == home else WalkTo(str(home), me)
    for thing, home in goal.homes:
        where = me.look("where", thing)
        if isinstance(where, str) and where != home and me.look("cell", where) is True:  # not in somebody's hand
            return Action("grab", (thing,)) if where == here else WalkTo(where, me)
    unseen = [k[1] for k in me.belief.base if k[0] == "cell" and me.look("contents", k[1]) is UNKNOWN]
    near = min(unseen, key=lambda cell: (_apart(str(here), cell), cell), default=None)
    return WalkTo(near, me) if near is not None else Action(WAIT, why="nothing is left to do alone")


def _apart(a: str, b: str) -> int:
    (ax, ay), (bx, by) = ((int(v) for v in cell.split(",")) for cell in (a, b))
    return abs(ax - bx) + abs(ay - by)


class Tidier(SoloProtocol):
    """Thinks for one robot without a model: a pure function of its belief."""

    about = "errands for one robot"

    def act(self, me: RobotView) -> Decision:
        return errand(me)


class Foreman(TeamProtocol):
    """Thinks for the whole party: errands first, then beams, two robots at a time."""

    sees = "pooled"
    about = "one mind for the team"

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        decisions = {name: errand(team.robots[name]) for name in idle}
        beam = self._beam(team)
        pair = list(team.robots)[:2]
        if beam is not None and len(pair) == 2:
            lifts = {
                name: Action("lift", (beam, partner))
                for name, partner in zip(pair, reversed(pair))
                if isinstance(decisions.get(name), Action)
            }
            near = [n for n in pair if team.robots[n].look("near", n, beam) is True]
            for name in lifts:
                where = self._where(team, beam)
                if name not in near and where is not None:
                    decisions[name] = WalkTo(where, team.robots[name])
                elif name in near and len(near) == 1:
                    decisions[name] = Action(WAIT, why=f"nobody else is at {beam} yet")
            if len(near) == 2 and len(lifts) == 2 and all(v.ok for v in team.check(lifts).values()):
                decisions.update(lifts)
        return decisions
        yield []  # makes this a generator

    @staticmethod
    def _beam(team: TeamView) -> str | None:
        """A beam of the goal that nobody has seen in the air."""
        for me in team.robots.values():
            goal = me.look("goal")
            for beam in goal.beams if isinstance(goal, Tidy) else ():
                if all(r.look("lifted", beam) is not True for r in team.robots.values()):
                    return beam
        return None

    @staticmethod
    def _where(team: TeamView, beam: str) -> str | None:
        found = (r.look("where", beam) for r in team.robots.values())
        return next((w for w in found if isinstance(w, str)), None)


class Chooser(TeamProtocol):
    """Every robot tells what it has found, hears the others, and asks a model to choose what it does."""

    sees = "own"
    about = "a model chooses for each robot"

    def __init__(self) -> None:
        self._told = 0

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        news = [f for f in me.belief.since(self._told) if f.pred == "where" and f.source == me.name]
        news = [f for f in news if f.value is not UNKNOWN]
        self._told = me.belief.cursor
        if news:
            me.say("; ".join(str(f) for f in news), facts=news)
        yield []  # what the others have found arrives here
        choices = _choices(me)
        (reply,) = yield [Ask(me.name, "act", me.step, len(me.refusals), _prompt(me, choices), choices)]
        return {me.name: _parsed(reply.text, me)}


def _choices(me: RobotView) -> list[str]:
    """Replies the model may give; the first is the sensible one."""
    best = errand(me)
    said = f"walk {best.cell}" if isinstance(best, WalkTo) else " ".join([best.skill, *best.args])  # type: ignore[union-attr]
    return list(dict.fromkeys([said, *STEPS, WAIT, "say here I am"]))


def _prompt(me: RobotView, choices: Sequence[str]) -> tuple[tuple[str, str], ...]:
    lines = [f"You are {me.name}, {quoted(me.card.about)}, in cell {me.look('at', me.name)}, step {me.step}."]
    lines += [f"{m.sender} said: {quoted(m.text)}" for m in me.inbox]
    if me.outcome is not None:
        lines.append(f"{me.outcome.action}: {me.outcome.status}. {me.outcome.reason}")
    lines += [f"{action} was refused: {reason}" for action, reason in me.refusals]
    return (("system", f"Answer with one of: {', '.join(choices)}."), ("user", "\n".join(lines)))


def _parsed(text: str, me: RobotView) -> Decision:
    verb, *rest = text.split() or [""]
    if verb == "walk" and len(rest) == 1 and me.look("cell", rest[0]) is True:
        return WalkTo(rest[0], me)
    if verb == "say":
        return Action(COMMUNICATE, (" ".join(rest), "all"))
    if verb in me.skills:
        return Action(verb, tuple(rest))
    return Action(WAIT, why=f"the reply {text[:40]!r} is not an action")


def first_choice(ask: Ask) -> str:
    """For `Scripted`: a model that always answers with the first of the choices."""
    return str(ask.choices[0])


def seeded_choice(ask: Ask) -> str:
    """For `Scripted`: a model that answers with whatever the seed of the request picks."""
    return str(ask.choices[ask.seed % len(ask.choices)])


class YardPictures(Pictures):
    def plan(self, state: State) -> FloorPlan:
        scene = state.start.scene
        cells = [(x, y) for y in range(scene["height"]) for x in range(scene["width"])]
        regions = tuple(Region(f"{x},{y}", _square(x, y), "cell", note=f"{x},{y}") for x, y in cells)
        return FloorPlan(title(state.start), subtitle(state.start), regions)

    def frame(self, state: State, whole: bool = False) -> Frame:
        wanted = {str(thing) for thing, _ in state.goal.get("homes", ())} | set(state.goal.get("beams", ()))
        items = [
            Item(t.name, _spot(t.place, 0.2), t.kind, t.colour, label=t.name, wanted=t.name in wanted)
            for t in state.things.values()
            if t.place not in state.robots
        ]
        hue = colours(state)
        agents: list[Agent] = []
        for name, robot in state.robots.items():
            at = _spot(robot.at, 0.5) if robot.at is not None else None
            held = next((Item(t.name, (0, 0), t.kind) for t in state.things.values() if t.place == name), None)
            words = f"at {robot.at}" + (f", holds {held.name}" if held is not None else "")
            agents.append(agent(state, robot, hue[name], whole, at=at, held=held, where=words))
        return frame(state, whole, items=tuple(items), agents=tuple(agents))


def _spot(cell: str, up: float) -> Point:
    """The middle of a cell, or below it; rows are counted downwards."""
    x, y = (int(v) for v in cell.split(","))
    return x + 0.5, -y - 1 + up


def _square(x: int, y: int) -> tuple[Point, ...]:
    return (x, -y - 1), (x + 1, -y - 1), (x + 1, -y), (x, -y)


class YardEntry(WorldEntry):
    name = "yard"
    about = "cells, light things and beams; the tiny world that uses every part of the interfaces"
    place = "yard"
    protocol = "tidier"
    expert = "foreman"
    takes = frozenset({"level"})
    usual = {"team": "Runner-Crawler", "scene": "yard", "level": "plain"}

    def __init__(self) -> None:
        super().__init__()
        self.skills = SKILLS
        for card in (RUNNER, CRAWLER):
            self.bodies.put(card.body, card)
        self.tasks.put("yard-tidy", draw_yard)

    def world(self, task: Task, config: Config) -> World:
        return YardWorld(task)

    def levels(self) -> Mapping[str, str]:
        return {"plain": "light things only", "beam": "and a beam that two must lift together"}

    def teams(self) -> Mapping[str, Sequence[tuple[str, Card]]]:
        return {"Runner-Crawler": ((RUNNER.name, RUNNER), (CRAWLER.name, CRAWLER))}

    def scenes(self) -> Sequence[tuple[str, str]]:
        return [("yard", "6 x 2 cells")]

    def pictures(self) -> Pictures:
        return YardPictures()

    def reached(self, goal: Mapping[str, Any], world: World) -> bool:
        assert isinstance(world, YardWorld)
        home = all(world.truth["where", thing] == cell for thing, cell in goal["homes"])
        return home and all(world.truth["lifted", beam] for beam in goal["beams"])


YARD = YardEntry()
worlds.put(YARD.name, YARD)
protocols.put("tidier", Tidier, "no-model", YARD.name)
protocols.put("foreman", Foreman, "no-model", YARD.name)
protocols.put("chooser", Chooser, "model", YARD.name)
