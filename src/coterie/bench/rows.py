"""Rows of results that are too many to be kept as they are: columns in memory, the rest on the disk.

A table looks at a few columns of all rows again and again. Those are kept (see columns.py); what else a row holds,
such as what each robot did, is read when somebody asks for it. A selection of rows is a list of numbers.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast, overload

from coterie.bench.columns import ABSENT, ELSEWHERE, Column
from coterie.bench.results import Row
from coterie.core.bounds import open_plain, read_lines
from coterie.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

LABELS = "labels"


class Store:
    """The rows of one file, whole lines that were checked before."""

    def __init__(self, path: Path):
        self.path, self.count = path, 0
        self.columns: dict[str, Column] = {}
        self.labels: dict[str, Column] = {}
        self.ends = array("Q", [0])
        for line in read_lines(path, "file"):
            self._add(json.loads(line))
            self.ends.append(self.ends[-1] + len(line))
        self._file: IO[bytes] | None = None
        self._last: tuple[int, Row] = (-1, {})
        self._floats: tuple[str, NDArray[np.float64]] = ("", np.empty(0))  # of the last column that was asked for
        self._ids: NDArray[np.int64] | None = None

    def _add(self, row: Row) -> None:
        labels = row.pop(LABELS)
        for columns, values in ((self.columns, row), (self.labels, labels)):
            for name, value in values.items():
                if name not in columns:
                    columns[name] = Column(self.count)
                columns[name].add(value)
            for name in columns.keys() - values.keys():
                columns[name].add(ABSENT)
        self.count += 1

    def read(self, i: int) -> Row:
        """The whole row, from the disk."""
        if self._last[0] != i:
            if self._file is None:
                self._file = open_plain(self.path, "file")  # also when the file has got another by its name
            self._file.seek(self.ends[i])
            self._last = i, json.loads(self._file.read(self.ends[i + 1] - self.ends[i]))
        return self._last[1]

    def floats(self, name: str) -> NDArray[np.float64]:
        if self._floats[0] != name:
            self._floats = name, self.columns[name].floats()
        return self._floats[1]

    def ids(self) -> NDArray[np.int64]:
        """A number for each episode, in the order of their names."""
        if self._ids is None:
            self._ids = self.columns["key"].ranks()
        return self._ids


class _View(Mapping[str, Any]):
    __slots__ = ("i", "store")

    def __init__(self, store: Store, i: int):
        self.store, self.i = store, i

    def _columns(self) -> dict[str, Column]:
        return self.store.columns

    def _whole(self) -> Row:
        return self.store.read(self.i)

    def __getitem__(self, name: str) -> Any:
        column = self._columns().get(name)
        value = ABSENT if column is None else column.get(self.i)
        if value is ABSENT:
            raise KeyError(name)
        return self._whole()[name] if value is ELSEWHERE else value

    def get(self, name: str, default: Any = None) -> Any:
        column = self._columns().get(name)
        value = ABSENT if column is None else column.get(self.i)
        return default if value is ABSENT else self._whole()[name] if value is ELSEWHERE else value

    def __contains__(self, name: object) -> bool:
        column = self._columns().get(str(name))
        return column is not None and column.codes[self.i] != 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())


class _Labels(_View):
    __slots__ = ()

    def _columns(self) -> dict[str, Column]:
        return self.store.labels

    def _whole(self) -> Row:
        return cast(Row, self.store.read(self.i)[LABELS])


class View(_View):
    """One row; it is read as a dictionary is."""

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        return _Labels(self.store, self.i) if name == LABELS else super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        return _Labels(self.store, self.i) if name == LABELS else super().get(name, default)

    def __contains__(self, name: object) -> bool:
        return name == LABELS or super().__contains__(name)


class Rows(Sequence[Row]):
    """Some rows of a store, in some order."""

    def __init__(self, store: Store, numbers: Numbers | None = None):
        self.store = store
        self.numbers = np.arange(store.count) if numbers is None else numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, i: int) -> Row: ...
    @overload
    def __getitem__(self, i: slice) -> Rows: ...
    def __getitem__(self, i: int | slice) -> Row | Rows:
        if isinstance(i, slice):
            return Rows(self.store, self.numbers[i])
        return cast(Row, View(self.store, int(self.numbers[i])))

    def __iter__(self) -> Iterator[Row]:
        store = self.store
        return (cast(Row, View(store, i)) for i in self.numbers.tolist())

    # -- what tables ask for --------------------------------------------------------------------------------------
    def whole(self) -> Iterator[Row]:
        """Each of them from the disk, and not kept."""
        return map(self.store.read, self.numbers.tolist())

    def ordered(self) -> Rows:
        """By episode and method, as tables have them."""
        key, method = self.store.ids()[self.numbers], self.store.columns["method"].ranks()[self.numbers]
        return Rows(self.store, self.numbers[np.lexsort((method, key))])

    def where(self, test: Callable[[Row], bool]) -> Rows:
        return self._kept(np.fromiter((bool(test(row)) for row in self), dtype=bool, count=len(self)))

    def having(self, name: str, there: bool = True) -> Rows:
        """Those that have this column, or do not."""
        column = self.store.columns.get(name)
        if column is None:
            return self[:0] if there else self
        return self._kept(column.there()[self.numbers] == there)

    def floats(self, name: str) -> NDArray[np.float64]:
        """A column of numbers."""
        return self.store.floats(name)[self.numbers]

    def ids(self) -> NDArray[np.int64]:
        """The same number for rows of the same episode."""
        return self.store.ids()[self.numbers]

    def where_labels(self, names: Sequence[str], test: Callable[[Row], bool]) -> Rows:
        """As `where`, of a test that looks at these labels alone: it is asked once for all rows alike in them."""
        kinds, mine = self._alike(names)
        good = np.array([bool(test({LABELS: dict(zip(names, kind))})) for kind in kinds], dtype=bool)
        return self._kept(good[mine]) if kinds else self

    def select(self, method: str | None, labels: Mapping[str, Any]) -> Rows:
        found = self if method is None else self._where_is(self.store.columns["method"], method)
        for name, value in labels.items():
            column = self.store.labels.get(name)
            if column is None:
                found = found if value is None else found[:0]
            elif column.partly:
                found = found.where(partial(_is, name, value))
            else:
                found = found._where_is(column, value)
        return found

    def _where_is(self, column: Column, value: Any) -> Rows:
        good = column.is_value(value)
        return self._kept((good if value is not None else good | ~column.there())[self.numbers])

    def labels(self, name: str) -> Iterator[Any]:
        """Its values, in the order in which they come first."""
        column = self.store.labels.get(name)
        if column is None:
            return iter([None] if len(self) else [])
        if column.raw is not None or column.partly:
            return (row[LABELS].get(name) for row in self)
        codes, first = np.unique(column.all_codes()[self.numbers], return_index=True)
        values = (column.values[codes[i]] for i in np.argsort(first))
        return (None if v is ABSENT else v for v in values)

    def tuples(self, *names: str) -> list[tuple[Any, ...]]:
        """These labels of each row."""
        kinds, mine = self._alike(names)
        return [kinds[i] for i in mine.tolist()]

    def _alike(self, names: Sequence[str]) -> tuple[list[tuple[Any, ...]], NDArray[np.int64]]:
        """What there is of these labels, and which of it each row has."""
        columns = [self.store.labels.get(name) for name in names]
        if any(c is not None and (c.raw is not None or c.partly) for c in columns):
            found: dict[tuple[Any, ...], int] = {}
            each = (tuple(row[LABELS].get(name) for name in names) for row in self)
            mine = np.fromiter((found.setdefault(t, len(found)) for t in each), dtype=np.int64, count=len(self))
            return list(found), mine
        codes = np.zeros(len(self), dtype=np.int64)
        for column in columns:
            codes = codes * 65_536
            if column is not None:
                codes = codes + column.all_codes()[self.numbers]
        kinds, mine = np.unique(codes, return_inverse=True)
        return [self._values(columns, int(kind)) for kind in kinds], mine

    @staticmethod
    def _values(columns: Sequence[Column | None], code: int) -> tuple[Any, ...]:
        found = []
        for column in reversed(columns):
            code, own = divmod(code, 65_536)
            value = ABSENT if column is None else column.values[own]
            found.append(None if value is ABSENT else value)
        return tuple(reversed(found))

    def take(self, places: NDArray[np.int64]) -> Rows:
        return Rows(self.store, self.numbers[places])

    def _kept(self, good: NDArray[np.bool_]) -> Rows:
        return Rows(self.store, self.numbers[good])


def _is(name: str, value: Any, row: Row) -> bool:
    return bool(row[LABELS].get(name) == value)


def where(rows: Iterable[Row], test: Callable[[Row], bool]) -> Sequence[Row]:
    """Those of which this is true, as a list or, of very many, as a selection."""
    return rows.where(test) if isinstance(rows, Rows) else [row for row in rows if test(row)]
