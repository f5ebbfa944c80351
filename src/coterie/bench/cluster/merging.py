"""Shards to one bench: every row once, in the order in which one process would have played them."""

from __future__ import annotations

import filecmp
import json
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coterie.bench.cluster.shards import LABEL, SHARDS, Part, places, ranges, read_label
from coterie.bench.latency import timeable
from coterie.bench.methods import parse_methods
from coterie.bench.results import CONFIG, RESULTS, WALL, Bench, Row, dump, load, prepare
from coterie.bench.runner import Kept, finished, in_turn
from coterie.bench.schema import amiss
from coterie.bench.spec import EpisodeSpec
from coterie.core.bounds import MOST_LINES, read_bounded
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.files import Lock, draft, writing
from coterie.core.record import DAMAGE

#: Options of a command that may differ from machine to machine: where a model answers, where files of one's own lie.
_LOCAL = ("--base-url", "--load")


class Merged(NamedTuple):
    bench: Bench
    shards: int
    notes: list[str]  # sentences about what is worth knowing


def merge(folders: Sequence[Path], out: Path, of: int | None = None, fresh: bool = False, dry: bool = False) -> Merged:
    """Write the rows of all shards into `out` as one bench would have. `of`: only shards that are so many. `fresh`:
    over whatever is there. `dry`: only look whether they could be."""
    parts = parts_of(folders, of)
    notes = _complain(parts)
    configs = [_config(part) for part in parts]
    notes += _compared(parts, configs)
    chosen = {p.label.shard.number: p for p in reversed(parts)}
    head = configs[0]
    methods = parse_methods(",".join(m["name"] for m in head["methods"]))
    specs = [EpisodeSpec(e["key"], Config.from_json(e["config"]), e["labels"]) for e in head["episodes"]]
    wanted = [(spec.key, m.name) for spec in in_turn(specs) for m in methods]
    rows: dict[tuple[str, str], Row] = {}
    walls: dict[tuple[str, str], Row] = {}
    for n in sorted(chosen):
        rows |= _rows(chosen[n], set(wanted))
        walls |= {(w["key"], w["method"]): w for w in load(chosen[n].place / WALL) if timeable(w)}
    gone = next((name for name in wanted if name not in rows), None)
    if gone is not None:
        raise CoterieError(f"No shard has a row of {gone[0]} by {gone[1]}. Play its shard again with --fresh.")
    if not fresh:
        _loses_nothing(out / RESULTS, rows)
    if not dry:
        prepare(out)
        with Lock(out / RESULTS), writing(f"'{out / RESULTS}'"):
            for name, found in ((RESULTS, rows), (WALL, walls)):
                with draft(out / name) as target, target.open("w", encoding="utf-8", newline="\n") as file:
                    file.writelines(dump(found[w]) + "\n" for w in wanted if w in found)
            with draft(out / CONFIG) as target:
                shutil.copyfile(parts[0].place / CONFIG, target)
    settings = {k: v for k, v in head.items() if k not in ("version", "commit", "methods", "episodes")}
    done = finished(out, head["suite"], specs, methods, settings, Kept({w: rows[w] for w in wanted}))
    return Merged(done, len(chosen), notes)


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


def _complain(parts: Sequence[Part]) -> list[str]:
    """Missing and unfinished shards; those that are there twice must say the same."""
    of, there = parts[0].label.shard.of, {p.label.shard.number for p in parts}
    gone = [n for n in range(1, of + 1) if n not in there]
    if gone:
        word = "Shard" if len(gone) == 1 else "Shards"
        raise CoterieError(f"{word} {ranges(gone)} of {of} missing. Play: coterie bench ... --shard {gone[0]}/{of}.")
    undone = [p for p in parts if not p.label.whole]
    if undone:
        numbers = ranges(sorted({p.label.shard.number for p in undone}))
        raise CoterieError(f"Not played to the end: shard {numbers}, in '{undone[0].place}'. {_go_on(undone[0])}")
    notes, first = [], dict[int, Part]()
    for part in parts:
        other = first.setdefault(part.label.shard.number, part)
        if other is part:
            continue
        if not filecmp.cmp(part.place / RESULTS, other.place / RESULTS, shallow=False):
            both = f"'{other.place}' and '{part.place}'"
            raise CoterieError(f"Shard {part.label.shard} is there twice, and not the same: {both}. Leave one out.")
        notes.append(f"Shard {part.label.shard} is there twice with the same rows; '{part.place}' is not needed.")
    return notes


