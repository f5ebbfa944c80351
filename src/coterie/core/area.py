"""An area that fills up: a robot's knowledge of the ground, cell by cell, and the news of it in a few letters.

A cell holds a small number, and 0 where nothing is known. What is told only ever adds: a cell keeps the greatest number
that it was told. So the order of news is of no matter, nor how often it comes, and two robots that told each other all
they know hold the same. What the numbers mean is the world's affair. Nobody knows beforehand how far an area reaches:
it grows with what is told.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from coterie.core.lazy import np  # most worlds are not seen cell by cell

if TYPE_CHECKING:
    NOTHING: Patch

BLOCK = 32  # cells by which an area grows at least
MOST_CELLS = 4_000_000  # of one area: what reaches further is told by somebody who is lost
_FAR = 1 << 20


class Patch:
    """A piece of ground with what is told of its cells, 0 for nothing. It never changes."""

    __slots__ = ("cells", "low")

    def __init__(self, low: tuple[int, int], cells: np.ndarray):
        self.low = low  # column and row of the first cell
        self.cells = cells  # (rows, columns), uint8
        cells.flags.writeable = False

    @classmethod
    def of(cls, xs: Any, ys: Any, values: Any) -> Patch:
        """From columns, rows and numbers of single cells; where one is told twice, the greater number."""
        x, y, v = np.asarray(xs), np.asarray(ys), np.asarray(values, dtype=np.uint8)
        if not len(x):
            return cls((0, 0), np.zeros((0, 0), dtype=np.uint8))
        low = int(x.min()), int(y.min())
        wide, high = int(x.max()) - low[0] + 1, int(y.max()) - low[1] + 1
        if wide * high > MOST_CELLS:
            raise ValueError("an area so large that nobody can have seen it")
        cells = np.zeros((high, wide), dtype=np.uint8)
        order = np.argsort(v, kind="stable")  # of several numbers for a cell, the last that is set stays
        cells[(y - low[1])[order], (x - low[0])[order]] = v[order]
        return cls(low, cells)

    def __len__(self) -> int:
        """How many cells it tells of."""
        return int(np.count_nonzero(self.cells))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Patch) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Patch({len(self)} cells)"

    def moved(self, dx: int, dy: int) -> Patch:
        return self if not (dx or dy) else Patch((self.low[0] + dx, self.low[1] + dy), self.cells)

    @classmethod
    def joined(cls, patches: Iterable[Patch]) -> Patch:
        """All that some patches tell, in one."""
        some = list(patches)
        if len(some) == 1:
            return some[0]
        area = Area()
        for patch in some:
            area.tell(patch)
        return area.patch()

    # -- as text --------------------------------------------------------------------------------------------------
    @property
    def text(self) -> str:
        """Runs of cells in letters: number by number, row, column and length of each against the one before."""
        cells, columns = self.cells.reshape(-1), self.cells.shape[1]
        at = cells.nonzero()[0]
        runs, number, first, end = [], 0, 0, 0
        for here, value in zip(at.tolist(), cells[at].tolist()):
            if here == end and value == number and here % columns:  # no run goes on in the next row
                end += 1
                continue
            if number:
                runs.append((number, first, end))
            number, first, end = value, here, here + 1
        if not number:
            return ""
        runs.append((number, first, end))
        runs.sort()
        return binascii.b2a_base64(_written(runs, columns, self.low), newline=False).rstrip(b"=").decode("ascii")

    def to_json(self) -> str:
        return self.text

    @classmethod
    def read(cls, text: str) -> Patch:
        """The patch of a text; ValueError for what is none."""
        data = iter(base64.b64decode(text + "=" * (-len(text) % 4), validate=True))
        xs: list[int] = []
        ys: list[int] = []
        values: list[int] = []
        y = x = value = 0
        try:
            for code in data:
                if code < 128:
                    length = (code & 3) + 1
                    y, x = y + (code >> 6), x + (code >> 2 & 15) - 8
                else:
                    length = (code & 63) + 1
                    if length == 64:
                        length += _get(data)
                    if code & 64:
                        value = next(data)
                    y += _unzigzag(_get(data))
                    x += _unzigzag(_get(data))
                if len(xs) + length > MOST_CELLS or abs(x) > _FAR or abs(y) > _FAR:
                    raise ValueError("an area so large that nobody can have seen it")
                xs += range(x, x + length)
                ys += [y] * length
                values += [value] * length
        except StopIteration:
            raise ValueError("an area that is cut off") from None
        return cls.of(xs, ys, values)


def _written(runs: Iterable[tuple[int, int, int]], columns: int, low: tuple[int, int]) -> bytearray:
    """Runs of cells (number, first, end), counted in rows of so many columns. Most of them fit into one letter; the
    others are written out."""
    out = bytearray()
    last_x, last_y = -low[0], -low[1]
    last = 0
    for number, first, end in runs:
        y, x = divmod(first, columns)
        dy, dx, length = y - last_y, x - last_x, end - first - 1
        last_x, last_y = x, y
        if number == last and 0 <= dy <= 1 and -8 <= dx < 8 and length < 4:
            out.append(dy << 6 | dx + 8 << 2 | length)
            continue
        out.append(128 | (number != last) << 6 | (length if length < 63 else 63))
        if length >= 63:
            _put(out, length - 63)
        if number != last:
            out.append(number)
            last = number
        for step in (dy, dx):
            if -64 <= step < 64:  # it fits into one letter, as most do
                out.append(step << 1 if step >= 0 else (-step << 1) - 1)
            else:
                _put(out, _zigzag(step))
    return out


def _put(out: bytearray, number: int) -> None:
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _get(data: Iterator[int]) -> int:
    number = shift = 0
    while True:
        byte = next(data)
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number
        if shift > 28:
            raise ValueError("a number of an area that has no end")


def _zigzag(number: int) -> int:
    return number << 1 if number >= 0 else (-number << 1) - 1


def _unzigzag(number: int) -> int:
    return number >> 1 if not number & 1 else -(number + 1 >> 1)


def __getattr__(name: str) -> Patch:
    if name != "NOTHING":
        raise AttributeError(name)
    nothing = globals()["NOTHING"] = Patch((0, 0), np.zeros((0, 0), dtype=np.uint8))
    return nothing


class Area:
    """Cells over the ground, of which more and more become known."""

    __slots__ = ("_history", "cells", "cursor", "low")

    def __init__(self) -> None:
        self.low = (0, 0)  # column and row of the first cell
        self._history: list[Patch] = []
        self.cursor = 0  # how long that is; asked for many times a step

    def __getattr__(self, name: str) -> np.ndarray:
        """`cells` (rows, columns), before anything is told."""
        if name != "cells":
            raise AttributeError(name)
        self.cells: np.ndarray = np.zeros((0, 0), dtype=np.uint8)
        return self.cells

    def __len__(self) -> int:
        """How many cells are known."""
        return int(np.count_nonzero(self.cells))

    def at(self, x: int, y: int) -> int:
        """The number of a cell; 0 where nothing is known."""
        col, row = x - self.low[0], y - self.low[1]
        rows, cols = self.cells.shape
        return int(self.cells[row, col]) if 0 <= col < cols and 0 <= row < rows else 0

    def unknown(self, cells: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the cells of which nothing is known."""
        (x, y), (rows, columns), at = self.low, self.cells.shape, self.cells.item
        return [
            (column, row)
            for column, row in cells
            if not (0 <= column - x < columns and 0 <= row - y < rows and at(row - y, column - x))
        ]

    def patch(self) -> Patch:
        """All that is known."""
        return Patch(self.low, self.cells.copy())

    def since(self, cursor: int) -> list[Patch]:
        """Return the patches that were new after `cursor` (a value of `.cursor` read earlier)."""
        return self._history[cursor:]

    def tell(self, patch: Patch) -> Patch | None:
        """Take in what a robot sees or hears of; what of it is new, or None. ValueError for what is far too large."""
        told = patch.cells
        rows, cols = told.shape
        if not (rows and cols):
            return None
        self._reach(*patch.low, rows, cols)
        row, col = patch.low[1] - self.low[1], patch.low[0] - self.low[0]
        here = self.cells[row : row + rows, col : col + cols]
        more = told > here
        if b"\1" not in more.tobytes():  # for so few cells several times as quick as any()
            return None
        np.maximum(here, told, out=here)
        new = Patch(patch.low, told * more)
        self._history.append(new)
        self.cursor += 1
        return new

    def _reach(self, x: int, y: int, rows: int, cols: int) -> None:
        """Make room, in whole blocks, so that it is seldom needed."""
        (x0, y0), (high, wide) = self.low, self.cells.shape
        if high and x0 <= x and x + cols <= x0 + wide and y0 <= y and y + rows <= y0 + high:
            return
        right, up = x + cols, y + rows
        if high:
            x, right, y, up = min(x, x0), max(right, x0 + wide), min(y, y0), max(up, y0 + high)
        x1, y1 = x // BLOCK * BLOCK, y // BLOCK * BLOCK
        shape = (up - y1 + BLOCK - 1) // BLOCK * BLOCK, (right - x1 + BLOCK - 1) // BLOCK * BLOCK
        if shape[0] * shape[1] > MOST_CELLS:
            raise ValueError(f"an area of {shape[0]} x {shape[1]} cells is too large")
        new = np.zeros(shape, dtype=np.uint8)
        if high:
            new[y0 - y1 : y0 - y1 + high, x0 - x1 : x0 - x1 + wide] = self.cells
        self.low, self.cells = (x1, y1), new
