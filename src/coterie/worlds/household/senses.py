"""The belief of a robot in a house as numbers for learners, and the options that they can choose.

Its map is turned so that the robot looks to the right. Rooms, furniture and things are those it has seen or heard of;
misplaced things follow from the placement table and from what it knows of the room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from coterie.core.area import Patch
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import Option, RobotView
from coterie.core.senses import Senses, read_columns
from coterie.core.task import Task
from coterie.houses.placement import kinds
from coterie.worlds.household.bodies import HANDLES, MOVES, REPORT, STOP
from coterie.worlds.household.fluents import Pose, to_box
from coterie.worlds.household.knowledge.graph import Survey, number_of, room_at, rooms_known, survey_of
from coterie.worlds.household.options import Explore, GoToRoom, PickupObject, PutObject, StopHere
from coterie.worlds.household.perception import BLOCKED, CELL_M
from coterie.worlds.household.skills import things_named

SPAN_M = 10.0  # distances are told as shares of this
ROOM = {"things": 160, "furniture": 112, "rooms": 12, "robots": 7}
SIDE, STEP_M = 24, 0.25  # of the map around the robot: so many squares, each so wide
TOLD = ("kind", "where", "spot", "box", "in_room", "joins", "mass")
ROOM_KINDS = ("Kitchen", "LivingRoom", "Bedroom", "Bathroom")

Row = Sequence[float]


class HouseholdSenses(Senses):
    own, tables = read_columns(__package__)
    maps = {"ground": (SIDE, SIDE)}
    kinds = {"thing": "things", "receptacle": "furniture"}
    follows = frozenset({(REPORT, "place")})
    options = {
        "Explore": (),
        "ExploreRoom": ("rooms",),
        "GoToRoom": ("rooms",),
        "PickupObject": ("things",),
        "PutObject": ("furniture",),
        "StopHere": (),
    }

    def room(self, task: Task) -> Mapping[str, int]:
        coming = {str(c.data.get("robot")) for c in task.changes if c.kind == "join"}
        return {**ROOM, "robots": max(ROOM["robots"], len(task.robots) + len(coming) - 1)}

    def names(self, me: RobotView) -> Mapping[str, Sequence[str]]:
        facts = me.belief.facts
        robots = [*me.heartbeat, *(f.args[0] for f in facts("pose"))]
        return {
            "things": things_named(me),
            "furniture": [f.args[0] for f in facts("box")],
            "rooms": rooms_known(me.belief),
            "robots": [r for r in dict.fromkeys(robots) if r != me.name],
        }

    def about_me(self, me: RobotView) -> Row:
        return _Reading(me).itself()

    def about(self, me: RobotView, table: str, names: Sequence[str]) -> Sequence[Row]:
        r = _Reading(me)
        row: Callable[[str], Row] = {
            "things": r.thing, "furniture": r.piece, "rooms": r.room, "robots": r.robot
        }[table]  # fmt: skip
        return [row(name) for name in names]

    def map_of(self, me: RobotView, name: str) -> NDArray[np.float32]:
        return _Reading(me).ground()

    # -- actions --------------------------------------------------------------------------------------------------
    def following(self, me: RobotView, skill: str, param: str, args: Sequence[Any]) -> Any:
        where = me.belief.value("where", args[0])
        return where if isinstance(where, str) else None

    def sensible(self, me: RobotView, skill: str, args: Sequence[Any]) -> bool:
        """A report is of use where it was asked for, and is new."""
        if skill == REPORT:
            asked = args[0] in getattr(me.belief.value("goal"), "things", ())
            return asked and args[1] != me.belief.value("reported", args[0])
        return True

    def beside_options(self, skill: str) -> bool:
        return skill not in (*MOVES, *HANDLES, STOP)

    def option(self, me: RobotView, name: str, args: Sequence[str]) -> Option | None:
        value = me.belief.value
        if name == "StopHere":
            return StopHere()
        if name in ("Explore", "ExploreRoom"):
            explore = Explore(args[0] if args else "")
            return explore if explore.worthwhile(me) else None
        if name == "GoToRoom":
            pose: Any = value("pose", me.name)
            return GoToRoom(args[0]) if room_at(me.belief, pose[0], pose[1]) != args[0] else None
        holding = value("holding", me.name)
        if name == "PickupObject":
            lies = isinstance(value("spot", args[0]), tuple) and value("where", args[0]) != me.name
            return PickupObject(args[0]) if holding is None and lies and _lifts(me, args[0]) else None
        return PutObject(args[0]) if isinstance(holding, str) and me.look("receptacle", args[0]) is True else None

    # -- talk -----------------------------------------------------------------------------------------------------
    def cursor(self, me: RobotView) -> tuple[int, int]:
        return me.belief.cursor, me.belief.area.cursor

    def news(self, me: RobotView, since: tuple[int, int] | None) -> tuple[str, Sequence[Fact]]:
        """The robot's own sights, its place and what it holds; the ground as one patch."""
        facts, ground = since or (0, 0)
        own = (f for f in me.belief.since(facts) if f.source == me.name and f.value is not UNKNOWN)
        told = {(f.pred, *f.args): f for f in own if f.pred in TOLD or f.args == (me.name,)}
        seen = [f for f in told.values() if not (f.pred == "where" and f.value == me.name)]
        patches = me.belief.area.since(ground)
        if patches:
            seen.append(Fact("area", (me.name,), Patch.joined(patches), me.time, me.name))
        things = [f.args[0] for f in seen if f.pred == "where"]
        return (f"I see {', '.join(things) or 'more of the house'}.", seen) if seen else ("", ())


