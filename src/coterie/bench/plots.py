"""The figures of a bench, drawn from its rows: those of the studies, and one of episodes that belong to none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from coterie.bench.drawing import STYLE, bars
from coterie.bench.finished import Bench
from coterie.bench.results import remove_plots
from coterie.bench.study import every
from coterie.bench.summary import scored
from coterie.core.errors import CoterieError

MISSING = "Plots need matplotlib; install it with: pip install 'coterie[plots]'."
OWN = ("methods",)  # drawn here; all others are those of studies


def names() -> list[str]:
    """All figures that there may be."""
    return [*OWN, *(name for study in every() for name in study.plots)]


def draw_all(bench: Bench, notes: list[str] | None = None) -> list[Path]:
    """Every figure that the rows allow, as PNG and PDF in `folder/plots`; the PNGs are returned.

    `notes` takes sentences about figures that the rows do not allow."""
    try:
        import matplotlib
    except ImportError:
        raise CoterieError(MISSING) from None
    makers: dict[str, Callable[[], Any]] = {"methods": partial(methods, bench)}
    for study in every():
        makers |= {name: partial(draw, bench) for name, draw in study.plots.items()}
        if notes is not None:
            notes += study.plot_notes(bench)
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
    remove_plots(bench.folder, names(), keep=[path.stem for path in drawn])
    return drawn


def methods(bench: Bench) -> Any:
    """The metrics by task, of episodes that no study has drawn: of tasks by themselves, and of suites of one's own."""
    known = {setting for study in every() for setting in study.settings}
    rows = [r for r in scored(bench.rows) if r["labels"].get("setting") not in known]
    return bars(rows, bench.names, "task", least=1)
