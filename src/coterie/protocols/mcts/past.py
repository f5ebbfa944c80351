"""The recent past of a party, beside its beliefs: orders, failures, and distances once measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coterie.core.action import Action
from coterie.core.protocol import RobotView, TeamView
from coterie.protocols.shared.pooled import Pool

#: For so many steps an action that failed is not tried again: not every failure leaves a fact to learn from.
PATIENCE_STEPS = 2

Deed = tuple[str, str, tuple[Any, ...]]  # robot, skill, arguments


class Past:
    def __init__(self) -> None:
        self.pool = Pool()
        self.commands: dict[str, Action] = {}  # what each robot was last told to do
        self.gaps: dict[tuple[str, tuple[float, float], str], float] = {}  # (robot, pose, platform) -> distance [m]
        self._failed: dict[Deed, int] = {}

    def take_in(self, team: TeamView) -> TeamView:
        """How the last actions ended and what is known now; the same view of the team, with beliefs pooled."""
        team = replace(team, robots=self.pool.gather(team))
        for name, me in team.robots.items():
            last = me.outcome
            if last is not None and last.status in ("failed", "refused"):
                self._failed.setdefault((name, last.action.skill, last.action.args), me.step)
            for action, _ in me.refusals:
                self._failed[name, action.skill, action.args] = me.step
            self._measure(name, me)
        self._failed = {d: s for d, s in self._failed.items() if team.step - s < PATIENCE_STEPS}
        return team

    def _measure(self, name: str, me: RobotView) -> None:
        """How far the platforms are from here: the map does not say, but a robot that stands there can tell."""
        pose = me.belief.value("pose", name)
        if not isinstance(pose, tuple) or not me.card.manipulates:
            return
        platforms: Any = me.look("platforms")
        for platform in platforms or ():
            if (name, pose, platform) not in self.gaps:
                gap = me.look("gap_to", name, platform)
                if isinstance(gap, float):
                    self.gaps[name, pose, platform] = gap

    def failed(self, robot: str, skill: str, args: tuple[Any, ...]) -> bool:
        return (robot, skill, args) in self._failed
