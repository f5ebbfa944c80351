"""Values of a million rows in little room: what few rows share is kept once, numbers as numbers, long texts end to end.

A column gives back what was put in, type for type. What is too large to be kept is left where it stands, on the disk.
"""

from __future__ import annotations

import marshal
from array import array
from typing import TYPE_CHECKING, Any

from coterie.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray


FEW = 5_000  # different plain values that are kept once each, which takes more room than the values
FEW_TABLES = 2_000  # different tables or lists


class _Mark:
    """Stands for a value that is none."""


ABSENT, ELSEWHERE = _Mark(), _Mark()  # not in this row; there, and to be read from the disk
_PLAIN = (str, int, float, bool, type(None))


class Column:
    """Codes of values, as long as those are few; then numbers or texts themselves, and codes for what is neither."""

    def __init__(self, rows_before: int = 0):
        self.codes = array("B", bytes(rows_before))  # in two bytes once there are more than 256
        self.values: list[Any] = [ABSENT]
        self.numbers: dict[Any, int] = {(_Mark, ABSENT): 0}
        self.tables = 0
        self.raw: array[Any] | None = None  # numbers, or ends of texts, of rows whose code is `kind`
        self.text = bytearray()
        self.kind = -1
        self.type: type = type(None)

    def __len__(self) -> int:
        return len(self.codes)

    def add(self, value: Any) -> None:
        kind = type(value)
        if self.raw is not None:
            self._add_raw(value, kind)
            return
        code = self._code(value, kind)
        if code < 0:
            self._make_raw()
            self._add_raw(value, kind)
        else:
            self._append(code)

    def _append(self, code: int) -> None:
        if code > 255 and self.codes.typecode == "B":
            self.codes = array("H", self.codes)
        self.codes.append(code)

    def _code(self, value: Any, kind: type) -> int:
        plain = kind in _PLAIN or kind is _Mark
        name = (kind, repr(value) if kind is float else value) if plain else (kind, marshal.dumps(value, 2))
        code = self.numbers.get(name, -1)
        if code >= 0:
            return code
        if not plain and self.tables >= FEW_TABLES:
            return self._code(ELSEWHERE, _Mark)
        if len(self.values) >= FEW and kind is not _Mark:
            return -1
        self.tables += not plain
        self.numbers[name] = len(self.values)
        self.values.append(value)
        return len(self.values) - 1

    # -- many ---------------------------------------------------------------------------------------------------------
    def _make_raw(self) -> None:
        """Too many to be kept once each: those of the most frequent type are kept as they are from now on."""
        before, old = self.codes, self.values
        types = [type(v) for v in old if type(v) in (float, int, str)]
        self.type = max(dict.fromkeys(types), key=types.count, default=str)
        self.codes, self.values, self.numbers = array("B"), [ABSENT, ELSEWHERE], {(_Mark, ABSENT): 0}
        self.tables, self.kind = 0, 1
        self.raw = array({float: "d", int: "q", str: "Q"}[self.type])
        for code in before:
            self._add_raw(old[code], type(old[code]))

    def _add_raw(self, value: Any, kind: type) -> None:
        assert self.raw is not None
        fits = kind is self.type and (kind is not int or -(2**63) <= value < 2**63)
        if fits and kind is str:
            self.text += value.encode("utf-8", "surrogatepass")
            self.raw.append(len(self.text))
        else:
            self.raw.append(value if fits else len(self.text) if self.type is str else self.type())
        code = self.kind if fits else self._code(value, kind)
        self._append(code if code >= 0 else self._code(ELSEWHERE, _Mark))

    def get(self, i: int) -> Any:
        code = self.codes[i]
        if code != self.kind:
            return self.values[code]
        assert self.raw is not None
        if self.type is not str:
            return self.raw[i]
        return self.text[self.raw[i - 1] if i else 0 : self.raw[i]].decode("utf-8", "surrogatepass")

    @property
    def partly(self) -> bool:
        """Whether some of it is left on the disk."""
        return (_Mark, ELSEWHERE) in self.numbers

    def all_codes(self) -> NDArray[Any]:
        return np.frombuffer(self.codes, dtype=np.uint8 if self.codes.typecode == "B" else np.uint16)

    # -- all at once --------------------------------------------------------------------------------------------------
    def there(self) -> NDArray[np.bool_]:
        """In which rows it is."""
        return self.all_codes() != 0

    def is_value(self, value: Any) -> NDArray[np.bool_]:
        """In which rows it is this, as `==` has it."""
        codes = self.all_codes()
        if self.raw is not None:
            found = (self.get(i) for i in range(len(codes)))
            return np.fromiter((v is not ABSENT and bool(v == value) for v in found), dtype=bool, count=len(codes))
        good = [code for code, v in enumerate(self.values) if v is not ABSENT and v == value]
        return np.isin(codes, good)

    def floats(self) -> NDArray[np.float64]:
        """All of them as numbers; NaN where there is none."""
        codes = self.all_codes()
        each = np.full(max(len(self.values), self.kind + 1), np.nan)
        each[: len(self.values)] = [float(v) if type(v) in (int, float, bool) else np.nan for v in self.values]
        found = each[codes]
        if self.raw is not None and self.type is not str:
            mine = codes == self.kind
            found[mine] = np.frombuffer(self.raw, dtype=np.float64 if self.type is float else np.int64)[mine]
        return found

    def ranks(self) -> NDArray[np.int64]:
        """Where each row's text stands among all of them in their order."""
        if self.raw is None:
            order = {v: i for i, v in enumerate(sorted(v for v in self.values if v is not ABSENT))}
            each = np.array([order.get(v, -1) for v in self.values], dtype=np.int64)
            return each[self.all_codes()]
        first: dict[str, int] = {}  # many rows have the same one
        own = (first.setdefault(self.get(i), len(first)) for i in range(len(self)))
        each = np.fromiter(own, dtype=np.int64, count=len(self))
        rank = np.empty(len(first), dtype=np.int64)
        rank[[first[text] for text in sorted(first)]] = np.arange(len(first))
        return rank[each]
