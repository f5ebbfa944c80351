"""The parts of a description that all worlds read from the state of a log in the same way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from coterie.core.action import COMMUNICATE, WAIT
from coterie.core.records import StartEvent
from coterie.log.state import BEGINNING, RobotState, State
from coterie.log.words import action_words, scene_name, setting_words, task_name
from coterie.render import palette
from coterie.render.describe import Agent, Bar, Frame, Row, Section

NEWS_STEPS = 3  # a change stays highlighted for so long
MOST_SAID = 40  # sentences beside a picture
LEGS = re.compile(r"\b(?:legs?|legged|walks?|walking|biped|quadruped|humanoid)\b", re.I)
STILL = frozenset({WAIT, COMMUNICATE})  # skills of a body that goes nowhere


def title(start: StartEvent) -> str:
    """`pack-objects in flat`."""
    return f"{task_name(start)} in {scene_name(start)}"


def subtitle(start: StartEvent, *first: str) -> str:
    """The settings of an episode; `first` stands before them."""
    config = start.config
    parts = [f"protocol {config['protocol']}", f"seed {config['seed']}"]
    return "  ·  ".join([*first, *parts, *setting_words(config)])


def when(state: State) -> str:
    """`step 3 of 30  ·  28 s simulated`."""
    if state.step == BEGINNING:
        return "before the first step"
    words = f"step {state.step}" + (f" of {state.limit}" if state.limit else "")
    return f"{words}  ·  {state.t:.0f} s simulated"


def ending(state: State) -> str:
    """`done, 12 steps  ·  60 s simulated`."""
    if state.end is None:
        return f"not finished, {state.step + 1} steps"
    words = "done" if state.end.success else f"not done, {state.end.status}"
    return f"{words}, {state.end.steps} steps  ·  {state.end.time_s:.0f} s simulated"


def frame(state: State, whole: bool = False, **more: Any) -> Frame:
    """A frame with what any log tells: when it is, the goal, how far the team is, news and talk; `more` is the rest."""
    news = state.changes[-1] if state.changes else None
    given: dict[str, Any] = {
        "when": ending(state) if whole or state.end is not None else when(state),
        "goal": state.goal_text,
        "bars": (Bar("Done", state.partial, state.status_text),),
        "sections": (talk(state),),
        "news": f"Step {news[0]}: {news[1]}" if news is not None else "",
        "fresh": news is not None and state.step - news[0] < NEWS_STEPS,
        "busy": (news is not None and news[0] == state.step) or any(_said(r, state) for r in state.robots.values()),
        "whole": whole,
    }
    return Frame(state.step, **(given | more))


def talk(state: State) -> Section:
    """Recent messages; the same words, to several or repeated, are told once."""
    once: dict[tuple[str, str], tuple[int, set[str]]] = {}
    for who, said in reversed(state.talk):  # not all of it: a long talk would cost more with every picture
        if (who, said.text) not in once and len(once) == MOST_SAID:
            break
        once.setdefault((who, said.text), (said.step, set()))[1].update(said.to)
    rows = []
    for (who, text), (step, to) in reversed(once.items()):
        names = "all" if "all" in to or len(to) >= len(state.robots) - 1 else ", ".join(sorted(to))
        rows.append(Row(f"{who} to {names}: {text}", who, lead=str(step)))
    return Section("Said lately", tuple(rows))


def colours(state: State) -> dict[str, str]:
    """A colour for every robot."""
    return palette.robots({name: r.card for name, r in state.robots.items()})


def base(card: Mapping[str, Any]) -> str:
    """The base of a body: legs if its card tells of them, nothing if it does not move by itself, else wheels."""
    if LEGS.search(str(card.get("about", ""))):
        return "legs"
    return "" if card.get("skills") and STILL.issuperset(card["skills"]) else "wheels"


def agent(state: State, robot: RobotState, colour: str, whole: bool = False, **more: Any) -> Agent:
    """A robot with what any log tells of it; `more` is where it is and what a world knows besides.

    A frame of the whole episode tells no last action or words."""
    card, act = robot.card, robot.act
    given: dict[str, Any] = {
        "mobility": str(card.get("mobility", "ground")),
        "arm": card.get("payload_kg", 0) > 0,
        "base": base(card),
        "body": robot.body,
        "online": robot.online,
    }
    if not robot.online:
        given["where"] = f"gone since step {robot.left}"
        more = {k: v for k, v in more.items() if k not in ("where", "at", "held", "path")}
    elif act is not None and not whole:
        failed = act.status not in ("", "done")
        note = str(act.reason if failed else act.why)
        given |= {"doing": action_words(act.skill, act.args), "status": act.status, "note": note}
    if robot.online and not whole and robot.said is not None and _said(robot, state):
        given["said"] = robot.said.text
    return Agent(robot.name, colour, **(given | more))


def _said(robot: RobotState, state: State) -> bool:
    return robot.said is not None and robot.said.step == state.step
