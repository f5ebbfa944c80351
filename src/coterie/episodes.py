"""From names to a running episode: the one place where scene, task, team, protocol and model come together."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from coterie import __version__
from coterie.core.errors import CoterieError
from coterie.core.event import Log, read_lines, read_log
from coterie.core.loop import Episode, Result, Settings, run
from coterie.core.protocol import Party, TeamProtocol
from coterie.core.task import Task
from coterie.core.world import World
from coterie.llm import Call, Ledger, Model, ledger_of, make_model
from coterie.memo import Memo, parse_variant
from coterie.prompts import template_hash
from coterie.protocols import protocols
from coterie.protocols.recall import Desk, HouseRecall, Recall
from coterie.skills.judge import known_verdict
from coterie.tasks import make_task, tasks
from coterie.tasks.changes import Settle
from coterie.tasks.files import file_defaults
from coterie.tasks.tabletop import own_choices
from coterie.worlds.indoor.noise import parse_noise
from coterie.worlds.indoor.world import IndoorWorld

_LISTS = ("changes", "cards", "load")
TABLETOP = "tabletop"
SIGHTS = ("own", "pooled", "truth")  # from the narrowest to the widest
DEFAULT_PROTOCOL = {"indoor": "rules", TABLETOP: "task-expert"}
DEFAULTS = {"team": "Ma-MoMa-UAV", "scene": "flat", "level": "medium-search"}

#: The most tokens of a reply by stage: about the budgets in docs/models.md where a cut reply still says something, and
#: twice as much where a cut would spoil it. With `full` prompts a model may think aloud.
COMPACT_REPLIES = {
    "SD": 60, "TALB": 60, "LE": 12, "HMRC": 64, "MV": 24, "GD": 50, "LP": 60, "COMM": 48, "PLAN": 48, "CENTRAL": 128,
    "places": 128, "policy": 64, "DIALOG": 320, "TABLE": 320, "REACT": 384, "HMAS": 320, "VOTE": 64,
}  # fmt: skip
TOGETHER = ("VOTE",)  # stages at which all robots are asked at once; at the others of the table one speaks at a time
FULL_REPLIES = {**dict.fromkeys(COMPACT_REPLIES, 512), **dict.fromkeys(("TABLE", "REACT", "HMAS", "VOTE"), 1024)}


@dataclass(frozen=True)
class Config:
    """Everything that fixes an episode; it is the first line of its log."""

    task: str = "pack-objects"
    team: str = ""  # empty: the task's own, or Ma-MoMa-UAV
    protocol: str = ""  # empty: rules in rooms, task-expert on the table
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
    memo: str = ""  # empty: none; "memo", or a variant of it such as "memo:no-splanner"

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), **{k: list(getattr(self, k)) for k in _LISTS}}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Config:
        known = {f.name for f in fields(cls)}
        if not isinstance(data, dict) or set(data) != known:
            raise CoterieError("The configuration in the log is not one of this version of Coterie.")
        return cls(**{**data, **{k: tuple(data[k]) for k in _LISTS}})


class Stage(World, Protocol):
    """A world that can say what a reader of its log has to know."""

    def start_data(self) -> dict[str, Any]: ...


class Played(NamedTuple):
    config: Config
    task: Task
    result: Result
    log: Log
    wall_s: float
    calls: list[Call] | None = None  # that the model made for this episode, if it keeps a ledger
    planning_s: float = 0.0  # wall time of looking up, thinking, checking and planning motion
    remembered: str = ""  # what the memo says about this episode's plan
    saved: Mapping[str, float] = {}  # what the task that was used again took at first: calls, tokens, planning_s
    lookup_s: float = 0.0  # of the planning, what searches in the memo took that somebody waited for


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
    arena = arena_of(config.task)
    if arena == TABLETOP:
        own = own_choices(config)
    config = replace(config, protocol=config.protocol or DEFAULT_PROTOCOL[arena])
    if config.protocol in protocols and (TABLETOP in protocols.tags(config.protocol)) != (arena == TABLETOP):
        fit = [n for n in protocols if (TABLETOP in protocols.tags(n)) == (arena == TABLETOP) and ":" not in n]
        raise CoterieError(
            f"The protocol '{config.protocol}' cannot play '{config.task}'. Those that can: {', '.join(fit)}."
        )
    if config.protocol in protocols and not config.model:
        config = replace(config, model="embedded" if "model" in protocols.tags(config.protocol) else "none")
    filled = {k: getattr(config, k) or own.get(k) or default for k, default in DEFAULTS.items()}
    return replace(config, team=filled["team"], scene=filled["scene"], level=filled["level"])


def arena_of(task: str) -> str:
    """The world that a task is played in."""
    return TABLETOP if task in tasks and TABLETOP in tasks.tags(task) else "indoor"


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


def build(config: Config, task: Task | None = None) -> tuple[Stage, Task]:
    """The world and the task of a configuration; a task that was made already is taken as it is."""
    config = resolve(config)
    task = task if task is not None else make_task(config)
    if arena_of(config.task) == TABLETOP:
        from coterie.worlds.tabletop.world import TabletopWorld

        return TabletopWorld(task, config.seed), task
    settle = Settle(task, config.seed)
    return IndoorWorld(task, config.seed, parse_noise(config.noise), settle=settle, arms=config.arms), task


def reply_tokens(protocol: str) -> dict[str, int]:
    """The most tokens of a reply at each stage of a protocol, by the style of its prompts."""
    full = "full" in protocol.partition(":")[2].split("-and-")
    return FULL_REPLIES if full else COMPACT_REPLIES


def prompts_hash(protocol: str) -> str:
    """The fingerprint of the templates that a protocol writes its prompts from; empty for one that asks no model."""
    if protocol not in protocols or "model" not in protocols.tags(protocol):
        return ""
    return template_hash(TABLETOP if TABLETOP in protocols.tags(protocol) else protocol.partition(":")[0])


def model_for(config: Config, **options: Any) -> Model:
    """The model a configuration names; `options` are those of `coterie.llm.make_model`."""
    config = resolve(config)
    return make_model(config.model, **{"max_tokens": reply_tokens(config.protocol), **options})


def begin(config: Config, world: Stage, task: Task, log: Log) -> tuple[list[Party], Settings]:
    """Write the first line of a log; the parties and settings with which the episode then runs."""
    make = protocols.get(config.protocol)
    log.add("start", data=start_data(config, task, world, sight(config.protocol, bool(config.memo))))
    guard = known_verdict if config.guard else None
    settings = Settings(seed=config.seed, synchronous=config.synchronous, guard=guard)
    first: Callable[[], TeamProtocol] | None = None
    if config.memo:
        settings_of = parse_variant(config.memo)
        first = partial(Recall, settings_of) if arena_of(config.task) == TABLETOP else HouseRecall
    return [Party("team", make, tuple(n for n, _ in task.robots), first)], settings


def sight(protocol: str, memo: bool = False) -> str:
    """What a method's mind may use; with a memo, which is told of the task too, the wider of the two."""
    own, kinds = protocols.get(protocol)().sees, protocols.tags(protocol)
    other = Recall.sees if TABLETOP in kinds else HouseRecall.sees
    return max(own, other, key=SIGHTS.index) if memo else own


