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
from coterie.core.errors import CoterieError
from coterie.core.files import cache_dir, shipped
from coterie.memo.case import BadRow
from coterie.memo.plan import MOST_NUMBERS, Plan

VERSION = 2
APPLICATION = 0x436F7465  # "Cote", in the header of the file
BUSY_S = 30.0

TABLES = shipped(__package__, "schema.sql")


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
    version, mark, tables = db.execute(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master) "
        "FROM pragma_user_version, pragma_application_id"
    ).fetchone()  # at once: another process may be making it just now
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
    """A plan as text, in which places in a block of numbers stand for points, and that block."""
    blocks: list[np.ndarray] = []

    def put(array: np.ndarray) -> list[int]:
        place = [sum(b.size for b in blocks), *array.shape]
        blocks.append(array.reshape(-1))
        return place

    outline = plan.to_json(put)
    numbers = np.concatenate(blocks) if blocks else np.empty(0)
    if len(numbers) > MOST_NUMBERS:
        raise BadRow(f"a plan of {len(numbers)} numbers is too long to keep")
    if not np.isfinite(numbers).all():
        raise BadRow("a number of the plan is not finite")
    return json.dumps(outline, separators=(",", ":")), numbers.astype("<f8").tobytes()


def unpack(outline: str, numbers: bytes) -> Plan:
    try:
        data, values = load_json(outline), np.frombuffer(numbers, dtype="<f8")
    except (TypeError, ValueError) as err:
        raise BadRow(f"not a plan: {err}") from err
    if not np.isfinite(values).all():
        raise BadRow("a number of the plan is not finite")
    return Plan.from_json(data, lambda place: _cut(place, values))


def _cut(place: Any, values: np.ndarray) -> np.ndarray:
    at, rows, columns = place
    if at < 0 or rows < 0 or columns < 0 or at + rows * columns > len(values):
        raise BadRow("the numbers are cut short")
    return values[at : at + rows * columns].reshape(rows, columns)
