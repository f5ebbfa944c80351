"""What a memo saves, setting by setting and job by job, beside what the MeCo paper tells of its Figure 5."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from coterie.bench.results import Row
from coterie.bench.studies.meco import paper
from coterie.bench.studies.meco.numbers import Clock, mean, seconds
from coterie.bench.study import setting_name
from coterie.bench.summary import distinct, estimate, select
from coterie.bench.table import NONE, markdown

MEMO = "+memo"
WORDS = (
    "What a memo changes, in the mean of all planners that played with one and without, beside Figure 5 of the paper "
    "(its text, Sec. 5.3; the mean of four planners): success in points, planning time and tokens in per cent of those "
    "without. The paper's model fails more often than the oracle and takes most of the time: who fails less has less "
    "to win, and whose calls are short saves less time."
)


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


def saved(rows: Sequence[Row], known: Clock, methods: Sequence[str]) -> Iterator[str]:
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
    if table:
        yield WORDS
        yield ""
        heads = ["setting", "task"]
        for name in ("success", "planning", "tokens"):
            heads += [name, "paper"]
        yield from markdown(heads, table, left=2)
        yield ""


def _changes(rows: Sequence[Row], known: Clock, methods: Sequence[str]) -> list[Change]:
    """Of one job, planner by planner."""
    both = ((select(rows, method=a), select(rows, method=b)) for a, b in pairs(methods))
    return [change(a, b, known) for a, b in both if a and b]


def _mean(values: Sequence[float]) -> str:
    known = [v for v in values if not math.isnan(v)]
    return f"{mean(known):+.0f}" if known else NONE
