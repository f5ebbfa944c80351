"""The report's section on arms at the table: planning time, what the memo did, the MeCo paper's figures beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from coterie.bench.results import Row
from coterie.bench.sections import by_setting
from coterie.bench.studies.meco import paper
from coterie.bench.studies.meco.numbers import (
    OUTLIER,
    PARTS,
    Clock,
    clock,
    on_table,
    saved,
    seconds,
    spread_of_parts,
    truncated_sd,
    use,
    warm,
)
from coterie.bench.studies.meco.numbers import mean as mean_of
from coterie.bench.study import setting_name
from coterie.bench.summary import by_method, cost, distinct, estimate, label, scored, select
from coterie.bench.table import NONE, number, paragraph, share, told, with_interval


def planning_and_memo(rows: Sequence[Row], walls: Iterable[Row], methods: Sequence[str]) -> Iterator[str]:
    """The section; nothing when no episode was played at the table."""
    every = on_table(rows)
    mine, known = scored(every), clock(walls)
    if not every:
        return
    if mine:
        heads = [
            "n",
            "SUCC ↑",
            "planning [s] ↓",
            "parts",
            "lookup [ms]",
            "calls",
            "tokens ↓",
            "hits",
            "failed",
            "alone",
        ]
        words = paragraph("planning", outlier=OUTLIER, parts=PARTS, least=2 * PARTS)
        yield from told(words, ["setting", "task", "method", *heads], _lines(mine, known, methods), left=3)
        yield from once_warm(mine, methods)
    yield from cut_short(every)
    yield from alike_after_all(mine, methods)
    if mine:
        yield from saved(mine, known, methods)
        yield from _beside(mine, known, methods)


def _lines(rows: Sequence[Row], known: Clock, methods: Sequence[str]) -> Iterator[list[str]]:
    for setting in distinct(rows, "setting"):
        here = select(rows, setting=setting)
        tasks = distinct(here, "task")
        for task in (*tasks, *((None,) if len(tasks) > 1 else ())):
            for method, cell in by_method(select(here, task=task) if task else here, methods):
                yield [setting_name(setting), task or "all", method, *_cells(cell, known)]


def once_warm(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """The effect of a memo that knows something: without the episodes before the first solved task of each job."""
    lines = []
    for method in methods:
        mine = warm([r for r in select(rows, method=method) if "memo_hits" in r])
        for setting in distinct(mine, "setting"):
            found = use(select(mine, setting=setting))
            if found is not None:
                alone, failed = share(found.alone, found.episodes), share(found.failed, found.hits)
                lines.append(
                    f"- {setting_name(setting)}, {method}: {alone} alone; of the reused plans {failed} failed."
                )
    return _listed("Once the memo knows a task of the job:", lines)


def _listed(words: str, lines: Sequence[str]) -> list[str]:
    return [words, "", *lines, ""] if lines else []


def _cells(rows: Sequence[Row], known: Clock) -> list[str]:
    times = seconds(rows, known)
    lookups = seconds(rows, known, "lookup_s")
    found = use(rows)
    memo = [NONE] * 3
    if found is not None:
        memo = [share(found.hits, found.episodes), share(found.failed, found.hits), share(found.alone, found.episodes)]
    return [
        str(len(rows)),
        with_interval(estimate(rows, "succ")),
        _plus_minus(times),
        number(spread_of_parts(times), 2),
        number(1000 * mean_of(lookups), 1) if found is not None else NONE,
        *(number(cost(rows, k), d) for k, d in (("calls", 1), ("tokens", 0))),
        *memo,
    ]


def _plus_minus(times: Sequence[float]) -> str:
    away = truncated_sd(times)
    return number(mean_of(times), 2) + (f" ± {away:.2f}" if away is not None else "")


def cut_short(rows: Sequence[Row]) -> list[str]:
    """A line for each job of which there are fewer tasks than the suite asks for."""
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(row["key"], row)
    asked: dict[tuple[object, object], list[Row]] = {}
    for row in first.values():
        asked.setdefault((label(row, "setting"), label(row, "task")), []).append(row)
    lines = []
    for (setting, task), cell in sorted(asked.items(), key=str):
        missing = [r for r in cell if "error" in r]
        if missing:
            played = f"{len(cell) - len(missing)} of {len(cell)} episodes were played"
            lines.append(f"- {setting_name(setting)}, {task}: {played}. {missing[0]['error']}")
    return _listed("Streams that end early:", lines)


def alike_after_all(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Where arms share their space only trajectories tell whether tasks are similar; a suite of different ones can only
    draw at random, and this says how often that was not enough."""
    lines = []
    for task in distinct(rows, "task"):
        for method in methods:
            found = use(select(rows, setting="s3", task=task, method=method))
            if found is not None and found.hits:
                had = f"{found.hits} of {found.episodes} tasks had a similar one"
                lines.append(f"- {setting_name('s3')}, {task}, {method}: {had} all the same.")
    return _listed("Tasks that are drawn at random, since only trajectories tell whether they are similar:", lines)


def _beside(rows: Sequence[Row], known: Clock, methods: Sequence[str]) -> list[str]:
    """Ours and the paper's Tab. 1, job by job; ablations of the paper where ours were played."""
    table = []
    theirs = [n for n in paper.MECO_JOBS if n in (paper.MECO, paper.LLM_ALONE) or any(n in m for m in methods)]
    for task in (t for t in distinct(rows, "task") if t in paper.MECO_JOBS[paper.MECO]):
        for setting, here in by_setting(rows):
            for method, cell in by_method(select(here, task=task), methods):
                tokens = mean_of([float(r["tokens"]) for r in cell])
                costs = [number(mean_of(seconds(cell, known)), 2), number(tokens, 0)]
                table.append([task, method, setting, number(estimate(cell, "succ").mean, 2), *costs])
        for name in theirs:
            found = paper.MECO_JOBS[name][task]
            who = name if name in (paper.MECO, paper.LLM_ALONE) else f"MeCo, {name}"
            costs = [number(found.planning_s, 2), number(float(found.tokens), 0)]
            table.append([task, who, "the paper", number(found.succ, 2), *costs])
    words = paragraph("table_1", model=paper.MECO_MODEL)
    return told(words, ["task", "method", "setting", "SUCC ↑", "planning [s] ↓", "tokens ↓"], table, left=3)
