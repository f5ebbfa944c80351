"""How far a command of Coterie is that runs elsewhere, from the log that it writes, and what it printed at its end."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from coterie.core.bounds import MB, read_bounded
from coterie.core.errors import CoterieError
from coterie.core.event import from_line
from coterie.core.record import DAMAGE
from coterie.log.file import Tail
from coterie.log.fold import apply, beginning
from coterie.log.state import State
from coterie.log.words import action_words


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


def printed(file: Path) -> tuple[Any, str]:
    """What a command with --json printed to FILE.out, None where that is no JSON, and its complaint in FILE.err."""
    out, err = (read_bounded(file.with_suffix(s), "file", 20 * MB).decode("utf-8", "replace") for s in (".out", ".err"))
    with contextlib.suppress(ValueError):
        return json.loads(out), err
    return None, (err or out).strip()
