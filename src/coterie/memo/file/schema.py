"""Opening the file of the memo. What can go wrong is put into sentences, and nothing is ever destroyed."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.bounds import load_json
from coterie.core.cache import cache_dir
from coterie.core.errors import CoterieError
from coterie.memo.case import BadRow
from coterie.memo.file.blocks import snapshot
from coterie.memo.plan import MOST_NUMBERS, Act, Motion, Plan, name

VERSION = 1
APPLICATION = 0x436F7465  # "Cote", in the header of the file
BUSY_S = 30.0

#: `cases` is the global table. The fast table is the top of the index `rank`: Eq. 8 holds at every moment, with no copy
#: that could disagree. `blocks` hold the vectors of one structure packed, so that a new process has them at once.
TABLES = """
CREATE TABLE cases (
    id INTEGER PRIMARY KEY AUTOINCREMENT, episode TEXT NOT NULL UNIQUE, world TEXT NOT NULL, task TEXT NOT NULL,
    structure TEXT NOT NULL, kin TEXT NOT NULL, freq INTEGER NOT NULL DEFAULT 0, steps INTEGER NOT NULL,
    body TEXT NOT NULL, vector BLOB NOT NULL);
CREATE INDEX cases_structure ON cases (structure, id);
CREATE INDEX cases_kin ON cases (kin, structure);
CREATE INDEX cases_rank ON cases (task, freq DESC, id DESC, structure, kin);
CREATE TABLE plans (id INTEGER PRIMARY KEY, sketch BLOB NOT NULL, outline TEXT NOT NULL, numbers BLOB NOT NULL);
CREATE TABLE uses (episode TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (episode, id)) WITHOUT ROWID;
CREATE INDEX uses_id ON uses (id);
CREATE TABLE blocks (
    structure TEXT NOT NULL, last INTEGER NOT NULL, ids BLOB NOT NULL, vectors BLOB NOT NULL,
    PRIMARY KEY (structure, last));
CREATE TABLE lessons (
    id INTEGER PRIMARY KEY AUTOINCREMENT, episode TEXT NOT NULL UNIQUE, scene TEXT NOT NULL, goal TEXT NOT NULL,
    body TEXT NOT NULL);
