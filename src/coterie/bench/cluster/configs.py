"""The configurations that lie in shards: each says the same bench as the label beside it, and as all the others.

There may be a hundred thousand episodes in one: they are read a line at a time, as the bench writes them.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coterie.bench.cluster.shards import Part, file_digest, ranges, tasks_hash
from coterie.bench.results import CONFIG
from coterie.core.bounds import MOST_LINE, MOST_LINES, open_plain, read_lines
from coterie.core.errors import CoterieError
from coterie.core.record import DAMAGE

_EPISODES = b' "episodes": [\n'
#: Options of a command that may differ from machine to machine: where a model answers, where files of one's own lie.
_LOCAL = ("--base-url", "--load")


class Checked(NamedTuple):
    path: Path  # of the first
    head: dict[str, Any]  # all but the episodes
    episodes: list[tuple[str, str]]  # scene and key of each
    notes: list[str]  # what is worth knowing


def read_head(part: Part) -> dict[str, Any]:
    """That of one shard without its episodes, or a sentence about what is wrong with it."""
    try:
        head = parse_config(_path(part))[0]
        if head["methods"] and all(isinstance(m["name"], str) for m in head["methods"]):
            return head
    except DAMAGE:
        pass
    raise _wrong(part, "is damaged")


def parse_config(path: Path) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """The configuration of a bench without its episodes, and these one by one."""
    before: list[bytes] = []
    for line in read_lines(path, "configuration", MOST_LINES):
        if line == _EPISODES:
            head = json.loads(b"".join(before).rstrip().rstrip(b",") + b"}")
            return head, _one_by_one(path, sum(map(len, before)) + len(line))
        before.append(line)
    data = json.loads(b"".join(before))  # as somebody else wrote it
    return {k: v for k, v in data.items() if k != "episodes"}, iter(data["episodes"])


def _one_by_one(path: Path, at: int) -> Iterator[dict[str, Any]]:
    with open_plain(path, "configuration") as file:
        file.seek(at)
        while (line := file.readline(MOST_LINE).strip()) != b"]":
            yield json.loads(line.removesuffix(b","))
        if file.read().strip() != b"}":
            raise ValueError("more than a configuration")


def check_configs(parts: Sequence[Part]) -> Checked:
    """Read them all. Those that are alike are looked at once."""
    heads: dict[str, dict[str, Any]] = {}
    found, notes = list[Checked](), list[str]()
    commits: dict[str, list[int]] = {}
    for part in parts:
        same = file_digest(_path(part))
        if same not in heads:
            heads[same], episodes = _read(part)
            if not found:
                found.append(Checked(_path(part), heads[same], episodes, notes))
            del episodes  # before the next ones are read: there may be a hundred thousand
        if part.label.digests.get(CONFIG) != same:
            raise _wrong(part, "was changed after the shard was played")
        commits.setdefault(str(heads[same].get("commit") or ""), []).append(part.label.shard.number)
        notes += [note for note in _compared(parts[0], found[0].head, part, heads[same]) if note not in notes]
    if len(commits) > 1:
        each = "; ".join(f"{ranges(sorted(set(ns)))} of {name or 'no commit'}" for name, ns in sorted(commits.items()))
        notes.append(
            f"Shards were played by different commits of Coterie: {each}. Where these play differently, the table "
            "mixes them; --shard I/N --fresh plays one again."
        )
    return found[0]


def _compared(first: Part, one: dict[str, Any], part: Part, other: dict[str, Any]) -> Iterator[str]:
    """Shards are told by one command: what they asked their models for is to be the same, where is not."""
    mine, theirs = (str(head.get("command") or "") for head in (one, other))
    if _meant(mine) != _meant(theirs):
        raise CoterieError(
            f"Shard {part.label.shard} in '{part.place}' was played by another command than shard {first.label.shard}: "
            f"`{theirs}`, not `{mine}`. Play one of them again with --fresh."
        )
    if mine != theirs:
        yield (
            f"Shards were played by commands that differ in {' or '.join(_LOCAL)}; the table names that of shard "
            f"{first.label.shard}."
        )


def _meant(command: str) -> list[str]:
    """The words of a command without those that say where something is."""
    try:
        words = shlex.split(command)
    except ValueError:
        return [command]
    return [w for w, before in zip(words, ["", *words]) if w not in _LOCAL and before not in _LOCAL]


def _path(part: Part) -> Path:
    path = part.place / CONFIG
    if not path.is_file():
        raise _wrong(part, "is missing")
    if path.stat().st_size > MOST_LINES:
        raise _wrong(part, "is larger than any that is read")
    return path


def _read(part: Part) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Its head, and scene and key of each episode."""
    try:
        head, rest = parse_config(_path(part))
        episodes: list[tuple[str, str]] = []

        def each() -> Iterator[list[Any]]:
            for e in rest:
                episodes.append((e["config"]["scene"], e["key"]))
                yield [e["key"], e["config"], e["labels"]]

        tasks = tasks_hash(each())
        told = {
            "version": head.get("version"),
            "suite": head["suite"],
            "methods": [str(m["name"]) for m in head["methods"]],
            "model": head["model"],
            "episodes": len(episodes),
            "tasks": tasks,
        }
    except DAMAGE as err:
        raise _wrong(part, "is damaged") from err
    for name, value in part.label.about.items():
        if name in told and told[name] != value:
            raise _wrong(part, f"is of another bench ({'episodes' if name == 'tasks' else name} differ)")
    return head, episodes


def _wrong(part: Part, what: str) -> CoterieError:
    return CoterieError(
        f"{CONFIG} of shard {part.label.shard} in '{part.place}' {what}. It is written again, and what was played is "
        f"kept, by: coterie bench ... --shard {part.label.shard}."
    )
