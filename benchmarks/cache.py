"""What a memo is worth by how many tasks it knows: success, planning time and tokens of all six jobs.

    python benchmarks/cache.py [--sizes 0,1,3,10,30,100] [--trials 30] [--jobs a,b:0/1/9] [--planner central-plan]
                               [--model garbled:0.85] [--call-s 1.0] [--first 70000] [--processes 1]
                               [--out results/cache]

This is Figure 4 of the MeCo paper. The scripted expert solves random tasks (`mecobench`), each with an empty memo, so
that none is copied from another. A memo gets the first so many of them, and other random tasks are played with it, each
with a copy of its own: what one learns the next does not know. A job may name its own sizes, after a colon and parted
by strokes (`sandwich:0/10/500`).

`planning` is processor time of checks and ways, the wait for lookups, and `--call-s` seconds for every call, none of
them slept. Tasks and episodes are kept in --out as they come: a run that was stopped goes on where it was. The paper
prints no numbers; what it says of its figure stands below the table, and the same of ours. With matplotlib a plot is
saved beside it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.memo import Case, Plan, Store
from coterie.memo.before import first_case
from coterie.worlds.tabletop.recall import plan_of
from coterie.worlds.tabletop.tasks import TEAMS

sys.path.insert(0, str(Path(__file__).parent))
from kept import estimate, folder, rows, watched
from reuse import in_its_world

LEVEL = "mecobench"
DRAWN = {"success": "success", "planning": "planning [s]", "tokens": "tokens"}
NEAR = 0.05  # of the best, as good as it
OTHERS = 10_000  # seeds from the tasks of a memo to those that are played with it
#: What the paper says of its Figure 4, in our words.
PAPER = {
    "move-rope": "success rises and tokens fall with the cache; time falls, then rises again; 40 tasks are kept",
    "pack-grocery": "success rises and tokens fall; time rises again beyond 30 tasks, which are kept",
    "sandwich": "nearly 1,000 different scenes; success near 1 from about 500 tasks on; 700 are kept",
    "sort-cubes": "steady from about 40 tasks on; 50 are kept",
    "sweep-floor": "success near 1 with a single task; 9 are kept",
    "arrange-cabinet": "success near 1 with a single task; 9 are kept",
}
#: Tasks that it keeps of each job, where its curves are best: a dashed line in ours.
PAPER_KEEPS = {
    "move-rope": 40, "pack-grocery": 30, "sandwich": 700, "sort-cubes": 50, "sweep-floor": 9, "arrange-cabinet": 9,
}  # fmt: skip


class Taken(NamedTuple):
    success: bool
    hit: bool
    calls: int
    tokens: int
    planning: float  # processor seconds
    lookup: float  # seconds that somebody waited


# -- tasks that a memo knows ------------------------------------------------------------------------------------------
def solved(job: str, seed: int) -> tuple[int, Any, Any] | None:
    """A task with the expert's plan; None for one that it did not solve."""
    with tempfile.TemporaryDirectory() as folder:
        config = Config(task=job, level=LEVEL, seed=seed, protocol="task-expert", memo="memo")
        played = play(config, memo=Path(folder) / "memo.sqlite")
    case, plan = first_case(played.log.events), plan_of(played.log.events)
    if not played.result.success or case is None or plan is None:
        return None
    return seed, case.to_json(), plan.to_json()


def memo_of(out: Path, job: str, size: int) -> Path:
    """A memo that knows the first so many tasks of a job."""
    path = out / f"{job}-{size}.sqlite"
    path.unlink(missing_ok=True)
    known = sorted(rows(out / f"{job}-tasks.jsonl"), key=lambda task: int(task[0]))[:size]
    with Store(path) as store:
        store.add_many((Case.from_json(c), Plan.from_json(p), f"known/{job}/{seed}") for seed, c, p in known)
    return path


