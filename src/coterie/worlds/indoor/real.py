"""A real house: nothing is simulated. What is known of it is what its robots report.

The map (rooms, doors, furniture) is given, as it is to a robot that localises itself in it. Where things are, what is
open, and where robots stand and what they hold is known from the reports of their drivers alone; the goal is judged on
these. Robots of the team that have no driver are simulated, on what the others have reported.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.action import WAIT, Outcome
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.looking import JUDGE
from coterie.core.protocol import Ask, Reply
from coterie.core.reported import Reported, Tracker
from coterie.core.sight import Sight
from coterie.core.skill import Key
from coterie.core.world import ACCIDENT, Observation
from coterie.houses.scene import dist, nearest_in
from coterie.worlds.indoor.eyes import Eyes
from coterie.worlds.indoor.fluents import BESIDE_M, POSE_TOLERANCE_M
from coterie.worlds.indoor.setting import Thing
from coterie.worlds.indoor.world import CLEAR_M, IndoorWorld

USUAL_KG = 0.2  # of what nobody has weighed


BELOW_M, ABOVE_M = 0.25, 0.6  # of a surface: what is seen there lies on it
ON_PLATFORM_M = {"panel": 0.1}  # from the middle of a platform: what is seen there lies on it
TRAY_M = 0.2


class RealHouse(Reported, IndoorWorld):
    """A house whose truth is what robots have reported. `truth["where", thing]` is None for what nobody has seen."""

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        kinds = lambda: {name: thing.kind for name, thing in self.things.items()}  # noqa: E731
        place = lambda thing: (self.truth["where", thing], self.truth["spot", thing])  # noqa: E731
        self.tracker = Tracker(kinds, place, self._add, self._forget)
        self.eyes: Eyes | None = None  # where a model says what things are in pictures
        for thing in self.things:
            self.lose(thing)
            self.truth["spot", thing] = None
        self._traced.clear()

    # -- what robots report -----------------------------------------------------------------------------------------
    def read(self, robot: str, sight: Sight) -> list[Fact]:
        self._locate(robot, sight)
        if sight.battery is not None and (most := self.cards[robot].battery_steps) is not None:
            self.note(robot, ("used", robot), round((1 - sight.battery) * most))
        if sight.holds is not None:
            held = self.grasp(robot, sight.holds, self.truth["pose", robot], self.tracker)
            if held is not None:
                self.note(robot, ("where", held), robot)
        facts = [self.fact(robot, ("open", name), is_open) for name, is_open in self._opened(sight)]
        for fact in facts:
            self.note(robot, ("open", *fact.args), fact.value)
        if sight.picture is not None and self.eyes is not None:
            self.eyes.show(robot, sight.picture)
        return [*facts, *self._see(robot, sight)]

    def value(self, key: Key) -> Any:
        return self.truth.get(key, UNKNOWN)

    def learn(self, key: Key, value: Any) -> None:
        if key[0] == ACCIDENT:
            self.truth[key] = value
            self._traced[key] = None
        else:
            self.set(key, value)

    def perceives(self, robot: str, key: Key) -> bool:
        return True  # a house is known by what robots see in it, whatever they have done

    def looks(self, robots: Sequence[str], step: int) -> list[Ask]:
        """Requests to the model that says what pictures of robots show; none where none is asked."""
        return [] if self.eyes is None else self.eyes.asks(robots, step)

    def looked(self, asks: Sequence[Ask], replies: Sequence[Reply]) -> dict[str, Outcome]:
        """Take in what the model said. Outcomes that it judged are given back, as their robots are to hear of them."""
        assert self.eyes is not None
        heard = {}
        for ask, reply in zip(asks, replies, strict=True):
            if ask.stage == JUDGE:
                heard[ask.robot] = self.eyes.judged(ask.robot, reply.text)
            else:
                self.seen[ask.robot] += self._see(ask.robot, self.eyes.seen(ask.robot, reply.text))
        return heard

    def _locate(self, robot: str, sight: Sight) -> None:
        if sight.pose is None or self.cards[robot].mobility == "fixed":
            return
        self.note(robot, ("pose", robot), sight.pose)
        near = min((dist(p, sight.pose), key) for key, p in self.scene.stand_poses.items())
        before: Any = self.truth["at", robot]
        if before is not None and self.truth["stand", robot] is not None:
            gap = dist(self.scene.stand_poses[before, self.truth["stand", robot]], sight.pose)
            if gap <= POSE_TOLERANCE_M:
                return
        at, stand = near[1] if near[0] <= POSE_TOLERANCE_M else (None, None)
        if at is None and before in self.scene.piece:
            beside = dist(nearest_in(self.scene.piece[before].rect, sight.pose), sight.pose) <= BESIDE_M
            at = before if beside else None
        self.note(robot, ("at", robot), at)
        self.note(robot, ("stand", robot), stand)

    def _opened(self, sight: Sight) -> list[tuple[str, bool]]:
        return [(name, is_open) for name, is_open in sight.open if ("open", name) in self.truth]

    def _see(self, robot: str, sight: Sight) -> list[Fact]:
        """Where things are that a robot sees, and that those are gone which it would see."""
        found: dict[str, str] = {}
        spots: dict[str, tuple[float, float, float]] = {}
        taken = {h for r in self.cards if (h := self.truth["holding", r]) is not None}
        for d in self.tracker.in_order(sight.things, taken):
            name = self.tracker.seen(d, taken)
            taken.add(name)
            found[name], spots[name] = self._place_of(name, d.at), d.at
            if d.mass_kg is not None and not math.isclose(d.mass_kg, self.things[name].mass_kg):
                thing = self.things[name]
                self.things[name] = Thing(name, thing.kind, d.mass_kg, thing.colour, thing.shape, thing.holds)
        whole = [*sight.places, *(p.name for p in self.fluents.platforms.values() if p.on in sight.places)]
        for place in whole:
            for gone in [t for t in self.inside.get(place, ()) if t not in found]:
                self.lose(gone)
        for name in sorted(found, key=lambda n: spots[n][2]):  # a stack is told from its bottom
            self.note(robot, ("where", name), found[name])
            self.note(robot, ("spot", name), spots[name])
        facts = [
            Fact("contents", (place,), tuple(n for n in self.inside.get(place, ())), self.now, robot) for place in whole
        ]
        for name, place in found.items():
            about = {"where": place, "spot": spots[name], "mass": self.things[name].mass_kg}
            facts += [Fact(pred, (name,), value, self.now, robot) for pred, value in about.items()]
        return facts

    def _add(self, name: str, kind: str, mass_kg: float | None) -> None:
        self.things[name] = Thing(name, kind, USUAL_KG if mass_kg is None else mass_kg)
        self.truth["spot", name] = None

    def _forget(self, thing: str) -> None:
        self.lose(thing)
        del self.things[thing]

    def lose(self, thing: str, robot: str = "") -> None:
        """Nobody knows where a thing is."""
        old = self.truth.get(("where", thing))
        if old is not None:
            self.inside[old].remove(thing)
            self.version += 1
        self.truth["where", thing] = None
        self._traced["where", thing] = None

    def _place_of(self, name: str, at: tuple[float, float, float]) -> str:
        """Where a thing is that is seen at a point: where it was, if it has hardly moved, whatever lies near."""
        spot, place = self.truth["spot", name], self.truth["where", name]
        if spot is None or place is None or place in self.cards:
            return self._place(at)
        still = math.dist(spot, at) < CLEAR_M or self._on_platform(place, at, CLEAR_M)
        return str(place) if still else self._place(at)

    def _on_platform(self, name: str, at: tuple[float, float, float], slack_m: float = 0.0) -> bool:
        p = self.fluents.platforms.get(name)
        if p is None:
            return False
        far = dist(at[:2], p.centre)
        return far <= ON_PLATFORM_M.get(p.kind, TRAY_M) + slack_m and abs(at[2] - p.height_m) <= ABOVE_M

    def _place(self, at: tuple[float, float, float]) -> str:
        """The place of a thing: a platform, a piece of furniture, or the floor beside one."""
        x, y, z = at
        on = next((name for name in self.fluents.platforms if self._on_platform(name, at)), None)
        if on is not None:
            return on
        inside = [
            (abs(z - f.surface_m), f.name)
            for f in self.scene.places
            if dist(nearest_in(f.rect, (x, y)), (x, y)) <= 0.1 and -BELOW_M <= z - f.surface_m <= ABOVE_M
        ]
        return min(inside)[1] if inside else self._floor_near((x, y))[0]

    # -- interface --------------------------------------------------------------------------------------------------
    def map(self) -> Mapping[tuple[str, ...], object]:
        return {**super().map(), ("things_move",): True}  # a search never ends: people carry things about

    def observe(self, robot: str) -> Observation:
        if robot not in self.seen:
            return super().observe(robot)  # it is simulated
        facts = (*self.perception.about_itself(robot), *self.perception.status_line(), *self.seen[robot])
        return Observation(robot, self.now, facts, self.perception.others(robot))

    def accept(self, outcome: Outcome) -> Outcome:
        """An action ended as its driver says. Where what robots report does not fit to it, the reason says so."""
        robot, action = outcome.robot, outcome.action
        if robot not in self.seen:
            return super().accept(outcome)
        if self.eyes is not None:
            self.eyes.try_(outcome)
        if self.cards[robot].battery_steps is None:
            self.truth["used", robot] += action.skill != WAIT
        go = outcome.ok and action.skill == "navigate"
        goal = self.scene.stand_poses.get(tuple(action.args[:2])) if go else None
        if goal is not None and dist(goal, self.truth["pose", robot]) <= POSE_TOLERANCE_M:
            self.note(robot, ("at", robot), action.args[0])  # of several stands near to it the one that it was sent to
            self.note(robot, ("stand", robot), action.args[1])
        return self.ended(outcome)

    def snapshot(self) -> bytes:
        more = [(t.name, t.kind, t.mass_kg, t.colour, t.shape, t.holds) for t in self.things.values()]
        return self.packed(super().snapshot(), *more)

    def restore(self, data: bytes) -> None:
        state, things = self.unpacked(data)
        super().restore(state)
        self.things = {row[0]: Thing(*row) for row in things}

    def start_data(self) -> dict[str, Any]:
        unseen = [[t.name, t.kind, t.colour, "", ()] for t in self.things.values()]
        return {**super().start_data(), "things": unseen}
