"""Results for other programs and for papers: rows as CSV, the first table as LaTeX, beside the report."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from coterie.bench.results import Bench, Row
from coterie.bench.summary import METRICS, TALK, cost, estimate, metrics_of, scored, select, talk_of
from coterie.core.visible import visible

CSV, LATEX = "results.csv", "table.tex"
_FIRST = ("method", "key", "success", "ps", "ts", "as", "cc", *TALK, "calls", "tokens")
_MEANT = str.maketrans(
    {c: rf"\{c}" for c in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)


def flat(row: Row) -> dict[str, Any]:
    """A row with plain values only: labels are columns, what is kept of single robots and stages is left out."""
    labels = {k: v for k, v in row.get("labels", {}).items() if k not in row}
    found = {**{k: v for k, v in row.items() if k != "labels"}, **labels}
    return {k: v for k, v in found.items() if v is None or isinstance(v, (str, int, float, bool))}


def versions(rows: Sequence[Row]) -> list[str]:
    """Which Coterie played these rows, with its commit where it has one."""
    return sorted({f"{r['version']} {r.get('commit', '')}".strip() for r in rows if "version" in r})


def write_csv(bench: Bench, out: TextIO) -> None:
    """One line an episode and method, with the version of Coterie that played it; there may be a million."""

    def rows() -> Iterator[dict[str, Any]]:
        return map(flat, bench.rows)

    names = dict.fromkeys(name for row in rows() for name in row)
    columns = [n for n in _FIRST if n in names] + sorted(n for n in names if n not in _FIRST)
    writer = csv.DictWriter(out, columns, lineterminator="\n", restval="")
    writer.writerow({name: _safe(name) for name in columns})
    writer.writerows({k: _safe(v) for k, v in row.items()} for row in rows())


def _safe(value: Any) -> Any:
    """Spreadsheets take text that begins like a formula for one."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "@", "-", "\t", "\r") else value


def latex_text(bench: Bench) -> str:
    """Methods by metrics, with intervals, and by what was said, for booktabs; the best of each metric is bold."""
    rows = scored(bench.rows)
    heads, said = metrics_of(rows), talk_of(rows)
    table = [(m, [estimate(select(rows, method=m), k) for k in heads]) for m in bench.names if select(rows, method=m)]
    best = [_best([cells[i].mean for _, cells in table], "↑" in METRICS[k]) for i, k in enumerate(heads)]
    arrows = {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
    titles = [" ".join(arrows.get(w, w) for w in head.split()) for head in heads.values()] + list(said.values())
    lines = [
        f"% Coterie {visible(', '.join(versions(bench.rows)))}".rstrip(),  # one line each: a comment ends with its line
        f"% {visible(str(bench.settings.get('command', '')))}".rstrip(),
        rf"\begin{{tabular}}{{l{'r' * len(titles)}}}",
        r"\toprule",
        " & ".join(["method", *titles]) + r" \\",
        r"\midrule",
    ]
    for method, cells in table:
        words = [_cell(e.mean, e.low, e.high, e.mean == b, k) for e, b, k in zip(cells, best, heads)]
        words += [f"{cost(select(rows, method=method), k):.1f}" for k in said]
        lines.append(" & ".join([_tex(method), *words]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _tex(text: str) -> str:
    """A name as TeX shows it: no command, no comment, one line."""
    return visible(text).translate(_MEANT)


def _best(values: Sequence[float], more: bool) -> float:
    return (max if more else min)((v for v in values if not math.isnan(v)), default=math.nan)


def _cell(mean: float, low: float, high: float, best: bool, metric: str) -> str:
    digits = 3 if metric in ("succ", "ps") else 1
    number = rf"\textbf{{{mean:.{digits}f}}}" if best else f"{mean:.{digits}f}"
    return number if math.isnan(low) else rf"{number} {{\scriptsize [{low:.{digits}f}, {high:.{digits}f}]}}"
