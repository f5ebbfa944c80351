"""What it costs to play a bench in parts.

    python benchmarks/cluster.py                      overhead of shards and of Ray, two workers against one
    python benchmarks/cluster.py --rows 1000000       the collecting side: rows a second, and memory; then the command
                                                      `bench merge` with its tables

Overhead is what a bench takes beside its episodes, whose own time is taken as they are played; starting a process or a
cluster is not counted. That of shards is measured with few episodes and with many: what grows with them is told apart
from what a shard takes once. Two workers are compared with one in the same run. Processor time is told besides: it says
something on a busy machine, too.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.bench import runner
from coterie.bench.cluster.merging import merge
from coterie.bench.cluster.sharding import KEPT, Plan, play_shard
from coterie.bench.cluster.shards import Label, Shard, file_digest, owners
from coterie.bench.methods import Method, parse_methods
from coterie.bench.playing import Job, Spent, play_job
from coterie.bench.results import RESULTS, WALL, Row, dump
from coterie.bench.runner import make_jobs, run_bench, save_config
from coterie.bench.spec import EpisodeSpec
from coterie.bench.suites import make_suite, sample
from coterie.bench.table import markdown
from coterie.cli import main as coterie

SUITE, METHODS = "dynahmrc-static", "rules"
MANY = "rules,expert,random-legal,random,rules+guard,expert+guard,mcts,dynahmrc,coela,coherent"


class Timed:
    """Plays episodes as the bench does, and keeps how long that took."""

    def __init__(self) -> None:
        self.inside_s = np.zeros(2)

    def __call__(self, job: Job) -> tuple[Row, Spent]:
        begun = clocks()
        try:
            return play_job(job)
        finally:
            self.inside_s += clocks() - begun


def clocks() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Seconds of the clock on the wall, and of this process on a core."""
    return np.array([time.perf_counter(), time.process_time()])


def beside(
    specs: Sequence[EpisodeSpec], methods: Sequence[Method], shards: int
) -> tuple[np.ndarray[Any, np.dtype[np.float64]], np.ndarray[Any, np.dtype[np.float64]]]:
    """Seconds that shards and their merging take beside their episodes, and seconds of those, by both clocks."""
    timed = runner.play_job = Timed()  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(specs, methods, Path(folder), SUITE, "none", {})
        begun = clocks()
        for n in range(1, shards + 1):
            play_shard(plan, Shard(n, shards))
        merge([Path(folder)], Path(folder) / "whole", methods)
        return clocks() - begun - timed.inside_s, timed.inside_s


