"""The upper bound in houses: sees the truth, divides what lies astray, and walks the shortest rounds.

Each robot goes from place to place on the floor as it is, with poses that were tried beforehand: from there its camera
shows what it takes, or the furniture that it puts something on. Robots that meet go around each other, or one makes
way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.action import WAIT, Action
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
from coterie.worlds.household.traffic import HORIZON, State, Traffic, Trip
from coterie.worlds.household.world import STEP_S, HouseholdWorld

SPARES = (0.15, 0.05, 0.0)  # the part of their actions that robots keep, as long as there is a division that allows it
MOST_TRIES = 150  # poses that are looked from before something else is tried
ASIDE = 60.0  # degrees: what is farther to the side is hardly ever in the picture
MOST_SPOTS = 60  # places that are thought over for one that has nothing to do
LOST = 0.02  # of all places: so many may be cut off by a robot that stands still
PATIENCE = 4  # steps that a robot waits for another to get out of its picture
_SIDES = ("ahead", "left", "back", "right")
_MOVES = ("MoveAhead", "MoveLeft", "MoveBack", "MoveRight")


class Leg(NamedTuple):
    """Where a robot goes next, and what it does there."""

    action: Action
    place: int
    heading: int
    tilt: float
    field: Field  # actions from everywhere to that pose
    cost: int  # of all that is left for the robot, this included


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
        self.routes: dict[str, list[State]] = {}
        self.expected: dict[str, State] = {}
        self.turning: dict[str, Action] = {}  # for turns that take several actions
        self.moment: tuple[object, ...] = ()
        self.rounds: Rounds | None = None
        self.traffic: Traffic | None = None

    def told(self, change: Change) -> None:
        self.moment = ()

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        world = team.world
        assert isinstance(world, HouseholdWorld)
        if isinstance(world.goal, Search):
            return _reports(world, world.goal, idle)
        busy = frozenset(n for n, w in self.workers.items() if w.left)
        moment = (tuple(world.truth.cards), frozenset(world.resting), busy)
        if moment[:1] != self.moment[:1]:
            self._plan(world)
        elif moment[1] != self.moment[1]:  # somebody stands still for good: ways and poses may be blocked
            for worker in self.workers.values():
                worker.leg = None
        fresh = moment != self.moment
        self.moment = moment
        for name in idle:
            fresh |= self._settle(world, name)
        turned = [n for n in idle if not _between(world.truth.facts["pose", n])]
        fresh |= any(self.expected.get(n) != _state(self._lattice, world.truth.facts["pose", n]) for n in turned)
        if fresh:
            self._route(world, idle)
        return {name: self._next(world, name) for name in idle}
        yield []

    # -- the plan -----------------------------------------------------------------------------------------------------
    def _plan(self, world: HouseholdWorld) -> None:
        """Who sees to what, from how things are now. What somebody holds, it puts away itself."""
        truth = world.truth
        house = _as_it_is(world)
        astray = [t for t in world.setting.astray if not truth.get("tidy", t)]
        astray += [t for t in truth.moved if t not in world.setting.astray and not truth.get("tidy", t)]
        held = {truth.facts["holding", n]: n for n in truth.cards if truth.facts["holding", n]}
        loose = tuple(t for t in astray if t not in held)
        homes = [(t, h) for t in loose for h in homes_in(house, house.thing[t].kind) if h != FLOOR]
        full = frozenset((t, h) for t, h in homes if not truth.room_on(t, h))
        self.rounds = Rounds(house, loose, world.steps, full=full)
        self.traffic, self.expected = Traffic(self.rounds.lattice), {}
        able = {n: c for n, c in truth.cards.items() if n not in world.resting}
        cards = {n: replace(c, battery_steps=truth.facts["battery", n]) for n, c in able.items()}
        starts = {n: Start(*truth.facts["pose", n][:3]) for n in able}
        limit = None if world.limit_s is None else round((world.limit_s - world.now) / STEP_S)
        plan = None
        for spare in SPARES:
            plan = plan or shares(self.rounds, cards, starts, limit, spare)
        plan = plan or shares(self.rounds, cards, starts, limit, part=True) or {}
        self.workers = {n: Worker(list(plan[n].things) if n in plan else []) for n in truth.cards}
        for thing, name in held.items():
            self.workers[name].left.insert(0, thing)

    # -- where to -----------------------------------------------------------------------------------------------------
    def _settle(self, world: HouseholdWorld, name: str) -> bool:
        """Let a robot have a leg; whether it has a new one."""
        worker = self.workers[name]
        if worker.leg is not None:
            return False
        while worker.leg is None and worker.left:
            worker.leg = self._leg(world, name, worker, world.truth.facts["holding", name])
            if worker.leg is None:  # nothing can be done about it any more
                worker.left.pop(0)
        worker.leg = worker.leg or self._parking(world, name)
        return True

    def _leg(self, world: HouseholdWorld, name: str, worker: Worker, held: str | None) -> Leg | None:
        """The pose that is best for all that is still to do, of those that show what is to be handled."""
        lattice, truth = self._lattice, world.truth
        pose = truth.facts["pose", name]
        start = np.full((4, lattice.size), FAR, np.int32)
        start[_state(lattice, pose)] = 0
        free = self._free(world)
        start = lattice.spread(start, free)
        for action, cost in self._wanted(world, name, worker, held):
            total = start + cost
            order = np.argsort(total, axis=None, kind="stable")
            tried = 0
            for state in order.tolist():
                heading, place = divmod(state, lattice.size)
                if total[heading, place] >= FAR or tried >= MOST_TRIES:
                    break
                what = action.args[0] if action.args else FLOOR
                if (what, heading, place) in worker.bad or not free[place]:
                    continue
                tried += 1
                tilt = self._tilt(world, name, what, lattice, heading, place)
                if tilt is not None:
                    there = np.full((4, lattice.size), FAR, np.int32)
                    there[heading, place] = 0
                    least = int(total[heading, place])
                    return Leg(action, place, heading, tilt, lattice.spread(there, free), least)
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

    def _parking(self, world: HouseholdWorld, name: str) -> Leg:
        """Where a robot that has nothing to do stops for good, in nobody's way: the nearest such place."""
        lattice, traffic = self._lattice, self.traffic
        assert traffic is not None and self.rounds is not None
        pose = world.truth.facts["pose", name]
        heading, place = _state(lattice, pose)
        start = np.full((4, lattice.size), FAR, np.int32)
        start[heading, place] = 0
        free = self._free(world)
        for other, worker in self.workers.items():  # and of those who are about to
            if other != name and worker.leg is not None and worker.leg.action.skill == STOP:
                free[list(traffic.near(worker.leg.place))] = False
        costs = lattice.spread(start)[heading]
        busy = [_state(lattice, world.truth.facts["pose", n])[1] for n, w in self.workers.items() if w.left]
        needed = self._needed(world)
        chosen = place
        for spot in np.argsort(costs, kind="stable")[:MOST_SPOTS].tolist():
            if costs[spot] < FAR and free[spot] and self._harmless(spot, free, busy, needed):
                chosen = spot
                break
        there = np.full((4, lattice.size), FAR, np.int32)
        there[heading, chosen] = 0
        return Leg(Action(STOP), chosen, heading, pose[3], lattice.spread(there), int(costs[chosen]))

    def _needed(self, world: HouseholdWorld) -> list[NDArray[np.bool_]]:
        """The states of all that is still to be done: one of each has to stay within reach."""
        rounds = self.rounds
        assert rounds is not None
        found = []
        for name, worker in self.workers.items():
            if name not in world.truth.cards or name in world.resting:
                continue
            takes = rounds.takes_of(eyes_of(world.truth.cards[name], world.steps))
            for i, thing in enumerate(rounds.astray):
                if thing in worker.left:
                    found += [rounds.puts[i]] + [takes[i]] * (world.truth.facts["holding", name] != thing)
        return found

    def _harmless(
        self, spot: int, free: NDArray[np.bool_], busy: Sequence[int], needed: Sequence[NDArray[np.bool_]]
    ) -> bool:
        """Whether, with a robot standing there, all that is to be handled can still be, and everybody gets about."""
        assert self.traffic is not None and self.rounds is not None
        rest = free.copy()
        rest[list(self.traffic.near(spot))] = False
        if not all(rest[place] for place in busy):
            return False
        lattice = self._lattice
        left = np.flatnonzero(rest & lattice.main)
        if not len(left):
            return not busy
        start = np.full((4, lattice.size), FAR, np.int32)
        start[:, busy[0] if busy else left[0]] = 0
        reached = lattice.spread(start, rest)[0] < FAR
        if (rest & lattice.main & ~reached).sum() > LOST * lattice.main.sum():
            return False
        return all((states.any(axis=0) & reached & rest).any() for states in needed)

    def _free(self, world: HouseholdWorld) -> NDArray[np.bool_]:
        """Places that are free of robots that stand still for good."""
        free = np.ones(self._lattice.size, bool)
        assert self.traffic is not None
        for name in world.resting:
            if name in world.truth.cards:
                _, place = _state(self._lattice, world.truth.facts["pose", name])
                free[list(self.traffic.near(place))] = False
        return free

    # -- on the way ---------------------------------------------------------------------------------------------------
    def _route(self, world: HouseholdWorld, idle: Sequence[str]) -> None:
        """Ways for all, those first who have the least to spare."""
        truth = world.truth
        at = {n: _state(self._lattice, truth.facts["pose", n]) for n in truth.cards if n not in world.resting}
        trips, spare = {}, {}
        wanted = self._wanted_places(at)
        for name in at:
            leg = self.workers[name].leg
            if leg is None:  # one that acts at this moment, if robots do not wait for each other
                trips[name], spare[name] = Trip(None), float("inf")
                continue
            tilts = round(abs(truth.facts["pose", name][3] - leg.tilt) / world.steps.tilt)
            stops = leg.action.skill == STOP
            shun = wanted if stops else frozenset()
            stay = HORIZON if stops else tilts + 2
            trips[name] = Trip((leg.heading, leg.place), leg.field, stay, shun, self._sight(world, leg))
            battery = truth.facts["battery", name]
            spare[name] = float("inf") if stops or battery is None else battery - leg.cost
        standing = [_state(self._lattice, truth.facts["pose", n])[1] for n in world.resting if n in truth.cards]
        order = sorted(at, key=lambda n: (spare[n], n))
        assert self.traffic is not None
        self.routes = self.traffic.routes(at, trips, standing, order)

    def _sight(self, world: HouseholdWorld, leg: Leg) -> frozenset[int]:
        """Where nobody else should stand while a robot looks at what it handles."""
        if not leg.action.args or self.traffic is None:
            return frozenset()
        what = leg.action.args[0]
        piece, lying = world.truth.house.piece.get(what), None
        if piece is None:
            lying = world.truth.scene.lying(what)
        if piece is None and lying is None:
            return frozenset()
        here = np.array([self._lattice.point(leg.place)])
        x, y = nearest_on(piece, here)[0].tolist() if piece is not None else lying.spot[:2]  # type: ignore[union-attr]
        return self.traffic.between(leg.place, (x, y))

    def _wanted_places(self, at: Mapping[str, State]) -> frozenset[int]:
        """Where robots with nothing to do would be in the way of others."""
        assert self.traffic is not None
        after, size = self._lattice.next_states, self._lattice.size
        found: set[int] = set()
        for name, worker in self.workers.items():
            if worker.leg is None or name not in at or worker.leg.action.skill == STOP:
                continue
            costs = worker.leg.field.ravel()
            state = at[name][0] * size + at[name][1]
            found |= self.traffic.near(state % size)
            while 0 < costs[state] < FAR:
                state = min(after[state], key=lambda s: int(costs[s]))
                found |= self.traffic.near(state % size)
        return frozenset(found)

    def _next(self, world: HouseholdWorld, name: str) -> Action:
        truth = world.truth
        if _between(truth.facts["pose", name]):
            return self.turning[name]
        here = _state(self._lattice, truth.facts["pose", name])
        route = self.routes.get(name) or []
        there = route.pop(0) if route else here
        self.expected[name] = there
        if there != here:
            return self._step(world, name, here, there)
        worker = self.workers[name]
        leg = worker.leg
        if leg is None:
            return Action(WAIT)
        if here != (leg.heading, leg.place):
            self.expected.pop(name)  # no way was found: look for one again
            return Action(WAIT)
        tilt = truth.facts["pose", name][3]
        if abs(tilt - leg.tilt) > 1e-6:
            return Action("LookDown" if tilt > leg.tilt else "LookUp")
        return self._handle(world, name, worker, leg)

    def _handle(self, world: HouseholdWorld, name: str, worker: Worker, leg: Leg) -> Action:
        """Take or put something; from somewhere else where that does not work out."""
        if leg.action.skill == STOP:
            return leg.action
        if not world.check({name: leg.action})[name].ok:
            worker.waited += 1  # somebody may stand between
            if worker.waited > PATIENCE:
                worker.bad.add((leg.action.args[0] if leg.action.args else FLOOR, leg.heading, leg.place))
                worker.waited, worker.leg = 0, None
            return Action(WAIT)
        held = world.truth.facts["holding", name]
        if held is not None:
            worker.left.remove(held)
        worker.waited, worker.leg = 0, None
        return leg.action

    def _step(self, world: HouseholdWorld, name: str, here: State, there: State) -> Action:
        heading, place = here
        if there[0] != heading:
            self.turning[name] = Action("RotateLeft" if (there[0] - heading) % 4 == 1 else "RotateRight")
            return self.turning[name]
        step = there[1] - place
        way = (1, self._lattice.columns, -1, -self._lattice.columns).index(step)
        side = (way - heading) % 4
        if world.truth.get("in_way", name, _SIDES[side]) in world.resting:
            self.moment = ()  # that was not planned
            return Action(WAIT)
        return Action(_MOVES[side])

    @property
    def _lattice(self) -> Lattice:
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


def _between(pose: Sequence[float]) -> bool:
    """Whether a robot has not come to the end of a right angle."""
    return abs(pose[2] / 90.0 - round(pose[2] / 90.0)) > 1e-6


def _faced(rounds: Rounds, piece: str) -> NDArray[np.bool_]:
    """(4, places): whether a heading looks towards a piece."""
    lattice = rounds.lattice
    to = nearest_on(rounds.house.piece[piece], lattice.points) - lattice.points
    angle = np.degrees(np.arctan2(to[:, 1], to[:, 0]))
    off = np.abs((angle[None] - np.arange(4)[:, None] * 90.0 + 180.0) % 360.0 - 180.0)
    return off <= ASIDE
