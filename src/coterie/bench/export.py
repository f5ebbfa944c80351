"""Results for other programs: rows as CSV, the first table as LaTeX, and which Coterie made them."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import coterie
from coterie.bench.finished import Bench
from coterie.bench.results import Row
from coterie.bench.summary import METRICS, estimate, metrics_of, scored, select

CSV, LATEX = "results.csv", "table.tex"
_FIRST = ("method", "key", "success", "ps", "ts", "as", "cc", "calls", "tokens")
_MEANT = str.maketrans({c: rf"\{c}" for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"})


@lru_cache(maxsize=1)
def commit() -> str:
    """The commit of the source tree that runs, if it is one; else nothing. What is not committed does not show."""
    git = Path(coterie.__file__).resolve().parents[2] / ".git"
    try:
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        ref = head.removeprefix("ref: ")
        if ref != head:
            loose = git / ref
            packed = (git / "packed-refs").read_text(encoding="utf-8") if not loose.is_file() else ""
            found = [line.split()[0] for line in packed.splitlines() if line.endswith(f" {ref}")]
            head = loose.read_text(encoding="utf-8").strip() if loose.is_file() else "".join(found[:1])
    except (OSError, ValueError):
        return ""
    return head[:12] if re.fullmatch(r"[0-9a-f]{40}", head) else ""


def flat(row: Row) -> dict[str, Any]:
    """A row with plain values only: labels are columns, what is kept of single robots and stages is left out."""
    labels = {k: v for k, v in row.get("labels", {}).items() if k not in row}
    found = {**{k: v for k, v in row.items() if k != "labels"}, **labels}
    return {k: v for k, v in found.items() if v is None or isinstance(v, (str, int, float, bool))}


def csv_text(bench: Bench) -> str:
    """One line an episode and method; the version of Coterie stands in each."""
    rows = [flat(row) | {"version": coterie.__version__, "commit": commit()} for row in bench.rows]
    names = dict.fromkeys(name for row in rows for name in row)
    columns = [n for n in _FIRST if n in names] + sorted(n for n in names if n not in _FIRST)
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows({k: _safe(v) for k, v in row.items()} for row in rows)
    return out.getvalue()


def _safe(value: Any) -> Any:
    """Spreadsheets take text that begins like a formula for one."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "@", "-", "\t", "\r") else value


def latex_text(bench: Bench) -> str:
    """Methods by metrics, with intervals, for booktabs; the best of each column is bold."""
    rows = scored(bench.rows)
    heads = metrics_of(rows)
    table = [(m, [estimate(select(rows, method=m), k) for k in heads]) for m in bench.names if select(rows, method=m)]
    best = [_best([cells[i].mean for _, cells in table], "↑" in METRICS[k]) for i, k in enumerate(heads)]
    arrows = {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
    titles = [" ".join(arrows.get(w, w) for w in head.split()) for head in heads.values()]
    lines = [
        f"% Coterie {coterie.__version__} {commit()}".rstrip(),
        f"% {bench.settings.get('command', '')}".replace("\n", " ").rstrip(),
        rf"\begin{{tabular}}{{l{'r' * len(heads)}}}",
        r"\toprule",
        " & ".join(["method", *titles]) + r" \\",
        r"\midrule",
    ]
    for method, cells in table:
        words = [_cell(e.mean, e.low, e.high, e.mean == b, k) for e, b, k in zip(cells, best, heads)]
        lines.append(" & ".join([method.translate(_MEANT), *words]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _best(values: Sequence[float], more: bool) -> float:
    return (max if more else min)((v for v in values if not math.isnan(v)), default=math.nan)


def _cell(mean: float, low: float, high: float, best: bool, metric: str) -> str:
    digits = 3 if metric in ("succ", "ps") else 1
    number = rf"\textbf{{{mean:.{digits}f}}}" if best else f"{mean:.{digits}f}"
    return number if math.isnan(low) else rf"{number} {{\scriptsize [{low:.{digits}f}, {high:.{digits}f}]}}"
