"""Answers requests to the memo, and hands all others on to the model."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from coterie.core.event import Event
from coterie.core.protocol import Ask, Reply
from coterie.llm import Model
from coterie.memo import Case, Found, Match, Memo, Plan, PriorCase, Probe, recall, teach
from coterie.protocols.recall.cases import MEMO
from coterie.protocols.recall.clearance import probe_of

MOST_TRIED = 3  # similar tasks whose plans do not pass their first check, before the search is given up


class Desk:
    """A model with a memo beside it. One desk serves one episode.

    A request is looked up in the fast table first. What is not there is searched among all tasks while the model
    plans, if there is a model, and the answer is given at the second asking.
    """

    def __init__(self, model: Model, memo: Memo, episode: str, beside: bool = True):
        self.model, self.memo, self.episode = model, memo, episode
        self.name = model.name
        self.beside = beside and memo.settings.selective
        self.saved: dict[str, float] = {}  # what the task that is used again took when it was solved first
        self.lookup_s = 0.0  # wall time of the searches that somebody waited for
        self._pool = ThreadPoolExecutor(1)
        self._search: Future[Found] | None = None

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        mine = [a for a in asks if a.stage == MEMO]
        others = [a for a in asks if a.stage != MEMO]
        answers = iter(self.model.answer(others) if others else [])
        looked = iter([Reply(self._look(a)) for a in mine])
        return [next(looked) if a.stage == MEMO else next(answers) for a in asks]

    def remember(self, case: Case, plan: Plan, cost: Mapping[str, float]) -> str:
        """Keep a solved task and what it took; one that was solved by using another again took what that one took."""
        kept = self.memo.remember(case, plan, self.episode)
        if kept.kept:
            self.memo.store.note_cost(self.episode, self.saved or cost)
        return kept.words

    def close(self) -> None:
        self._pool.shutdown(wait=True)
        self.memo.close()

    def _look(self, ask: Ask) -> str:
        begun = time.perf_counter()
        request = json.loads(ask.prompt[0][1])
        if "prior" in request:
            return self._prior(request, begun)
        case = Case.from_json(request["case"])
        probe = probe_of(case, request["solids"])
        but = request.get("but", ())
        if but:  # what was found before does not pass its first check
            self.memo.store.unuse(self.episode)
            self.saved = {}
            found = self._another(case, probe, but)
        elif ask.attempt:  # the second asking; a resumed run may begin with it
            found = self._search.result() if self._search is not None else self.memo.lookup_global(case, probe)
        else:
            found = self.memo.lookup_fast(case, probe)
            if found.match is None and self.beside:
                self._search = self._pool.submit(self.memo.lookup_global, case, probe)
                self.lookup_s += time.perf_counter() - begun
                return json.dumps({"searching": True})
            if found.match is None and self.memo.settings.selective:
                found = self.memo.lookup_global(case, probe)
        self.lookup_s += time.perf_counter() - begun
        return json.dumps(self._told(found), sort_keys=True)

    def _another(self, case: Case, probe: Probe, but: Sequence[str]) -> Found:
        """The next best task, as long as few were turned down."""
        if len(but) > MOST_TRIED:
            return Found(None, len(but), len(but), 0.0)
        found = self.memo.lookup_fast(case, probe, but=but)
        if found.match is None and self.memo.settings.selective:
            found = self.memo.lookup_global(case, probe, but=but)
        return found

    def _prior(self, request: Mapping[str, Any], begun: float) -> str:
        scene, team, goal, kinds = request["prior"]
        found = recall(self.memo.store, PriorCase(scene, tuple(team), goal, tuple(kinds)), request["furniture"])
        self.lookup_s += time.perf_counter() - begun
        return json.dumps({"words": found.words, "order": dict(found.order), "episodes": found.episodes})

    def learn(self, events: Sequence[Event]) -> str:
        """Draw a lesson from a finished episode in a house."""
        return "A lesson was drawn from this episode." if teach(self.memo.store, events, self.episode) else ""

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
