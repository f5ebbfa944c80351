"""One episode from a configuration to its score: begun, run with a model, remembered, and resumed after a stop."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from coterie import __version__
from coterie.core.bounds import read_json
from coterie.core.config import Config
from coterie.core.errors import CoterieError, ReplayMismatch
from coterie.core.files import Lock, replace_text
from coterie.core.judge import known_verdict
from coterie.core.protocol import Mind, Party
from coterie.core.record import DAMAGE
from coterie.core.task import Task
from coterie.core.world import Driver, World
from coterie.episode.driving import Bell
from coterie.episode.inputs import Inputs
from coterie.episode.loop import Episode, Result, Settings, run
from coterie.episode.parties import parties_of
from coterie.episode.radio import parse_heartbeat, parse_radio
from coterie.episode.setup import build, model_for, prompts_hash, resolve, sight
from coterie.log.file import Log, read_log
from coterie.models import Call, Ledger, Model, ledger_of
from coterie.protocols import protocols
from coterie.worlds import entry_of

if TYPE_CHECKING:
    from coterie.memo.before import Desk

MOST_NEW = 50_000  # things that are made before Python looks which of them are still needed


class Played(NamedTuple):
    """An episode that has ended: its result, its log, and what it took."""

    config: Config
    task: Task
    result: Result
    log: Log
    wall_s: float
    calls: list[Call] | None = None  # that the model made for this episode, if it keeps a ledger
    planning_s: float = 0.0  # wall time of looking up, thinking, checking and planning motion
    remembered: str = ""  # what the memo says about this episode's plan
    saved: Mapping[str, float] = {}  # what the task that was used again took at first: calls, tokens, planning_s
    lookup_s: float = 0.0  # of the planning, of searches in the memo that were waited for
    unwritten: tuple[str, ...] = ()  # sentences about what could not be kept of an episode that has ended
    logged: bool = True  # whether the log on disk has its end

    def __repr__(self) -> str:
        config, result = self.config, self.result
        return f"Played({config.task}, {config.protocol}, seed {config.seed}: {result.status}, {result.steps} steps)"


@contextlib.contextmanager
def unhurried() -> Iterator[None]:
    """While an episode is played Python looks for circles of things that nobody needs any more seldom: there are hardly
    any before its end, and the search took a sixth of the time. What was of use to the episode alone has gone by the
    time that Python looks again."""
    usual = gc.get_threshold()
    if usual[0]:  # it may be switched off
        gc.set_threshold(max(usual[0], MOST_NEW), *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def begin(
    config: Config, world: World, task: Task, log: Log, before: Sequence[Mind] = ()
) -> tuple[list[Party], Settings]:
    """Write the first line of a log; the parties and settings with which the episode then runs. Those of `before` are
    asked before everything else decides for the team."""
    entry = entry_of(config.task)
    parties = parties_of(config, task, entry)
    if before:
        parties[0] = replace(parties[0], before=(*before, *parties[0].before))
    log.add("start", data=start_data(config, task, world, sight(config.protocol, bool(config.memo))))
    guard = known_verdict if config.guard else None
    settings = Settings(
        seed=config.seed,
        synchronous=config.synchronous,
        guard=guard,
        radio=parse_radio(config.radio),
        heartbeat_m=parse_heartbeat(config.heartbeat),
        think_call_s=entry.thinking_s(task),
    )
    return parties, settings


@unhurried()
def play(
    config: Config,
    log_path: Path | None = None,
    resume: bool = False,
    model: Model | None = None,
    watch: Callable[[Episode], None] | None = None,
    task: Task | None = None,
    memo: Path | None = None,
    inputs: Inputs | None = None,
    drivers: Mapping[str, Driver] | None = None,
    lock: Lock | None = None,
    bell: Bell | None = None,
    before: Sequence[Mind] = (),
    follow: Callable[[Log], None] | None = None,
) -> Played:
    """Run one episode. With `resume`, an interrupted log at `log_path` is replayed, checked and continued.

    `memo` is the file of solved tasks, for a configuration that uses one; without it, the user's own. `inputs` take in
    what people do and say meanwhile; `drivers` carry out the actions of robots that are not simulated. `lock` is that
    of the log, where it was taken before; `bell` says who has stopped everybody (`coterie.link.bell`);
    `before` are minds that are asked before the team's own; `follow` gets the log before its first line is written, and
    may read it from another thread (`Log.follow`).
    """
    begun = time.perf_counter()
    config = resolve(replace(config, model=config.model or model.name) if model is not None else config)
    if resume and log_path is None:
        raise CoterieError("To resume, name the log.")
    world, task = build(config, task)
    asked: Model = model if model is not None else model_for(config)
    log = Log.resumed(log_path, lock) if resume and log_path is not None else Log(log_path, lock=lock)
    if follow is not None:
        follow(log)
    spent = _Spent(begun, log_path, asked, continued=bool(log.past))
    desk, planning, told = None, 0.0, ""
    try:
        desk = _desk(config, asked, memo) if config.memo else None
        parties, settings = begin(config, world, task, log, before)
        answer = (desk or asked).answer
        result, unwritten = _to_its_end(
            log, log_path, lambda: run(world, task, parties, log, answer, settings, watch, inputs, drivers, bell)
        )
        logged = not unwritten
        spent.end()
        planning = planning_time(config, world, spent.calls, desk.lookup_s if desk is not None else 0.0)
        try:
            told = _remember(desk, config, log, result, planning) if desk is not None else ""
        except CoterieError as err:  # the episode has been played, whatever becomes of the memo
            unwritten.append(str(err))
    finally:
        log.close()
        if desk is not None:
            desk.close()
        spent.save_if_stopped()
    unwritten += spent.save(planning)
    saved, lookup = (desk.saved, desk.lookup_s) if desk is not None else ({}, 0.0)
    return Played(
        config, task, result, log, spent.wall_s, spent.calls, planning, told, saved, lookup, tuple(unwritten), logged
    )  # fmt: skip


def _to_its_end(log: Log, log_path: Path | None, episode: Callable[[], Result]) -> tuple[Result, list[str]]:
    """Run an episode. Return its result, with a sentence where it has ended and only its end could not be written."""
    try:
        result = episode()
        log.flush()
        return result, []
    except CoterieError as err:
        end = log.events[-1] if log.events else None
        if isinstance(err, ReplayMismatch) or end is None or end.kind != "end":
            raise
        return Result(**{name: end.data[name] for name in Result._fields}), [str(err)]
    except Exception as err:
        if isinstance(err, DAMAGE) and log.replaying:
            raise CoterieError(
                f"Line {log.seq} of '{log_path}', or one before it, is damaged: {type(err).__name__}, {err}."
            ) from err
        keep_events(err, log)
        raise


def _remember(desk: Desk, config: Config, log: Log, result: Result, planning_s: float) -> str:
    """Put into the memo what an episode has shown. Return what the memo says about its plan."""
    desk.recollect(log.events)
    recall = entry_of(config.task).recall
    told = recall.keep(desk, log.events, planning_s) if result.success else ""
    keep_transitions = getattr(recall, "keep_transitions", None)  # houses have lessons, no transitions
    if desk.memo.settings.reuse != "tasks" and keep_transitions is not None:
        keep_transitions(desk, log.events, result.success)
    return told


class _Spent:
    """The seconds and the calls to its model that a run takes, which are kept beside its log.

    A run that was stopped keeps its calls there as well: the one that continues it counts them as its own.
    """

    def __init__(self, begun: float, log_path: Path | None, model: Model, continued: bool):
        self.wall_s = 0.0
        self.calls: list[Call] | None = None  # None: the model keeps no ledger, or the run has not ended
        self._begun, self._path, self._ended = begun, log_path, False
        self._earlier: list[Call] = []
        self._ledger = ledger_of(model)
        self._mark = len(self._ledger.calls) if self._ledger is not None else 0
        if log_path is not None and continued:
            self._earlier = calls_beside(log_path)
        elif log_path is not None:
            with contextlib.suppress(OSError):
                wall_path(log_path).unlink(missing_ok=True)  # of another run

    def end(self) -> None:
        self.wall_s, self._ended = time.perf_counter() - self._begun, True
        if self._ledger is not None:
            self.calls = [*self._earlier, *self._ledger.since(self._mark)]

    def save(self, planning_s: float) -> list[str]:
        """Write them beside the log. Return a sentence where that failed."""
        try:
            if self._path is not None:
                save_wall(self._path, self.wall_s, self.calls, planning_s)
        except OSError as err:
            return [f"Cannot write what the run took beside the log '{self._path}': {err.strerror or err}."]
        return []

    def save_if_stopped(self) -> None:
        """Write down the calls of a run that has not ended; a full disk does not hide why."""
        calls = self._ledger.since(self._mark) if self._ledger is not None else []
        if not self._ended and self._path is not None and calls:
            with contextlib.suppress(OSError):
                save_wall(self._path, time.perf_counter() - self._begun, [*self._earlier, *calls])


def _desk(config: Config, model: Model, memo: Path | None) -> Desk:
    from coterie.memo import Memo, parse_variant  # most runs do without
    from coterie.memo.before import Desk

    return Desk(model, Memo(memo, parse_variant(config.memo)), episode_key(config))


def keep_events(err: BaseException, log: Log) -> None:
    """Attach the events so far to an error, so that an episode that crashed can be scored."""
    with contextlib.suppress(AttributeError):
        err.coterie_events = list(log.events)  # type: ignore[attr-defined]


def episode_key(config: Config) -> str:
    """The name of a resolved episode in a memo: the same whenever it is played again, and no other's.

    What a person looks for comes first; a hash stands for the rest, where that is not as usual. `load` names files, not
    what is played; `memo` is how others are looked up.
    """
    names = ("task", "level", "seed", "protocol", "model")
    usual = resolve(Config(**{name: getattr(config, name) for name in names})).to_json()
    rest = {k: v for k, v in config.to_json().items() if k not in ("load", "memo") and v != usual.get(k)}
    digest = hashlib.blake2b(json.dumps(rest, sort_keys=True).encode(), digest_size=4).hexdigest()
    return "/".join([*(str(getattr(config, name)) for name in names), *([digest] if rest else [])])


def planning_time(config: Config, world: World, calls: Sequence[Call] | None, lookup_s: float = 0.0) -> float:
    """Seconds on the clock for looking up, thinking, checking and planning motion, and not for moving: of worlds in
    which motion is planned.

    Calls that were made together count once: what the team waited for is the longest of them.
    """
    motion_s = entry_of(config.task).planning_s(world)
    if motion_s is None:
        return 0.0
    waited, at_once = 0.0, protocols.get(config.protocol)().together
    for together, some in groupby(calls or (), key=lambda c: c.stage in at_once):
        seconds = [c.seconds for c in some]
        waited += max(seconds) if together else sum(seconds)
    return float(motion_s + waited + lookup_s)


def save_wall(log_path: Path, wall_s: float, calls: Sequence[Call] | None, planning_s: float = 0.0) -> None:
    """Write what the episode took beside its log: wall time never enters the log, so that logs repeat byte for byte."""
    beside = {"wall_s": round(wall_s, 3), "model": Ledger(calls).to_json() if calls is not None else None}
    if planning_s:
        beside["planning_s"] = round(planning_s, 3)
    replace_text(wall_path(log_path), json.dumps(beside) + "\n")


def wall_path(log_path: Path) -> Path:
    return log_path.with_suffix(log_path.suffix + ".wall")


def calls_beside(log_path: Path) -> list[Call]:
    """The calls that an interrupted run had made, if it was stopped in a way that let it write them down."""
    try:
        return [Call(*row) for row in read_json(wall_path(log_path), "file")["model"]["calls"]]
    except (CoterieError, KeyError, TypeError, IndexError):
        return []


def resume_config(log_path: Path, load: Sequence[str] = ()) -> Config:
    """The configuration an interrupted log was started with.

    A log is data, and nothing that it names is run: the files of Python that it was made with must be given again.
    """
    first = read_log(log_path)[0]
    if first.data.get("version") != __version__:
        raise CoterieError(
            f"'{log_path}' was made by Coterie {first.data.get('version')}, this is {__version__}: "
            "it cannot be resumed."
        )
    config = Config.from_json(first.data["config"])
    if [Path(name).absolute() for name in load] != [Path(name).absolute() for name in config.load]:
        if not config.load:
            raise CoterieError(f"'{log_path}' was made without --load; leave it out.")
        files = shlex.join(word for name in config.load for word in ("--load", name))
        raise CoterieError(
            f"'{log_path}' was made with {files}. That is code, and a log cannot make it run: if you trust it, give "
            "the same --load again."
        )
    return config


def start_data(config: Config, task: Task, world: World, sees: str) -> dict[str, Any]:
    """The first line of a log: all that a reader needs to show the episode without the program that made it."""
    return {
        "version": __version__,
        "world": entry_of(config.task).name,
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
