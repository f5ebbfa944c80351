"""The cost of a bench before it is run: episodes, decisions, calls, tokens and time.

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
from coterie.bench.playing import drawn, play_job
from coterie.bench.results import RESULTS, WALL, Row, load
from coterie.bench.runner import make_jobs
from coterie.bench.spec import EpisodeSpec
from coterie.bench.studies import score
from coterie.bench.study import every
from coterie.bench.suites import sample
from coterie.bench.summary import scored, select
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.models import make_model
from coterie.protocols import protocols

TRIALS = 6  # episodes that are timed
SLOW_TRIALS = 2  # of methods that think for long
ORACLE = "oracle"
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
    own_s: float | None = None  # of `seconds`, or beside them: what all but the model takes, on one core


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
    oracle, n, rows = make_model(ORACLE), len(specs), []
    begun = time.perf_counter()
    for job in make_jobs(sample(specs, REHEARSED), [_stand_in(method)], ORACLE, load=files):
        try:
            rows.append(score(play(job.config, model=oracle, task=drawn(job)).log.events))
        except CoterieError:  # it cannot be drawn, or the method asks what the oracle does not understand
            continue
    took = time.perf_counter() - begun
    theirs = next((r for study in every() if (r := study.reported(specs, method)) is not None), None)
    if not rows and theirs is not None:
        basis = f"the paper's counts per stage ({theirs[2]})"
        return Cost(method.name, n, None, theirs[0], theirs[1], None, basis)
    if not rows:
        return Cost(method.name, n, None, None, None, None, "nothing known; run a few with --episodes")
    basis = f"{len(rows)} episodes with the text oracle, 4 characters a token"
    basis += "; less with what its memo knows" if method.memo else ""
    if theirs is not None and theirs[0] and theirs[1]:
        basis += f"; the paper ({theirs[2]}) has {theirs[0]:,.0f} calls, {theirs[1]:,.0f} tokens"
    return Cost(method.name, n, *_totals(n, rows), None, basis, n * took / len(rows))


def _totals(n: int, rows: Sequence[Row]) -> tuple[float, float, float]:
    """Decisions, calls and tokens of n episodes, were they like these."""
    decisions, calls, tokens = (n * sum(r[k] for r in rows) / len(rows) for k in ("decisions", "calls", "tokens"))
    return decisions, calls, tokens


def _stand_in(method: Method) -> Method:
    """One that asks as often and is done sooner, where a study knows one; at most as often, where there is a memo."""
    for study in every():
        method = study.stand_in(method)
    return replace(method, model="", memo="")


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
    n = len(specs)
    seconds = n * sum(w["wall_s"] for w in walls) / len(walls) if walls else None
    return Cost(method.name, n, *_totals(n, rows), seconds, f"{len(rows)} earlier episodes in this folder")
