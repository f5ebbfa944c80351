"""Weights from files: GGUF (`.gguf`) and archives of numpy's (`.npz`), read within bounds.

Every size that a file claims is compared with that of the file before anything is allocated for it, so that reading
takes a time and a memory that go with the length of the file. What does not fit its own claims, and numbers that are
none, end in a sentence.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import struct
import tokenize
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.lib import format as npy

from coterie.core.bounds import MB, open_plain
from coterie.core.errors import CoterieError
from coterie.core.lazy import need

GGUF = b"GGUF"  # the first letters of such a file
MOST_HEADER = 24 * MB  # of a GGUF, all but its weights; the words of the largest models take 16
_VERSIONS = (2, 3)
_NUMBERS = dict(zip((0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12), ("B", "b", "H", "h", "I", "i", "f", "?", "Q", "q", "d")))
_TEXT, _ARRAY, _UINT32 = 8, 9, 4
_MOST_DIMENSIONS = 4
#: What readers of numpy's and of zip files raise at a file that is none.
_DAMAGE = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, EOFError, OSError, SyntaxError, OverflowError,
    NotImplementedError, RuntimeError, MemoryError, struct.error, tokenize.TokenError, zipfile.BadZipFile,
)  # fmt: skip


@contextlib.contextmanager
def _damage(path: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as err:
        why = str(err) if type(err) is _Wrong else "it is cut, changed, or of another kind"
        raise CoterieError(f"'{path}' cannot be read as weights: {why}.") from err


class _Wrong(ValueError):
    """A fault of a file, in words."""


def is_gguf(path: Path) -> bool:
    with open_plain(path, "file of weights") as file:
        return file.read(len(GGUF)) == GGUF


# -- GGUF -------------------------------------------------------------------------------------------------------------
class Field(NamedTuple):
    """One line of what a file says about itself."""

    kind: int  # as the format numbers them
    inner: int | None  # of an array's members
    value: Any

    @property
    def contents(self) -> Any:
        return self.value.tolist() if isinstance(self.value, np.ndarray) else self.value


class Tensor(NamedTuple):
    name: str
    kind: Any  # how its numbers are stored, one of gguf.GGMLQuantizationType
    shape: tuple[int, ...]  # as numpy has it, (out, in)
    data: np.ndarray  # as it is stored


class Gguf:
    """A GGUF file: `fields` by their names, and `tensors`, whose numbers stay on the disk until they are asked for."""

    def __init__(self, path: Path):
        self.path, self._library = path, gguf_library()
        with open_plain(path, "file of weights") as file, _damage(path):
            if os.fstat(file.fileno()).st_size < len(GGUF):
                raise _Wrong("it is not a GGUF file")
            self._data = np.memmap(file, dtype=np.uint8, mode="r")
            at = _Cursor(self._data[:MOST_HEADER].data)
            if bytes(at.take(len(GGUF))) != GGUF or at.number("I") not in _VERSIONS:
                raise _Wrong("it is not a GGUF file, or not of version 2 or 3")
            tensors, fields = at.number("Q"), at.number("Q")
            self.fields: dict[str, Field] = {}
            for _ in range(fields):
                name = at.text()
                if name in self.fields:
                    raise _Wrong("it names something twice")
                self.fields[name] = at.field()
            claims = [self._claim(at) for _ in range(tensors)]
            self.tensors = self._placed(claims, at.at)

    def text(self, name: str) -> str:
        """A field that is a text; empty where there is none."""
        field = self.fields.get(name)
        return str(field.value) if field is not None and field.kind == _TEXT else ""

    def number(self, name: str) -> float | None:
        """A field that is a number, and one to work with."""
        field = self.fields.get(name)
        if field is None:
            return None
        if field.kind not in _NUMBERS or not math.isfinite(field.value):
            raise CoterieError(f"'{self.path}' cannot be read as weights: `{name}` is no number.")
        return float(field.value)

    def array(self, tensor: Tensor) -> np.ndarray:
        """The numbers of a tensor, with 32 bits each."""
        with _damage(self.path), np.errstate(all="ignore"):
            found = np.asarray(self._library.quants.dequantize(tensor.data, tensor.kind), dtype=np.float32)
            if not np.isfinite(found).all():
                raise _Wrong(f"'{tensor.name}' holds values that are no numbers")
            return found.reshape(tensor.shape)

    def _claim(self, at: _Cursor) -> tuple[str, int, tuple[int, ...], int]:
        name, count = at.text(), at.number("I")
        if not 1 <= count <= _MOST_DIMENSIONS:
            raise _Wrong(f"'{name}' has {count} dimensions")
        shape = tuple(at.number("Q") for _ in range(count))
        return name, at.number("I"), shape[::-1], at.number("Q")

    def _placed(self, claims: list[tuple[str, int, tuple[int, ...], int]], header: int) -> list[Tensor]:
        library = self._library
        align = self.fields.get("general.alignment", Field(_UINT32, None, library.GGUF_DEFAULT_ALIGNMENT))
        if align.kind != _UINT32 or align.value < 1 or align.value & (align.value - 1):
            raise _Wrong("its alignment is no power of two")
        begin = -(-header // align.value) * align.value
        left = len(self._data) - begin
        found: dict[str, Tensor] = {}
        for name, number, shape, offset in claims:
            kind = library.GGMLQuantizationType(number)
            block, size = library.GGML_QUANT_SIZES[kind]
            length = math.prod(shape) // block * size
            left -= length
            if name in found or not all(shape) or shape[-1] % block or left < 0 or offset > len(self._data):
                raise _Wrong(f"'{name}' is not what it claims to be")
            raw = self._data[begin + offset : begin + offset + length]
            if len(raw) != length:
                raise _Wrong(f"'{name}' is not all there")
            own = getattr(np, _STORED.get(kind.name, "uint8"))
            rows = (*shape[:-1], -1)
            found[name] = Tensor(name, kind, shape, raw.view(own).reshape(rows))
        return list(found.values())


#: Kinds of numbers that numpy has, too; others stay bytes until they are asked for.
_STORED = {
    "F16": "float16", "F32": "float32", "F64": "float64", "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64",
}  # fmt: skip


class _Cursor:
    """Reads the header of a GGUF from its beginning to its end."""

    def __init__(self, data: memoryview):
        self.data, self.at = data, 0

    def take(self, count: int) -> memoryview:
        if count > len(self.data) - self.at:
            raise _Wrong("it claims more than it holds")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, form: str) -> Any:
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))[0]

    def text(self) -> str:
        return str(self.take(self.number("Q")), "utf-8")

    def field(self) -> Field:
        kind = self.number("I")
        if kind == _TEXT:
            return Field(kind, None, self.text())
        if kind != _ARRAY:
            return Field(kind, None, self.number(_NUMBERS[kind]))
        inner, count = self.number("I"), self.number("Q")
        if inner == _TEXT:
            return Field(kind, inner, [self.text() for _ in range(count)])
        stored = np.dtype("<" + _NUMBERS[inner])
        return Field(kind, inner, np.frombuffer(self.take(count * stored.itemsize), stored))


def gguf_library() -> Any:
    return need("gguf", "embedded", "Adapters need")


# -- numpy's archives -------------------------------------------------------------------------------------------------
def read_npz(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file that `numpy.savez` wrote. Packed ones are refused: they may claim any size."""
    with open_plain(path, "file of weights") as file, _damage(path):
        size = os.fstat(file.fileno()).st_size
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            if any(m.compress_type != zipfile.ZIP_STORED for m in members):
                raise _Wrong("it is packed; write it with numpy.savez, not numpy.savez_compressed")
            if sum(m.file_size for m in members) > size or len({m.filename for m in members}) < len(members):
                raise _Wrong("it claims more than it holds")
            return {m.filename.removesuffix(".npy"): _npy(archive.read(m)) for m in members}


