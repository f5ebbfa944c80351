"""An independent judge of logs: plays the recorded actions again in a fresh world and looks at the result itself.

It uses neither the planner of the expert nor the goals' own scoring: the world is built from the configuration in the
log, the joint actions and the settled changes are fed to it, and the goal's JSON is read by the few lines with which
the world's entry gives a second opinion. A log passes if the world does what the log says, nothing in the log differs
from the task that the configuration names, and the goal is reached within the step limit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from coterie.bench.methods import Method, parse_method
from coterie.bench.runner import Progress, spread
from coterie.bench.spec import EpisodeSpec
from coterie.core.action import Action
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import Event, from_line, to_line
from coterie.core.records import ActEvent, ChangeEvent, DidEvent, EndEvent, OutcomeEvent, StartEvent
from coterie.core.task import Change, Task, Trigger, goal_from_json
from coterie.core.world import World
from coterie.episode.play import play
from coterie.worlds import entry_of


class Judgement(NamedTuple):
    ok: bool
    reason: str  # why not, in words
    steps: int = 0


class Refuted(Exception):
    """The log does not show what it claims; the text says where."""


class Tally(NamedTuple):
    """How many tasks of a suite the replay confirmed; the others with the reason."""

    total: int
    confirmed: int
    doubts: list[tuple[str, str]]


# -- one log --------------------------------------------------------------------------------------------------------
def validate(events: Sequence[Event]) -> Judgement:
    """Replay a log's actions in a fresh world and judge the goal independently."""
    try:
        events = [from_line(to_line(e)) for e in events]  # only what would stand in the file counts
        return Judgement(True, "", _replay(events))
    except Refuted as doubt:
        return Judgement(False, str(doubt))
    except CoterieError as err:
        return Judgement(False, f"the log cannot be replayed: {err}")
    except (KeyError, IndexError, TypeError, ValueError) as err:
        return Judgement(False, f"the log is damaged: {type(err).__name__} {err}")


def _replay(events: Sequence[Event]) -> int:
    if not events or events[0].kind != "start":
        raise Refuted("the log has no first line.")
    start = StartEvent.from_event(events[0])
    config = Config.from_json(dict(start.config))
    if not config.synchronous:
        raise Refuted("only synchronous episodes can be replayed step by step.")
    entry = entry_of(config.task)
    task = entry.task(config)
    world = entry.world(task, config)
    _compare_start(start, task, world)
    goal = start.goal
    pending = list(task.changes)
    steps = 0
    for step, group in _by_step(events[1:]):
        for e in group:
            if e.kind == "change":
                told = ChangeEvent.from_event(e)
                _compare_change(told, step, pending)
                world.apply(_change_of(told, step))
                goal = told.goal if told.kind == "goal" else goal
        joint = _joint(group, world, step)
        if joint:
            if step != steps:
                raise Refuted(f"step {steps} is missing.")
            steps += 1
            _advance(world, joint, group, step)
    limit = task.step_limit
    if limit is not None and steps > limit:
        raise Refuted(f"the episode takes {steps} steps; the limit is {limit}.")
    if any(c.at.step is not None and c.at.step < (limit or steps) for c in pending):
        raise Refuted(f"a change of the task never fired: {', '.join(c.kind for c in pending)}.")
    reached = entry.reached(goal, world)  # a second opinion, where the world has one
    if not (world.progress().done if reached is None else reached):
        raise Refuted("the goal is not reached at the end.")
    end = EndEvent.from_event(events[-1]) if events[-1].kind == "end" else None
    if end is None or not end.success or end.steps != steps:
        raise Refuted(f"the last line does not say that the episode succeeded in {steps} steps.")
    return steps


def _by_step(events: Sequence[Event]) -> list[tuple[int, list[Event]]]:
    groups: dict[int, list[Event]] = {}
    for e in events:
        groups.setdefault(e.step, []).append(e)
    return sorted(groups.items())


def _joint(group: Sequence[Event], world: World, step: int) -> dict[str, Action]:
    joint: dict[str, Action] = {}
    for e in group:
        if e.kind in ("act", "did"):
            if e.who in joint:
                raise Refuted(f"{e.who} acts twice in step {step}.")
            told = (ActEvent if e.kind == "act" else DidEvent).from_event(e)
            joint[e.who] = Action(told.skill, told.args)
    awake = set(world.robots()) - set(getattr(world, "resting", ()))
    if joint and set(joint) != awake:
        raise Refuted(f"in step {step} act {sorted(joint)}, but there are {sorted(awake)}.")
    return joint


