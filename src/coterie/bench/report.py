"""table.md: the scores of a bench with their intervals, section by section. Every number comes from results.jsonl.

The sections here make sense of any world; studies put theirs between them.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from coterie import __version__
from coterie.bench.latency import calls, latency, loops, timed_calls
from coterie.bench.results import TABLE, Bench, Row
from coterie.bench.sections import breakdown, everything, legend, levels, pairs, talk, who
from coterie.bench.study import every, telling
from coterie.bench.summary import METRICS, TALK, cost, estimate, metrics_of, scored, select, talk_of
from coterie.bench.table import inline
from coterie.core.files import draft, replace_text
from coterie.core.visible import visible


def save_tables(bench: Bench, text: str = "") -> None:
    """The report, the rows as CSV and the first table as LaTeX, into the folder of the results. `text`: the report, if
    it is there already."""
    replace_text(bench.folder / TABLE, text or report(bench))
    replace_text(bench.folder / LATEX, latex_text(bench))
    with (
        draft(bench.folder / CSV) as part,
        part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file,
    ):
        write_csv(bench, file)


def report(bench: Bench) -> str:
    """The whole file."""
    lines = [*_head(bench)]
    for title, body in _sections(bench):
        if body:
            lines += [f"## {title}", "", *map(visible, body)]  # whatever stands in one, it stays one line
    return "\n".join(lines).rstrip() + "\n"


def _head(bench: Bench) -> Iterator[str]:
    count = len(bench.specs)
    played = f"{count} episode{'' if count == 1 else 's'} for each of {len(bench.methods)} method(s)"
    first, seen = math.inf, set[tuple[str, str, str]]()
    for spec in bench.specs:
        first = min(first, spec.config.seed)
        seen.add((spec.config.noise, spec.config.radio, spec.config.heartbeat))
    seeds = f"seeds from {first if seen else 0}"
    noise, radio = (sorted({config[i] for config in seen} - {"none"}) for i in (0, 1))
    beats = sorted({config[2] for config in seen} - {"", "full"})
    models = sorted({r["model"] for r in bench.rows} - {"none"})
    parts = [played, seeds, *(f"noise {inline(n)}" for n in noise), *(f"radio {inline(r)}" for r in radio)]
    parts += [f"heartbeat {inline(b)}" for b in beats]
    parts += [f"model {inline(m)}" for m in models]
    made = inline(", ".join(versions(bench.rows)) or __version__)
    yield from (f"# {inline(bench.suite or 'Bench')}", "", f"{', '.join(parts)}, Coterie {made}.", "")
    command = bench.settings.get("command")
    if command:
        yield from ("Made with", "", f"    {visible(str(command))}", "")
    if bench.alike:
        yield from (*(f"- {inline(words)}" for words in bench.alike), "")


def _sections(bench: Bench) -> list[tuple[str, list[str]]]:
    """Those of any world in their order, and behind each those that studies want there."""
    rows, names = scored(bench.rows), bench.names
    usual = {
        "Methods": who(bench),
        "How to read this": legend(rows),
        "All settings": everything(rows, names, levels(bench)),
        "Settings": breakdown(rows, names, "setting"),
        "Tasks": breakdown(rows, names, "task"),
        "Levels": breakdown(telling(rows, "level"), names, "level"),
        "Teams": breakdown(telling(rows, "team"), names, "team"),
        "Talk": talk(rows, names),
        "Paired comparison": list(pairs(rows, names)),
        "Model calls": list(calls(rows, names)),
        "Latency": list(latency(timed_calls(rows, bench.walls), names)),
        "Replies and loops": loops(rows, names),
        "Crashed": list(crashes(bench)),
        "Not played": list(_errors(bench)),
    }
    more = [section for study in every() for section in study.sections(bench)]
    found: list[tuple[str, list[str]]] = []
    for title, body in usual.items():
        found.append((title, body))
        found += [(s.title, list(s.lines)) for s in more if s.after == title]
    found += [(s.title, list(s.lines)) for s in more if s.after not in usual]
    return found


def crashes(bench: Bench) -> Iterator[str]:
    """Episodes in which a protocol or a world failed; they count as missed."""
    crashed = [r for r in bench.rows if "crash" in r]
    for method in bench.names if crashed else ():
        mine = [r for r in crashed if r["method"] == method]
        if mine:
            all_of, first = sum(r["method"] == method for r in bench.rows), mine[0]
            yield (
                f"- {inline(method)}: {len(mine)} of {all_of} episodes, which count as missed. The first: "
                f"{inline(first['key'])}, seed {inline(first['crash_seed'])}: {inline(first['crash'])}"
            )
    if crashed:
        yield ""


def _errors(bench: Bench) -> Iterator[str]:
    """Tasks that could not be drawn; studies tell of theirs themselves."""
    first = {
        r["key"]: r["error"]
        for r in bench.rows
        if "error" in r and "crash" not in r and not any(s.owns(r) for s in every())
    }
    for text in dict.fromkeys(first.values()):
        yield f"- {list(first.values()).count(text)} ×: {inline(text)}"
    if first:
        yield ""


# -- for other programs and for papers --------------------------------------------------------------------------------
# Results for other programs and for papers: rows as CSV, the first table as LaTeX, beside the report.
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
