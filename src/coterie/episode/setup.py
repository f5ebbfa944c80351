"""From names to a world, a task and a model: what a configuration left open is filled in, what cannot be is refused."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from coterie.core.config import Config
from coterie.core.entry import WorldEntry
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.protocol import asks_model
from coterie.core.task import Task
from coterie.core.world import World
from coterie.episode.parties import other_parties, parse_strangers, unawaited, with_strangers
from coterie.episode.plugins import load_plugins, loaded_files, own_line
from coterie.episode.radio import check_heartbeat, check_range, parse_heartbeat, parse_radio
from coterie.models import Model, make_model
from coterie.protocols import asked_as, level_of, protocols
from coterie.protocols.shared.templates import template_hash
from coterie.worlds import entry_of, worlds

SIGHTS = ("own", "pooled", "truth")  # from the narrowest to the widest

LONG = 512  # tokens of a reply to a `full` prompt, where its protocol says nothing else


def _missions() -> None:
    """The mission is a way to decide, too."""
    importlib.import_module("coterie.mission.protocol")


protocols.later(_missions)
_resolved: list[Config | None] = [None]  # the last one: an episode asks for its own several times


def resolve(config: Config) -> Config:
    """Fill in what was left open: tasks bring their own team and scene, worlds everything else."""
    if config is _resolved[0]:
        return config
    load_plugins(config.load)
    entry = entry_of(config.task)
    config = entry.settle(config)
    if not config.protocol:
        config = replace(config, protocol=entry.protocol)
    config = replace(config, protocol=asked_as(config.protocol, config.model))
    deciding = deciding_in(config)
    for name in deciding:
        if name in protocols and plays(name, entry):
            continue
        fit = [n for n in protocols if plays(n, entry) and (":" not in n or ":" in name)]
        if name not in protocols:
            raise unknown_name("protocol", name, fit)
        raise CoterieError(f"The protocol '{name}' cannot play '{config.task}'. Those that can: {', '.join(fit)}.")
    for name in (s.method for s in parse_strangers(config.stranger)):
        if sight(name) == SIGHTS[-1]:
            raise CoterieError(
                f"'{name}' sees the truth, and a stranger knows only what it sees and hears: take another one for "
                "--stranger, such as irot or heuristic."
            )
    if not config.model:
        config = replace(config, model=_usual_model(deciding))
    parse_radio(config.radio)  # complains before anything is played
    parse_heartbeat(config.heartbeat)
    if config.memo and entry.recall is None:
        raise CoterieError(f"Nothing is remembered of '{config.task}'; leave out --memo.")
    _resolved[0] = config
    return config


def _usual_model(deciding: Iterable[str]) -> str:
    """Return the default model: the text oracle of protocols that have one, tagged "oracle"."""
    asking = [n for n in deciding if asks_model(n)]
    if asking and all("oracle" in protocols.tags(n) for n in asking):
        return "oracle"
    return "embedded" if asking else "none"


def deciding_in(config: Config) -> list[str]:
    """The protocols of all parties, the team's first."""
    strangers = (s.method for s in parse_strangers(config.stranger))
    return [config.protocol, *(p.protocol for p in other_parties(config)), *strangers]


def plays(protocol: str, entry: WorldEntry, goal: str = "") -> bool:
    """True if a protocol is for this world and this kind of goal: it names it, or none at all."""
    tags = protocols.tags(protocol)
    if protocol.partition(":")[0] == "mission":  # also in worlds of a user's own that say what goals mean there
        return type(entry).domain is not WorldEntry.domain
    if tags.isdisjoint((entry.name, *entry.like)) and any(tag in worlds for tag in tags):
        return False
    known = protocols.get(protocol)().goals if goal else ()
    return not known or goal in known


def build(config: Config, task: Task | None = None) -> tuple[World, Task]:
    """The world and the task of a configuration; a task that was made already is taken as it is."""
    config = resolve(config)
    task = task_of(config, task)
    world = entry_of(config.task).world(task, config)
    check_range(parse_radio(config.radio), world)
    check_heartbeat(parse_heartbeat(config.heartbeat), world)
    return world, task


def task_of(config: Config, task: Task | None = None) -> Task:
    """The task of a resolved configuration; one that a party's protocol does not know how to play is refused."""
    entry = entry_of(config.task)
    task = task if task is not None else entry.task(config)
    for name in deciding_in(config):
        if not plays(name, entry, task.goal.kind):
            known = ", ".join(sorted(protocols.get(name)().goals))
            fit = [n for n in protocols if plays(n, entry, task.goal.kind) and ":" not in n]
            raise CoterieError(
                f"The protocol '{name}' cannot play '{task.name}': its goal is of the kind '{task.goal.kind}', and "
                f"{name} knows {known}. Those that can play it: {', '.join(fit)}."
            )
    if config.parties:
        task = replace(task, changes=unawaited(task.changes, other_parties(config)))
    return with_strangers(task, config, entry)


def redrawn(config: Config, task: Task) -> bool:
    """True if the changes of a resolved configuration make another task of its seed than there is without them: some
    worlds draw until a change matters."""
    if not config.changes:
        return False
    try:
        plain = entry_of(config.task).task(replace(config, changes=()))
    except CoterieError:  # without the change it cannot be drawn at all: a team that waits for a newcomer
        return True
    return _posed(plain) != _posed(task)


def _posed(task: Task) -> tuple[object, ...]:
    """Return the problem that a task poses: its goal, robots and things."""
    return task.goal.to_json(), task.robots, getattr(task.setting, "things", None)


def reply_tokens(protocol: str) -> dict[str, int]:
    """The most tokens of a reply at each stage of a protocol, by the style of its prompts.

    About the budgets in docs/models.md where a cut reply still says something, and twice as much where a cut would
    spoil it.
    """
    mind = protocols.get(protocol)()
    if {"full", "paper", "conversation"} & set(protocol.partition(":")[2].split("-and-")):
        return {stage: mind.long_replies.get(stage, LONG) for stage in mind.replies}
    return dict(mind.replies)


def prompts_hash(protocol: str) -> str:
    """The fingerprint of the templates that a protocol writes its prompts from; empty for one that has none."""
    folder = protocols.get(protocol)().prompts if protocol in protocols else ""
    return template_hash(folder) if folder else ""


def sight(protocol: str, memo: bool = False) -> str:
    """Return what a method may see; a memo sees what the whole party knows, so with one it is that at least."""
    own: str = protocols.get(protocol)().sees
    return max(own, "pooled", key=SIGHTS.index) if memo else own


def model_for(config: Config, **options: Any) -> Model:
    """The model a configuration names; `options` are those of `coterie.models.make_model`."""
    config = resolve(config)
    return make_model(config.model, **{"max_tokens": reply_limits(config), "level": level_in(config), **options})


def level_in(config: Config) -> str:
    """How much prompts tell: `conversation` if one of the parties is told everything once, else the team's level."""
    levels = [level_of(name) for name in deciding_in(config)]
    return "conversation" if "conversation" in levels else levels[0]


def reply_limits(config: Config) -> dict[str, int]:
    """The most tokens of a reply in each stage, of all parties that ask."""
    return {stage: most for name in deciding_in(config) for stage, most in reply_tokens(name).items()}


__all__ = [
    "build", "deciding_in", "level_in", "load_plugins", "loaded_files", "model_for", "own_line", "plays",
    "prompts_hash", "redrawn", "reply_tokens", "resolve", "sight", "task_of",
]  # fmt: skip
