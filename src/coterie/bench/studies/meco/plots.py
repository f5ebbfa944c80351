"""Figures of arms at the table: what each job took, as the MeCo paper's Fig. 5, and memos of many sizes (Fig. 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from coterie.bench.drawing import bar, figure, group_of_bars, patches
from coterie.bench.results import Row
from coterie.bench.studies.meco.numbers import Clock, mean, seconds, solved_before, truncated_sd
from coterie.bench.study import setting_name
from coterie.bench.summary import distinct, estimate, select
from coterie.core.lazy import np

SIZE = re.compile(r"[:-]k=(\d+)")
LINEAR = "no-selective"
WIDE = 7.2  # inches, at least
BINS = 8  # points of a line over a growing memo


def _columns(drawn: Any, names: Sequence[str]) -> int:
    """How many names stand side by side above a figure."""
    room = 13 * drawn.get_figwidth()  # characters
    return int(max(1, min(len(names), room // (max(map(len, names)) + 7))))


# -- what each job took (Fig. 5) --------------------------------------------------------------------------------------
def jobs(rows: Sequence[Row], known: Clock, methods: Sequence[str]) -> Any:
    """A column a setting; success, planning time and tokens from top to bottom; a group of bars a job."""
    if not rows:
        return None
    settings = distinct(rows, "setting")
    kinds = ["succ", "planning", *(["tokens"] if any(r["tokens"] for r in rows) else [])]
    drawn, axes = figure(
        max(WIDE, 3.4 * len(settings)), 0.6 + 1.8 * len(kinds), nrows=len(kinds), ncols=len(settings), squeeze=False
    )
    for column, setting in enumerate(settings):
        here = select(rows, setting=setting)
        tasks = distinct(here, "task")
        for line, kind in enumerate(kinds):
            axis = axes[line][column]
            for i, method in enumerate(methods):
                found = [_height(kind, select(here, task=t, method=method), known) for t in tasks]
                means, *errors = np.array(found).T
                group_of_bars(axis, means, np.array(errors), i, len(methods))
            axis.set_xticks(range(len(tasks)), [t.replace("-", "-\n") for t in tasks])
            if line == 0:
                axis.set_title(setting_name(setting))
            if column == 0:
                axis.set_ylabel({"succ": "success rate", "planning": "planning [s]", "tokens": "tokens"}[kind])
            axis.set_ylim(0, 1.04 if kind == "succ" else None)
    handles = patches(methods, True)
    drawn.legend(handles=handles, loc="outside upper center", ncols=_columns(drawn, methods), handlelength=1.8)
    return drawn


def _height(kind: str, rows: Sequence[Row], known: Clock) -> tuple[float, float, float]:
    """The mean of a bar, and how far its whiskers go down and up."""
    if not rows:
        return (np.nan, 0.0, 0.0)
    if kind == "planning":
        times = seconds(rows, known)
        away = truncated_sd(times) or 0.0
        return (mean(times), min(away, mean(times)), away)
    found = estimate(rows, "succ" if kind == "succ" else lambda r: float(r["tokens"]))
    low, high = (0.0 if np.isnan(v) else abs(found.mean - v) for v in (found.low, found.high))
    return (found.mean, low, high)


# -- memos of several sizes (Fig. 4) ----------------------------------------------------------------------------------
def size_of(method: str) -> int | None:
    """The size of the fast table that a method names."""
    found = SIZE.search(method)
    return int(found.group(1)) if found else None


def cache(rows: Sequence[Row], known: Clock, methods: Sequence[str]) -> Any:
    """Above, planning time by the size of the memo; below, what a lookup took as the memo grew. A column a job."""
    rows = select(rows, setting="cache")
    with_memo = [m for m in methods if any("memo_hits" in r for r in select(rows, method=m))]
    if len(with_memo) < 2:
        return None
    tasks = distinct(rows, "task")
    drawn, axes = figure(max(WIDE, 2.9 * len(tasks)), 4.6, nrows=2, ncols=len(tasks), squeeze=False)
    for column, task in enumerate(tasks):
        here = select(rows, task=task)
        _by_size(axes[0][column], here, known, methods)
        for i, method in enumerate(with_memo):
            _as_it_grows(axes[1][column], select(here, method=method), known, method, bar(i)["color"])
        axes[0][column].set_title(str(task))
        axes[0][column].set_xlabel("tasks in the fast table")
        axes[1][column].set_xlabel("tasks solved before")
    axes[0][0].set_ylabel("planning [s]")
    axes[1][0].set_ylabel("lookup [ms]")
    handles, names = axes[1][0].get_legend_handles_labels()
    drawn.legend(handles, names, loc="outside upper center", ncols=_columns(drawn, names), handlelength=1.8)
    return drawn


def _by_size(axis: Any, rows: Sequence[Row], known: Clock, methods: Sequence[str]) -> None:
    """Sizes as points; what has no size (no memo, the paper's search through all tasks) as a line across."""
    sized = sorted((size, m) for m in methods if (size := size_of(m)) is not None)
    means = [mean(seconds(select(rows, method=m), known)) for _, m in sized]
    axis.plot([size for size, _ in sized], means, color="#222222", marker="o", markersize=3.5, linewidth=1.1)
    for k, method in enumerate(m for m in methods if size_of(m) is None):
        level = mean(seconds(select(rows, method=method), known))
        if not np.isnan(level):
            axis.axhline(level, color="#888888", linewidth=0.9, linestyle=(0, (3 + 2 * k, 2)))
            spot = {"xytext": (2, 1.5), "textcoords": "offset points", "fontsize": 6, "color": "#555555"}
            axis.annotate(method, (axis.get_xlim()[0], level), **spot)
    axis.set_xticks([size for size, _ in sized])
    axis.set_ylim(bottom=0)


def _as_it_grows(axis: Any, rows: Sequence[Row], known: Clock, name: str, colour: str) -> None:
    order = solved_before(rows)
    timed = [(order[r["key"]], 1000 * s) for r in rows for s in seconds([r], known, "lookup_s")]
    if not timed:
        return
    parts = np.array_split(np.array(sorted(timed)), min(BINS, len(timed)))
    x, y = ([float(np.mean(p[:, k])) for p in parts] for k in (0, 1))
    dashes = (0, (3, 1.5)) if LINEAR in name else "-"
    axis.plot(x, y, color=colour, linestyle=dashes, marker="o", markersize=3, linewidth=1.2, label=name)
    axis.set_ylim(bottom=0)
