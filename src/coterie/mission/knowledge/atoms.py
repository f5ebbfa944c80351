"""Facts as relations: every fact is one or more rows of a table, found by any of its columns.

    open(door1) = True                  the row (door1) of `open`
    open(door1) = False                 the row (door1) of `-open`: known not to be so
    where(box) = table_e                the row (box, table_e) of `where`
    contents(tray) = (cup, book)        the rows (tray, cup) and (tray, book) of `contents`

What no row says is not known. Rows stand in the order in which they came, so that the same changes give the same
answers in the same order.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from coterie.core.bounds import brief
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Fact


class _Any(enum.Enum):
    ANY = "any"

    def __repr__(self) -> str:
        return "ANY"


ANY = _Any.ANY  # in a pattern: whatever stands there
NAME = re.compile(r"[a-z][A-Za-z0-9_]*")  # what rules can write without quotes; the rest stands between them
NOTHING = "none"
Row = tuple[Any, ...]
Atom = tuple[str, Row]  # the name of a relation, "-" before it for what is known to be false, and a row of it
Key = tuple[Any, ...]  # predicate and arguments of a fact


def is_plain_name(text: str) -> bool:
    return NAME.fullmatch(text) is not None and text != "not"


def rows_of(fact: Fact) -> list[Atom]:
    """The rows that a fact is."""
    pred, args, value = fact.pred, fact.args, fact.value
    if value is True:
        return [(pred, args)]
    if value is False:
        return [(f"-{pred}", args)]
    if value is UNKNOWN:
        return []
    if isinstance(value, tuple):
        return [(pred, (*args, plain(member))) for member in value]
    return [(pred, (*args, plain(value)))]


def plain(value: Any) -> Any:
    """A value as it stands in a row: 2.0 painkillers are 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def same(one: object, other: object) -> bool:
    """Whether two values are one: 1 is 1.0, and neither is True."""
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def check_fact(fact: Fact) -> None:
    """Refuse what could not be found again, or would be taken for something else."""
    if not is_plain_name(fact.pred):
        raise CoterieError(
            f"{brief(fact.pred)} cannot be the name of a predicate; it is a small letter, then letters, digits and _."
        )
    if not all(isinstance(a, str) for a in fact.args):
        raise CoterieError(f"{fact.pred}{brief(fact.args)}: arguments of facts are names.")
    values = fact.value if isinstance(fact.value, tuple) else (fact.value,)
    if not all(v is None or v is UNKNOWN or isinstance(v, (str, int, float)) for v in values):
        raise CoterieError(f"{fact}: a value is a name, a number, yes or no, nothing, or several names.")
    if NOTHING in (*fact.args, *values):
        raise CoterieError(f"{fact}: '{NOTHING}' is no name, but the word of rules for nothing; the value is None.")


class Atoms(Protocol):
    """A store that can be searched: all facts, those of a person, or hypothetical ones."""

    def match(self, name: str, pattern: Row) -> Iterable[Row]:
        """The rows of a relation that fit; ANY fits everything."""
        ...

    def count(self, name: str, pattern: Row) -> int:
        """How many rows have to be looked at for a match, at most."""
        ...

    def fact(self, key: Key) -> Fact | None:
        """The fact about a predicate and its arguments, if there is one."""
        ...


