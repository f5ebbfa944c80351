"""A bench that was merged, as tables and plots read it. There may be a million rows: those and the episodes are read
when somebody asks for them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from coterie.bench.cluster.configs import parse_config
from coterie.bench.finished import Bench
from coterie.bench.methods import Method
from coterie.bench.results import CONFIG, RESULTS, WALL, Row
from coterie.bench.rows import Rows, Store
from coterie.bench.runner import without_repeats
from coterie.bench.spec import EpisodeSpec
from coterie.core.bounds import read_lines
from coterie.core.config import Config


def bench_of(folder: Path, methods: list[Method]) -> Bench:
    """Of a folder that shards were merged into."""
    specs = Specs(folder / CONFIG)
    settings = {k: v for k, v in specs.head.items() if k not in ("version", "commit", "methods")}
    every = Rows(Store(folder / RESULTS))
    rows, same = without_repeats(every.ordered(), specs)
    walls = timed(folder / WALL, every)
    return Bench(folder, specs.head["suite"], specs, methods, rows, settings, walls=walls, alike=same)


class Specs(Sequence[EpisodeSpec]):
    """The episodes of a configuration, each made anew when it is looked at."""

    def __init__(self, path: Path):
        self.path = path
        self.head, episodes = parse_config(path)
        self._count = sum(1 for _ in episodes)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[EpisodeSpec]:
        for e in parse_config(self.path)[1]:
            yield EpisodeSpec(e["key"], Config.from_json(e["config"]), e["labels"])

    def __getitem__(self, i: Any) -> Any:
        return list(self)[i]


def timed(path: Path, rows: Rows) -> list[Row]:
    """What these rows took, where more is known than the time of it all; both stand in the same order."""
    found: list[Row] = []
    each = iter(rows)
    for line in read_lines(path, "file"):
        if b'"calls"' in line or b'"planning_s"' in line:
            wall = json.loads(line)
            name = (wall["key"], wall["method"])
            row = next((r for r in each if (r["key"], r["method"]) == name), None)
            if row is not None and row["digest"] == wall.get("digest"):
                found.append(wall)
    return found
