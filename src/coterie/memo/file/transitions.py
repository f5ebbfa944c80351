"""Inside the file: transitions, by the state they began in, and how episodes ended that followed them.

A transition may lead where it led before and still be a bad beginning, since it leaves too few rounds for the rest. So
beside its trials it is noted whether an episode that followed it reached its goal, or got farther than it was led.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable

from coterie.core.bounds import load_json
from coterie.memo.case import Case
from coterie.memo.file.schema import pack, unpack
from coterie.memo.plan import Plan
from coterie.memo.transitions import WHOLE, Edge, Transition, job_of

TASK = -1  # the round of a trial of a whole task
DOUBTS = 2  # failures more than successes, at which something is no longer used again
Trial = tuple[str, int, str, bool]  # episode, round and thing of what was used again, and whether it went as before
ROOM = 4  # transitions that say the same in one state; a successful one needs room among the successful alone
IN_VAIN = 2  # episodes in a row that followed a transition in vain, after which it has to give way now and then
Followed = tuple[str, int, str, bool]  # episode, round and thing of what was followed, and whether it was worth it
MOST_READ = 24  # of one state
MOST_EDGES = 5000
_COLUMNS = "episode, round, number, thing, state, after, had, partial, won, remains, body, outline, numbers"


def keep(
    db: sqlite3.Connection,
    episode: str,
    transitions: Iterable[Transition],
    trials: Iterable[Trial] = (),
    led: Iterable[Followed] = (),
) -> int:
    """In place of what this episode left before; how many found room."""
    strike(db, episode)
    kept = 0
    for d in transitions:
        job = job_of(d.case, d.thing)
        sql = "SELECT count(*) FROM transitions WHERE job = ? AND thing = ? AND state = ? AND words = ? AND won >= ?"
        if db.execute(sql, (job, d.thing, d.state, d.words(), int(d.won))).fetchone()[0] >= ROOM:
            continue
        body = json.dumps(d.case.to_json(), separators=(",", ":"))
        row = (d.case.task, job, d.words(), *d[:8], int(d.won), d.left, body, *pack(Plan((d.step,))))
        db.execute(f"INSERT INTO transitions (task, job, words, {_COLUMNS}) VALUES ({_marks(row)})", row)
        kept += 1
    for table, rows in (("trials", trials), ("followed", led)):
        sql = f"INSERT OR REPLACE INTO {table} (whose, round, thing, episode, good) VALUES (?, ?, ?, ?, ?)"
        db.executemany(sql, [(whose, number, thing, episode, int(good)) for whose, number, thing, good in rows])
    return kept


def doubted(db: sqlite3.Connection) -> set[str]:
    """Episodes whose whole tasks failed when they were used again, oftener than not."""
    sql = "SELECT whose FROM trials WHERE round = ? GROUP BY whose HAVING sum(1 - 2 * good) >= ?"
    return {str(whose) for (whose,) in db.execute(sql, (TASK, DOUBTS))}


#: Leaves out what failed oftener than not. Transitions of failed episodes count together with all that say the same
#: in the same state: every episode that is led into a dead end leaves a copy of what led there.
_TRUSTED = f"""coalesce(CASE WHEN won THEN (
    SELECT sum(1 - 2 * good) FROM trials t
    WHERE t.whose = transitions.episode AND t.round = transitions.round AND t.thing = transitions.thing)
ELSE (
    SELECT sum(1 - 2 * good) FROM transitions d CROSS JOIN trials t
    ON t.whose = d.episode AND t.round = d.round AND t.thing = d.thing
    WHERE (d.job, d.thing, d.state, d.words) =
        (transitions.job, transitions.thing, transitions.state, transitions.words))
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
    rows = db.execute(
        f"SELECT id, state, after, had, partial FROM transitions WHERE job = ? AND thing = ? AND episode NOT IN "
        f"({_marks(but)}) AND {_TRUSTED} ORDER BY id DESC LIMIT {MOST_EDGES}",
        (job_of(case), WHOLE, *but),
    )
    return [Edge(*row) for row in rows][::-1]


def _marks(values: Collection[object]) -> str:
    return ",".join("?" * len(values))


def _read(db: sqlite3.Connection, where: str, values: tuple[object, ...]) -> tuple[list[Transition], int]:
    good, bad = [], 0
    for row in db.execute(f"SELECT {_COLUMNS} FROM transitions WHERE {where}", values).fetchall():
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


def in_vain(db: sqlite3.Connection, case: Case, transition: Transition, but: str = "") -> bool:
    """True if the last episodes that did the same in the same state all failed, whichever did it first."""
    sql = """SELECT f.good FROM transitions d CROSS JOIN followed f
        ON f.whose = d.episode AND f.round = d.round AND f.thing = d.thing
        WHERE d.job = ? AND d.thing = ? AND d.state = ? AND d.words = ? AND f.episode != ? ORDER BY f.id DESC LIMIT ?"""
    key = (job_of(case, transition.thing), transition.thing, transition.state, transition.words(), but, IN_VAIN)
    last = [good for (good,) in db.execute(sql, key)]
    return len(last) == IN_VAIN and not any(last)


def strike(db: sqlite3.Connection, episode: str) -> None:
    for table in ("transitions", "trials", "followed"):
        db.execute(f"DELETE FROM {table} WHERE episode = ?", (episode,))