# -- playing with it --------------------------------------------------------------------------------------------------
def episode(job: str, memo: Path, seed: int, options: argparse.Namespace) -> Taken:
    config = Config(
        task=job,
        protocol=options.planner,
        model=options.model,
        seed=seed,
        level=LEVEL,
        memo="memo:reuse=tasks-and-k=100000",
    )
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "memo.sqlite"
        shutil.copy(memo, own)
        played, world = in_its_world(config, own)
    events = played.log.events
    return Taken(
        bool(played.result.success),
        any(e.kind == "memo" and e.data.get("found") for e in events),
        sum(e.kind == "ask" and e.who != "memo" for e in events),
        sum(e.data.get("tokens_in", 0) + e.data.get("tokens_out", 0) for e in events if e.kind == "reply"),
        round(world.rounds.planning_cpu_s, 4),
        round(played.lookup_s or 0.0, 5),
    )


# -- telling ----------------------------------------------------------------------------------------------------------
class Point(NamedTuple):
    """A memo of one size."""

    job: str
    size: int
    episodes: int
    success: float
    hits: float
    planning: float
    lookup_ms: float
    tokens: float


def point(job: str, size: int, taken: Sequence[Taken], call_s: float) -> Point:
    def mean(values: Sequence[float]) -> float:
        return statistics.fmean(values)

    planning = mean([t.planning + t.lookup + call_s * t.calls for t in taken])
    lookup = 1e3 * mean([t.lookup for t in taken])
    success, hits = mean([t.success for t in taken]), mean([t.hit for t in taken])
    return Point(job, size, len(taken), success, hits, planning, lookup, mean([t.tokens for t in taken]))


def tell(points: Sequence[Point], out: Path) -> None:
    rows = [
        (p.job, str(p.size), str(p.episodes), f"{p.success:.2f}", f"{p.hits:.2f}", f"{p.planning:.2f}",
         f"{p.lookup_ms:.1f}", f"{p.tokens:.0f}")
        for p in points
    ]  # fmt: skip
    heads = ["job", "tasks in the memo", "n", "success", "hits", "planning [s]", "lookup [ms]", "tokens"]
    print("\n".join(markdown(heads, rows)))
    for job in dict.fromkeys(p.job for p in points):
        print(f"{job}, the paper: {PAPER[job]}.\n{job}, ours: {ours([p for p in points if p.job == job])}.")
    if draw(points, out / "cache.png"):
        print(f"Plot: {out / 'cache.png'}")


def ours(points: Sequence[Point]) -> str:
    """Where the curves of one job bend, in the words in which the paper tells of its own."""
    points = sorted(points, key=lambda p: p.size)
    first, last = points[0], points[-1]
    best, least = max(p.success for p in points), min(points, key=lambda p: p.planning)
    steady = next(p for n, p in enumerate(points) if all(q.success >= best - NEAR for q in points[n:]) or p is last)
    again = last.planning > least.planning * (1 + NEAR)
    time = f"rises again beyond {least.size} tasks" if again else f"is least with {least.size} tasks or more"
    fewer = f"{first.tokens:.0f} to {last.tokens:.0f}"
    return (
        f"success {first.success:.2f} with {first.size} tasks and {last.success:.2f} with {last.size}, "
        f"within {NEAR} of its best from {steady.size} on; time {time}; tokens go from {fewer}"
    )


