"""From names to a running episode: the one place where scene, task, team, protocol and model come together."""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from coterie import __version__
from coterie.core.errors import CoterieError
from coterie.core.event import Log, read_lines, read_log
from coterie.core.loop import Episode, Result, Settings, run
from coterie.core.protocol import Party
from coterie.core.task import Task
from coterie.llm import Model, ledger_of, make_model
from coterie.protocols import protocols
from coterie.skills.judge import known_verdict
from coterie.tasks import make_task
from coterie.tasks.changes import Settle
from coterie.tasks.files import file_defaults
from coterie.worlds.indoor.noise import parse_noise
from coterie.worlds.indoor.world import IndoorWorld

_LISTS = ("changes", "cards", "load")
DEFAULTS = {"team": "Ma-MoMa-UAV", "scene": "flat", "level": "medium-search"}


@dataclass(frozen=True)
class Config:
    """Everything that fixes an episode; it is the first line of its log."""

    task: str = "pack-objects"
    team: str = ""  # empty: the task's own, or Ma-MoMa-UAV
    protocol: str = "rules"
    model: str = ""  # empty: none, or embedded for protocols that ask one
    seed: int = 0
    scene: str = ""  # empty: the task's own, or flat
    level: str = ""  # of drawn tasks; empty: medium-search
    changes: tuple[str, ...] = ()
    guard: bool = False
    noise: str = "none"
    arms: str = "geometric"
    synchronous: bool = True
    cards: tuple[str, ...] = ()  # files of further robot cards
    load: tuple[str, ...] = ()  # Python files that register protocols, tasks, skills

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), **{k: list(getattr(self, k)) for k in _LISTS}}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Config:
        known = {f.name for f in fields(cls)}
        if not isinstance(data, dict) or set(data) != known:
            raise CoterieError("The configuration in the log is not one of this version of Coterie.")
        return cls(**{**data, **{k: tuple(data[k]) for k in _LISTS}})


class Played(NamedTuple):
    config: Config
    task: Task
    result: Result
    log: Log
    wall_s: float


def resolve(config: Config) -> Config:
    """Fill in what was left open: a task file brings its own team and scene, everything else has a default."""
    load_plugins(config.load)
    own: dict[str, str] = {}
    if config.task.endswith(".toml"):
        for option, given in (("--level", config.level not in ("", "file")), ("--change", config.changes)):
            if given:
                raise CoterieError(
                    f"{option} does not go with the task file '{config.task}', which says everything itself; "
                    "edit its step_limit, [[thing]] or [[change]] instead."
                )
        own = {**file_defaults(Path(config.task)), "level": "file"}
    if config.protocol in protocols and not config.model:
        config = replace(config, model="embedded" if "model" in protocols.tags(config.protocol) else "none")
    filled = {k: getattr(config, k) or own.get(k) or default for k, default in DEFAULTS.items()}
    return replace(config, team=filled["team"], scene=filled["scene"], level=filled["level"])


_loaded: dict[Path, object] = {}


def load_plugins(paths: Iterable[str]) -> None:
    """Import Python files that register protocols, tasks or skills of a user's own; each file once."""
    for name in paths:
        path = Path(name).resolve()
        if path in _loaded:
            continue
        if not path.is_file():
            raise CoterieError(f"There is no file '{name}' to load.")
        spec = importlib.util.spec_from_file_location(f"coterie_plugin_{len(_loaded)}_{path.stem}", path)
        if spec is None or spec.loader is None:
            raise CoterieError(f"'{name}' is not a Python file; --load takes a .py file.")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except CoterieError:
            raise
        except Exception as err:
            raise CoterieError(f"'{name}' could not be loaded: {type(err).__name__}: {err}.") from err
        _loaded[path] = module


def build(config: Config, task: Task | None = None) -> tuple[IndoorWorld, Task]:
    """The world and the task of a configuration; a task that was made already is taken as it is."""
    config = resolve(config)
    task = task if task is not None else make_task(config)
    settle = Settle(task, config.seed)
    return IndoorWorld(task, config.seed, parse_noise(config.noise), settle=settle, arms=config.arms), task


