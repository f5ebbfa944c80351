"""Plays the episodes of a suite with several methods, in several processes, and goes on where a run stopped."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from multiprocessing.connection import wait as wait_for
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from coterie import __version__
from coterie.bench import drawing
from coterie.bench.methods import Method
from coterie.bench.playing import Asking, Job, Spent, job_digest, play_job, play_together, set_asking
from coterie.bench.results import (
    CONFIG,
    RESULTS,
    TABLE,
    WALL,
    Appender,
    Bench,
    Row,
    commit,
    load,
    ordered,
    prepare,
    put_in_order,
    remove_plots,
)
from coterie.bench.spec import EpisodeSpec
from coterie.bench.streams import (
    fill,
    given_by,
    memo_name,
    recall_only,
    shelf_of,
    short_hash,
    stream_of,
    streams_of,
    unbroken,
)
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.files import Lock, replace_text
from coterie.episode.play import episode_key
from coterie.episode.setup import load_plugins, resolve
from coterie.models.threads import threads_to_use

Progress = Callable[[int, int], None]  # episodes done, episodes in all
MOST_PER_CHUNK = 8  # episodes without a model between two writes of one process
AT_ONCE = 16  # requests to an endpoint at once in each process; more where more episodes are played together


# -- many -----------------------------------------------------------------------------------------------------------
def run_bench(
    specs: Sequence[EpisodeSpec],
    methods: Sequence[Method],
    folder: Path,
    suite: str = "",
    model: str = "",
    jobs: int = 1,
    logs: bool = False,
    settings: dict[str, Any] | None = None,
    progress: Progress | None = None,
    load: Sequence[str] = (),
    batch: int = 1,
    base_url: str | None = None,
    token_limit: int | None = None,
    fresh: bool = False,
    asked: Mapping[str, Any] | None = None,
    cluster: str = "",
    rate_limit: float | None = None,
    memo_from: Path | None = None,
) -> Bench:
    """Play what is not yet in `folder/results.jsonl`, and return all rows of these specifications and methods.

    `batch`: so many episodes of methods with a model are played at once in each process, their requests answered in
    one call of the model. `token_limit`: of all of them together, in this run. `fresh`: what is there is removed first.
    `rate_limit`: requests to an endpoint in a minute, of all of them together. `asked`: further options of
    `make_model`. One bench at a time plays into a folder. `cluster`: machines that play, in place of processes here.
    `memo_from`: a memo whose tasks every method with a memo knows from the beginning.
    """
    given = given_by(memo_from)
    with _machines(cluster), _alone(folder):
        if fresh:
            for name in (RESULTS, WALL, CONFIG, TABLE):
                (folder / name).unlink(missing_ok=True)
            remove_plots(folder, drawing.names())
        asking = Asking(base_url, max(AT_ONCE, batch), token_limit, asked=asked or {}, rate_limit=rate_limit)
        wanted = make_jobs(specs, methods, model, folder / "logs" if logs else None, load, folder, given)
        for file in dict.fromkeys(job.memo for job in wanted if job.memo and memo_from is not None):
            fill(Path(file), Path(str(memo_from)))
        settings = {"suite": suite, "model": model, **(settings or {})}
        play = partial(play_all, jobs=jobs, batch=batch, asking=asking, cluster=cluster)
        have = play_into(folder, wanted, play, progress, lambda: save_config(folder, specs, methods, settings))
        if cluster:
            put_in_order(folder / RESULTS, have.rows.values())
        return finished(folder, suite, specs, methods, settings, have)


@contextmanager
def _machines(cluster: str) -> Iterator[None]:
    """Joined before anything is written: where none are reached, no folder is left behind."""
    if not cluster:
        yield
        return
    from coterie.bench.cluster.ray import joined

    with joined(cluster):
        yield


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One bench at a time plays into a folder."""
    prepare(folder)
    with Lock(folder / RESULTS):
        yield


class Kept(NamedTuple):
    """The rows of a folder by episode and method: those that were wanted."""

    rows: dict[tuple[str, str], Row]
    reused: int = 0  # that were there already
    unused: int = 0  # of the same episodes and methods, by another model, file or version


def play_into(
    folder: Path,
    wanted: Sequence[Job],
    play: Callable[[Sequence[Job]], Iterator[tuple[Row, Spent]]],
    progress: Progress | None = None,
    begun: Callable[[], None] = lambda: None,
) -> Kept:
    """Play what is not yet in a folder of ours alone. `begun` is called once it is known what is there."""
    have, unused = _kept(folder / RESULTS, wanted)
    begun()
    todo = [job for job in wanted if (job.key, job.method) not in have]
    recall_only([job for job in wanted if (job.key, job.method) in have], todo)
    reused = done = len(wanted) - len(todo)
    if progress is not None:
        progress(done, len(wanted))
    with Appender(folder / RESULTS) as results, Appender(folder / WALL) as walls:
        for row, spent in play(todo):
            walls.add({**{k: row[k] for k in ("key", "method", "digest")}, **spent.to_json()})
            results.add(row)
            have[row["key"], row["method"]] = row
            done += 1
            if progress is not None:
                progress(done, len(wanted))
    return Kept({(job.key, job.method): have[job.key, job.method] for job in wanted}, reused, unused)


