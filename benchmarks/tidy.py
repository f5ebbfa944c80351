"""The suite `tidy` with some methods: what part of the tasks they do, of all and of the feasible ones, why not more.

    python benchmarks/tidy.py [--methods heuristic,expert] [--tasks 54] [--jobs 2] [--out DIR] [--log-bytes]
    python benchmarks/tidy.py --tasks 1350 --jobs 16 --out results/tidy       # all of it
    python benchmarks/tidy.py --steps ";move=0.5;turn=30;reach=1"             # one table for each size of steps
    python benchmarks/tidy.py --noise "none;miss=0.3;false=0.05;drift=0.02;real"

It needs numpy and nothing else. Results are written to the folder as they come, and a run that was stopped goes on
where it was; table.md there is what is printed. Times are processor time, of all processes together.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from coterie.bench.finished import Bench
from coterie.bench.methods import parse_methods
from coterie.bench.report import report
from coterie.bench.results import TABLE
from coterie.bench.runner import run_bench
from coterie.bench.studies.household import HOUSEHOLD, tidy
from coterie.bench.suites import sample
from coterie.bench.table import markdown, number, share
from coterie.core.errors import CoterieError
from coterie.core.files import replace_text

HEADS = ["", "method", "n", "feasible", "SUCC of all", "SUCC of feasible", "PS", "TS", "processor [s]"]


def spent_s() -> float:
    return sum(
        u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def played(args: argparse.Namespace, steps: str, noise: str) -> Bench:
    specs = [
        replace(
            spec, key=f"{spec.key}/{steps or 'usual'}/{noise}", config=replace(spec.config, steps=steps, noise=noise)
        )
        for spec in sample(tidy(), args.tasks)
    ]
    folder = Path(args.out)
    begun, last = time.time(), [0.0]

    def progress(done: int, count: int) -> None:
        if time.time() - last[0] > 30 or done == count:
            last[0] = time.time()
            print(f"  {done} of {count} episodes, {time.time() - begun:.0f} s", flush=True)

    methods = parse_methods(args.methods)
    bench = run_bench(specs, methods, folder, "tidy", jobs=args.jobs, logs=args.log_bytes, progress=progress)
    replace_text(folder / TABLE, report(bench))
    return bench


def summary(bench: Bench, what: str, took: float) -> list[list[str]]:
    lines = []
    for method in bench.names:
        rows = [r for r in bench.rows if r["method"] == method and "error" not in r]
        can = [r for r in rows if r["feasible"]]
        done, both = (sum(bool(r["success"]) for r in some) for some in (rows, can))
        ps, ts = (statistics.mean(float(r[k]) for r in rows) for k in ("ps", "ts"))
        lines.append([what, method, str(len(rows)), share(len(can), len(rows)), share(done, len(rows)),
                      share(both, len(can)), number(ps), number(ts, 0), f"{took:.0f}"])  # fmt: skip
    return lines


def log_bytes(bench: Bench) -> list[str]:
    """How much of a log a step of a robot takes: all logs together, and the house that takes most."""
    found = []
    for row in bench.rows:
        file = next((bench.folder / "logs").rglob(f"{row['key'].replace('/', '__')}*.jsonl"), None)
        if file is not None and "robots" in row:
            actions = sum(r["steps"] for r in row["robots"].values())
            found.append((file.stat().st_size, actions, row["key"]))
    if not found:
        return ["no logs were kept"]
    size, actions = sum(f[0] for f in found), sum(f[1] for f in found)
    most = max(found, key=lambda f: f[0] / f[1])
    words = f"{len(found)} logs: {size / actions:.0f} bytes a robot-step; the most {most[0] / most[1]:.0f} ({most[2]})"
    return [words]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", default="heuristic")
    parser.add_argument("--tasks", type=int, default=54)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", help="folder for results and logs (default a new one)")
    parser.add_argument("--steps", default="", help="sizes of steps, with semicolons between them")
    parser.add_argument("--noise", default="none", help="kinds of noise, with semicolons between them")
    parser.add_argument("--log-bytes", action="store_true", help="keep logs, and say how long they are")
    args = parser.parse_args()
    args.out = args.out or tempfile.mkdtemp(prefix="tidy-")
    lines: list[list[str]] = []
    try:
        for steps in args.steps.split(";"):
            for noise in args.noise.split(";"):
                what = " ".join(filter(None, (steps or "usual steps", noise if noise != "none" else "")))
                print(what, flush=True)
                begun = spent_s()
                bench = played(args, steps, noise)
                lines += summary(bench, what, spent_s() - begun)
                print("\n".join(markdown(HEADS, lines, left=2)), flush=True)
                for section in HOUSEHOLD.sections(bench):
                    print(f"## {section.title}\n")
                    print("\n".join(section.lines), flush=True)
                if args.log_bytes:
                    print("\n".join(log_bytes(bench)), flush=True)
    except CoterieError as err:
        raise SystemExit(str(err)) from None
    print(f"{args.out}: results.jsonl, table.md; {os.cpu_count()} cores, {args.jobs} processes")


if __name__ == "__main__":
    main()
