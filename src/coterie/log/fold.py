"""One fold over a log, for everybody who reads episodes: pictures, replay, the live board, metrics and failure labels.

- `frames` and `state_at`: what was true after each step; "the state of step N" is the one after the actions of step N.
- `moments`: step by step, the state in which the robots decided, and what they did and what became of it.

Events in memory and lines from a file give the same. Kinds that are not known here change nothing; an event that does
not say what its kind says is named by its line.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from coterie.core import records
from coterie.core.action import COMMUNICATE, WAIT
from coterie.core.area import Patch
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.record import DAMAGE, damaged, plain
from coterie.log.state import BEGINNING, Act, Point, RobotState, Said, State, Stop, ThingState
from coterie.log.words import change_words, goal_words

AFTER = ("status", "end")  # they come after a step, and carry the number of the next
_NO_DEEDS = (WAIT, COMMUNICATE)  # in every world
_PLACE = ("at", "stand", "pose")  # facts that say where a robot is


@dataclass
class Moment:
    """One step: what the robots did in it. The state beside it is the one in which they decided."""

    step: int
    acts: list[Act] = field(default_factory=list)
    refused: list[Act] = field(default_factory=list)
    changes: list[records.ChangeEvent] = field(default_factory=list)  # that fired at the beginning of this step


# -- the states of an episode -------------------------------------------------------------------------------------
def beginning(first: Event) -> State:
    """The state that the first line of a log describes; a sentence where that is no line of ours."""
    state = _beginning(first)
    config = state.start.config
    if not isinstance(config, dict) or not {"task", "team", "protocol", "scene", "seed"} <= config.keys():
        raise damaged(first)
    return state


def states(events: Iterable[Event]) -> Iterator[State]:
    """The state before the first step, and after every step that the log holds: one state, which goes on changing."""
    rest = iter(events)
    state = beginning(_first(next(rest, None)))
    for event in rest:
        if event.step > state.step and event.kind not in AFTER:
            yield state
        apply(state, event)
    yield state


def frames(events: Sequence[Event]) -> list[State]:
    """All states side by side, each as it was."""
    return [copy.deepcopy(state) for state in states(events)]


def spread(total: int, most: int) -> list[int]:
    """Which of so many are kept where there is room for `most`: evenly spread, with the first and the last."""
    return list(range(total)) if total <= most else [i * (total - 1) // (most - 1) for i in range(most)]


def state_at(events: Sequence[Event], step: int | None = None) -> State:
    """The state after a step; without one, the last state of the log."""
    if step is not None:
        last = last_step(events)
        if not 0 <= step <= last:
            raise no_such_step(step, last)
    state = beginning(_first(events[0] if events else None))
    for event in events[1:]:
        if step is not None and event.step > step and event.kind not in AFTER:
            break  # asynchronous episodes may skip a step
        apply(state, event)
    return state


def last_step(events: Sequence[Event]) -> int:
    return max((e.step for e in events if e.kind not in ("start", *AFTER)), default=BEGINNING)


def no_such_step(step: int, last: int) -> CoterieError:
    if last < 0:
        return CoterieError(f"There is no step {step}: the log ends before the first step.")
    return CoterieError(f"There is no step {step}: the log has steps 0 to {last}.")


# -- the moments of an episode ------------------------------------------------------------------------------------
def opened(events: Sequence[Event]) -> State:
    """The state with which `moments` begins, and which it takes along."""
    return _beginning(_first(events[0] if events else None))


def moments(state: State, events: Sequence[Event]) -> Iterator[Moment]:
    """One moment per step; between them the state is brought up to date, and within one it is as it was before.

    Without a barrier an action may end some steps after it began: a moment holds the actions that begin in it, with
    what became of them later, and what they change holds from their end on.
    """
    ends, sent = _ahead(events)
    now = Moment(0)
    later: list[Event] = []  # what holds from the next moment on
    for event in events[1:]:
        if event.step != now.step:
            if now.acts or now.changes or now.refused:
                yield now
            _settle(state, later)
            now, later = Moment(event.step), []
        kind = event.kind
        if kind in _LATER:
            later.append(event)
            continue
        handler = _HANDLERS.get(kind)
        try:
            if kind == "did":
                now.acts.append(_on_did(state, event))
                later.append(event)
            elif kind == "act":
                act = _on_act(state, event)
                if event.seq in ends:
                    _look_ahead(act, ends[event.seq], sent)
                now.acts.append(act)
            elif kind == "change":
                now.changes.append(_on_change(state, event))
            elif kind == "refused":
                now.refused.append(_refused(event))
            elif handler is not None:
                handler(state, event)
        except DAMAGE as err:
            raise damaged(event) from err
    if now.acts or now.changes or now.refused:
        yield now
    _settle(state, later)


_LATER = frozenset({"outcome", "truth", "end"})


def _ahead(events: Sequence[Event]) -> tuple[dict[int, Event], dict[int, Event]]:
    """The ends of actions by the number of their beginning, and the messages by the number of that end."""
    ends: dict[int, Event] = {}
    sent: dict[int, Event] = {}
    for e in events:
        if e.causes:
            if e.kind == "outcome":
                ends[e.causes[0]] = e
            elif e.kind == "message":
                sent[e.causes[0]] = e
    return ends, sent


def _look_ahead(act: Act, end: Event, sent: Mapping[int, Event]) -> None:
    _fill(act, records.OutcomeEvent.from_event(end))
    if act.skill == COMMUNICATE and end.seq in sent:
        message = records.MessageEvent.from_event(sent[end.seq])
        act.told = tuple(message.to)
        act.facts = tuple((f[0], tuple(f[1]), str(plain(f[2]))) for f in message.facts)


def _refused(event: Event) -> Act:
    told = records.RefusedEvent.from_event(event)
    return Act(event.who, event.step, told.skill, told.args, "", "refused", told.reason, told.cause)


def _settle(state: State, later: Iterable[Event]) -> None:
    for event in later:
        if event.kind == "did":
            _noticed(state, event)  # the rest has been taken in
        else:
            apply(state, event)


def _fill(act: Act, told: records.OutcomeEvent) -> None:
    act.status, act.reason, act.cause = told.status, told.reason, told.cause


# -- one event ----------------------------------------------------------------------------------------------------
def apply(state: State, event: Event) -> None:
    """Take in one event; kinds that this reader does not know change nothing."""
    step, kind, state.t = event.step, event.kind, event.t
    if step > state.step and kind not in AFTER:
        state.step = step
    handler = _HANDLERS.get(kind)
    if handler is not None:
        try:
            handler(state, event)
        except DAMAGE as err:
            raise damaged(event) from err


@contextmanager
def reading(event: Event) -> Iterator[None]:
    """Turns what a broken event raises into a sentence."""
    try:
        yield
    except DAMAGE as err:
        raise damaged(event) from err


def _first(event: Event | None) -> Event:
    if event is None or event.kind != "start":
        raise CoterieError("This is not the log of an episode: its first line is missing.")
    return event


def _beginning(first: Event) -> State:
    try:
        return _begin(records.StartEvent.from_event(first))
    except DAMAGE as err:
        raise damaged(first) from err


def _begin(start: records.StartEvent) -> State:
    state = State(start)
    state.aim(start.goal, start.goal_text)
    state.table = start.scene.get("work", {}).get("table", "")
    state.furniture = {f["name"]: f for f in start.scene.get("furniture", ())}
    state.platforms = tuple(p[0] for p in start.platforms)
    for name, robot in start.robots.items():
        _enter(state, name, robot["card"])
        if robot.get("pose") is not None:
            _moved(state, BEGINNING, name, robot["pose"])
        fixed = robot["card"].get("mobility") == "fixed"
        state.true["at", name] = (state.table or None) if fixed else robot.get("at")
        if fixed:
            _stop(state.robots[name])
    for name, kind, colour, place, spot in start.things:
        state.things[name] = ThingState(name, kind, colour, state.true)
        state.true["spot", name] = spot
        _lay(state, name, place)
    for piece in state.furniture.values():
        if piece["opens"]:
            state.true["open", piece["name"]] = bool(piece["open"])
    for door in start.scene.get("doors", ()):
        state.true["open", door[0]] = bool(door[2])
    state.names = frozenset((*state.things, *state.furniture, *state.platforms, *state.robots))
    return state


def _enter(state: State, name: str, card: Any) -> None:
    old = state.robots.get(name)
    state.robots[name] = new = RobotState(name, card, state.true)
    state.cards[name] = card
    if old is not None:  # one that comes back knows what it knew, and may be anywhere
        new.visited, new.seen, new.known = old.visited, old.seen, old.known
        for pred in ("pose", "at", "stand", "holding"):
            state.true.pop((pred, name), None)


def _moved(state: State, step: int, name: str, value: Sequence[float]) -> None:
    pose: Point = (float(value[0]), float(value[1]))
    state.true["pose", name] = value
    trail = state.robots[name].trail
    if not trail or trail[-1][1] != pose:
        trail.append((step, pose))


def _stop(robot: RobotState) -> None:
    at = robot.true.get(("at", robot.name))
    if at is not None and (not robot.stops or robot.stops[-1].place != at) and robot.pose is not None:
        robot.stops.append(Stop(at, robot.pose))


def _lay(state: State, thing: str, place: str) -> None:
    old = state.where.get(thing)
    if old is not None:
        state.inside[old].remove(thing)
    state.true["where", thing] = state.where[thing] = place
    if not isinstance(place, str):  # a world of its own kind: not at one of its places
        del state.where[thing]
        return
    state.inside.setdefault(place, []).append(thing)
    state.order += 1
    state.arrived[thing] = state.order


def _on_status(state: State, event: Event) -> None:
    told = records.StatusEvent.from_event(event)
    state.done, state.partial, state.status_text = told.done, told.partial, told.text


def _on_see(state: State, event: Event) -> None:
    robot = state.robots.get(event.who)
    if robot is None:
        return
    _saw(state, event, robot, records.SeeEvent.from_event(event))


def _saw(state: State, event: Event, robot: RobotState, told: records.SeeEvent) -> None:
    robot.seen.append(told)
    if told.area:
        robot.area.tell(Patch.read(told.area))
    known, new = robot.known, ("pose", event.who) not in state.true
    for row in told.rows(event.who):
        if row[0] == "where":
            thing, place = row[1][0], row[2]
            if isinstance(place, str) and place != "?":
                known[thing] = place
            else:  # it was thought to be somewhere and is not: "?" in a file, UNKNOWN in memory
                known.pop(thing, None)
        elif new and row[0] == "pose" and row[1][0] == event.who:  # it sees its first pose before the truth tells it
            _moved(state, event.step, event.who, row[2])


def _on_act(state: State, event: Event) -> Act:
    told = records.ActEvent.from_event(event)
    act = Act(event.who, event.step, told.skill, told.args, told.why, origin=told.origin)
    robot = state.robots[event.who]
    robot.act = state.underway[event.seq] = act
    robot.ended = None
    return act


def _on_did(state: State, event: Event) -> Act:
    """Apply an action that was begun and done in one event: news before it, the action, and its effect on the robot."""
    told, robot = records.DidEvent.from_event(event), state.robots[event.who]
    seen = told.seen
    if seen is not None:
        _saw(state, event, robot, seen)
    act = Act(event.who, event.step, told.skill, told.args, told.why, "done", origin=told.origin)
    robot.act, robot.ended = act, None if act.skill in _NO_DEEDS else act
    return act


def _noticed(state: State, event: Event) -> None:
    """Apply what an action changed of the robot itself: it is true, and the robot knows it."""
    robot, now = state.robots.get(event.who), records.DidEvent.from_event(event).now
    if robot is None or not now:
        return
    robot.seen.append(records.SeeEvent(saw={pred: {event.who: value} for pred, value in now.items()}))
    for pred, value in now.items():
        if pred == "pose":
            _moved(state, event.step, event.who, value)
        else:
            state.true[pred, event.who] = value


def _did(state: State, event: Event) -> None:
    _on_did(state, event)
    _noticed(state, event)


def _on_outcome(state: State, event: Event) -> None:
    robot = state.robots.get(event.who)
    act = state.underway.pop(event.causes[0] if event.causes else -1, None)
    if robot is None or act is None:
        return
    if not act.status:  # `moments` has looked ahead
        _fill(act, records.OutcomeEvent.from_event(event))
    robot.ended = act if act.status == "done" and act.skill not in _NO_DEEDS else None


def _came_of(robot: RobotState, changed: Collection[tuple[str, ...]]) -> None:
    """Classify the action that a robot has just ended by the changed facts: it went somewhere, or did something there.

    Which skills do that is the world's affair: who went changed its own place, and a deed changed something else of the
    robot or of what it was done to.
    """
    act, robot.ended = robot.ended, None
    if act is None:
        return
    if any((pred, robot.name) in changed for pred in _PLACE):
        if robot.at == act.on:
            robot.visited.add(act.on)
    elif robot.stops and any(robot.name in key[1:] or set(map(str, act.args)) & set(key[1:]) for key in changed):
        deed = f"{act.skill} {', '.join(str(a) for a in act.args[:1])}"
        robot.stops[-1].deeds += (deed,)


def _on_message(state: State, event: Event) -> None:
    robot = state.robots.get(event.who)
    if robot is not None:
        told = records.MessageEvent.from_event(event)
        robot.said = Said(event.step, tuple(told.to), told.text)
        state.talk.append((event.who, robot.said))


def _on_change(state: State, event: Event) -> records.ChangeEvent:
    told = records.ChangeEvent.from_event(event)
    state.changes.append((event.step, change_words(told)))
    if told.kind == "goal":
        state.aim(told.goal, told.text or goal_words(told.goal))
    elif told.kind == "zones":
        for robot, places in told.closed.items():
            state.closed.setdefault(robot, []).extend(places)
        for robot, places in told.opened.items():
            state.closed[robot] = [z for z in state.closed.get(robot, ()) if z not in places]
    elif told.kind == "leave":
        _leave(state, event.step, told.robot)
    elif told.kind == "door":
        state.true["open", told.door] = bool(told.open)
    return told


def _leave(state: State, step: int, name: str) -> None:
    robot = state.robots.get(name)
    if robot is not None:
        robot.left, robot.holding, robot.act = step, None, None


def _on_leave(state: State, event: Event) -> None:
    _leave(state, event.step, event.who)


def _on_join(state: State, event: Event) -> None:
    card = records.JoinEvent.from_event(event).card
    _enter(state, event.who, card or state.cards.get(event.who, {}))
    state.names |= {event.who}


def _on_truth(state: State, event: Event) -> None:
    true, step, changed = state.true, event.step, set()
    for pred, args, value in records.TruthEvent.from_event(event).facts:
        changed.add((pred, *args))
        if pred == "where" and len(args) == 1:
            _lay(state, args[0], value)
        elif pred == "pose" and len(args) == 1 and args[0] in state.robots:
            _moved(state, step, args[0], value)
        else:
            true[pred, *args] = value
    for robot in state.robots.values():
        _came_of(robot, changed)
        _stop(robot)


def _on_rewind(state: State, event: Event) -> None:
    """The truth is as the first line told it; what robots know, have done and said stays."""
    first = _begin(state.start)
    state.true.clear()
    state.true.update(first.true)
    state.where, state.inside, state.arrived, state.order = first.where, first.inside, first.arrived, first.order


def _on_end(state: State, event: Event) -> None:
    state.end = records.EndEvent.from_event(event)
    state.done, state.partial = state.end.success, state.end.partial


_HANDLERS: dict[str, Callable[[State, Event], object]] = {
    "status": _on_status, "see": _on_see, "act": _on_act, "outcome": _on_outcome, "message": _on_message,
    "say": _on_message, "change": _on_change, "leave": _on_leave, "join": _on_join, "truth": _on_truth, "end": _on_end,
    "rewind": _on_rewind, "did": _did,
}  # fmt: skip
