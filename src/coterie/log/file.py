"""The log on disk: append-only, whole after a kill at any byte, and the past of a run that is resumed."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from typing import IO, Any

from coterie.core.bounds import open_plain
from coterie.core.errors import CoterieError, ReplayMismatch
from coterie.core.event import Event, from_line, pieces, to_line, to_text, whole
from coterie.core.files import Lock, append, whole_lines, writing

_new = tuple.__new__  # of an event: several are made in every step
REST_S = 0.02  # between two looks of a reader at a log that grows
MOST_WAITING = 1000  # pieces of text that are not handed to the system yet
MOST_LINE = 4_000_000  # characters of one event; prompts and replies have bounds far below


class Log:
    """Events in memory and, with a path, on disk line by line.

    `past` holds the lines of an earlier, interrupted run: while they last, nothing is written; every event must equal
    the line that is already there (same seed, same log), and replies of models are taken from it.

    From here on until `close`, no other process can write to the file.
    """

    def __init__(self, path: Path | None = None, past: Iterable[str] = (), lock: Lock | None = None):
        """`lock`: of the file, where somebody took it before."""
        self.path = path
        self._lock = lock or (None if path is None else hold(path))
        self.past = list(past)
        self.events: list[Event] = []
        self.step = 0
        self.t = 0.0
        self.seq = 0
        self._file: IO[str] | None = None
        self._waiting: list[str] = []  # text that is not handed to the system yet
        self._held: dict[str, tuple[str, dict[str, Any]]] = {}  # lines that wait for what their robot does next
        self._news: threading.Condition | None = None  # of those who follow; without any, nothing is done for them
        self._elsewhere: list[Callable[[], None]] = []  # readers of the file in other processes: told of its end
        self._closed = False
        self._written = 0  # events that are in the file for all to read
        if path is not None and not self.past:
            self._open()

    @classmethod
    def resumed(cls, path: Path, lock: Lock | None = None) -> Log:
        """A log that goes on with what its file holds."""
        lock = lock or hold(path)  # before it is read: nobody adds to it in between
        try:
            log = cls(past=read_lines(path))
        except BaseException:
            lock.release()
            raise
        log.path, log._lock = path, lock
        if not log.past:
            log._open()
        return log

    def _open(self) -> None:
        assert self.path is not None
        try:
            with _opening(self.path):
                # What is whole is never written a second time; half a line is cut off.
                self._file = append(self.path, self.past) if self.past else self.path.open("w", encoding="utf-8")
        except CoterieError:
            self.close()
            raise

    def hold(self, kind: str, who: str, data: dict[str, Any]) -> None:
        """A line that is written before the next one of the same robot, unless that takes it over (`held`)."""
        self._held[who] = (kind, data)

    def held(self, who: str) -> dict[str, Any] | None:
        """Take over what a line that was held back would say."""
        found = self._held.pop(who, None)
        return None if found is None else found[1]

    def release(self) -> None:
        """Write all lines that were held back."""
        for who in list(self._held):
            kind, data = self._held.pop(who)
            self.add(kind, who, data)

    def add(self, kind: str, who: str = "", data: dict[str, Any] | None = None, causes: tuple[int, ...] = ()) -> int:
        if self._held and who in self._held:
            earlier, said = self._held.pop(who)
            self.add(earlier, who, said)
        seq = self.seq
        event: Event = _new(Event, (seq, self.step, self.t, kind, who, data if data is not None else {}, causes))
        self.seq = seq + 1
        self.events.append(event)
        if seq < len(self.past):
            self._compare(event)
        elif self.path is not None:
            if self._file is None:
                self._open()  # the past has been compared; from here on the log grows
            waiting = self._waiting
            try:
                waiting += pieces(event, 0)
            except ValueError:
                waiting.append(to_text(event))
            waiting.append("\n")
            if not seq:
                self.flush()  # a run that is killed at once can be gone on with
            elif len(waiting) > MOST_WAITING:
                self._write()
        if self._news is not None:
            with self._news:
                self._news.notify_all()
        return seq

    # -- readers while it grows -----------------------------------------------------------------------------------
    def follow(self, from_seq: int = 0) -> Iterator[Event]:
        """Every event from a number on, as it is written, within a step too, until the log is closed. It waits in the
        reader's own thread; events are as readers of the file see them."""
        return (from_line(line) for lines in self.follow_lines(from_seq) for line in lines)

    def follow_lines(self, from_seq: int = 0) -> Iterator[list[str]]:
        """The same as lines of the file, all that are new at once."""
        if self._news is None:
            self._news = threading.Condition()
        return self._following(self._news, Reader(self, from_seq))

    def _following(self, news: threading.Condition, reader: Reader) -> Iterator[list[str]]:
        with contextlib.closing(reader):
            while True:
                with news:
                    while reader.at >= len(self.events) and not self._closed:
                        news.wait()
                if self.path is not None and reader.at >= self._written and not self._closed:
                    time.sleep(REST_S)  # by then it is in the file, most of the time, and need not be encoded again
                written = self._written
                lines = reader.take(written if written > reader.at and not self._closed else None)
                if not lines:
                    return
                yield lines
                time.sleep(0 if self._closed else REST_S)

    def read_elsewhere(self, over: Callable[[], None]) -> Path | None:
        """The file of a log, for a reader (`Tail`) in another process, and nothing else is done for it here; `over` is
        called when the log is closed. None where the file does not hold just what has happened."""
        if self.path is None or self.past:
            return None
        self._elsewhere.append(over)
        return self.path

    def show(self) -> None:
        """Before something that may take long: let readers of the file see all that was written, if there are any."""
        if self._elsewhere:
            self.flush()

    def _compare(self, event: Event) -> None:
        line = to_line(event)
        if line != self.past[event.seq]:
            there = self.past[event.seq]
            at = next((i for i, (a, b) in enumerate(zip(there, line)) if a != b), min(len(there), len(line)))
            old, new = (t[max(0, at - 60) : at + 60] for t in (there, line))
            raise ReplayMismatch(
                f"Resuming went another way than the log at line {event.seq + 1} (step {event.step}): the log has "
                f"«{old}», now it is «{new}». Was the log made by another version, or was a file it uses changed?"
            )

    def _write(self) -> None:
        """Hand over what waits."""
        text = whole(self._waiting)
        self._waiting.clear()
        try:
            if self._file is not None:
                self._file.write(text)
        except OSError:
            with writing(f"the log '{self.path}'"):
                raise

    def flush(self) -> None:
        if self._waiting:
            self._write()
        if self._file is not None:
            try:
                self._file.flush()
                self._written = self.seq
            except OSError:
                with writing(f"the log '{self.path}'"):
                    raise

    @property
    def replaying(self) -> bool:
        """While resuming: the log has been here before."""
        return self.seq < len(self.past)

    def recorded(self, kind: str, now: bool = False) -> dict[str, Any] | None:
        """While resuming: the data of the event of this kind that the log holds at this point, if it holds one.

        With `now`, only one of this very moment: what comes from outside may come later, with nothing else before it.
        """
        if not self.replaying:
            return None
        event = from_line(self.past[self.seq])
        good = event.kind == kind and (not now or (event.step, event.t) == (self.step, self.t))
        return event.data if good else None

    def finish(self) -> None:
        """The episode has ended; so must have the log it was resumed from."""
        if self.seq < len(self.past):
            raise ReplayMismatch(
                f"The resumed run ended before its log did: at line {self.seq} of {len(self.past)}. "
                "Was it started with other limits?"
            )

    def close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError, CoterieError):  # told when it was written
                self.flush()
            file, self._file = self._file, None
            with contextlib.suppress(OSError):
                file.close()
        if self._lock is not None:
            self._lock.release()
        self._closed = True
        if self._news is not None:
            with self._news:
                self._news.notify_all()
        for over in self._elsewhere:
            over()

    def lines(self) -> list[str]:
        return [to_line(e) for e in self.events]


