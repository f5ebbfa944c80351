"""What a memo saves, job by job: calls, processor time of planning, and whole planning time with slow calls.

    python benchmarks/reuse.py [--level cluttered-similar] [--episodes 8] [--streams 1] [--planner roco] [--jobs a,b]
                               [--call-s 1.0] [--model oracle] [--memo memo:reuse=tasks] [--first 20000] [--processes 1]
                               [--out results/reuse]

Streams of similar tasks are played twice, without and with a memo. What is played until a task was solved fills the
memo and does not count; how much that was is said below the table, with tasks that neither solved. `ways` is the
processor time of the search for ways alone, `planning` that with postures and checks (in brackets, 95 of 100 draws of
the pairs), `lookup` the share of lookups in it. `whole` is planning and calls together, each counted as `--call-s`
seconds, none of them slept; `carrying out` is the simulated time of episodes that both solved, in which arms move. With
--level mecobench-different no task is similar to one before it (S3); a stream ends where there are no more.

What is played is kept in --out as it comes, a line an episode, with the memos: a run that was stopped goes on where it
was.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import Played, play
from coterie.worlds.tabletop.entry import Tabletop
from coterie.worlds.tabletop.layouts.streams import STREAM
from coterie.worlds.tabletop.tasks import TEAMS

sys.path.insert(0, str(Path(__file__).parent))
from kept import estimate, folder, rows, watched

RESAMPLES = 2000


class Taken(NamedTuple):
    """What one episode took."""

    success: bool
    calls: int
    hit: bool
    ways: float
    planning: float
    lookup: float
    seconds: float = 0.0  # simulated, of an episode

    def whole(self, call_s: float) -> float:
        return self.planning + self.lookup + self.calls * call_s


Pair = tuple[Taken, Taken]  # without a memo, and with it


def in_its_world(config: Config, memo: Path | None = None) -> tuple[Played, Any]:
    """An episode, and the world that it was played in, which knows what planning took."""
    made: list[Any] = []
    usual = Tabletop.world

    def kept(self: Tabletop, task: Any, config: Config) -> Any:
        made.append(usual(self, task, config))
        return made[-1]

    Tabletop.world = kept  # type: ignore[method-assign]
    try:
        return play(config, memo=memo), made[-1]
    finally:
        Tabletop.world = usual  # type: ignore[method-assign]


def episode(job: str, options: argparse.Namespace, seed: int, memo: Path | None) -> Taken:
    name = options.memo if memo is not None else ""
    config = Config(task=job, protocol=options.planner, model=options.model, seed=seed, level=options.level, memo=name)
    played, world = in_its_world(config, memo)
    events = played.log.events
    calls = sum(e.kind == "ask" and e.who != "memo" for e in events)
    hit = any(e.kind == "memo" and e.data.get("found") for e in events)
    rounds = world.rounds
    lookup = played.lookup_s or 0.0
    planning, seconds = rounds.planning_cpu_s, played.result.time_s
    return Taken(bool(played.result.success), calls, hit, rounds.way_cpu_s, planning, lookup, seconds)


def kept_in(options: argparse.Namespace, job: str, number: int) -> Path:
    return Path(options.out) / f"{job}-{options.level}-{number}.jsonl"


def stream(job: str, number: int, options: argparse.Namespace) -> None:
    """The episodes of a stream in their order, each without and with the memo, written down as they end."""
    first = options.first + STREAM * number
    path = kept_in(options, job, number)
    memo = path.with_suffix(".sqlite")
    if not memo.exists():  # what was played cannot go on without what it taught
        path.unlink(missing_ok=True)
    with path.open("a", encoding="utf-8") as out:
        for n in range(len(rows(path)), options.episodes + 1):
            try:
                both = [episode(job, options, first + n, f) for f in (None, memo)]
            except CoterieError as no_more:
                print(f"{job}, seed {first + n}: {no_more}", flush=True)
                break
            print(json.dumps(both), file=out, flush=True)


class Pairs(NamedTuple):
    """What was played of a job, without and with a memo."""

    warm: list[Pair]  # the memo knew a task that had been solved
    empty: int  # the memo still knew none, though it had been there before
    neither: int  # tasks of all that neither solved


def read(options: argparse.Namespace, job: str) -> Pairs:
    """Pairs of all streams of a job; those up to the first that taught the memo something stand apart."""
    warm: list[Pair] = []
    empty = neither = 0
    for number in range(options.streams):
        pairs = [(Taken(*plain), Taken(*own)) for plain, own in rows(kept_in(options, job, number))]
        taught = next((n for n, (_, own) in enumerate(pairs) if own.success), len(pairs))
        warm += pairs[taught + 1 :]
        empty += len(pairs[1 : taught + 1])
        neither += sum(not (plain.success or own.success) for plain, own in pairs)
    return Pairs(warm, empty, neither)


def ratio(one: Sequence[float], other: Sequence[float]) -> str:
    return f"{sum(one) / sum(other):.2f}" if sum(other) else "-"


def within(one: Sequence[float], other: Sequence[float]) -> str:
    """A ratio, and between what it lies in 95 of 100 draws of the pairs."""
    draws = np.random.default_rng(0).integers(len(one), size=(RESAMPLES, len(one)))
    above, below = (np.asarray(values, dtype=float)[draws].sum(axis=1) for values in (one, other))
    if not (below > 0).all():
        return ratio(one, other)
    low, high = np.quantile(above / below, (0.025, 0.975))
    return f"{ratio(one, other)} [{low:.2f}, {high:.2f}]"


def row(job: str, both: list[Pair], call_s: float) -> tuple[str, ...]:
    plain, warm = [list(x) for x in zip(*both)]
    solved = [(a.seconds, b.seconds) for a, b in both if a.success and b.success]
    return (
        job,
        f"{sum(t.success for t in plain)} / {len(plain)}",
        f"{sum(t.success for t in warm)} / {len(warm)}",
        f"{sum(t.hit for t in warm)} / {len(warm)}",
        ratio([t.calls for t in warm], [t.calls for t in plain]),
        f"{1e3 * statistics.fmean(t.ways for t in plain):.0f}",
        within([t.ways for t in warm], [t.ways for t in plain]),
        f"{1e3 * statistics.fmean(t.planning for t in plain):.0f}",
        within([t.planning for t in warm], [t.planning for t in plain]),
        ratio([t.lookup for t in warm], [t.planning for t in warm]),
        ratio([t.whole(call_s) for t in warm], [t.whole(call_s) for t in plain]),
        within([b for _, b in solved], [a for a, _ in solved]) if solved else "-",
    )


def show(options: argparse.Namespace) -> None:
    """The table, and the mean of the jobs' ratios: a dear job weighs no more than a cheap one."""
    played = {job: read(options, job) for job in options.jobs.split(",")}
    table = [row(job, pairs.warm, options.call_s) for job, pairs in played.items() if pairs.warm]
    print("\n".join(markdown(HEAD, table)))
    for job, pairs in played.items():
        if pairs.empty or pairs.neither:
            print(f"{job}: {pairs.empty} more pairs with an empty memo; {pairs.neither} tasks solved by neither")
    for name in ("calls", "ways", "planning", "whole", "carrying out"):
        values = [float(r[HEAD.index(name)].split()[0]) for r in table if r[HEAD.index(name)] != "-"]
        if values:
            print(f"{name}: mean of the jobs {statistics.fmean(values):.2f}, at most {max(values):.2f}")
    print(flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="cluttered-similar")
    parser.add_argument("--episodes", type=int, default=8)
    parser.add_argument("--streams", type=int, default=1, help="of each job, each with a memo of its own")
    parser.add_argument("--planner", default="roco")
    parser.add_argument("--model", default="oracle")
    parser.add_argument("--memo", default="memo:reuse=tasks")
    parser.add_argument("--jobs", default=",".join(TEAMS))
    parser.add_argument("--call-s", type=float, default=1.0)
    parser.add_argument("--first", type=int, default=20000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", default="results/reuse")
    options = parser.parse_args()
    folder(options)
    todo = [(job, number) for number in range(options.streams) for job in options.jobs.split(",")]
    total = 2 * len(todo) * (options.episodes + 1)

    def there() -> int:
        return 2 * sum(len(rows(kept_in(options, job, number))) for job, number in todo)

    estimate(total - there(), total, options.processes)
    with ProcessPoolExecutor(options.processes) as pool:
        for done in watched([pool.submit(stream, job, number, options) for job, number in todo], there, total):
            done.result()
    show(options)


HEAD = [
    "job", "solved", "with memo", "hits", "calls", "ways ms", "ways", "planning ms", "planning", "lookup", "whole",
    "carrying out",
]  # fmt: skip

if __name__ == "__main__":
    main()