def _lifts(me: RobotView, thing: str) -> bool:
    """True if a robot lifts a thing, by what it knows: from trying, or of things of that kind."""
    mass: Any = me.belief.value("mass", thing)
    known = kinds().get(str(me.belief.value("kind", thing)))
    if not isinstance(mass, (int, float)):
        mass = known.mass_kg if known is not None else 0.0
    return me.card.manipulates and mass <= me.card.payload_kg


class _Reading:
    """One look into a belief; what all rows need is worked out once."""

    def __init__(self, me: RobotView):
        self.me, self.value = me, me.belief.value
        self.survey: Survey = survey_of(me)
        self.pose = cast(Pose, self.value("pose", me.name))
        held = self.value("holding", me.name)
        self.held = held if isinstance(held, str) else ""
        turn = math.radians(self.pose[2])
        self.cos, self.sin = math.cos(turn), math.sin(turn)
        now: Any = me.now
        self.seen = {f.args[0] for f in now.facts if f.pred in ("box", "spot")} if now is not None else set()
        self.homes = set(self._homes(self.held)) if self.held else set()
        self.lying: dict[str, int] = {}
        for thing in self.survey.things.values():
            self.lying[thing.where] = self.lying.get(thing.where, 0) + 1

    def _homes(self, thing: str) -> list[str]:
        kind = self.value("kind", thing)
        return self.survey.receptacles_for(str(kind), thing) if kind is not UNKNOWN else []

    def offset(self, x: float, y: float) -> tuple[float, float]:
        dx, dy = (x - self.pose[0]) / SPAN_M, (y - self.pose[1]) / SPAN_M
        return dx * self.cos + dy * self.sin, dy * self.cos - dx * self.sin

    def itself(self) -> Row:
        me, card = self.me, self.me.card
        left: Any = self.value("battery", me.name)
        return (
            me.step / me.step_limit if me.step_limit else 0.0,
            left / card.battery_steps if card.battery_steps and isinstance(left, int) else 1.0,
            (card.camera_m or 1.6) / 2,
            card.manipulates,
            card.payload_kg / 20,
            self.pose[3] / 90,
            bool(self.held),
            bool(self.homes),
            me.outcome is not None and not me.outcome.ok,
            len(self.survey.astray) / 10,
            len(me.belief.area) / 10_000,
        )

    def thing(self, name: str) -> Row:
        where, spot = self.value("where", name), self.value("spot", name)
        lies = isinstance(where, str) and isinstance(spot, tuple) and where != self.me.name
        at = (spot[0], spot[1]) if lies and isinstance(spot, tuple) else self.pose[:2]
        reach: Any = self.me.look("reach", self.me.name)
        return (
            lies or where == self.me.name,
            where == self.me.name,
            isinstance(where, str) and where != self.me.name and self.value("holding", where) == name,
            name in self.seen,
            *(self.offset(*at) if lies else (0.0, 0.0)),
            lies and math.dist(at, self.pose[:2]) <= reach,
            not _lifts(self.me, name),
            name in self.survey.astray,
            lies and bool(self._homes(name)),
            name in getattr(self.value("goal"), "things", ()),
            isinstance(self.value("reported", name), str),
        )

    def piece(self, name: str) -> Row:
        box: Any = self.value("box", name)
        reach: Any = self.me.look("reach", self.me.name)
        return (
            name in self.seen,
            *self.offset(box[0], box[1]),
            to_box(self.pose[0], self.pose[1], box) <= reach,
            self.me.look("receptacle", name) is True,
            box[6] / 2,
            name in self.homes,
            self.lying.get(name, 0) / 10,
        )

    def room(self, name: str) -> Row:
        odds = self.survey.odds(name)
        known = int((self.me.belief.area.cells == number_of(name)).sum())
        return (
            room_at(self.me.belief, self.pose[0], self.pose[1]) == name,
            *(odds[kind] for kind in ROOM_KINDS),
            known / 1000,
            len(self.survey.rooms.get(name, ())) / 10,
        )

    def robot(self, name: str) -> Row:
        pose: Any = self.value("pose", name)
        known = isinstance(pose, tuple)
        return (
            name in self.me.heartbeat,
            known,
            *(self.offset(pose[0], pose[1]) if known else (0.0, 0.0)),
            isinstance(self.value("holding", name), str),
        )

    def ground(self) -> NDArray[np.float32]:
        """1 where a robot can go, -1 where something stands, 0 where nothing is known; the robot is in the middle and
        looks to the right, rows run to its right."""
        fine = (np.arange(2 * SIDE) - SIDE + 0.5) * STEP_M / 2  # four looks into each square
        along, aside = fine[None, :], -fine[:, None]
        x = self.pose[0] + along * self.cos - aside * self.sin
        y = self.pose[1] + along * self.sin + aside * self.cos
        area = self.me.belief.area
        columns, rows = (np.floor(v / CELL_M + 1e-6).astype(int) - area.low[i] for i, v in ((0, x), (1, y)))
        high, wide = area.cells.shape
        inside = (columns >= 0) & (rows >= 0) & (columns < wide) & (rows < high)
        if not inside.any():
            return np.zeros((SIDE, SIDE), np.float32)
        cells = np.where(inside, area.cells[np.where(inside, rows, 0), np.where(inside, columns, 0)], 0)
        looks = cells.reshape(SIDE, 2, SIDE, 2)
        blocked, known = (looks == BLOCKED).any(axis=(1, 3)), (looks > 0).any(axis=(1, 3))
        return np.where(blocked, -1.0, known).astype(np.float32)
