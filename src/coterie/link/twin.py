"""A belief in two places: what has changed in one is carried over to the other, so that both hold the same facts."""

from __future__ import annotations

from typing import Any

from coterie.core.facts import Belief, Fact


class Twin:
    """One end. `news` is what the other end does not have yet; `take` is given what the other end's `news` gave."""

    def __init__(self, belief: Belief):
        self.belief = belief
        self._cursor = 0
        self._shared: dict[tuple[str, ...], Fact] = {}

    def news(self) -> dict[str, Any]:
        """Facts that changed, in their order, and those that were only confirmed: of these the time matters alone."""
        changed = self.belief.since(self._cursor)
        self._cursor = self.belief.cursor
        for fact in changed:
            self._shared[(fact.pred, *fact.args)] = fact
        confirmed = []
        for fact in self.belief.facts():
            key = (fact.pred, *fact.args)
            if self._shared.get(key) is not fact:
                self._shared[key] = fact
                confirmed.append(fact)
        return {"changed": tuple(changed), "confirmed": tuple(confirmed)}

    def take(self, news: dict[str, Any]) -> None:
        self.belief.follow(news["changed"], news["confirmed"])
        self._cursor = self.belief.cursor
        for fact in (*news["changed"], *news["confirmed"]):
            self._shared[(fact.pred, *fact.args)] = fact
