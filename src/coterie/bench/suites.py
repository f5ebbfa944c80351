"""Choosing episodes: suites by name, or the seeds of one task of any world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import coterie.bench.studies  # noqa: F401 (brings the built-in suites)
from coterie.bench.spec import FIRST_SEED, EpisodeSpec, SuiteFactory, suites
from coterie.core.config import Config, task_and_level
from coterie.core.entry import OPTIONS
from coterie.core.errors import CoterieError, unknown_name
from coterie.worlds import entry_of, task_names

__all__ = ["FIRST_SEED", "LABELS", "EpisodeSpec", "SuiteFactory", "make_suite", "of_task", "sample", "suites"]

TASK_SEEDS = 20  # episodes of a task that is named in place of a suite, where nobody says how many


def make_suite(
    names: str,
    seed: int = FIRST_SEED,
    noise: str | None = None,
    seeds: int | None = None,
    radio: str | None = None,
    heartbeat: str | None = None,
    **own: Any,
) -> list[EpisodeSpec]:
    """The episodes of one suite or task, or of several joined with commas; each episode once.

    `seeds`: how many episodes of a task; unless said otherwise one of a file, in which the seed changes nothing. `own`:
    fields of the configuration (team, teams, scene, cards, changes, synchronous) that a task is played with. A suite
    says those itself.
    """
    own = {k: v for k, v in own.items() if v not in (None, "", (), True)}
    specs: dict[str, EpisodeSpec] = {}
    for name in filter(None, (n.strip() for n in names.split(","))):
        drawn = not name.endswith(".toml") or {noise, radio} - {None, "none"}
        for s in _named(name, seed, (TASK_SEEDS if drawn else 1) if seeds is None else seeds, own):
            if specs.setdefault(s.key, s).config != s.config:
                raise CoterieError(
                    f"Two episodes of '{name}' have the key '{s.key}': give each its own, by which its result is "
                    "found again."
                )
    if not specs:
        raise CoterieError(f"Name a suite or a task. There are the suites: {', '.join(suites)}.")
    found = list(specs.values())
    for name, value in (("noise", noise), ("radio", radio), ("heartbeat", heartbeat)):
        if value is not None:
            mark = f"heartbeat-{value}" if name == "heartbeat" else value
            configs = [Config.from_json({**s.config.to_json(), name: value}) for s in found]
            found = [replace(s, key=f"{s.key}/{mark}", config=config) for s, config in zip(found, configs)]
    return found


def _named(name: str, seed: int, seeds: int, own: dict[str, Any]) -> list[EpisodeSpec]:
    task, level = task_and_level(name)
    if name in suites or not (task in task_names() or task.endswith(".toml")):
        if name not in suites:
            raise unknown_name("suite or task", name, {*suites, *task_names()})
        found = suites.get(name)(seed)
        if own:
            option = OPTIONS.get(next(iter(own)), "--async")
            raise CoterieError(
                f"{option} goes with a task; the suite '{name}' says itself what is played. Name a task, like "
                f"{found[0].config.task if found else 'pack-objects'}, or write a suite of your own."
            )
        return [_labelled(spec, name) for spec in found]
    return of_task(task, level, seed, seeds, **own)


#: Labels that every episode has.
LABELS = ("setting", "task", "level", "team", "group", "scene", "seed")


def _labelled(spec: EpisodeSpec, suite: str) -> EpisodeSpec:
    """The episode with the labels that its suite left out, taken from its configuration."""
    if all(name in spec.labels for name in LABELS):
        return spec
    usual = {"setting": suite, "group": spec.labels.get("setting", suite), **_said(spec.config)}
    return replace(spec, labels={**usual, **spec.labels})


def _said(config: Config) -> dict[str, Any]:
    """The labels that follow from a configuration, once its world has filled in what it leaves open."""
    entry = entry_of(config.task)
    settled = entry.settle(config)
    scene = Path(settled.scene).stem if settled.scene.endswith(".toml") else settled.scene
    said = {"task": config.task, "level": settled.level, "team": settled.team, "scene": scene}
    return {**said, "seed": config.seed, "world": entry.name}


def of_task(
    task: str, level: str = "", seed: int = FIRST_SEED, seeds: int = TASK_SEEDS, **own: Any
) -> list[EpisodeSpec]:
    """A task of any world, seed after seed: with its usual team and scene, or with those that `own` has."""
    if seeds < 1:
        raise CoterieError(f"--episodes {seeds}: take at least one.")
    entry = entry_of(task)
    found = []
    for n in range(seed, seed + seeds):
        config = entry.settle(Config(task=task, seed=n, level=level, **own))
        labels = {"setting": task, "group": task, **_said(config), "scene": config.scene}
        parts = [task, config.level, *_key_parts(own), str(n)]
        found.append(EpisodeSpec("/".join(filter(None, parts)), config, labels))
    if level or own.get("team"):
        _draw_any(found)
    return found


def _draw_any(specs: Sequence[EpisodeSpec]) -> None:
    """Raise what is wrong with these episodes if none can be drawn, such as a robot or a level that does not exist."""
    for left, spec in zip(reversed(range(len(specs))), specs):
        try:
            entry_of(spec.config.task).task(spec.config)
            return
        except CoterieError:
            if not left:
                raise


def _key_parts(own: dict[str, Any]) -> list[str]:
    """Parts of keys that tell the episodes of one choice of team, scene, cards and changes from those of another."""
    texts = ["async" if v is False else v if isinstance(v, str) else "+".join(v) for v in own.values()]
    return ["+".join(Path(part).stem if part.endswith(".toml") else part for part in t.split("+")) for t in texts]


def sample(specs: Sequence[EpisodeSpec], n: int | None) -> list[EpisodeSpec]:
    """`n` episodes spread evenly over a suite; one from each n-th part, not always the first of it."""
    if n is None or n >= len(specs):
        return list(specs)
    if n < 1:
        raise CoterieError(f"--episodes {n}: take at least one.")
    golden = 0.618034  # a plain stride would fall on the same scene or team again and again
    return [specs[int((i + (i * golden) % 1.0) * len(specs) / n)] for i in range(n)]
