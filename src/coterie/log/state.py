"""What was true at each step of an episode, folded from its log and from nothing else.

A `State` is what a person would see from above: robots, things, open containers, closed zones, the goal and how far
the team has come. "The state of step N" is the state after the actions of step N.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from coterie.core.action import COMMUNICATE, WAIT
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.log.words import change_words, goal_words

Point = tuple[float, float]
BEGINNING = -1  # the step of the state before anybody has acted


@dataclass
class Act:
    """An action, and what became of it once that is known."""

    step: int
    skill: str
    args: list[Any]
    why: str = ""
    status: str = ""  # empty while it is under way
    reason: str = ""


@dataclass
class Said:
    step: int
    to: tuple[str, ...]
    text: str


@dataclass
class Stop:
    """A place a robot went to, and what it did there."""

    place: str
    pose: Point
    deeds: list[str] = field(default_factory=list)


@dataclass
class RobotState:
    name: str
    card: dict[str, Any]
    pose: Point | None = None
    at: str | None = None
    stand: str | None = None
    holding: str | None = None
    act: Act | None = None
    said: Said | None = None
    trail: list[tuple[int, Point]] = field(default_factory=list)  # (step, pose), wherever it has been
    stops: list[Stop] = field(default_factory=list)
    left: int | None = None  # the step at which it vanished

    @property
    def body(self) -> str:
        return str(self.card.get("body", "robot"))

    @property
    def online(self) -> bool:
        return self.left is None

    def moved(self, step: int, pose: Point) -> None:
        self.pose = pose
        if not self.trail or self.trail[-1][1] != pose:
            self.trail.append((step, pose))

    def stopped(self) -> None:
        if self.at is not None and self.pose is not None and (not self.stops or self.stops[-1].place != self.at):
            self.stops.append(Stop(self.at, self.pose))


@dataclass
class ThingState:
    name: str
    kind: str
    colour: str
    place: str
    spot: tuple[float, ...]
    arrived: int = 0  # the order in which things came to their places, for stacks


@dataclass
class State:
    start: dict[str, Any]  # the first line of the log: scene, cards, configuration
    step: int = BEGINNING
    t: float = 0.0
    goal: dict[str, Any] = field(default_factory=dict)
    goal_text: str = ""
    done: bool = False
    partial: float = 0.0
    status_text: str = ""
    robots: dict[str, RobotState] = field(default_factory=dict)
    things: dict[str, ThingState] = field(default_factory=dict)
    open: dict[str, bool] = field(default_factory=dict)  # containers and doors
    closed: dict[str, list[str]] = field(default_factory=dict)  # robot -> "furniture" or "furniture/stand"
    changes: list[tuple[int, str]] = field(default_factory=list)  # (step, what happened in words)
    talk: list[tuple[str, Said]] = field(default_factory=list)  # (who, what), oldest first
    end: dict[str, Any] | None = None
    order: int = 0

    @property
    def limit(self) -> int | None:
        return self.start.get("limit")

    @property
    def targets(self) -> frozenset[str]:
        pairs = [pair[0] for pair in self.goal.get("pairs", ())]
        return frozenset([*self.goal.get("targets", ()), *pairs])

    def at_place(self, place: str) -> list[ThingState]:
        """The things at a place (or held by a robot), in the order they came."""
        return sorted((t for t in self.things.values() if t.place == place), key=lambda t: t.arrived)

    # -- folding --------------------------------------------------------------------------------------------------
    def apply(self, event: Event) -> None:
        """Take in one event; kinds that this reader does not know change nothing."""
        if event.kind not in ("status", "end"):  # those come after a step, and carry the number of the next
            self.step = max(self.step, event.step)
        self.t = event.t
        handler = getattr(self, f"_on_{event.kind}", None)
        if handler is not None:
            with reading(event):
                handler(event)

    def _on_status(self, event: Event) -> None:
        self.done = bool(event.data["done"])
        self.partial = float(event.data["partial"])
        self.status_text = event.data["text"]

    def _on_see(self, event: Event) -> None:
        """A newcomer's first pose is seen by itself before the truth of that step is written."""
        robot = self.robots.get(event.who)
        if robot is None or robot.pose is not None:
            return
        for pred, args, value, _ in event.data["facts"]:
            if pred == "pose" and args == [event.who]:
                robot.moved(event.step, _point(value))

    def _on_act(self, event: Event) -> None:
        data = event.data
        self.robots[event.who].act = Act(event.step, data["skill"], list(data["args"]), data.get("why", ""))

    def _on_outcome(self, event: Event) -> None:
        robot = self.robots.get(event.who)
        if robot is not None and robot.act is not None:
            act = robot.act
            act.status, act.reason = event.data["status"], event.data["reason"]
            if act.status == "done" and robot.stops and act.skill not in ("navigate", "move", WAIT, COMMUNICATE):
                robot.stops[-1].deeds.append(f"{act.skill} {', '.join(str(a) for a in act.args[:1])}")

    def _on_message(self, event: Event) -> None:
        robot = self.robots.get(event.who)
        if robot is not None:
            robot.said = Said(event.step, tuple(event.data["to"]), event.data["text"])
            self.talk.append((event.who, robot.said))

    _on_say = _on_message

    def _on_change(self, event: Event) -> None:
        data = event.data
        self.changes.append((event.step, change_words(data)))
        if data["kind"] == "goal":
            self.goal, self.goal_text = data["goal"], data.get("text") or goal_words(data["goal"])
        elif data["kind"] == "zones":
            for robot, places in data["closed"].items():
                self.closed.setdefault(robot, []).extend(places)
        elif data["kind"] == "leave" and data["robot"] in self.robots:
            robot = self.robots[data["robot"]]
            robot.left, robot.holding, robot.act = event.step, None, None
        elif data["kind"] == "door":
            self.open[data["door"]] = bool(data["open"])

    def _on_join(self, event: Event) -> None:
        self.robots[event.who] = RobotState(event.who, event.data["card"])

    def _on_truth(self, event: Event) -> None:
        for pred, args, value in event.data["facts"]:
            self._true(event.step, pred, args, value)
        for robot in self.robots.values():
            robot.stopped()

    def _true(self, step: int, pred: str, args: Sequence[str], value: Any) -> None:
        name = args[0] if args else ""
        if pred == "open":
            self.open[name] = bool(value)
        elif pred in ("where", "spot") and name in self.things:
            thing = self.things[name]
            if pred == "where":
                self.order += 1
                thing.place, thing.arrived = value, self.order
            else:
                thing.spot = tuple(value)
        elif pred in ("at", "stand", "holding") and name in self.robots:
            setattr(self.robots[name], pred, value)
        elif pred == "pose" and name in self.robots:
            self.robots[name].moved(step, _point(value))

    def _on_end(self, event: Event) -> None:
        self.end = event.data
        self.done, self.partial = bool(event.data["success"]), float(event.data["partial"])