def play(
    config: Config,
    log_path: Path | None = None,
    resume: bool = False,
    model: Model | None = None,
    watch: Callable[[Episode], None] | None = None,
    task: Task | None = None,
    memo: Path | None = None,
) -> Played:
    """Run one episode. With `resume`, an interrupted log at `log_path` is replayed, checked and continued.

    `memo` is the file of solved tasks, for a configuration that uses one; without it, the user's own.
    """
    begun = time.perf_counter()
    config = resolve(replace(config, model=config.model or model.name) if model is not None else config)
    past: list[str] = []
    if resume:
        if log_path is None:
            raise CoterieError("To resume, name the log.")
        past = read_lines(log_path)
    world, task = build(config, task)
    protocols.get(config.protocol)  # complains before a log is begun
    asked: Model = model if model is not None else model_for(config)
    desk = Desk(asked, Memo(memo, parse_variant(config.memo)), episode_key(config)) if config.memo else None
    log = Log(log_path, past)
    told = ""
    try:
        parties, settings = begin(config, world, task, log)
        ledger = ledger_of(asked)
        mark = len(ledger.calls) if ledger is not None else 0
        result = run(world, task, parties, log, (desk or asked).answer, settings, watch)
        wall = time.perf_counter() - begun
        calls = ledger.since(mark) if ledger is not None else None
        planning = planning_time(world, calls, desk.lookup_s if desk is not None else 0.0)
        if desk is not None:
            desk.recollect(log.events)
        if desk is not None and result.success:
            on_table = arena_of(config.task) == TABLETOP
            told = desk.remember(log.events, planning) if on_table else desk.learn(log.events)
    finally:
        log.close()
        if desk is not None:
            desk.close()
    if log_path is not None:
        save_wall(log_path, wall, calls, planning)
    saved, lookup = (desk.saved, desk.lookup_s) if desk is not None else ({}, 0.0)
    return Played(config, task, result, log, wall, calls, planning, told, saved, lookup)


