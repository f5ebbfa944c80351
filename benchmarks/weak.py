"""What a memo does for a weak model: success with whole tasks, prefixes, transitions and things used again.

    python benchmarks/weak.py [--episodes 60] [--jobs sort-cubes,...] [--planner central-plan] [--model garbled:0.85]
                              [--level mecobench] [--reuse none,tasks,prefixes,transitions,things] [--first 30000]
                              [--processes 1]

A stream of tasks is played once without a memo and once with each kind of reuse, every kind with a memo of its own that
begins empty. Each kind takes in those before it: `tasks` are whole tasks as in the MeCo paper, `prefixes` also the good
beginnings of failed episodes, `transitions` any round in the state it began in, `things` what rounds did to single
things. Success is given for the whole stream and, behind the stroke, for its second half, when the memo is warm; `own`
is the share of rounds that the memo decided, `calls` the mean calls of the model in an episode.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.worlds.tabletop.tasks import TEAMS


class Taken(NamedTuple):
    success: bool
    calls: int
    rounds: int
    own: int  # of them, decided by the memo


def episode(job: str, options: argparse.Namespace, seed: int, reuse: str, file: Path) -> Taken:
    memo = "" if reuse == "none" else "memo" if reuse == "tasks" else f"memo:reuse={reuse}"
    config = Config(task=job, protocol=options.planner, model=options.model, seed=seed, level=options.level, memo=memo)
    played = play(config, memo=file if memo else None)
    acts = {e.step: e.data.get("origin") == "memo" for e in played.log.events if e.kind == "act"}
    calls = sum(e.kind == "ask" and e.who != "memo" for e in played.log.events)
    return Taken(bool(played.result.success), calls, len(acts), sum(acts.values()))


def stream(job: str, options: argparse.Namespace, reuse: str) -> list[Taken]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "memo.sqlite"
        return [episode(job, options, options.first + n, reuse, file) for n in range(options.episodes)]


def row(job: str, reuse: str, taken: list[Taken], plain: float | None) -> tuple[str, ...]:
    won = [t.success for t in taken]
    late = won[len(won) // 2 :]
    share, gain = statistics.fmean(won), "" if plain is None else f"{100 * (statistics.fmean(won) - plain):+.0f}"
    own = sum(t.own for t in taken) / max(1, sum(t.rounds for t in taken))
    calls = statistics.fmean(t.calls for t in taken)
    return (
        job,
        reuse,
        str(len(won)),
        f"{share:.2f} / {statistics.fmean(late):.2f}",
        gain,
        f"{own:.2f}",
        f"{calls:.1f}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=60)
    parser.add_argument("--jobs", default=",".join(TEAMS))
    parser.add_argument("--planner", default="central-plan")
    parser.add_argument("--model", default="garbled:0.85")
    parser.add_argument("--level", default="mecobench")
    parser.add_argument("--reuse", default="none,tasks,prefixes,transitions,things")
    parser.add_argument("--first", type=int, default=30000)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    rows = []
    todo = [(job, reuse) for job in options.jobs.split(",") for reuse in options.reuse.split(",")]
    with ProcessPoolExecutor(options.processes) as pool:
        waiting = [(job, reuse, pool.submit(stream, job, options, reuse)) for job, reuse in todo]
        plain: dict[str, float] = {}
        for job, reuse, coming in waiting:
            taken = coming.result()
            if reuse == "none":
                plain[job] = statistics.fmean(t.success for t in taken)
            rows.append(row(job, reuse, taken, plain.get(job) if reuse != "none" else None))
            print(" , ".join(rows[-1]), flush=True)
    print("\n".join(markdown(HEAD, rows, left=2)))


HEAD = ["job", "used again", "n", "success / second half", "points", "own", "calls"]

if __name__ == "__main__":
    main()
