"""One belief out of many, for protocols that see what all their robots know."""

from __future__ import annotations

from dataclasses import replace

from coterie.core.facts import Belief
from coterie.core.protocol import RobotView, TeamView


class Pool:
    """Gathers what robots learn; the newest fact wins. Keeps only what it was given: no truth enters it."""

    def __init__(self) -> None:
        self.belief: Belief | None = None
        self._read: dict[str, int] = {}

    def gather(self, team: TeamView) -> dict[str, RobotView]:
        """The team's views, all with the pooled belief."""
        assert team.lookup is not None
        first = next(iter(team.robots.values()))
        if self.belief is None:
            self.belief = Belief(first.belief.base, first.belief.listings)
        for name, view in team.robots.items():
            for fact in view.belief.since(self._read.get(name, 0)):
                self.belief.tell(fact)
            self._read[name] = view.belief.cursor
        look = team.lookup(self.belief)
        return {n: replace(v, belief=self.belief, look=look) for n, v in team.robots.items()}
