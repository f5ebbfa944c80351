"""Inside the file: which episodes a memo has been through, and taking back what one of them wrote.

A bench goes on with a memo only if that knows just the episodes whose results are kept. An episode that solved nothing
leaves no task, so every one is noted. The table is made when it is first needed: a user's own memo has none.
"""

from __future__ import annotations

import sqlite3

from coterie.memo.file import transitions as transition_table
from coterie.memo.file.blocks import delete
from coterie.memo.file.schema import has_table

TABLE = "CREATE TABLE IF NOT EXISTS played (episode TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID"


def note(db: sqlite3.Connection, episode: str, digest: str) -> None:
    db.execute(TABLE)
    db.execute("INSERT OR REPLACE INTO played VALUES (?, ?)", (episode, digest))


def noted(db: sqlite3.Connection) -> dict[str, str]:
    """episode -> what its result depends on, as a hash"""
    if not has_table(db, "played"):
        return {}
    return {str(episode): str(digest) for episode, digest in db.execute("SELECT episode, digest FROM played")}


def strike(db: sqlite3.Connection, episode: str) -> None:
    db.execute(TABLE)
    db.execute("DELETE FROM played WHERE episode = ?", (episode,))


def forget(db: sqlite3.Connection) -> None:
    """Drop the list of episodes: it no longer says what the memo knows."""
    db.execute("DROP TABLE IF EXISTS played")


_WRITTEN = ("cases", "uses", "lessons", "costs")


def writers(db: sqlite3.Connection) -> set[str]:
    """Every episode that has left anything."""
    sql = " UNION ".join(f"SELECT episode FROM {t}" for t in _WRITTEN)
    return {str(episode) for (episode,) in db.execute(sql)} | set(noted(db)) | transition_table.writers(db)


def unuse(db: sqlite3.Connection, episode: str) -> None:
    """The tasks that this episode used lose what that gave them."""
    db.execute("UPDATE cases SET freq = freq - 1 WHERE id IN (SELECT id FROM uses WHERE episode = ?)", (episode,))
    db.execute("DELETE FROM uses WHERE episode = ?", (episode,))


def undo(db: sqlite3.Connection, episode: str) -> None:
    """Everything of this episode."""
    unuse(db, episode)
    db.execute("DELETE FROM lessons WHERE episode = ?", (episode,))
    db.execute("DELETE FROM costs WHERE episode = ?", (episode,))
    strike(db, episode)
    transition_table.strike(db, episode)
    delete(db, "episode = ?", (episode,))
