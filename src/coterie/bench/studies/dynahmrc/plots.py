"""Figures of the DynaHMRC paper, drawn from the rows of a bench."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.bench.drawing import TITLES, colour, figure, patches, stacked, tick
from coterie.bench.results import Row
from coterie.bench.statistics import FEWEST, spearman
from coterie.bench.studies.dynahmrc.coordination import first_leaders, resolutions
from coterie.bench.studies.dynahmrc.sections import DYNAMIC, standard
from coterie.bench.summary import distinct, label, select
from coterie.core.lazy import np


def fewest(rows: Sequence[Row], methods: Sequence[str]) -> int:
    """The number of episodes in the smallest box."""
    sizes = [len(select(rows, method=m, level=v)) for m in methods for v in distinct(rows, "level")]
    return min(sizes, default=0)


def at_medium(rows: Sequence[Row]) -> list[Row]:
    """For the comparison of settings: all at the same level, so static means medium-search here."""
    return [r for r in standard(rows) if label(r, "setting") in ("static-search", *DYNAMIC)]


# -- targets against PS and TS (Fig. 10) ----------------------------------------------------------------------------
def scatter(rows: Sequence[Row], methods: Sequence[str]) -> Any:
    """Circles grow with the number of episodes at the same point; the line joins the means."""
    counts = sorted({r["about"]["targets"] for r in rows})
    if len(counts) < 2:
        return None
    drawn, axes = figure(7.2, 0.5 + 1.9 * len(methods), nrows=len(methods), ncols=2, squeeze=False)
    highest = max(float(r["ts"]) for r in rows)
    for i, method in enumerate(methods):
        mine = select(rows, method=method)
        x = [r["about"]["targets"] for r in mine]
        for axis, metric in zip(axes[i], ("ps", "ts")):
            y = [float(r[metric]) for r in mine]
            points, many = np.unique(np.column_stack([x, y]), axis=0, return_counts=True)
            axis.scatter(
                points[:, 0], points[:, 1], s=7 * many, color=colour(i), alpha=0.55, linewidths=0, clip_on=False
            )
            means = [np.mean([v for n, v in zip(x, y) if n == c]) for c in sorted(set(x))]
            axis.plot(sorted(set(x)), means, color="#222222", linewidth=1.1, marker="o", markersize=3)
            rho = spearman(x, y)
            found = (
                f"always the same {metric.upper()}" if np.isnan(rho) else f"ρ(targets, {metric.upper()}) = {rho:+.2f}"
            )
            axis.set_title(f"{method}: {found}")
            axis.set_xticks(counts)
            axis.set_xlim(counts[0] - 0.5, counts[-1] + 0.5)
            axis.set_ylim((-0.1, 1.12) if metric == "ps" else (0, 1.06 * highest))
            if metric == "ps":
                axis.set_yticks(np.arange(0, 1.01, 0.2))
            axis.set_ylabel(TITLES[metric])
            if i == len(methods) - 1:
                axis.set_xlabel("number of targets")
    return drawn


# -- boxes on Pack Objects (Fig. 13) --------------------------------------------------------------------------------
def boxes(rows: Sequence[Row], methods: Sequence[str]) -> Any:
    """TS, AS and CC of single episodes over the levels; dashed lines are step limits."""
    levels = distinct(rows, "level")
    if fewest(rows, methods) < FEWEST:
        return None
    drawn, axes = figure(7.2, 2.7, nrows=1, ncols=3)
    width = 0.8 / len(methods)
    for axis, metric in zip(axes, ("ts", "as", "cc")):
        for i, method in enumerate(methods):
            data = [[float(r[metric]) for r in select(rows, method=method, level=v)] for v in levels]
            x = np.arange(len(levels)) + (i - (len(methods) - 1) / 2) * width
            found = axis.boxplot(
                data, positions=x, widths=width * 0.8, patch_artist=True, manage_ticks=False,
                medianprops={"color": "#222222", "linewidth": 1.1},
                whiskerprops={"linewidth": 0.7}, capprops={"linewidth": 0.7},
                flierprops={"marker": "o", "markersize": 1.8, "markerfacecolor": colour(i), "markeredgewidth": 0},
            )  # fmt: skip
            for box in found["boxes"]:
                box.set(facecolor=colour(i), linewidth=0.7)
        if metric == "ts":
            for k, level in enumerate(levels):
                limit = select(rows, level=level)[0]["limit"]
                axis.hlines(limit, k - 0.45, k + 0.45, color="#888888", linewidth=0.8, linestyle=(0, (3, 2)))
                spot = {"xytext": (0, 1.5), "textcoords": "offset points", "ha": "center", "va": "bottom"}
                axis.annotate(f"limit {limit}", (k, limit), fontsize=6.5, color="#666666", **spot)
        axis.set_title(TITLES[metric])
        axis.set_xticks(range(len(levels)), [tick(v, len(levels)) for v in levels])
        axis.set_xlim(-0.55, len(levels) - 0.45)
        axis.set_ylim(bottom=0)
    columns = min(len(methods), 6)
    drawn.legend(handles=patches(methods, False), loc="outside upper center", ncols=columns, handlelength=1.4)
    return drawn


# -- elections (Fig. 15, 16) ----------------------------------------------------------------------------------------
def elections(rows: Sequence[Row], methods: Sequence[str]) -> Any:
    """How elections were settled: shares of one bar a method."""
    lines = []
    for method in methods:
        voted = [e for r in select(rows, method=method) for e in r["elections"] if e["rounds"]]
        if voted:
            lines.append((f"{method} ({len(voted)})", resolutions(voted)))
    if not lines:
        return None
    drawn, axis = figure(7.2, 0.9 + 0.3 * len(lines))
    stacked(drawn, axis, lines, "share of elections")
    return drawn


def leaders(rows: Sequence[Row], methods: Sequence[str]) -> Any:
    """The first leaders: a panel a method, a bar a team."""
    held = [m for m in methods if first_leaders(select(rows, method=m))]
    if not held:
        return None
    bodies = sorted(set(first_leaders(rows)))
    teams = [t for t in distinct(rows, "team") if first_leaders(select(rows, team=t))]
    drawn, axes = figure(7.2, 0.6 + len(held) * (0.35 + 0.22 * len(teams)), nrows=len(held), squeeze=False)
    for i, (axis, method) in enumerate(zip(axes[:, 0], held)):
        lines = []
        for team in teams:
            found = first_leaders(select(rows, method=method, team=team))
            if found:
                lines.append((f"{team} ({len(found)})", {b: found.count(b) for b in bodies}))
        last = i == len(held) - 1
        stacked(drawn if i == 0 else None, axis, lines, "share of first elections" if last else "")
        axis.set_title(method)
        if not last:
            axis.set_xticklabels([])
    return drawn
