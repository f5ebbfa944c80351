"""table.md: the scores of a bench with their intervals, section by section. Every number comes from results.jsonl.

The sections here make sense of any world; studies put theirs between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from coterie import __version__
from coterie.bench.export import CSV, LATEX, latex_text, versions, write_csv
from coterie.bench.latency import calls, latency, loops, timed_calls
from coterie.bench.results import TABLE, Bench
from coterie.bench.sections import breakdown, everything, legend, levels, pairs, talk, who
from coterie.bench.study import every, telling
from coterie.bench.summary import scored
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