def overhead(episodes: int, shards: int, rounds: int) -> list[list[str]]:
    """Of few episodes and of many: what grows with them is told apart from what starting a shard takes."""
    methods, every = parse_methods(METHODS), sample(make_suite(SUITE), episodes)
    few = sample(every, max(shards, episodes // 5))
    for job in make_jobs(every, methods, "none"):
        play_job(job)  # maps and paths are found once
    small = np.median([beside(few, methods, shards)[0] for _ in range(rounds)], axis=0)
    found = [beside(every, methods, shards) for _ in range(rounds)]
    all_s, each = np.median([f[0] for f in found], axis=0), np.median([f[1] for f in found], axis=0) / len(every)
    more = (all_s - small) / (len(every) - len(few))
    start = (small - more * len(few)) / shards

    def ms(seconds: Sequence[float]) -> str:
        return f"{1000 * seconds[0]:.2f} ms ({1000 * seconds[1]:.2f} of processor time)"

    return [
        ["an episode alone", ms(each)],
        [f"{len(every)} in {shards} shards, with merging", f"{ms(all_s / len(every))} an episode more"],
        ["of this, after start", f"{ms(more)} an episode"],
        ["of this, start and end", f"{ms(start)} a shard"],
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
    """Shards of a bench that nobody played, with rows as long and as unlike as real ones."""
    methods = parse_methods(MANY)
    base = make_suite("smoke")[0]
    row = play_job(make_jobs([base], methods[:1], "none")[0])[0]
    specs = [
        EpisodeSpec(f"made/{i:07d}", replace(base.config, seed=i), {**base.labels, "seed": i, "task": f"t{i % 2}"})
        for i in range(rows // len(methods))
    ]
    own = owners([s.key for s in specs], methods, shards)
    settings = {"suite": "made", "model": "none", "command": "coterie bench made"}
    dice = np.random.default_rng(0)
    for n in range(1, shards + 1):
        place = Shard(n, shards).place(folder)
        place.mkdir(parents=True)
        mine = [(spec, m.name) for spec in specs if own[spec.key] == n for m in methods]
        save_config(place, specs, methods, settings)
        with (place / RESULTS).open("w") as out, (place / WALL).open("w") as walls:
            for spec, method in mine:
                head = {"key": spec.key, "method": method, "digest": dice.bytes(6).hex()}
                out.write(dump({**row, **unlike(row, dice), **head, "labels": spec.labels}) + "\n")
                walls.write(dump({**head, "wall_s": round(float(dice.random()), 4)}) + "\n")
        label = Label(Shard(n, shards), "made", {"suite": "made"}, len(mine), True)
        label._replace(digests={name: file_digest(place / name) for name in KEPT}).write(place)


def unlike(row: Row, dice: np.random.Generator) -> Row:
    """No two alike, so that nothing is gained by sharing: also what each robot did."""
    took = int(dice.integers(5, 200))
    counts = [name for name in row["robots"]["Bob"] if name != "body"]
    drawn = iter(dice.integers(0, took, len(counts) * len(row["robots"])).tolist())
    each = {name: {**part, **{k: next(drawn) for k in counts}} for name, part in row["robots"].items()}
    acted, said, part, took_s, lucky = dice.random(5).tolist()
    told = {"as": 16 * acted, "cc": said, "ps": part, "time_s": 100 * took_s, "success": lucky < 0.8, "robots": each}
    return {**told, "steps": took, "ts": took, "said_bytes": int(1e6 * said)}


def collect(folder: Path, table: bool) -> None:
    """In a process of its own, so that its memory can be told."""
    begun = clocks()
    words = ["bench", "merge", str(folder), "--out", str(folder / "whole"), "--no-plots", "--json"]
    with contextlib.redirect_stdout(io.StringIO()):
        if table:  # what somebody types
            assert coterie(words) == 0
        else:
            merge([folder], folder / "whole", parse_methods(MANY))
    print(json.dumps([*(clocks() - begun).tolist(), peak_mb()]))


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def collecting(rows: int, shards: int) -> Iterator[list[str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, __file__, "--generate", name, "--rows", str(rows)], check=True)
        for whole in (False, True):
            words = [sys.executable, __file__, "--collect", name, *(["--table"] if whole else [])]
            took, core_s, memory = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
            if not whole:
                size = (folder / "whole" / RESULTS).stat().st_size
                with (folder / "whole" / RESULTS).open("rb") as file:
                    lines = sum(1 for _ in file)
                assert lines == rows, f"{lines} of {rows} rows"
                what = f"{rows:,} rows of {size / rows:.0f} bytes from {shards} shards"
                yield [what, f"{rows / took:,.0f} rows a second ({core_s:.1f} s on a core), {memory:.0f} MB at most"]
                shutil.rmtree(folder / "whole")
                continue
            yield [
                "`bench merge` of them, with all tables",
                f"{took:.0f} s ({core_s:.1f} on a core), {memory:.0f} MB at most",
            ]


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--episodes", type=int, default=200)
    p.add_argument("--shards", type=int, default=4)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--rows", type=int, default=0, help="only the collecting side, with so many rows")
    p.add_argument("--table", action="store_true", help=argparse.SUPPRESS)
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
        print("\n".join(markdown(["what", "measured"], list(collecting(args.rows, 16)))))
        return 0
    rows = overhead(args.episodes, args.shards, args.rounds) + processes(args.episodes)
    rows += [] if args.no_ray else on_ray(args.episodes)
    print("\n".join(markdown(["what", "measured"], rows)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
