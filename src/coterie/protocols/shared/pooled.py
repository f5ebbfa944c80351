"""One belief out of many, for protocols that see what all their robots know."""

from __future__ import annotations

from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.core.facts import Belief
from coterie.core.protocol import RobotView, TeamView


class Pool:
    """The common belief of a party, over a whole episode; the newest fact wins.

    Nothing here comes from anywhere but the beliefs of its robots. What a robot told the pool stays there when the
    robot is gone, as it would with any centre that hears all.
    """

    def __init__(self) -> None:
        self.belief = Belief()

    def gather(self, team: TeamView) -> dict[str, RobotView]:
        """Take in what the robots have come to believe; their views, all with the pooled belief.

        Whole beliefs are read, not only what is new in them: a thing seen again where it was is no news to its robot,
        but it overrules what another one thought in the meantime.
        """
        if team.lookup is None:
            raise CoterieError("This world has no lookup for a pooled belief.")
        common = next(iter(team.robots.values())).belief
        if self.belief.base is not common.base:  # the map, which all share
            old, self.belief = self.belief, Belief(common.base, common.listings)
            self.belief.tell_all(old.facts())
        for view in team.robots.values():
            self.belief.tell_all(view.belief.facts())
        look = team.lookup(self.belief)
        return {n: replace(v, belief=self.belief, look=look) for n, v in team.robots.items()}
