"""Sub-skills: decisions over many low-level actions, made from what a robot knows and nothing else.

    GoToPoint((x, y))  GoToRoom("room_2")  GoToObject("mug_0")  PickupObject("mug_0")  PutObject("sink_0")
    DropInRoom("room_2")  Explore()  Explore("room_2")  GoAside([(x, y)])  StopHere()

Each goes on until it ends by itself (`ok` and `why` say how) or its caller interrupts it: `until` is asked before
every action, and its words end the option.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from coterie.core.action import Action
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import Option, RobotView
from coterie.houses.model import FLOOR
from coterie.houses.placement import kinds
from coterie.worlds.household.bodies import STOP
from coterie.worlds.household.fluents import TILTS
from coterie.worlds.household.knowledge.chart import SIDES, Chart, chart_of
from coterie.worlds.household.knowledge.graph import number_of, room_at, rooms_known
from coterie.worlds.household.navigation.walking import (
    ASIDE_M,
    MOST_ASIDE,
    PATIENCE,
    Goals,
    MakingWay,
    Walk,
    angle_of,
    crowd,
    turn_to,
)
from coterie.worlds.household.perception import CELL_M, UPPER

Until = Callable[[RobotView], str | None]
NEAR_M = 0.3  # to a point that a robot goes to
NEARER_M = 0.15  # than its reach a robot goes, since it may be wrong by a little
ABOVE_M = 0.05  # the underside of a thing one looks at
BESIDE_M = 0.2  # no robot can be asked to stand nearer
TRIES, HIGH_TRIES = 3, 1  # further places from which a thing is looked for; for one that lies higher than the eyes
SAME_M = 0.2  # places that near to each other are one
SLACK_DEG = 40.0  # from the middle of the picture: what is looked at lies well inside
DOOR_CLEAR_M = 1.0  # from a doorway, where a robot stops for good
EXPLORED, JAMMED = "there is nothing left to explore that I could get to", "others are in the way"
MOST_JAMS = 4  # times that others may stand before all that is left to explore, until it is given up
APART_M = 2.0  # robots that explore keep their aims apart by so much


class SubSkill(Option):
    """The base of sub-skills. `ok` is None until it has ended."""

    def __init__(self, name: str, until: Until | None = None):
        self.name, self.until = name, until
        self.ok: bool | None = None
        self.why = ""
        self.hopeless = False  # nothing that this robot could do would help
        self.lost = False  # it is not where this robot takes it to be
        self.walk: Walk | None = None
        self.steps = 0  # on the way
        self.begun = False  # with its last action
        self.aim: tuple[float, float] | None = None  # a place that it is heading for, to look around there

    def interrupted(self, me: RobotView) -> str | None:
        return self.until(me) if self.until is not None else None

    def end(self, ok: bool, why: str = "", lost: bool = False, hopeless: bool = False) -> Action | None:
        """It is over; there is no next action."""
        self.ok, self.why, self.lost, self.hopeless = ok, why, lost, hopeless
        return None

    @property
    def failed(self) -> str:
        """Why there is no way, in words."""
        return self.walk.failed if self.walk is not None else ""

    def go(self, me: RobotView, goals: Goals, face: bool = True, boldly: bool = True) -> Action | None:
        """The next action on the way to the nearest of some nodes; None at its end, or where there is none."""
        self.walk, self.steps = self.walk or Walk(goals, face, boldly), self.steps + 1
        return self.walk.step(me)

    def go_aside(self, me: RobotView, places: Iterable[tuple[float, float]], clear_m: float) -> Action | None:
        """The same to where one is clear of some places, a few steps at most."""
        if self.steps >= MOST_ASIDE:
            return None
        some = tuple(places)
        return self.go(me, lambda chart: chart.tight & ~chart.near(some, clear_m), face=False, boldly=False)

    def arrived(self) -> Action | None:
        return self.end(not self.failed, self.failed)

    def finish_with(self, me: RobotView, action: Action) -> Action | None:
        """Take one last action, then end with its outcome."""
        outcome = me.outcome
        if self.begun:
            return self.end(outcome is not None and outcome.ok, outcome.reason if outcome is not None else "")
        self.begun = True
        return action


def in_view(me: RobotView, name: str) -> bool:
    """True if a robot sees a thing or piece by that name at this moment."""
    return me.now is not None and any(f.args[:1] == (name,) and f.pred in ("box", "spot") for f in me.now.facts)


def look_at(me: RobotView, x: float, y: float, z: float) -> Action | None:
    """Turn and tilt towards a point; None where it is well inside the picture, or as near to it as can be."""
    pose = chart_of(me).pose
    far = math.hypot(x - pose[0], y - pose[1])
    if far > 0.05:
        turn = turn_to(me, angle_of(chart_of(me), x, y), max(SLACK_DEG, step_deg(me, "turned", "left") / 2))
        if turn is not None:
            return turn
    height = me.card.camera_m or 1.6
    up = math.degrees(math.atan2(z - height, max(far, 0.05)))
    low, high = (me.card.tilt_low_deg, me.card.tilt_high_deg)
    tilt, step = pose[3], step_deg(me, "tilted", "up")
    if up < tilt - SLACK_DEG and tilt - step >= (TILTS[0] if low is None else low) - 1e-6:
        return Action("LookDown")
    if up > tilt + SLACK_DEG and tilt + step <= (TILTS[1] if high is None else high) + 1e-6:
        return Action("LookUp")
    return None


def step_deg(me: RobotView, fluent: str, way: str) -> float:
    """How far a robot turns, or tilts its camera, at a time."""
    here: Any = me.belief.value("pose", me.name)
    there: Any = me.look(fluent, me.name, way)
    return float((sum(there[2:]) - sum(here[2:])) % 360.0)


# -- going ------------------------------------------------------------------------------------------------------------
class GoToPoint(SubSkill):
    """To a point that is known."""

    def __init__(self, point: tuple[float, float], until: Until | None = None):
        super().__init__(f"GoToPoint({point[0]:g}, {point[1]:g})", until)
        self.point = point

    def step(self, me: RobotView) -> Action | None:
        chart_of(me).include(*self.point)
        near = self.go(me, lambda chart: chart.near([self.point], max(NEAR_M, chart.step_m * 0.75)), face=False)
        return near or self.arrived()


class GoToRoom(SubSkill):
    """Into a room: to the nearest place of it that is known, or to a door that leads there."""

    def __init__(self, room: str, until: Until | None = None):
        super().__init__(f"GoToRoom({room})", until)
        self.room = room

    def step(self, me: RobotView) -> Action | None:
        if room_at(me.belief, *chart_of(me).pose[:2]) == self.room:
            return self.end(True)
        return self.go(me, lambda chart: _room_nodes(me, chart, self.room)) or self.arrived()


def _room_nodes(me: RobotView, chart: Chart, room: str) -> int:
    number = number_of(room)
    doors = [f.value[2:4] for f in me.belief.facts("joins") if room in f.value[:2]]  # type: ignore[index]
    return (chart.room(number) & chart.tight if number else 0) or chart.near(doors, 0.6)


class GoToObject(SubSkill):
    """To where a thing or a piece of furniture is in view and within reach."""

    def __init__(self, name: str, until: Until | None = None, skill: str = "GoToObject"):
        super().__init__(f"{skill}({name})", until)
        self.target = name
        self.tried: list[tuple[float, float]] = []
        self.slipped: list[tuple[float, float]] = []  # places from which it was taken in vain

    def step(self, me: RobotView) -> Action | None:
        at = _place(me, self.target)
        if at is None:
            return self.end(False, f"I do not know where {self.target} is", lost=True)
        chart, reach = chart_of(me), float(me.look("reach", me.name))  # type: ignore[arg-type]
        clear = self._clear(me, at)
        if clear <= 0:
            eyes = f"{self.target} lies too {'low' if at[2] < 1 else 'high'} for my eyes"
            return self.end(False, eyes, hopeless=True)
        reach = min(reach, clear)
        stands_m = max(reach - NEARER_M, BESIDE_M)
        if _gap(me, self.target) <= reach:
            if in_view(me, self.target) and chart.pose[:2] not in self.slipped:
                return self.end(True)
            if not self.tried or chart.bit(chart.here) & self._stands(me, chart, stands_m):
                look = look_at(me, *at)
                if look is not None:
                    return look
                self.tried.append(chart.pose[:2])  # it is hidden from here
                self.walk = None
                if len(self.tried) > (TRIES if at[2] <= (me.card.camera_m or 1.6) else HIGH_TRIES):
                    return self.end(False, f"{self.target} is hidden from where I can stand", lost=True)
        action = self.go(me, lambda chart: self._stands(me, chart, stands_m))
        if action is None and not self.failed:  # it stands there, and yet not within reach
            self.tried.append(chart.pose[:2])
            self.walk = None
            return self.step(me) if len(self.tried) <= TRIES else self.end(False, f"{self.target} is out of my reach")
        return action or self.end(False, f"{self.target}: {self.failed}")

    def _clear(self, me: RobotView, at: tuple[float, float, float]) -> float:
        """From how far on the floor a robot's eyes tell it apart; 0 where they never do. Furniture is large."""
        if me.belief.value("box", self.target) is not UNKNOWN or me.card.sight_m is None:
            return math.inf
        kind = kinds().get(str(me.belief.value("kind", self.target)))
        upper = at[2] + (UPPER * kind.size_m[2] - ABOVE_M if kind is not None else 0.0)
        down = upper - (me.card.camera_m or 1.6)
        return math.sqrt(max(0.0, me.card.sight_m**2 - down * down))

    def _stands(self, me: RobotView, chart: Chart, reach: float) -> int:
        """Where it would be within reach, in the same room, so that no wall is between."""
        box: Any = me.belief.value("box", self.target)
        if box is not UNKNOWN:
            near, room = chart.near_box(box, reach), me.belief.value("in_room", self.target)
        else:
            spot: Any = me.belief.value("spot", self.target)
            near, where = chart.near([spot[:2]], reach), me.belief.value("where", self.target)
            room = room_at(me.belief, *spot[:2]) if where == FLOOR else me.belief.value("in_room", str(where))
        number = number_of(str(room)) if room is not UNKNOWN else 0
        if number and near & chart.room(number):
            near &= chart.room(number)
        elif number:  # it was only heard of that room: at least not on the far side of a wall
            beyond = near
            for other in rooms_known(me.belief):
                beyond &= ~chart.room(number_of(other))
            near = beyond or near
        if not self.tried:
            return near
        far = near & ~chart.near(self.tried, BESIDE_M + chart.step_m)  # next to here it is hidden as well
        return far if far & (chart.tight | chart.open) else near & ~chart.near(self.tried, SAME_M)


