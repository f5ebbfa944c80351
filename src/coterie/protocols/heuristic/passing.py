"""Letting each other pass: robots ask who is in their way, and who stays somewhere steps aside for those who ask."""

from __future__ import annotations

from collections.abc import Iterable

from coterie.core.action import WAIT, Action
from coterie.core.protocol import RobotView
from coterie.protocols.heuristic.lines import PASS, pairs
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.navigation.walking import MakingWay, angle_of
from coterie.worlds.household.options import SubSkill, Until


def ask_way(me: RobotView, residents: Iterable[str]) -> None:
    """Ask who lives here and was in the way of the last step to let this robot pass."""
    reason = me.outcome.reason if me.outcome is not None else ""
    for who in residents:
        if f": {who} is in the way." in reason:
            x, y, *_ = chart_of(me).pose
            me.say(f"Please let me pass, {who}.\n{PASS}: {me.name} {pairs(x=x, y=y)}", to=(who,))


class Stay(SubSkill):
    """Some steps on the spot; who asks is let through."""

    def __init__(self, steps: int, until: Until | None = None, why: str = "", name: str = ""):
        super().__init__(name or f"Stay({steps})", until)
        self.left, self.reason, self.making_way = steps, why, MakingWay()

    def step(self, me: RobotView) -> Action | None:
        self.left -= 1
        if self.making_way.busy:
            return self.making_way.step(me, chart_of(me))
        return Action(WAIT, why=self.reason) if self.left >= 0 else self.end(True)

    def let_pass(self, me: RobotView, at: tuple[float, float]) -> Stay:
        """Step aside for somebody who stands there and wants to come this way."""
        chart = chart_of(me)
        self.making_way.begin(me, chart, (*at, round(angle_of(chart, *at) / 90.0) * 90.0 + 180.0))
        return self
