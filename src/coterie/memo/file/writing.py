"""Inside the file: how a solved task is written, once per episode, and written again when the episode is."""

from __future__ import annotations

import json
import sqlite3
from typing import NamedTuple

from coterie.memo.case import Case
from coterie.memo.file.blocks import changed, open_blocks, pack_vectors
from coterie.memo.file.schema import pack
from coterie.memo.plan import Plan
from coterie.memo.trace import sketch


class Entry(NamedTuple):
    """A task as its rows hold it, made before anybody waits for the file."""

    episode: str
    world: str
    task: str
    structure: str
    kin: str
    steps: int
    body: str
    vector: bytes
    ends: bytes
    outline: str
    numbers: bytes


def entry(case: Case, plan: Plan, episode: str) -> Entry:
    body, vector = json.dumps(case.to_json(), separators=(",", ":")), case.vector.astype("<f4").tobytes()
    names = (episode, case.world, case.task, case.structure, case.kin)
    return Entry(*names, plan.effective_steps, body, vector, sketch(case, plan), *pack(plan))


def insert(db: sqlite3.Connection, new: Entry) -> bool:
    """False if this episode has written a task already, which then stays as it is."""
    done = db.execute(
        "INSERT INTO cases (episode, world, task, structure, kin, steps, body, vector) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (episode) DO NOTHING",
        new[:8],
    )
    if done.rowcount == 1:
        db.execute("INSERT INTO plans VALUES (?, ?, ?, ?)", (done.lastrowid, new.ends, new.outline, new.numbers))
    return done.rowcount == 1


def put(db: sqlite3.Connection, new: Entry) -> bool:
    """Insert, or replace what the episode wrote before: same number, and what others used it for still counts.

    False if something was replaced.
    """
    old = db.execute("SELECT id, structure, vector FROM cases WHERE episode = ?", (new.episode,)).fetchone()
    if old is None:
        insert(db, new)
    else:
        _replace(db, new, *old)
    pack_vectors(db, new.structure)
    return old is None


def _replace(db: sqlite3.Connection, new: Entry, id: int, structure: str, vector: bytes) -> None:
    db.execute(
        "UPDATE cases SET world = ?, task = ?, structure = ?, kin = ?, steps = ?, body = ?, vector = ? WHERE id = ?",
        (*new[1:8], id),
    )
    db.execute("INSERT OR REPLACE INTO plans VALUES (?, ?, ?, ?)", (id, new.ends, new.outline, new.numbers))
    if (structure, vector) != (new.structure, new.vector):  # it lies elsewhere now: packed vectors are no longer true
        for name in {structure, new.structure}:
            open_blocks(db, name, id)
        changed(db)
