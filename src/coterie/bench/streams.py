"""Streams of episodes that share a memo: which file that is, and that it knows just what was played before.

The result of an episode with a memo depends on all before it. A stream that was stopped, or is played again with other
episodes, goes on only from where its memo has been through the very same ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from coterie.bench.playing import Job, job_digest
from coterie.bench.results import Row
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import episode_key
from coterie.memo import Store
from coterie.worlds import entry_of

GIVEN = "given:"  # before the names of episodes whose tasks a memo had from the beginning


def memo_name(method: str, first: Config, given: str = "") -> str:
    """The file that a method fills from this episode on: other suites and other models begin elsewhere, and fill
    another; so do those that begin with other tasks."""
    return f"{method.replace(':', '_')}-{short_hash(episode_key(first) + given)[:8]}.sqlite"


def given_by(file: Path | None) -> str:
    """A hash of the tasks that a file holds; empty where no memo is filled beforehand."""
    if file is None:
        return ""
    if not file.exists():
        raise CoterieError(f"--memo-from {file}: there is no such file. A memo is filled by runs with --memo.")
    with Store(file) as store:
        names = sorted(store.episodes())
    if not names:
        raise CoterieError(f"--memo-from {file}: that memo holds nothing yet.")
    return short_hash("\n".join(names))


def fill(file: Path, given: Path) -> None:
    """Every task of one memo is put into another, beside what is there; twice makes no difference."""
    with Store(file) as store, Store(given) as old:
        for task, _, _ in old.tasks():
            for row in filter(None, map(old.get, old.ids(task))):
                store.put(row.case, row.plan, GIVEN + row.episode, old.cost(row.episode))


def stream_of(task: str) -> str:
    """Episodes whose memo is of use to each other: as their world says."""
    return entry_of(task).stream(task)


def shelf_of(config: Config) -> str:
    """Which memo of a method an episode belongs to, as its world says."""
    return entry_of(config.task).shelf(config.level)


def short_hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def streams_of(jobs: Sequence[Job]) -> dict[tuple[str, str], list[Job]]:
    """The episodes that depend on each other, in order: of each memo, those of one stream."""
    found: dict[tuple[str, str], list[Job]] = {}
    for job in jobs:
        if job.memo:
            found.setdefault((job.memo, stream_of(job.config.task)), []).append(job)
    return found


def unbroken(kept: dict[tuple[str, str], Row], wanted: Sequence[Job]) -> dict[tuple[str, str], Row]:
    """Without what comes after a gap in a stream, which is played again: a row is not there, or the memo of a stream
    that goes on has not been through just this episode."""
    for (file, _), jobs in streams_of(wanted).items():
        if all((job.key, job.method) in kept for job in jobs):
            continue
        knows, whole = _played(Path(file)), True
        for job in jobs:
            name = (job.key, job.method)
            whole = whole and name in kept and knows.get(episode_key(job.config)) == job_digest(job)
            if not whole:
                kept.pop(name, None)
    return kept


def _played(file: Path) -> dict[str, str]:
    """The episodes that a memo has been through; none if there is no such file."""
    if not file.exists():
        return {}
    with Store(file) as store:
        return store.played()


def recall_only(kept: Sequence[Job], todo: Sequence[Job]) -> None:
    """Every memo that goes on knows the episodes whose rows are kept, and no others: not what a killed run noted
    besides, and not what another selection of episodes had left there."""
    for file in dict.fromkeys(job.memo for job in todo if job.memo):
        with Store(Path(file)) as store:
            mine = {episode_key(job.config) for job in kept if job.memo == file}
            for episode in store.episodes() - mine:
                if not episode.startswith(GIVEN):
                    store.take_back(episode)
