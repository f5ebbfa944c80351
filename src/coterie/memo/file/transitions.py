"""Inside the file: transitions, by the state they began in.

The table is made when it is first needed. It is called `deeds`, as in the files that users have.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable

from coterie.core.bounds import load_json
from coterie.memo.case import Case
from coterie.memo.file import followed
from coterie.memo.file.schema import has_table, pack, unpack
from coterie.memo.plan import Plan
from coterie.memo.transitions import WHOLE, Edge, Transition, job_of

TABLE = """
CREATE TABLE IF NOT EXISTS deeds (
    id INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, words TEXT NOT NULL, episode TEXT NOT NULL,
    round INTEGER NOT NULL, number INTEGER NOT NULL, thing TEXT NOT NULL, state TEXT NOT NULL, after TEXT NOT NULL,
    had REAL NOT NULL, partial REAL NOT NULL, won INTEGER NOT NULL, remains INTEGER NOT NULL, body TEXT NOT NULL,
    outline TEXT NOT NULL, numbers BLOB NOT NULL, UNIQUE (episode, round, thing));
CREATE INDEX IF NOT EXISTS deeds_state ON deeds (job, thing, state, words);
CREATE TABLE IF NOT EXISTS trials (
    whose TEXT NOT NULL, round INTEGER NOT NULL, thing TEXT NOT NULL, episode TEXT NOT NULL, good INTEGER NOT NULL,
    PRIMARY KEY (whose, round, thing, episode)) WITHOUT ROWID
"""
TASK = -1  # the round of a trial of a whole task
DOUBTS = 2  # failures more than successes, at which something is no longer used again
Trial = tuple[str, int, str, bool]  # episode, round and thing of what was used again, and whether it went as before
ROOM = 4  # transitions that say the same in one state; a successful one needs room among the successful alone
MOST_READ = 24  # of one state
MOST_EDGES = 5000
_COLUMNS = "episode, round, number, thing, state, after, had, partial, won, remains, body, outline, numbers"


def there(db: sqlite3.Connection) -> bool:
    return has_table(db, "deeds")


def keep(
    db: sqlite3.Connection,
    episode: str,
    transitions: Iterable[Transition],
    trials: Iterable[Trial] = (),
    led: Iterable[followed.Followed] = (),
) -> int:
    """In place of what this episode left before; how many found room."""
    for statement in TABLE.split(";"):
        db.execute(statement)
    strike(db, episode)
    kept = 0
    for d in transitions:
        job = job_of(d.case, d.thing)
        sql = "SELECT count(*) FROM deeds WHERE job = ? AND thing = ? AND state = ? AND words = ? AND won >= ?"
        if db.execute(sql, (job, d.thing, d.state, d.words(), int(d.won))).fetchone()[0] >= ROOM:
            continue
        body = json.dumps(d.case.to_json(), separators=(",", ":"))
        row = (job, d.words(), *d[:8], int(d.won), d.left, body, *pack(Plan((d.step,))))
        db.execute(f"INSERT INTO deeds (job, words, {_COLUMNS}) VALUES ({','.join('?' * 15)})", row)
        kept += 1
    for whose, number, thing, good in trials:
        db.execute("INSERT OR REPLACE INTO trials VALUES (?, ?, ?, ?, ?)", (whose, number, thing, episode, int(good)))
    followed.note(db, episode, led)
    return kept


def doubted(db: sqlite3.Connection) -> set[str]:
    """Episodes whose whole tasks failed when they were used again, oftener than not."""
    if not there(db):
        return set()
    sql = "SELECT whose FROM trials WHERE round = ? GROUP BY whose HAVING sum(1 - 2 * good) >= ?"
    return {str(whose) for (whose,) in db.execute(sql, (TASK, DOUBTS))}


#: What failed oftener than not is left out. Transitions of failed episodes count together with all that say the same
#: in the same state: every episode that is led into a dead end leaves a copy of what led there.
_TRUSTED = f"""coalesce(CASE WHEN won THEN (
    SELECT sum(1 - 2 * good) FROM trials t
    WHERE t.whose = deeds.episode AND t.round = deeds.round AND t.thing = deeds.thing)
ELSE (
    SELECT sum(1 - 2 * good) FROM deeds d CROSS JOIN trials t
    ON t.whose = d.episode AND t.round = d.round AND t.thing = d.thing
    WHERE d.job = deeds.job AND d.thing = deeds.thing AND d.state = deeds.state AND d.words = deeds.words)
END, 0) < {DOUBTS}"""


def found(
    db: sqlite3.Connection, case: Case, thing: str, state: str, but: Collection[str] = ()
) -> tuple[list[Transition], int]:
    """Transitions that began in this state, the successful first; and how many rows could not be read."""
    where = f"job = ? AND thing = ? AND state = ? AND episode NOT IN ({_marks(but)}) AND {_TRUSTED}"
    return _read(db, f"{where} ORDER BY won DESC, id DESC LIMIT {MOST_READ}", (job_of(case, thing), thing, state, *but))


def chosen(db: sqlite3.Connection, keys: Collection[int]) -> tuple[list[Transition], int]:
    """Transitions by their keys."""
    return _read(db, f"id IN ({_marks(keys)}) ORDER BY id", tuple(keys))


def edges(db: sqlite3.Connection, case: Case, but: Collection[str] = ()) -> list[Edge]:
    """All rounds of a job, as steps between states; the newest where there are very many."""
    if not there(db):
        return []
    rows = db.execute(
        f"SELECT id, state, after, had, partial FROM deeds WHERE job = ? AND thing = ? AND episode NOT IN "
        f"({_marks(but)}) AND {_TRUSTED} ORDER BY id DESC LIMIT {MOST_EDGES}",
        (job_of(case), WHOLE, *but),
    )
    return [Edge(*row) for row in rows][::-1]


def _marks(values: Collection[object]) -> str:
    return ",".join("?" * len(values))


def _read(db: sqlite3.Connection, where: str, values: tuple[object, ...]) -> tuple[list[Transition], int]:
    if not there(db):
        return [], 0
    good, bad = [], 0
    for row in db.execute(f"SELECT {_COLUMNS} FROM deeds WHERE {where}", values).fetchall():
        episode, number, order, thing, state, after, had, partial, won, left, body, outline, numbers = row
        try:
            (step,) = unpack(outline, numbers).steps
            then = Case.from_json(load_json(body))
        except (ValueError, TypeError, AttributeError):
            bad += 1
            continue
        good.append(
            Transition(episode, number, order, thing, state, after, had, partial, bool(won), left, then, step)
        )  # fmt: skip
    return good, bad


def strike(db: sqlite3.Connection, episode: str) -> None:
    if there(db):
        db.execute("DELETE FROM deeds WHERE episode = ?", (episode,))
        db.execute("DELETE FROM trials WHERE episode = ?", (episode,))
    followed.strike(db, episode)


def writers(db: sqlite3.Connection) -> set[str]:
    return {str(e) for (e,) in db.execute("SELECT DISTINCT episode FROM deeds")} if there(db) else set()


def forget(db: sqlite3.Connection, task: str | None = None) -> None:
    """All of them, or those of one task."""
    if not there(db):
        return
    if task is None:
        db.execute("DROP TABLE deeds")
        db.execute("DROP TABLE trials")
        followed.forget(db)
        return
    for job, body in db.execute("SELECT job, min(body) FROM deeds GROUP BY job").fetchall():
        try:
            mine = Case.from_json(load_json(body)).task == task
        except (ValueError, TypeError, AttributeError):
            mine = False
        if mine:
            db.execute("DELETE FROM deeds WHERE job = ?", (job,))
