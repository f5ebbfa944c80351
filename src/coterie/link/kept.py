"""A robot's actions and how they ended, in a file: so that nothing is done twice and no end is lost.

That an action begins is written before the robot moves. Of one that had begun when its driver was killed nobody knows
how far it came: it is told as failed, and not done again.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import IO, Any, NamedTuple

from coterie.core.bounds import load_json
from coterie.core.causes import lost_contact
from coterie.core.errors import CoterieError
from coterie.core.files import append, replace_text, whole_lines, writing
from coterie.core.record import DAMAGE
from coterie.core.wire import decode, encode
from coterie.link.robot import Job, Report

KEEP = 256  # ends that are remembered of each robot
MOST_NOTED = 200  # characters of an action, for people
MOST_RUNS = 1_000  # of which the last action is remembered
MOST_LINES = 4 * KEEP + MOST_RUNS  # of the file, before it is written anew


class Note(NamedTuple):
    run: str
    name: str
    number: int
    words: str  # the action, for people
    end: Report | None = None

    def is_of(self, job: Job) -> bool:
        """True if it is this action, and not another of the same name."""
        return self.words == str(job.action)[:MOST_NOTED]

    def lines(self) -> list[str]:
        began = ["began", self.run, self.name, self.number, self.words]
        return [_line(began)] + ([] if self.end is None else [_ended(self.name, self.end)])


class Kept:
    """The notes of one robot."""

    def __init__(self, path: Path, robot: str):
        self.path, self.robot = path, robot
        self.notes: dict[str, Note] = {}
        self.newest: dict[str, int] = {}  # run -> the number of its last action
        self._lines = 0
        self._file: IO[str] | None = None
        if path.exists():
            self._read()
        self._tidy()
        words = f"The driver of {robot} was ended in the middle of it; how far it came is not known."
        for note in [n for n in self.notes.values() if n.end is None]:
            self.ended(note.name, Report("failed", words, lost_contact(robot)))

    def find(self, name: str) -> Note | None:
        return self.notes.get(name)

    def is_past(self, job: Job) -> bool:
        """True if this or a later action of the same run was asked for before."""
        return job.number <= self.newest.get(job.run, -1)

    def began(self, job: Job) -> None:
        note = Note(job.run, job.name, job.number, str(job.action)[:MOST_NOTED])
        self._write(*note.lines())
        self._note(note)

    def ended(self, name: str, end: Report) -> None:
        """Note the end of an action; what cannot be written is remembered for as long as the driver runs."""
        self.notes[name] = self.notes[name]._replace(end=end)
        with contextlib.suppress(CoterieError):
            self._write(_ended(name, end))
            if self._lines > MOST_LINES:
                self._tidy()

    def close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None

    # -- the file ---------------------------------------------------------------------------------------------------
    def _note(self, note: Note) -> None:
        self.notes[note.name] = note
        self.newest[note.run] = max(note.number, self.newest.get(note.run, -1))
        while len(self.notes) > KEEP:
            self.notes.pop(next(iter(self.notes)))

    def _read(self) -> None:
        for line in whole_lines(self.path, "notes of a driver"):
            with contextlib.suppress(*DAMAGE, CoterieError):  # a line that is none says nothing
                kind, *rest = load_json(line)
                if kind == "began":
                    run, name, number, words = rest
                    if type(number) is int and all(isinstance(t, str) for t in (run, name, words)):
                        self._note(Note(run, name, number, words))
                elif kind == "ended":
                    name, told = rest
                    self.notes[name] = self.notes[name]._replace(end=Report.of(decode(told)))
                elif kind == "newest":
                    run, number = rest
                    if isinstance(run, str) and type(number) is int:
                        self.newest[run] = max(number, self.newest.get(run, -1))

    def _tidy(self) -> None:
        """Write the file anew with what is still remembered."""
        self.close()
        while len(self.newest) > MOST_RUNS:
            self.newest.pop(next(iter(self.newest)))
        lines = [_line(["newest", run, number]) for run, number in self.newest.items()]
        lines += [line for note in self.notes.values() for line in note.lines()]
        with self._writing():
            replace_text(self.path, "".join(line + "\n" for line in lines))
            self._file = append(self.path)
        self._lines = len(lines)

    def _write(self, *lines: str) -> None:
        with self._writing():
            try:
                if self._file is None:
                    self._file = append(self.path)  # cuts off what a full disk left of a line
                self._file.write("".join(line + "\n" for line in lines))
                self._file.flush()
            except OSError:
                self.close()
                raise
        self._lines += len(lines)

    def _writing(self) -> Any:
        return writing(f"what {self.robot} does to '{self.path}'")


def _ended(name: str, end: Report) -> str:
    return _line(["ended", name, encode(end.told())])


def _line(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))
