"""Observations of a robot: itself, the goal, and what its camera shows, where it takes itself to be.

Facts carry the time since which they have been so and are made once, so that seeing the same again costs little. What
is missed, what is seen that is not there and how odometry drifts depend on the seed, the robot and the moment alone:
looking twice changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from coterie.core.area import Patch
from coterie.core.facts import Fact
from coterie.core.seeds import rng_of
from coterie.core.task import Goal
from coterie.core.world import Observation
from coterie.houses.floor import Floor
from coterie.houses.model import FLOOR
from coterie.houses.placement import kinds
from coterie.worlds.household.bodies import RESIDENT
from coterie.worlds.household.perception import BLOCKED, CELL_M, Camera, Detections, Eye, Seen, Spot
from coterie.worlds.household.perception.casting import rooms_in_cells
from coterie.worlds.household.setting import Noise
from coterie.worlds.household.truth import Truth

if TYPE_CHECKING:
    from coterie.worlds.household.perception.vision import Vision

OWN = ("pose", "holding", "battery", "stopped")  # what a robot feels of itself
ONCE = ("arm", "payload", "tilt_range")  # and knows from the beginning
DONE = ("where", "spot", "reported")  # and of what it did to things
SLIGHT_M = 0.02  # above the floor or a surface: where an empty place is looked at


class Left(NamedTuple):
    """A place where a thing was and is not any more, or seemed to be and never was."""

    thing: str
    on: str
    spot: Spot


class Observing:
    def __init__(self, truth: Truth, noise: Noise):
        self.truth, self.noise = truth, noise
        self.left: list[Left] = []
        self.drift: dict[str, tuple[float, float]] = {}  # robot -> by how much it is wrong about where it is
        self.vision: Vision | None = None  # where a model says what things are in view
        self._facts: dict[str, dict[Any, tuple[Fact, ...]]] = {}  # robot -> what was made for it, by what it is of
        self._own: dict[str, dict[str, Fact]] = {}
        self._felt: dict[str, int] = {}  # robot -> how much had become true of it when that was made
        self._told: tuple[Goal, tuple[Fact, ...]] | None = None

    def forget(self) -> None:
        """After going back in time."""
        self._facts.clear()
        self._own.clear()
        self._felt.clear()

    # -- a look ---------------------------------------------------------------------------------------------------
    def observe(self, robot: str, now: float, heartbeat: tuple[str, ...], goal: Goal) -> Observation:
        truth = self.truth
        eye, camera = truth.eye(robot), truth.camera(robot)
        seen = truth.sight.look(truth.scene, eye, camera, robot)
        if self.vision is not None:
            seen = seen._replace(things=self.vision.things(truth.scene, eye, camera, robot))
        things = self._detected(robot, seen, eye, camera, now) if self.noise.any else seen.things
        made = self._facts.setdefault(robot, {})
        facts = [*self.itself(robot).values()]
        for name in seen.pieces:
            facts += made.get(name) or self._piece(robot, name)
        for name in seen.doors:
            facts += made.get(name) or self._door(robot, name)
        for thing in things:
            facts += made.get(thing) or self._thing(robot, thing)
        for name in seen.robots:
            facts += self._robot(robot, name, now)
        facts += self._asked(goal)
        area = seen.area
        if now == 0.0 and truth.cards[robot].body == RESIDENT:
            facts += self._home(robot)
            area = Patch.joined([area, whole_ground(truth.floor)])
        if self.drift:
            dx, dy = self.drift.get(robot, (0.0, 0.0))
            area = area.moved(round(dx / CELL_M), round(dy / CELL_M))
        gone = self._gone(robot, eye, camera, things, now) if self.left else ()
        return Observation(robot, now, tuple(facts), heartbeat, area, gone)

    def _home(self, robot: str) -> list[Fact]:
        """All that a resident knows of the house: furniture, doors, and where things lie."""
        house, scene, made = (
            self.truth.house,
            self.truth.scene,
            [f for d in self.truth.house.doors for f in self._door(robot, d.name)],
        )
        for piece in house.furniture:
            made += self._piece(robot, piece.name)
        for thing in house.things:
            lying = scene.lying(thing.name)
            made += () if lying is None else self._thing(robot, Seen(thing.name, *lying))
        return made

    def _asked(self, goal: Goal) -> tuple[Fact, ...]:
        """The goal, as robots are told of it."""
        if self._told is None or self._told[0] is not goal:
            facts = tuple(Fact(f.pred, f.args, f.value, 0.0, "task") for f in goal.facts())
            self._told = goal, facts
        return self._told[1]

    def itself(self, robot: str) -> dict[str, Fact]:
        """Facts that a robot feels of itself; facts that hold as before are the same ones."""
        own, touched = self._own.get(robot), self.truth.touched.get(robot, 0)
        if own is None:
            get = self.truth.get
            own = self._own[robot] = {p: Fact(p, (robot,), get(p, robot), 0.0, robot) for p in ONCE}
        elif not self.drift and self._felt.get(robot) == touched:
            return own
        self._felt[robot] = touched
        facts = self.truth.facts
        for pred in OWN:
            value, fact = facts[pred, robot], own.get(pred)
            if pred == "pose" and self.drift:
                value = (*self.shifted(robot, value[:2]), *value[2:])
            if fact is None or fact.value != value:
                since = self.truth.times[pred, robot]
                own[pred] = Fact(pred, (robot,), value, since, robot)
                if pred == "holding":
                    own.pop("held", None)
                    if value is not None:
                        own["held"] = Fact("where", (value,), robot, since, robot)
        return own

    def effects(self, robot: str, changed: Mapping[Any, Any], now: float) -> tuple[Fact, ...]:
        """Facts about things that a robot has just moved: it knows where it laid them."""
        found = []
        for (pred, name), value in changed.items():
            if pred in DONE and name != robot:
                place = self.seen_at(robot, value) if pred == "spot" and value is not None else value
                found.append(Fact(pred, (name,), place, now, robot))
        return tuple(found)

    def seen_at(self, robot: str, spot: Spot) -> tuple[float, ...]:
        """A spot as a robot notes it."""
        return tuple(round(v, 2) for v in self.shifted(robot, spot))

    def shifted(self, robot: str, at: Sequence[float]) -> tuple[float, ...]:
        """A place as a robot takes it to be, which is wrong about where it is itself."""
        dx, dy = self.drift.get(robot, (0.0, 0.0)) if self.drift else (0.0, 0.0)
        return tuple(at) if not (dx or dy) else (round(at[0] + dx, 3), round(at[1] + dy, 3), *at[2:])

    # -- what is seen, as facts -----------------------------------------------------------------------------------
    def _keep(self, robot: str, what: Any, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
        if not self.drift:  # who is wrong about where it is sees everything elsewhere the next time
            self._facts[robot][what] = facts
        return facts

    def _piece(self, robot: str, name: str) -> tuple[Fact, ...]:
        truth, args = self.truth, (name,)
        piece, box = truth.house.piece[name], truth.get("box", name)
        shown = {"kind": piece.kind, "box": self.shifted(robot, box), "in_room": truth.rooms[piece.room]}
        return self._keep(robot, name, tuple(Fact(p, args, v, 0.0, robot) for p, v in shown.items()))

    def _door(self, robot: str, name: str) -> tuple[Fact, ...]:
        truth = self.truth
        door = next(d for d in truth.house.doors if d.name == name)
        middle = round((door.a[0] + door.b[0]) / 2, 2), round((door.a[1] + door.b[1]) / 2, 2)
        rooms = tuple(truth.rooms.get(r, "") for r in door.rooms)
        joins = Fact("joins", (name,), (*rooms, *self.shifted(robot, middle)), 0.0, robot)
        return self._keep(robot, name, (joins,))

    def _thing(self, robot: str, thing: Seen) -> tuple[Fact, ...]:
        name, on, spot = thing
        known, since = self.truth.house.thing.get(name), self.truth.times.get(("spot", name), 0.0)
        kind = known.kind if known is not None else _kind_of(name)
        place = self.seen_at(robot, spot)
        facts = (
            Fact("kind", (name,), kind, 0.0, robot),
            Fact("where", (name,), on, since, robot),
            Fact("spot", (name,), place, since, robot),
        )
        return self._keep(robot, thing, facts)

    def _robot(self, robot: str, name: str, now: float) -> tuple[Fact, ...]:
        pose, held = self.truth.facts["pose", name], self.truth.facts["holding", name]
        facts = [
            Fact("pose", (name,), self.shifted(robot, pose), now, robot),
            Fact("holding", (name,), held, now, robot),
        ]
        if held is not None:
            facts.append(Fact("where", (held,), name, now, robot))
        return tuple(facts)

    # -- what is not there any more -------------------------------------------------------------------------------
    def leave(self, thing: str, on: str, spot: Spot) -> None:
        self.left.append(Left(thing, on, spot))

    def _gone(self, robot: str, eye: Eye, camera: Camera, things: Sequence[Seen], now: float) -> tuple[Fact, ...]:
        """Places that are looked at and empty. A robot that believed something there lets go of it."""
        (x, y, _, _), far = eye, camera.range_m + 0.01  # further off nobody tells anything apart
        near = [left for left in self.left if abs(left.spot[0] - x) <= far and abs(left.spot[1] - y) <= far]
        if not near:
            return ()
        truth, here = self.truth, {t.name: t for t in things}
        places = [left for left in near if not _lies(here.get(left.thing), left.spot)]
        points = [(x, y, z + SLIGHT_M) for _, _, (x, y, z) in places]
        found: list[Fact] = []
        for left, empty in zip(places, truth.sight.shows(truth.scene, eye, camera, points, robot)):
            if empty:
                spot = self.seen_at(robot, left.spot)
                found.append(Fact("spot", (left.thing,), spot, now, robot))
                if here.get(left.thing) is None or here[left.thing].on != left.on:
                    found.append(Fact("where", (left.thing,), left.on, now, robot))
        return tuple(found)

    # -- noise ----------------------------------------------------------------------------------------------------
    def _detected(self, robot: str, seen: Detections, eye: Eye, camera: Camera, now: float) -> list[Seen]:
        noise, seed, moment = self.noise, self.truth.seed, round(now, 6)
        things = [
            t for t in seen.things
            if noise.miss <= 0 or rng_of(seed, "miss", robot, t.name, moment).random() >= noise.miss
        ]  # fmt: skip
        ghost = self.ghost(robot, moment)
        if ghost is not None:
            things.append(ghost)
        return things

    def ghost(self, robot: str, moment: float) -> Seen | None:
        """A thing that a robot sees at a moment and that is not there."""
        noise, truth = self.noise, self.truth
        rng = rng_of(truth.seed, "ghost", robot, moment)
        if noise.false <= 0 or rng.random() >= noise.false:
            return None
        pose = truth.facts["pose", robot]
        angle, far = math.radians(pose[2] + rng.uniform(-30, 30)), rng.uniform(1.0, 3.0)
        x, y = pose[0] + far * math.cos(angle), pose[1] + far * math.sin(angle)
        if truth.floor.blocked[truth.floor.cell((x, y))]:
            return None
        kind = rng.choice(sorted(name for name, k in kinds().items() if k.thing))
        return Seen(f"{kind.lower()}_ghost_{robot}_{moment:g}", FLOOR, (round(x, 2), round(y, 2), 0.0))

    def drifted(self, robot: str, moment: float) -> None:
        """A step leads a robot to take itself to be elsewhere."""
        if self.noise.drift > 0:
            rng, (dx, dy) = rng_of(self.truth.seed, "drift", robot, round(moment, 6)), self.drift.get(robot, (0.0, 0.0))
            self.drift[robot] = (dx + rng.gauss(0, self.noise.drift), dy + rng.gauss(0, self.noise.drift))


def whole_ground(floor: Floor) -> Patch:
    """All the ground of a house, as one knows it who lives there."""
    low, cells = rooms_in_cells(floor)
    rows, columns = floor.walls.nonzero()
    at = [np.floor(v / CELL_M + 1e-6).astype(int) - low[i] for i, v in ((1, floor.ys[rows]), (0, floor.xs[columns]))]
    cells[np.clip(at[0], 0, len(cells) - 1), np.clip(at[1], 0, cells.shape[1] - 1)] = BLOCKED
    return Patch(low, cells)


def _lies(seen: Seen | None, spot: Spot) -> bool:
    """True if a thing is seen where it is said to have been: laid down there again."""
    return seen is not None and math.dist(seen.spot[:2], spot[:2]) < 0.05


def _kind_of(name: str) -> str:
    """The kind that a thing which is not there seems to be of."""
    short = name.partition("_ghost_")[0]
    return next((k for k in kinds() if k.lower() == short), short)


def bump(pose: Sequence[float]) -> Patch:
    """The ground that a robot could not step on."""
    return Patch.of([math.floor(pose[0] / CELL_M)], [math.floor(pose[1] / CELL_M)], [BLOCKED])
