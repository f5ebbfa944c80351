"""Taking back what an episode wrote, so that it can be played again, or decide otherwise."""

from __future__ import annotations

import sqlite3

from coterie.memo.blocks import delete


def wrote(db: sqlite3.Connection, episode: str) -> bool:
    sql = " UNION ALL ".join(f"SELECT 1 FROM {t} WHERE episode = ?1" for t in ("cases", "uses", "lessons"))
    return db.execute(sql, (episode,)).fetchone() is not None


def unuse(db: sqlite3.Connection, episode: str) -> None:
    """The tasks that this episode used lose what that gave them."""
    db.execute("UPDATE cases SET freq = freq - 1 WHERE id IN (SELECT id FROM uses WHERE episode = ?)", (episode,))
    db.execute("DELETE FROM uses WHERE episode = ?", (episode,))


def undo(db: sqlite3.Connection, episode: str) -> None:
    """Everything of this episode."""
    unuse(db, episode)
    db.execute("DELETE FROM lessons WHERE episode = ?", (episode,))
    db.execute("DELETE FROM costs WHERE episode = ?", (episode,))
    delete(db, "episode = ?", (episode,))
