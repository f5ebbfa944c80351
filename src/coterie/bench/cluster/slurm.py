"""Shards as an array of jobs under Slurm, through submitit. Each job is the user's own command with `--shard`; the
folder of results is one that all machines share."""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.files import replace_text

SLURM, LOCAL = "slurm", "slurm:local"
FOLDER = "slurm"  # below that of the results: scripts and what jobs printed
SHOWN = "# Shows the requests and the commands; submitit submits a script of its own that starts the same commands."
KEYS = "# A key for a model (OPENAI_API_KEY) is taken from where this is submitted; no secret is written here."
LOOK_S = 2.0  # between two looks at their states


class Asked(NamedTuple):
    """What is asked of Slurm."""

    nodes: int
    cores: int
    partition: str = ""
    minutes: int = 24 * 60

    def words(self) -> dict[str, Any]:
        found: dict[str, Any] = {"cpus_per_task": self.cores, "timeout_min": self.minutes}
        return found | ({"slurm_partition": self.partition} if self.partition else {})


def needs_submitit() -> Any:
    try:
        import submitit  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise CoterieError("--cluster slurm needs submitit. Install it with: pip install 'coterie[slurm]'") from None
    return submitit


def shard_command(words: Sequence[str], number: int, of: int) -> list[str]:
    """What one machine types."""
    return [sys.executable, "-m", "coterie", "bench", *words, "--shard", f"{number}/{of}"]


def script(words: Sequence[str], asked: Asked, folder: Path) -> str:
    """A script that does the same as what would be submitted: submitit writes one of its own, with the same requests,
    that starts these commands from Python."""
    needs_submitit()
    from submitit.slurm.slurm import _make_sbatch_string  # type: ignore[import-not-found,unused-ignore]

    params: dict[str, Any] = {"partition": asked.partition} if asked.partition else {}
    command = shlex.join(shard_command(words, 1, asked.nodes)).removesuffix(f" 1/{asked.nodes}") + " $I/$N"
    text: str = _make_sbatch_string(
        command, folder / FOLDER, job_name="coterie", time=asked.minutes, cpus_per_task=asked.cores, nodes=1,
        map_count=asked.nodes, array_parallelism=asked.nodes, use_srun=False, **params,
    )  # fmt: skip
    note = f"I=$((SLURM_ARRAY_TASK_ID + 1)); N={asked.nodes}\n"
    first, _, rest = text.replace(command, note + command).partition("\n")
    return f"{first}\n{SHOWN}\n{KEYS}\n{rest}"


class Jobs(NamedTuple):
    """What was submitted; `file` stops it where it plays here."""

    jobs: list[Any]
    file: Path | None = None


def submit(words: Sequence[str], asked: Asked, folder: Path, local: bool) -> Jobs:
    """Begin all shards; `local`: as processes here, by the same way."""
    submitit = needs_submitit()
    file = stop_file(folder / FOLDER) if local else None
    commands = [shard_command(words, n, asked.nodes) for n in range(1, asked.nodes + 1)]
    try:
        executor = submitit.AutoExecutor(folder=folder / FOLDER, cluster="local" if local else "slurm")
        executor.update_parameters(name="coterie", slurm_array_parallelism=asked.nodes, **asked.words())
        if file is None:
            with executor.batch():
                functions = [submitit.helpers.CommandFunction(command, verbose=False) for command in commands]
                return Jobs([executor.submit(function) for function in functions])
        with sigint_blocked(), executor.batch():
            jobs = [executor.submit(LocalShard(command, file)) for command in commands]
        return Jobs(jobs, file)
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


def cancel(submitted: Jobs) -> None:
    if submitted.file is not None:
        stop(submitted.jobs, submitted.file)
        return
    for job in submitted.jobs:
        job.cancel(check=False)  # one that has just ended cannot be


POLL_S = 0.1  # between two looks at the file
PATIENCE_S = 30.0  # in which a shard that was told to stop writes what it has, also on a busy machine


def stop_file(folder: Path) -> Path:
    """Its name is that of one submission: what stops one does not stop the next."""
    return folder.absolute() / f"stop-{secrets.token_hex(8)}"


class LocalShard:
    """The function that submitit runs in its process: plays a shard, and stops it when the file `stop` appears."""

    def __init__(self, command: Sequence[str], stop: Path):
        self.command, self.stop = list(command), stop

    def __call__(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # and what has come meanwhile is forgotten
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shard hears it; it passes on only what is ignored or blocked
        shard = subprocess.Popen(self.command, start_new_session=True)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        told_s: float | None = None
        while shard.poll() is None:
            if told_s is None and self.stop.exists():
                told_s = time.monotonic()
                _signal(shard, signal.SIGINT)
            elif told_s is not None and time.monotonic() - told_s > PATIENCE_S:
                _signal(shard, signal.SIGKILL)
            time.sleep(POLL_S)
        if shard.returncode:
            raise RuntimeError(f"The shard ended with {shard.returncode}.")


def _signal(shard: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """To it and to the processes it plays with."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(shard.pid, number)


@contextlib.contextmanager
def sigint_blocked() -> Iterator[None]:
    """Start processes that do not get SIGINT; one that comes meanwhile is raised here afterwards."""
    if threading.current_thread() is not threading.main_thread():  # others cannot say so
        yield
        return
    resource_tracker.ensure_running()  # it unblocks the signal after its own start
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # they inherit it
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
        if heard:
            signal.raise_signal(signal.SIGINT)


def stop(jobs: Sequence[Any], file: Path) -> None:
    """Come back when they have ended. Whoever does not wait for that: they end all the same."""
    replace_text(file, "")
    until = time.monotonic() + PATIENCE_S + 5.0
    while time.monotonic() < until and not all(job.done() for job in jobs):
        time.sleep(POLL_S)
    file.unlink(missing_ok=True)
