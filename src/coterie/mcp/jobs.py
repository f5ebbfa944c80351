"""Commands that run as processes of their own, and their logs, which are read while they grow."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.event import from_line
from coterie.core.record import DAMAGE
from coterie.core.visible import sentence, visible
from coterie.log.file import Tail
from coterie.log.progress import Progress, printed
from coterie.log.words import event_words

LOOK_S = 0.05  # between two looks at a log that grows
MOST_ROWS = 200  # that are told at once


class Job:
    """A command of `coterie`; `file` gets its output, `log` is the log that it writes, if it writes one."""

    def __init__(self, words: Sequence[str], file: Path, log: Path | None):
        self.file, self.log = file, log
        with file.open("wb") as out, file.with_suffix(".err").open("wb") as err:
            command, null = [sys.executable, "-m", "coterie", *words, "--json"], subprocess.DEVNULL
            self.process = subprocess.Popen(command, stdin=null, stdout=out, stderr=err, start_new_session=True)
        self._progress = Progress(log) if log is not None else None

    def wait(self, seconds: float) -> dict[str, Any] | None:
        """What the command printed; None where it goes on after that time."""
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
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def progress(self) -> dict[str, Any]:
        return self._progress.told() if self._progress is not None else {}


def account(log: Path, from_seq: int, wait_s: float) -> dict[str, Any]:
    """What an episode tells from an event number on, in words, and the number to go on with. It waits for the first of
    them, and for the log itself, for a while."""
    until, seen, lines, ended = time.monotonic() + min(max(wait_s, 0.0), 300.0), 0, list[str](), False
    rows, at = list[dict[str, Any]](), max(0, from_seq)
    try:
        with contextlib.closing(Tail(log)) as tail:
            while True:
                if log.is_file():
                    some = tail.take()
                    lines = some[max(0, from_seq - seen) :]
                    seen += len(some)
                    ended = bool(some) and from_line(some[-1]).kind == "end"
                if lines or ended or time.monotonic() >= until:
                    break
                time.sleep(LOOK_S)
        for event in map(from_line, lines):
            words, bad = event_words(event)
            at = event.seq + 1
            if words:
                row = {"seq": event.seq, "step": event.step, "t": event.t, "who": visible(event.who)}
                rows.append({**row, "words": visible(words), **({"bad": True} if bad else {})})
            if len(rows) == MOST_ROWS:
                break
    except DAMAGE as err:
        raise CoterieError(f"Line {at + 1} of that log is not an event of a Coterie log.") from err
    return {"rows": rows, "next": at, "over": ended and at >= seen}
