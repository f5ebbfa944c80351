"""Answers requests to the memo, and hands all others on to the model."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from coterie.core.event import Event
from coterie.core.protocol import Ask, Reply
from coterie.memo import Case, Found, Match, Memo, Plan, Probe
from coterie.memo.before import offers
from coterie.memo.before.cases import MEMO, first_case, last_found, spent
from coterie.memo.before.clearance import Bodies, probe_of
from coterie.models import Model

LESSONS = "lessons"  # of a request: the place about which all that was learnt is asked for
MOST_LESSONS = 8  # the latest
MOST_TRIED = 3  # similar tasks whose plans do not pass their first check, before the search is given up


class Desk:
    """A model with a memo beside it. One desk serves one episode.

    A request is looked up in the fast table first. What is not there is searched among all tasks while the model
    plans, if there is a model, and the answer is given at the second asking.
    """

    def __init__(self, model: Model, memo: Memo, episode: str, beside: bool = True):
        self.model, self.memo, self.episode = model, memo, episode
        self.name = model.name
        own = memo.settings.reuse == "tasks"  # else the next thing to ask is what was done in such a state, at once
        self.beside = beside and memo.settings.selective and own
        self.saved: dict[str, float] = {}  # what the task that is used again took when it was solved first
        self.lookup_s = 0.0  # wall time of the searches that were waited for
        self._doubted: set[str] = set()  # episodes whose tasks failed too often
        self._pool = ThreadPoolExecutor(1)
        self._search: Future[Found] | None = None

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        mine = [a for a in asks if a.stage == MEMO]
        others = [a for a in asks if a.stage != MEMO]
        answers = iter(self.model.answer(others) if others else [])
        looked = iter([Reply(self._look(a)) for a in mine])
        return [next(looked) if a.stage == MEMO else next(answers) for a in asks]

    def remember(self, events: Sequence[Event], plan: Plan | None, planning_s: float) -> str:
        """Keep what was solved and what it took; one that was solved by using another again took what that one took.

        The memo's words about it.
        """
        case = first_case(events)
        if case is None or plan is None:
            return ""
        cost = self.saved or {**spent(events), "planning_s": round(planning_s, 3)}
        return self.memo.remember(case, plan, self.episode, cost).words

    def recollect(self, events: Sequence[Event]) -> None:
        """A resumed run has read in its log what is used again; what that took stands in the memo."""
        note = last_found(events)
        if note is not None and not self.saved:
            self.saved = self.memo.store.cost(note["episode"]) or dict(note.get("saved") or {})

    def close(self) -> None:
        self._pool.shutdown(wait=True)
        self.memo.close()

    def _look(self, ask: Ask) -> str:
        begun = time.perf_counter()
        request = json.loads(ask.prompt[0][1])
        if LESSONS in request:
            lessons = self.memo.store.lessons(request[LESSONS], request[LESSONS], MOST_LESSONS, self.episode)
            self.lookup_s += time.perf_counter() - begun
            return json.dumps({LESSONS: lessons}, sort_keys=True)
        case = Case.from_json(request["case"])
        if offers.KEY in request:
            answer = offers.answer(self.memo, request, case, self.episode, ask.step)
            self.lookup_s += time.perf_counter() - begun
            return json.dumps(answer, sort_keys=True)
        if self.memo.settings.reuse != "tasks":
            self._doubted = self.memo.store.doubted()
        probe = probe_of(case, request["solids"], Bodies(*request["bodies"]) if request.get("bodies") else None)
        tried = request.get("but", ())
        if tried:  # what was found before does not pass its first check
            self.memo.store.unuse(self.episode)
            self.saved = {}
            found = self._another(case, probe, tried)
        elif ask.attempt:  # the second asking; a resumed run may begin with it
            found = self._search.result() if self._search is not None else self._all(case, probe)
        else:
            found = self.memo.lookup_fast(case, probe, but=self._not())
            if found.match is None and self.beside:
                self._search = self._beside(case, probe, found)
                self.lookup_s += time.perf_counter() - begun
                return json.dumps({"searching": True})
            found = self._or_all(found, case, probe)
        self.lookup_s += time.perf_counter() - begun
        return json.dumps(self._told(found), sort_keys=True)

    def _not(self, tried: Sequence[str] = ()) -> tuple[str, ...]:
        """Tasks that will not do, by their episodes: also what this very one left when it was played before."""
        return (self.episode, *tried, *self._doubted)

    def _all(self, case: Case, probe: Probe, tried: Sequence[str] = ()) -> Found:
        return self.memo.lookup_global(case, probe, but=self._not(tried))

    def _beside(self, case: Case, probe: Probe, found: Found) -> Future[Found]:
        """The search among all tasks, while others think; where the fast table is all there is, it is over."""
        if self.memo.beyond(case, self._not()):
            return self._pool.submit(self._all, case, probe)
        known: Future[Found] = Future()
        known.set_result(found)
        return known

    def _or_all(self, found: Found, case: Case, probe: Probe, tried: Sequence[str] = ()) -> Found:
        """The match of the fast table, or else one among all tasks."""
        if found.match is not None or not self.memo.settings.selective or not self.memo.beyond(case, self._not(tried)):
            return found
        return self._all(case, probe, tried)

    def _another(self, case: Case, probe: Probe, tried: Sequence[str]) -> Found:
        """The next best task, as long as few were turned down."""
        if len(tried) > MOST_TRIED:
            return Found(None, len(tried), len(tried), 0.0)
        return self._or_all(self.memo.lookup_fast(case, probe, but=self._not(tried)), case, probe, tried)

    def _told(self, found: Found) -> dict[str, Any]:
        match: Match | None = found.match
        if match is None:
            return {"plan": None, "why": f"no similar task ({found.near} came near, {found.tested} were tested)"}
        self.memo.use(match, self.episode)
        self.saved = self.memo.store.cost(match.episode)
        return {
            "episode": match.episode,
            "case": match.case.to_json(),
            "plan": match.plan.to_json(),
            "alpha": round(match.alpha, 4),
            "moved_m": round(match.moved_m, 4),
            "table": match.table,
            "text": match.words(),
            "cost": {k: v for k, v in self.saved.items() if k in ("calls", "tokens")},  # wall time stays out of logs
        }
