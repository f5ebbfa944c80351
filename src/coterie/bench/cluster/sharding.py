"""Plays one shard of a bench, or one after the other as long as there are some that nobody plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from coterie.bench.cluster.shards import LABEL, Label, Shard, about, owners, read_label, unit_name
from coterie.bench.methods import Method
from coterie.bench.playing import Asking, Job
from coterie.bench.results import CONFIG, RESULTS, WALL, prepare, put_in_order
from coterie.bench.runner import AT_ONCE, Progress, in_turn, make_jobs, play_all, play_into, save_config
from coterie.bench.spec import EpisodeSpec
from coterie.core.bounds import read_lines
from coterie.core.errors import CoterieError
from coterie.core.files import InUse, Lock


class Played(NamedTuple):
    shard: Shard
    place: Path
    rows: int
    reused: int  # that were there already


class Plan(NamedTuple):
    """A bench of which shards are played."""

    specs: Sequence[EpisodeSpec]
    methods: Sequence[Method]
    folder: Path
    suite: str
    model: str
    settings: dict[str, Any]
    load: Sequence[str] = ()
    logs: bool = False

    def jobs(self, shard: Shard) -> list[Job]:
        """Those of a shard alone: of a hundred thousand episodes it plays a few."""
        logs = self.folder / "logs" if self.logs else None
        own = owners([s.key for s in in_turn(self.specs)], self.methods, shard.of)
        names = {m.name: bool(m.memo) for m in self.methods}
        return make_jobs(
            self.specs,
            self.methods,
            self.model,
            logs,
            self.load,
            shard.place(self.folder),
            only=lambda key, method: own[unit_name(key, method, names[method])] == shard.number,
        )

    def first(self, place: Path) -> list[Job]:
        """One of each method, the same in all shards."""
        return make_jobs(in_turn(self.specs)[:1], self.methods, self.model, None, self.load, place)


def play_shard(
    plan: Plan,
    shard: Shard,
    jobs: int = 1,
    batch: int = 1,
    asking: Asking | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
) -> Played:
    """Play what is not yet there of a shard; its folder is that of a bench, which one process at a time writes to."""
    place = shard.place(plan.folder)
    prepare(place)
    with Lock(place / RESULTS):
        if fresh:
            for name in (RESULTS, WALL, CONFIG, LABEL):
                (place / name).unlink(missing_ok=True)
        mine = plan.jobs(shard)
        bench, told = about(plan.suite, plan.specs, plan.methods, plan.model, plan.first(place))
        label = Label(shard, bench, told, len(mine), whole=False)
        _same(place, label)
        settings = {"suite": plan.suite, "model": plan.model, **plan.settings}

        def begun() -> None:
            save_config(place, plan.specs, plan.methods, settings)
            label.write(place)

        asking = asking or Asking(concurrency=max(AT_ONCE, batch))
        play = partial(play_all, jobs=jobs, batch=batch, asking=asking)
        kept = play_into(place, mine, play, progress, begun)
        put_in_order(place / RESULTS, kept.rows.values())
        label._replace(whole=True).write(place)
    return Played(shard, place, len(mine), kept.reused)


def _same(place: Path, label: Label) -> None:
    if (place / LABEL).is_file() and (old := read_label(place)).bench != label.bench:
        methods = ", ".join(map(str, old.about.get("methods", ())))
        raise CoterieError(
            f"'{place}' holds a shard of another bench ({old.about.get('suite', '?')} with {methods}, Coterie "
            f"{old.about.get('version', '?')}). Name another --out, or throw it away with --fresh."
        )


def is_whole(plan: Plan, shard: Shard) -> bool:
    """Whether it has been played to its end; whether it is of this bench shows when it is merged."""
    place = shard.place(plan.folder)
    if not (place / LABEL).is_file() or not (label := read_label(place)).whole or not (place / RESULTS).is_file():
        return False
    halves = [not line.endswith(b"\n") for line in read_lines(place / RESULTS, "file")]
    return len(halves) >= label.rows and not any(halves)


def play_next(plan: Plan, of: int, **how: Any) -> Iterator[Played]:
    """Shards that nobody plays, until all are whole or in other hands."""
    for shard in (Shard(n, of) for n in range(1, of + 1)):
        if not is_whole(plan, shard):
            try:
                yield play_shard(plan, shard, **how)
            except InUse:
                continue


def open_shards(plan: Plan, of: int) -> list[int]:
    return [n for n in range(1, of + 1) if not is_whole(plan, Shard(n, of))]
