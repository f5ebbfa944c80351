"""The configurations that lie in shards: each is read, and says the same bench as the label beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from coterie.bench.cluster.shards import Part, ranges, tasks_hash
from coterie.bench.results import CONFIG
from coterie.core.bounds import read_bounded
from coterie.core.errors import CoterieError
from coterie.core.told import DAMAGE


def read_config(part: Part) -> dict[str, Any]:
    """That of one shard, or a sentence about what is wrong with it."""
    return _read(part, _bytes(part))


class Checked(NamedTuple):
    raw: bytes  # of the first
    episodes: list[tuple[str, str]]  # scene and key of each
    notes: list[str]  # what is worth knowing


def check_configs(parts: Sequence[Part]) -> Checked:
    """Read them all. Those that are alike are looked at once."""
    seen: dict[bytes, str] = {}
    first, episodes = b"", list[tuple[str, str]]()
    commits: dict[str, list[int]] = {}
    for part in parts:
        raw = _bytes(part)
        same = hashlib.blake2b(raw, digest_size=16).digest()
        if same not in seen:
            data = _read(part, raw)
            if not seen:
                first, episodes = raw, [(e["config"]["scene"], e["key"]) for e in data["episodes"]]
            seen[same] = str(data.get("commit") or "")
        commits.setdefault(seen[same], []).append(part.label.shard.number)
    if len(commits) < 2:
        return Checked(first, episodes, [])
    each = "; ".join(f"{ranges(sorted(set(ns)))} of {name or 'no commit'}" for name, ns in sorted(commits.items()))
    note = f"Shards were played by different commits of Coterie: {each}. Where these play differently, the table mixes "
    return Checked(first, episodes, [f"{note}them; --shard I/N --fresh plays one again."])


def _bytes(part: Part) -> bytes:
    if not (part.place / CONFIG).is_file():
        raise _wrong(part, "is missing")
    return read_bounded(part.place / CONFIG, "bench")


def _read(part: Part, raw: bytes) -> dict[str, Any]:
    try:
        data = json.loads(raw)
        episodes = [[e["key"], e["config"], e["labels"]] for e in data["episodes"]]
        told = {
            "version": data.get("version"),
            "suite": data["suite"],
            "methods": [str(m["name"]) for m in data["methods"]],
            "model": data["model"],
            "episodes": len(episodes),
            "tasks": tasks_hash(episodes),
        }
    except DAMAGE as err:
        raise _wrong(part, "is damaged") from err
    for name, value in part.label.about.items():
        if name in told and told[name] != value:
            raise _wrong(part, f"is of another bench ({'episodes' if name == 'tasks' else name} differ)")
    found: dict[str, Any] = data
    return found


def _wrong(part: Part, what: str) -> CoterieError:
    return CoterieError(
        f"{CONFIG} of shard {part.label.shard} in '{part.place}' {what}. It is written again, and what was played is "
        f"kept, by: coterie bench ... --shard {part.label.shard}."
    )
