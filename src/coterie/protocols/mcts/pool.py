"""What a party knows together, over a whole episode: the beliefs of its robots in one, and what failed lately.

Nothing here comes from anywhere but the views of the robots. What a robot told the pool stays there when the robot is
gone, as it would with any centre that hears all.
"""

from __future__ import annotations

from typing import Any

from coterie.core.action import Action
from coterie.core.facts import Belief
from coterie.core.protocol import TeamView

#: For so many steps an action that failed is not tried again: not every failure leaves a fact to learn from.
PATIENCE_STEPS = 2

Deed = tuple[str, str, tuple[Any, ...]]  # robot, skill, arguments


class Pool:
    def __init__(self) -> None:
        self.belief = Belief()
        self.commands: dict[str, Action] = {}  # what each robot was last told to do
        self.gaps: dict[tuple[str, tuple[float, float], str], float] = {}  # (robot, pose, platform) -> distance [m]
        self._failed: dict[Deed, int] = {}
        self._step = 0

    def update(self, team: TeamView) -> None:
        """Take in what the robots have come to believe, and how their last actions ended."""
        self._step = team.step
        for name, me in team.robots.items():
            if self.belief.base is not me.belief.base:
                old, self.belief = self.belief, Belief(me.belief.base, me.belief.listings)
                self.belief.tell_all(old.facts())
            self.belief.tell_all(me.belief.facts())
            last = me.outcome
            if last is not None and last.status in ("failed", "refused"):
                self._failed.setdefault((name, last.action.skill, last.action.args), me.step)
            for action, _ in me.refusals:
                self._failed[name, action.skill, action.args] = me.step
            self._measure(name, me)
        self._failed = {d: s for d, s in self._failed.items() if team.step - s < PATIENCE_STEPS}

    def _measure(self, name: str, me: Any) -> None:
        """How far the platforms are from here: the map does not say, but a robot that stands there can tell."""
        pose = me.belief.value("pose", name)
        if not isinstance(pose, tuple) or not me.card.manipulates:
            return
        for platform in me.look("platforms") or ():
            if (name, pose, platform) not in self.gaps:
                gap = me.look("gap_to", name, platform)
                if isinstance(gap, float):
                    self.gaps[name, pose, platform] = gap

    def failed(self, robot: str, skill: str, args: tuple[Any, ...]) -> bool:
        return (robot, skill, args) in self._failed
