"""Which episodes a memo has been through, whether they left a task in it or not.

A bench goes on with a memo only if that knows just the episodes whose results are kept. What solved nothing leaves no
task, so every episode is noted. The table is made when it is first needed: a user's own memo has none.
"""

from __future__ import annotations

import sqlite3

from coterie.memo.schema import has_table

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
