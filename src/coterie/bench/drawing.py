"""How figures look, and the kinds of them that studies share. matplotlib is imported where something is drawn.

Bars carry the same 95% intervals as the tables. Colours follow the methods in the order they were named (a palette
that stays apart for colour-blind readers), and hatches tell them apart in print.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from coterie.bench.results import Bench, Row, remove_plots
from coterie.bench.statistics import FEWEST
from coterie.bench.study import every, tick_name
from coterie.bench.summary import distinct, estimate, groups, metrics_of, scored, select
from coterie.core.errors import CoterieError
from coterie.core.lazy import np

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
    "cc": "Messages that cost a step (CC)",
    "talk": "Said per episode (all messages)",
}


def figure(wide: float, high: float, **grid: Any) -> tuple[Any, Any]:
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    drawn = Figure(figsize=(wide, high), layout=ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.06))
    return drawn, drawn.subplots(**grid)


def colour(i: int) -> str:
    return PALETTE[i % len(PALETTE)]


def bar(i: int) -> dict[str, Any]:
    return {"color": colour(i), "hatch": HATCHES[i % len(HATCHES)]}


def group_of_bars(axis: Any, means: Any, errors: Any, i: int, count: int) -> Any:
    """The bars (n,) of the i-th of so many methods, with whiskers (2, n) downwards and upwards; where they stand."""
    width = 0.8 / count
    x = np.arange(len(means)) + (i - (count - 1) / 2) * width
    axis.bar(x, means, width * 0.92, edgecolor="white", linewidth=0, **bar(i))
    wide = (errors.max(axis=0) > 0) & ~np.isnan(means)
    whiskers = np.maximum(errors[:, wide], 0.0)
    axis.errorbar(x[wide], means[wide], whiskers, fmt="none", ecolor="#222222", elinewidth=0.8, capsize=1.8)
    return x


def patches(methods: Sequence[str], hatched: bool) -> list[Any]:
    from matplotlib.patches import Patch

    return [
        Patch(
            facecolor=colour(i),
            hatch=HATCHES[i % len(HATCHES)] if hatched else "",
            edgecolor="white" if hatched else "#222222",
            linewidth=0 if hatched else 0.7,
            label=method,
        )
        for i, method in enumerate(methods)
    ]


def bars(rows: Sequence[Row], methods: Sequence[str], by: str, least: int = 2) -> Any:
    """The metrics over the values of a label, if it has as many as `least`."""
    values = distinct(rows, by)
    if len(values) < least:
        return None
    many, heads = len(methods) > MANY, list(metrics_of(rows))
    if "cc" in heads:  # which counts what cost an action; most is said inside decisions
        heads[heads.index("cc")] = "talk" if all("said" in r for r in rows) else "cc"
    drawn, axes = figure(*((11.0, 5.6) if many else (7.2, 3.9)), nrows=2, ncols=3)
    width = 0.8 / len(methods)
    for axis, metric in zip(axes.flat, heads):
        for i, method in enumerate(methods):
            counted = (lambda r: float(r["messages"] + r["said"])) if metric == "talk" else metric
            found = [estimate(select(rows, method=method, **{by: v}), counted) for v in values]
            means = np.array([e.mean for e in found])
            errors = np.array([[e.mean - e.low for e in found], [e.high - e.mean for e in found]])
            errors = np.nan_to_num(errors)  # too few episodes for an interval
            x = group_of_bars(axis, means, errors, i, len(methods))
            for at, high in zip(x[means == 0], errors[1][means == 0]):  # a bar of no height is still a result
                axis.hlines(0, at - width * 0.46, at + width * 0.46, color=colour(i), linewidth=2.2, clip_on=False)
                spot = {"xytext": (0, 2), "textcoords": "offset points", "ha": "center", "va": "bottom"}
                axis.annotate("0", (at, high), fontsize=4.5 if many else 6.5, color="#222222", **spot)
        axis.set_title(TITLES[metric])
        axis.set_xticks(range(len(values)), [tick(v, len(values)) for v in values])
        axis.set_xlim(-0.55, len(values) - 0.45)
        if metric in ("succ", "ps"):
            axis.set_ylim(0, 1.04)
            axis.set_yticks(np.arange(0, 1.01, 0.2))
        else:
            axis.set_ylim(bottom=0)
    for empty in axes.flat[len(heads) :]:
        empty.axis("off")
    spare = axes.flat[-1]
    if many:
        drawn.legend(handles=patches(methods, True), loc="outside upper center", ncols=4, handlelength=1.8)
    else:
        spare.legend(handles=patches(methods, True), loc="upper center", handlelength=1.8, fontsize=9)
    cells = [select(rows, method=methods[0], **{by: v}) for v in values]
    sizes = [len(cell) for cell in cells]
    count = str(sizes[0]) if len(set(sizes)) == 1 else f"{min(sizes)} to {max(sizes)}"
    weighed = "" if equally(cells) else ",\ngroups weighed equally"
    note = f"Bars: means of {count} episodes{weighed}.\nWhiskers: 95% intervals"
    note += f"\n(from {FEWEST} episodes on)." if min(sizes) < FEWEST else "."
    spare.text(0.5, 0.02, note, transform=spare.transAxes, ha="center", va="bottom", color="#555555")
    return drawn


def equally(cells: Sequence[Sequence[Row]]) -> bool:
    """True if every episode weighs the same in each of these cells: their groups are of one size."""
    return all(len(set(Counter(groups(cell)).values())) <= 1 for cell in cells)


def stacked(whole: Any, axis: Any, lines: Sequence[tuple[str, dict[str, int]]], words: str) -> None:
    """Bars from left to right whose parts are shares; `whole`, the figure, takes the legend."""
    parts = list(lines[0][1])
    for y, (_, counts) in enumerate(lines):
        total, left = sum(counts.values()), 0.0
        for i, part in enumerate(parts):
            wide = counts[part] / total if total else 0.0
            axis.barh(y, wide, 0.7, left, color=colour(i), hatch=HATCHES[i], edgecolor="white", linewidth=0)
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
    if whole is not None:
        whole.legend(handles=patches(parts, True), loc="outside upper center", ncols=len(parts), handlelength=1.6)


def tick(v: Any, count: int) -> str:
    """A value of a label below an axis that has so many."""
    text = tick_name(str(v))
    if text != str(v):
        return text
    return text.replace("-", "-\n") if count > 4 and len(text) > 8 else text


MISSING = "Plots need matplotlib; install it with: pip install 'coterie[plots]'."
OWN = ("methods",)  # drawn here; all others are those of studies


def names() -> list[str]:
    """All figures that there may be."""
    return [*OWN, *(name for study in every() for name in study.plots)]


def draw_all(bench: Bench, notes: list[str] | None = None) -> list[Path]:
    """Every figure that the rows allow, as PNG and PDF in `folder/plots`; the PNGs are returned.

    `notes` takes sentences about figures that the rows do not allow."""
    try:
        from matplotlib import style
    except ImportError:
        raise CoterieError(MISSING) from None
    makers: dict[str, Callable[[], Any]] = {"methods": partial(methods, bench)}
    for study in every():
        makers |= {name: partial(draw, bench) for name, draw in study.plots.items()}
        if notes is not None:
            notes += study.plot_notes(bench)
    folder = bench.folder / "plots"
    drawn: list[Path] = []
    with style.context(Path(__file__).with_name("figures.mplstyle")):
        for name, make in makers.items():
            figure = make()
            if figure is None:
                continue
            folder.mkdir(exist_ok=True)
            figure.savefig(folder / f"{name}.png", dpi=220)
            figure.savefig(folder / f"{name}.pdf", metadata={"CreationDate": None})
            drawn.append(folder / f"{name}.png")
    remove_plots(bench.folder, names(), keep=[path.stem for path in drawn])
    return drawn


def methods(bench: Bench) -> Any:
    """The metrics by task, of episodes that no study has drawn: of tasks by themselves, and of suites of one's own."""
    known = {setting for study in every() for setting in study.settings}
    rows = [r for r in scored(bench.rows) if r["labels"].get("setting") not in known]
    return bars(rows, bench.names, "task", least=1)
