"""A log told step by step: before each action, where everything is, who holds what, who knows what, what the goal asks.

Metrics and failure labels read an episode through this, so both work from the log alone: events in memory and lines
from a file give the same story.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.event import Event


def plain(value: Any) -> Any:
    """Goals and cards as they stand in a log file."""
    return value.to_json() if hasattr(value, "to_json") else value


@dataclass
class Act:
    """One action and what became of it."""

    robot: str
    skill: str
    args: tuple[Any, ...]
    status: str = ""
    reason: str = ""
    clause: str = ""  # the name in its cause, for what is not done
    told: tuple[str, ...] = ()  # who heard a message
    facts: tuple[tuple[Any, ...], ...] = ()  # what travelled with it: (pred, args, value)
    why: str = ""  # as the mind that chose it put it

    @property
    def done(self) -> bool:
        return self.status == "done"

    @property
    def on(self) -> str:
        """What the action is done to: a thing, a container, a piece of furniture."""
        return str(self.args[0]) if self.args and self.skill not in ("communicate", "move") else ""

    @property
    def words(self) -> str:
        return str(self.args[0]) if self.skill == "communicate" and self.args else ""


@dataclass
class Moment:
    """One step: the state in which the robots decided, and what they did."""

    step: int
    acts: list[Act] = field(default_factory=list)
    refused: list[Act] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)  # that fired at the beginning of this step


class Story:
    """Walks through a log. While `moments()` is iterated, the attributes hold the state before that step's actions."""

    def __init__(self, events: Sequence[Event]):
        if not events or events[0].kind != "start":
            raise CoterieError("This is not the log of an episode: its first line is missing.")
        self.events = events
        self.start = events[0].data
        self.end: dict[str, Any] = events[-1].data if events[-1].kind == "end" else {}
        self.limit: int | None = self.start.get("limit")
        scene = self.start.get("scene", {})
        self.table: str = scene.get("work", {}).get("table", "")
        self.furniture: dict[str, dict[str, Any]] = {f["name"]: f for f in scene.get("furniture", ())}
        self.platforms: tuple[str, ...] = tuple(p[0] for p in self.start.get("platforms", ()))
        self.cards: dict[str, dict[str, Any]] = {n: plain(r["card"]) for n, r in self.start["robots"].items()}
        self.poses: dict[str, Any] = {n: r.get("pose") for n, r in self.start["robots"].items()}
        self.goal: dict[str, Any] = plain(self.start["goal"])
        self.where: dict[str, str] = {}
        self.inside: dict[str, list[str]] = {}
        self.spot: dict[str, Any] = {}
        for name, _, _, place, spot in self.start.get("things", ()):
            self._lay(name, place)
            self.spot[name] = spot
        self.holding: dict[str, str | None] = dict.fromkeys(self.cards)
        self.visited: dict[str, set[str]] = {n: set() for n in self.cards}
        self.known: dict[str, dict[str, str]] = {n: {} for n in self.cards}  # robot -> thing -> believed place
        self.online: set[str] = set(self.cards)
        self.names = _names(self.start)

    # -- reading --------------------------------------------------------------------------------------------------
    def moments(self) -> Iterator[Moment]:
        """One moment per step; the state is brought up to date between them.

        Without a barrier an action may end some steps after it began: a moment holds the actions that begin in it, with
        what became of them later, and what they change holds from their end on.
        """
        now = Moment(0)
        ends, words = self._ends()
        at: dict[int, Act] = {}  # sequence number of an act -> the action
        reached: list[Act] = []  # drives that end in this moment
        later: list[Event] = []  # truth that holds from the next moment on
        for e in self.events[1:]:
            if e.step != now.step:
                if now.acts or now.changes or now.refused:
                    yield now
                self._settle(reached, later)
                now, later, reached = Moment(e.step), [], []
            if e.kind == "act":
                at[e.seq] = act = Act(e.who, e.data["skill"], _tuples(e.data["args"]), why=e.data.get("why", ""))
                _fill(act, ends.get(e.seq), words.get(e.seq))
                now.acts.append(act)
            elif e.kind == "outcome":
                done = at.get(e.causes[0]) if e.causes else None
                if done is not None and done.skill == "navigate" and done.done:
                    reached.append(done)
            elif e.kind == "refused":
                a = e.data["action"]
                told, clause = e.data["reason"], _clause(e)
                now.refused.append(Act(e.who, a["skill"], _tuples(a["args"]), "refused", told, clause))
            elif e.kind == "see":
                self._see(e)
            elif e.kind == "change":
                self._change(e.data)
                now.changes.append(e.data)
            elif e.kind == "join":
                self._join(e)
            elif e.kind == "truth":
                later.append(e)
        if now.acts or now.changes or now.refused:
            yield now
        self._settle(reached, later)

    def _ends(self) -> tuple[dict[int, Event], dict[int, Event]]:
        """For every action, by its number: the event of its end, and that of the message it sent."""
        ends = {e.causes[0]: e for e in self.events if e.kind == "outcome" and e.causes}
        began = {e.seq: seq for seq, e in ends.items()}
        sent = {began[e.causes[0]]: e for e in self.events if e.kind == "message" and e.causes and e.causes[0] in began}
        return ends, sent

    def _settle(self, reached: Iterable[Act], truths: Iterable[Event]) -> None:
        for act in reached:
            self.visited[act.robot].add(act.on)
        for e in truths:
            for pred, args, value in e.data["facts"]:
                if pred == "where":
                    self._lay(args[0], value)
                elif pred == "spot":
                    self.spot[args[0]] = value
                elif pred == "holding":
                    self.holding[args[0]] = value
                elif pred == "pose":
                    self.poses[args[0]] = value

    def _lay(self, thing: str, place: str) -> None:
        old = self.where.get(thing)
        if old is not None:
            self.inside[old].remove(thing)
        self.where[thing] = place
        self.inside.setdefault(place, []).append(thing)

    def _see(self, e: Event) -> None:
        for pred, args, value, *_ in e.data["facts"]:
            if pred == "where":
                known = self.known.setdefault(e.who, {})
                if isinstance(value, str) and value != "?":
                    known[args[0]] = value
                else:  # it was thought to be somewhere and is not: "?" in a file, UNKNOWN in memory
                    known.pop(args[0], None)

    def _change(self, data: Mapping[str, Any]) -> None:
        if data["kind"] == "goal":
            self.goal = plain(data["goal"])
        elif data["kind"] == "leave":
            self.online.discard(data["robot"])
            self.holding[data["robot"]] = None

    def _join(self, e: Event) -> None:
        self.cards[e.who] = plain(e.data["card"])
        self.online.add(e.who)
        self.holding.setdefault(e.who, None)
        self.visited.setdefault(e.who, set())
        self.known.setdefault(e.who, {})
        self.names = self.names | {e.who}

    def knows(self, robot: str) -> Mapping[str, str]:
        """Where this robot's mind takes things to be: from its own belief, everybody's, or the truth."""
        sees = self.start.get("sees", "own")
        if sees == "truth":
            return self.where
        if sees == "pooled":
            pooled: dict[str, str] = {}
            for name in sorted(self.online):
                pooled.update(self.known.get(name, {}))
            return {**pooled, **self.known[robot]}
        return self.known[robot]

    # -- the goal, read from its JSON -----------------------------------------------------------------------------
    @property
    def targets(self) -> tuple[str, ...]:
        if self.goal["kind"] == "sort":
            return tuple(pair[0] for pair in self.goal["pairs"])
        return tuple(self.goal.get("targets", ()))

    def home(self, thing: str) -> str | None:
        """Where a target is to end up; None for what is not a target."""
        if thing not in self.targets:
            return None
        if self.goal["kind"] == "sort":
            return str(dict(map(tuple, self.goal["pairs"]))[thing])
        return str(self.goal["into" if self.goal["kind"] == "pack" else "on"])

    def right(self, thing: str) -> bool:
        """Is a target where it belongs? In a stack, every layer below must be right too."""
        home = self.home(thing)
        if home is None or self.where.get(thing) != home:
            return False
        if self.goal["kind"] != "stack":
            return True
        n = self.targets.index(thing) + 1
        return tuple(self.inside[home][:n]) == self.targets[:n]

    def missing(self) -> list[str]:
        return [t for t in self.targets if not self.right(t)]

    def furniture_of(self, place: str | None) -> str:
        """The piece of furniture that a place belongs to."""
        if place is None:
            return ""
        if place in self.platforms:
            return self.table
        return place.removeprefix("floor@")

    def said(self, text: str) -> frozenset[str]:
        """The things, places and robots that a text names."""
        return frozenset(re.findall(r"\w+", text)) & self.names


def _names(start: Mapping[str, Any]) -> frozenset[str]:
    things = (t[0] for t in start.get("things", ()))
    furniture = (f["name"] for f in start.get("scene", {}).get("furniture", ()))
    platforms = (p[0] for p in start.get("platforms", ()))
    return frozenset((*things, *furniture, *platforms, *start["robots"]))


def _fill(act: Act, end: Event | None, message: Event | None) -> None:
    if end is not None:
        act.status, act.reason, act.clause = end.data["status"], end.data["reason"], _clause(end)
    if message is not None and act.skill == "communicate":
        act.told = tuple(message.data["to"])
        act.facts = tuple((f[0], tuple(f[1]), _plain_key(f[2])) for f in message.data.get("facts", ()))


def _clause(e: Event) -> str:
    """Empty for what is done, and in logs of worlds that give no causes."""
    cause = plain(e.data.get("cause"))
    return str(cause["clause"]) if cause else ""


def _tuples(args: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(tuple(a) if isinstance(a, list) else a for a in args)


def _plain_key(value: Any) -> str:
    return str(plain(value))
