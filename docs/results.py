"""Writes docs/results.md from what the bench knows of its columns:  python docs/results.py"""

from __future__ import annotations

from pathlib import Path

import coterie.bench.suites  # noqa: F401 (brings the studies)
from coterie.bench.schema import COLUMNS
from coterie.bench.study import every

PAGE = Path(__file__).with_name("results.md")
FILES = {
    "`results.jsonl`": "one JSON object a line for each episode and method, with the columns below; nothing that "
    "differs between two runs of the same thing",
    "`results.csv`": "the same without tables and lists; labels are columns",
    "`table.md`, `table.tex`": "the tables, made of `results.jsonl` alone",
    "`plots/`": "figures as PNG and PDF",
    "`config.json`": "`version`, `commit`, the `command` that makes it again, `suite`, `model`, `seed`, `noise`, "
    "`radio`, `sample`, `load`, `methods`, and each of the `episodes` with its configuration",
    "`wall.jsonl`": "what episodes took on the clock: `key`, `method`, `digest`, `wall_s`, `planning_s`, `lookup_s`, "
    "and `calls` as lists of stage, tokens in, cached and out, and times",
    "`logs/`": "with `--logs`, every log ([Logs](logs.md))",
}
HEAD = f"""# Results

`coterie bench` and `play_suite` leave these files in their folder. This page is made by `python docs/results.py`; tests
compare rows of all worlds with it.

| file | what it holds |
| --- | --- |
{chr(10).join(f"| {name} | {about} |" for name, about in FILES.items())}

In Python, `rows(folder)` are the rows of `results.csv`, and `pandas.DataFrame(rows(folder))` is a frame of them.

## Columns of any world
"""


def table(columns: dict[str, tuple[str, ...]]) -> list[str]:
    lines = ["| column | value | what it says |", "| --- | --- | --- |"]
    return [*lines, *(f"| `{name}` | {kind} | {about} |" for name, (kind, about) in columns.items()), ""]


def page() -> str:
    usual = {n: (t.type, f"{t.about}; only where {t.when}" if t.when else t.about) for n, t in COLUMNS.items()}
    lines = [HEAD, *table(usual)]
    for study in every():
        if study.told:
            lines += [
                f"## Columns of the study {study.name}",
                "",
                f"In the worlds {', '.join(sorted(study.worlds))}.",
                "",
            ]
            lines += table(dict(study.told))
    lines += ["A study of yours describes its columns in `told`: [Write a study](benchmark.md#write-a-study).", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
