"""One low-level action at a time along a way on a robot's own chart: turning, stepping, making room for others."""

from __future__ import annotations

import math
from collections.abc import Callable

from coterie.core.action import WAIT, Action
from coterie.core.protocol import RobotView
from coterie.core.seeds import rng_of
from coterie.worlds.household.chart import Chart, chart_of
from coterie.worlds.household.perception import BLOCKED, CELL_M

MOVES = {0: "MoveAhead", 90: "MoveLeft", 180: "MoveBack", 270: "MoveRight"}
PATIENCE = 6  # times that a robot in the way is waited for
SHUT_STEPS = 8  # for how long a place is avoided at which another robot stood

Goals = Callable[[Chart], int]


def turn_to(me: RobotView, angle_deg: float, slack_deg: float = 1.0) -> Action | None:
    """A turn towards a direction; None where the robot looks there already."""
    pose = chart_of(me).pose
    off = (angle_deg - pose[2] + 180.0) % 360.0 - 180.0
    if abs(off) <= slack_deg:
        return None
    return Action("RotateLeft" if off > 0 else "RotateRight")


def angle_to(me: RobotView, x: float, y: float) -> float:
    pose = chart_of(me).pose
    return math.degrees(math.atan2(y - pose[1], x - pose[0])) % 360.0


class Walk:
    """A way that is followed, and found anew where it is cut off."""

    def __init__(self, goals: Goals, face: bool, boldly: bool = False):
        self.goals, self.face, self.boldly = goals, face, boldly  # look where one goes; go where nothing is known
        self.way: list[tuple[float, float]] = []  # points still to come
        self.shut: dict[tuple[float, float], int] = {}  # points at which others stood, and until which step
        self.waited = 0
        self.failed = ""  # why there is no way, in words
        self._asked: tuple[float, float] | None = None  # where the last step was to lead

    def step(self, me: RobotView) -> Action | None:
        """The next action; None at the end of the way, or where there is none (`failed` says why)."""
        chart = chart_of(me)
        self._learn(me)
        if self.way and (math.dist(self.way[0], chart.pose[:2]) > 1.5 * chart.step_m or self._cut(me)):
            self.way = []
        if not self.way:
            if chart.bit(chart.here) & self.goals(chart):
                return None
            self.way = self._find(me, chart)
            if not self.way:
                return self._wait(me)
        return self._go(me, chart)

    def _find(self, me: RobotView, chart: Chart) -> list[tuple[float, float]]:
        shut = 0
        for point, until in list(self.shut.items()):
            if until < me.step:
                del self.shut[point]
            else:
                shut |= chart.near([point], 0.3)
        found = chart.way(self.goals(chart), shut, boldly=self.boldly)
        return [chart.point(n) for n in found[1:]] if found else []

    def _go(self, me: RobotView, chart: Chart) -> Action:
        x, y = self.way[0]
        angle = round(angle_to(me, x, y) / 90.0) * 90 % 360
        off = round(angle - chart.pose[2]) % 360
        if off and (self.face or off not in MOVES):
            return Action("RotateLeft" if off <= 180 else "RotateRight")
        self._asked = self.way.pop(0)
        return Action(MOVES[off])

    def _cut(self, me: RobotView) -> bool:
        """Whether the next place has turned out to be blocked."""
        x, y = self.way[0]
        column, row = math.floor(x / CELL_M + 1e-6), math.floor(y / CELL_M + 1e-6)
        at = me.belief.area.at
        return BLOCKED in (at(column, row), at(column - 1, row), at(column, row - 1), at(column - 1, row - 1))

    def _learn(self, me: RobotView) -> None:
        """Another robot in the way is gone round, or waited for; what is blocked for good, the chart knows."""
        asked, self._asked = self._asked, None
        outcome = me.outcome
        if asked is None or outcome is None or outcome.ok or outcome.action.skill not in MOVES.values():
            return
        self.way = []
        self.shut[asked] = me.step + SHUT_STEPS

    def _wait(self, me: RobotView) -> Action | None:
        """No way at the moment: others may move on. A robot that waits in a narrow place steps aside now and then."""
        if not self.shut:
            self.failed = "there is no way that I know of"
            return None
        self.waited += 1
        if self.waited > PATIENCE:
            self.failed = "others are in the way"
            return None
        rng = rng_of(me.seed, "aside", me.name, me.step)
        if rng.random() < 0.5:
            return Action(rng.choice(("MoveBack", "MoveLeft", "MoveRight")))
        return Action(WAIT)
