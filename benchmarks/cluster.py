"""What it costs to play a bench in parts.

    python benchmarks/cluster.py                      overhead of shards and of Ray, two workers against one
    python benchmarks/cluster.py --rows 1000000       the collecting side: rows a second, and memory
    python benchmarks/cluster.py --rows 1000000 --table      and the table of so many

Overhead is what a bench takes beside its episodes, whose own time is taken as they are played; starting a process or a
cluster is not counted. That of shards is measured with few episodes and with many: what grows with them is told apart
from what a shard takes once. Two workers are compared with one in the same run.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from coterie.bench import runner
from coterie.bench.cluster.merging import merge
from coterie.bench.cluster.sharding import Plan, play_shard
from coterie.bench.cluster.shards import Label, Shard, owners
from coterie.bench.methods import Method, parse_methods
from coterie.bench.playing import Job, Spent, play_job
from coterie.bench.report import report
from coterie.bench.results import CONFIG, RESULTS, WALL, Row, dump
from coterie.bench.runner import make_jobs, run_bench
from coterie.bench.spec import EpisodeSpec
from coterie.bench.suites import make_suite, sample
from coterie.bench.table import markdown
from coterie.cli.bench_cluster import bench_of

SUITE, METHODS = "dynahmrc-static", "rules"


class Timed:
    """Plays episodes as the bench does, and keeps how long that took."""

    def __init__(self) -> None:
        self.inside_s = 0.0

    def __call__(self, job: Job) -> tuple[Row, Spent]:
        begun = time.perf_counter()
        try:
            return play_job(job)
        finally:
            self.inside_s += time.perf_counter() - begun


def beside(specs: Sequence[EpisodeSpec], methods: Sequence[Method], shards: int) -> tuple[float, float]:
    """Seconds that shards and their merging take beside their episodes, and seconds of those."""
    timed = runner.play_job = Timed()  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(specs, methods, Path(folder), SUITE, "none", {})
        begun = time.perf_counter()
        for n in range(1, shards + 1):
            play_shard(plan, Shard(n, shards))
        merge([Path(folder)], Path(folder) / "whole", methods)
        return time.perf_counter() - begun - timed.inside_s, timed.inside_s


def overhead(episodes: int, shards: int, rounds: int) -> list[list[str]]:
    """Of few episodes and of many: what grows with them is told apart from what starting a shard takes."""
    methods, every = parse_methods(METHODS), sample(make_suite(SUITE), episodes)
    few = sample(every, max(shards, episodes // 5))
    for job in make_jobs(every, methods, "none"):
        play_job(job)  # maps and paths are found once
    small = statistics.median(beside(few, methods, shards)[0] for _ in range(rounds))
    found = [beside(every, methods, shards) for _ in range(rounds)]
    all_s, each = statistics.median(f[0] for f in found), statistics.median(f[1] for f in found) / len(every)
    more = (all_s - small) / (len(every) - len(few))
    start = (small - more * len(few)) / shards
    return [
        ["an episode alone", f"{1000 * each:.2f} ms"],
        [f"{len(every)} in {shards} shards, with merging", f"{1000 * all_s / len(every):.2f} ms an episode more"],
        ["of this, after start", f"{1000 * more:.2f} ms an episode"],
        ["of this, start and end", f"{1000 * start:.1f} ms a shard"],
    ]


def on_ray(episodes: int) -> list[list[str]]:
    import ray

    specs, methods = sample(make_suite(SUITE), episodes), parse_methods(METHODS)
    found = []
    took = {}
    for workers in (1, 2):
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        with tempfile.TemporaryDirectory() as folder:
            run_bench(specs, methods, Path(folder) / "warm", SUITE, "none", cluster="ray")  # workers start
            begun = time.perf_counter()
            done = run_bench(specs, methods, Path(folder) / "run", SUITE, "none", cluster="ray")
            took[workers] = time.perf_counter() - begun
            alone = sum(w["wall_s"] for w in done.walls)
        ray.shutdown()
        more = 1000 * (took[workers] * workers - alone) / episodes
        found.append([f"Ray, {workers} worker(s)", f"{took[workers]:.1f} s; {more:.2f} ms an episode more"])
    found.append(["Ray, two workers against one", f"{took[1] / took[2]:.2f} times as fast"])
    return found


def processes(episodes: int) -> list[list[str]]:
    """Two processes, each with a shard, against one with both."""
    took = []
    for shards in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            words = ["bench", SUITE, "--methods", METHODS, "--episodes", str(episodes), "--out", folder, "--no-plots"]
            begun = time.perf_counter()
            all_of = [
                subprocess.Popen(
                    [sys.executable, "-m", "coterie", *words, "--shard", f"{n}/{shards}"],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                for n in range(1, shards + 1)
            ]
            for one in all_of:
                one.wait()
            took.append(time.perf_counter() - begun)
    return [["two shards at once against one, with start", f"{took[0] / took[1]:.2f} times as fast"]]


# -- collecting -----------------------------------------------------------------------------------------------------
def generated(folder: Path, rows: int, shards: int) -> None:
    """Shards of a bench that nobody played, with rows as long as real ones."""
    methods = parse_methods("rules,expert,random-legal,random,rules+guard,expert+guard,mcts,dynahmrc,coela,coherent")
    count = rows // len(methods)
    base = make_suite("smoke")[0]
    sample_row = play_job(make_jobs([base], methods[:1], "none")[0])[0]
    keys = [f"made/{i:07d}" for i in range(count)]
    own = owners(keys, methods, shards)
    episodes = [{"key": key, "config": base.config.to_json(), "labels": base.labels} for key in keys]
    config = json.dumps({"suite": "made", "model": "none", "methods": [], "episodes": episodes})
    dice = np.random.default_rng(0)
    for n in range(1, shards + 1):
        place = Shard(n, shards).place(folder)
        place.mkdir(parents=True)
        mine = [(key, m.name) for key in keys if own[key] == n for m in methods]
        (place / CONFIG).write_text(config, encoding="utf-8")
        with (place / RESULTS).open("w") as out, (place / WALL).open("w") as walls:
            for key, method in mine:
                took = int(dice.integers(5, 30))  # no two alike, so that nothing is gained by sharing
                told = {"as": float(dice.normal(8, 2)), "cc": float(dice.random()), "steps": took, "ts": took}
                told["success"] = bool(dice.random() < 0.8)
                out.write(dump({**sample_row, **told, "key": key, "method": method}) + "\n")
                walls.write(dump({"key": key, "method": method, "digest": "", "wall_s": 0.1}) + "\n")
        Label(Shard(n, shards), "made", {}, len(mine), True).write(place)


def collect(folder: Path, table: bool) -> None:
    """In a process of its own, so that its memory can be told."""
    names = "rules,expert,random-legal,random,rules+guard,expert+guard,mcts,dynahmrc,coela,coherent"
    begun = time.perf_counter()
    merge([folder], folder / "whole", parse_methods(names))
    found = [time.perf_counter() - begun, peak_mb()]
    if table:
        data = json.loads((folder / "whole" / CONFIG).read_text())
        report(bench_of(folder / "whole", data, parse_methods(names)))
        found += [time.perf_counter() - begun - found[0], peak_mb()]
    print(json.dumps(found))


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def collecting(rows: int, shards: int, table: bool) -> Iterator[list[str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, __file__, "--generate", name, "--rows", str(rows)], check=True)
        words = [sys.executable, __file__, "--collect", name, *(["--table"] if table else [])]
        took, memory, *more = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
        size = (folder / "whole" / RESULTS).stat().st_size
        with (folder / "whole" / RESULTS).open("rb") as file:
            lines = sum(1 for _ in file)
        assert lines == rows, f"{lines} of {rows} rows"
        yield [f"{rows:,} rows of {size / rows:.0f} bytes from {shards} shards", f"{rows / took:,.0f} rows a second"]
        yield ["memory of the collecting process", f"{memory:.0f} MB at most"]
        if table:
            yield ["the table of them", f"{more[0]:.0f} s, {more[1]:.0f} MB at most"]


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--episodes", type=int, default=200)
    p.add_argument("--shards", type=int, default=4)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--rows", type=int, default=0, help="only the collecting side, with so many rows")
    p.add_argument("--table", action="store_true", help="with --rows: make the table, too")
    p.add_argument("--no-ray", action="store_true")
    p.add_argument("--generate", help=argparse.SUPPRESS)
    p.add_argument("--collect", help=argparse.SUPPRESS)
    args = p.parse_args()
    if args.generate:
        generated(Path(args.generate), args.rows, 16)
        return 0
    if args.collect:
        collect(Path(args.collect), args.table)
        return 0
    if args.rows:
        print("\n".join(markdown(["what", "measured"], list(collecting(args.rows, 16, args.table)))))
        return 0
    rows = overhead(args.episodes, args.shards, args.rounds) + processes(args.episodes)
    rows += [] if args.no_ray else on_ray(args.episodes)
    print("\n".join(markdown(["what", "measured"], rows)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
