"""Inside the file: vectors packed in blocks of one structure, and how cases are deleted so that blocks stay true."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

import numpy as np

BLOCK = 128  # cases of one structure whose vectors are packed together


@contextlib.contextmanager
def snapshot(db: sqlite3.Connection) -> Iterator[None]:
    """Several readings of one state of the file."""
    db.execute("BEGIN")
    try:
        yield
    finally:
        if db.in_transaction:
            db.execute("COMMIT")


def last_packed(db: sqlite3.Connection, structure: str) -> int:
    return int(db.execute("SELECT coalesce(max(last), 0) FROM blocks WHERE structure = ?", (structure,)).fetchone()[0])


def pack_vectors(db: sqlite3.Connection, structure: str) -> None:
    """Put loose vectors into blocks once there are enough of them."""
    after = last_packed(db, structure)
    sql = "SELECT count(*) FROM (SELECT 1 FROM cases WHERE structure = ? AND id > ? LIMIT ?)"
    if db.execute(sql, (structure, after, BLOCK)).fetchone()[0] < BLOCK:
        return
    rows = db.execute(
        "SELECT id, vector FROM cases WHERE structure = ? AND id > ? ORDER BY id", (structure, after)
    ).fetchall()
    for begin in range(0, len(rows) - len(rows) % BLOCK, BLOCK):
        part = rows[begin : begin + BLOCK]
        ids = np.array([i for i, _ in part], dtype="<i8").tobytes()
        db.execute(
            "INSERT INTO blocks VALUES (?, ?, ?, ?)", (structure, part[-1][0], ids, b"".join(v for _, v in part))
        )


def delete(db: sqlite3.Connection, where: str, values: tuple[str, ...]) -> int:
    """Cases with all that hangs on them. Blocks from the first one on are opened; the next writing packs them again."""
    gone = db.execute(f"SELECT structure, min(id) FROM cases WHERE {where} GROUP BY structure", values).fetchall()
    if not gone:
        return 0
    chosen = f"SELECT id FROM cases WHERE {where}"
    db.execute(f"DELETE FROM plans WHERE id IN ({chosen})", values)
    db.execute(f"DELETE FROM uses WHERE id IN ({chosen})", values)
    count = db.execute(f"DELETE FROM cases WHERE {where}", values).rowcount
    for structure, first in gone:
        open_blocks(db, structure, first)
    changed(db)
    return count


def open_blocks(db: sqlite3.Connection, structure: str, first: int) -> None:
    """Blocks that hold this case, or later ones; the next writing packs them again."""
    db.execute("DELETE FROM blocks WHERE structure = ? AND last >= ?", (structure, first))


def changed(db: sqlite3.Connection) -> None:
    """Whoever has vectors in memory has to read them again."""
    db.execute("UPDATE counts SET value = value + 1 WHERE name = 'generation'")
