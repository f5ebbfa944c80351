"""Plays and scores the episodes of a bench: one after another, or several side by side that share a model."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from coterie import __version__
from coterie.bench.results import Row, commit
from coterie.bench.studies import score
from coterie.core.bounds import MOST_TOML, read_bounded
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.protocol import Ask, Reply
from coterie.core.records import EndEvent
from coterie.core.task import Task
from coterie.episode.loop import episode
from coterie.episode.mission import company
from coterie.episode.parties import parse_strangers
from coterie.episode.play import begin, episode_key, planning_time, play, save_wall
from coterie.episode.plugins import brings, text_hash
from coterie.episode.setup import (
    build,
    level_in,
    load_plugins,
    loaded_files,
    model_for,
    own_line,
    prompts_hash,
    reply_limits,
    resolve,
)
from coterie.log.file import Log
from coterie.memo import Store
from coterie.models import Call, Model, ledger_of
from coterie.models.budget import Budget, Pace
from coterie.models.threads import FLAG as THREADS
from coterie.protocols import protocols
from coterie.worlds import entry_of, make_task


class Job(NamedTuple):
    """One episode for one method."""

    key: str
    method: str
    config: Config
    labels: dict[str, Any]
    log: str = ""
    memo: str = ""  # the file of solved tasks that this method fills, episode after episode
    before: str = ""  # with a memo: stands for the episodes that it knows by then, in their order

    @property
    def asks(self) -> bool:
        return self.config.model != "none"


class Spent(NamedTuple):
    """Wall times and calls of an episode; they differ between two runs of the same thing and never enter a row."""

    wall_s: float
    calls: tuple[Call, ...] = ()
    planning_s: float = 0.0  # of arms: looking up, thinking, checking and planning motion
    lookup_s: float = 0.0  # of that, looking up

    def to_json(self) -> dict[str, Any]:
        """Calls are kept if their time is known, one list each, for tables of latency."""
        calls = [[c.stage, c.tokens_in, c.tokens_cached, c.tokens_out, *map(_short, c[5:8])] for c in self.calls]
        found: dict[str, Any] = {"wall_s": round(self.wall_s, 4)}
        if self.planning_s:
            found["planning_s"] = round(self.planning_s, 4)
        if self.lookup_s:
            found["lookup_s"] = round(self.lookup_s, 6)
        return {**found, "calls": calls} if any(c.seconds for c in self.calls) else found


def _short(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 4)


# -- one episode ----------------------------------------------------------------------------------------------------
def play_job(job: Job) -> tuple[Row, Spent]:
    """Play and score one episode; the wall time comes beside the row, never in it."""
    begun = time.perf_counter()
    try:
        task = drawn(job)
    except CoterieError as err:  # the suite asks for what cannot be drawn; every method meets the same
        _note(job)
        return {**head(job), "error": str(err)}, Spent(time.perf_counter() - begun)
    memo = Path(job.memo) if job.memo else None
    people = company(job.config)
    log, model = Path(job.log) if job.log else None, model_of(job)
    try:
        played = play(job.config, log, model=model, task=task, memo=memo, **people)
    except CoterieError:
        raise
    except Exception as err:  # noqa: BLE001 (a defect of a protocol or a world ends its episode, and no other)
        _note(job)
        return crashed(job, err, getattr(err, "coterie_events", ())), Spent(time.perf_counter() - begun)
    if played.unwritten:  # the next episodes would know less than they should
        raise CoterieError(" ".join(played.unwritten))
    _note(job)
    row = {**head(job), **score(played.log.events)}
    return row, Spent(time.perf_counter() - begun, tuple(played.calls or ()), played.planning_s, played.lookup_s)


def _note(job: Job) -> None:
    """A memo knows which episodes it has been through, so that a stream goes on with no other."""
    if job.memo:
        with Store(Path(job.memo)) as store:
            store.note_played(episode_key(job.config), job_digest(job))


def head(job: Job) -> Row:
    """The first columns of a row, whether the episode could be played or not."""
    found = {"key": job.key, "method": job.method, "model": job.config.model, "digest": job_digest(job)}
    return {**found, "labels": job.labels, "version": __version__, "commit": commit()}


def crashed(job: Job, err: Exception, events: Sequence[Event]) -> Row:
    """The row of an episode that crashed. It counts as one that missed its goal."""
    where = own_line(err, loaded_files())
    what = f"{type(err).__name__}: {err}"[:300]
    told = {"crash": f"{where}: {what}" if where else what, "crash_seed": job.config.seed, "crash_own": bool(where)}
    if not events:
        return {**head(job), "error": f"It crashed before it began. {told['crash']}", **told}
    last = events[-1]
    end = EndEvent(False, 0.0, last.step, last.t, "crashed")
    return {**head(job), **score([*events, Event(last.seq + 1, last.step, last.t, "end", "", end.data())]), **told}


def digest(config: Config) -> str:
    """Tells results of another configuration or of other prompts apart. Of loaded files, the text counts for methods,
    worlds, tasks, skills and bodies that stand there, with that of all they import; so does that of files which hold
    the task, the scene or a card."""
    data = {k: v for k, v in config.to_json().items() if k != "load"}
    told = [prompts_hash(name) for name in (config.protocol, *(s.method for s in parse_strangers(config.stranger)))]
    loaded = loaded_text(config.task, config.protocol, config.load, config.team)
    text = json.dumps([__version__, data, loaded, *told, *_named_text(config)], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def _named_text(config: Config) -> list[str]:
    """Hashes of the files that a configuration names."""
    named = [config.task, config.scene.partition("#")[0], *config.cards]
    files = [Path(name) for name in named if name.endswith(".toml") and Path(name).is_file()]
    return [hashlib.blake2b(read_bounded(f, "file", MOST_TOML), digest_size=8).hexdigest() for f in files]


def job_digest(job: Job) -> str:
    """With a memo, a result also depends on what was played before it."""
    own = digest(job.config)
    return hashlib.blake2b(f"{own} {job.before}".encode(), digest_size=6).hexdigest() if job.memo else own


@lru_cache(maxsize=100)
def loaded_text(task: str, protocol: str, files: tuple[str, ...], team: str = "") -> list[str]:
    """Hashes of the files that a result depends on: all of them, if one brings its method, its world or something
    in that."""
    load_plugins(files)
    entry = entry_of(task)
    used = (protocols.get(protocol)(), entry)
    ours = all(type(item).__module__.partition(".")[0] == "coterie" for item in used)
    if not files or (ours and not brings(files, entry.name, task, team.split("-"))):
        return []
    return text_hash(files)


def drawn(job: Job) -> Task:
    """The task of an episode; methods share it."""
    return _drawn(
        resolve(
            replace(
                job.config, protocol="", model="none", guard=False, noise="none", radio="none", memo="", heartbeat=""
            )
        )
    )


@lru_cache(maxsize=4)
def _drawn(config: Config) -> Task:
    return make_task(config)


class Asking(NamedTuple):
    """How models are asked in this bench, the same in all of its processes."""

    base_url: str | None = None
    concurrency: int = 16
    token_limit: int | None = None
    spent: Any = None  # tokens of all processes together, where there are several
    asked: Mapping[str, Any] = {}  # further options of `make_model`: deadline, temperature, length, stream
    threads: int | None = None  # of a model that runs in the process
    rate_limit: float | None = None  # requests to an endpoint in a minute, of all processes together
    turns: Any = None  # where processes take turns, where there are several

    def budget(self) -> Budget:
        pace = None if self.rate_limit is None else Pace(self.rate_limit, shared=self.turns)
        return Budget(self.token_limit, shared=self.spent, pace=pace)


_asking = Asking()
_budget = Budget()
_models: dict[tuple[str, str, tuple[tuple[str, int], ...]], Model] = {}


def set_asking(asking: Asking) -> None:
    """Said once in each process, before anything is played."""
    global _asking, _budget
    if asking != _asking or asking.token_limit is not None:  # a limit holds for one run
        _budget = asking.budget()
        _models.clear()
    _asking = asking
    if asking.threads is not None:
        os.environ.setdefault(THREADS, str(asking.threads))


def model_of(job: Job) -> Model:
    """The model of this process, built once for all methods whose replies may be equally long: it may hold connections
    or weights. A script begins anew in each episode, so that results do not depend on what was played before."""
    name = job.config.model
    if name.partition(":")[0] in ("none", "scripted"):
        return model_for(job.config)
    key = (name, level_in(job.config), tuple(sorted(reply_limits(job.config).items())))
    if key not in _models:
        asked = {"base_url": _asking.base_url, "concurrency": _asking.concurrency, **_asking.asked}
        _models[key] = model_for(job.config, **asked, budget=_budget)
    return _models[key]


# -- several at once ------------------------------------------------------------------------------------------------
class Running:
    """One of several episodes under way, with the requests it waits for."""

    def __init__(self, job: Job, task: Task):
        self.job, self.model = job, model_of(job)
        self.config = config = resolve(job.config)
        world, task = build(config, task)
        self.world = world
        self.log = Log(Path(job.log) if job.log else None)
        parties, settings = begin(config, world, task, self.log)
        self.episode = episode(world, task, parties, self.log, settings)
        self.asks: list[Ask] = []
        self.asked = 0  # requests that were answered
        self.ended = False
        self.crash: Exception | None = None
        self.wall_s = 0.0
        self.calls: list[Call] = []

    def go_on(self, replies: Sequence[Reply] | None = None) -> None:
        begun = time.perf_counter()
        self.asked += len(replies or ())
        try:
            self.asks = next(self.episode) if replies is None else self.episode.send(replies)
        except StopIteration:
            self.asks, self.ended = [], True
            self.log.flush()  # complains, which closing does not
            self.log.close()
        except CoterieError:
            raise
        except Exception as err:  # noqa: BLE001 (it ends this episode, and no other)
            self.asks, self.crash = [], err
            self.log.close()
        self.wall_s += time.perf_counter() - begun

    def broken(self) -> tuple[Row, Spent]:
        assert self.crash is not None
        return crashed(self.job, self.crash, self.log.events), Spent(self.wall_s, tuple(self.calls))

    def finish(self) -> tuple[Row, Spent]:
        """The score of an episode that has ended, and what it took."""
        begun = time.perf_counter()
        row = {**head(self.job), **score(self.log.events)}
        self.wall_s += time.perf_counter() - begun
        planning = planning_time(self.config, self.world, self.calls)
        if self.job.log:
            calls = self.calls if ledger_of(self.model) is not None else None
            save_wall(Path(self.job.log), self.wall_s, calls, planning)
        return row, Spent(self.wall_s, tuple(self.calls), planning)


class Undrawn(NamedTuple):
    """An episode that could not be drawn."""

    job: Job
    error: CoterieError
    wall_s: float


def side_by_side(
    jobs: Iterable[Job], at_once: int, answer: Callable[[Sequence[Running]], None]
) -> Iterator[Running | Undrawn]:
    """Play up to `at_once` episodes side by side; those that have ended or crashed as they come. `answer` lets all that
    wait for replies go on."""
    waiting, running = iter(jobs), list[Running]()
    job: Job | None = None
    try:
        while True:
            while len(running) < at_once and (job := next(waiting, None)) is not None:
                begun = time.perf_counter()
                try:
                    task = drawn(job)
                except CoterieError as err:
                    yield Undrawn(job, err, time.perf_counter() - begun)
                    continue
                running.append(Running(job, task))
                running[-1].wall_s = time.perf_counter() - begun
                running[-1].go_on()
            for one in sorted((r for r in running if r.ended or r.crash is not None), key=lambda r: r.ended):
                running.remove(one)
                yield one
            if running:
                answer(running)
            elif job is None:
                return
    finally:
        for one in running:
            one.log.close()


def dealt(running: Iterable[Running], replies: Sequence[Reply]) -> Iterator[tuple[Running, Sequence[Reply]]]:
    """Each episode with the replies to its own requests."""
    for one in running:
        yield one, replies[: len(one.asks)]
        replies = replies[len(one.asks) :]


def play_together(jobs: Iterable[Job], at_once: int) -> Iterator[tuple[Row, Spent]]:
    """Play up to `at_once` episodes side by side, so that one call of the model answers the requests of all of them.

    The wall time of an episode is that of its own steps and its part of the calls, by the number of its requests.
    """
    for one in side_by_side(jobs, at_once, _answer):
        if isinstance(one, Undrawn):
            yield {**head(one.job), "error": str(one.error)}, Spent(one.wall_s)
        else:
            yield one.finish() if one.crash is None else one.broken()


def _answer(running: Sequence[Running]) -> None:
    """Ask each model once, and let every episode go on with its replies."""
    by_model: dict[int, list[Running]] = {}
    for one in running:
        by_model.setdefault(id(one.model), []).append(one)
    for group in by_model.values():
        asks = [ask for one in group for ask in one.asks]
        ledger = ledger_of(group[0].model)
        mark = len(ledger.calls) if ledger is not None else 0
        begun = time.perf_counter()
        replies = group[0].model.answer(asks)
        took = time.perf_counter() - begun
        if len(replies) != len(asks):
            raise CoterieError(f"The model gave {len(replies)} replies to {len(asks)} requests.")
        for one, mine in list(dealt(group, replies)):
            one.wall_s += took * len(mine) / len(asks)
            one.calls += ledger.since(mark, one.asks) if ledger is not None else ()
            one.go_on(mine)
