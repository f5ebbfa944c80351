"""Plays one shard of a bench, or one after the other as long as there are some that nobody plays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from coterie.bench.cluster.lease import Lease, Taken
from coterie.bench.cluster.shards import LABEL, Label, Shard, about, file_digest, owners, read_label, unit_name
from coterie.bench.methods import Method
from coterie.bench.playing import Asking, Job
from coterie.bench.results import CONFIG, RESULTS, WALL, Row, dump, prepare
from coterie.bench.runner import AT_ONCE, Progress, in_turn, make_jobs, play_all, play_into, save_config
from coterie.bench.spec import EpisodeSpec
from coterie.core.bounds import read_lines
from coterie.core.errors import CoterieError
from coterie.core.files import break_lock, draft

KEPT = (RESULTS, WALL, CONFIG)  # the files of a shard that are merged


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

    def all_jobs(self) -> list[Job]:
        return make_jobs(self.specs, self.methods, self.model, None, self.load, self.folder)

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
    patient: bool = True,
    only_open: bool = False,
) -> Played:
    """Play what is not yet there of a shard. `patient`: watch whoever holds it, to see whether it is still alive.
    `only_open`: not one that somebody else has finished by the time that it can be taken."""
    place = shard.place(plan.folder)
    prepare(place)
    with Lease(place, wait=patient) as lease:  # alone: locks of the system may outlive a machine that died
        if only_open and is_whole(plan, shard):
            raise Taken(f"Shard {shard.number}/{shard.of} has been played by somebody else.")
        if fresh:
            for name in (RESULTS, WALL, CONFIG, LABEL):
                (place / name).unlink(missing_ok=True)
        mine = plan.jobs(shard)
        bench, told = about(plan.suite, plan.specs, plan.methods, plan.model, plan.first(place))
        label = Label(shard, bench, told, len(mine), whole=False)
        _same(place, label)
        for job in mine:
            if job.log:
                break_lock(Path(job.log))  # of whoever held the lease before
        settings = {"suite": plan.suite, "model": plan.model, **plan.settings}

        def begun() -> None:
            save_config(place, plan.specs, plan.methods, settings)
            label.write(place)

        asking = asking or Asking(concurrency=max(AT_ONCE, batch))
        play = partial(play_all, jobs=jobs, batch=batch, asking=asking)
        kept = play_into(place, mine, play, progress, begun, lease.check)
        lease.check()
        _only(place / RESULTS, kept.rows.values())
        digests = {name: file_digest(place / name) for name in KEPT}
        label._replace(whole=True, digests=digests).write(place)
    return Played(shard, place, len(mine), kept.reused)


def _same(place: Path, label: Label) -> None:
    if (place / LABEL).is_file() and (old := read_label(place)).bench != label.bench:
        methods = ", ".join(map(str, old.about.get("methods", ())))
        raise CoterieError(
            f"'{place}' holds a shard of another bench ({old.about.get('suite', '?')} with {methods}, Coterie "
            f"{old.about.get('version', '?')}). Name another --out, or throw it away with --fresh."
        )
    if (place / LABEL).is_file() and old.digests and _counts(place, old) and changed(place, old) == RESULTS:
        raise CoterieError(f"'{place / RESULTS}' was changed after it was played. Play it again with --fresh.")


def _only(path: Path, rows: Iterable[Row]) -> None:
    """A whole shard holds its own rows and no others."""
    with draft(path) as part, part.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.writelines(dump(row) + "\n" for row in rows)


def is_whole(plan: Plan, shard: Shard) -> bool:
    """Whether it has been played to its end; whether it is of this bench shows when it is merged."""
    place = shard.place(plan.folder)
    return (place / LABEL).is_file() and _counts(place, label := read_label(place)) and not changed(place, label)


def _counts(place: Path, label: Label) -> bool:
    """Whether it was played to its end, and has as many rows as then."""
    if not label.whole or not (place / RESULTS).is_file():
        return False
    halves = [not line.endswith(b"\n") for line in read_lines(place / RESULTS, "file")]
    return len(halves) == label.rows and not any(halves)


def changed(place: Path, label: Label) -> str:
    """The first file of a shard that is not as it was at its end; "" if none."""
    return next((name for name in KEPT if label.digests.get(name) != file_digest(place / name)), "")


def play_next(plan: Plan, of: int, **how: Any) -> Iterator[Played]:
    """Shards that nobody plays, until all are whole or in other hands; then those whose holders are silent."""
    every = [Shard(n, of) for n in range(1, of + 1)]
    for patient in (False, True):
        for shard in every:
            if not is_whole(plan, shard):
                try:
                    yield play_shard(plan, shard, patient=patient, only_open=True, **how)
                except Taken:
                    continue


def open_shards(plan: Plan, of: int) -> list[int]:
    return [n for n in range(1, of + 1) if not is_whole(plan, Shard(n, of))]
