"""Inside the file: how episodes ended that followed what was known. The table is made when it is first needed.

A transition may lead where it led before and still be a bad beginning, since it leaves too few rounds for the rest. So
beside its trials it is noted whether an episode that followed it reached its goal, or got farther than it was led.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from coterie.memo.case import Case
from coterie.memo.file.schema import has_table
from coterie.memo.transitions import Transition, job_of

TABLE = """
CREATE TABLE IF NOT EXISTS followed (
    id INTEGER PRIMARY KEY AUTOINCREMENT, whose TEXT NOT NULL, round INTEGER NOT NULL, thing TEXT NOT NULL,
    episode TEXT NOT NULL, good INTEGER NOT NULL, UNIQUE (whose, round, thing, episode))
"""
IN_VAIN = 2  # episodes in a row that followed a transition in vain, after which it has to give way now and then
Followed = tuple[str, int, str, bool]  # episode, round and thing of what was followed, and whether it was worth it


def there(db: sqlite3.Connection) -> bool:
    return has_table(db, "followed")


def note(db: sqlite3.Connection, episode: str, rows: Iterable[Followed]) -> None:
    """In place of what this episode noted before."""
    db.execute(TABLE)
    strike(db, episode)
    sql = "INSERT OR REPLACE INTO followed (whose, round, thing, episode, good) VALUES (?, ?, ?, ?, ?)"
    db.executemany(sql, [(whose, number, thing, episode, int(good)) for whose, number, thing, good in rows])


def in_vain(db: sqlite3.Connection, case: Case, transition: Transition, but: str = "") -> bool:
    """Whether the last episodes that did the same in the same state, whoever did it first, all failed."""
    if not there(db):
        return False
    sql = """SELECT f.good FROM deeds d CROSS JOIN followed f
        ON f.whose = d.episode AND f.round = d.round AND f.thing = d.thing
        WHERE d.job = ? AND d.thing = ? AND d.state = ? AND d.words = ? AND f.episode != ? ORDER BY f.id DESC LIMIT ?"""
    key = (job_of(case, transition.thing), transition.thing, transition.state, transition.words(), but, IN_VAIN)
    last = [good for (good,) in db.execute(sql, key)]
    return len(last) == IN_VAIN and not any(last)


def strike(db: sqlite3.Connection, episode: str) -> None:
    if there(db):
        db.execute("DELETE FROM followed WHERE episode = ?", (episode,))


def forget(db: sqlite3.Connection) -> None:
    db.execute("DROP TABLE IF EXISTS followed")
