"""Shards to one bench: every row once, in the order in which one process would have played them.

Rows are read one at a time and never kept: what is remembered of each is where it stands. So a million of them take
little memory, and a thousand machines need not wait for whoever collects.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from coterie.bench.cluster.configs import check_configs
from coterie.bench.cluster.shards import Part, Shard, owners, places, ranges, read_label, unit_name
from coterie.bench.methods import Method
from coterie.bench.results import CONFIG, RESULTS, WALL, prepare
from coterie.core.errors import CoterieError
from coterie.core.files import Lock, draft, writing

Progress = Callable[[int, int], None]


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


# -- what is there ----------------------------------------------------------------------------------------------------
def parts_of(folders: Sequence[Path], of: int | None = None) -> list[Part]:
    """All shards below these folders, or those of so many; all of one bench. Complaints name what is wrong."""
    found: list[Part] = []
    for folder in folders:
        below = places(folder, of)
        if not below:
            raise CoterieError(
                f"There are no shards in '{folder}'. They are made by `coterie bench SUITE --shard I/N`."
            )
        found += [Part(place, read_label(place)) for place in below]
    first = found[0]
    for part in found[1:]:
        if part.label.bench != first.label.bench:
            raise CoterieError(f"'{part.place}' is of another bench than '{first.place}': {_differ(first, part)}.")
        if part.label.shard.of != first.label.shard.of:
            raise CoterieError(
                f"'{part.place}' is one of {part.label.shard.of} shards, '{first.place}' one of "
                f"{first.label.shard.of}. Merge those that belong together."
            )
    return found


def _differ(one: Part, other: Part) -> str:
    for name, value in one.label.about.items():
        theirs = other.label.about.get(name)
        if theirs != value and name not in ("texts", "tasks"):
            return f"{name} is {_words(theirs)} there and {_words(value)} here"
    if other.label.about.get("tasks") != one.label.about.get("tasks"):
        return "its episodes are others (another seed, sample or noise)"
    return "prompts or loaded files differ"


def _words(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def missing(parts: Sequence[Part]) -> list[Shard]:
    of = parts[0].label.shard.of
    there = {p.label.shard.number for p in parts}
    return [Shard(n, of) for n in range(1, of + 1) if n not in there]


# -- rows -----------------------------------------------------------------------------------------------------------
class Index:
    """Where each row stands: in which file, from which byte, how long."""

    def __init__(self, rows: int):
        self.file = np.full(rows, -1, dtype=np.int16)
        self.at = np.zeros(rows, dtype=np.int64)
        self.size = np.zeros(rows, dtype=np.int32)


def _lines(file: IO[bytes], part: Part, name: str) -> Iterator[tuple[int, bytes]]:
    """The whole lines of a file with their places; half a line is a complaint."""
    at = 0
    for line in file:
        if not line.endswith(b"\n"):
            raise CoterieError(f"{_its(part)} ends in half a line of {name}. {_go_on(part)}")
        yield at, line
        at += len(line)


def _its(part: Part) -> str:
    return f"Shard {part.label.shard} in '{part.place}'"


def _go_on(part: Part) -> str:
    return f"Play it to its end: coterie bench ... --shard {part.label.shard}."


def _name(line: bytes) -> tuple[str, str] | None:
    """(episode, method) of a row."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    key, method = row.get("key"), row.get("method")
    return (key, method) if isinstance(key, str) and isinstance(method, str) else None


def _index(part: Part, number: int, want: Expected, rows: Index, done: Callable[[int], None]) -> None:
    """Enter the rows of a shard; one that is not its own, or not the same as before, is a complaint."""
    own, mine = part.label.shard.number, 0
    if not (part.place / RESULTS).is_file():
        raise CoterieError(f"{_its(part)} has no {RESULTS}. {_go_on(part)}")
    with (part.place / RESULTS).open("rb") as file:
        for at, line in _lines(file, part, RESULTS):
            found = _name(line)
            where = None if found is None else want.find(*found)
            if found is None:
                raise CoterieError(f"{_its(part)}: a line of {RESULTS} is no row. Play it again with --fresh.")
            if where is None or want.shard[where] != own:
                what = "of another bench" if where is None else f"of shard {want.shard[where]}"
                raise CoterieError(f"{_its(part)} has a row {what}: {found[0]} by {found[1]}. Play it with --fresh.")
            if rows.file[where] == number:
                raise CoterieError(f"{_its(part)} has a row twice: {found[0]} by {found[1]}. Play it with --fresh.")
            if rows.file[where] == -1:
                rows.file[where], rows.at[where], rows.size[where] = number, at, len(line)
                mine += 1
                done(1)
    if mine != part.label.rows:
        raise CoterieError(f"{_its(part)} is not whole: {mine} of {part.label.rows} rows. {_go_on(part)}")


