"""Taking back what an episode wrote, so that it can be played again, or decide otherwise."""

from __future__ import annotations

import sqlite3

from coterie.memo import kept_deeds
from coterie.memo.blocks import delete
from coterie.memo.played import noted, strike

_WRITTEN = ("cases", "uses", "lessons", "costs")


def writers(db: sqlite3.Connection) -> set[str]:
    """Every episode that has left anything."""
    sql = " UNION ".join(f"SELECT episode FROM {t}" for t in _WRITTEN)
    return {str(episode) for (episode,) in db.execute(sql)} | set(noted(db)) | kept_deeds.writers(db)


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
    kept_deeds.strike(db, episode)
    delete(db, "episode = ?", (episode,))
