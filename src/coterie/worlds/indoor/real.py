"""A real house: nothing is simulated. What is known of it is what its robots report.

The map (rooms, doors, furniture) is given, as it is to a robot that localises itself in it. Where things are, what is
open, and where robots stand and what they hold is known from the reports of their drivers alone; the goal is judged on
these. Robots of the team that have no driver are simulated, on what the others have reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from coterie.core.action import WAIT, Action, Outcome
from coterie.core.causes import by_driver
from coterie.core.effects import outcome_of
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.looking import JUDGE
from coterie.core.protocol import Ask, Reply
from coterie.core.sight import Detection, Sight
from coterie.core.wire import pack, unpack
from coterie.core.world import ACCIDENT, Observation
from coterie.houses.scene import dist, nearest_in
from coterie.worlds.indoor.eyes import Eyes
from coterie.worlds.indoor.fluents import BESIDE_M, POSE_TOLERANCE_M
from coterie.worlds.indoor.setting import Thing
from coterie.worlds.indoor.skills import skills
from coterie.worlds.indoor.state import HouseState
from coterie.worlds.indoor.world import IndoorWorld

SAME_M = 0.5  # a thing of the same kind that is seen this near to where one was is that one
USUAL_KG = 0.2  # of what nobody has weighed


class Tracker:
    """Names detections. What has no counterpart in the task gets a new name; such a name is provisional: it is given up
    when a thing of the task turns out to be missing, as that one was seen before the robot that held it said so."""

    def __init__(self, house: HouseState, forget: Callable[[str], None]):
        self.house, self._forget = house, forget
        self.of_task = frozenset(house.things)

    def in_order(self, seen: Iterable[Detection], taken: Collection[str]) -> list[Detection]:
        """Detections that carry a name first, then those nearest to where a thing was: these keep their names."""
        return sorted(seen, key=lambda d: (not d.name, self._nearest(d.kind, d.at, taken)[0], d))

    def seen(self, d: Detection, taken: Collection[str]) -> str:
        """Return the name of a thing that is seen; `taken` are names of other things in view, or held."""
        if d.name:
            return d.name if d.name in self.house.things else self._new(d.name, d.kind, d.mass_kg)
        return self._known(d.kind, d.at, taken) or self._new("", d.kind, d.mass_kg)

    def held(self, word: str, pose: tuple[float, ...], taken: Collection[str]) -> str:
        """Return the name of what a robot at `pose` has in its gripper, which it calls by a name or a kind."""
        if word in self.house.things:
            return word
        free = self._free(word, taken)
        return self._known(word, pose, taken) or (free[0] if free else self._new("", word, None))

    def _known(self, kind: str, at: tuple[float, ...], taken: Collection[str]) -> str:
        """The nearest thing of its kind, else one of the task that is nowhere else; empty: there is none."""
        gap, near = self._nearest(kind, at, taken)
        near = near if gap <= SAME_M else ""
        missing = self._missing(kind, taken)
        if near in self.of_task or not missing:
            return near
        if near:  # a provisional name
            self._forget(near)
        return missing

    def _nearest(self, kind: str, at: tuple[float, ...], taken: Collection[str]) -> tuple[float, str]:
        spots = [(self.house.truth["spot", t], t) for t in self._free(kind, taken)]
        return min(((math.dist(s[: len(at)], at), t) for s, t in spots if s is not None), default=(math.inf, ""))

    def _missing(self, kind: str, taken: Collection[str]) -> str:
        """A thing that nobody has seen yet, else one of the task that is not where it was seen; empty: none is."""
        truth, free = self.house.truth, self._free(kind, taken)
        unseen = [t for t in free if truth["spot", t] is None]
        lost = [t for t in free if truth["where", t] is None and t in self.of_task]
        return next(iter((*unseen, *lost)), "")

    def _free(self, kind: str, taken: Collection[str]) -> list[str]:
        return [t for t, x in self.house.things.items() if x.kind == kind and t not in taken]

    def _new(self, name: str, kind: str, mass_kg: float | None) -> str:
        things = self.house.things
        name = name or next(n for i in range(len(things) + 1) if (n := f"{kind}_{i}") not in things)
        things[name] = Thing(name, kind, USUAL_KG if mass_kg is None else mass_kg)
        self.house.truth["spot", name] = None
        return name


BELOW_M, ABOVE_M = 0.25, 0.6  # of a surface: what is seen there lies on it
ON_PLATFORM_M = {"panel": 0.1}  # from the middle of a platform: what is seen there lies on it
TRAY_M = 0.2
CLEAR_M = 0.1  # between things on a surface


class RealHouse(IndoorWorld):
    """A house whose truth is what robots have reported. `truth["where", thing]` is None for what nobody has seen."""

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.tracker = Tracker(self, self._forget)
        self.eyes: Eyes | None = None  # where a model says what things are in pictures
        self.seen: dict[str, list[Fact]] = {}  # by robot that reports: what it saw at its last look
        for thing in self.things:
            self._lose(thing)
            self.truth["spot", thing] = None
        self._traced.clear()

    # -- what robots report -----------------------------------------------------------------------------------------
    def sense(self, robot: str, sight: Sight) -> None:
        """Take in what a robot reports."""
        if robot not in self.cards:
            return  # it has left
        self._locate(robot, sight)
        if sight.battery is not None and (most := self.cards[robot].battery_steps) is not None:
            self._put(("used", robot), round((1 - sight.battery) * most))
        if sight.holds is not None:
            self._grasp(robot, sight.holds)
        facts = [Fact("open", (name,), is_open, self.now, robot) for name, is_open in self._opened(sight)]
        for fact in facts:
            self._put(("open", *fact.args), fact.value)
        self.seen[robot] = [*facts, *self._see(robot, sight)]
        if sight.picture is not None and self.eyes is not None:
            self.eyes.show(robot, sight.picture)

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

    def _put(self, key: tuple[str, ...], value: Any) -> None:
        if self.truth.get(key, UNKNOWN) != value:
            self.set(key, value)

    def _locate(self, robot: str, sight: Sight) -> None:
        if sight.pose is None or self.cards[robot].mobility == "fixed":
            return
        self._put(("pose", robot), sight.pose)
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
        self._put(("at", robot), at)
        self._put(("stand", robot), stand)

    def _opened(self, sight: Sight) -> list[tuple[str, bool]]:
        return [(name, is_open) for name, is_open in sight.open if ("open", name) in self.truth]

    def _grasp(self, robot: str, holds: str) -> None:
        """Take in the content of a gripper: a name, or the kind of the nearest such thing."""
        before: Any = self.truth["holding", robot]
        if before is not None and holds in (before, self.things[before].kind):
            return
        others = {h for r in self.cards if r != robot and (h := self.truth["holding", r]) is not None}
        held = self.tracker.held(holds, self.truth["pose", robot], others) if holds else None
        if before is not None and self.truth["where", before] == robot:  # and nobody has taken it since
            self._lose(before)
        if held is not None:
            self._put(("where", held), robot)
        self._put(("holding", robot), held)

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
                self._lose(gone)
        for name in sorted(found, key=lambda n: spots[n][2]):  # a stack is told from its bottom
            self._put(("where", name), found[name])
            self._put(("spot", name), spots[name])
        facts = [
            Fact("contents", (place,), tuple(n for n in self.inside.get(place, ())), self.now, robot) for place in whole
        ]
        for name, place in found.items():
            about = {"where": place, "spot": spots[name], "mass": self.things[name].mass_kg}
            facts += [Fact(pred, (name,), value, self.now, robot) for pred, value in about.items()]
        return facts

    def _lose(self, thing: str) -> None:
        """Nobody knows where a thing is."""
        old = self.truth.get(("where", thing))
        if old is not None:
            self.inside[old].remove(thing)
            self.version += 1
        self.truth["where", thing] = None
        self._traced["where", thing] = None

    def _forget(self, thing: str) -> None:
        """Give up the name of a thing: it was another one."""
        self._lose(thing)
        del self.things[thing]

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
        if not outcome.ok:
            return by_driver(outcome)
        goal = self.scene.stand_poses.get(tuple(action.args[:2])) if action.skill == "navigate" else None
        if goal is not None and dist(goal, self.truth["pose", robot]) <= POSE_TOLERANCE_M:
            self._put(("at", robot), action.args[0])  # of several stands near to it the one that it was sent to
            self._put(("stand", robot), action.args[1])
        odd = self._contradiction(outcome)
        if odd:
            self.truth[ACCIDENT, robot] = odd
            self._traced[ACCIDENT, robot] = None
            return outcome._replace(reason=f"{outcome.reason} {odd}".strip())
        return outcome

    def guide(self, robot: str, action: Action) -> tuple[Fact, ...]:
        """Where what an action names is: kinds and positions of things, stand poses, and the middle of surfaces."""
        found: list[Fact] = []
        for i, arg in enumerate(action.args):
            thing, platform = self.things.get(arg), self.fluents.platforms.get(arg)
            f = self.scene.piece.get(arg)
            if thing is not None:
                found += [self._known("kind", arg, thing.kind), self._known("spot", arg, self.truth["spot", arg])]
            elif platform is not None:
                found.append(self._known("centre", arg, (*platform.centre, platform.height_m)))
            elif f is not None:
                found.append(self._known("centre", arg, (*f.centre, f.surface_m)))
            stand = self.scene.stand_poses.get(tuple(action.args[i : i + 2])) if i + 1 < len(action.args) else None
            if stand is not None:
                found.append(self._known("stand_pose", arg, stand))
        if action.skill == "place" and len(action.args) == 2 and action.args[1] not in self.things:
            found.append(self._known("free_spot", action.args[1], self._free_spot(robot, action.args[1])))
        return tuple(f for f in found if f.value is not None)

    def _free_spot(self, robot: str, place: str) -> tuple[float, float, float] | None:
        lying = [s for t in self.inside.get(place, ()) if (s := self.truth["spot", t]) is not None]
        spots = self.fluents.free_spots(self.look, self.cards[robot], self.truth["pose", robot], place)
        return next((s for s in spots if place in self.fluents.platforms or _clear(s, lying)), None)

    def _known(self, pred: str, name: str, value: object) -> Fact:
        return Fact(pred, (name,), value, self.now, "map")

    def _contradiction(self, outcome: Outcome) -> str:
        """A sentence about an effect of a done action that is reported otherwise; empty: there is none."""
        skill = skills.find(outcome.action.skill)
        bound = None if skill is None else skill.bind(outcome.robot, outcome.action.args)
        if skill is None or bound is None:
            return ""
        expected = outcome_of(skill, bound, self.look)
        for key, value in expected.items():
            if key[0] not in ("holding", "open", "at"):
                continue
            reported = self.truth.get(key, value)
            if reported != value:
                what = {"holding": "holds", "open": "is open:", "at": "is at"}[key[0]]
                return f"But {key[1]} {what} {_said(reported)}, as is reported, and not {_said(value)}."
        return ""

    def snapshot(self) -> bytes:
        more = [(t.name, t.kind, t.mass_kg, t.colour, t.shape, t.holds) for t in self.things.values()]
        return pack((super().snapshot().decode(), {r: tuple(f) for r, f in self.seen.items()}, tuple(more)))

    def restore(self, data: bytes) -> None:
        state, seen, things = unpack(data)
        super().restore(state.encode())
        self.seen = {robot: list(facts) for robot, facts in seen.items()}
        self.things = {row[0]: Thing(*row) for row in things}

    def start_data(self) -> dict[str, Any]:
        unseen = [[t.name, t.kind, t.colour, "", ()] for t in self.things.values()]
        return {**super().start_data(), "things": unseen}


def _clear(spot: tuple[float, ...], others: Iterable[tuple[float, ...]]) -> bool:
    return all(dist(spot[:2], other[:2]) >= CLEAR_M for other in others)  # type: ignore[arg-type]


def _said(value: Any) -> str:
    return "nothing" if value is None else str(value)