CREATE INDEX lessons_scene ON lessons (scene, id);
CREATE TABLE costs (episode TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
INSERT INTO counts VALUES ('generation', 0);
"""


def has_table(db: sqlite3.Connection, name: str) -> bool:
    """Whether a table is there that is made when it is first needed."""
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone() is not None


def default_path() -> Path:
    return cache_dir() / "memo.sqlite"


def connect(path: Path) -> sqlite3.Connection:
    """The file, ready: made if it is not there, refused with a sentence if it is not a memo of this version."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise _cannot_write(path, err.strerror or str(err)) from err
    if path.exists() and not path.is_file():  # SQLite would read from whatever it is
        raise _cannot_write(path, "it is not a file")
    with told(path):
        db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            _prepare(db, path)
        except BaseException:
            db.close()
            raise
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    db.execute(f"PRAGMA busy_timeout = {int(BUSY_S * 1000)}")
    if _version(db, path) is None:
        _write_ahead(db)
        _create(db, path)
    db.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing; a power cut at most the last plans
    db.execute("BEGIN IMMEDIATE")  # finds out now, not after an hour of planning, whether one may write
    db.execute("ROLLBACK")


def _write_ahead(db: sqlite3.Connection) -> None:
    """Readers and a writer side by side. SQLite does not wait by itself when two processes switch at once."""
    until = time.monotonic() + BUSY_S
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as err:
            if err.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _version(db: sqlite3.Connection, path: Path) -> int | None:
    """The version of a memo; None for a file with nothing in it; a sentence for anything else."""
    with contextlib.nullcontext() if db.in_transaction else snapshot(db):  # another process may be making it just now
        (version,), (mark,) = (db.execute(f"PRAGMA {p}").fetchone() for p in ("user_version", "application_id"))
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not tables and not version and not mark:
        return None
    if mark != APPLICATION:
        raise CoterieError(
            f"'{path}' is a database of another program, not a memo. Name another file, or move it away."
        )
    if version < VERSION:
        raise CoterieError(
            f"The memo '{path}' was written by an older version of Coterie (format {version}, now {VERSION}). It is "
            "left as it is: move it away to begin a new one, or use the version that wrote it."
        )
    if version > VERSION:
        raise CoterieError(
            f"The memo '{path}' was written by a newer version of Coterie (format {version}, here {VERSION}): "
            "update Coterie, or set COTERIE_CACHE to another folder."
        )
    return int(version)


def _create(db: sqlite3.Connection, path: Path) -> None:
    """All tables in one transaction: two processes that begin at once make one file, and a kill leaves an empty one."""
    db.execute("BEGIN IMMEDIATE")
    try:
        if _version(db, path) is None:
            for statement in filter(None, (s.strip() for s in TABLES.split(";"))):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def _cannot_write(path: Path, why: str) -> CoterieError:
    return CoterieError(f"Cannot write the memo '{path}': {why}. Set COTERIE_CACHE to a folder of yours, or allow it.")


@contextlib.contextmanager
def told(path: Path) -> Iterator[None]:
    """SQLite's errors as sentences."""
    try:
        yield
    except sqlite3.Error as err:
        words, code = str(err), getattr(err, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            raise _cannot_write(path, words) from err
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise CoterieError(
                f"The memo '{path}' is held by another process for more than {BUSY_S:g} s. Try again when it is done."
            ) from err
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise CoterieError(
                f"The memo '{path}' is damaged or is no memo ({words}). It is left as it is: move it away "
                f"(with '{path.name}-wal' and '{path.name}-shm', if they are there) and a new one is begun."
            ) from err
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            raise CoterieError(f"The memo '{path}' cannot be written or read: {words}. Is the disk full?") from err
        raise CoterieError(f"The memo '{path}' does not work: {words}.") from err


def pack(plan: Plan) -> tuple[str, bytes]:
    blocks: list[np.ndarray] = []
    at = 0

    def put(array: np.ndarray | None) -> list[int] | None:
        nonlocal at
        if array is None:
            return None
        place = [at, *array.shape]
        blocks.append(array)
        at += array.size
        return place

    outline = [
        {
            robot: {
                "skill": act.skill,
                "args": list(act.args),
                "path": put(act.path),
                "motion": [[put(m.knots), put(m.ee), m.toward, m.holds] for m in act.motions],
            }
            for robot, act in step.items()
        }
        for step in plan.steps
    ]
    if at > MOST_NUMBERS:
        raise BadRow(f"a plan of {at} numbers is too long to keep")
    numbers = np.concatenate([b.reshape(-1) for b in blocks]) if blocks else np.empty(0)
    if not np.isfinite(numbers).all():
        raise BadRow("a number of the plan is not finite")
    return json.dumps(outline, separators=(",", ":")), numbers.astype("<f8").tobytes()


def unpack(outline: str, numbers: bytes) -> Plan:
    try:
        data, values = load_json(outline), np.frombuffer(numbers, dtype="<f8")
        if not np.isfinite(values).all():
            raise BadRow("a number of the plan is not finite")
        if not isinstance(data, list):
            raise BadRow("the outline is no list of steps")
        return Plan(tuple({name(r): _act(a, values) for r, a in step.items()} for step in data))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as err:
        raise err if isinstance(err, BadRow) else BadRow(f"not a plan: {err}") from err


def _act(data: Any, values: np.ndarray) -> Act:
    motions = tuple(
        Motion(_cut(knots, values), _cut(ee, values), name(toward), name(holds))
        for knots, ee, toward, holds in data["motion"]
    )
    path = None if data["path"] is None else _cut(data["path"], values)
    return Act(name(data["skill"]), tuple(name(a) for a in data["args"]), path, motions)


def _cut(place: Any, values: np.ndarray) -> np.ndarray:
    at, rows, columns = place
    if at < 0 or rows < 0 or columns < 0 or at + rows * columns > len(values):
        raise BadRow("the numbers are cut short")
    return values[at : at + rows * columns].reshape(rows, columns)


_CHUNK = 8192  # columns at a time, so that a pass stays in the processor's cache


class Shelf:
    """Positions of many cases of one structure. The distance is the mean displacement of the things [m]."""

    def __init__(self, width: int):
        self.width = width  # numbers of one vector: three per thing
        self.size = 0
        self.last = 0  # the highest id that was added
        self._ids = np.empty(256, dtype=np.int64)
        self._columns = np.empty((width, 256), dtype=np.float32)

    def add(self, ids: np.ndarray, vectors: np.ndarray) -> None:
        """ids (n,) in rising order, vectors (n, width)."""
        if not len(ids):
            return
        need = self.size + len(ids)
        if need > len(self._ids):
            room = max(need, 2 * len(self._ids))
            self._ids = np.concatenate([self._ids[: self.size], np.empty(room - self.size, dtype=np.int64)])
            more = np.empty((self.width, room), dtype=np.float32)
            more[:, : self.size] = self._columns[:, : self.size]
            self._columns = more
        self._ids[self.size : need] = ids
        self._columns[:, self.size : need] = vectors.T
        self.size = need
        self.last = max(self.last, int(ids[-1]))

    def nearest(self, vector: np.ndarray, count: int) -> list[tuple[float, int]]:
        """(mean displacement, id) of the nearest, best first; the newer first where two are equally near."""
        if not self.size or count < 1:
            return []
        far = self._distances(vector)
        if count < self.size:
            limit = np.partition(far, count - 1)[count - 1]
            places = np.flatnonzero(far <= limit)  # all that tie with the last one, too
        else:
            places = np.arange(self.size)
        places = places[np.lexsort((-self._ids[places], far[places]))][:count]
        return [(float(far[i]), int(self._ids[i])) for i in places]

    def _distances(self, vector: np.ndarray) -> np.ndarray:
        out = np.empty(self.size, dtype=np.float32)
        things, room = self.width // 3, min(_CHUNK, self.size)
        moved = np.empty((self.width, room), dtype=np.float32)
        square = np.empty((things, room), dtype=np.float32)
        for begin in range(0, self.size, _CHUNK):
            end = min(begin + _CHUNK, self.size)
            d, q = moved[:, : end - begin], square[:, : end - begin]
            np.subtract(self._columns[:, begin:end], vector[:, None], out=d)
            np.multiply(d, d, out=d)
            np.add(d[0::3], d[1::3], out=q)
            np.add(q, d[2::3], out=q)
            np.sqrt(q, out=q)
            np.add.reduce(q, axis=0, out=out[begin:end])
        out /= np.float32(max(1, things))
        return out
