"""The upper bound in houses: sees the truth, divides what lies astray, and walks the shortest rounds.

Each robot goes from place to place on the floor as it is, with poses that were tried beforehand: from there its camera
shows what it takes, or the furniture that it puts something on. Robots that meet go around each other, or one makes
way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.action import WAIT, Action
from coterie.core.errors import CoterieError
from coterie.core.protocol import Asking, TeamProtocol, TeamView
from coterie.core.task import Change
from coterie.worlds.household.bodies import REPORT, STOP
from coterie.worlds.household.bound import Rounds, eyes_of, shares
from coterie.worlds.household.draw import homes_in, replaced
from coterie.worlds.household.floor import nearest_on
from coterie.worlds.household.goals import Search
from coterie.worlds.household.house import FLOOR, House
from coterie.worlds.household.lattice import FAR, Field, Lattice
from coterie.worlds.household.perception import Eye, camera_of
from coterie.worlds.household.setting import Start
from coterie.worlds.household.world import STEP_S, HouseholdWorld

SPARES = (0.15, 0.05, 0.0)  # the part of their actions that robots keep, as long as there is a division that allows it
MOST_TRIES = 150  # poses that are looked from before the best of the rest is taken
ASIDE = 60.0  # degrees: what is farther to the side is hardly ever in the picture
DETOUR = 8  # actions more than the straight way: rather wait for somebody to pass
PATIENCE = 3  # steps that a robot waits for another
CROWD_M = 0.5  # between the middles of two robots
_WAYS = ("ahead", "left", "back", "right")
_MOVES = {"ahead": "MoveAhead", "left": "MoveLeft", "back": "MoveBack", "right": "MoveRight"}


class Leg(NamedTuple):
    """Where a robot goes next, and what it does there."""

    action: Action
    place: int
    heading: int
    tilt: float
    field: Field  # actions from everywhere to that pose


@dataclass
class Worker:
    """What the plan has for one robot."""

    left: list[str]  # things it still has to see to, the one in its hand included
    leg: Leg | None = None
    bad: set[tuple[str, int, int]] = field(default_factory=set)  # what did not work from which pose
    waited: int = 0


class HouseExpert(TeamProtocol):
    sees = "truth"
    about = "sees the truth and plans for all robots together (upper bound)"
    goals = frozenset({"tidy", "search"})

    def __init__(self) -> None:
        self.workers: dict[str, Worker] = {}
        self.here: tuple[str, ...] = ()
        self.rounds: Rounds | None = None

    def told(self, change: Change) -> None:
        self.here = ()

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        world = team.world
        assert isinstance(world, HouseholdWorld)
        if 90.0 % world.steps.turn > 1e-6:
            raise CoterieError("`expert` turns by right angles; take --steps with a turn that divides 90.")
        if isinstance(world.goal, Search):
            return _reports(world, world.goal, idle)
        if tuple(world.truth.cards) != self.here:
            self._plan(world)
        return {name: self._next(world, name) for name in idle}
        yield []

    # -- the plan -----------------------------------------------------------------------------------------------------
    def _plan(self, world: HouseholdWorld) -> None:
        """Who sees to what, from how things are now. What somebody holds, it puts away itself."""
        truth = world.truth
        self.here = tuple(truth.cards)
        house = _as_it_is(world)
        astray = [t for t in world.setting.astray if not truth.get("tidy", t)]
        astray += [t for t in truth.moved if t not in world.setting.astray and not truth.get("tidy", t)]
        held = {truth.facts["holding", n]: n for n in truth.cards if truth.facts["holding", n]}
        loose = tuple(t for t in astray if t not in held)
        self.rounds = Rounds(house, loose, world.steps)
        able = {n: c for n, c in truth.cards.items() if n not in world.resting}
        cards = {n: replace(c, battery_steps=truth.facts["battery", n]) for n, c in able.items()}
        starts = {n: Start(*truth.facts["pose", n][:3]) for n in able}
        limit = None if world.limit_s is None else round((world.limit_s - world.now) / STEP_S)
        plan = None
        for spare in SPARES:
            plan = plan or shares(self.rounds, cards, starts, limit, spare)
        plan = plan or shares(self.rounds, cards, starts, limit, part=True) or {}
        self.workers = {n: Worker(list(share.things)) for n, share in plan.items()}
        for thing, name in held.items():
            self.workers.setdefault(name, Worker([])).left.insert(0, thing)

    # -- one robot ----------------------------------------------------------------------------------------------------
    def _next(self, world: HouseholdWorld, name: str) -> Action:
        worker = self.workers.get(name)
        if worker is None or not worker.left:
            return self._idle(world, name)
        held = world.truth.facts["holding", name]
        if worker.leg is None:
            worker.leg = self._leg(world, name, worker, held)
        leg = worker.leg
        if leg is None:  # nothing can be done about it any more
            worker.left.pop(0)
            return Action(WAIT)
        pose = world.truth.facts["pose", name]
        heading, place = _state(self._lattice(world), pose)
        if (heading, place) != (leg.heading, leg.place):
            return self._go(world, name, worker, leg)
        if abs(pose[3] - leg.tilt) > 1e-6:
            return Action("LookDown" if pose[3] > leg.tilt else "LookUp")
        worker.leg = None
        if not world.check({name: leg.action})[name].ok:
            worker.waited += 1
            if worker.waited <= PATIENCE:  # somebody may stand between
                worker.leg = leg
                return Action(WAIT)
            worker.bad.add((leg.action.args[0] if leg.action.args else FLOOR, leg.heading, leg.place))
            worker.waited = 0
            return self._next(world, name)
        worker.waited = 0
        if held is not None:
            worker.left.remove(held)
        return leg.action

    def _leg(self, world: HouseholdWorld, name: str, worker: Worker, held: str | None) -> Leg | None:
        """The pose that is best for all that is still to do, of those that show what is to be handled."""
        lattice, truth = self._lattice(world), world.truth
        pose = truth.facts["pose", name]
        start = np.full((4, lattice.size), FAR, np.int32)
        start[_state(lattice, pose)] = 0
        start = lattice.spread(start)
        for action, cost in self._wanted(world, name, worker, held):
            total = start + cost
            order = np.argsort(total, axis=None, kind="stable")
            tried = 0
            for state in order.tolist():
                heading, place = divmod(state, lattice.size)
                if total[heading, place] >= FAR or tried >= MOST_TRIES:
                    break
                what = action.args[0] if action.args else FLOOR
                if (what, heading, place) in worker.bad:
                    continue
                tried += 1
                tilt = self._tilt(world, name, what, lattice, heading, place)
                if tilt is not None:
                    there = np.full((4, lattice.size), FAR, np.int32)
                    there[heading, place] = 0
                    return Leg(action, place, heading, tilt, lattice.spread(there))
        return None

    def _wanted(
        self, world: HouseholdWorld, name: str, worker: Worker, held: str | None
    ) -> Iterator[tuple[Action, Field]]:
        """What could be done next, the best first, with what all the rest costs from each state in which it is done."""
        rounds, truth = self.rounds, world.truth
        assert rounds is not None
        eyes, lattice = eyes_of(truth.cards[name], world.steps), rounds.lattice
        share = sum(1 << i for i, t in enumerate(rounds.astray) if t in worker.left and t != held)
        here = _state(lattice, truth.facts["pose", name])
        if held is None:
            costs = {i: rounds.taking(eyes, share, i) for i in range(len(rounds.astray)) if share >> i & 1}
            best = sorted(costs, key=lambda i: int(lattice.spread(costs[i])[here]))
            yield from ((Action("PickUp", (rounds.astray[i],)), costs[i]) for i in best)
            return
        then = rounds.rest(eyes, share)
        homes = []
        for home in homes_in(world.setting.house, truth.house.thing[held].kind):
            if home != FLOOR and truth.get("free_spot", name, home) is None:
                continue
            cost = np.where(rounds.put_at(truth.house.thing[held], home), then + 1, FAR).astype(np.int32)
            cost = np.where(_faced(rounds, home), cost, FAR).astype(np.int32) if home != FLOOR else cost
            homes.append((int(lattice.spread(cost)[here]), home, cost))
        for _, home, cost in sorted(homes, key=lambda h: h[:2]):
            yield Action("Drop") if home == FLOOR else Action("PutDown", (home,)), cost

    def _tilt(
        self, world: HouseholdWorld, name: str, what: str, lattice: Lattice, heading: int, place: int
    ) -> float | None:
        """A tilt at which a pose shows a thing or a piece, the nearest to the one now; None where none does."""
        truth = world.truth
        card, now = truth.cards[name], truth.facts["pose", name][3]
        if what == FLOOR:
            return float(now)
        alone = truth.scene._replace(robots={})  # who stands there now is gone by then
        x, y = lattice.point(place)
        for tilt in sorted(eyes_of(card, world.steps).tilts, key=lambda t: abs(t - now)):
            seen = truth.sight.look(alone, Eye(x, y, heading * 90.0, tilt), camera_of(card), name)
            if what in seen.pieces or any(t.name == what for t in seen.things):
                return tilt
        return None

    # -- on the way ---------------------------------------------------------------------------------------------------
    def _go(self, world: HouseholdWorld, name: str, worker: Worker, leg: Leg) -> Action:
        lattice, truth = self._lattice(world), world.truth
        heading, place = _state(lattice, truth.facts["pose", name])
        for action, blocked in _steps(world, name, lattice, leg.field, heading, place):
            if blocked is None:
                worker.waited = 0
                return action
        around = self._around(world, name, lattice, leg)
        if around is not None:
            worker.waited = 0
            return around
        worker.waited += 1
        if worker.waited > PATIENCE:
            worker.waited = 0
            return self._aside(world, name)
        return Action(WAIT)

    def _around(self, world: HouseholdWorld, name: str, lattice: Lattice, leg: Leg) -> Action | None:
        """A step on the way around those who stand in the straight one, if that is not much longer."""
        heading, place = _state(lattice, world.truth.facts["pose", name])
        free = _without_others(world, name, lattice)
        there = np.full((4, lattice.size), FAR, np.int32)
        there[leg.heading, leg.place] = 0
        around = lattice.spread(there, free)
        if around[heading, place] > leg.field[heading, place] + DETOUR * (1 + self.workers[name].waited):
            return None
        for action, blocked in _steps(world, name, lattice, around, heading, place):
            if blocked is None:
                return action
        return None

    def _idle(self, world: HouseholdWorld, name: str) -> Action:
        """Done: stop where that is in nobody's way, when nobody else has anything left."""
        busy = [n for n, w in self.workers.items() if w.left and n not in world.resting and n in world.truth.cards]
        if not busy:
            return Action(STOP)
        return self._aside(world, name, busy)

    def _aside(self, world: HouseholdWorld, name: str, busy: Sequence[str] = ()) -> Action:
        """Away from where others want to go; a robot with nothing to do stays where it is in nobody's way."""
        lattice, truth = self._lattice(world), world.truth
        wanted = np.zeros(lattice.size, bool)
        for other in busy or [n for n in self.workers if n != name]:
            wanted |= self._path(world, other)
        heading, place = _state(lattice, truth.facts["pose", name])
        crowded = _near_any(lattice, wanted)
        if busy and not crowded[place]:
            return Action(WAIT)
        goals = np.where(lattice.free & ~crowded, 0, FAR).astype(np.int32)
        field_ = lattice.spread(np.broadcast_to(goals, (4, lattice.size)).copy(), _without_others(world, name, lattice))
        for action, blocked in _steps(world, name, lattice, field_, heading, place):
            if blocked is None:
                return action
        return Action(WAIT)

    def _path(self, world: HouseholdWorld, name: str) -> NDArray[np.bool_]:
        """The places that a robot goes through on its leg, and where it stands."""
        lattice = self._lattice(world)
        found = np.zeros(lattice.size, bool)
        if name not in world.truth.cards:
            return found
        heading, place = _state(lattice, world.truth.facts["pose", name])
        found[place] = True
        worker = self.workers.get(name)
        leg = worker.leg if worker is not None else None
        while leg is not None and 0 < leg.field[heading, place] < FAR:
            heading, place = min(lattice.after(heading, place), key=lambda s: int(leg.field[s]))
            found[place] = True
        return found

    def _lattice(self, world: HouseholdWorld) -> Lattice:
        assert self.rounds is not None
        return self.rounds.lattice


