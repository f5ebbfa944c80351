"""A real house, seen step by step: things are where robots report them.

The map is the house's: which ground, furniture and doors a robot sees follows from where it says it is. Things it sees
are those it reports, and no others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.action import Action, Outcome
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.reported import Reported, Tracker
from coterie.core.sight import Detection, Sight
from coterie.core.skill import Key
from coterie.houses.model import FLOOR
from coterie.worlds.household.fluents import stepped, to_box
from coterie.worlds.household.perception import Camera, Detections, Eye, Perception, Scene, Seen, Spot
from coterie.worlds.household.perception.observing import bump
from coterie.worlds.household.world import WAYS, HouseholdWorld

SURFACE_M = 0.3  # above or below a surface: what is seen there lies on it
MOVED_M = 0.1  # by which a thing moves before its place is another


class Eyes:
    """Perception of a team of which some report: those see the things that they have reported."""

    def __init__(self, sight: Perception, things: Mapping[str, list[Seen]]):
        self.sight, self.things = sight, things

    def look(self, scene: Scene, eye: Eye, camera: Camera, me: str = "") -> Detections:
        seen = self.sight.look(scene, eye, camera, me)
        return seen._replace(things=self.things[me]) if me in self.things else seen

    def shows(self, scene: Scene, eye: Eye, camera: Camera, points: Sequence[Spot], me: str = "") -> Sequence[bool]:
        return self.sight.shows(scene, eye, camera, points, me)


class RealHousehold(Reported, HouseholdWorld):
    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.kinds = {t.name: t.kind for t in self.setting.house.things}
        self.carried: set[str] = set()  # things that robots have had in their hands
        self.in_view: dict[str, list[Seen]] = {}  # by robot that reports: the things at its last look
        place = lambda thing: (self.truth.get("where", thing), self.truth.get("spot", thing))  # noqa: E731
        self.names = Tracker(lambda: self.kinds, place, self._add, self._forget)
        self.truth.sight = Eyes(self.truth.sight, self.in_view)
        for thing in self.kinds:
            self.truth.facts["where", thing] = None
            self.truth.set(("spot", thing), None)
        self.truth.news.clear()

    def _get(self, pred: str, *args: Any) -> Any:
        if pred == "spoilt":  # by robots; what nobody has touched is where its owner wants it
            moved = [t for t in self.carried if t in self.names.of_task and t not in self.setting.misplaced]
            return sum(not self.truth.get("tidy", t) for t in moved)
        return super()._get(pred, *args)

    # -- what robots report -----------------------------------------------------------------------------------------
    def read(self, robot: str, sight: Sight) -> list[Fact]:
        facts: list[Fact] = []
        if sight.pose is not None:
            looks = self.truth.facts["pose", robot][2:]
            if sight.heading_deg is not None:  # on the lattice on which turns are planned
                heading = round(sight.heading_deg / self.steps.turn) * self.steps.turn % 360.0
                looks = (heading, sight.tilt_deg or 0.0)
                facts.append(self.fact(robot, ("pose", robot), (*sight.pose, *looks)))
            if self.truth.facts["pose", robot] != (*sight.pose, *looks):
                self.truth.set(("pose", robot), (*sight.pose, *looks))
        most = self.truth.cards[robot].battery_steps
        if sight.battery is not None and most is not None:
            self.note(robot, ("battery", robot), round(sight.battery * most))
            facts.append(self.fact(robot, ("battery", robot), round(sight.battery * most)))
        if sight.holds is not None:
            held = self.grasp(robot, sight.holds, self.truth.facts["pose", robot][:2], self.names)
            if held is not None:
                self._place(robot, held, robot, None)
                self.carried.add(held)
            facts.append(self.fact(robot, ("holding", robot), self.truth.facts["holding", robot]))
        self.in_view[robot] = self._see(robot, sight)
        return facts + [self.fact(robot, ("where", s.name), s.on) for s in self.in_view[robot]]

    def _add(self, name: str, kind: str, mass_kg: float | None) -> None:
        self.kinds[name] = self.truth.facts["kind", name] = kind

    def _forget(self, thing: str) -> None:
        self.lose(thing)
        del self.kinds[thing]

    def _see(self, robot: str, sight: Sight) -> list[Seen]:
        held = {h for r in self.truth.cards if (h := self.truth.facts["holding", r]) is not None}
        found: dict[str, Seen] = {}
        for d in self.names.in_order(sight.things, held):
            name = self.names.seen(d, {*held, *found})
            found[name] = Seen(name, self._on(d), d.at)
            self._place(robot, name, found[name].on, d.at)
        for thing in [t for t in self.kinds if t not in found and self.truth.get("where", t) in sight.places]:
            self.lose(thing, robot)
        return list(found.values())

    def _on(self, d: Detection) -> str:
        """The piece of furniture under a thing, or the floor."""
        x, y, z = d.at
        under = [(abs(z - p.surface_m), p.name) for p in self.setting.house.furniture
                 if to_box(x, y, self.truth.get("box", p.name)) <= 0.05]  # fmt: skip
        return min(under)[1] if under and min(under)[0] <= SURFACE_M else FLOOR

    def _place(self, robot: str, thing: str, on: str, spot: Spot | None) -> None:
        before = self.truth.get("where", thing), self.truth.get("spot", thing)
        if before[0] == on and spot is not None and before[1] is not None and math.dist(before[1], spot) < MOVED_M:
            return
        if before[1] is not None:
            self.observing.leave(thing, *before)
        self.note(robot, ("where", thing), on)
        self.note(robot, ("spot", thing), spot)

    def lose(self, thing: str, robot: str = "") -> None:
        """Nobody knows where a thing is."""
        on, spot = self.truth.get("where", thing), self.truth.get("spot", thing)
        if spot is not None:
            self.observing.leave(thing, on, spot)
        self.note(robot, ("where", thing), None)
        self.note(robot, ("spot", thing), None)

    def value(self, key: Key) -> Any:
        return self.truth.facts.get(key, UNKNOWN)

    def learn(self, key: Key, value: Any) -> None:
        if key[0] == "pose":  # where it is is reported; which way it looks may not be
            value = (*self.truth.facts[key][:2], *value[2:])
        self.truth.set(key, value)

    # -- interface --------------------------------------------------------------------------------------------------
    def accept(self, outcome: Outcome) -> Outcome:
        robot = outcome.robot
        if robot not in self.seen:
            return super().accept(outcome)
        ended = self.ended(outcome)
        if ended.cause is not None and ended.cause.clause == "blocked" and outcome.action.skill in WAYS:
            way = WAYS[outcome.action.skill]
            if self.truth.get("in_way", robot, way) not in self.truth.cards:  # something that may be on no map
                to = stepped(self.truth.facts["pose", robot], way, self.steps)
                ended = ended._replace(facts=(self.fact(robot, ("area", robot), bump(to)),))
        if not outcome.ok and outcome.action.skill == "PickUp":  # what it reached for and does not see is not there
            seen = {s.name for s in self.in_view.get(robot, ())}
            for thing in {*outcome.action.args} & self.kinds.keys() - seen:
                self.lose(thing, robot)
        if self.truth.facts["stopped", robot]:
            self.resting.add(robot)
        if not self.perceives(robot, ("battery", robot)):
            self._use_battery(robot)
        return ended

    def guide(self, robot: str, action: Action) -> tuple[Fact, ...]:
        """Where what an action names is: kinds and positions of things, and the middle of furniture."""
        found: list[Fact] = []
        for arg in [a for a in action.args if isinstance(a, str)]:
            piece, spot = self.setting.house.piece.get(arg), self.truth.get("spot", arg)
            if arg in self.kinds:
                found.append(Fact("kind", (arg,), self.kinds[arg], self.now, "map"))
            if arg in self.kinds and spot is not None:
                found.append(Fact("spot", (arg,), spot, self.now, "map"))
            if piece is not None:
                x, y, *_ = self.truth.get("box", arg)
                found.append(Fact("centre", (arg,), (x, y, piece.surface_m), self.now, "map"))
        return tuple(found)

    def start_data(self) -> dict[str, Any]:
        unseen = [[t.name, t.kind, "", "", ()] for t in self.setting.house.things]
        return {**super().start_data(), "things": unseen}

    def snapshot(self) -> bytes:
        return self.packed(super().snapshot(), dict(self.kinds), sorted(self.carried), dict(self.in_view))

    def restore(self, data: bytes) -> None:
        state, (kinds, carried, in_view) = self.unpacked(data)
        super().restore(state)
        self.kinds, self.carried = dict(kinds), set(carried)
        self.in_view.clear()
        self.in_view.update({robot: [Seen(*s) for s in seen] for robot, seen in in_view.items()})
