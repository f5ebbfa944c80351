"""What a bench will cost, before it is run: episodes, decisions, calls, tokens and time.

A method without model calls is timed on a few episodes. For one with a model, an earlier run in the same folder says
most; failing that, a few episodes are played with the text oracle, which needs no model but asks what a model would be
asked. The paper's counts stand beside where it has some.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from coterie.bench.methods import Method
from coterie.bench.playing import drawn, play_job, score
from coterie.bench.results import RESULTS, WALL, Row, load
from coterie.bench.runner import make_jobs
from coterie.bench.studies import paper
from coterie.bench.suites import EpisodeSpec, sample
from coterie.bench.summary import scored, select
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.protocols import protocols
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.protocols.mcts import BUDGETS

TRIALS = 6  # episodes that are timed
SLOW_TRIALS = 2  # of methods that think for long
REHEARSED = 3  # episodes that are played with the text oracle


class Cost(NamedTuple):
    """Of all episodes together. None: not known beforehand. `basis` says where the figures come from."""

    method: str
    episodes: int
    decisions: float | None
    calls: float | None
    tokens: float | None
    seconds: float | None  # on one core, or with one model call at a time
    basis: str


def estimate_costs(
    specs: Sequence[EpisodeSpec], methods: Sequence[Method], folder: Path, load_files: Sequence[str] = ()
) -> list[Cost]:
    earlier = scored(load(folder / RESULTS)) if (folder / RESULTS).is_file() else []
    walls = load(folder / WALL) if (folder / WALL).is_file() else []
    return [_cost(specs, method, earlier, walls, load_files) for method in methods]


def _cost(
    specs: Sequence[EpisodeSpec], method: Method, earlier: Sequence[Row], walls: Sequence[Row], files: Sequence[str]
) -> Cost:
    if not method.needs_model:
        return _timed(specs, method, files)
    rows = select(earlier, method=method.name)
    if rows:
        return _from_rows(specs, method, rows, [w for w in walls if w["method"] == method.name])
    return _rehearsed(specs, method, files)


def _rehearsed(specs: Sequence[EpisodeSpec], method: Method, files: Sequence[str]) -> Cost:
    """Calls and tokens of a few episodes in which the text oracle answers."""
    oracle, n, rows = Oracle(), len(specs), []
    for job in make_jobs(sample(specs, REHEARSED), [_stand_in(method)], "oracle", load=files):
        try:
            rows.append(score(play(job.config, model=oracle, task=drawn(job)).log.events))
        except CoterieError:  # it cannot be drawn, or the method asks what the oracle does not understand
            continue
    theirs = _reported(specs, method)
    if not rows:
        return theirs or Cost(method.name, n, None, None, None, None, "nothing known; run a few with --episodes")
    basis = f"{len(rows)} episodes with the text oracle, 4 characters a token"
    if theirs is not None and theirs.calls and theirs.tokens:
        basis += f"; the paper (Tab. 26) has {theirs.calls:,.0f} calls, {theirs.tokens:,.0f} tokens"
    total = {k: n * sum(r[k] for r in rows) / len(rows) for k in ("decisions", "calls", "tokens")}
    return Cost(method.name, n, total["decisions"], total["calls"], total["tokens"], None, basis)


def _stand_in(method: Method) -> Method:
    """A search asks its model as often with its smallest budget, and is done sooner."""
    if method.protocol in ("llm-mcts", *(f"llm-mcts:{n}" for n in BUDGETS)):
        return replace(method, protocol=f"llm-mcts:{min(BUDGETS)}")
    return method


def _timed(specs: Sequence[EpisodeSpec], method: Method, files: Sequence[str]) -> Cost:
    slow = "slow" in protocols.tags(method.protocol)
    jobs = make_jobs(sample(specs, SLOW_TRIALS if slow else TRIALS), [method], "none", load=files)
    for job in jobs[: not slow]:
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
