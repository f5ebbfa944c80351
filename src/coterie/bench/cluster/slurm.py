"""Shards as an array of jobs under Slurm, through submitit. Each job is the user's own command with `--shard`; the
folder of results is one that all machines share."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.lazy import need

SLURM, LOCAL = "slurm", "slurm:local"
NEEDS = "--cluster slurm needs"
FOLDER = "slurm"  # below that of the results: scripts and what jobs printed
LOOK_S = 2.0  # between two looks at their states
PATIENCE_S = 30.0  # in which a shard that was told to stop writes what it has, also on a busy machine


class Asked(NamedTuple):
    """The resources that are requested from Slurm."""

    nodes: int
    cores: int
    partition: str = ""
    minutes: int = 24 * 60

    def words(self) -> dict[str, Any]:
        found: dict[str, Any] = {"cpus_per_task": self.cores, "timeout_min": self.minutes}
        return found | ({"slurm_partition": self.partition} if self.partition else {})


def shard_command(words: Sequence[str], number: int, of: int) -> list[str]:
    """The command of one machine."""
    return [sys.executable, "-m", "coterie", "bench", *words, "--shard", f"{number}/{of}"]


def submit(words: Sequence[str], asked: Asked, folder: Path, local: bool) -> list[Any]:
    """Begin all shards; `local`: as processes here."""
    commands = [shard_command(words, n, asked.nodes) for n in range(1, asked.nodes + 1)]
    if local:
        return _begun_here(commands, folder / FOLDER)
    submitit = need("submitit", "slurm", NEEDS)
    try:
        executor = submitit.AutoExecutor(folder=folder / FOLDER, cluster="slurm")
        executor.update_parameters(name="coterie", slurm_array_parallelism=asked.nodes, **asked.words())
        with executor.batch():
            functions = [submitit.helpers.CommandFunction(command, verbose=False) for command in commands]
            return [executor.submit(function) for function in functions]
    except (RuntimeError, OSError) as err:
        reason = str(err).strip().split("\n")[0][:300]
        raise CoterieError(f"Slurm did not take the jobs: {reason}") from err
    except submitit.core.utils.FailedJobError as err:
        raise CoterieError(f"Slurm did not take the jobs: {str(err).strip()[:300]}") from err


def states(jobs: Sequence[Any]) -> dict[str, int]:
    """How many jobs are in which state."""
    return dict(Counter("done" if job.done() else str(job.state).lower() for job in jobs))


def watch(jobs: Sequence[Any], tell: Callable[[dict[str, int]], None]) -> None:
    """Until all have ended; those that failed say so in their own words."""
    while True:
        now = states(jobs)
        tell(now)
        if set(now) <= {"done"}:
            break
        time.sleep(LOOK_S)
    failed = [n for n, job in enumerate(jobs) if job.exception() is not None]
    if failed:
        said = (jobs[failed[0]].stderr() or "").partition("submitit ERROR")[0]
        last = [words.strip() for words in said.split("\n") if words.strip()][-1:] or ["it said nothing."]
        more = f" ({len(failed)} of {len(jobs)} did)" if len(failed) > 1 else ""
        raise CoterieError(f"Shard {failed[0] + 1}/{len(jobs)} failed{more}: {last[0][:300]} The same command goes on.")


def cancel(jobs: Sequence[Any]) -> None:
    """Stop them; shards that play here have ended then."""
    for job in jobs:
        job.cancel(check=False)  # one that has just ended cannot be
    until = time.monotonic() + PATIENCE_S
    for job in (job for job in jobs if isinstance(job, LocalJob)):
        job.end(until)


class LocalJob:
    """A shard that plays in a process here, to be asked like a job of submitit."""

    state = "running"

    def __init__(self, command: Sequence[str], folder: Path, number: int):
        self.job_id = f"{os.getpid()}_{number}"
        self._said = folder / f"{self.job_id}.err"
        with self._said.open("w") as said, self._said.with_suffix(".out").open("w") as out:
            self._shard = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=said, start_new_session=True
            )

    def done(self) -> bool:
        return self._shard.poll() is not None

    def exception(self) -> Exception | None:
        code = self._shard.wait()
        return RuntimeError(f"The shard ended with {code}.") if code else None

    def stderr(self) -> str:
        return self._said.read_text(encoding="utf-8", errors="replace")

    def cancel(self, check: bool = True) -> None:
        self._signal(signal.SIGINT)

    def end(self, until: float) -> None:
        """Wait until it has ended; from some time on it is killed."""
        try:
            self._shard.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            self._shard.wait()

    def _signal(self, number: signal.Signals) -> None:
        """To it and to the processes it plays with."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._shard.pid, number)


def _begun_here(commands: Sequence[Sequence[str]], folder: Path) -> list[LocalJob]:
    folder.mkdir(parents=True, exist_ok=True)
    jobs: list[LocalJob] = []
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored:  # a shell began this in the background; shards would ignore it, too, and could not be stopped by it
        signal.signal(signal.SIGINT, lambda *_: None)
    try:
        for number, command in enumerate(commands):
            jobs.append(LocalJob(command, folder, number))
    except BaseException:
        cancel(jobs)
        raise
    finally:
        if ignored:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    return jobs
