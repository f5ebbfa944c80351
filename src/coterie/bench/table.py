"""Markdown: tables and the way numbers are written in them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import cache

from coterie.bench.statistics import Estimate
from coterie.core.files import tables
from coterie.core.visible import visible

NONE = "–"


@cache
def paragraph(name: str, **values: object) -> str:
    """A paragraph of the report, as `words.toml` has it, with these values in it."""
    words: str = tables(__package__, "words.toml")[name]
    return words.format(none=NONE, **values)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> list[str]:
    """A table whose first `left` columns are text and the others numbers. Cells are padded, to be read as they are."""
    lines = [list(head), *(list(r) for r in rows)]
    lines = [[inline(cell) for cell in line] for line in lines]
    wide = [max(3, *(len(line[i]) for line in lines)) for i in range(len(head))]

    def write(cells: Sequence[str]) -> str:
        padded = (c.ljust(w) if i < left else c.rjust(w) for i, (c, w) in enumerate(zip(cells, wide)))
        return f"| {' | '.join(padded)} |"

    rule = (("-" * w) if i < left else ("-" * (w - 1) + ":") for i, w in enumerate(wide))
    return [write(lines[0]), f"| {' | '.join(rule)} |", *(write(line) for line in lines[1:]), ""]


def told(words: str, head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> list[str]:
    """A table below a sentence about it; nothing where it has no rows."""
    lines = list(rows)
    return [*([words, ""] if words else []), *markdown(head, lines, left)] if lines else []


_MARKS = re.compile(r"[\\|`]|<(?=[A-Za-z/!?])")


def inline(text: object) -> str:
    """Words in a line of Markdown: names of methods and what models said neither end a cell nor begin code or HTML."""
    return _MARKS.sub(r"\\\g<0>", visible(str(text)))


def number(x: float | None, digits: int = 3) -> str:
    return NONE if x is None or math.isnan(x) else f"{x:.{digits}f}"


def signed(x: float, digits: int = 3) -> str:
    return NONE if math.isnan(x) else f"{x:+.{digits}f}"


def with_interval(e: Estimate, digits: int = 3) -> str:
    """The mean and its interval; a dash stands for an interval that so few episodes do not give."""
    if e.n == 0:
        return NONE
    return f"{e.mean:.{digits}f} {interval(e.low, e.high, digits)}"


def interval(low: float, high: float, digits: int = 3, sign: str = "") -> str:
    if math.isnan(low) or math.isnan(high):
        return f"[{NONE}]"
    return f"[{low:{sign}.{digits}f}, {high:{sign}.{digits}f}]"


def share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({100 * part / whole:.0f}%)" if whole else NONE


def percent(part: float | None) -> str:
    return NONE if part is None else f"{100 * part:.1f}%"


def p_value(p: float) -> str:
    if math.isnan(p):
        return NONE
    return "< 0.0002" if p < 0.0002 else f"{p:.4f}"
