"""The store of the memo: one SQLite file that several processes share.

Every write is one transaction and carries the key of an episode: written twice it is there once. What an episode left
stays until it is solved again, so that a run that fails or is killed loses nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from coterie.core.bounds import load_json
from coterie.memo.case import Case
from coterie.memo.file.schema import connect, default_path, pack, told, unpack
from coterie.memo.file.transitions import Transitions, strike
from coterie.memo.plan import Plan
from coterie.memo.trace import promises, sketch

Vectors = tuple[np.ndarray, np.ndarray]  # ids (n,), positions (n, width)
Key = Literal["structure", "kin"]  # columns by which cases are sieved
WRITTEN = ("cases", "uses", "lessons", "costs", "played", "transitions")  # tables in which every row is an episode's


class Stored(NamedTuple):
    id: int
    episode: str
    case: Case
    plan: Plan
    freq: int


class Row(NamedTuple):
    """A line of `coterie memo list`."""

    id: int
    episode: str
    world: str
    task: str
    freq: int
    steps: int


class Store(Transitions):
    """Reads and writes; decides nothing. Safe to use from several threads."""

    def __init__(self, path: Path | None = None):
        self.path = path or default_path()
        self._lock = threading.RLock()
        self._db = connect(self.path)
        self._pid = os.getpid()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # -- writing --------------------------------------------------------------------------------------------------
    def put(self, case: Case, plan: Plan, episode: str, cost: Mapping[str, float] | None = None) -> bool:
        """Keep a solved task with what it took, in place of what this episode wrote before; False if it did.

        Its number, and how often others used it, stay as they are.
        """
        row, parts = _rows(case, plan, episode)
        with self._writing() as db:
            if cost is not None:
                db.execute("INSERT OR REPLACE INTO costs VALUES (?, ?)", (episode, json.dumps(dict(cost))))
            if _insert(db, row, parts):
                return True
            old = db.execute("SELECT structure, vector, id FROM cases WHERE episode = ?", (episode,)).fetchone()
            columns = ", ".join(f"{name} = ?" for name in _COLUMNS)
            db.execute(f"UPDATE cases SET {columns} WHERE episode = ?", (*row, episode))
            db.execute("INSERT OR REPLACE INTO plans VALUES (?, ?, ?, ?)", (old[-1], *parts))
            if old[:2] != (case.structure, row[-1]):  # it lies elsewhere now
                _changed(db)
        return False

    def cost(self, episode: str) -> dict[str, float]:
        with self._reading() as db:
            row = db.execute("SELECT body FROM costs WHERE episode = ?", (episode,)).fetchone()
        try:
            return dict(load_json(row[0])) if row is not None else {}
        except (ValueError, TypeError, AttributeError):
            self.skipped += 1
            return {}

    def use(self, id: int, episode: str) -> bool:
        """f(T) + 1, once per episode: one that is played again counts for what it uses now."""
        with self._writing() as db:
            known = db.execute("SELECT 1 FROM cases WHERE id = ?", (id,)).fetchone()
            used = db.execute("SELECT 1 FROM uses WHERE id = ? AND episode = ?", (id, episode)).fetchone()
            if known is None or used is not None:
                return False
            _unuse(db, episode)
            db.execute("INSERT INTO uses VALUES (?, ?)", (episode, id))
            db.execute("UPDATE cases SET freq = freq + 1 WHERE id = ?", (id,))
        return True

    def teach(self, episode: str, scene: str, goal: str, body: dict[str, Any]) -> None:
        """Keep what an episode taught, in place of what it taught before."""
        sql = (
            "INSERT INTO lessons (episode, scene, goal, body) VALUES (?, ?, ?, ?) ON CONFLICT (episode) "
            "DO UPDATE SET scene = excluded.scene, goal = excluded.goal, body = excluded.body"
        )
        with self._writing() as db:
            db.execute(sql, (episode, scene, goal, json.dumps(body, separators=(",", ":"))))

    def take_back(self, episode: str) -> None:
        """Undo all that an episode wrote, as if it had never been played."""
        with self._writing() as db:
            _unuse(db, episode)
            for table in ("lessons", "costs", "played"):
                db.execute(f"DELETE FROM {table} WHERE episode = ?", (episode,))
            strike(db, episode)
            _delete(db, "episode = ?", (episode,))

    def unuse(self, episode: str) -> None:
        """Take back that an episode uses a task."""
        with self._writing() as db:
            _unuse(db, episode)

    def episodes(self) -> set[str]:
        """Names of the episodes that wrote anything."""
        with self._reading() as db:
            sql = " UNION ".join(f"SELECT episode FROM {table}" for table in WRITTEN)
            return {str(episode) for (episode,) in db.execute(sql)}

    def note_played(self, episode: str, digest: str) -> None:
        """An episode is over, whatever it left; `digest` stands for all that its result depends on."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO played VALUES (?, ?)", (episode, digest))

    def played(self) -> dict[str, str]:
        """episode -> what its result depends on, as a hash"""
        with self._reading() as db:
            return {str(episode): str(digest) for episode, digest in db.execute("SELECT episode, digest FROM played")}

    def clear(self, task: str | None = None) -> int:
        """Forget all, or all of one task; how many tasks and lessons were forgotten."""
        where, values = ("1", ()) if task is None else ("task = ?", (task,))
        with self._writing() as db:
            gone = _delete(db, where, values)
            db.execute(f"DELETE FROM transitions WHERE {where}", values)
            if task is None:
                gone += db.execute("DELETE FROM lessons").rowcount
                db.execute("DELETE FROM trials")
                db.execute("DELETE FROM followed")
            db.execute("DELETE FROM costs WHERE episode NOT IN (SELECT episode FROM cases)")
            db.execute("DELETE FROM played")  # it no longer says what the memo knows
            return gone

    # -- reading --------------------------------------------------------------------------------------------------
    def get(self, id: int) -> Stored | None:
        """A task with its plan; None if it is gone, or cannot be read (which is counted)."""
        with self._reading() as db:
            row = db.execute(
                "SELECT episode, body, outline, numbers, freq FROM cases JOIN plans USING (id) WHERE id = ?", (id,)
            ).fetchone()
        if row is None:
            return None
        try:
            return Stored(id, row[0], Case.from_json(load_json(row[1])), unpack(row[2], row[3]), row[4])
        except (ValueError, TypeError, AttributeError):
            self.skipped += 1
            return None

    def promises(self, ids: Sequence[int], cur: Case, axis: str) -> list[tuple[float, int]]:
        """(the alpha that a task would have if nothing collided, its id), the best first."""
        marks = ",".join("?" * len(ids))
        with self._reading() as db:
            rows = db.execute(f"SELECT id, sketch FROM plans WHERE id IN ({marks})", tuple(ids)).fetchall()
        found = promises([data for _, data in rows], cur, axis)
        self.skipped += int((found < 0).sum())
        return sorted(((float(p), id) for p, (id, _) in zip(found, rows) if p >= 0), key=lambda x: (-x[0], -x[1]))

    def top(
        self, task: str, k: int, key: Literal["structure", "kin"], value: str, width: int, but: Collection[int] = ()
    ) -> Vectors:
        """Ids and vectors of those among the k most used tasks (Eq. 8), others than `but`, that have this structure
        (or kin)."""
        marks = ",".join("?" * len(but))
        with self._reading() as db:
            rows = db.execute(
                f"SELECT id, vector FROM cases WHERE id IN (SELECT id FROM (SELECT id, {key} AS key FROM cases "
                f"WHERE task = ? AND id NOT IN ({marks}) ORDER BY freq DESC, id DESC LIMIT ?) WHERE key = ?) "
                "ORDER BY id",
                (task, *but, k, value),
            ).fetchall()
        return self._arrays(rows, width)

    def more_than(self, task: str, k: int, but: Collection[int] = ()) -> bool:
        """True if there are more than k tasks, others than `but`."""
        marks = ",".join("?" * len(but))
        with self._reading() as db:
            asked = f"SELECT 1 FROM cases WHERE task = ? AND id NOT IN ({marks}) LIMIT 1 OFFSET ?"
            return db.execute(asked, (task, *but, k)).fetchone() is not None

    def ids_of(self, episodes: Collection[str]) -> set[int]:
        """Ids of the tasks that these episodes wrote."""
        marks = ",".join("?" * len(episodes))
        with self._reading() as db:
            return {i for (i,) in db.execute(f"SELECT id FROM cases WHERE episode IN ({marks})", tuple(episodes))}

    def vectors(self, structure: str, after: int, width: int) -> Vectors:
        """Ids and vectors of one structure with ids above `after`."""
        sql = "SELECT id, vector FROM cases WHERE structure = ? AND id > ? ORDER BY id"
        with self._reading() as db:
            return self._arrays(db.execute(sql, (structure, after)).fetchall(), width)

    def _arrays(self, rows: Sequence[tuple[int, bytes]], width: int) -> Vectors:
        good = [(i, v) for i, v in rows if isinstance(v, bytes) and len(v) == 4 * width]
        self.skipped += len(rows) - len(good)
        vectors = np.frombuffer(b"".join(v for _, v in good), dtype="<f4").reshape(len(good), width)
        return np.array([i for i, _ in good], dtype=np.int64), vectors

    def structures(self, kin: str) -> list[str]:
        with self._reading() as db:
            return [s for (s,) in db.execute("SELECT DISTINCT structure FROM cases WHERE kin = ?", (kin,))]

    def ids(self, task: str) -> list[int]:
        """All of a task, in the order they came."""
        with self._reading() as db:
            return [i for (i,) in db.execute("SELECT id FROM cases WHERE task = ? ORDER BY id", (task,))]

    def rows(self, task: str | None = None, limit: int = 50) -> list[Row]:
        """The most used first, as they stand in the fast table."""
        with self._reading() as db:
            found = db.execute(
                "SELECT id, episode, world, task, freq, steps FROM cases WHERE ?1 IS NULL OR task = ?1 "
                "ORDER BY task, freq DESC, id DESC LIMIT ?2",
                (task, limit),
            )
            return [Row(*row) for row in found]

    def lessons(self, scene: str, goal: str, limit: int = 200, but: str = "") -> list[dict[str, Any]]:
        """The latest lessons of this scene, and of this kind of goal anywhere, newest first; not those of `but`."""
        columns = "SELECT id, body FROM lessons WHERE episode != ?1 AND"
        with self._reading() as db:
            found = db.execute(
                f"SELECT body FROM ({columns} scene = ?2 UNION {columns} goal = ?3) ORDER BY id DESC LIMIT ?4",
                (but, scene, goal, limit),
            ).fetchall()
        lessons = []
        for (text,) in found:
            try:
                lessons.append({**load_json(text)})  # a table, and nothing else
            except (ValueError, TypeError, AttributeError):
                self.skipped += 1
        return lessons

    def tasks(self) -> list[tuple[str, int, int]]:
        """(task, how many are kept, how often they were used)."""
        with self._reading() as db:
            return list(db.execute("SELECT task, count(*), sum(freq) FROM cases GROUP BY task ORDER BY task"))

    def lesson_count(self) -> int:
        with self._reading() as db:
            return int(db.execute("SELECT count(*) FROM lessons").fetchone()[0])

    @property
    def generation(self) -> int:
        """Grows when something is forgotten: what was read before may be gone."""
        with self._reading() as db:
            return int(db.execute("SELECT value FROM counts WHERE name = 'generation'").fetchone()[0])

    # -- transactions ---------------------------------------------------------------------------------------------
    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, told(self.path):
            if self._pid != os.getpid():  # a child of a fork must not use its parent's connection
                self._db, self._pid = connect(self.path), os.getpid()
            yield self._db

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction; whatever happens in it, it is done as a whole or not at all."""
        with self._reading() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise


#: Columns of `cases` that a task fills.
_COLUMNS = ("episode", "world", "task", "structure", "kin", "steps", "body", "vector")


def _rows(case: Case, plan: Plan, episode: str) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """A task as its rows of `cases` and `plans` hold it, made before anybody waits for the file."""
    body, vector = json.dumps(case.to_json(), separators=(",", ":")), case.vector.astype("<f4").tobytes()
    names = (episode, case.world, case.task, case.structure, case.kin)
    return (*names, plan.effective_steps, body, vector), (sketch(case, plan), *pack(plan))


def _insert(db: sqlite3.Connection, row: tuple[Any, ...], parts: tuple[Any, ...]) -> bool:
    """False if this episode has written a task already, which then stays as it is."""
    marks = ", ".join("?" * len(row))
    done = db.execute(
        f"INSERT INTO cases ({', '.join(_COLUMNS)}) VALUES ({marks}) ON CONFLICT (episode) DO NOTHING", row
    )
    if done.rowcount == 1:
        db.execute("INSERT INTO plans VALUES (?, ?, ?, ?)", (done.lastrowid, *parts))
    return done.rowcount == 1


def _delete(db: sqlite3.Connection, where: str, values: tuple[str, ...]) -> int:
    """Delete cases with all that hangs on them."""
    for table in ("plans", "uses"):
        db.execute(f"DELETE FROM {table} WHERE id IN (SELECT id FROM cases WHERE {where})", values)
    count = db.execute(f"DELETE FROM cases WHERE {where}", values).rowcount
    if count:
        _changed(db)
    return count


def _unuse(db: sqlite3.Connection, episode: str) -> None:
    """The tasks that this episode used lose what that gave them."""
    db.execute("UPDATE cases SET freq = freq - 1 WHERE id IN (SELECT id FROM uses WHERE episode = ?)", (episode,))
    db.execute("DELETE FROM uses WHERE episode = ?", (episode,))


def _changed(db: sqlite3.Connection) -> None:
    """Processes that have vectors in memory have to read them again."""
    db.execute("UPDATE counts SET value = value + 1 WHERE name = 'generation'")
