"""The ratchet on size: lines of Python by folder of src/coterie, held to the table in budgets.toml.

python tests/e2e/budgets.py          complains about folders above their budget, and about budgets that were raised
python tests/e2e/budgets.py lower    lowers every budget to the lines that there are

A budget may fall. It may rise by at most 500 lines above that of the last commit, with a new reason beside it:
`core = { lines = 7900, raised_for = "..." }`; by more where lines "moved from" a folder whose budget fell by as many:
`render = { lines = 3700, raised_for = "moved from worlds" }`. What is new and has one idea may have a budget of
its own, also below another folder (`"worlds/indoor/twin" = 1500`). The total of all folders never rises above 110,000.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("budgets.toml")
MOST_TOTAL, MOST_RAISED = 110_000, 500
MOVED = "moved from "
HEAD = """\
# The most lines of Python in each folder of src/coterie; `.` are the files beside the folders. See budgets.py.
# Lower it when lines have gone:  python tests/e2e/budgets.py lower
"""


def read(text: str) -> dict[str, tuple[int, str]]:
    """The lines of each folder, with the reason for which they were raised, if they were."""
    entries: dict[str, Any] = tomllib.loads(text)
    return {
        name: (entry, "") if isinstance(entry, int) else (entry["lines"], entry["raised_for"])
        for name, entry in entries.items()
    }


def counted(package: Path = ROOT / "src" / "coterie", apart: Iterable[str] = ()) -> dict[str, int]:
    """The lines of each folder; those in `apart`, which lie below others, are counted by themselves."""
    lines: dict[str, int] = {"total": 0}
    for path in package.rglob("*.py"):
        name, here = path.relative_to(package).as_posix(), path.read_bytes().count(b"\n")
        below = (folder for folder in apart if "/" in folder and name.startswith(f"{folder}/"))
        folder = next(below, name.partition("/")[0] if "/" in name else ".")
        lines[folder] = lines.get(folder, 0) + here
        lines["total"] += here
    return lines


def exceeded(budgets: dict[str, tuple[int, str]], lines: dict[str, int]) -> Iterator[str]:
    """A sentence for each folder that has more lines than its budget, or none."""
    for name, count in sorted(lines.items()):
        if name not in budgets:
            yield f"{name} has {count:,} lines and no budget."
        elif count > budgets[name][0]:
            yield f"{name} has {count:,} lines, {count - budgets[name][0]:,} above its budget."


def raised(budgets: dict[str, tuple[int, str]], former: dict[str, tuple[int, str]]) -> Iterator[str]:
    """A sentence for each budget that rose by too much or without a reason since the former table."""
    for name, (lines, reason) in budgets.items():
        before, reason_before = former.get(name, (lines, ""))
        most = MOST_RAISED + _moved(reason, budgets, former)
        if lines > before + most:
            yield f"The budget of {name} rose by {lines - before:,} lines; {most} is the most."
        elif lines > before and reason in ("", reason_before):
            yield f"The budget of {name} rose by {lines - before:,} lines without a new `raised_for`."
    total, before = budgets["total"][0], former["total"][0]
    if total > max(MOST_TOTAL, before):
        yield f"The budget of all together is {total:,} lines; {MOST_TOTAL:,} is the most."


def _moved(reason: str, budgets: dict[str, tuple[int, str]], former: dict[str, tuple[int, str]]) -> int:
    """The lines by which a folder fell that others "moved from"."""
    source = reason.removeprefix(MOVED) if reason.startswith(MOVED) else ""
    return max(0, former[source][0] - budgets[source][0]) if source in former and source in budgets else 0


def last_committed(now: str) -> str | None:
    """The latest table in the history that differs from this one, if there is a history."""
    name = TABLE.relative_to(ROOT).as_posix()

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout

    try:
        for commit in git("log", "-n", "20", "--format=%H", "--diff-filter=AM", "--", name).split():
            if (former := git("show", f"{commit}:{name}")) != now:
                return former
    except (OSError, subprocess.CalledProcessError):
        pass
    return None


def lowered(budgets: dict[str, tuple[int, str]], lines: dict[str, int]) -> str:
    """The table with every budget that is above the lines of its folder lowered to them; the total stands first."""
    rows = []
    for name, count in sorted(lines.items(), key=lambda item: (item[0] != "total", item[0])):
        budget, reason = budgets.get(name, (count, ""))
        lines_now = min(count, budget)
        entry = f"{{ lines = {lines_now}, raised_for = {json.dumps(reason)} }}" if reason else str(lines_now)
        rows.append(f"{name if name.isidentifier() else json.dumps(name)} = {entry}")
    return HEAD + "\n".join(rows) + "\n"


def complaints() -> Iterator[str]:
    now = TABLE.read_text()
    yield from exceeded(read(now), counted(apart=read(now)))
    former = last_committed(now)
    if former is not None:
        yield from raised(read(now), read(former))


if __name__ == "__main__":
    if sys.argv[1:] == ["lower"]:
        known = read(TABLE.read_text())
        TABLE.write_text(lowered(known, counted(apart=known)))
    sys.exit("\n".join(complaints()) or None)
