"""The memo as others use it: look a task up, remember one, count its use.

A lookup is three sieves, each finer and dearer than the one before: the structure (an index of the database), the
positions (a pass over numbers in memory), and the exact test, with its collision checks, on the few that are left.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from coterie.memo.case import Case, displacement
from coterie.memo.file.store import Key, Store, Stored
from coterie.memo.legs import Ends, Fit, Probe
from coterie.memo.plan import Plan
from coterie.memo.settings import MemoSettings, family_of
from coterie.memo.similarity import Similarity, similarity
from coterie.memo.splanner import Draft, draft

Table = Literal["fast", "global"]


class Match(NamedTuple):
    """An old task that may serve for the new one."""

    id: int
    episode: str  # the episode that solved it: its name in logs, the same in every run
    case: Case
    plan: Plan
    alpha: float
    moved_m: float  # mean displacement of the things
    table: Table
    fits: tuple[Fit, ...] = ()

    def words(self) -> str:
        share = f", reuse ratio {self.alpha:.2f}" if family_of(self.case.task).overlap == "high" else ""
        moved = f"things moved by {100 * self.moved_m:.1f} cm on average"
        return f"The task of episode {self.episode} is similar ({moved}{share})."


class Found(NamedTuple):
    """The result of a search: the match, if any, and its cost."""

    match: Match | None
    near: int  # tasks that passed the first sieves
    tested: int  # tasks that got the exact test
    seconds: float  # wall time; never goes into a log that is compared


class Remembered(NamedTuple):
    kept: bool
    words: str


class Shelf:
    """Positions of many cases of one structure. The distance is the mean displacement of the things [m]."""

    def __init__(self, width: int):
        self.width = width  # numbers of one vector: three per thing
        self._ids, self._columns = np.empty(0, dtype=np.int64), np.empty((width, 0), dtype=np.float32)

    @property
    def last(self) -> int:
        """The highest id that was added."""
        return int(self._ids[-1]) if len(self._ids) else 0

    def add(self, ids: np.ndarray, vectors: np.ndarray) -> None:
        """ids (n,) in rising order, vectors (n, width)."""
        if len(ids):
            self._ids = np.concatenate([self._ids, ids])
            self._columns = np.concatenate([self._columns, vectors.T.astype(np.float32)], axis=1)

    def nearest(self, vector: np.ndarray, count: int) -> list[tuple[float, int]]:
        """(mean displacement, id) of the nearest, best first; the newer first where two are equally near."""
        if not len(self._ids) or count < 1:
            return []
        squares = (self._columns - vector[:, None]) ** 2
        far = np.sqrt(squares[0::3] + squares[1::3] + squares[2::3]).sum(axis=0) / np.float32(max(1, self.width // 3))
        limit = np.partition(far, count - 1)[count - 1] if count < len(far) else np.inf
        places = np.flatnonzero(far <= limit)  # all that tie with the last one, too
        places = places[np.lexsort((-self._ids[places], far[places]))][:count]
        return [(float(far[i]), int(self._ids[i])) for i in places]


class Memo:
    """One memo over one file. The calls may come from several threads: search the global table while a model plans."""

    def __init__(self, store: Store | Path | None = None, settings: MemoSettings | None = None):
        self.store = store if isinstance(store, Store) else Store(store)
        self.settings = settings or MemoSettings()
        self._shelves: dict[str, Shelf] = {}
        self._generation = -1
        self._lock = threading.Lock()

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> Memo:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # -- searching ------------------------------------------------------------------------------------------------
    def lookup(self, case: Case, probe: Probe | None = None) -> Found:
        """Both tables, one after the other."""
        first = self.lookup_fast(case, probe)
        if first.match is not None or not self.settings.selective:
            return first
        second = self.lookup_global(case, probe)
        return Found(
            second.match, first.near + second.near, first.tested + second.tested, first.seconds + second.seconds
        )

    def lookup_fast(self, case: Case, probe: Probe | None = None, but: Collection[str] = ()) -> Found:
        """Among the k most used tasks; `but` are the episodes of those that will not do."""
        begun = time.perf_counter()
        if not self.settings.selective:
            return self._search(case, self._all(case, but), "global", probe, begun)
        key, value = self._sieve(case)
        shelf, gone = Shelf(len(case.vector)), self.store.ids_of(but)
        shelf.add(*self.store.top(case.task, self.settings.k_of(case.task), key, value, shelf.width, gone))
        near = [i for _, i in shelf.nearest(case.vector, self.settings.near)]
        return self._search(case, near, "fast", probe, begun)

    def lookup_global(self, case: Case, probe: Probe | None = None, but: Collection[str] = ()) -> Found:
        """Among all tasks."""
        begun = time.perf_counter()
        ids = self.nearest(case, self.settings.near, but) if self.settings.selective else self._all(case, but)
        return self._search(case, ids, "global", probe, begun)

    def beyond(self, case: Case, but: Collection[str] = ()) -> bool:
        """True if there are tasks outside the fast table; if not, the global one adds nothing."""
        return self.store.more_than(case.task, self.settings.k_of(case.task), self.store.ids_of(but))

    def nearest(self, case: Case, count: int, but: Collection[str] = ()) -> list[int]:
        """Ids of the tasks of the same structure whose things lie nearest, best first; none that `but` wrote."""
        key, value = self._sieve(case)
        structures = [value] if key == "structure" else self.store.structures(value)
        gone = self.store.ids_of(but)
        most = count + len(gone)
        with self._lock:
            self._forget()
            found = [hit for s in structures for hit in self._shelf(s, len(case.vector)).nearest(case.vector, most)]
        return [i for _, i in sorted(found, key=lambda hit: (hit[0], -hit[1])) if i not in gone][:count]

    def _sieve(self, case: Case) -> tuple[Key, str]:
        return ("structure", case.structure) if self.settings.similarity else ("kin", case.kin)

    def _all(self, case: Case, but: Collection[str]) -> list[int]:
        gone = self.store.ids_of(but)
        return [i for i in self.store.ids(case.task) if i not in gone]

    def _forget(self) -> None:
        """Drop what is in memory when something was deleted from the file."""
        generation = self.store.generation
        if generation != self._generation:
            self._shelves, self._generation = {}, generation

    def _shelf(self, structure: str, width: int) -> Shelf:
        """The vectors of a structure, with those that came since the last search."""
        shelf = self._shelves.setdefault(structure, Shelf(width))
        shelf.add(*self.store.vectors(structure, shelf.last, width))
        return shelf

    # -- the exact test ---------------------------------------------------------------------------------------------
    def _search(self, case: Case, ids: list[int], table: Table, probe: Probe | None, begun: float) -> Found:
        if not self.settings.similarity:
            match, tested = self._nearest_kin(case, ids, table), 0
        elif not self.settings.selective:
            match, tested = self._end_to_end(case, ids, probe)
        elif family_of(case.task).overlap == "low":
            match, tested = self._low(case, ids, table)
        else:
            match, tested = self._high(case, ids, table, probe)
        return Found(match, len(ids), tested, time.perf_counter() - begun)

    def _read(self, ids: list[int]) -> Iterator[Stored]:
        return (row for row in map(self.store.get, ids) if row is not None)

    def _nearest_kin(self, case: Case, ids: list[int], table: Table) -> Match | None:
        """The ablation: the task with the smallest mean displacement, whatever it is worth."""
        kin = (row for row in self._read(ids) if row.case.kin == case.kin)
        if self.settings.selective:  # the nearest comes first
            best = next(kin, None)
        else:
            best = min(kin, key=lambda row: displacement(row.case, case), default=None)
        return None if best is None else _match(best, case, table, Similarity(True, 1.0))

    def _low(self, case: Case, ids: list[int], table: Table) -> tuple[Match | None, int]:
        """Of the tasks whose targets lie in the same areas, the nearest; `ids` come nearest first."""
        for tested, row in enumerate(self._read(ids), 1):
            found = similarity(row.case, row.plan, case, self.settings)
            if found.similar:
                return _match(row, case, table, found), tested
        return None, len(ids)

    def _high(self, case: Case, ids: list[int], table: Table, probe: Probe | None) -> tuple[Match | None, int]:
        """The largest alpha. The most promising goes first, and the search ends when nothing left can be better."""
        s, best, tested = self.settings, None, 0
        for most, id in self.store.promises(ids, case, s.axis):
            if most < s.tau_of(case.task) or tested >= s.best or (best and most <= best.alpha + 1e-9):
                break
            for old in self._read([id]):
                tested += 1
                found = similarity(old.case, old.plan, case, s, probe)
                if found.similar and (best is None or found.alpha > best.alpha):
                    best = _match(old, case, table, found)
        return best, tested

    def _end_to_end(self, case: Case, ids: list[int], probe: Probe | None) -> tuple[Match | None, int]:
        """The ablation, as the paper has it: the exact test on every task there is."""
        best, tested = None, 0
        for row in self._read(ids):
            tested += 1
            found = similarity(row.case, row.plan, case, self.settings, probe)
            if found.similar:
                match = _match(row, case, "global", found)
                if best is None or (match.alpha, -match.moved_m) > (best.alpha, -best.moved_m):
                    best = match
        return best, tested

    # -- using and remembering --------------------------------------------------------------------------------------
    def draft(self, match: Match, case: Case, probe: Probe | None = None, ends: Ends | None = None) -> Draft:
        """The S-Planner's plan for the new task. It has still to pass every check."""
        return draft(match.case, match.plan, case, self.settings, probe, ends, match.fits)

    def use(self, match: Match, episode: str) -> bool:
        """Count that a task served as the similar one; once per episode, whichever table it was found in."""
        return self.store.use(match.id, episode)

    def remember(self, case: Case, plan: Plan, episode: str, cost: Mapping[str, float] | None = None) -> Remembered:
        """Keep a solved task, unless its plan makes detours. One that the episode left earlier gives way to it."""
        steps, most = plan.effective_steps, self.settings.base_of(case.task)
        if steps > most:
            return Remembered(False, f"The plan is not remembered: it took {steps} rounds, more than {most}.")
        new = self.store.put(case, plan, episode, cost)
        instead = "" if new else ", in place of the one that this episode left before"
        return Remembered(True, f"The plan of {steps} round{'' if steps == 1 else 's'} is remembered{instead}.")


def _match(row: Stored, case: Case, table: Table, found: Similarity) -> Match:
    moved = displacement(row.case, case)
    return Match(row.id, row.episode, row.case, row.plan, found.alpha, moved, table, found.fits)
