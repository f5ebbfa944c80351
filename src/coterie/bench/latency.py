"""How long model calls took, by stage and by the size of the team.

The figures come from the ledgers of the episodes, which the bench keeps in `wall.jsonl`. They belong to one machine and
one moment: two runs of the same thing give the same scores and other latencies.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from coterie.bench.results import Row
from coterie.bench.sections import by_composition, by_setting, per_episode
from coterie.bench.study import stage_legends, stage_order
from coterie.bench.summary import by_method, some
from coterie.bench.table import NONE, markdown, number, paragraph, told
from coterie.core.lazy import np


class Timed(NamedTuple):
    """One call; prefill is the time until the first token of the reply. Both parts where the model tells them."""

    method: str
    robots: int
    stage: str
    tokens_in: int
    cached: int
    tokens_out: int
    seconds: float
    prefill_s: float | None
    generate_s: float | None


def timeable(wall: Row) -> bool:
    """True if a line of `wall.jsonl` is valid: anybody may have touched it."""
    calls = wall.get("calls", [])
    return isinstance(calls, list) and all(
        isinstance(call, list)
        and len(call) == len(Timed._fields) - 2
        and isinstance(call[0], str)
        and all(type(n) is int for n in call[1:4])
        and all(type(s) in (int, float) for s in call[4:] if s is not None)
        and call[4] is not None
        for call in calls
    )


def timed_calls(rows: Iterable[Row], walls: Iterable[Row]) -> list[Timed]:
    """All calls of these episodes whose time is known."""
    asked = {(wall["key"], wall["method"]): wall for wall in walls if wall.get("calls")}
    found = []
    for row in rows if asked else ():
        wall = asked.get((row["key"], row["method"]))
        if wall is not None and "robots" in row:
            robots = len(row["robots"])
            found += [Timed(wall["method"], robots, *call) for call in wall["calls"]]
    return found


def latency(calls: Sequence[Timed], methods: Sequence[str]) -> Iterator[str]:
    """The section of the report; nothing for models that answer at once."""
    if not calls:
        return
    yield from (paragraph("latency"), "")
    heads = ["calls", "tokens in", "cached", "out", "prefill", "generation", "total", "p95", "longest", "tokens/s"]
    table = []
    for method in methods:
        mine = [c for c in calls if c.method == method]
        for stage in stage_order(c.stage for c in mine):
            table.append([method, stage, *_cells([c for c in mine if c.stage == stage])])
        if mine:
            table.append([method, "all", *_cells(mine)])
    yield from markdown(["method", "stage", *heads], table, left=2)
    yield "By the number of robots that took part; mean ± standard deviation over calls."
    yield ""
    table = [
        [method, str(n), *_sized([c for c in calls if (c.method, c.robots) == (method, n)])]
        for method in methods
        for n in sorted({c.robots for c in calls if c.method == method})
    ]
    heads = ["calls", "tokens in", "out", "prefill", "generation", "total", "prefill share", "tokens/s"]
    yield from markdown(["method", "robots", *heads], table)


def _cells(calls: Sequence[Timed]) -> list[str]:
    seconds = [c.seconds for c in calls]
    sizes = [number(statistics.fmean(getattr(c, k) for c in calls), 0) for k in ("tokens_in", "cached", "tokens_out")]
    known = [_known(calls, k) for k in ("prefill_s", "generate_s")]
    parts = [number(statistics.fmean(values) if values else None, 2) for values in known]
    ends = [number(x, 2) for x in (statistics.fmean(seconds), float(np.quantile(seconds, 0.95)), max(seconds))]
    return [str(len(calls)), *sizes, *parts, *ends, number(_speed(calls), 1)]


def _sized(calls: Sequence[Timed]) -> list[str]:
    parts = [_spread([float(getattr(c, k)) for c in calls], 0) for k in ("tokens_in", "tokens_out")]
    parts += [_spread(_known(calls, k), 2) for k in ("prefill_s", "generate_s")]
    parts.append(_spread([c.seconds for c in calls], 2))
    before, after = math.fsum(_known(calls, "prefill_s")), math.fsum(_known(calls, "generate_s"))
    share = f"{100 * before / (before + after):.0f}%" if before + after else NONE
    return [str(len(calls)), *parts, share, number(_speed(calls), 1)]


def _known(calls: Sequence[Timed], name: str) -> list[float]:
    return [value for c in calls if (value := getattr(c, name)) is not None]


def _speed(calls: Sequence[Timed]) -> float | None:
    """Tokens of replies a second."""
    seconds = math.fsum(c.seconds if c.generate_s is None else c.generate_s for c in calls)
    return sum(c.tokens_out for c in calls) / seconds if seconds else None


def _spread(values: Sequence[float], digits: int) -> str:
    away = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.fmean(values):.{digits}f} ± {away:.{digits}f}" if values else NONE


def calls(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Calls per episode and tokens per call for each stage, and both by setting and team."""
    if not some(rows, "calls"):
        return
    table, asking = [], [m for m, mine in by_method(rows, methods) if some(mine, "calls")]
    for method, mine in by_method(rows, asking):
        for stage in stage_order(s for r in mine for s in r["stages"]):
            table.append([method, stage, *_costs(mine, (r["stages"].get(stage, {}) for r in mine))])
        table.append([method, "all", *_costs(mine, (s for r in mine for s in r["stages"].values()))])
    heads = ["calls per episode", "tokens per call", "of these in the reply", "tokens per episode"]
    legends = stage_legends(s for r in rows for s in r["stages"])
    words = f"By stage: {'; '.join(legends)}." if legends else "By stage."
    yield from told(words, ["method", "stage", *heads], table, left=2)
    kinds = by_setting(rows)
    table = [
        [setting, method, *_costs(mine, (s for r in mine for s in r["stages"].values()))]
        for setting, here in (kinds if len(kinds) > 1 else ())
        for method, mine in by_method(here, methods)
        if some(mine, "calls")
    ]
    yield from told("", ["setting", "method", *heads], table, left=2)
    yield from by_composition(rows, asking, {"calls": 1, "tokens": 0})


def _costs(rows: Sequence[Row], stages: Iterable[dict[str, int]]) -> list[str]:
    calls = tokens = out = 0
    for stage in stages:
        calls, tokens = calls + stage.get("calls", 0), tokens + stage.get("tokens", 0)
        out += stage.get("tokens_out", 0)
    each = [number(x / calls if calls else None, 1) for x in (tokens, out)]
    return [number(calls / len(rows), 2), *each, number(tokens / len(rows), 0)]


def loops(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Counts of unreadable replies, and of actions and messages that were repeated."""
    if not some(rows, "calls"):
        return []
    heads = {
        "unreadable": "unreadable replies",
        "asked_again": "asked again",
        "reply_errors": "errors of the model",
        "repeated_failures": "repeated failures",
        "repeated_messages": "repeated messages",
    }
    lines = [[m, str(len(mine)), *(per_episode(mine, k) for k in heads)] for m, mine in by_method(rows, methods)]
    return told(paragraph("loops"), ["method", "n", *heads.values()], lines)