def merge(
    folders: Sequence[Path],
    out: Path,
    methods: Sequence[Method],
    progress: Progress | None = None,
    of: int | None = None,
) -> list[str]:
    """Write the rows of all shards into `out` as one bench would have; sentences about what is worth knowing. `of`:
    only shards that are so many."""
    parts = parts_of(folders, of)
    notes = _complain(parts)
    once = {p.label.shard.number: p for p in reversed(parts)}
    chosen = [once[n] for n in sorted(once)]
    checked = check_configs([chosen[0], *parts])
    notes += checked.notes
    want = expected(checked.episodes, methods, chosen[0].label.shard.of)
    rows, walls = Index(len(want.shard)), Index(len(want.shard))
    total, done = len(want.shard), 0

    def step(n: int) -> None:
        nonlocal done
        done += n
        if progress is not None and done % 500 == 0:
            progress(done, total)

    for i, part in enumerate(chosen):
        _index(part, i, want, rows, step)
    for i, part in enumerate(chosen):
        _index_walls(part, i, want, walls)
    prepare(out)
    with Lock(out / RESULTS), writing(f"'{out / RESULTS}'"):
        for name, index in ((RESULTS, rows), (WALL, walls)):
            with draft(out / name) as target, target.open("wb") as file:
                _copy(chosen, name, index, file)
        with draft(out / CONFIG) as target:
            target.write_bytes(checked.raw)
    if progress is not None:
        progress(total, total)
    return notes


def _complain(parts: Sequence[Part]) -> list[str]:
    """Missing and unfinished shards; those that are there twice must say the same."""
    gone = missing(parts)
    if gone:
        numbers = ranges([s.number for s in gone])
        word = "Shard" if len(gone) == 1 else "Shards"
        raise CoterieError(f"{word} {numbers} of {gone[0].of} missing. Play: coterie bench ... --shard {gone[0]}.")
    undone = [p for p in parts if not p.label.whole]
    if undone:
        numbers = ranges(sorted({p.label.shard.number for p in undone}))
        raise CoterieError(f"Not played to the end: shard {numbers}, in '{undone[0].place}'. {_go_on(undone[0])}")
    notes, first = [], dict[int, Part]()
    for part in parts:
        other = first.setdefault(part.label.shard.number, part)
        if other is not part:
            if sorted(_all(part)) != sorted(_all(other)):
                raise CoterieError(
                    f"Shard {part.label.shard} is there twice, and not the same: '{other.place}' and '{part.place}'. "
                    "Leave one of them out."
                )
            notes.append(f"Shard {part.label.shard} is there twice with the same rows; '{part.place}' is not needed.")
    return notes


def _all(part: Part) -> list[bytes]:
    path = part.place / RESULTS
    return path.read_bytes().splitlines() if path.is_file() else []


def _index_walls(part: Part, number: int, want: Expected, walls: Index) -> None:
    """What episodes took; of one that was played twice, the last time."""
    path = part.place / WALL
    if not path.is_file():
        return
    with path.open("rb") as file:
        at = 0
        for line in file:
            found = _name(line)
            where = None if found is None else want.find(*found)
            if where is not None:
                walls.file[where], walls.at[where], walls.size[where] = number, at, len(line)
            at += len(line)


def _copy(parts: Sequence[Part], name: str, index: Index, out: IO[bytes]) -> None:
    files: dict[int, IO[bytes]] = {}
    try:
        for i in range(len(index.file)):
            number = int(index.file[i])
            if number >= 0:
                if number not in files:
                    if len(files) > 200:  # systems allow only so many at once
                        files.pop(next(iter(files))).close()
                    files[number] = (parts[number].place / name).open("rb")
                files[number].seek(int(index.at[i]))
                out.write(files[number].read(int(index.size[i])))
    finally:
        for file in files.values():
            file.close()