def model_for(config: Config, **options: Any) -> Model:
    """The model a configuration names; `options` are those of `coterie.llm.make_model`."""
    return make_model(resolve(config).model, **options)


def begin(config: Config, world: IndoorWorld, task: Task, log: Log) -> tuple[list[Party], Settings]:
    """Write the first line of a log; the parties and settings with which the episode then runs."""
    make = protocols.get(config.protocol)
    log.add("start", data=start_data(config, task, world, make().sees))
    guard = known_verdict if config.guard else None
    settings = Settings(seed=config.seed, synchronous=config.synchronous, guard=guard)
    return [Party("team", make, tuple(n for n, _ in task.robots))], settings


def play(
    config: Config,
    log_path: Path | None = None,
    resume: bool = False,
    model: Model | None = None,
    watch: Callable[[Episode], None] | None = None,
    task: Task | None = None,
) -> Played:
    """Run one episode. With `resume`, an interrupted log at `log_path` is replayed, checked and continued."""
    begun = time.perf_counter()
    config = resolve(replace(config, model=config.model or model.name) if model is not None else config)
    past: list[str] = []
    if resume:
        if log_path is None:
            raise CoterieError("To resume, name the log.")
        past = read_lines(log_path)
    world, task = build(config, task)
    protocols.get(config.protocol)  # complains before a log is begun
    log = Log(log_path, past)
    try:
        parties, settings = begin(config, world, task, log)
        asked = model if model is not None else model_for(config)
        result = run(world, task, parties, log, asked.answer, settings, watch)
    finally:
        log.close()
    wall = time.perf_counter() - begun
    if log_path is not None:  # wall time never enters the log, so that logs repeat byte for byte
        ledger = ledger_of(asked)
        beside = {"wall_s": round(wall, 3), "model": ledger.to_json() if ledger is not None else None}
        log_path.with_suffix(log_path.suffix + ".wall").write_text(json.dumps(beside) + "\n")
    return Played(config, task, result, log, wall)


def resume_config(log_path: Path) -> Config:
    """The configuration an interrupted log was started with."""
    first = read_log(log_path)[0]
    if first.data.get("version") != __version__:
        raise CoterieError(
            f"'{log_path}' was made by Coterie {first.data.get('version')}, this is {__version__}: "
            "it cannot be resumed."
        )
    return Config.from_json(first.data["config"])


def start_data(config: Config, task: Task, world: IndoorWorld, sees: str) -> dict[str, Any]:
    """The first line of a log: all that a reader needs to show the episode without the program that made it."""
    scene = task.setting.scene
    return {
        "version": __version__,
        "task": task.name,
        "config": config.to_json(),
        "sees": sees,
        "goal": task.goal,
        "goal_text": task.goal.text(),
        "limit": task.step_limit,
        "about": dict(task.about),
        "rules": [{"name": r.name, "skill": r.skill, "public": r.public} for r in task.rules],
        "robots": {n: {"card": c, "pose": world.truth["pose", n]} for n, c in world.cards.items()},
        "scene": {
            "name": scene.name,
            "rooms": [[r.name, r.kind, r.rect] for r in scene.rooms],
            "doors": [[d.name, scene.door_rect(d), d.open, d.swings] for d in scene.doors],
            "furniture": [
                {
                    "name": f.name,
                    "kind": f.kind,
                    "room": f.room,
                    "rect": f.rect,
                    "height_m": f.height_m,
                    "base_m": f.base_m,
                    "top_m": f.body_top_m,
                    "opens": f.opens,
                    "open": f.open,
                    "stands": f.stands,
                }
                for f in scene.furniture
            ],
            "work": {"table": scene.work.table, "arm": scene.work.arm},
        },
        "platforms": [[p.name, p.kind, p.colour, p.centre] for p in task.setting.platforms],
        "things": [[t.name, t.kind, t.colour, place, spot] for t, place, spot in task.setting.things],
    }
