"""Commands that run as processes of their own, and their logs, which are read while they grow."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coterie.core.bounds import MB, read_bounded
from coterie.core.errors import CoterieError
from coterie.core.event import from_line
from coterie.core.record import DAMAGE
from coterie.core.visible import sentence, visible
from coterie.log.file import Tail
from coterie.log.fold import apply, beginning
from coterie.log.state import State
from coterie.log.words import action_words, event_words

LOOK_S = 0.05  # between two looks at a log that grows
MOST_ROWS = 200  # that are told at once


class Job:
    """A command of `coterie`; `printed` gets its output, `log` is the log that it writes, if it writes one."""

    def __init__(self, words: Sequence[str], printed: Path, log: Path | None):
        self.printed, self.log = printed, log
        with printed.open("wb") as out, printed.with_suffix(".err").open("wb") as err:
            command = [sys.executable, "-m", "coterie", *words, "--json"]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        self._progress = Progress(log) if log is not None else None

    def wait(self, seconds: float) -> dict[str, Any] | None:
        """What the command printed; None where it goes on after that time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(min(max(seconds, 0.0), 600.0))
        if self.process.returncode is None:
            return None
        if self._progress is not None:
            self._progress.tail.close()
        if self.process.returncode not in (0, 1):
            said = read_bounded(self.printed.with_suffix(".err"), "file", MB).decode("utf-8", "replace").strip()
            raise CoterieError(sentence(said.splitlines()[-1] if said else "The command failed."))
        found: dict[str, Any] = json.loads(read_bounded(self.printed, "file", 20 * MB))
        return found

    def progress(self) -> dict[str, Any]:
        return self._progress.told() if self._progress is not None else {}


class Progress:
    """How far an episode is, from its log."""

    def __init__(self, log: Path):
        self.tail = Tail(log)
        self._state: State | None = None

    def told(self) -> dict[str, Any]:
        """Its step, its goal, and what its robots do."""
        state = self._folded()
        if state is None:
            return {}
        acts = {name: action_words(r.act.skill, r.act.args) for name, r in state.robots.items() if r.act is not None}
        told = {"step": state.step, "limit": state.limit, "time_s": round(state.t, 1), "share_done": state.partial}
        return {**told, "status": state.status_text, "robots": acts}

    def _folded(self) -> State | None:
        """The state of its episode, as far as it has come since the last look."""
        with contextlib.suppress(CoterieError, *DAMAGE):  # there is no log yet, or none of ours
            for line in self.tail.take():
                if self._state is None:
                    self._state = beginning(from_line(line))
                else:
                    apply(self._state, from_line(line))
        return self._state


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
