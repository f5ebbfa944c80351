"""A bench in parts: shard 3 of 16 plays its share of the episodes into a folder of its own.

    DIR/shards/03-of-16/    results.jsonl, wall.jsonl, config.json and memos as of any bench; shard.json says what it is

Which share that is follows from the episodes and the methods alone. Methods that meet in an episode play it in the same
shard, and the episodes of a memo, which learns from one to the next, stay together.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from coterie import __version__
from coterie.bench.methods import Method
from coterie.bench.playing import Asking, Job, job_digest
from coterie.bench.results import CONFIG, RESULTS, WALL, prepare, put_in_order
from coterie.bench.runner import AT_ONCE, Progress, in_turn, make_jobs, play_all, play_into, save_config
from coterie.bench.spec import EpisodeSpec
from coterie.core.bounds import MOST_BESIDE, read_bounded, read_lines
from coterie.core.errors import CoterieError
from coterie.core.files import InUse, Lock, replace_text

SHARDS, LABEL = "shards", "shard.json"
NEXT = 0  # in place of a number: whichever nobody plays
MOST = 10_000
_NAME = re.compile(r"(\d+)-of-(\d+)")


class Shard(NamedTuple):
    number: int  # from 1; NEXT: any
    of: int

    def __str__(self) -> str:
        return f"{self.number or 'next'}/{self.of}"

    def place(self, folder: Path) -> Path:
        return folder / SHARDS / f"{self.number:0{len(str(self.of))}d}-of-{self.of}"


def parse_shard(text: str) -> Shard:
    """`3/16`, or `next/16`."""
    number, _, of = text.partition("/")
    if of.isdecimal() and (number == "next" or number.isdecimal()):
        shard = Shard(NEXT if number == "next" else int(number), int(of))
        if shard.of <= MOST and (number == "next" or 1 <= shard.number <= shard.of) and shard.of:
            return shard
    raise CoterieError(
        f"--shard {text}: say which of how many, like 3/16, from 1 to at most {MOST:,}; or next/16 for any that "
        "nobody plays."
    )


# -- who plays what -------------------------------------------------------------------------------------------------
def unit_name(key: str, method: str, memo: bool) -> str:
    """Episodes that have to be played in one place: one of them by all methods, or all of them by a method with a
    memo, which learns from one to the next."""
    return f"memo {method}" if memo else key


def owners(keys: Sequence[str], methods: Sequence[Method], of: int) -> dict[str, int]:
    """The number of the shard of each unit of a bench, by its episodes in their order: large ones first, each to where
    the least is to be done. An episode counts one, however many methods play it."""
    sizes: dict[str, int] = {}
    for key, m in product(keys, methods):
        name = unit_name(key, m.name, bool(m.memo))
        sizes[name] = sizes.get(name, 0) + 1 if m.memo else 1
    load, found = [(0, n) for n in range(1, of + 1)], dict[str, int]()
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        done, found[name] = load[0]
        heapq.heapreplace(load, (done + sizes[name], found[name]))
    return found


# -- what a shard says of itself ------------------------------------------------------------------------------------
class Label(NamedTuple):
    """The contents of `shard.json`. Shards with the same `bench` are parts of the same one."""

    shard: Shard
    bench: str
    about: dict[str, Any]  # the same in words: suite, methods, model, version ...
    rows: int  # that it has when it is whole
    whole: bool

    def write(self, place: Path) -> None:
        data = {**self._asdict(), "shard": self.shard.number, "of": self.shard.of}
        replace_text(place / LABEL, json.dumps(data, indent=1) + "\n")


def read_label(place: Path) -> Label:
    path = place / LABEL
    try:
        data = json.loads(read_bounded(path, "shard", MOST_BESIDE))
        shard = Shard(int(data["shard"]), int(data["of"]))
        label = Label(shard, str(data["bench"]), dict(data["about"]), int(data["rows"]), data["whole"] is True)
    except FileNotFoundError:
        raise CoterieError(f"'{place}' is not a shard: {LABEL} is missing.") from None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as err:
        raise CoterieError(f"'{path}' is damaged. Play this shard again with --fresh.") from err
    if not 1 <= shard.number <= shard.of <= MOST:
        raise CoterieError(f"'{path}' is damaged. Play this shard again with --fresh.")
    return label


class Part(NamedTuple):
    """A shard that lies somewhere."""

    place: Path
    label: Label


def places(folder: Path, of: int | None = None) -> list[Path]:
    """The folders of shards below a folder, or the folder itself if it is one. `of`: only shards that are so many."""
    if (folder / LABEL).is_file():
        return [folder]
    below = folder / SHARDS
    found = [p for p in below.iterdir() if _NAME.fullmatch(p.name) and p.is_dir()] if below.is_dir() else []
    found = [p for p in found if of is None or p.name.endswith(f"-of-{of}")]
    return sorted(found, key=lambda p: [int(n) for n in p.name.split("-of-")])


def about(
    suite: str, specs: Sequence[EpisodeSpec], methods: Sequence[Method], model: str, jobs: Sequence[Job]
) -> tuple[str, dict[str, Any]]:
    """A hash that all shards of a bench share, and the same in words for people."""
    told: dict[str, Any] = {
        "version": __version__,
        "suite": suite,
        "methods": [m.name for m in methods],
        "model": model,
    }
    first: dict[str, str] = {}
    for job in jobs:  # tells apart other prompts and other texts of loaded files, too
        if job.method not in first:
            first[job.method] = job_digest(job)
    tasks = tasks_hash([spec.key, spec.config.to_json(), spec.labels] for spec in specs)
    told |= {"episodes": len(specs), "texts": first, "tasks": tasks}
    return hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=8).hexdigest(), told


def tasks_hash(episodes: Iterable[Sequence[Any]]) -> str:
    """Of (key, configuration, labels) of each."""
    hashed = hashlib.blake2b(digest_size=8)
    for episode in episodes:
        hashed.update(json.dumps(episode, sort_keys=True).encode())
    return hashed.hexdigest()


def ranges(numbers: Sequence[int]) -> str:
    """`1, 4-7 and 9`."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    words = [str(a) if a == b else f"{a}-{b}" for a, b in runs]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


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
    """True if a shard was played to its end; whether it is of this bench shows when it is merged."""
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