class Table:
    """The rows of one relation with one number of columns."""

    __slots__ = ("by_column", "rows")

    def __init__(self, width: int):
        self.rows: dict[Row, int] = {}  # how many facts say so
        self.by_column: list[dict[Any, dict[Row, None]]] = [{} for _ in range(width)]

    def add(self, row: Row) -> None:
        said = self.rows.get(row, 0)
        self.rows[row] = said + 1
        if not said:
            for column, value in zip(self.by_column, row):
                column.setdefault(value, {})[row] = None

    def remove(self, row: Row) -> None:
        said = self.rows[row] - 1
        if said:
            self.rows[row] = said
            return
        del self.rows[row]
        for column, value in zip(self.by_column, row):
            del column[value][row]
            if not column[value]:
                del column[value]

    def match(self, pattern: Row) -> Iterable[Row]:
        """A list, or the rows themselves: a caller that changes the table while reading takes a copy."""
        bound = [(i, v) for i, v in enumerate(pattern) if v is not ANY]
        if not bound:
            return self.rows
        if len(bound) == len(pattern):
            return (pattern,) if pattern in self.rows else ()
        buckets = [self.by_column[i].get(v) for i, v in bound]
        smallest: dict[Row, None] | None = None
        for bucket in buckets:
            if bucket is None:
                return ()
            if smallest is None or len(bucket) < len(smallest):
                smallest = bucket
        assert smallest is not None
        if len(bound) == 1:
            return smallest
        return [row for row in smallest if all(row[i] == v for i, v in bound)]

    def count(self, pattern: Row) -> int:
        best = len(self.rows)
        for i, value in enumerate(pattern):
            if value is not ANY:
                bucket = self.by_column[i].get(value)
                if bucket is None:
                    return 0
                best = min(best, len(bucket))
        return best


class Tables:
    """Relations by name and width."""

    __slots__ = ("tables",)

    def __init__(self) -> None:
        self.tables: dict[tuple[str, int], Table] = {}

    def add(self, name: str, row: Row) -> None:
        key = (name, len(row))
        table = self.tables.get(key)
        if table is None:
            table = self.tables[key] = Table(len(row))
        table.add(row)

    def remove(self, name: str, row: Row) -> None:
        self.tables[(name, len(row))].remove(row)

    def match(self, name: str, pattern: Row) -> Iterable[Row]:
        table = self.tables.get((name, len(pattern)))
        return () if table is None else table.match(pattern)

    def count(self, name: str, pattern: Row) -> int:
        table = self.tables.get((name, len(pattern)))
        return 0 if table is None else table.count(pattern)


class Facts(Tables):
    """Facts by predicate and arguments, and as relations. The last word on a thing counts."""

    __slots__ = ("by_key",)

    def __init__(self, facts: Iterable[Fact] = ()):
        super().__init__()
        self.by_key: dict[Key, Fact] = {}
        for fact in facts:
            self.put(fact)

    def put(self, fact: Fact) -> Fact | None:
        """Take a fact in; what was held before, if anything."""
        key = (fact.pred, *fact.args)
        old = self.by_key.get(key)
        if old is not None:
            if same(old.value, fact.value):
                self.by_key[key] = fact  # the same, heard again
                return old
            for name, row in rows_of(old):
                self.remove(name, row)
        self.by_key[key] = fact
        for name, row in rows_of(fact):
            self.add(name, row)
        return old

    def drop(self, key: Key) -> Fact | None:
        old = self.by_key.pop(key, None)
        if old is not None:
            for name, row in rows_of(old):
                self.remove(name, row)
        return old

    def fact(self, key: Key) -> Fact | None:
        return self.by_key.get(key)

    def of(self, pred: str | None = None) -> Iterator[Fact]:
        return (f for f in list(self.by_key.values()) if pred is None or f.pred == pred)


class Supposed:
    """Facts as they would be with some others in their place: nothing is copied and nothing changed."""

    def __init__(self, below: Atoms, put: Iterable[Fact]):
        """A fact whose value is UNKNOWN takes away what is known."""
        self.below, self.put = below, Facts(put)
        self.hidden: set[Atom] = set()
        for key in self.put.by_key:
            old = below.fact(key)
            if old is not None:
                self.hidden.update(rows_of(old))

    def match(self, name: str, pattern: Row) -> Iterable[Row]:
        below = [r for r in self.below.match(name, pattern) if (name, r) not in self.hidden]
        return [*below, *self.put.match(name, pattern)]

    def count(self, name: str, pattern: Row) -> int:
        return self.below.count(name, pattern) + self.put.count(name, pattern)

    def fact(self, key: Key) -> Fact | None:
        found = self.put.fact(key) or self.below.fact(key)
        return None if found is None or found.value is UNKNOWN else found
