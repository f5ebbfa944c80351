"""What a memo does for a weak model, and what its parts do where things go wrong: streams of tasks, memo by memo.

    python benchmarks/weak.py [--episodes 60] [--jobs sort-cubes,move-rope:20] [--planner central-plan]
                              [--model garbled:0.85] [--level mecobench] [--noise none] [--change leave@2]
                              [--memos kinds] [--first 30000] [--processes 1] [--out results/weak]

A stream of tasks is played once without a memo and once with each memo, which begins empty. --memos are names of memos,
or of lists of them:

- `kinds` of reuse, each with those before it: `tasks` are whole tasks as in the MeCo paper, `prefixes` also the good
  beginnings of failed episodes, `transitions` any round in the state it began in, `things` what rounds did to single
  things;
- `ablations` (Table 1), best with --planner roco --model oracle --noise slip=0.15,nudge=0.1: the paper's success,
  seconds and tokens stand beside ours;
- `sweeps` of what the paper leaves open or puts into its appendix, best with --level cluttered-similar.

Success is given for the whole stream and, behind the stroke, for its second half, when the memo is warm; `points` is
what the memo adds; `own` the share of rounds that the memo decided; calls, tokens, rounds and processor seconds of
planning are means of an episode. A job may name its own number of episodes. What is played is kept in --out as it
comes, memos beside it, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from coterie.bench.studies.meco import paper
from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.worlds.tabletop.tasks import TEAMS

sys.path.insert(0, str(Path(__file__).parent))
from kept import estimate, folder, rows, watched
from reuse import in_its_world

NONE = "none"


class Taken(NamedTuple):
    success: bool
    calls: int
    rounds: int
    own: int  # of them, decided by the memo
    planning: float  # processor seconds
    tokens: int = 0


def episode(job: str, options: argparse.Namespace, seed: int, memo: str, file: Path) -> Taken:
    config = Config(
        task=job, protocol=options.planner, model=options.model, seed=seed, level=options.level,
        memo="" if memo == NONE else memo, noise=options.noise, changes=tuple(filter(None, options.change.split(","))),
    )  # fmt: skip
    played, world = in_its_world(config, file if config.memo else None)
    acts = {e.step: e.data.get("origin") == "memo" for e in played.log.events if e.kind == "act"}
    calls = sum(e.kind == "ask" and e.who != "memo" for e in played.log.events)
    planning = round(world.rounds.planning_cpu_s + played.lookup_s, 4)
    replies = [e.data for e in played.log.events if e.kind == "reply"]
    tokens = sum(r.get("tokens_in", 0) + r.get("tokens_out", 0) for r in replies)
    return Taken(bool(played.result.success), calls, played.result.steps, sum(acts.values()), planning, tokens)


def kept_in(options: argparse.Namespace, job: str, memo: str) -> Path:
    return Path(options.out) / f"{job}-{memo.replace(':', '_')}.jsonl"


def stream(job: str, count: int, options: argparse.Namespace, memo: str) -> None:
    """The episodes of a stream that were not played yet, each written down when it has ended."""
    path = kept_in(options, job, memo)
    there = len(read(path))
    with path.open("a", encoding="utf-8") as out:
        for n in range(there, count):
            taken = episode(job, options, options.first + n, memo, path.with_suffix(".sqlite"))
            print(json.dumps(taken), file=out, flush=True)


def read(path: Path) -> list[Taken]:
    """Nothing where the memo of a stream is gone: its episodes cannot go on without what they taught."""
    if path.exists() and not path.stem.endswith(f"-{NONE}") and not path.with_suffix(".sqlite").exists():
        path.unlink()
    return [Taken(*row) for row in rows(path)]


def row(job: str, memo: str, taken: list[Taken], plain: list[Taken]) -> tuple[str, ...]:
    won = [t.success for t in taken]
    share, late = statistics.fmean(won), statistics.fmean(won[len(won) // 2 :])
    before = [t.success for t in plain[: len(won)]]  # of the same tasks
    gain = "" if memo == NONE or len(before) < len(won) else f"{100 * (share - statistics.fmean(before)):+.0f}"
    own = sum(t.own for t in taken) / max(1, sum(t.rounds for t in taken))
    means = [statistics.fmean(values) for values in zip(*((t.calls, t.tokens, t.rounds, t.planning) for t in taken))]
    costs = (f"{means[0]:.1f}", f"{means[1]:.0f}", f"{means[2]:.1f}", f"{means[3]:.2f}")
    theirs = paper.MECO_JOBS[THEIRS[memo]][job] if memo in THEIRS else None
    beside = f"{theirs.succ:.2f}, {theirs.planning_s:.0f} s, {theirs.tokens}" if theirs is not None else ""
    return (job, memo, str(len(won)), f"{share:.2f} / {late:.2f}", gain, f"{own:.2f}", *costs, beside)


def show(options: argparse.Namespace, todo: list[tuple[str, int, str]]) -> None:
    table = []
    for job, _, memo in todo:
        taken = read(kept_in(options, job, memo))
        if taken:
            table.append(row(job, memo, taken, read(kept_in(options, job, NONE))))
    print("\n".join(markdown(HEAD, table, left=2)), flush=True)
    if any(memo in THEIRS for _, _, memo in todo):
        print(BESIDE)
    if any("=" in memo.removeprefix(PAPER) for _, _, memo in todo):
        print(OPEN)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=60)
    parser.add_argument("--jobs", default=",".join(TEAMS))
    parser.add_argument("--planner", default="central-plan")
    parser.add_argument("--model", default="garbled:0.85")
    parser.add_argument("--level", default="mecobench")
    parser.add_argument("--noise", default="none")
    parser.add_argument("--change", default="")
    parser.add_argument("--memos", default="kinds")
    parser.add_argument("--first", type=int, default=30000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", default="results/weak")
    options = parser.parse_args()
    folder(options)
    jobs = [
        (name, int(own or options.episodes)) for name, _, own in (j.partition(":") for j in options.jobs.split(","))
    ]
    memos = LISTS.get(options.memos, options.memos).split(",")
    todo = [(job, count, memo) for job, count in jobs for memo in memos]

    def there() -> int:
        return sum(min(count, len(rows(kept_in(options, job, memo)))) for job, count, memo in todo)

    total = sum(count for _, count, _ in todo)
    left = [(job, count, memo) for job, count, memo in todo if len(read(kept_in(options, job, memo))) < count]
    estimate(total - there(), total, options.processes)
    with ProcessPoolExecutor(options.processes) as pool:
        for done in watched(
            [pool.submit(stream, job, count, options, memo) for job, count, memo in left], there, total
        ):
            done.result()
    show(options, todo)


PAPER = "memo:reuse=tasks"  # what the paper has: whole tasks
LISTS = {
    "kinds": f"none,{PAPER},memo:reuse=prefixes,memo:reuse=transitions,memo:reuse=things",
    "ablations": ",".join(
        [NONE, PAPER, *(f"{PAPER}-and-no-{part}" for part in ("similarity", "splanner", "continue", "selective"))]
    ),
    "sweeps": ",".join(
        [NONE, PAPER]
        + [f"{PAPER}-and-{part}" for part in ("eps=0.003", "eps=0.03", "eta=0.1", "eta=0.4", "tau=0.5", "tau=0.95")]
        + [f"{PAPER}-and-{part}" for part in ("base=4", "base=20", "k=1", "no-selective")]
    ),
}
HEAD = [
    "job", "memo", "n", "success / second half", "points", "own", "calls", "tokens", "rounds", "planning s", "paper",
]  # fmt: skip
#: Rows of the paper's Table 1. "Without S-Planner" is what it has for a model that is asked for every task, too.
THEIRS = {
    NONE: paper.LLM_ALONE,
    PAPER: paper.MECO,
    f"{PAPER}-and-no-splanner": paper.LLM_ALONE,
    f"{PAPER}-and-no-similarity": "no-similarity",
    f"{PAPER}-and-no-continue": "no-continue",
}
BESIDE = (
    "The paper's seconds are those of a model that is called over a network, ours processor time of planning alone, "
    "and its model fails where the oracle does not: compare how rows differ, not their values."
)
OPEN = (
    "Of what is swept here the paper tells tau (0.85 pack-grocery, 0.7 move-rope: Figure 2) and k (40 move-rope, 30 "
    "pack-grocery, 700 sandwich, 50 sort-cubes, 9 sweep-floor and arrange-cabinet: Figure 4). It gives no eps, eta or "
    "baseline of steps, and its appendix C.2 on selective caching is not in its text: nothing stands beside those rows."
)

if __name__ == "__main__":
    main()
