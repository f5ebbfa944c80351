"""The keyboard of a mission with driven robots: read at any time, since these do not wait for whoever types.

A stop goes straight from here to every driver, whatever the mission is thinking about.
"""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from typing import Any

from coterie.cli.out import complain, say
from coterie.cli.stop import unkept_words
from coterie.core.errors import CoterieError
from coterie.episode.inputs import Utterance
from coterie.link.stopping import release, stop

STOPS = ("stop", "halt", "stop everything", "stop all robots", "emergency stop")
RELEASES = ("release", "let go")


class Keyboard:
    """Lines that are typed, in a thread of their own. `who` says who speaks, unless the line does (`nurse: ...`)."""

    def __init__(self, inputs: Any, who: str, folder: Path | None):
        self.inputs, self.who, self.folder = inputs, who, folder
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def _read(self) -> None:
        for row in sys.stdin:
            if row.strip():
                self.take(row.strip())

    def take(self, text: str) -> None:
        plain = text.strip(" .!").lower()
        if plain in (*STOPS, *RELEASES):
            self._still(plain in STOPS)
            return
        named = re.fullmatch(r"([a-z][\w-]{0,30})\s*:\s*(.+)", text)
        self.inputs.put(Utterance(named[1], named[2]) if named else Utterance(self.who, text))

    def _still(self, on: bool) -> None:
        done = "stopped" if on else "released"
        try:
            answers = (stop if on else release)(self.who, (), self.folder)
        except (CoterieError, OSError) as err:
            complain(f"Nobody was {done}: {err}")
            return
        hint = "; type release to let them go on" if on else ""
        say(f"{done}: {', '.join(answers.robots) or 'nobody'} ({1000 * answers.took_s:.0f} ms){hint}")
        for robot, words in answers.wrong.items():
            complain(f"{robot} was not {done}: {words.rstrip('.')}.")
        for robot, words in answers.unkept.items():
            complain(unkept_words(robot, words))
        sys.stdout.flush()
