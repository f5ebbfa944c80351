"""Whole logs and what is read from them, kept to be compared: every event of small episodes, and the states, moments
and words that follow from the logs of some rooms.

    python -m tests.log.tables     after a meant change: writes tables.json.gz anew
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from coterie.core.event import Event
from coterie.core.task import Change, Trigger
from coterie.episode.loop import Episode, Settings
from coterie.log.fold import last_step, moments, opened, state_at
from coterie.log.state import State
from coterie.log.words import change_words, seen_words, setting_words, task_name
from examples import yard
from examples.yard import Tidy
from tests.worlds.kept import ROOMS, episodes, events_of, name_of
from tests.worlds.plainly import keep, kept_in, line
from tests.yard import play as play_yard

TABLES = Path(__file__).with_name("tables.json.gz")
READ = (0, 1, 2, 3, 5, 6, 12, 13)  # rooms


# -- whole logs -------------------------------------------------------------------------------------------------------
def _people(episode: Episode) -> None:
    """Somebody steps in, now and then."""
    step = episode.clock.step
    if step == 1:
        episode.say("Anna", "Hurry up.", ["Ada"])
        episode.cancel("Bo")
    if step == 3:
        episode.inject(Change(Trigger(), "goal", {"goal": Tidy((("ball", "0,0"), ("cup", "5,1")))}, ("Ada",)))
    if step == 4:
        episode.say("Anna", "Well done.")


def small() -> Iterator[tuple[str, list[Event]]]:
    changes = (
        yard.stranger_joins(2),
        Change(Trigger(step=4), "leave", {"robot": "Bo"}, ("Ada",)),
        Change(Trigger(time=9.0), "goal", {"goal": Tidy((("ball", "0,0"),))}, ("all",)),
        Change(Trigger(step=99), "nothing", {}),
    )
    tasks: dict[str, Any] = {
        "plain": yard.yard_task(),
        "beam": yard.yard_task(beam=True),
        "rewinds": yard.yard_task(beam=True, rewinds=True),
        "changes": yard.yard_task(changes=changes),
        "limits": yard.yard_task(step_limit=4),
        "time": yard.yard_task(step_limit=None, time_limit_s=6.0),
    }
    settings = {
        "waiting": Settings(seed=3),
        "free": Settings(seed=3, synchronous=False, think_call_s=0.4, think_token_s=0.01),
    }
    for name, task in tasks.items():
        for how, chosen in settings.items():
            for mind in ("Tidier", "Foreman", "Chooser"):
                if mind == "Foreman" or name != "beam":
                    played = play_yard(getattr(yard, mind), task, chosen, yard.seeded_choice)
                    yield f"{name} {how} {mind}", played.log.events
    for how, chosen in settings.items():
        yield f"people {how}", play_yard(yard.Tidier, tasks["changes"], chosen, watch=_people).log.events


def logs() -> Iterator[tuple[str, list[str]]]:
    for name, events in small():
        yield name, [line([e.seq, e.step, e.t, e.kind, e.who, _short(e.data), e.causes]) for e in events]


def _short(data: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in data.items() if k not in ("card", "robots", "config", "version", "prompt")}


# -- what is read from them -------------------------------------------------------------------------------------------
def shown(state: State) -> Iterator[str]:
    yield line(state.step, state.t, state.goal, state.homes, state.goal_text, state.done, state.partial)
    yield line(state.status_text, state.limit, state.open, state.where, state.inside, state.arrived, state.closed)
    yield line(state.changes, [[w, asdict(s)] for w, s in state.talk[-3:]], sorted(state.names), state.missing())
    yield line([asdict(a) for a in state.underway.values()], state.end and state.end.success, state.platforms)
    for robot in state.robots.values():
        yield line(robot.name, robot.body, robot.pose, robot.at, robot.stand, robot.holding, robot.left, robot.online)
        yield line(robot.act and [*_act(robot.act)], robot.said and asdict(robot.said), robot.trail[-2:])
        yield line([asdict(s) for s in robot.stops], sorted(robot.visited), robot.known, len(robot.seen))
        yield line(len(robot.believes), sorted(map(str, robot.believes))[::17])
    for thing in state.things.values():
        yield line(
            thing.name, thing.kind, thing.colour, thing.place, thing.spot, state.outer(thing), state.right(thing.name)
        )
    for place in sorted(state.inside)[:4]:
        yield line(
            [t.name for t in state.at_place(place)], [t.name for t in state.lying(place)], state.furniture_of(place)
        )


def _act(act: Any) -> Iterator[Any]:
    yield from (act.robot, act.step, act.skill, act.args, act.status, act.reason, act.cause, act.told, act.facts)
    yield from (act.origin, act.done, act.on, act.words)


def room(number: int) -> list[str]:
    ((_, played),) = episodes([ROOMS[number]])
    events = events_of(played)
    rows = []
    for step in range(-1, last_step(events) + 1, 4):
        rows += shown(state_at(events, step) if step >= 0 else opened(events))
    rows += shown(state_at(events))
    state = opened(events)
    for moment in moments(state, events):
        rows.append(line(moment.step, [[*_act(a)] for a in moment.acts], [[*_act(a)] for a in moment.refused]))
        rows += [line(change_words(c)) for c in moment.changes]
    first = state.start
    rows.append(line(task_name(first), setting_words(first.config)))
    rows += [line(e.who, seen_words(e.data["facts"], e.who)) for e in events if e.kind == "see"][::3]
    return rows


def rooms() -> Iterator[tuple[str, list[str]]]:
    for number in READ:
        yield name_of(ROOMS[number]), room(number)


def kept() -> dict[str, list[str]]:
    return kept_in(TABLES)


if __name__ == "__main__":
    keep(TABLES, {**dict(logs()), **dict(rooms())})