def _place(me: RobotView, name: str) -> tuple[float, float, float] | None:
    """Where something is looked for: a thing a little above its underside, furniture at its surface."""
    box: Any = me.belief.value("box", name)
    if box is not UNKNOWN:
        return box[0], box[1], box[6] or box[4] / 2
    spot: Any = me.belief.value("spot", name)
    return None if spot is UNKNOWN or spot is None else (spot[0], spot[1], spot[2] + ABOVE_M)


def _gap(me: RobotView, name: str) -> float:
    return float(me.look("gap", me.name, name))  # type: ignore[arg-type]


def within_reach(me: RobotView, name: str) -> bool:
    """True if a known place is so near that a robot need not take a step towards it."""
    return _place(me, name) is not None and _gap(me, name) <= float(me.look("reach", me.name))  # type: ignore[arg-type]


# -- handling ---------------------------------------------------------------------------------------------------------
class _Handle(GoToObject):
    """Go there, and do something with it."""

    action: str

    def __init__(self, name: str, until: Until | None = None):
        super().__init__(name, until, type(self).__name__)
        self.asked, self.trying = 0, False

    def step(self, me: RobotView) -> Action | None:
        if self.trying:
            self.trying, outcome = False, me.outcome
            if outcome is not None and outcome.ok:
                return self.end(True)
            clause = outcome.cause.clause if outcome is not None and outcome.cause is not None else ""
            if clause not in ("in_view", "slipped") or self.asked > TRIES:
                return self.end(False, outcome.reason if outcome is not None else "")
            here = chart_of(me).pose[:2]
            self.tried.append(here)
            self.slipped += [here] if clause == "slipped" else []
            self.walk = None
        going = super().step(me)
        if going is not None or self.ok is False:
            return going
        self.ok, self.trying = None, True
        self.asked += 1
        return Action(self.action, (self.target,))


