"""Whether shards that are yet to be played could be merged into their folder: nobody waits a night for a refusal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from coterie.bench.cluster.indexing import parse_row
from coterie.bench.cluster.merging import lost, place_for
from coterie.bench.cluster.sharding import Plan
from coterie.bench.cluster.shards import Shard
from coterie.bench.made import commit
from coterie.bench.playing import Job, job_digest
from coterie.bench.results import RESULTS, Row
from coterie.core.bounds import read_lines

ENDPOINT = "openai:"  # its models need not say the same twice


def check_place(plan: Plan, of: int, fresh: bool = False) -> None:
    """Complain as the merging of `of` shards would at the end, about results in the folder that they will not hold."""
    path = place_for([plan.folder], str(plan.folder)) / RESULTS
    if fresh or not path.is_file() or not path.stat().st_size:
        return
    jobs = {(job.key, job.method): job for job in plan.all_jobs()}
    there: dict[tuple[str, str], int] = {}  # hashes of rows that shards have already
    for n in range(1, of + 1):
        for line, row in _rows(Shard(n, of).place(plan.folder) / RESULTS):
            if row is not None and _goes_on(row, jobs.get(_name(row))):
                there.setdefault(_name(row), hash(line))
    for n, (line, row) in enumerate(_rows(path), 1):
        job = None if row is None else jobs.get(_name(row))
        if row is None or job is None:
            raise lost(path, n, row)
        same = there[_name(row)] == hash(line) if _name(row) in there else _again(row, job)
        if not same and "crash" not in row:
            raise lost(path, n, row)


def _rows(path: Path) -> Iterator[tuple[bytes, Row | None]]:
    """The whole lines of a file."""
    if path.is_file():
        yield from ((line, parse_row(line)) for line in read_lines(path, "file") if line.endswith(b"\n"))


def _name(row: Row) -> tuple[str, str]:
    return row["key"], row["method"]


def _goes_on(row: Row, job: Job | None) -> bool:
    """Whether a shard keeps this row when it is played on."""
    kept = job is not None and (row.get("digest"), row.get("labels")) == (job_digest(job), job.labels)
    return kept and "crash" not in row


def _again(row: Row, job: Job) -> bool:
    """Whether it would come out once more, byte for byte."""
    return _goes_on(row, job) and row.get("commit") == commit() and not job.config.model.startswith(ENDPOINT)
