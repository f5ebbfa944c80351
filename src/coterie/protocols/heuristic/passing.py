"""Letting each other pass: robots ask who is in their way, and who is waiting steps aside for those who ask."""

from __future__ import annotations

import math
from collections.abc import Collection

from coterie.core.action import WAIT, Action
from coterie.core.protocol import RobotView
from coterie.protocols.heuristic.lines import PASS, pairs
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.navigation.walking import MakingWay, angle_of
from coterie.worlds.household.options import SubSkill, Until

NEAR_M = 2.0  # who stands farther off than that is blocked by somebody else


def ask_way(me: RobotView, residents: Collection[str]) -> None:
    """Ask the resident who blocked the last step to move."""
    cause = me.outcome.cause if me.outcome is not None else None
    if cause is not None and cause.fact is not None and cause.fact[0] == "in_way" and cause.fact[2] in residents:
        who, (x, y, *_) = cause.fact[2], chart_of(me).pose
        me.say(f"Please let me pass, {who}.\n{PASS}: {me.name} {pairs(x=x, y=y)}", to=(who,))


class Stay(SubSkill):
    """Wait on the spot for some steps, stepping aside for those who ask to pass."""

    def __init__(self, steps: int, until: Until | None = None, why: str = "", name: str = ""):
        super().__init__(name or f"Stay({steps})", until)
        self.left, self.reason, self.making_way = steps, why, MakingWay()

    def step(self, me: RobotView) -> Action | None:
        self.left -= 1
        if self.making_way.busy:
            return self.making_way.step(me, chart_of(me))
        return Action(WAIT, why=self.reason) if self.left >= 0 else self.end(True)

    def let_pass(self, me: RobotView, at: tuple[float, float]) -> Stay:
        """Step aside for somebody near by who wants to come this way, once at a time and until its steps are over."""
        chart = chart_of(me)
        if self.left >= 0 and not self.making_way.busy and math.dist(at, chart.pose[:2]) <= NEAR_M:
            self.making_way.begin(me, chart, (*at, round(angle_of(chart, *at) / 90.0) * 90.0 + 180.0))
        return self
