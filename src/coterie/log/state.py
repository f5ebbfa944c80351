"""The state of an episode at one moment, read from its log: truth, beliefs, talk, changes and the goal.

`true` is one store of facts for every world, keyed by predicate and arguments; robots and things are ways to look at
it. Nothing here knows how a log is read (`fold.py`), and nothing reads more than logs say: a goal of a kind that is not
known here has no targets, and does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from coterie.core.action import COMMUNICATE, Cause
from coterie.core.area import Area
from coterie.core.frozen import frozen
from coterie.core.record import Raw
from coterie.core.records import EndEvent, SeeEvent, StartEvent

Point = tuple[float, float]
Store = dict[tuple[str, ...], Any]  # (predicate, *arguments) -> value
BEGINNING = -1  # the step of the state before anybody has acted


@dataclass(slots=True)
class Act:
    """An action, and what became of it once that is known."""

    robot: str
    step: int
    skill: str
    args: tuple[Any, ...]
    why: str = ""  # as the mind that chose it put it
    status: str = ""  # empty while it is under way
    reason: str = ""
    cause: Cause | None = None  # of what is not done
    told: tuple[str, ...] = ()  # who heard a message
    facts: tuple[tuple[Any, ...], ...] = ()  # what travelled with it: (pred, args, value)
    origin: str = ""  # whose idea it was, where not simply its mind's

    @property
    def done(self) -> bool:
        return self.status == "done"

    @property
    def on(self) -> str:
        """Return the object of the action: a thing, a container, a piece of furniture; empty where it names none."""
        first = self.args[0] if self.args and self.skill != COMMUNICATE else ""
        return first if isinstance(first, str) else ""

    @property
    def words(self) -> str:
        return str(self.args[0]) if self.skill == COMMUNICATE and self.args else ""


@frozen
class Said:
    """A message of a robot, with its recipients."""

    step: int
    to: tuple[str, ...]
    text: str


@dataclass
class Stop:
    """A place a robot went to, and what it did there."""

    place: str
    pose: Point
    deeds: tuple[str, ...] = ()


def _fact(pred: str) -> Any:
    """An attribute that is a fact about its owner."""

    def get(self: Any) -> Any:
        return self.true.get((pred, self.name))

    def put(self: Any, value: Any) -> None:
        self.true[pred, self.name] = value

    return property(get, put)


@dataclass
class RobotState:
    """A robot at one moment: what it does, what it believes, and where it has been."""

    name: str
    card: Raw
    true: Store = field(repr=False)
    act: Act | None = None
    ended: Act | None = None  # done, while the truth has yet to say what came of it
    said: Said | None = None
    trail: list[tuple[int, Point]] = field(default_factory=list)  # (step, pose), wherever it has been
    stops: list[Stop] = field(default_factory=list)
    left: int | None = None  # the step at which it vanished
    visited: set[str] = field(default_factory=set)  # what it has gone to and reached
    seen: list[SeeEvent] = field(default_factory=list, repr=False)  # all that was new to it
    known: dict[str, str] = field(default_factory=dict)  # of that: thing -> place
    area: Area = field(default_factory=Area, repr=False)  # the ground that it knows, in worlds seen cell by cell

    at = _fact("at")
    stand = _fact("stand")
    holding = _fact("holding")

    @property
    def pose(self) -> Point | None:
        value = self.true.get(("pose", self.name))
        return None if value is None else (float(value[0]), float(value[1]))

    @pose.setter
    def pose(self, value: Point | None) -> None:
        self.true["pose", self.name] = value

    @property
    def believes(self) -> Store:
        """Return its belief; what it no longer knows is UNKNOWN, in files "?"."""
        return {(pred, *args): value for told in self.seen for pred, args, value, *_ in told.rows(self.name)}

    @property
    def body(self) -> str:
        return str(self.card.get("body", "robot"))

    @property
    def online(self) -> bool:
        return self.left is None


@dataclass
class ThingState:
    """A thing at one moment."""

    name: str
    kind: str
    colour: str
    true: Store = field(repr=False)

    @property
    def place(self) -> str:
        return str(self.true.get(("where", self.name), ""))

    @property
    def spot(self) -> tuple[float, ...]:
        return tuple(self.true.get(("spot", self.name)) or ())


@dataclass
class State:
    """Everything at one moment."""

    start: StartEvent  # the first line of the log: scene, cards, configuration
    step: int = BEGINNING
    t: float = 0.0
    goal: Raw = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)  # what the goal wants where: target -> place
    goal_text: str = ""
    done: bool = False
    partial: float = 0.0
    status_text: str = ""
    true: Store = field(default_factory=dict)
    robots: dict[str, RobotState] = field(default_factory=dict)
    cards: dict[str, Raw] = field(default_factory=dict)  # of all who ever took part
    things: dict[str, ThingState] = field(default_factory=dict)
    where: dict[str, str] = field(default_factory=dict)  # thing -> place, and the other way round:
    inside: dict[str, list[str]] = field(default_factory=dict)  # in the order in which they came
    arrived: dict[str, int] = field(default_factory=dict)  # that order over all places
    underway: dict[int, Act] = field(default_factory=dict)  # actions that have not ended, by the number of their event
    closed: dict[str, list[str]] = field(default_factory=dict)  # robot -> "furniture" or "furniture/stand"
    changes: list[tuple[int, str]] = field(default_factory=list)  # (step, what happened in words)
    talk: list[tuple[str, Said]] = field(default_factory=list)  # (who, what), oldest first
    end: EndEvent | None = None
    names: frozenset[str] = frozenset()  # of things, furniture, platforms and robots
    furniture: dict[str, Raw] = field(default_factory=dict)
    platforms: tuple[str, ...] = ()
    table: str = ""  # at which the work is done, in worlds that have one
    order: int = 0

    @property
    def limit(self) -> int | None:
        return self.start.limit

    @property
    def open(self) -> dict[str, bool]:
        """Containers and doors."""
        return {key[1]: bool(value) for key, value in self.true.items() if key[0] == "open"}

    def at_place(self, place: str) -> list[ThingState]:
        """The things at a place (or held by a robot), in the order they came."""
        return sorted((t for t in self.things.values() if t.place == place), key=lambda t: self.arrived[t.name])

    def outer(self, thing: ThingState) -> str:
        """Where a thing is, or the caddy that it lies in: a place, or the robot whose hand it is in."""
        place = thing.place
        for _ in self.things:
            if place not in self.things:
                break
            place = self.things[place].place
        return place

    def lying(self, place: str) -> list[ThingState]:
        """The things at a place, each followed by what lies in it."""
        found: list[ThingState] = []
        for thing in self.at_place(place):
            found += [thing, *self.lying(thing.name)]
        return found

    def held(self, robot: str) -> str | None:
        thing: str | None = self.true.get(("holding", robot))
        return thing

    def knows(self, robot: str) -> Mapping[str, str]:
        """Where this robot's mind takes things to be: from its own belief, everybody's, or the truth."""
        if self.start.sees == "truth":
            return self.where
        if self.start.sees == "pooled":
            pooled: dict[str, str] = {}
            for name in sorted(n for n, r in self.robots.items() if r.online):
                pooled.update(self.robots[name].known)
            return {**pooled, **self.robots[robot].known}
        return self.robots[robot].known

    # -- the goal, read from its JSON -----------------------------------------------------------------------------
    def aim(self, goal: Raw, text: str) -> None:
        self.goal, self.goal_text, self.homes = goal, text, homes(goal)

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(self.homes)

    def home(self, thing: str) -> str | None:
        """Where a target is to end up; None for what is not a target."""
        return self.homes.get(thing)

    def right(self, thing: str) -> bool:
        """Is a target where it belongs? In a stack, every layer below must be right too."""
        home = self.homes.get(thing)
        if home is None or self.where.get(thing) != home:
            return False
        if self.goal.get("kind") != "stack":
            return True
        targets = self.targets
        n = targets.index(thing) + 1
        return tuple(self.inside[home][:n]) == targets[:n]

    def missing(self) -> list[str]:
        return [t for t in self.homes if not self.right(t)]

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


def homes(goal: Raw) -> dict[str, str]:
    """Return the place of each target of a goal; empty for goals that are not about things and places."""
    if "pairs" in goal:
        return {str(thing): str(home) for thing, home in goal["pairs"]}
    home = str(goal.get("into") or goal.get("on") or "")
    return {str(thing): home for thing in goal.get("targets", ())}
