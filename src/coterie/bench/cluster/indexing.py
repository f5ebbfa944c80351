"""Where the rows of shards stand: in which file, from which byte. Each is looked at once, and not kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, NamedTuple

import numpy as np

from coterie.bench.cluster.shards import Part, new_digest, owners, unit_name
from coterie.bench.latency import timeable
from coterie.bench.methods import Method
from coterie.bench.results import RESULTS, WALL, Row
from coterie.core.bounds import bounded_lines, open_plain
from coterie.core.errors import CoterieError


class Expected(NamedTuple):
    """The rows of a bench, in their order: which number each has, and which shard plays it."""

    numbers: dict[str, int]  # of an episode: that of its first row
    methods: dict[str, int]
    shard: np.ndarray[Any, np.dtype[np.int16]]

    def find(self, key: str, method: str) -> int | None:
        first, step = self.numbers.get(key), self.methods.get(method)
        return None if first is None or step is None else first + step


def expected(episodes: Sequence[tuple[str, str]], methods: Sequence[Method], of: int) -> Expected:
    """`episodes`: (scene, key) of each."""
    keys = [key for _, key in sorted(episodes)]
    found = owners(keys, methods, of)
    each = (found[unit_name(key, m.name, bool(m.memo))] for key in keys for m in methods)
    shard = np.fromiter(each, dtype=np.int16, count=len(keys) * len(methods))
    numbers = {key: i * len(methods) for i, key in enumerate(keys)}
    return Expected(numbers, {m.name: j for j, m in enumerate(methods)}, shard)


class Index:
    """Where each row stands: in which file, from which byte, how long."""

    def __init__(self, rows: int):
        self.file = np.full(rows, -1, dtype=np.int16)
        self.at = np.zeros(rows, dtype=np.int64)
        self.size = np.zeros(rows, dtype=np.int32)


def _lines(file: IO[bytes], part: Part, name: str) -> Iterator[tuple[int, int, bytes]]:
    """The whole lines of a file with their numbers and places; half a line is a complaint, and so is another file than
    there was at the end of the shard."""
    at, n, digest = 0, 0, new_digest()
    for n, line in enumerate(bounded_lines(file, f"file '{part.place / name}'"), 1):
        if not line.endswith(b"\n"):
            raise CoterieError(f"{_its(part)} ends in half a line of {name}. {go_on(part)}")
        yield n, at, line
        digest.update(line)
        at += len(line)
    if name == RESULTS and n != part.label.rows:
        raise CoterieError(f"{_its(part)} is not whole: {n} of {part.label.rows} rows. {go_on(part)}")
    if digest.hexdigest() != part.label.digests.get(name):
        raise CoterieError(f"{_its(part)}: {name} was changed after it was played. Play it again with --fresh.")


def _its(part: Part) -> str:
    return f"Shard {part.label.shard} in '{part.place}'"


def go_on(part: Part) -> str:
    return f"Play it to its end: coterie bench ... --shard {part.label.shard}."


def parse_row(line: bytes) -> Row | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    good = isinstance(row, dict) and isinstance(row.get("key"), str) and isinstance(row.get("method"), str)
    return row if good else None


def index_rows(
    part: Part, number: int, want: Expected, rows: Index, check: Callable[[Row], str], done: Callable[[int], None]
) -> None:
    """Enter the rows of a shard; one that is not its own, is there twice, or says no scores is a complaint."""
    own = part.label.shard.number
    if not (part.place / RESULTS).is_file():
        raise CoterieError(f"{_its(part)} has no {RESULTS}. {go_on(part)}")
    with open_plain(part.place / RESULTS, "file") as file:
        for n, at, line in _lines(file, part, RESULTS):
            row = parse_row(line)
            if row is None:
                raise CoterieError(f"{_its(part)}: line {n} of {RESULTS} is no row. Play it again with --fresh.")
            where, name = want.find(row["key"], row["method"]), f"{row['key']} by {row['method']}"
            if where is None or want.shard[where] != own:
                what = "of another bench" if where is None else f"of shard {want.shard[where]}"
                raise CoterieError(f"{_its(part)} has a row {what}: {name}. Play it with --fresh.")
            if rows.file[where] == number:
                raise CoterieError(f"{_its(part)} has a row twice: {name}. Play it with --fresh.")
            if wrong := check(row):
                raise CoterieError(f"{_its(part)}: line {n} of {RESULTS}: {wrong}. Play it again with --fresh.")
            if rows.file[where] == -1:
                rows.file[where], rows.at[where], rows.size[where] = number, at, len(line)
                done(1)


def index_walls(part: Part, number: int, want: Expected, walls: Index) -> None:
    """What episodes took; of one that was played twice, the last time."""
    path = part.place / WALL
    if not path.is_file():
        raise CoterieError(f"{_its(part)} has no {WALL}. {go_on(part)}")
    with open_plain(path, "file") as file:
        for n, at, line in _lines(file, part, WALL):
            row = parse_row(line)
            if row is None or not timeable(row):
                raise CoterieError(f"{_its(part)}: line {n} of {WALL} tells no times. Play it again with --fresh.")
            where = want.find(row["key"], row["method"])
            if where is not None:
                walls.file[where], walls.at[where], walls.size[where] = number, at, len(line)


class Files:
    """Files of one name in all shards, to be read from here and there."""

    def __init__(self, parts: Sequence[Part], name: str):
        self.parts, self.name = parts, name
        self.open: dict[int, IO[bytes]] = {}

    def read(self, index: Index, i: int) -> bytes:
        """The i-th row; nothing where there is none."""
        number = int(index.file[i])
        if number < 0:
            return b""
        if number not in self.open:
            if len(self.open) > 200:  # systems allow only so many at once
                self.open.pop(next(iter(self.open))).close()
            self.open[number] = open_plain(self.parts[number].place / self.name, "file")
        self.open[number].seek(int(index.at[i]))
        return self.open[number].read(int(index.size[i]))

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self.open.values():
            file.close()