def finished(
    folder: Path,
    suite: str,
    specs: Sequence[EpisodeSpec],
    methods: Sequence[Method],
    settings: dict[str, Any],
    kept: Kept,
) -> Bench:
    """The bench that tables are made from."""
    rows, same = without_repeats(ordered(kept.rows.values()), specs)
    timed = _walls(folder / WALL, rows)
    return Bench(folder, suite, list(specs), list(methods), rows, settings, kept.reused, kept.unused, timed, same)


def without_repeats(rows: Sequence[Row], specs: Sequence[EpisodeSpec]) -> tuple[Sequence[Row], list[str]]:
    """Rows that say something new, and sentences about the others. A task file is the same with every seed: where
    nothing else is drawn either, its episodes are one episode, of which no interval may be made."""
    files = {s.key: replace(s.config, seed=0) for s in specs if s.config.task.endswith(".toml")}
    alike: dict[tuple[str, Config], list[Row]] = {}
    for row in rows if files else ():
        if row["key"] in files and "error" not in row:
            alike.setdefault((row["method"], files[row["key"]]), []).append(row)
    dropped: set[tuple[str, str]] = set()
    notes = []
    for (method, config), some in alike.items():
        if len(some) > 1 and all(_told(row) == _told(some[0]) for row in some):
            dropped |= {(row["key"], method) for row in some[1:]}
            name = Path(config.task).name
            notes.append(
                f"{method}: the seed changes nothing in {name}; {len(some)} episodes are alike and count as one."
            )
    return [row for row in rows if (row["key"], row["method"]) not in dropped] if dropped else rows, notes


def _told(row: Row) -> dict[str, Any]:
    """All that a row says of what happened."""
    return {k: v for k, v in row.items() if k not in ("key", "labels", "digest", "version", "commit")}


def _walls(path: Path, rows: Sequence[Row]) -> list[Row]:
    """The wall times of these rows; the last time they were played counts."""
    wanted = {(r["key"], r["method"]): r["digest"] for r in rows}
    found = {(w["key"], w["method"]): w for w in load(path) if wanted.get((w["key"], w["method"])) == w.get("digest")}
    return [found[name] for name in wanted if name in found]


def in_turn(specs: Sequence[EpisodeSpec]) -> list[EpisodeSpec]:
    """In the order in which one process plays them."""
    return sorted(specs, key=lambda s: (s.config.scene, s.key))


def make_jobs(
    specs: Sequence[EpisodeSpec],
    methods: Sequence[Method],
    model: str,
    logs: Path | None = None,
    load: Sequence[str] = (),
    folder: Path | None = None,
    given: str = "",
    only: Callable[[str, str], bool] | None = None,
) -> list[Job]:
    """All episodes, those of one scene together, since a process keeps the paths it has found there.

    A method with a memo fills a file of its own in `folder`; what it knows in an episode are those before it. `only`:
    those of which this says so by episode and method; of a method with a memo, all or none.
    """
    jobs = []
    before: dict[tuple[str, str, str], str] = {}  # (method, shelf, stream) -> the episodes so far, as a hash
    files: dict[tuple[str, str], str] = {}  # (method, shelf) -> its memo
    for spec in in_turn(specs):
        for method in methods if only is None else [m for m in methods if only(spec.key, m.name)]:
            log = str(logs / method.name / (spec.key.replace("/", "__") + ".jsonl")) if logs is not None else ""
            config = resolve(replace(method.config(spec.config, model), load=tuple(load)))
            if not method.memo:
                jobs.append(Job(spec.key, method.name, config, spec.labels, log))
                continue
            shelf = (method.name, shelf_of(config))
            memo = files.setdefault(shelf, str((folder or Path()) / memo_name(method.name, config, given)))
            stream = (*shelf, stream_of(config.task))
            known = before.get(stream, given)
            jobs.append(Job(spec.key, method.name, config, spec.labels, log, memo, known))
            before[stream] = short_hash(f"{known} {episode_key(config)}")
    return jobs


def _kept(path: Path, wanted: Sequence[Job]) -> tuple[dict[tuple[str, str], Row], int]:
    """Rows of an earlier run that are wanted again, and how many another model, file or version made of the same
    episodes and methods; those and all others are left alone."""
    jobs = {(job.key, job.method): (job_digest(job), job.labels) for job in wanted}
    kept: dict[tuple[str, str], Row] = {}
    unused = 0
    for row in load(path):
        name = (row["key"], row["method"])
        if name not in jobs:
            continue
        if (row.get("digest"), row.get("labels")) != jobs[name]:
            unused += 1
        elif "crash" in row:  # what made it crash may be mended
            kept.pop(name, None)
        else:
            kept.setdefault(name, row)
    return unbroken(kept, wanted), unused


