"""Numbers of many episodes: means with intervals over any selection of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from coterie.bench.results import Row
from coterie.bench.statistics import Estimate, Paired, bootstrap, group_mean, paired
from coterie.bench.study import order_of

#: Column heads of the five metrics, in their order.
METRICS = {"succ": "SUCC ↑", "ps": "PS ↑", "ts": "TS ↓", "as": "AS ↓", "cc": "CC ↓"}


#: Column heads of what robots said, in an episode.
TALK = {
    "messages": "messages",
    "message_bytes": "their bytes",
    "said": "talk inside decisions",
    "said_bytes": "its bytes",
}


def talk_of(rows: Sequence[Row]) -> dict[str, str]:
    """The kinds of messages that were counted in all these episodes and are not zero: rows of an older Coterie did not
    count it."""
    counted = {k: head for k, head in TALK.items() if rows and len(known(rows, k)) == len(rows)}
    return counted if any(some(rows, k) for k in counted) else {}


def column(metric: str) -> str:
    """The column of a row that holds it."""
    return "success" if metric == "succ" else metric


def metrics_of(rows: Sequence[Row]) -> dict[str, str]:
    """The metrics that make sense of some of these episodes, with their heads."""
    return {m: head for m, head in METRICS.items() if known(rows, m)}


def label(row: Row, name: str) -> Any:
    return row["labels"].get(name)


def scored(rows: Iterable[Row]) -> Sequence[Row]:
    """Rows of episodes that were played; a task that could not be drawn has none."""
    return [r for r in rows if "error" not in r]


def select(rows: Iterable[Row], **labels: Any) -> Sequence[Row]:
    """`select(rows, method="rules", setting="cto")`"""
    method = labels.pop("method", None)
    return [
        r
        for r in rows
        if (method is None or r["method"] == method) and all(label(r, k) == v for k, v in labels.items())
    ]


def by_method(rows: Sequence[Row], methods: Iterable[str]) -> list[tuple[str, Sequence[Row]]]:
    """The rows of each method that has any."""
    return [(m, mine) for m in methods if (mine := select(rows, method=m))]


def distinct(rows: Iterable[Row], name: str) -> list[Any]:
    """The values of a label, in the order of its study where there is one."""
    found = dict.fromkeys(label(r, name) for r in rows)
    order = {v: i for i, v in enumerate(order_of(name))}
    return sorted(found, key=lambda v: (order.get(v, len(order)), str(v)))


def groups(rows: Sequence[Row]) -> list[tuple[Any, ...]]:
    """The groups that averages weigh equally: settings, and in each its groups, such as sizes of teams."""
    return [(label(r, "setting"), label(r, "group")) for r in rows]


def known(rows: Sequence[Row], metric: str) -> Sequence[Row]:
    """Those of which this number makes sense: nobody counts messages where no robot can send any."""
    return [r for r in rows if column(metric) in r]


def values(rows: Sequence[Row], metric: str) -> list[float]:
    return [float(r[column(metric)]) for r in rows]


def some(rows: Sequence[Row], key: str) -> bool:
    """Is this number other than 0 in any of these rows, which all have it?"""
    return any(r[key] for r in rows)


def cost(rows: Sequence[Row], metric: str) -> float:
    """A metric, or calls or tokens, per episode: its weighed mean over rows that all have it."""
    return group_mean(values(rows, metric), groups(rows))


def estimate(rows: Sequence[Row], metric: str | Callable[[Row], float]) -> Estimate:
    if callable(metric):
        return bootstrap([metric(r) for r in rows], groups(rows), "")
    rows = known(rows, metric)
    return bootstrap(values(rows, metric), groups(rows), metric, shares=metric in ("succ", "ps"))


def compare(rows: Sequence[Row], first: str, second: str, metric: str) -> Paired:
    """Two methods on the episodes that both have played."""
    one, other = ({r["key"]: r for r in known(select(rows, method=m), metric)} for m in (first, second))
    mine, theirs = ([of[key] for key in one if key in other] for of in (one, other))
    return paired(values(mine, metric), values(theirs, metric), groups(mine), seed=metric)


def overview(rows: Sequence[Row], methods: Iterable[str]) -> dict[str, dict[str, Any]]:
    """One entry per method, as `coterie bench --json` prints it."""
    found: dict[str, dict[str, Any]] = {}
    for method in methods:
        mine = select(scored(rows), method=method)
        entry: dict[str, Any] = {
            "episodes": len(mine),
            **dict.fromkeys((*METRICS, *TALK, "calls", "tokens", "succ_ci")),
        }
        if mine:
            succ = estimate(mine, "succ")
            entry |= {m: round(cost(known(mine, m), m), 6) for m in metrics_of(mine)}
            entry |= {k: round(cost(mine, k), 4) for k in (*(k for k in TALK if k in mine[0]), "calls", "tokens")}
            if not math.isnan(succ.low):  # null where there are too few episodes for an interval
                entry["succ_ci"] = [round(succ.low, 6), round(succ.high, 6)]
        found[method] = entry
    return found
