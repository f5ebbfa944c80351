"""Shards to one bench: every row once, in the order in which one process would have played them.

Rows are read one at a time and never kept: what is remembered of each is where it stands. So a million of them take
little memory, and a thousand machines need not wait for whoever collects.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coterie.bench.cluster.configs import check_configs
from coterie.bench.cluster.indexing import (
    Expected,
    Files,
    Index,
    expected,
    go_on,
    index_rows,
    index_walls,
    parse_row,
)
from coterie.bench.cluster.shards import LABEL, SHARDS, Part, Shard, file_digest, places, ranges, read_label
from coterie.bench.methods import Method
from coterie.bench.results import CONFIG, RESULTS, WALL, Row, prepare
from coterie.bench.schema import Checker
from coterie.core.bounds import read_lines
from coterie.core.errors import CoterieError
from coterie.core.files import Lock, draft, writing

Progress = Callable[[int, int], None]


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


class Merged(NamedTuple):
    head: dict[str, Any]  # the configuration without its episodes
    shards: int
    rows: int
    notes: list[str]  # sentences about what is worth knowing


def merge(
    folders: Sequence[Path],
    out: Path,
    methods: Sequence[Method],
    progress: Progress | None = None,
    of: int | None = None,
    fresh: bool = False,
    dry: bool = False,
) -> Merged:
    """Write the rows of all shards into `out` as one bench would have. `of`: only shards that are so many. `fresh`:
    over whatever is there. `dry`: only look whether they could be."""
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

    check = Checker()
    for i, part in enumerate(chosen):
        index_rows(part, i, want, rows, check, step)
    for i, part in enumerate(chosen):
        index_walls(part, i, want, walls)
    if not fresh:
        _loses_nothing(out / RESULTS, chosen, want, rows)
    merged = Merged(checked.head, len(chosen), total, notes)
    if dry:
        return merged
    prepare(out)
    with Lock(out / RESULTS), writing(f"'{out / RESULTS}'"):
        for name, index in ((RESULTS, rows), (WALL, walls)):
            with draft(out / name) as target, target.open("wb") as file, Files(chosen, name) as files:
                file.writelines(files.read(index, i) for i in range(total))
        with draft(out / CONFIG) as target:
            shutil.copyfile(checked.path, target)
    if progress is not None:
        progress(total, total)
    return merged


def place_for(folders: Sequence[Path], named: str | None) -> Path:
    """Where shards are merged to: as it was named, or where they lie together. A shard itself is no such place."""
    out = Path(named) if named else folders[0]
    if not named and (out / LABEL).is_file():
        around = {folder.resolve().parent for folder in folders}
        if len(around) > 1 or (only := around.pop()).name != SHARDS:
            raise CoterieError(f"'{out}' is a shard itself: say where the whole bench is to go, with --out DIR.")
        out = only.parent
    if any((place / LABEL).is_file() for place in (out.resolve(), *out.resolve().parents)):
        raise CoterieError(f"'{out}' is a shard, or lies in one; its results would be lost. Name another --out.")
    return out


def _loses_nothing(path: Path, parts: Sequence[Part], want: Expected, rows: Index) -> None:
    """What is there already must be in the shards, too; an episode that crashed may have been played again."""
    if not path.is_file():
        return
    with Files(parts, RESULTS) as files:
        for n, line in enumerate(read_lines(path, "file"), 1):
            row = parse_row(line)
            if row is None and not line.endswith(b"\n"):
                return  # what a kill leaves
            where = None if row is None else want.find(row["key"], row["method"])
            if row is None or where is None or (files.read(rows, where) != line and "crash" not in row):
                raise lost(path, n, row)


def lost(path: Path, n: int, row: Row | None) -> CoterieError:
    """A complaint about the n-th line of results that shards would replace."""
    what = "" if row is None else f", {row['key']} by {row['method']},"
    return CoterieError(
        f"'{path}' holds results that are not in these shards: line {n}{what} would be lost. Name another folder with "
        "--out, or throw away what is there with --fresh."
    )


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
        raise CoterieError(f"Not played to the end: shard {numbers}, in '{undone[0].place}'. {go_on(undone[0])}")
    notes, first = [], dict[int, Part]()
    for part in parts:
        other = first.setdefault(part.label.shard.number, part)
        if other is not part:
            if file_digest(part.place / RESULTS) != file_digest(other.place / RESULTS):
                raise CoterieError(
                    f"Shard {part.label.shard} is there twice, and not the same: '{other.place}' and '{part.place}'. "
                    "Leave one of them out."
                )
            notes.append(f"Shard {part.label.shard} is there twice with the same rows; '{part.place}' is not needed.")
    return notes
