"""Commands that run as processes of their own, and how far they are."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.visible import sentence
from coterie.log.progress import Progress, printed


class Job:
    """A command of `coterie`; `file` gets its output, `log` is the log that it writes, if it writes one."""

    def __init__(self, words: Sequence[str], file: Path, log: Path | None):
        self.file, self.log = file, log
        with file.open("wb") as out, file.with_suffix(".err").open("wb") as err:
            command, null = [sys.executable, "-m", "coterie", *words, "--json"], subprocess.DEVNULL
            self.process = subprocess.Popen(command, stdin=null, stdout=out, stderr=err, start_new_session=True)
        self._progress = Progress(log) if log is not None else None

    def wait(self, seconds: float) -> dict[str, Any] | None:
        """The output of the command; None where it goes on after that time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(min(max(seconds, 0.0), 600.0))
        if self.process.returncode is None:
            return None
        if self._progress is not None:
            self._progress.tail.close()
        found, said = printed(self.file)
        if self.process.returncode not in (0, 1) or found is None:
            raise CoterieError(sentence(said.strip().splitlines()[-1] if said.strip() else "The command failed."))
        return dict(found)

    def stop(self) -> None:
        """End the command with all that it began; lines of its log that are written stay."""
        if self.process.poll() is None:  # else its number may be that of others by now
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def progress(self) -> dict[str, Any]:
        return self._progress.told() if self._progress is not None else {}
