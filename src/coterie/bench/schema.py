"""The columns of a row of results, in words and types. `docs/results.md` is made from it, and tests look at rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from coterie.bench.results import Row
from coterie.bench.study import every
from coterie.core.files import tables


class Column(NamedTuple):
    """One column: the type of its value, when it is there, and what it says."""

    type: str  # "text", "number", "whole", "yes or no", "table", "list", or one of them "or null"
    about: str
    when: str = ""  # empty: in every row of an episode that was played


TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "number": (int, float),
    "whole": (int,),
    "yes or no": (bool,),
    "table": (dict,),
    "list": (list, tuple),
}


def _columns(part: str) -> dict[str, Column]:
    return {name: Column(**row) for name, row in tables(__package__, "schema.toml")[part].items()}


HEAD = _columns("head")  # also of episodes that could not be played
COLUMNS = {**HEAD, **_columns("columns")}


def described() -> dict[str, list[tuple[str, Column]]]:
    """Every column: by whom it is added, and what it says. "" are those of any world."""
    found: dict[str, list[tuple[str, Column]]] = {}
    for name, told in COLUMNS.items():
        found.setdefault(name, []).append(("", told))
    for study in every():
        for name, (kind, about) in study.told.items():
            found.setdefault(name, []).append((study.name, Column(kind, about)))
    return found


def amiss(row: Row) -> Iterator[str]:
    """Sentences about columns of a row that are not described, or are of another type."""
    known = described()
    for name, value in row.items():
        if name not in known:
            yield f"'{name}' is described nowhere."
        elif not any(_fits(value, told.type) for _, told in known[name]):
            yield f"'{name}' is {value!r:.60}, and should be: {', '.join(told.type for _, told in known[name])}."
    for name, told in (HEAD if "error" in row else COLUMNS).items():
        if not told.when and name not in row:
            yield f"'{name}' is missing."


def _fits(value: Any, kind: str) -> bool:
    name = kind.removesuffix(" or null")
    if value is None:
        return kind.endswith(" or null")
    if isinstance(value, bool) and name != "yes or no":
        return False
    return isinstance(value, TYPES[name])
