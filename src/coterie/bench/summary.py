"""Numbers of many episodes: means with intervals over any selection of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from coterie.bench.results import Row
from coterie.bench.statistics import Estimate, Paired, bootstrap, group_mean, paired
from coterie.bench.suites import CHANGE_STEP, TASKS, arrow
from coterie.worlds.indoor.bodies import TEAMS
from coterie.worlds.indoor.tasks.changes import TRANSITIONS
from coterie.worlds.indoor.tasks.difficulty import LEVELS

#: Column heads of the five metrics, in the order of the paper.
METRICS = {"succ": "SUCC ↑", "ps": "PS ↑", "ts": "TS ↓", "as": "AS ↓", "cc": "CC ↓"}
DYNAMIC = ("cto", "irz", "anc", "rec")
SETTING_NAMES = {
    "static": "static (easy, medium, hard)",
    "static-search": "static (medium-search)",
    "cto": "CTO",
    "irz": "IRZ",
    "anc": "ANC",
    "rec": "REC",
    "real": "real (noise)",
    "s1": "S1 (random)",
    "s2": "S2 (all similar)",
    "s3": "S3 (all different)",
    "cache": "cache sizes",
    "rocobench": "RoCoBench",
}


_ARROWS = tuple(arrow(a, b) for a, b in TRANSITIONS) + tuple(arrow(b, a) for a, b in TRANSITIONS)
_ORDER: dict[str, Sequence[str]] = {
    "setting": tuple(SETTING_NAMES),
    "task": TASKS,
    "level": LEVELS,
    "team": TEAMS,
    "transition": _ARROWS,
    "group": ("2 types", "3 types", "4 types", *_ARROWS),
}


def value(row: Row, metric: str) -> float:
    return float(row["success"] if metric == "succ" else row[metric])


def label(row: Row, name: str) -> Any:
    return row["labels"].get(name)


def scored(rows: Iterable[Row]) -> list[Row]:
    """Rows of episodes that were played; a task that could not be drawn has none."""
    return [r for r in rows if "error" not in r]


def select(rows: Iterable[Row], **labels: Any) -> list[Row]:
    """`select(rows, method="rules", setting="cto")`"""
    method = labels.pop("method", None)
    return [
        r
        for r in rows
        if (method is None or r["method"] == method) and all(label(r, k) == v for k, v in labels.items())
    ]


def standard(rows: Iterable[Row]) -> list[Row]:
    """Without the sweeps: changes at the usual step, and as many zones as the seed says."""
    return [
        r
        for r in rows
        if label(r, "change_step") in (None, CHANGE_STEP)
        and not (label(r, "change") == "irz" and label(r, "change_detail"))
    ]


def distinct(rows: Iterable[Row], name: str) -> list[Any]:
    """The values of a label, in the order of the paper where there is one."""
    found = dict.fromkeys(label(r, name) for r in rows)
    order = {v: i for i, v in enumerate(_ORDER.get(name, ()))}
    return sorted(found, key=lambda v: (order.get(v, len(order)), str(v)))


def groups(rows: Sequence[Row]) -> list[tuple[Any, Any]]:
    """What averages weigh equally: settings, and in each its team sizes or transitions."""
    return [(label(r, "setting"), label(r, "group")) for r in rows]


def mean(rows: Sequence[Row], metric: str) -> float:
    return group_mean([value(r, metric) for r in rows], groups(rows))


def cost(rows: Sequence[Row], key: str) -> float:
    """Calls or tokens per episode, weighed as the metrics are."""
    return group_mean([float(r[key]) for r in rows], groups(rows))


def estimate(rows: Sequence[Row], metric: str | Callable[[Row], float]) -> Estimate:
    read = metric if callable(metric) else (lambda r: value(r, metric))
    shares = metric in ("succ", "ps")
    return bootstrap([read(r) for r in rows], groups(rows), metric if isinstance(metric, str) else "", shares=shares)


def compare(rows: Sequence[Row], first: str, second: str, metric: str) -> Paired:
    """Two methods on the episodes that both have played."""
    mine = {r["key"]: r for r in rows if r["method"] == first}
    theirs = {r["key"]: r for r in rows if r["method"] == second}
    keys = [k for k in mine if k in theirs]
    return paired(
        [value(mine[k], metric) for k in keys],
        [value(theirs[k], metric) for k in keys],
        groups([mine[k] for k in keys]),
        seed=metric,
    )


def overview(rows: Sequence[Row], methods: Iterable[str]) -> dict[str, dict[str, Any]]:
    """One entry per method, as `coterie bench --json` prints it."""
    found: dict[str, dict[str, Any]] = {}
    for method in methods:
        mine = select(scored(rows), method=method)
        entry: dict[str, Any] = {"episodes": len(mine), **dict.fromkeys((*METRICS, "calls", "tokens", "succ_ci"))}
        if mine:
            succ = estimate(mine, "succ")
            entry |= {m: round(mean(mine, m), 6) for m in METRICS}
            entry |= {k: round(cost(mine, k), 4) for k in ("calls", "tokens")}
            if not math.isnan(succ.low):  # null where there are too few episodes for an interval
                entry["succ_ci"] = [round(succ.low, 6), round(succ.high, 6)]
        found[method] = entry
    return found