def _reports(world: HouseholdWorld, goal: Search, idle: Sequence[str]) -> dict[str, Action]:
    """Who knows everything has nothing to look for."""
    truth = world.truth
    left = [t for t in goal.things if truth.get("reported", t) != truth.get("where", t)]
    found = {}
    for name in idle:
        found[name] = Action(REPORT, (left[0], truth.get("where", left[0]))) if left else Action(STOP)
        left = left[1:]
    return found


def _as_it_is(world: HouseholdWorld) -> House:
    """The house with things where they lie now."""
    truth = world.truth
    things = []
    for thing in world.setting.house.things:
        lying = truth.scene.lying(thing.name)
        things.append(thing if lying is None else replace(thing, on=lying.on, spot=lying.spot))
    return replaced(world.setting.house, tuple(things))


def _state(lattice: Lattice, pose: Sequence[float]) -> tuple[int, int]:
    return round(pose[2] / 90.0) % 4, lattice.place((pose[0], pose[1]))


def _faced(rounds: Rounds, piece: str) -> NDArray[np.bool_]:
    """(4, places): whether a heading looks towards a piece."""
    lattice = rounds.lattice
    to = nearest_on(rounds.house.piece[piece], lattice.points) - lattice.points
    angle = np.degrees(np.arctan2(to[:, 1], to[:, 0]))
    off = np.abs((angle[None] - np.arange(4)[:, None] * 90.0 + 180.0) % 360.0 - 180.0)
    return off <= ASIDE


