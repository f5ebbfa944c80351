"""Plays the episodes of a suite with several methods, in several processes, and goes on where a run stopped."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing.connection import wait as wait_for
from pathlib import Path
from typing import Any, NamedTuple

from coterie import __version__
from coterie.bench.failures import failure_modes
from coterie.bench.methods import Method
from coterie.bench.metrics import episode_metrics
from coterie.bench.results import CONFIG, RESULTS, WALL, Appender, Row, load, ordered, prepare, replace_text
from coterie.bench.suites import EpisodeSpec
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.task import Task
from coterie.episodes import Config, play
from coterie.tasks import make_task

Progress = Callable[[int, int], None]  # episodes done, episodes in all
MOST_PER_CHUNK = 8  # episodes between two writes of one process


class Job(NamedTuple):
    """One episode for one method."""

    key: str
    method: str
    config: Config
    labels: dict[str, Any]
    log: str = ""


@dataclass(frozen=True)
class Bench:
    """A finished run: what was asked for, and one row per episode and method."""

    folder: Path
    suite: str
    specs: list[EpisodeSpec]
    methods: list[Method]
    rows: list[Row]
    settings: dict[str, Any]


# -- one episode ----------------------------------------------------------------------------------------------------
def play_job(job: Job) -> tuple[Row, float]:
    """Play and score one episode; the wall time comes beside the row, never in it."""
    begun = time.perf_counter()
    head: Row = {"key": job.key, "method": job.method, "digest": digest(job.config), "labels": job.labels}
    try:
        task = _drawn(_task_part(job.config))
    except CoterieError as err:  # the suite asks for what cannot be drawn; every method meets the same
        return {**head, "error": str(err)}, time.perf_counter() - begun
    played = play(job.config, Path(job.log) if job.log else None, task=task)
    return {**head, **score(played.log.events)}, time.perf_counter() - begun


def score(events: Sequence[Event]) -> Row:
    """Everything that tables need, from the log alone."""
    start = events[0].data
    goal = start["goal"].to_json() if hasattr(start["goal"], "to_json") else start["goal"]
    about = {k: start["about"].get(k) for k in ("difficulty", "locations", "helpers", "rejected")}
    about["targets"] = len(goal["pairs"] if goal["kind"] == "sort" else goal["targets"])
    return {"sees": start["sees"], "about": about, **episode_metrics(events), "failures": failure_modes(events)}


def digest(config: Config) -> str:
    """Tells results of another configuration apart."""
    text = json.dumps([__version__, config.to_json()], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def _task_part(config: Config) -> Config:
    """The configuration as far as drawing the task goes: methods share the task of an episode."""
    return replace(config, protocol="", model="none", guard=False, noise="none")


@lru_cache(maxsize=4)
def _drawn(config: Config) -> Task:
    return make_task(config)


# -- many -----------------------------------------------------------------------------------------------------------
def run_bench(
    specs: Sequence[EpisodeSpec],
    methods: Sequence[Method],
    folder: Path,
    suite: str = "",
    model: str = "none",
    jobs: int = 1,
    logs: bool = False,
    settings: dict[str, Any] | None = None,
    progress: Progress | None = None,
) -> Bench:
    """Play what is not yet in `folder/results.jsonl`, and return all rows of these specifications and methods."""
    prepare(folder)
    wanted = make_jobs(specs, methods, model, folder / "logs" if logs else None)
    have = _kept(folder / RESULTS, wanted)
    settings = {"suite": suite, "model": model, **(settings or {})}
    save_config(folder, specs, methods, settings)
    todo = [job for job in wanted if (job.key, job.method) not in have]
    done = len(wanted) - len(todo)
    if progress is not None:
        progress(done, len(wanted))
    careful = any(m.needs_model for m in methods)
    with Appender(folder / RESULTS) as results, Appender(folder / WALL) as walls:
        for row, wall_s in play_all(todo, jobs, 1 if careful else MOST_PER_CHUNK):
            results.add(row)
            walls.add({"key": row["key"], "method": row["method"], "wall_s": round(wall_s, 4)})
            have[row["key"], row["method"]] = row
            done += 1
            if progress is not None:
                progress(done, len(wanted))
    rows = ordered(have[job.key, job.method] for job in wanted)
    return Bench(folder, suite, list(specs), list(methods), rows, settings)


def make_jobs(
    specs: Sequence[EpisodeSpec], methods: Sequence[Method], model: str, logs: Path | None = None
) -> list[Job]:
    """All episodes, those of one scene together, since a process keeps the paths it has found there."""
    jobs = []
    for spec in sorted(specs, key=lambda s: (s.config.scene, s.key)):
        for method in methods:
            log = str(logs / method.name / (spec.key.replace("/", "__") + ".jsonl")) if logs is not None else ""
            jobs.append(Job(spec.key, method.name, method.config(spec.config, model), spec.labels, log))
    return jobs


def _kept(path: Path, wanted: Sequence[Job]) -> dict[tuple[str, str], Row]:
    """Rows of an earlier run that are wanted again; others are left alone."""
    jobs = {(job.key, job.method): job for job in wanted}
    kept: dict[tuple[str, str], Row] = {}
    for row in load(path):
        name = (row["key"], row["method"])
        if name not in jobs:
            continue
        if row.get("digest") != digest(jobs[name].config) or row.get("labels") != jobs[name].labels:
            raise CoterieError(
                f"'{path.parent}' holds results of another version or configuration (episode {row['key']}, method "
                f"{row['method']}). Choose another --out, or begin anew with --fresh."
            )
        kept.setdefault(name, row)
    return kept


def save_config(
    folder: Path, specs: Sequence[EpisodeSpec], methods: Sequence[Method], settings: dict[str, Any]
) -> None:
    """The resolved configuration beside the scores."""
    data = {
        "version": __version__,
        **settings,
        "methods": [
            {"name": m.name, "protocol": m.protocol, "guard": m.guard, "sees": m.sees, "about": m.about}
            for m in methods
        ],
        "episodes": [{"key": s.key, "config": s.config.to_json(), "labels": s.labels} for s in specs],
    }
    replace_text(folder / CONFIG, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def play_all(todo: Sequence[Job], jobs: int = 1, per_chunk: int = MOST_PER_CHUNK) -> Iterator[tuple[Row, float]]:
    """Results as they come."""
    if jobs <= 1 or len(todo) <= 1:
        yield from map(play_job, todo)
        return
    size = max(1, min(per_chunk, len(todo) // (4 * jobs)))
    yield from spread(_play_chunk, [todo[i : i + size] for i in range(0, len(todo), size)], jobs)


def _play_chunk(chunk: Sequence[Job]) -> list[tuple[Row, float]]:
    return [play_job(job) for job in chunk]


def spread(work: Callable[[Any], list[Any]], chunks: Iterable[Any], jobs: int) -> Iterator[Any]:
    """`work` on every chunk in several processes; results as they come. A failure stops the rest."""
    context = multiprocessing.get_context("spawn")  # a fork would copy the threads of a progress bar in mid-air
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_worker)
    waiting: set[Future[list[Any]]] = {pool.submit(work, chunk) for chunk in chunks}
    try:
        while waiting:
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ended:
                yield from future.result()
    except BrokenProcessPool:
        raise CoterieError(
            "A process of the bench was ended from outside. What was finished is kept; run the command again to go on."
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin_worker() -> None:
    """A worker ends at once when it is interrupted, and when the process it works for is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