def _advance(world: World, joint: dict[str, Action], group: Sequence[Event], step: int) -> None:
    """Act and compare what happens with what the log says happened."""
    world.start(joint)
    happened: dict[str, tuple[str, str]] = {}
    while len(happened) < len(joint):
        ended = world.advance(None)
        if not ended:
            raise Refuted(f"in step {step} the world stands still.")
        happened.update({o.robot: (o.status, o.reason) for o in ended})
    told = {e.who: OutcomeEvent.from_event(e) for e in group if e.kind == "outcome"}
    logged = {who: (o.status, o.reason) for who, o in told.items()}
    for e in group:
        if e.kind == "did" and e.who in happened:  # done, in whatever words
            logged[e.who] = ("done", happened[e.who][1])
    for robot, result in happened.items():
        if logged.get(robot) != result:
            raise Refuted(f"in step {step} {robot} gets {result[0]} ({result[1]}); the log says {logged.get(robot)}.")


# -- comparing with the task ----------------------------------------------------------------------------------------
def _compare_start(start: StartEvent, task: Task, world: World) -> None:
    """The log begins as a fresh world of this configuration does."""
    expected = {"goal": task.goal.to_json(), "limit": task.step_limit, **world.start_data()}
    for what, value in expected.items():
        if _plain(value) != _plain(start.raw[what]):
            raise Refuted(f"the log begins with another {what} than the task its configuration names.")


def _compare_change(told: ChangeEvent, step: int, pending: list[Change]) -> None:
    """A change must be one that the task schedules, as scheduled, except for what is settled when it fires."""
    for change in pending:
        if change.kind != told.kind or change.at.step != step:
            continue
        for key, value in change.data.items():
            if key != "choose" and _plain(value) != _plain(told.raw.get(key)):
                raise Refuted(f"the change in step {step} has another {key} than the task schedules.")
        free = change.kind == "door" and "choose" in change.data and "kept" not in told.raw
        if free and told.open is not change.data["choose"]["open"]:
            raise Refuted(f"the change in step {step} leaves the door in another state than the task schedules.")
        if change.kind == "zones" and "choose" in change.data and not told.closed:
            raise Refuted(f"the change in step {step} closes nothing.")
        pending.remove(change)
        return
    raise Refuted(f"the task schedules no change of kind {told.kind} in step {step}.")


def _change_of(told: ChangeEvent, step: int) -> Change:
    data = {k: v for k, v in told.raw.items() if k != "kind"}
    if told.kind == "goal":
        data["goal"] = goal_from_json(told.goal)
    elif told.kind == "join":
        data["card"] = Card.from_json(told.card)
    return Change(Trigger(step=step), told.kind, data)


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=lambda v: v.to_json()))


# -- a suite --------------------------------------------------------------------------------------------------------
def validate_suite(
    specs: Sequence[EpisodeSpec],
    method: str = "",
    jobs: int = 1,
    progress: Progress | None = None,
    load: Sequence[str] = (),
) -> Tally:
    """Let a method, or the expert of each world, play every task of a suite and confirm each success by replay.

    `load` names files of the user's own that other processes need, too."""
    doubts: list[tuple[str, str]] = []
    confirmed = 0
    work = [(parse_method(method or expert_of(spec)), spec) for spec in specs]
    size = max(1, min(8, len(work) // (4 * jobs)))
    chunks = [work[i : i + size] for i in range(0, len(work), size)]
    results = spread(_confirm_chunk, chunks, jobs, load=load) if jobs > 1 else map(_confirm, work)
    for done, (key, reason) in enumerate(results, 1):
        if reason:
            doubts.append((key, reason))
        else:
            confirmed += 1
        if progress is not None:
            progress(done, len(specs))
    return Tally(len(specs), confirmed, sorted(doubts))


def expert_of(spec: EpisodeSpec) -> str:
    """The method that shows that a task of this world can be done."""
    entry = entry_of(spec.config.task)
    return entry.expert or entry.protocol


def _confirm_chunk(work: Sequence[tuple[Method, EpisodeSpec]]) -> list[tuple[str, str]]:
    return [_confirm(item) for item in work]


def _confirm(item: tuple[Method, EpisodeSpec]) -> tuple[str, str]:
    """The key, and why the task is not confirmed ("" if it is)."""
    method, spec = item
    try:
        played = play(method.config(spec.config, "none"))
    except CoterieError as err:
        return spec.key, str(err)
    return spec.key, validate(played.log.events).reason