@contextmanager
def reading(event: Event) -> Iterator[None]:
    """Turns what a broken event raises into a sentence."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as err:
        raise CoterieError(f"Line {event.seq + 1} of the log ('{event.kind}') is damaged.") from err


def _point(value: Sequence[float]) -> Point:
    return float(value[0]), float(value[1])


def beginning(first: Event) -> State:
    """The state that the first line of a log describes."""
    with reading(first):
        state = _beginning(first.data)
    return state


def _beginning(data: dict[str, Any]) -> State:
    config = data["config"]
    if not all(name in config for name in ("task", "team", "protocol", "scene", "seed")):
        raise KeyError("config")
    state = State(data, goal=data.get("goal", {}), goal_text=data.get("goal_text", ""))
    work = data.get("scene", {}).get("work", {})
    for name, robot in data.get("robots", {}).items():
        state.robots[name] = RobotState(name, robot["card"])
        if robot.get("pose") is not None:
            state.robots[name].moved(BEGINNING, _point(robot["pose"]))
        state.robots[name].at = robot.get("at")
        if robot["card"].get("mobility") == "fixed":
            state.robots[name].at = work.get("table")
            state.robots[name].stopped()
    for name, kind, colour, place, spot in data.get("things", ()):
        state.order += 1
        state.things[name] = ThingState(name, kind, colour, place, tuple(spot), state.order)
    for furniture in data.get("scene", {}).get("furniture", ()):
        if furniture["opens"]:
            state.open[furniture["name"]] = bool(furniture["open"])
    for door in data.get("scene", {}).get("doors", ()):
        state.open[door[0]] = bool(door[2])
    return state


def frames(events: Iterable[Event]) -> list[State]:
    """The state before the first step, and the state after every step that the log holds."""
    rest = iter(events)
    first = next(rest, None)
    if first is None or first.kind != "start":
        raise CoterieError("This is not the log of an episode: its first event is missing.")
    state = beginning(first)
    done: list[State] = []
    for event in rest:
        if event.kind not in ("status", "end") and event.step > state.step:
            done.append(copy.deepcopy(state))
        state.apply(event)
    return [*done, state]


def state_at(events: Sequence[Event], step: int | None = None) -> State:
    """The state after a step; without one, the last state of the log."""
    states = frames(events)
    if step is None:
        return states[-1]
    if not 0 <= step <= states[-1].step:
        raise no_such_step(step, states[-1].step)
    return [s for s in states if s.step <= step][-1]  # asynchronous episodes may skip a step


def no_such_step(step: int, last: int) -> CoterieError:
    if last < 0:
        return CoterieError(f"There is no step {step}: the log ends before the first step.")
    return CoterieError(f"There is no step {step}: the log has steps 0 to {last}.")
