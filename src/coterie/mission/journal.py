"""One file that holds all that happens to a mission, in order, a line for each change.

Parts of a mission (knowledge, goals, outcomes ...) write what happens to them here before they take it in. Opening
the file again gives the same lines to the same parts and the same state; a kill at any byte leaves the state
of some line, never half of one. Changes come one after the other, from whatever thread.

    journal = Journal(Path("mission.jsonl"))
    knowledge = Knowledge(journal)         # takes in what the file holds about it
    goals = Goals(journal, knowledge)
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from coterie.core.bounds import MOST_LINES, load_json, open_plain
from coterie.core.errors import CoterieError
from coterie.core.files import CannotWrite, Lock, append
from coterie.core.wire import decode, encode


class Entry(NamedTuple):
    """One change: of which part, of what kind, with plain values of the wire form."""

    part: str
    kind: str
    data: Any


class Line(NamedTuple):
    """One line: changes that come together or not at all."""

    number: int
    time: float
    entries: tuple[Entry, ...]


Take = Callable[[str, Any, float], None]  # kind, data, time: changes the state and nothing else


class Journal:
    """Writes, or follows what another process writes. Without a path nothing is kept: for tests and thought."""

    def __init__(self, path: Path | str | None = None, clock: Callable[[], float] | None = None, sync: bool = False):
        """`clock` gives the time [s] of what happens; without one `journal.time` is set by the caller.

        `sync`: wait until the disk has each line, so that a machine may lose its power, too.
        """
        self.path = None if path is None else Path(path)
        self.time = 0.0
        self.number = 0  # of lines so far
        self.mutex = threading.RLock()  # changes are serial; readers of several things at once hold it as well
        self._clock, self._sync = clock, sync
        self._parts: dict[str, Take] = {}
        self._before: dict[str, list[tuple[str, Any, float]]] = {}  # read, and not yet asked for
        self._open: list[Entry] | None = None  # those of a line that is being put together
        self._owed: tuple[Entry, ...] = ()  # taken in, and not yet on a disk that was full
        self._file: IO[str] | None = None
        self._lock: Lock | None = None
        self._seen = 0  # bytes that have been read
        if self.path is not None:
            self.take_over()

    # -- reading --------------------------------------------------------------------------------------------------
    def attach(self, part: str, take: Take) -> None:
        """A part of the mission: it is given what was written about it, and from now on what is."""
        with self.mutex:
            if part in self._parts:
                raise CoterieError(f"The journal has a part '{part}' already; give yours another name.")
            self._parts[part] = take
            for kind, data, time in self._before.pop(part, ()):
                take(kind, data, time)

    def _take_line(self, row: str) -> None:
        try:
            line = _read(row)
        except (ValueError, TypeError, KeyError, CoterieError) as err:
            raise CoterieError(
                f"Line {self.number + 1} of the journal '{self.path}' is damaged ({err}). "
                "Cut the file off before it to go on from there."
            ) from err
        if line.number != self.number + 1:
            raise CoterieError(
                f"Line {self.number + 1} of the journal '{self.path}' says that it is number {line.number}; "
                "lines are missing or from another file."
            )
        self.number, self.time = line.number, line.time
        for part, kind, data in line.entries:
            take = self._parts.get(part)
            if take is None:
                self._before.setdefault(part, []).append((kind, data, line.time))
            else:
                take(kind, data, line.time)

    # -- writing --------------------------------------------------------------------------------------------------
    def now(self) -> float:
        if self._clock is not None:
            self.time = max(self.time, self._clock())
        return self.time

    def write(self, part: str, kind: str, data: Any) -> None:
        """Keep one change, and let its part take it in. Nothing has changed where the disk does not take it."""
        with self.mutex:
            if self.path is not None and self._lock is None:
                raise CoterieError(f"The journal '{self.path}' is closed, or only followed.")
            now = self.now()
            if self._open is not None:
                self._open.append(Entry(part, kind, data))
            else:
                self._keep((Entry(part, kind, data),))
            self._parts[part](kind, data, now)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Changes that come in one line: after a kill all of them are there, or none."""
        with self.mutex:
            if self._open is not None:  # part of a larger one
                yield
                return
            self._open = []
            try:
                yield
            finally:
                entries, self._open = tuple(self._open), None
                if entries:
                    try:
                        self._keep(entries)
                    except CannotWrite:
                        self._owed += entries  # they have happened: the next line brings them
                        raise

    def _keep(self, entries: tuple[Entry, ...]) -> None:
        if self.path is not None:
            rows = [[e.part, e.kind, encode(e.data)] for e in (*self._owed, *entries)]
            text = json.dumps({"n": self.number + 1, "t": self.time, "e": rows}, separators=(",", ":"))
            try:
                if self._file is None:
                    self._file = append(self.path)  # cuts off what a full disk left of the last line
                self._file.write(text + "\n")
                self._file.flush()
                if self._sync:
                    os.fsync(self._file.fileno())
            except OSError as err:
                with contextlib.suppress(OSError):
                    if self._file is not None:
                        self._file.close()
                self._file = None
                raise CannotWrite(f"Cannot write the journal '{self.path}': {err.strerror}.") from err
        self.number, self._owed = self.number + 1, ()

    def close(self) -> None:
        with self.mutex:
            if self._file is not None:
                with contextlib.suppress(OSError):
                    self._file.close()
                self._file = None
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- a second reader ------------------------------------------------------------------------------------------
    @classmethod
    def follow(cls, path: Path | str) -> Journal:
        """Read along with the process that writes: `poll` takes in what is new, `take_over` goes on in its place."""
        journal = cls()
        journal.path = Path(path)
        return journal

    def poll(self) -> int:
        """Take in the lines that were written since; how many there were."""
        with self.mutex:
            before = self.number
            for row in self._new_rows():
                self._take_line(row)
            return self.number - before

    def _new_rows(self) -> list[str]:
        assert self.path is not None
        if not self.path.exists():
            return []
        with open_plain(self.path, "journal") as file:
            file.seek(self._seen)
            found = file.read(MOST_LINES)
        whole = found[: found.rfind(b"\n") + 1]
        self._seen += len(whole)
        return whole.decode("utf-8", errors="replace").split("\n")[:-1]

    def take_over(self) -> None:
        """Write from here on. `InUse` where another process does."""
        assert self.path is not None
        with self.mutex:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._lock = Lock(self.path)
                self._file = append(self.path, good=_is_line)
                while self.poll():
                    pass
            except OSError as err:
                self.close()
                raise CannotWrite(f"Cannot write the journal '{self.path}': {err.strerror or err}.") from err
            except BaseException:
                self.close()
                raise


def _read(row: str) -> Line:
    found = load_json(row)
    entries = tuple(Entry(str(part), str(kind), decode(data)) for part, kind, data in found["e"])
    return Line(int(found["n"]), float(found["t"]), entries)


def _is_line(row: str) -> bool:
    try:
        _read(row)
    except (ValueError, TypeError, KeyError, CoterieError):
        return False
    return True