def draw(points: Sequence[Point], path: Path) -> bool:
    """Success, planning time and tokens from top to bottom, a column a job."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    jobs = list(dict.fromkeys(p.job for p in points))
    drawn = Figure(figsize=(2.1 * len(jobs), 5.2), layout="constrained")
    axes = drawn.subplots(3, len(jobs), squeeze=False)
    for column, job in enumerate(jobs):
        mine = [p for p in points if p.job == job]
        for row, (name, words) in enumerate(DRAWN.items()):
            axis = axes[row][column]
            values = [getattr(p, name) for p in mine]
            axis.plot([p.size for p in mine], values, color="#0072B2", marker="o", markersize=3)
            axis.axvline(PAPER_KEEPS[job], color="#999999", linestyle="--", linewidth=1)
            axis.set_xscale("symlog", linthresh=1)
            axis.set_xlim(-0.3, 1.6 * max(PAPER_KEEPS[job], *(p.size for p in mine)))
            axis.set_xticks([0, 1, 10, 100], ["0", "1", "10", "100"])
            axis.set_ylim(0, 1.05 if name == "success" else None)
            axis.grid(axis="y", color="#D9D9D9", linewidth=0.5)
            if not column:
                axis.set_ylabel(words)
        axes[0][column].set_title(job, fontsize=9)
    drawn.supxlabel("tasks in the memo; dashed: how many the paper keeps", fontsize=9)
    drawn.savefig(path, dpi=200)
    return True


# -- the command ------------------------------------------------------------------------------------------------------
def wanted(options: argparse.Namespace) -> dict[str, list[int]]:
    """The sizes of each job."""
    found = {}
    for name, _, own in (j.partition(":") for j in options.jobs.split(",")):
        found[name] = [int(n) for n in (own.split("/") if own else options.sizes.split(","))]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="0,1,3,10,30,100")
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--jobs", default=",".join(TEAMS))
    parser.add_argument("--planner", default="central-plan")
    parser.add_argument("--model", default="garbled:0.85")
    parser.add_argument("--call-s", type=float, default=1.0)
    parser.add_argument("--first", type=int, default=70000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", default="results/cache")
    options = parser.parse_args()
    out, sizes = folder(options), wanted(options)
    with ProcessPoolExecutor(options.processes) as pool:
        learn(pool, sizes, options, out)
        test(pool, sizes, options, out)
    points = []
    for job, mine in sizes.items():
        for size in mine:
            taken = [Taken(*row[1:]) for row in rows(out / f"{job}-{size}.jsonl")]
            points += [point(job, size, taken, options.call_s)] if taken else []
    tell(points, out)


def learn(pool: ProcessPoolExecutor, sizes: dict[str, list[int]], options: argparse.Namespace, out: Path) -> None:
    """Tasks for the largest memo of each job, as far as they are not there yet."""
    todo = {}
    for job, mine in sizes.items():
        known = {int(task[0]) for task in rows(out / f"{job}-tasks.jsonl")}
        for seed in range(options.first, options.first + max(mine)):
            if seed not in known:
                todo[pool.submit(solved, job, seed)] = job
    files = [out / f"{job}-tasks.jsonl" for job in sizes]
    total = len(todo) + sum(len(rows(file)) for file in files)
    estimate(len(todo), total, options.processes)
    for done in watched(todo, lambda: sum(len(rows(file)) for file in files), total):
        if (task := done.result()) is not None:
            with (out / f"{todo[done]}-tasks.jsonl").open("a", encoding="utf-8") as file:
                print(json.dumps(task), file=file)


def test(pool: ProcessPoolExecutor, sizes: dict[str, list[int]], options: argparse.Namespace, out: Path) -> None:
    """Episodes with memos of every size, as far as they are not there yet."""
    memos = {(job, size): memo_of(out, job, size) for job, mine in sizes.items() for size in mine}
    played = {key: {int(row[0]) for row in rows(out / f"{key[0]}-{key[1]}.jsonl")} for key in memos}
    todo = {}
    for n in range(options.trials):
        for (job, size), memo in memos.items():
            seed = options.first + OTHERS + n
            if seed not in played[job, size]:
                todo[pool.submit(episode, job, memo, seed, options)] = (job, size, seed)
    files = [out / f"{job}-{size}.jsonl" for job, size in memos]
    total = len(todo) + sum(len(rows(file)) for file in files)
    estimate(len(todo), total, options.processes)
    for done in watched(todo, lambda: sum(len(rows(file)) for file in files), total):
        job, size, seed = todo[done]
        with (out / f"{job}-{size}.jsonl").open("a", encoding="utf-8") as file:
            print(json.dumps([seed, *done.result()]), file=file)


if __name__ == "__main__":
    main()