def _steps(
    world: HouseholdWorld, name: str, lattice: Lattice, costs: Field, heading: int, place: int
) -> Iterator[tuple[Action, str | None]]:
    """Actions that lead nearer, and who is in the way of each."""
    for way, (turn, to) in enumerate(lattice.after(heading, place)):
        if costs[turn, to] < costs[heading, place]:
            if way >= 4:
                yield Action("RotateLeft" if way == 4 else "RotateRight"), None
            else:
                side = _WAYS[(way - heading) % 4]
                yield Action(_MOVES[side]), world.truth.get("in_way", name, side)


def _without_others(world: HouseholdWorld, name: str, lattice: Lattice) -> NDArray[np.bool_]:
    """Places that are free of other robots."""
    free = np.ones(lattice.size, bool)
    for other, body in world.truth.standing.items():
        if other != name:
            near = np.hypot(lattice.points[:, 0] - body.x, lattice.points[:, 1] - body.y) < CROWD_M - 1e-6
            free &= ~near
    return free


def _near_any(lattice: Lattice, places: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Places where a robot would stand in the way of one that goes through some."""
    found = np.zeros(lattice.size, bool)
    for x, y in lattice.points[places].tolist():
        found |= np.hypot(lattice.points[:, 0] - x, lattice.points[:, 1] - y) < CROWD_M - 1e-6
    return found