class PickupObject(_Handle):
    action = "PickUp"


class PutObject(_Handle):
    action = "PutDown"


class DropInRoom(SubSkill):
    """For what belongs on the floor of a room: go well into it, and let it fall."""

    def __init__(self, room: str, until: Until | None = None):
        super().__init__(f"PutObject({FLOOR}@{room})", until)
        self.room = room

    def step(self, me: RobotView) -> Action | None:
        action = None if self.begun else self.go(me, lambda chart: _inside(me, chart, self.room))
        return action or (self.arrived() if self.failed else self.finish_with(me, Action("Drop")))


def _inside(me: RobotView, chart: Chart, room: str) -> int:
    """Nodes of a room with the room all around them; any of it, where there are none."""
    some = chart.room(number_of(room)) & chart.tight
    wide = chart.wide
    inner = some & some << 1 & some >> 1 & some << wide & some >> wide
    return inner & inner << 1 & inner >> 1 & inner << wide & inner >> wide or inner or _room_nodes(me, chart, room)


def put_at(place: str, until: Until | None = None) -> SubSkill:
    """The sub-skill that puts what is held somewhere: on a piece of furniture, or on the floor of a room
    (`floor@room_2`)."""
    where, _, room = place.partition("@")
    return DropInRoom(room, until) if where == FLOOR and room else PutObject(place, until)


