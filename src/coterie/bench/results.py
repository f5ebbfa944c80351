"""The scores on disk: one JSON line per episode, only ever appended to, whole after a kill at any byte.

Lines hold nothing that differs between two runs of the same thing, so that sorted files can be compared byte for byte;
wall times go into a file of their own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import marshal
import os
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import coterie
from coterie.core.bounds import read_lines
from coterie.core.errors import CoterieError
from coterie.core.files import append, draft, writing

if TYPE_CHECKING:
    from coterie.bench.methods import Method
    from coterie.bench.spec import EpisodeSpec

Row = dict[str, Any]
MOST_ALIKE = 50_000  # parts of rows that are looked at for others like them
RESULTS, WALL, CONFIG, TABLE = "results.jsonl", "wall.jsonl", "config.json", "table.md"


@dataclass(frozen=True, repr=False)
class Bench:
    """A finished run: what was asked for, and one row per episode and method."""

    folder: Path
    suite: str
    specs: Sequence[EpisodeSpec]
    methods: list[Method]
    rows: Sequence[Row]
    settings: dict[str, Any]
    reused: int = 0  # rows that were there already
    unused: int = 0  # rows of these episodes and methods in the folder that another model or version made
    walls: Sequence[Row] = ()  # what these episodes took on the clock, as far as it is known
    alike: list[str] = field(default_factory=list)  # sentences about episodes that are left out, as they repeat others

    @property
    def names(self) -> list[str]:
        """The methods as they stand in tables."""
        return [m.name for m in self.methods]

    def __repr__(self) -> str:
        return f"Bench({self.suite}: {len(self.specs)} episodes, {', '.join(self.names)})"


def prepare(folder: Path) -> None:
    """Make the folder, or say in a sentence why it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        make = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)  # a pipe is not waited for
        os.close(os.open(folder / RESULTS, make, 0o666))
    except (FileExistsError, NotADirectoryError):
        raise CoterieError(f"--out '{folder}' is a file, or lies below one; name a folder.") from None
    except OSError as err:
        raise CoterieError(f"Cannot write to --out '{folder}': {err.strerror}. Choose another folder.") from err


def load(path: Path) -> list[Row]:
    """The whole lines of a file; one that a kill has cut short does not count."""
    if not path.exists():
        return []
    rows: list[Row] = []
    bad = 0  # a line that is none of ours; the last one may be what is left of a machine that lost its power
    alike = _Alike()
    for n, line in enumerate(_lines(path), 1):
        row = None if bad else _row(line, alike)
        if row is None and (bad or not rows):
            raise CoterieError(
                f"Line {bad or n} of '{path}' is not a result of a bench. Delete the file to begin anew."
            )
        if row is None:
            bad = n
        else:
            rows.append(row)
    return rows


def _lines(path: Path) -> Iterator[str]:
    """Whole lines, one at a time: a million of them would fill the memory twice."""
    whole = (line for line in read_lines(path, "file") if line.endswith(b"\n"))
    return (line[:-1].decode("utf-8", errors="replace") for line in whole)


class _Alike:
    """Names are the same in every row, and much of what they hold: it is kept once. Nobody changes a row."""

    def __init__(self) -> None:
        self.seen: dict[bytes, Row] = {}

    def __call__(self, pairs: list[tuple[str, Any]]) -> Row:
        found = {sys.intern(name): sys.intern(value) if type(value) is str else value for name, value in pairs}
        if len(self.seen) > MOST_ALIKE or "key" in found:  # a row itself is like no other
            return found
        return self.seen.setdefault(marshal.dumps(pairs, 2), found)  # in which 1 is not true, and 0 not 0.0


def _row(line: str, alike: _Alike | None = None) -> Row | None:
    try:
        row = json.loads(line, object_pairs_hook=alike)
    except (ValueError, RecursionError):
        return None
    good = isinstance(row, dict) and all(isinstance(row.get(k), str) for k in ("key", "method"))
    return row if good else None


def dump(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


class Appender:
    """Adds lines to a file; each is on its way to the disk before the next episode is asked for."""

    def __init__(self, path: Path):
        self.path = path
        with writing(f"'{path}'"):
            self.file = append(path, good=lambda line: _row(line) is not None)

    def add(self, row: Mapping[str, Any]) -> None:
        with writing(f"'{self.path}'"):
            self.file.write(dump(row) + "\n")
            self.file.flush()

    def close(self) -> None:
        with contextlib.suppress(OSError):  # told when it was written
            self.file.close()

    def __enter__(self) -> Appender:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def put_in_order(path: Path, rows: Collection[Row]) -> None:
    """Rewrite a file so that these rows, which stand in it, come last and in this order: that of one process, whichever
    was finished first. Other lines stay before them."""
    if not path.is_file():  # a device has no order
        return
    mine = {_mark(_bytes(row)) for row in rows}  # not the lines themselves, of which there may be a million
    with writing(f"'{path}'"), draft(path) as part, part.open("wb") as file:
        before = read_lines(path, "file")
        file.writelines(line for line in before if line.endswith(b"\n") and _mark(line) not in mine)
        file.writelines(map(_bytes, rows))


def _bytes(row: Row) -> bytes:
    return (dump(row) + "\n").encode("utf-8", errors="backslashreplace")


def _mark(line: bytes) -> bytes:
    return hashlib.blake2b(line, digest_size=16).digest()


def remove_plots(folder: Path, names: Iterable[str], keep: Iterable[str] = ()) -> int:
    """Plots of an earlier run would show other episodes than the table; how many were removed."""
    found = [folder / "plots" / f"{name}.{kind}" for name in names if name not in keep for kind in ("png", "pdf")]
    found = [path for path in found if path.exists()]
    for path in found:
        path.unlink()
    return sum(path.suffix == ".png" for path in found)


def ordered(rows: Iterable[Row]) -> list[Row]:
    """Each (episode, method) once, in an order that does not depend on who was finished first."""
    first: dict[tuple[str, str], Row] = {}
    for row in rows:
        first.setdefault((row["key"], row["method"]), row)
    return [first[k] for k in sorted(first)]


@lru_cache(maxsize=1)
def commit() -> str:
    """The commit of the source tree that runs, if it is one; else nothing. What is not committed does not show."""
    root = Path(coterie.__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return ""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, timeout=10)
        return done.stdout.strip()[:12]
    return ""