def _go_on(part: Part) -> str:
    return f"Play it to its end: coterie bench ... --shard {part.label.shard}."


def _its(part: Part) -> str:
    return f"Shard {part.label.shard} in '{part.place}'"


# -- their files ------------------------------------------------------------------------------------------------------
def _config(part: Part) -> dict[str, Any]:
    """The configuration of a shard, which says the same bench as its label."""
    path = part.place / CONFIG
    wrong = CoterieError(f"{_its(part)}: '{path}' is missing or damaged. Play it again with --fresh.")
    try:
        data: dict[str, Any] = json.loads(read_bounded(path, "configuration", MOST_LINES))
        told = {
            "version": data.get("version"), "suite": data["suite"], "model": data["model"],
            "methods": [str(m["name"]) for m in data["methods"]], "episodes": len(data["episodes"]),
        }  # fmt: skip
    except (*DAMAGE, FileNotFoundError, CoterieError) as err:
        raise wrong from err
    if not told["methods"] or any(told[k] != v for k, v in part.label.about.items() if k in told):
        raise CoterieError(f"{_its(part)}: '{path}' is of another bench. Play it again with --fresh.")
    return data


def _compared(parts: Sequence[Part], configs: Sequence[dict[str, Any]]) -> list[str]:
    """Shards are played by one command: what they asked their models for is to be the same, where is not."""
    notes: list[str] = []
    first = str(configs[0].get("command") or "")
    for part, config in zip(parts, configs):
        theirs = str(config.get("command") or "")
        if _meant(theirs) != _meant(first):
            raise CoterieError(
                f"{_its(part)} was played by another command than shard {parts[0].label.shard}: `{theirs}`, not "
                f"`{first}`. Play one of them again with --fresh."
            )
        if theirs != first and not notes:
            notes.append(f"Shards were played by commands that differ in {' or '.join(_LOCAL)}; the table names one.")
    commits = sorted({str(config.get("commit") or "no commit") for config in configs})
    if len(commits) > 1:
        notes.append(
            f"Shards were played by different commits of Coterie: {', '.join(commits)}. Where these play differently, "
            "the table mixes them; --shard I/N --fresh plays one again."
        )
    return notes


def _meant(command: str) -> list[str]:
    """The words of a command without those that say where something is."""
    try:
        words = shlex.split(command)
    except ValueError:
        return [command]
    return [w for w, before in zip(words, ["", *words]) if w not in _LOCAL and before not in _LOCAL]


def _rows(part: Part, wanted: set[tuple[str, str]]) -> dict[tuple[str, str], Row]:
    found: dict[tuple[str, str], Row] = {}
    for row in load(part.place / RESULTS):
        name = (row["key"], row["method"])
        flaw = next(amiss(row), "") if name in wanted else f"{name[0]} by {name[1]} is of another bench."
        if name in found or flaw:
            flaw = flaw or f"{name[0]} by {name[1]} is there twice."
            raise CoterieError(f"{_its(part)}: {RESULTS} cannot be merged: {flaw} Play it again with --fresh.")
        found[name] = row
    if len(found) != part.label.rows:
        raise CoterieError(f"{_its(part)} is not whole: {len(found)} of {part.label.rows} rows. {_go_on(part)}")
    return found


# -- where it goes ----------------------------------------------------------------------------------------------------
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


def _loses_nothing(path: Path, rows: dict[tuple[str, str], Row]) -> None:
    """Rows that are there already must be in the shards, too; an episode that crashed may have been played again."""
    for row in load(path):
        name = (row["key"], row["method"])
        if rows.get(name) != row and "crash" not in row:
            raise CoterieError(
                f"'{path}' holds results that are not in these shards: {name[0]} by {name[1]} would be lost. Name "
                "another folder with --out, or throw away what is there with --fresh."
            )
