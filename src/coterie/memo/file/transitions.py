"""Inside the file: transitions, by the state they began in, and how episodes ended that followed them.

A transition may lead where it led before and still be a bad beginning, since it leaves too few rounds for the rest. So
beside its trials it is noted whether an episode that followed it reached its goal, or got farther than it was led.
"""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager

from coterie.core.bounds import load_json
from coterie.memo.case import Case
from coterie.memo.file.schema import pack, unpack
from coterie.memo.plan import Plan
from coterie.memo.transitions import WHOLE, Edge, Transition, job_of, way

TASK = -1  # the round of a trial of a whole task
DOUBTS = 2  # failures more than successes, at which something is no longer used again
Trial = tuple[str, int, str, bool]  # episode, round and thing of what was used again, and whether it went as before
ROOM = 4  # transitions that say the same in one state; a successful one needs room among the successful alone
IN_VAIN = 2  # episodes in a row that followed a transition in vain, after which it has to give way now and then
Followed = tuple[str, int, str, bool]  # episode, round and thing of what was followed, and whether it was worth it
MOST_READ = 24  # of one state
MOST_EDGES = 5000
MOST_WAYS = 24  # rounds by which one may set out for a better state
_COLUMNS = "episode, round, number, thing, state, after, had, partial, won, remains, body, outline, numbers"
_SAME = "job = ? AND thing = ? AND state = ? AND words = ?"  # what says the same in one state
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


class Transitions(ABC):
    """The part of the store that keeps transitions."""

    skipped = 0  # rows that could not be read

    @abstractmethod
    def _reading(self) -> AbstractContextManager[sqlite3.Connection]: ...

    @abstractmethod
    def _writing(self) -> AbstractContextManager[sqlite3.Connection]: ...

    def keep_transitions(
        self,
        episode: str,
        transitions: Iterable[Transition],
        trials: Iterable[Trial] = (),
        led: Iterable[Followed] = (),
    ) -> int:
        """Keep an episode's transitions, and how those it used again went and whether they were worth it, in place of
        what it left before; returns how many transitions found room."""
        kept = 0
        with self._writing() as db:
            strike(db, episode)
            for d in transitions:
                key = (job_of(d.case, d.thing), d.thing, d.state, d.words())
                sql = f"SELECT count(*) FROM transitions WHERE {_SAME} AND won >= ?"
                if db.execute(sql, (*key, int(d.won))).fetchone()[0] >= ROOM:
                    continue
                body = json.dumps(d.case.to_json(), separators=(",", ":"))
                row = (d.case.task, key[0], key[-1], *d[:8], int(d.won), d.left, body, *pack(Plan((d.step,))))
                db.execute(f"INSERT INTO transitions (task, job, words, {_COLUMNS}) VALUES ({_marks(row)})", row)
                kept += 1
            for table, rows in (("trials", trials), ("followed", led)):
                sql = f"INSERT OR REPLACE INTO {table} (whose, round, thing, episode, good) VALUES (?, ?, ?, ?, ?)"
                db.executemany(sql, [(whose, number, thing, episode, int(good)) for whose, number, thing, good in rows])
        return kept

    def doubted(self) -> set[str]:
        """Episodes whose whole tasks failed when they were used again, oftener than not."""
        sql = "SELECT whose FROM trials WHERE round = ? GROUP BY whose HAVING sum(1 - 2 * good) >= ?"
        with self._reading() as db:
            return {str(whose) for (whose,) in db.execute(sql, (TASK, DOUBTS))}

    def transitions(self, case: Case, thing: str, state: str, but: Collection[str] = ()) -> list[Transition]:
        """Transitions of a thing (or, without a name, of all) in a state, whatever the positions; the successful
        first."""
        where = f"job = ? AND thing = ? AND state = ? AND episode NOT IN ({_marks(but)}) AND {_TRUSTED}"
        values = (job_of(case, thing), thing, state, *but)
        with self._reading() as db:
            return self._read(db, f"{where} ORDER BY won DESC, id DESC LIMIT {MOST_READ}", values)

    def onward(self, case: Case, state: str, but: Collection[str] = ()) -> list[Transition]:
        """Rounds that lead from a state to where most was achieved, over those of other episodes if need be, and how
        many are left after them. Of very many rounds the newest count."""
        with self._reading() as db:
            rows = db.execute(
                f"SELECT id, state, after, had, partial FROM transitions WHERE job = ? AND thing = ? AND episode NOT "
                f"IN ({_marks(but)}) AND {_TRUSTED} ORDER BY id DESC LIMIT {MOST_EDGES}",
                (job_of(case), WHOLE, *but),
            )
            keys, rounds = way([Edge(*row) for row in rows][::-1], state)
            keys = keys[:MOST_WAYS]
            found = self._read(db, f"id IN ({_marks(keys)}) ORDER BY id", tuple(keys))
        return [d._replace(left=rounds - 1) for d in found]

    def in_vain(self, case: Case, transition: Transition, but: str = "") -> bool:
        """True if the last episodes that did the same in the same state all failed, whichever did it first."""
        sql = """SELECT f.good FROM transitions d CROSS JOIN followed f
            ON f.whose = d.episode AND f.round = d.round AND f.thing = d.thing
            WHERE d.job = ? AND d.thing = ? AND d.state = ? AND d.words = ? AND f.episode != ?
            ORDER BY f.id DESC LIMIT ?"""
        key = (job_of(case, transition.thing), transition.thing, transition.state, transition.words(), but, IN_VAIN)
        with self._reading() as db:
            last = [good for (good,) in db.execute(sql, key)]
        return len(last) == IN_VAIN and not any(last)

    def _read(self, db: sqlite3.Connection, where: str, values: tuple[object, ...]) -> list[Transition]:
        good = []
        for row in db.execute(f"SELECT {_COLUMNS} FROM transitions WHERE {where}", values).fetchall():
            *start, won, left, body, outline, numbers = row
            try:
                (step,) = unpack(outline, numbers).steps
                good.append(Transition._make((*start, bool(won), left, Case.from_json(load_json(body)), step)))
            except (ValueError, TypeError, AttributeError):
                self.skipped += 1
        return good


def strike(db: sqlite3.Connection, episode: str) -> None:
    for table in ("transitions", "trials", "followed"):
        db.execute(f"DELETE FROM {table} WHERE episode = ?", (episode,))


def _marks(values: Collection[object]) -> str:
    return ",".join("?" * len(values))
