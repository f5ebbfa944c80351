"""Numbers of episodes at the table: what planning took, and what a memo of solved tasks did for it.

Seconds belong to one machine and one moment, so they lie beside the rows, in `wall.jsonl`.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from coterie.bench.results import Row
from coterie.bench.studies.meco import paper
from coterie.bench.study import setting_name
from coterie.bench.summary import distinct, estimate, label, scored, select
from coterie.bench.table import NONE, paragraph, told
from coterie.worlds.tabletop.tasks import TABLE

OUTLIER = 5  # standard deviations; what lies farther from the mean is left out of the truncated one (Sec. 5.1)
PARTS = 5  # of the seeds, whose means are compared

Clock = Mapping[tuple[str, str], Row]  # (episode, method) -> what it took


def on_table(rows: Iterable[Row]) -> list[Row]:
    """Rows of episodes at the table."""
    return [r for r in rows if label(r, "scene") == TABLE]


def clock(walls: Iterable[Row]) -> Clock:
    return {(w["key"], w["method"]): w for w in walls}


def seconds(rows: Iterable[Row], known: Clock, key: str = "planning_s") -> list[float]:
    """The times of these episodes in the order of their seeds [s]; unknown ones are left out."""
    found = []
    for row in sorted(rows, key=lambda r: (str(label(r, "seed")).zfill(12), r["key"])):
        wall = known.get((row["key"], row["method"]))
        if wall is not None and "planning_s" in wall:
            found.append(float(wall.get(key, 0.0)))
    return found


def truncated_sd(values: Sequence[float], most: float = OUTLIER) -> float | None:
    """The standard deviation of what lies within `most` of them from the mean, as the MeCo paper has it."""
    if len(values) < 2:
        return None
    middle, away = statistics.fmean(values), statistics.stdev(values)
    near = [v for v in values if abs(v - middle) <= most * away]
    return statistics.stdev(near) if len(near) > 1 else 0.0


def spread_of_parts(values: Sequence[float], parts: int = PARTS) -> float | None:
    """The values are dealt to five parts; the standard deviation of their means, the best and the worst left out."""
    if len(values) < 2 * parts:
        return None
    means = sorted(statistics.fmean(values[i::parts]) for i in range(parts))
    return statistics.stdev(means[1:-1])


class Use(NamedTuple):
    """The uses of a memo in some episodes."""

    episodes: int
    hits: int  # a solved task was used again
    failed: int  # of these, its plan did not get through
    alone: int  # neither a model nor an expert was asked


def use(rows: Sequence[Row]) -> Use | None:
    """None for methods without a memo."""
    mine = [r for r in rows if "memo_hits" in r]
    if not mine:
        return None
    hits, failed, alone = (sum(r.get(k, 0) for r in mine) for k in ("memo_hits", "memo_failed", "memo_alone"))
    return Use(len(mine), hits, failed, alone)


def solved_before(rows: Sequence[Row]) -> dict[str, int]:
    """For each episode of one method and job: how many its memo may know by then."""
    known, count = {}, 0
    for row in sorted(rows, key=lambda r: str(r["key"])):  # as the stream was played
        known[row["key"]] = count
        count += bool(row["success"])
    return known


def warm(rows: Sequence[Row]) -> list[Row]:
    """Of the episodes of one method, those whose memo may know a task of their job."""
    found = []
    for task in dict.fromkeys(label(r, "task") for r in rows):
        mine = select(rows, task=task)
        known = solved_before(mine)
        found += [r for r in mine if known[r["key"]]]
    return found


def mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else math.nan


def overview(rows: Sequence[Row], walls: Iterable[Row], methods: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Further numbers of each method where arms were at work: mean seconds of planning, share of memo hits.

    Nothing when nobody was at the table; null where a method has no memo, or its time is not known.
    """
    mine, known = on_table(scored(rows)), clock(walls)
    if not mine:
        return {}
    found: dict[str, dict[str, Any]] = {}
    for method in methods:
        own = select(mine, method=method)
        times, memo = seconds(own, known), use(own)
        found[method] = {
            "planning_s": round(mean(times), 4) if times else None,
            "memo_hits": round(memo.hits / memo.episodes, 4) if memo is not None else None,
        }
    return found


MEMO = "+memo"


class Change(NamedTuple):
    """From without a memo to with one."""

    points: float  # of success
    planning: float  # [%]
    tokens: float  # [%]


def pairs(methods: Sequence[str]) -> list[tuple[str, str]]:
    """Methods with a memo behind the same without."""
    return [(m.partition(MEMO)[0], m) for m in methods if MEMO in m and m.partition(MEMO)[0] in methods]


def change(without: Sequence[Row], with_: Sequence[Row], known: Clock) -> Change:
    """Over episodes that both have played."""
    both = {r["key"] for r in without} & {r["key"] for r in with_}
    a, b = ([r for r in rows if r["key"] in both] for rows in (without, with_))
    if not both:
        return Change(math.nan, math.nan, math.nan)
    points = 100 * ((estimate(b, "succ").mean or 0.0) - (estimate(a, "succ").mean or 0.0))
    tokens = [mean([float(r["tokens"]) for r in rows]) for rows in (a, b)]
    times = [mean(seconds(rows, known)) for rows in (a, b)]
    return Change(points, _per_cent(*times), _per_cent(*tokens))


def _per_cent(before: float, after: float) -> float:
    return 100 * (after / before - 1) if before else math.nan


def saved(rows: Sequence[Row], known: Clock, methods: Sequence[str]) -> list[str]:
    """The table; nothing where no planner was played both ways."""
    table = []
    for setting in distinct(rows, "setting"):
        here = select(rows, setting=setting)
        found = {str(task): _changes(select(here, task=task), known, methods) for task in distinct(here, "task")}
        every = [c for changes in found.values() for c in changes]
        for task, changes in [*found.items(), *([("all", every)] if len(found) > 1 else [])]:
            if changes:
                theirs = paper.FIGURE_5.get(str(setting), {}).get(task, ("", "", ""))
                ours = [_mean(values) for values in zip(*changes)]
                beside = [v for pair in zip(ours, theirs) for v in (pair[0], pair[1] or NONE)]
                table.append([setting_name(setting), task, *beside])
    heads = ["setting", "task", "success", "paper", "planning", "paper", "tokens", "paper"]
    return [*told(paragraph("saved"), heads, table, left=2), ""] if table else []


def _changes(rows: Sequence[Row], known: Clock, methods: Sequence[str]) -> list[Change]:
    """Of one job, planner by planner."""
    both = ((select(rows, method=a), select(rows, method=b)) for a, b in pairs(methods))
    return [change(a, b, known) for a, b in both if a and b]


def _mean(values: Sequence[float]) -> str:
    known = [v for v in values if not math.isnan(v)]
    return f"{mean(known):+.0f}" if known else NONE
