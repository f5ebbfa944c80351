"""A folder of what was recorded: logs that can be looked at, results of benches, two runs side by side."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coterie.bench.results import RESULTS, TABLE
from coterie.bench.results import load as load_rows
from coterie.core.bounds import open_plain, read_bounded
from coterie.core.errors import CoterieError
from coterie.core.event import Event, from_line
from coterie.core.record import DAMAGE
from coterie.core.records import StartEvent
from coterie.core.visible import visible
from coterie.live.book import Book, private
from coterie.live.doors import Doors, Guest
from coterie.live.server import Answer, Refused, Site
from coterie.log.file import read_log
from coterie.log.words import task_name
from coterie.page.telling import Telling, why
from coterie.worlds import pictures_of

MOST_LOGS = 2_000
MOST_BOOKS = 4  # logs that are kept folded
MOST_PICTURES = 300
MOST_RESULTS = 50_000_000  # bytes of a file of results that is counted
MOST_LINE = 4_000_000
MOST_FILE, MOST_TABLE = 20_000_000, 400_000  # bytes, characters
PLOTS = {".svg": "image/svg+xml", ".png": "image/png"}


class Shelf(Site):
    """The logs and results below one folder. What lies elsewhere is not reached, by no name and no link."""

    title, script = "Coterie: what was recorded", "folder.js"

    def __init__(self, doors: Doors, folder: Path):
        super().__init__(doors)
        self.folder = folder.resolve()
        if not self.folder.is_dir():
            raise CoterieError(f"'{folder}' is no folder. Name one with logs or results, like runs.")
        self._logs: dict[Path, tuple[Any, dict[str, Any] | None]] = {}
        self._books: dict[tuple[Path, int], Book] = {}
        self._pictures: dict[tuple[Path, int], bytes] = {}
        self._lock, self._draws = threading.Lock(), threading.Lock()

    def about(self, guest: Guest) -> dict[str, Any]:
        return {"mode": "folder", "folder": visible(self.folder.name)}

    def get(self, guest: Guest, path: str, query: Mapping[str, str]) -> Answer:
        if path == "/logs":
            return Answer(self.logs())
        if path == "/results":
            return Answer(list(self._results()))
        if path == "/picture":
            drawn = self._picture(self._path(query.get("f", ""), (".jsonl",)))
            return Answer(drawn, kind=PLOTS[".png" if drawn.startswith(b"\x89PNG") else ".svg"])
        if path == "/plot":
            found = self._path(query.get("f", ""), tuple(PLOTS))
            return Answer(read_bounded(found, "plot", MOST_FILE), kind=PLOTS[found.suffix])
        raise Refused(404, "There is nothing here.")

    def _path(self, name: str, ends: tuple[str, ...]) -> Path:
        """A file of this folder; names come from strangers."""
        try:
            found = (self.folder / name).resolve(strict=True)
        except (OSError, ValueError):
            raise Refused(404, "There is no such file.") from None
        if found.suffix not in ends or not self._is_own(found):
            raise Refused(404, "There is no such file.")
        return found

    def _is_own(self, path: Path) -> bool:
        """Whether it is a file of this folder, and no link that leads elsewhere."""
        return path.is_file() and path.resolve().is_relative_to(self.folder)

    # -- logs -----------------------------------------------------------------------------------------------------
    def logs(self) -> list[dict[str, Any]]:
        """A summary of every log from its first and its last line, the newest first."""
        found = []
        paths = [p for p in self.folder.rglob("*.jsonl") if self._is_own(p) and p.name not in (RESULTS, "wall.jsonl")]
        for path in sorted(paths, key=lambda p: -p.stat().st_mtime)[:MOST_LOGS]:
            stat = path.stat()
            key = (stat.st_mtime_ns, stat.st_size)
            if self._logs.get(path, (None,))[0] != key:
                self._logs[path] = (key, _summary(path))
            row = self._logs[path][1]
            if row is not None:
                name = str(path.relative_to(self.folder))
                found.append({"f": name, "name": visible(name), "at": int(stat.st_mtime), "bytes": stat.st_size, **row})
        return found

    def book(self, guest: Guest, query: Mapping[str, str]) -> Book:
        path = self._path(query.get("f", ""), (".jsonl",))
        key = (path, path.stat().st_mtime_ns)
        with self._lock:
            if key not in self._books:
                while len(self._books) >= MOST_BOOKS:
                    self._books.pop(next(iter(self._books)))
                book = self._books[key] = Book()
                threading.Thread(target=_fold, args=(path, book), daemon=True).start()
            return self._books[key]

    def _picture(self, path: Path) -> bytes:
        """The last state of a log, small enough for a list."""
        key = (path, path.stat().st_mtime_ns)
        if key not in self._pictures:
            with self._draws, TemporaryDirectory(prefix="coterie-") as scratch:
                try:
                    events = read_log(path)
                    draws = pictures_of(events[0].data)
                    end = ".png" if getattr(draws, "cameras", False) else ".svg"  # solids have no lines to draw
                    file = draws.small(events, Path(scratch) / f"small{end}")
                except Exception as err:
                    raise Refused(409, why(err, f"'{path.name}' cannot be shown")) from err
                if len(self._pictures) >= MOST_PICTURES:
                    self._pictures.pop(next(iter(self._pictures)))
                self._pictures[key] = read_bounded(file, "picture", MOST_FILE)
        return self._pictures[key]

    # -- results ----------------------------------------------------------------------------------------------------
    def _results(self) -> Iterator[dict[str, Any]]:
        """Benches: what each method reached, its tables, and its plots."""
        for path in sorted(filter(self._is_own, self.folder.rglob(RESULTS))):
            place = path.parent
            table = place / TABLE
            raw = read_bounded(table, "table", MOST_FILE) if self._is_own(table) else b""
            text = raw.decode("utf-8", "replace")[:MOST_TABLE]
            plots = [str(p.relative_to(self.folder)) for p in sorted(place.glob("plots/*")) if p.suffix in PLOTS][:40]
            name = str(place.relative_to(self.folder))
            found: dict[str, Any] = {"name": visible(name), "table": text, "plots": plots, "methods": [], "error": ""}
            try:
                if path.stat().st_size <= MOST_RESULTS:
                    found["methods"] = _methods(load_rows(path))
            except CoterieError as err:
                found["error"] = visible(str(err))
            yield found


def _methods(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    by_name: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_name.setdefault(visible(str(row.get("method", "?"))), []).append(row)
    return [
        {"method": name, "n": len(some), **{key: _mean(some, key) for key in ("success", "ps", "steps", "tokens")}}
        for name, some in by_name.items()
    ]


def _mean(rows: list[dict[str, Any]], key: str) -> float | None:
    values = [float(v) for r in rows if isinstance(v := r.get(key), (int, float))]
    return round(sum(values) / len(values), 4) if values else None


def _summary(path: Path) -> dict[str, Any] | None:
    """The first and the last line of a log in brief; None for a file that is no log."""
    try:
        with open_plain(path, "log") as file:
            first = from_line(file.readline(MOST_LINE).decode("utf-8"))
            size = file.seek(0, 2)
            file.seek(max(0, size - 4000))
            tail = file.read().decode("utf-8", "replace").splitlines()
        if first.kind != "start":
            return None
        config, end = first.data["config"], _end(tail)
        labels = {k: visible(str(config.get(k) or "")) for k in ("protocol", "model", "team", "scene", "level")}
        told = {"task": visible(task_name(StartEvent.from_event(first))), "seed": int(config["seed"]), **labels}
        return {**told, "success": None if end is None else bool(end.data["success"]),
                "steps": None if end is None else int(end.data["steps"])}  # fmt: skip
    except (OSError, CoterieError, *DAMAGE):
        return None


def _end(tail: list[str]) -> Event | None:
    try:
        last = from_line(tail[-1])
        return last if last.kind == "end" else None
    except (ValueError, TypeError, IndexError):
        return None


def _fold(path: Path, book: Book) -> None:
    """A log as rows: first what is told, with the first picture, then the other pictures, which take the longest."""
    try:
        events = read_log(path)
        telling, pictures = Telling(events[0], live=True), _pictures(events)
        unfinished = {"verdict": {"ok": None, "text": "not finished"}, "figures": []}
        book.add({"head": {**telling.head(), "robots": telling.robots(), **unfinished}})
        book.add({"i": 0, "n": telling.state.step, "t": 0.0})
        for row in islice(pictures, 1):
            book.add(row)
        telling.undrawn()
        for event in events[1:]:
            for row in telling.take(event):
                book.add(row, private(row))
        if events[-1].kind != "end":
            book.add(telling.close())
            book.add({"end": telling.result()})
        book.add({"known": {"told": True}})
        for row in pictures:
            book.add(row)
    except Exception as err:  # noqa: BLE001 - a damaged log, or a world of a user's own
        book.add({"known": {"error": why(err, f"'{path.name}' cannot be shown")}})
    book.add({"known": {"over": True}})
    book.close()


def _pictures(events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    """The pictures of an episode without its words."""
    telling = Telling(events[0], live=True)
    for event in events[1:]:
        yield from telling.pictures_only(event)
    if events[-1].kind != "end":
        yield telling.picture()
