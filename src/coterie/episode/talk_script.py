"""A talk from a file: who says what, and what they must be told (docs/talk-reference.md). What is not told as expected
fails, with its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.bounds import read_bounded
from coterie.core.errors import CoterieError
from coterie.episode.inputs import Utterance
from coterie.episode.loop import Episode

MOST_FILE = 1_000_000  # bytes
PATIENCE_S = 1800.0  # of simulated time for what is expected
DEMO = "demo"


class Line(NamedTuple):
    number: int
    kind: str  # say, expect, never, wait, idle
    person: str
    text: str


class Unmet(CoterieError):
    """A talk did not go as its script says."""

    def __init__(self, line: Line, words: str):
        super().__init__(f"Line {line.number} of the script: {words}")
        self.line = line


def parse(text: str) -> list[Line]:
    found, speaker = [], ""
    for number, row in enumerate(text.splitlines(), 1):
        row = row.strip()
        if not row or row.startswith("#"):
            continue
        if (m := re.fullmatch(r"\.\.\.\s*(idle|\d+(?:\.\d+)?)", row)) is not None:
            found.append(Line(number, "idle" if m[1] == "idle" else "wait", "", m[1]))
        elif (m := re.fullmatch(r"([\w-]*)\s*(!?)>\s*(.+)", row)) is not None and (m[1] or speaker):
            found.append(Line(number, "never" if m[2] else "expect", m[1] or speaker, m[3]))
        elif (m := re.fullmatch(r"([\w-]+)\s*:\s*(.+)", row)) is not None:
            speaker = m[1]
            found.append(Line(number, "say", speaker, m[2]))
        else:
            raise CoterieError(
                f"Line {number} of the script cannot be read: '{row[:60]}'. Write 'teacher: words' for what is said, "
                "'> words' for what must be told, '... 60' for seconds that go by."
            )
    return found


def script(name: str | Path) -> list[Line]:
    """A script by its file; `demo` is the one that comes with it."""
    if str(name) == DEMO:
        return parse((files("coterie.episode") / "demo.talk").read_text(encoding="utf-8"))
    return parse(read_bounded(Path(name), "script", MOST_FILE).decode("utf-8", "replace"))


class Runner:
    """Plays a script in a hall: one line after the other, as fast as the team can."""

    def __init__(self, hall: Any, lines: Sequence[Line]):
        self.hall, self.lines, self.at = hall, lines, 0
        self.failed: Unmet | None = None
        self._marks: dict[str, int] = {}  # what each person has been told up to here
        self._heard, self._since_s, self._ended = 0, 0.0, False
        hall.waits, hall.tick = False, self

    def __call__(self, episode: Episode) -> None:
        if episode.log.replaying or self._ended:
            return
        try:
            while self.at < len(self.lines) and self._step(self.lines[self.at]):
                self.at += 1
                self._since_s = self.hall.now
        except Unmet as err:
            self.failed = err
        said = self.hall.heard >= self._heard  # also the last line is answered before the talk ends
        if self.failed is not None or (self.at >= len(self.lines) and said):
            self._ended = True
            self.hall.end()

    def unmet(self) -> Unmet | None:
        """Why the talk did not go as its script says; also where it ended before its script did."""
        early = self.failed is None and self.at < len(self.lines)
        return Unmet(self.lines[self.at], "the talk had ended before this line.") if early else self.failed

    def _step(self, line: Line) -> bool:
        """Play a line; False if it has to be looked at again when something has happened."""
        hall = self.hall
        if hall.heard < self._heard:
            return False
        if line.kind == "say":
            self._marks[line.person] = len(hall.told)
            self._heard = hall.heard + 1
            hall.inputs.put(Utterance(line.person, line.text))
            return True
        if line.kind == "wait":
            return hall.now - self._since_s >= float(line.text)
        if line.kind == "idle":
            return hall.idle()
        told = [t for t in hall.told[self._marks.get(line.person, 0) :] if t.person == line.person]
        match = next((t for t in told if holds(t.text, line.text)), None)
        if line.kind == "never":
            if match is not None:
                raise Unmet(line, f"{line.person} was told '{match.text}', which holds '{line.text}'.")
            return True
        if match is not None:
            self._marks[line.person] = match.number - 1  # the same message may be looked at again
            return True
        if hall.now - self._since_s > PATIENCE_S or not hall.moving():
            said = told[-1].text if told else "nothing"
            raise Unmet(line, f"{line.person} should be told '{line.text}', and was told '{said}'.")
        return False


def holds(text: str, words: str) -> bool:
    flat = " ".join(text.lower().split())
    return all(" ".join(part.lower().split()) in flat for part in words.split("..."))
