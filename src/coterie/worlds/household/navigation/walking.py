"""One low-level action at a time along a way on a robot's own chart: turning, stepping, making room for others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

from coterie.core.action import WAIT, Action
from coterie.core.facts import Fact
from coterie.core.protocol import RobotView
from coterie.worlds.household.knowledge.chart import Chart, chart_of
from coterie.worlds.household.perception import BLOCKED, CELL_M

MOVES = {0: "MoveAhead", 90: "MoveLeft", 180: "MoveBack", 270: "MoveRight"}
PATIENCE = 6  # times that a robot in the way is waited for, or let through
HOLD = 2  # steps that it is waited for each time
ASIDE_M, MOST_ASIDE = 1.2, 14  # how far off one goes to let it through, and after how many steps that is too far
LATELY_S = 3.0  # for so long a robot is taken to be where it was seen
STOOD_S, STANDS_S = 15.0, 90.0  # who has not moved for so long is taken to stand there for that much longer
SHUT_STEPS = 8  # for how long a place is avoided at which another robot stood
LONGEST_SHUT = 128  # steps, for a place at which one stood again and again
BUMPS, BUMP_STEPS = 3, 20  # so many within so many steps: two dodge each other to the same side, again and again

_BLOCKED = bytes([BLOCKED])

Goals = Callable[[Chart], int]


def turn_to(me: RobotView, angle_deg: float, slack_deg: float = 1.0) -> Action | None:
    """A turn towards a direction; None where the robot looks there already."""
    pose = chart_of(me).pose
    off = (angle_deg - pose[2] + 180.0) % 360.0 - 180.0
    if abs(off) <= slack_deg:
        return None
    return Action("RotateLeft" if off > 0 else "RotateRight")


def angle_of(chart: Chart, x: float, y: float) -> float:
    """In which direction a point lies from where a robot is."""
    pose = chart.pose
    return math.degrees(math.atan2(y - pose[1], x - pose[0])) % 360.0


def crowd(me: RobotView, chart: Chart) -> int:
    """Nodes that other robots keep one from: they were seen just now, were seen to stand there for long, or were bumped
    into there more than once."""
    apart = 2 * me.card.footprint_m - 0.01
    places = [f.value[:2] for f in me.belief.facts("pose") if f.args[0] != me.name and _is_there(me, chart, f)]  # type: ignore[index]
    found = chart.near(places, apart) if places else 0
    again = [at for at, (until, times) in chart.shut.items() if times > 1 and until >= me.step]
    return found | chart.near(again, 0.8 * chart.step_m) if again else found


def _is_there(me: RobotView, chart: Chart, pose: Fact) -> bool:
    """True if a robot is taken to be where it was last: for a moment, and longer if it has not moved for long."""
    name, at = pose.args[0], cast(tuple[float, ...], pose.value)[:2]
    where, since, _ = chart.standing.get(name, (at, pose.time, pose.time))
    since = since if where == at else pose.time
    chart.standing[name] = at, since, pose.time
    return pose.time >= me.time - (STANDS_S if pose.time - since >= STOOD_S else LATELY_S)


def in_front(me: RobotView, chart: Chart) -> Fact | None:
    """The pose of the robot that stands nearest, if one was seen near by just now."""
    seen = [f for f in me.belief.facts("pose") if f.args[0] != me.name and f.time >= me.time - LATELY_S]
    near = [(math.dist(f.value[:2], chart.pose[:2]), f) for f in seen]  # type: ignore[index]
    return min(near, default=(math.inf, None), key=lambda item: item[0])[1] if near else None


class MakingWay:
    """Giving way: going aside and waiting a little. Of two that meet, the one with empty hands; of two alike, the
    second by name. The other one stands still meanwhile."""

    def __init__(self) -> None:
        self.way: list[tuple[float, float]] = []
        self.rest = 0

    @property
    def busy(self) -> bool:
        return bool(self.way or self.rest)

    def begin(self, me: RobotView, chart: Chart, asked: tuple[float, ...] = ()) -> None:
        """Begin to make way for the robot that is in the way, or for who asked to pass from a pose."""
        other = in_front(me, chart)
        self.rest = HOLD
        if not asked and (other is None or not _gives_way(me, other.args[0])):
            return
        pose = asked or cast(tuple[float, ...], cast(Fact, other).value)
        x, y, angle = pose[0], pose[1], math.radians(pose[2] if len(pose) > 2 else 0.0)
        ahead = [(x + far * math.cos(angle), y + far * math.sin(angle)) for far in (0.5, 1.0, 1.5, 2.0)]
        free = chart.tight & ~chart.near([(x, y)], ASIDE_M) & ~chart.near(ahead, 0.55)
        found = chart.way(free, crowd(me, chart))
        if found is not None and len(found) <= MOST_ASIDE:
            self.way, self.rest = [chart.point(n) for n in found[1:]], 2 * HOLD

    def step(self, me: RobotView, chart: Chart) -> Action:
        if self.way:
            to, failed = self.way.pop(0), me.outcome is not None and not me.outcome.ok
            if failed or math.dist(to, chart.pose[:2]) > 1.5 * chart.step_m:
                self.way = []
            else:
                off = round(round(angle_of(chart, *to) / 90.0) * 90 - chart.pose[2]) % 360
                if off in MOVES:
                    return Action(MOVES[off])
        self.rest = max(0, self.rest - 1)
        return Action(WAIT)


def _gives_way(me: RobotView, other: str) -> bool:
    mine, theirs = (isinstance(me.belief.value("holding", name), str) for name in (me.name, other))
    return (not mine, me.name) > (not theirs, other)


class Walk:
    """A way that is followed, and found anew where it is cut off."""

    def __init__(self, goals: Goals, face: bool, boldly: bool = False):
        self.goals, self.face, self.boldly = goals, face, boldly  # look where one goes; go where nothing is known
        self.way: list[tuple[float, float]] = []  # points still to come
        self.shut: dict[tuple[float, float], int] = {}  # points at which others stood, and until which step
        self.waited = 0
        self.jammed = False  # there would be a way if others were not in it
        self.failed = ""  # why there is no way, in words
        self.making_way = MakingWay()
        self._asked: tuple[float, float] | None = None  # where the last step was to lead

    def step(self, me: RobotView) -> Action | None:
        """The next action; None at the end of the way, or where there is none (`failed` says why)."""
        chart = chart_of(me)
        if self.making_way.busy:
            return self.making_way.step(me, chart)
        self._learn(me, chart)
        if self.making_way.busy:
            return self.making_way.step(me, chart)
        if self.way and (math.dist(self.way[0], chart.pose[:2]) > 1.5 * chart.step_m or self._cut(me)):
            self.way = []
        if not self.way:
            if chart.bit(chart.here) & self.goals(chart):
                return None
            self.way = self._find(me, chart)
            if not self.way:
                return self._wait(me, chart)
        return self._go(chart)

    def _find(self, me: RobotView, chart: Chart) -> list[tuple[float, float]]:
        shut = crowd(me, chart)
        for point, until in list(self.shut.items()):
            if until < me.step:
                del self.shut[point]
            else:
                shut |= chart.near([point], 0.8 * chart.step_m)
        goals = self.goals(chart)
        found = chart.way(goals, shut, boldly=self.boldly)
        self.jammed = found is None and bool(shut) and chart.way(goals, boldly=self.boldly) is not None
        return [chart.point(n) for n in found[1:]] if found else []

    def _go(self, chart: Chart) -> Action:
        x, y = self.way[0]
        angle = round(angle_of(chart, x, y) / 90.0) * 90 % 360
        off = round(angle - chart.pose[2]) % 360
        if off and (self.face or off not in MOVES):
            return Action("RotateLeft" if off <= 180 else "RotateRight")
        self._asked = self.way.pop(0)
        return Action(MOVES[off])

    def _cut(self, me: RobotView) -> bool:
        """True if the next place has turned out to be blocked."""
        x, y = self.way[0]
        column, row = math.floor(x / CELL_M + 1e-6), math.floor(y / CELL_M + 1e-6)
        area = me.belief.area
        left, low, (rows, columns) = column - 1 - area.low[0], row - 1 - area.low[1], area.cells.shape
        if 0 <= left < columns - 1 and 0 <= low < rows - 1:
            return _BLOCKED in area.cells[low : low + 2, left : left + 2].tobytes()
        at = area.at
        return BLOCKED in (at(column, row), at(column - 1, row), at(column, row - 1), at(column - 1, row - 1))

    def _learn(self, me: RobotView, chart: Chart) -> None:
        """Another robot in the way is gone round, or waited for; what is blocked for good, the chart knows. Where two
        have dodged each other in vain, the one that gives way stands aside at last."""
        asked, self._asked = self._asked, None
        outcome = me.outcome
        if asked is None or outcome is None or outcome.ok or outcome.action.skill not in MOVES.values():
            return
        self.way = []
        if not any(f.pred == "area" for f in outcome.facts):  # it is a robot
            self.shut[asked] = me.step + SHUT_STEPS
            times = chart.shut.get(asked, (0, 0))[1] + 1
            chart.shut[asked] = me.step + min(SHUT_STEPS * 2**times, LONGEST_SHUT), times
            chart.bumps.append(me.step)
            other = in_front(me, chart)
            often = len(chart.bumps) == BUMPS and chart.bumps[0] > me.step - BUMP_STEPS
            if often and other is not None and _gives_way(me, other.args[0]):
                chart.bumps.clear()
                self.making_way.begin(me, chart)

    def _wait(self, me: RobotView, chart: Chart) -> Action | None:
        """No way at the moment: others may move on, or have to be let through."""
        if not self.jammed:
            self.failed = "there is no way that I know of"
            return None
        self.waited += 1
        if self.waited > PATIENCE:
            self.failed = "others are in the way"
            return None
        self.making_way.begin(me, chart)
        return self.making_way.step(me, chart)