def episode_key(config: Config) -> str:
    """The name of a resolved episode in a memo: the same whenever it is played again, and no other's.

    What a person looks for comes first; a hash stands for the rest, where that is not as usual. `load` names files, not
    what is played; `memo` is how others are looked up.
    """
    names = ("task", "level", "seed", "protocol", "model")
    usual = resolve(Config(**{name: getattr(config, name) for name in names})).to_json()
    rest = {k: v for k, v in config.to_json().items() if k not in ("load", "memo") and v != usual[k]}
    digest = hashlib.blake2b(json.dumps(rest, sort_keys=True).encode(), digest_size=4).hexdigest()
    return "/".join([*(str(getattr(config, name)) for name in names), *([digest] if rest else [])])


def planning_time(world: Stage, calls: Sequence[Call] | None, lookup_s: float = 0.0) -> float:
    """Seconds on the clock for looking up, thinking, checking and planning motion of arms, and not for moving.

    Calls that were made together count once: what the team waited for is the longest of them.
    """
    rounds = getattr(world, "rounds", None)
    if rounds is None:
        return 0.0
    waited = 0.0
    for together, some in groupby(calls or (), key=lambda c: c.stage in TOGETHER):
        seconds = [c.seconds for c in some]
        waited += max(seconds) if together else sum(seconds)
    return float(rounds.planning_s + waited + lookup_s)


def save_wall(log_path: Path, wall_s: float, calls: Sequence[Call] | None, planning_s: float = 0.0) -> None:
    """Write what the episode took beside its log: wall time never enters the log, so that logs repeat byte for byte."""
    beside = {"wall_s": round(wall_s, 3), "model": Ledger(calls).to_json() if calls is not None else None}
    if planning_s:
        beside["planning_s"] = round(planning_s, 3)
    log_path.with_suffix(log_path.suffix + ".wall").write_text(json.dumps(beside) + "\n", encoding="utf-8")


def resume_config(log_path: Path) -> Config:
    """The configuration an interrupted log was started with."""
    first = read_log(log_path)[0]
    if first.data.get("version") != __version__:
        raise CoterieError(
            f"'{log_path}' was made by Coterie {first.data.get('version')}, this is {__version__}: "
            "it cannot be resumed."
        )
    return Config.from_json(first.data["config"])


def start_data(config: Config, task: Task, world: Stage, sees: str) -> dict[str, Any]:
    """The first line of a log: all that a reader needs to show the episode without the program that made it."""
    return {
        "version": __version__,
        "task": task.name,
        "config": config.to_json(),
        "sees": sees,
        "prompts": prompts_hash(config.protocol),
        "goal": task.goal,
        "goal_text": task.goal.text(),
        "limit": task.step_limit,
        "about": dict(task.about),
        "rules": [{"name": r.name, "skill": r.skill, "public": r.public} for r in task.rules],
        **world.start_data(),
    }
