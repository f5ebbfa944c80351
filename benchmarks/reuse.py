"""What a memo saves, job by job: calls, processor time of planning, and whole planning time with slow calls.

    python benchmarks/reuse.py [--level cluttered-similar] [--episodes 8] [--planner roco] [--jobs a,b] [--call-s 1.0]
                               [--model oracle] [--memo memo] [--first 20000]

A stream of similar tasks is played twice, without and with a memo; the first episode fills it and does not count.
`ways` is the processor time of the search for ways alone, `planning` that with postures and checks, `lookup` the share
of lookups in it. `whole` is planning and calls together, each call counted as `--call-s` seconds, none of them slept.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import Progress

from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.episode.play import Played, play
from coterie.worlds.tabletop.entry import Tabletop
from coterie.worlds.tabletop.tasks import TEAMS


class Taken(NamedTuple):
    """What one episode took."""

    success: bool
    calls: int
    hit: bool
    ways: float
    planning: float
    lookup: float

    def whole(self, call_s: float) -> float:
        return self.planning + self.lookup + self.calls * call_s


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
    return Taken(bool(played.result.success), calls, hit, rounds.way_cpu_s, rounds.planning_cpu_s, lookup)


def ratio(one: list[float], other: list[float]) -> str:
    return f"{sum(one) / sum(other):.2f}" if sum(other) else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="cluttered-similar")
    parser.add_argument("--episodes", type=int, default=8)
    parser.add_argument("--planner", default="roco")
    parser.add_argument("--model", default="oracle")
    parser.add_argument("--memo", default="memo")
    parser.add_argument("--jobs", default=",".join(TEAMS))
    parser.add_argument("--call-s", type=float, default=1.0)
    parser.add_argument("--first", type=int, default=20000)
    options = parser.parse_args()
    rows, means = [], []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for job in options.jobs.split(","):
            seeds = [options.first + n for n in range(options.episodes + 1)]
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "memo.sqlite"
                told = progress.track(seeds, description=job)
                both = [(episode(job, options, s, None), episode(job, options, s, file)) for s in told][1:]
            plain, warm = [list(x) for x in zip(*both)]
            whole = [[t.whole(options.call_s) for t in ts] for ts in (warm, plain)]
            means.append(sum(whole[0]) / sum(whole[1]))
            rows.append(
                (
                    job,
                    f"{sum(t.success for t in plain)} / {len(plain)}",
                    f"{sum(t.success for t in warm)} / {len(warm)}",
                    f"{sum(t.hit for t in warm)} / {len(warm)}",
                    ratio([t.calls for t in warm], [t.calls for t in plain]),
                    f"{1e3 * statistics.fmean(t.ways for t in plain):.0f}",
                    ratio([t.ways for t in warm], [t.ways for t in plain]),
                    f"{1e3 * statistics.fmean(t.planning for t in plain):.0f}",
                    ratio([t.planning for t in warm], [t.planning for t in plain]),
                    ratio([t.lookup for t in warm], [t.planning for t in warm]),
                    ratio(*whole),
                )
            )
            print(" | ".join(rows[-1]), flush=True)
    print("\n".join(markdown(HEAD, rows)))
    print(f"\nwhole planning time, mean of the jobs: {statistics.fmean(means):.2f}")


HEAD = [
    "job", "solved", "with memo", "hits", "calls", "ways ms", "ways", "planning ms", "planning", "lookup", "whole",
]  # fmt: skip

if __name__ == "__main__":
    main()
