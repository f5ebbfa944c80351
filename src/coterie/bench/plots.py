"""The figures of a bench, drawn from its rows. matplotlib is imported here and nowhere else.

Bars carry the same 95% intervals as the tables. Colours follow the methods in the order they were named (a palette
that stays apart for colour-blind readers), and hatches tell them apart in print.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from coterie.bench.report import first_leaders, resolutions
from coterie.bench.results import Row, remove_plots
from coterie.bench.runner import Bench
from coterie.bench.statistics import FEWEST, spearman
from coterie.bench.studies.dynahmrc.sensitivity import matched
from coterie.bench.studies.meco import plots as table_plots
from coterie.bench.summary import DYNAMIC, METRICS, distinct, estimate, label, scored, select, standard
from coterie.core.errors import CoterieError

MISSING = "Plots need matplotlib; install it with: pip install 'coterie[plots]'."
PALETTE = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#7F7F7F",
    "#1B3A6B", "#8C5A00", "#7FCDBB", "#6A3D7C",
)  # fmt: skip
HATCHES = ("", "///", "\\\\\\", "xxx", "|||", "---", "++", "oo", "..", "//", "\\\\", "xx")
MANY = 5  # methods; with more, figures are larger and the legend stands above them
TITLES = {
    "succ": "Success rate (SUCC)",
    "ps": "Partial success (PS)",
    "ts": "Temporal steps (TS)",
    "as": "Action steps (AS)",
    "cc": "Communication (CC)",
}
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#D9D9D9",
    "grid.linewidth": 0.5,
    "xtick.major.size": 0,
    "ytick.major.size": 2.5,
    "ytick.major.width": 0.6,
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}


def draw_all(bench: Bench, notes: list[str] | None = None) -> list[Path]:
    """Every figure that the rows allow, as PNG and PDF in `folder/plots`; the PNGs are returned.

    `notes` takes sentences about figures that the rows do not allow."""
    try:
        import matplotlib
    except ImportError:
        raise CoterieError(MISSING) from None
    rows, methods = scored(bench.rows), [m.name for m in bench.methods]
    static = [r for r in rows if label(r, "setting") in ("static", "static-search")]
    packs = [r for r in static if label(r, "task") == "pack-objects"]
    makers: dict[str, Callable[[], Any]] = {
        "difficulty": lambda: bars(static, methods, "level"),
        "team_size": lambda: bars(select(rows, setting="static"), methods, "group"),
        "settings": lambda: bars(at_medium(rows), methods, "setting"),
        "targets": lambda: scatter(matched(rows), methods),
        "pack_boxes": lambda: boxes(packs, methods),
        "elections": lambda: elections(rows, methods),
        "leaders": lambda: leaders(rows, methods),
        **table_plots.makers(rows, bench.walls, methods, _figure, _bar, _patches),
    }
    fewest = _fewest(packs, methods)
    if notes is not None and 0 < fewest < FEWEST:
        notes.append(
            f"No box plot of Pack Objects: a box needs {FEWEST} episodes, and there are {fewest} at some level."
        )
    folder = bench.folder / "plots"
    drawn: list[Path] = []
    with matplotlib.rc_context(STYLE):
        for name, make in makers.items():
            figure = make()
            if figure is None:
                continue
            folder.mkdir(exist_ok=True)
            figure.savefig(folder / f"{name}.png", dpi=220)
            figure.savefig(folder / f"{name}.pdf", metadata={"CreationDate": None})
            drawn.append(folder / f"{name}.png")
    remove_plots(bench.folder, keep=[path.stem for path in drawn])
    return drawn


def _fewest(rows: Sequence[Row], methods: Sequence[str]) -> int:
    """The number of episodes in the smallest box."""
    sizes = [len(select(rows, method=m, level=v)) for m in methods for v in distinct(rows, "level")]
    return min(sizes, default=0)


def at_medium(rows: Sequence[Row]) -> list[Row]:
    """For the comparison of settings: all at the same level, so static means medium-search here."""
    return [r for r in standard(rows) if label(r, "setting") in ("static-search", *DYNAMIC)]


def _figure(wide: float, high: float, **grid: Any) -> tuple[Any, Any]:
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    figure = Figure(figsize=(wide, high), layout=ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.06))
    return figure, figure.subplots(**grid)


def _colour(i: int) -> str:
    return PALETTE[i % len(PALETTE)]


def _bar(i: int) -> dict[str, Any]:
    return {"color": _colour(i), "hatch": HATCHES[i % len(HATCHES)]}


def _patches(methods: Sequence[str], hatched: bool) -> list[Any]:
    from matplotlib.patches import Patch

    return [
        Patch(
            facecolor=_colour(i),
            hatch=HATCHES[i % len(HATCHES)] if hatched else "",
            edgecolor="white" if hatched else "#222222",
            linewidth=0 if hatched else 0.7,
            label=method,
        )
        for i, method in enumerate(methods)
    ]


# -- bars with intervals (Fig. 5, 6, 7) -----------------------------------------------------------------------------
def bars(rows: Sequence[Row], methods: Sequence[str], by: str) -> Any:
    """The five metrics over the values of a label."""
    values = distinct(rows, by)
    if len(values) < 2:
        return None
    many = len(methods) > MANY
    figure, axes = _figure(*((11.0, 5.6) if many else (7.2, 3.9)), nrows=2, ncols=3)
    width = 0.8 / len(methods)
    for axis, metric in zip(axes.flat, METRICS):
        for i, method in enumerate(methods):
            found = [estimate(select(rows, method=method, **{by: v}), metric) for v in values]
            x = np.arange(len(values)) + (i - (len(methods) - 1) / 2) * width
            means = np.array([e.mean for e in found])
            errors = np.array([[e.mean - e.low for e in found], [e.high - e.mean for e in found]])
            errors = np.nan_to_num(errors)  # too few episodes for an interval
            axis.bar(
                x,
                means,
                width * 0.92,
                color=_colour(i),
                hatch=HATCHES[i % len(HATCHES)],
                edgecolor="white",
                linewidth=0,
            )
            wide = errors.max(axis=0) > 0
            whiskers = np.maximum(errors[:, wide], 0.0)
            axis.errorbar(x[wide], means[wide], whiskers, fmt="none", ecolor="#222222", elinewidth=0.8, capsize=1.8)
            for at, high in zip(x[means == 0], errors[1][means == 0]):  # a bar of no height is still a result
                axis.hlines(0, at - width * 0.46, at + width * 0.46, color=_colour(i), linewidth=2.2, clip_on=False)
                spot = {"xytext": (0, 2), "textcoords": "offset points", "ha": "center", "va": "bottom"}
                axis.annotate("0", (at, high), fontsize=4.5 if many else 6.5, color="#222222", **spot)
        axis.set_title(TITLES[metric])
        axis.set_xticks(range(len(values)), [_tick(v, len(values)) for v in values])
        axis.set_xlim(-0.55, len(values) - 0.45)
        if metric in ("succ", "ps"):
            axis.set_ylim(0, 1.04)
            axis.set_yticks(np.arange(0, 1.01, 0.2))
        else:
            axis.set_ylim(bottom=0)
    spare = axes.flat[-1]
    spare.axis("off")
    if many:
        figure.legend(handles=_patches(methods, True), loc="outside upper center", ncols=4, handlelength=1.8)
    else:
        spare.legend(handles=_patches(methods, True), loc="upper center", handlelength=1.8, fontsize=9)
    sizes = [len(select(rows, method=methods[0], **{by: v})) for v in values]
    count = str(sizes[0]) if len(set(sizes)) == 1 else f"{min(sizes)} to {max(sizes)}"
    note = f"Bars: means of {count} episodes.\nWhiskers: 95% intervals"
    note += f"\n(from {FEWEST} episodes on)." if min(sizes) < FEWEST else "."
    spare.text(0.5, 0.02, note, transform=spare.transAxes, ha="center", va="bottom", color="#555555")
    return figure


def _tick(v: Any, count: int) -> str:
    names = {"static-search": "static\nmedium-\nsearch", "medium-search": "medium-\nsearch"}
    text = names.get(v, str(v))
    if v in DYNAMIC:
        return text.upper()
    if v in names:
        return text
    return text.replace("-", "-\n") if count > 4 and len(text) > 8 else text


# -- targets against PS and TS (Fig. 10) ----------------------------------------------------------------------------
def scatter(rows: Sequence[Row], methods: Sequence[str]) -> Any:
    """Circles grow with the number of episodes at the same point; the line joins the means."""
    counts = sorted({r["about"]["targets"] for r in rows})
    if len(counts) < 2:
        return None
    figure, axes = _figure(7.2, 0.5 + 1.9 * len(methods), nrows=len(methods), ncols=2, squeeze=False)
    highest = max(float(r["ts"]) for r in rows)
    for i, method in enumerate(methods):
        mine = select(rows, method=method)
        x = [r["about"]["targets"] for r in mine]
        for axis, metric in zip(axes[i], ("ps", "ts")):
            y = [float(r[metric]) for r in mine]
            points, many = np.unique(np.column_stack([x, y]), axis=0, return_counts=True)
            axis.scatter(
                points[:, 0], points[:, 1], s=7 * many, color=_colour(i), alpha=0.55, linewidths=0, clip_on=False
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
    return figure


# -- boxes on Pack Objects (Fig. 13) --------------------------------------------------------------------------------
def boxes(rows: Sequence[Row], methods: Sequence[str]) -> Any:
    """TS, AS and CC of single episodes over the levels; dashed lines are step limits."""
    levels = distinct(rows, "level")
    if _fewest(rows, methods) < FEWEST:
        return None
    figure, axes = _figure(7.2, 2.7, nrows=1, ncols=3)
    width = 0.8 / len(methods)
    for axis, metric in zip(axes, ("ts", "as", "cc")):
        for i, method in enumerate(methods):
            data = [[float(r[metric]) for r in select(rows, method=method, level=v)] for v in levels]
            x = np.arange(len(levels)) + (i - (len(methods) - 1) / 2) * width
            drawn = axis.boxplot(
                data, positions=x, widths=width * 0.8, patch_artist=True, manage_ticks=False,
                medianprops={"color": "#222222", "linewidth": 1.1},
                whiskerprops={"linewidth": 0.7}, capprops={"linewidth": 0.7},
                flierprops={"marker": "o", "markersize": 1.8, "markerfacecolor": _colour(i), "markeredgewidth": 0},
            )  # fmt: skip
            for box in drawn["boxes"]:
                box.set(facecolor=_colour(i), linewidth=0.7)
        if metric == "ts":
            for k, level in enumerate(levels):
                limit = select(rows, level=level)[0]["limit"]
                axis.hlines(limit, k - 0.45, k + 0.45, color="#888888", linewidth=0.8, linestyle=(0, (3, 2)))
                spot = {"xytext": (0, 1.5), "textcoords": "offset points", "ha": "center", "va": "bottom"}
                axis.annotate(f"limit {limit}", (k, limit), fontsize=6.5, color="#666666", **spot)
        axis.set_title(TITLES[metric])
        axis.set_xticks(range(len(levels)), [_tick(v, len(levels)) for v in levels])
        axis.set_xlim(-0.55, len(levels) - 0.45)
        axis.set_ylim(bottom=0)
    columns = min(len(methods), 6)
    figure.legend(handles=_patches(methods, False), loc="outside upper center", ncols=columns, handlelength=1.4)
    return figure


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
    figure, axis = _figure(7.2, 0.9 + 0.3 * len(lines))
    _stacked(figure, axis, lines, "share of elections")
    return figure


def leaders(rows: Sequence[Row], methods: Sequence[str]) -> Any:
    """Who leads from the beginning: a panel a method, a bar a team."""
    held = [m for m in methods if first_leaders(select(rows, method=m))]
    if not held:
        return None
    bodies = sorted(set(first_leaders(rows)))
    teams = [t for t in distinct(rows, "team") if first_leaders(select(rows, team=t))]
    figure, axes = _figure(7.2, 0.6 + len(held) * (0.35 + 0.22 * len(teams)), nrows=len(held), squeeze=False)
    for i, (axis, method) in enumerate(zip(axes[:, 0], held)):
        lines = []
        for team in teams:
            found = first_leaders(select(rows, method=method, team=team))
            if found:
                lines.append((f"{team} ({len(found)})", {b: found.count(b) for b in bodies}))
        last = i == len(held) - 1
        _stacked(figure if i == 0 else None, axis, lines, "share of first elections" if last else "")
        axis.set_title(method)
        if not last:
            axis.set_xticklabels([])
    return figure


def _stacked(figure: Any, axis: Any, lines: Sequence[tuple[str, dict[str, int]]], words: str) -> None:
    """Bars from left to right whose parts are shares; `figure` takes the legend."""
    parts = list(lines[0][1])
    for y, (_, counts) in enumerate(lines):
        total, left = sum(counts.values()), 0.0
        for i, part in enumerate(parts):
            wide = counts[part] / total if total else 0.0
            axis.barh(y, wide, 0.7, left, color=_colour(i), hatch=HATCHES[i], edgecolor="white", linewidth=0)
            if wide >= 0.08:
                spot = {"ha": "center", "va": "center", "fontsize": 6.5, "color": "#222222"}
                axis.text(
                    left + wide / 2, y, f"{100 * wide:.0f}%", bbox={"facecolor": "white", "pad": 0.8, "lw": 0}, **spot
                )
            left += wide
    axis.set_yticks(range(len(lines)), [name for name, _ in lines])
    axis.invert_yaxis()
    axis.set_xlim(0, 1)
    axis.grid(visible=False)
    axis.set_xlabel(words)
    if figure is not None:
        figure.legend(handles=_patches(parts, True), loc="outside upper center", ncols=len(parts), handlelength=1.6)
