"""Goals, changes and actions of a log in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from coterie.core.action import COMMUNICATE
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.records import KINDS, ActEvent, ChangeEvent, DidEvent, InputEvent, OutcomeEvent, StartEvent, read
from coterie.core.task import goal_from_json


def task_name(start: StartEvent) -> str:
    """The task's own name; a log that does not tell it has at least the name of the file. What people want of a mission
    is no task of that name."""
    if _is_mission(start):
        return "mission"
    name = start.task or start.config["task"]
    return Path(name).stem if name.endswith(".toml") else str(name)


def scene_name(start: StartEvent) -> str:
    """The scene as its file calls it; that of a mission as people named it, since many share one world."""
    if _is_mission(start):
        return Path(start.config["scene"]).stem
    return str(start.scene.get("name") or start.config["scene"])


def _is_mission(start: StartEvent) -> bool:
    return str(start.config.get("protocol", "")).startswith("mission")


#: Settings that are told unless they are as usual, or an older log has none.
_USUAL = {
    "level": (None, "", "file", "medium-search"), "model": (None, "none"), "noise": (None, "none"),
    "radio": (None, "none"), "guard": (None,), "arms": (None, "geometric"),
}  # fmt: skip


def setting_words(config: Mapping[str, Any]) -> list[str]:
    """The settings of an episode that are not the usual ones."""
    told = {**config, "guard": "on" if config.get("guard") else None}
    words = [f"{key} {told[key]}" for key, usual in _USUAL.items() if told.get(key) not in usual]
    words += ["async"] if config.get("synchronous") is False else []
    words += [f"stranger {config['stranger']}"] if config.get("stranger") else []
    for text in config.get("parties") or ():
        name, _, played = text.partition("=")
        method, _, members = played.partition(":")  # residents=resident:Ann is told as "residents Ann"
        words.append(f"{name} {members}" if members and name == f"{method}s" else f"party {text}")
    return words


def goal_words(goal: Mapping[str, Any]) -> str:
    """The sentence for a goal as it stands in a log; a kind that is not known here is shown as it is."""
    try:
        return goal_from_json(goal).text()
    except (CoterieError, KeyError, TypeError, ValueError):
        return json.dumps(goal, ensure_ascii=False)


def change_words(told: ChangeEvent) -> str:
    if told.kind == "goal":
        return f"The goal changes: {told.text or goal_words(told.goal)}"
    if told.kind == "zones":
        closed = [f"{zone_words(zone)} to {robot}" for robot, zones in told.closed.items() for zone in zones]
        opened = [f"{zone_words(zone)} to {robot}" for robot, zones in told.opened.items() for zone in zones]
        if opened and not closed:
            return f"Zones are open again: {'; '.join(opened)}."
        return f"Zones are closed: {'; '.join(closed) or 'none'}."
    if told.kind == "join":
        return f"{told.robot} ({told.card.get('body', 'robot')}) joins the team."
    if told.kind == "leave":
        return gone_words(told.robot, told.dropped)
    if told.kind == "door":
        return f"{told.door} is now {'open' if told.open else 'closed'}."
    if told.kind == "news":
        return f"News: {told.text}"
    if told.kind == "close":
        return "The mission is closed."
    if told.kind == "person":
        return f"{told.raw.get('person', 'Somebody')} answers: {told.raw.get('says', '')}."
    return f"Change: {told.kind}."


def gone_words(robot: str, dropped: str | None = None) -> str:
    return f"{robot} is gone; {dropped} is dropped." if dropped else f"{robot} is gone."


def back_words(robot: str) -> str:
    return f"{robot} is back."


def driven_words(names: Sequence[str], team: Iterable[str], real: bool) -> str:
    """Say who is driven elsewhere, and what of the episode is simulated."""
    told, here = f"driven elsewhere: {', '.join(names)}; ", ", ".join(name for name in team if name not in names)
    if not real:
        return f"{told}what they see and what comes of their actions is simulated{here and f', and all of {here}'}"
    return f"{told}simulated: {here}, on what the others report" if here else f"{told}nothing is simulated"


def standing_words(told: InputEvent) -> str:
    """Say whether a driven robot can be reached and may move."""
    if not told.there:
        return f"is out of contact: {told.why}"
    return f"is stopped by {told.stopped}" if told.stopped else "can be reached and may move"


def zone_words(zone: str) -> str:
    place, _, stand = zone.partition("/")
    return f"{stand} of {place}" if stand else place


def action_words(skill: str, args: Sequence[Any]) -> str:
    """`pick(apple_0)`; words that are said are left out, since they are shown as speech."""
    if skill == COMMUNICATE and len(args) == 2:
        return f"{skill}(to {_one(args[1])})"
    return f"{skill}({', '.join(_one(a) for a in args)})" if args else skill


def _one(arg: Any) -> str:
    if isinstance(arg, (list, tuple)):
        return ", ".join(_one(a) for a in arg)
    return f"{arg:.2f}" if isinstance(arg, float) else str(arg)


ASKED = ("ask", "reply")  # prompts of models, and what they answered
SAID = ("heard", "tell")  # notes of a mission: words between one person and it
_ASIDE = frozenset((("mission", "refused"), ("mission", "declined"), ("input", "utterance")))


def in_confidence(event: Event) -> bool:
    """Whether an event is not for all: prompts and replies, and words between one person and a mission."""
    what = str(event.data.get("what" if event.kind == "mission" else "kind", ""))
    said = event.kind == "mission" and what in SAID
    return said or event.kind in ASKED or (event.kind, what) in _ASIDE


def event_words(event: Event) -> tuple[str, bool]:
    """A line of the log in brief, empty for those that say nothing to a person, and whether it is bad news."""
    kind, data = event.kind, event.data
    if kind in ("act", "did"):
        act: Any = read(ActEvent if kind == "act" else DidEvent, event)
        return f"{action_words(act.skill, act.args)}{f' ({act.why})' if act.why else ''}", False
    if kind == "outcome":
        end = read(OutcomeEvent, event)
        return f"{end.status}: {end.reason}" if end.reason else end.status, end.status != "done"
    if kind == "change":
        return change_words(read(KINDS[kind], event)), True  # type: ignore[arg-type]
    if kind in ("say", "message", "status", "refused", "end"):
        return f"{kind}: {data.get('text') or data.get('reason') or data.get('status') or ''}", kind == "refused"
    return "", False


# -- what a robot saw -------------------------------------------------------------------------------------------------
#: Numbers and places that only planners want; what matters of them is told by other facts.
_FINE = frozenset({"spot", "pose", "stand", "mass", "used", "card"})


def seen_words(facts: Sequence[Sequence[Any]], me: str) -> str:
    """New facts in brief: what a robot saw itself, then what it knows from others, each with its source."""
    told = {(str(f[0]), _key(f[1])) for f in facts}
    groups: dict[str, list[str]] = {me: []}
    for pred, args, value, source in facts:
        words = "" if _is_implied(pred, args, value, told) else _fact_words(pred, args, value)
        if words:
            groups.setdefault(str(source), []).append(words)
    heads = {me: "saw", "task": "goal:", "world": "goal:", "status": "status:"}
    parts = [
        f"{heads.get(source, f'learnt from {source}:')} {'; '.join(words)}" for source, words in groups.items() if words
    ]
    return " · ".join(parts)


def _key(args: Any) -> str:
    return ",".join(str(a) for a in args)


def _is_implied(pred: str, args: Sequence[Any], value: Any, told: set[tuple[str, str]]) -> bool:
    """Where a thing is goes without saying when the contents of that place, or that hand, are told anyway."""
    return pred == "where" and bool({("contents", str(value)), ("holding", str(value))} & told)


def _fact_words(pred: str, args: Sequence[Any], value: Any) -> str:
    name = str(args[0]) if args else ""
    if pred in _FINE or (pred == "online" and value):
        return ""
    if pred == "contents":
        if name.startswith("floor@"):
            return f"on the floor at {name[6:]}: {_listed(value)}" if value else ""
        return f"at {name}: {_listed(value) if value else 'nothing'}"
    if pred == "holding":
        return f"{name} holds {value or 'nothing'}"
    if pred == "open":
        return f"{name} is {'open' if value else 'closed'}"
    if pred in ("at", "where"):
        return f"{name} is at {value}" if value else ""
    if pred == "online":
        return f"{name} is gone"
    if pred == "goal":
        return goal_words(value) if isinstance(value, dict) else ""
    if pred in ("may_place", "allowed") and len(args) == 2:
        verb = "place on" if pred == "may_place" else "enter"
        return f"{name} {'may' if value else 'may not'} {verb} {zone_words(str(args[1]))}"
    shown = value if isinstance(value, (str, int, float, bool, type(None))) else json.dumps(value, ensure_ascii=False)
    return f"{pred}({_key(args)}) is {shown}"


def _listed(value: Any) -> str:
    return ", ".join(str(v) for v in value) if isinstance(value, (list, tuple)) else str(value)
