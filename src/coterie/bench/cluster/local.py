"""Jobs of `--cluster slurm:local`: shards as processes of this machine that end when the command is stopped.

submitit starts a process that starts a process that starts the shard, all in the group of the terminal. Ctrl-C reaches
some of them, in any order, and they print what they think of it; a signal to the command alone reaches none. So these
in between do not hear Ctrl-C at all, a shard has a group of its own, and a file tells whoever started it to stop it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from coterie.core.files import replace_text

LOOK_S = 0.1  # between two looks at the file
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
            time.sleep(LOOK_S)
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
        time.sleep(LOOK_S)
    file.unlink(missing_ok=True)