class StopHere(SubSkill):
    """For good; out of doorways, where others have to pass."""

    def __init__(self) -> None:
        super().__init__(STOP)

    def step(self, me: RobotView) -> Action | None:
        if self.begun:
            return self.end(True)  # it stays, whatever came of saying so
        doors = (f.value[2:4] for f in me.belief.facts("joins"))  # type: ignore[index]
        return self.go_aside(me, doors, DOOR_CLEAR_M) or self.finish_with(me, Action(STOP))


class GoAside(SubSkill):
    """A little away from places that others are heading for."""

    def __init__(self, places: Iterable[tuple[float, float]], until: Until | None = None):
        super().__init__("GoAside", until)
        self.places = tuple(places)

    def step(self, me: RobotView) -> Action | None:
        return self.go_aside(me, self.places, ASIDE_M) or self.arrived()


def _cells_at(x: float, y: float) -> list[tuple[int, int]]:
    """The cells of the ground around a point."""
    column, row = round(x / CELL_M), round(y / CELL_M)
    return [(column + a, row + b) for a in (-1, 0) for b in (-1, 0)]


def _moment(me: RobotView) -> tuple[int, int, int]:
    """Two are alike where a robot knows the same."""
    return me.step, me.belief.cursor, me.belief.area.cursor


# -- exploring --------------------------------------------------------------------------------------------------------
class Explore(SubSkill):
    """To the nearest place where the known ends, again and again, in one room or in the whole house.

    `away` are points that others are heading for: places near them are left to them while there are others. Rooms of
    `done` need no looking at.
    """

    def __init__(
        self,
        room: str = "",
        until: Until | None = None,
        away: Iterable[tuple[float, float]] = (),
        done: Iterable[str] = (),
    ):
        super().__init__(f"Explore({room})" if room else "Explore", until)
        self.room, self.away, self.done = room, tuple(away), tuple(done)
        self._unknown: list[tuple[int, int]] = []  # cells there that are not known yet
        self._looked = -1  # how much of the ground was known when that was asked
        self._walk: Walk | None = None
        self._found: tuple[object, list[tuple[float, float]]] = (None, [])  # when it was chosen, and the way there
        self._faced = self.waited = 0
        self._tilt = 0.0  # how far a camera tilts at a time; 0: not asked yet
        self.jammed = False  # others are in the way
        self.making_way = MakingWay()

    def step(self, me: RobotView) -> Action | None:
        chart = chart_of(me)
        if self.making_way.busy:
            return self.making_way.step(me, chart)
        tilt = self._tilt = self._tilt or step_deg(me, "tilted", "up")
        if chart.pose[3] > -tilt + 1e-6 and tilt <= SLACK_DEG:
            return Action("LookDown")  # so that the floor shows all the way to the robot
        for _ in range(4):
            if (self.aim is None or not self._left(me)) and not self._choose(me, chart):
                return self._wait(me, chart) or self.end(not self.jammed, JAMMED if self.jammed else EXPLORED)
            action = self._approach(me, chart)
            if action is not None:
                return action
            chart.bore(chart.node(*self.aim))  # type: ignore[misc]
            self.aim = None
        return self.end(True, EXPLORED)

    def _left(self, me: RobotView) -> list[tuple[int, int]]:
        """The cells that it is heading for and that are still not known."""
        area = me.belief.area
        if area.cursor != self._looked:  # what is known stays known
            self._looked, self._unknown = area.cursor, area.unknown(self._unknown)
        return self._unknown

    def _wait(self, me: RobotView, chart: Chart) -> Action | None:
        """Others stand before what is left to explore: they may move on, or have to be let through."""
        self.waited += 1
        if not self.jammed:
            return None
        if self.waited > PATIENCE:
            self._give_up(me, chart)
            return None
        self.making_way.begin(me, chart)
        return self.making_way.step(me, chart)

    def _give_up(self, me: RobotView, chart: Chart) -> None:
        """Those who have not moved on for so long may have stopped for good, or wait for this robot: at first what they
        stand right before stays unknown, and in the end all that they keep it from."""
        goals = self.goals(chart)[1]
        chart.jams += 1
        near = goals & chart.beside(chart.beside(crowd(me, chart)))
        for node in chart.nodes(goals if chart.jams >= MOST_JAMS else near if chart.jams > 1 else 0):
            chart.bore(node)
        chart.jams %= MOST_JAMS

    def worthwhile(self, me: RobotView) -> bool:
        """True if there is anything left to explore."""
        return self._choose(me, chart_of(me)) or self.jammed

    def goals(self, chart: Chart) -> tuple[int, int]:
        """Where the known ends and is to be explored: apart from where others are, and all of it."""
        goals = chart.frontier
        if self.room:
            goals &= chart.beside(chart.room(number_of(self.room))) | chart.room(number_of(self.room))
        for room in self.done:
            goals &= ~chart.room(number_of(room))
        return (goals & ~chart.near(self.away, APART_M) if self.away else goals), goals

    def _choose(self, me: RobotView, chart: Chart) -> bool:
        mine, goals = self.goals(chart)
        shut = crowd(me, chart)
        way = (chart.way(mine, shut) if mine else None) or chart.way(goals, shut)
        self.jammed = way is None and bool(shut) and chart.way(goals) is not None
        if way is None:
            self.aim = None
            return False
        node = way[-1]
        self.aim, self._faced = chart.point(node), 0
        self._unknown = [
            cell
            for dx, dy in SIDES
            if chart.bit((node[0] + dx, node[1] + dy)) & chart.unknown
            for cell in _cells_at(*chart.point((node[0] + dx, node[1] + dy)))
        ]
        self._looked, self._unknown = me.belief.area.cursor, me.belief.area.unknown(self._unknown)
        self._walk = Walk(lambda chart: chart.bit(chart.node(*self.aim)), face=True)  # type: ignore[misc]
        if not self._unknown:  # furniture that was heard of covers it
            chart.bore(node)
            return self._choose(me, chart)
        self._found = _moment(me), [chart.point(n) for n in way[1:]]
        return True

    def _approach(self, me: RobotView, chart: Chart) -> Action | None:
        """Towards the aim; close to it, look at what is not known, and at last step there. None: it was in vain."""
        assert self.aim is not None and self._walk is not None
        if math.dist(self.aim, chart.pose[:2]) > 1.5 * chart.step_m:
            if self._found[0] == _moment(me):  # nothing has changed: it would find the same way again
                self._walk.way = self._found[1]
            return self._walk.step(me)
        x, y = ((v + 0.5) * CELL_M for v in self._unknown[0])
        angle = round(angle_of(chart, x, y) / 90.0) * 90.0
        turn = turn_to(me, angle)
        if turn is not None:
            return turn
        self._faced += 1
        (x, y), far = chart.pose[:2], chart.step_m
        ahead = chart.node(x + far * math.cos(math.radians(angle)), y + far * math.sin(math.radians(angle)))
        free = chart.bit(ahead) & (chart.open | chart.roomy)  # not where a bump or a look has shown something
        return Action("MoveAhead") if free and self._faced <= 2 else None