class Tail:
    """The whole lines of a log's file, which perhaps another process writes: what comes later is taken later."""

    def __init__(self, path: Path):
        self.path = path
        self._file: IO[bytes] | None = None

    def take(self, most: int | None = None) -> list[str]:
        if self._file is None:
            self._file = open_plain(self.path, "log")
        found = list[str]()
        for line in islice(self._file, most):
            if not line.endswith(b"\n"):
                self._file.seek(-len(line), 1)
                break
            found.append(line[:-1].decode("utf-8", "replace"))
        return found

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


class Reader:
    """A place in the log of a running episode: `take` gives the lines from there on, perhaps none, up to the end or to
    another place. What is in the file already is read there, and not encoded a second time."""

    def __init__(self, log: Log, at: int = 0):
        self.at, self._log, self._read = at, log, 0
        self._tail = Tail(log.path) if log.path is not None else None

    def take(self, to: int | None = None) -> list[str]:
        log, at, there = self._log, self.at, len(self._log.events) if to is None else to
        lines, written = log.past[at:there], min(log._written, there)
        if self._tail is not None and written > at + len(lines):
            with contextlib.suppress(CoterieError, OSError, ValueError):
                rows = self._tail.take(written - self._read)
                self._read += len(rows)
                lines += rows[at + len(lines) - written :] if self._read == written else ()
        self.at = max(at, there)
        return lines + [to_line(e) for e in log.events[at + len(lines) : there]]

    def close(self) -> None:
        if self._tail is not None:
            self._tail.close()


def _opening(path: Path) -> AbstractContextManager[None]:
    return writing(f"the log '{path}'", " Choose another --log.")


def hold(path: Path, patient: bool = False) -> Lock:
    """Keep other processes from writing this log; `patient`: once the one that does has ended."""
    with _opening(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        return Lock(path, patient)


def read_lines(path: Path) -> list[str]:
    """The whole lines of a log file, of which none is missing; an unfinished last one is dropped."""
    whole = whole_lines(path, "log")
    return whole[: sum(1 for _ in _events(path, whole))]


def read_log(path: str | Path) -> list[Event]:
    """The events of a log; half a line at its end does not count."""
    path = Path(path)
    events = list(_events(path, whole_lines(path, "log")))
    if not events or events[0].kind != "start":
        raise CoterieError(f"'{path}' is not a Coterie log: its first line is missing or cut.")
    return events


def _events(path: Path, whole: Sequence[str]) -> Iterator[Event]:
    """One by one, with nothing missing between them."""
    for i, line in enumerate(whole):
        if len(line) > MOST_LINE:
            raise CoterieError(f"Line {i + 1} of '{path}' has {len(line):,} characters; no event is so long.")
        try:
            event = from_line(line)
        except (ValueError, TypeError, RecursionError) as err:
            if i and i == len(whole) - 1:  # a machine that lost its power
                return
            raise CoterieError(f"Line {i + 1} of '{path}' is not an event of a Coterie log.") from err
        if event.seq != i:
            what = "lines are missing or twice there" if i else "its beginning is missing"
            raise CoterieError(f"Line {i + 1} of '{path}' is the event number {event.seq}: {what}. Get the whole file.")
        yield event