def _npy(data: bytes) -> np.ndarray:
    stream = io.BytesIO(data)
    head = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(stream)]
    shape, _, kind = head(stream)
    if kind.hasobject or min(shape, default=0) < 0 or math.prod(shape) * kind.itemsize != len(data) - stream.tell():
        raise _Wrong("an array in it is not what it claims to be")
    stream.seek(0)
    return np.asarray(npy.read_array(stream, allow_pickle=False))


# -- pairs ------------------------------------------------------------------------------------------------------------
def check_pairs(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """The rank of each pair `NAME.lora_a` (rank, in) and `NAME.lora_b` (out, rank); a sentence where one is none."""
    ranks: dict[str, int] = {}
    for name in dict.fromkeys(full.rpartition(".")[0] for full in shapes):
        a, b = (shapes.get(f"{name}.{part}", ()) for part in ("lora_a", "lora_b"))
        if len(a) != 2 or len(b) != 2 or a[0] != b[1] or not all((*a, *b)):
            raise CoterieError(
                f"'{path}' holds no pair for '{name}': it needs `{name}.lora_a`, rank x in, and `{name}.lora_b`, "
                "out x rank."
            )
        ranks[name] = a[0]
    odd = [full for full in shapes if full.rpartition(".")[2] not in ("lora_a", "lora_b")]
    if odd or not ranks:
        raise CoterieError(f"'{path}' is no adapter: it holds {f'{odd[0]!r}' if odd else 'no pairs'}.")
    return ranks
