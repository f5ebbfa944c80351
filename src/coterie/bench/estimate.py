"""What a bench will cost, before it is run: episodes, decisions, calls, tokens and time.

A method without model calls is timed on a few episodes. For one with a model, the stages of an earlier run in the same
folder are used; failing that, the paper's counts per stage for the methods it reports.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from coterie.bench import paper
from coterie.bench.methods import Method
from coterie.bench.results import RESULTS, WALL, Row, load
from coterie.bench.runner import make_jobs, play_job
from coterie.bench.suites import EpisodeSpec, sample
from coterie.bench.summary import scored, select

TRIALS = 6  # episodes that are timed


class Cost(NamedTuple):
    """Of all episodes together. None: not known beforehand. `basis` says where the figures come from."""

    method: str
    episodes: int
    decisions: float | None
    calls: float | None
    tokens: float | None
    seconds: float | None  # on one core, or with one model call at a time
    basis: str


def estimate_costs(specs: Sequence[EpisodeSpec], methods: Sequence[Method], folder: Path) -> list[Cost]:
    earlier = scored(load(folder / RESULTS)) if (folder / RESULTS).is_file() else []
    walls = load(folder / WALL) if (folder / WALL).is_file() else []
    return [_cost(specs, method, earlier, walls) for method in methods]


def _cost(specs: Sequence[EpisodeSpec], method: Method, earlier: Sequence[Row], walls: Sequence[Row]) -> Cost:
    if not method.needs_model:
        return _timed(specs, method)
    rows = select(earlier, method=method.name)
    if rows:
        return _from_rows(specs, method, rows, [w for w in walls if w["method"] == method.name])
    reported = _reported(specs, method)
    return reported or Cost(method.name, len(specs), None, None, None, None, "nothing known; run a few with --episodes")


def _timed(specs: Sequence[EpisodeSpec], method: Method) -> Cost:
    jobs = make_jobs(sample(specs, TRIALS), [method], "none")
    for job in jobs[:1]:
        play_job(job)  # maps and paths are found once
    begun = time.perf_counter()
    rows = scored(play_job(job)[0] for job in jobs)
    took = (time.perf_counter() - begun) / len(jobs)
    decisions = len(specs) * sum(r["decisions"] for r in rows) / len(rows) if rows else None
    return Cost(method.name, len(specs), decisions, 0, 0, took * len(specs), f"timed on {len(jobs)} episodes")


def _from_rows(specs: Sequence[EpisodeSpec], method: Method, rows: Sequence[Row], walls: Sequence[Row]) -> Cost:
    n, per = len(specs), len(rows)
    seconds = n * sum(w["wall_s"] for w in walls) / len(walls) if walls else None
    return Cost(
        method.name,
        n,
        n * sum(r["decisions"] for r in rows) / per,
        n * sum(r["calls"] for r in rows) / per,
        n * sum(r["tokens"] for r in rows) / per,
        seconds,
        f"{per} earlier episodes in this folder",
    )


def _reported(specs: Sequence[EpisodeSpec], method: Method) -> Cost | None:
    """Tab. 26: calls per episode and tokens per call."""
    family = method.protocol.partition(":")[0]
    calls = tokens = 0.0
    for spec in specs:
        setting = spec.labels.get("setting", "static")
        setting = setting if setting in paper.STAGE_COSTS else "static"
        if family == "dynahmrc":
            stages = list(paper.STAGE_COSTS[setting].values())
        elif family == "coherent":
            stages = [paper.CENTRAL_COSTS[setting]]
        else:
            return None
        calls += sum(c for c, _ in stages)
        tokens += sum(c * t for c, t in stages)
    return Cost(method.name, len(specs), None, calls, tokens, None, "the paper's counts per stage (Tab. 26)")
