"""Strangers over all teams and steps: what a table of one team and step is too small to tell."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.bench.results import Row
from coterie.bench.statistics import paired
from coterie.bench.studies.irot.numbers import METRICS, by_key, joined, told
from coterie.bench.table import paragraph
from coterie.bench.table import told as with_words

WHOLE, ALONE = "irot", "team alone"
SHOWN = ("%Suc ↑", "%PS ↑", "#TS ↓")
COMPARED = ("%Suc ↑", "#TS ↓")


def table(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    cells = _cells(methods)
    whole = cells.pop(WHOLE, {})
    if len(whole) < 2:
        return []
    cells = {ALONE: {cell: j.alone for cell, m in whole.items() if (j := joined(m)) is not None}, **cells}
    played = {m: by_key(rows, m) for some in (whole, *cells.values()) for m in some.values()}
    lines = [_line(words, found, whole, played) for words, found in cells.items()]
    lines.append([WHOLE, str(len(whole)), *_mean_cells(_means(list(whole.values()), played)), "", ""])
    head = ["stranger", "teams and steps", "n", *SHOWN, *(f"irot over it, {name}" for name in COMPARED)]
    return with_words(paragraph("overall"), head, [line for line in lines if line])


def _cells(methods: Sequence[str]) -> dict[str, dict[tuple[str, int], str]]:
    """Stranger, as it stands in a table -> team and step -> method."""
    found: dict[str, dict[tuple[str, int], str]] = {}
    for method in methods:
        j = joined(method)
        if j is not None and not j.body and j.leaves is None:
            found.setdefault(j.words, {})[j.team, j.step] = method
    return found


def _line(
    words: str, cells: dict[tuple[str, int], str], whole: dict[tuple[str, int], str], played: dict[str, dict[str, Row]]
) -> list[str]:
    both = [cell for cell in cells if cell in whole]
    if not both:
        return []
    theirs = _means([cells[c] for c in both], played)
    ours = _means([whole[c] for c in both], played)
    keys = [key for key in theirs if key in ours]
    if not keys:
        return []
    gains = [told(paired([ours[k][m] for k in keys], [theirs[k][m] for k in keys], seed=m)) for m in COMPARED]
    return [words, str(len(both)), *_mean_cells({k: theirs[k] for k in keys}), *gains]


def _means(methods: Sequence[str], played: dict[str, dict[str, Row]]) -> dict[str, dict[str, float]]:
    """Task -> metric -> its mean over methods that all have played it."""
    shared = set.intersection(*(set(played[m]) for m in methods))
    return {
        key: {name: sum(METRICS[name](played[m][key]) for m in methods) / len(methods) for name in SHOWN}
        for key in sorted(shared)
    }


def _mean_cells(found: dict[str, dict[str, float]]) -> list[str]:
    return [str(len(found)), *(f"{sum(row[m] for row in found.values()) / max(1, len(found)):.1f}" for m in SHOWN)]