def save_config(
    folder: Path, specs: Sequence[EpisodeSpec], methods: Sequence[Method], settings: dict[str, Any]
) -> None:
    """The resolved configuration beside the scores."""
    data = {
        "version": __version__,
        "commit": commit(),
        **settings,
        "methods": [
            {"name": m.name, "protocol": m.protocol, "guard": m.guard, "sees": m.sees, "about": m.about}
            for m in methods
        ],
    }
    head = json.dumps(data, ensure_ascii=False, indent=1).removesuffix("\n}")
    replace_text(folder / CONFIG, f'{head},\n "episodes": [\n  {_episodes(specs)}\n ]\n}}\n')


def _episodes(specs: Sequence[EpisodeSpec]) -> str:
    """A line each: there may be a hundred thousand."""
    rows = ({"key": s.key, "config": s.config.to_json(), "labels": s.labels} for s in specs)
    return ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows)


def play_all(
    todo: Sequence[Job], jobs: int = 1, batch: int = 1, asking: Asking | None = None, cluster: str = ""
) -> Iterator[tuple[Row, Spent]]:
    """Results as they come."""
    asking = asking or Asking()
    streams = list(streams_of(todo).values())
    if not cluster and (jobs <= 1 or len(todo) <= 1):
        set_asking(asking)
        yield from _play_some(todo, batch)
        return
    quick, slow = ([j for j in todo if j.asks == asks and not j.memo] for asks in (False, True))
    if cluster:
        from coterie.bench.cluster.ray import spread_ray

        yield from spread_ray(partial(_play_chunk, batch), quick, slow, streams, batch, cluster, asking)
        return
    size = max(1, min(MOST_PER_CHUNK, len(todo) // (4 * jobs)))
    chunks = [quick[i : i + size] for i in range(0, len(quick), size)]
    chunks += [slow[i : i + batch] for i in range(0, len(slow), batch)]
    if any(j.config.model.startswith("embedded") for j in slow):  # one model a process, the cores shared out
        asking = asking._replace(threads=max(1, threads_to_use() // jobs))
    yield from spread(partial(_play_chunk, batch), chunks, jobs, asking, streams=[[[j] for j in s] for s in streams])


def _play_chunk(batch: int, chunk: Sequence[Job]) -> list[tuple[Row, Spent]]:
    return list(_play_some(chunk, batch))


def _play_some(todo: Sequence[Job], batch: int) -> Iterator[tuple[Row, Spent]]:
    if batch <= 1:
        yield from map(play_job, todo)
        return
    yield from map(play_job, (j for j in todo if not j.asks or j.memo))
    yield from play_together([j for j in todo if j.asks and not j.memo], batch)


# -- processes ------------------------------------------------------------------------------------------------------
def spread(
    work: Callable[[Any], list[Any]],
    chunks: Iterable[Any],
    jobs: int,
    asking: Asking | None = None,
    load: Sequence[str] = (),
    streams: Sequence[Sequence[Any]] = (),
) -> Iterator[Any]:
    """`work` on every chunk in several processes; results as they come. A failure stops the rest.

    The chunks of a stream are worked on one after another, whichever processes do it. Every process is told how models
    are asked, and loads the files of the user's own before it begins.
    """
    context = multiprocessing.get_context("spawn")  # a fork would copy the threads of a progress bar in mid-air
    asking = asking or Asking()
    asking = asking._replace(turns=context.Value("d", 0.0), spent=asking.spent or context.Value("q", 0))
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_worker, initargs=(asking, tuple(load)))
    lines = [iter(stream) for stream in streams if stream]
    waiting: dict[Future[list[Any]], Iterator[Any]] = {pool.submit(work, next(line)): line for line in lines}
    waiting |= {pool.submit(work, chunk): iter(()) for chunk in chunks}
    try:
        while waiting:
            ended, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ended:
                line = waiting.pop(future)
                yield from future.result()
                for chunk in islice(line, 1):
                    waiting[pool.submit(work, chunk)] = line
    except BrokenProcessPool:
        raise CoterieError(
            "A process of the bench was ended from outside. What was finished is kept; run the command again to go on."
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


T = TypeVar("T")
V = TypeVar("V")


def spread_in_order(
    work: Callable[[Sequence[T]], list[V]], items: Sequence[T], size: int, jobs: int
) -> Iterator[tuple[int, list[V]]]:
    """The results of `work` on so many items at a time, in several processes, in the order of the items; each with the
    number of items."""
    chunks = [(n, items[i : i + size]) for n, i in enumerate(range(0, len(items), size))]
    numbered = partial(_numbered, work)
    ended = (found for chunk in chunks for found in numbered(chunk)) if jobs <= 1 else spread(numbered, chunks, jobs)
    held: dict[int, list[V]] = {}
    turn = 0
    for n, found in ended:
        held[n] = found
        while turn in held:
            yield len(chunks[turn][1]), held.pop(turn)
            turn += 1


def _numbered(work: Callable[[Sequence[T]], list[V]], chunk: tuple[int, Sequence[T]]) -> list[tuple[int, list[V]]]:
    return [(chunk[0], work(chunk[1]))]


def _begin_worker(asking: Asking, load: tuple[str, ...]) -> None:
    """A worker ends at once when it is interrupted, and when the process it works for is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    set_asking(asking)
    load_plugins(load)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
