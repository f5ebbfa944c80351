"""The planning data of the expert in houses: the world, the rounds through it, and the robots' next legs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.action import Action
from coterie.houses.floor import nearest_on
from coterie.houses.lattice import FAR, Field, Lattice
from coterie.houses.model import FLOOR
from coterie.worlds.household.bodies import STOP
from coterie.worlds.household.navigation.lattice_traffic import State, Traffic
from coterie.worlds.household.perception import Eye, camera_of
from coterie.worlds.household.tasks.bound import Eyes, Rounds, eyes_of
from coterie.worlds.household.tasks.draw import homes_in
from coterie.worlds.household.world import HouseholdWorld

Mask = NDArray[np.bool_]


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
    """The plan of one robot."""

    left: list[str]  # things it still has to see to, the one in its hand included
    leg: Leg | None = None
    bad: set[tuple[str, int, int]] = field(default_factory=set)  # what did not work from which pose
    waited: int = 0


@dataclass(frozen=True)
class Site:
    world: HouseholdWorld
    rounds: Rounds
    traffic: Traffic
    workers: dict[str, Worker]

    @property
    def lattice(self) -> Lattice:
        return self.rounds.lattice

    def pose(self, name: str) -> tuple[float, float, float, float]:
        found: tuple[float, float, float, float] = self.world.truth.facts["pose", name]
        return found

    def state(self, name: str) -> State:
        x, y, heading, _ = self.pose(name)
        return round(heading / 90.0) % 4, self.lattice.place((x, y))

    def turning(self, name: str) -> bool:
        """True if a robot has not come to the end of a right angle."""
        part = self.pose(name)[2] / 90.0
        return abs(part - round(part)) > 1e-6

    def eyes(self, name: str) -> Eyes:
        return eyes_of(self.world.truth.cards[name], self.world.steps)

    def awake(self) -> list[str]:
        return [n for n in self.workers if n not in self.world.resting]

    def others(self) -> list[int]:
        """Where those stand at this moment who live in the house; the plan is made again where they are in the way."""
        return [self.state(n)[1] for n in self.lively()]

    def lively(self) -> list[str]:
        """Residents who may still move things."""
        return [n for n in self.world.residents if n not in self.world.resting]

    def standing(self) -> list[int]:
        """Where robots stand still for good."""
        return [self.state(n)[1] for n in self.world.truth.cards if n in self.world.resting]

    def free(self) -> Mask:
        """Places that are free of robots that stand still for good."""
        found = np.ones(self.lattice.size, bool)
        for place in self.standing():
            found[list(self.traffic.near(place))] = False
        return found

    def wanted(self) -> frozenset[int]:
        """Where robots with nothing to do would be in the way of those that have."""
        after, size = self.lattice.next_states, self.lattice.size
        found: set[int] = set()
        for name in self.awake():
            leg = self.workers[name].leg
            if leg is None or leg.action.skill == STOP:
                continue
            costs = leg.field.ravel()
            heading, place = self.state(name)
            state = heading * size + place
            found |= self.traffic.near(place)
            while 0 < costs[state] < FAR:
                state = min(after[state], key=lambda s: int(costs[s]))
                found |= self.traffic.near(state % size)
        return frozenset(found)

    def from_state(self, state: State | tuple[slice, Sequence[int]], only: Mask | None = None) -> Field:
        """Actions between a state, or several, and all others."""
        start = np.full((4, self.lattice.size), FAR, np.int32)
        start[state] = 0
        return self.lattice.spread(start, only)


MOST_TRIES = 150  # poses that are looked from before something else is tried
ASIDE = 60.0  # degrees: what is farther to the side is hardly ever in the picture


def next_leg(site: Site, name: str) -> Leg | None:
    """Where a robot takes the next thing, or puts down the one it holds; None where there is no way to do that."""
    lattice, free, worker = site.lattice, site.free(), site.workers[name]
    start = site.from_state(site.state(name), free)
    for action, cost in _wanted(site, name):
        what, tried = handled(action), 0
        total = start + cost
        for state in np.argsort(total, axis=None, kind="stable").tolist():
            heading, place = divmod(state, lattice.size)
            if total[heading, place] >= FAR or tried >= MOST_TRIES:
                break
            if (what, heading, place) in worker.bad or not free[place]:
                continue
            tried += 1
            tilt = _tilt(site, name, what, heading, place)
            if tilt is not None:
                there = site.from_state((heading, place), free)
                return Leg(action, place, heading, tilt, there, int(total[heading, place]))
    return None


def handled(action: Action) -> str:
    """The thing that an action takes, or the place it puts something on."""
    return action.args[0] if action.args else FLOOR


def sight(site: Site, leg: Leg) -> frozenset[int]:
    """Where nobody else should stand while a robot looks at what it handles."""
    truth, what = site.world.truth, handled(leg.action)
    if what in truth.house.piece:
        here = np.array([site.lattice.point(leg.place)])
        x, y = nearest_on(truth.house.piece[what], here)[0].tolist()
        return site.traffic.between(leg.place, (x, y))
    lying = truth.scene.lying(what) if what in truth.house.thing else None
    return site.traffic.between(leg.place, lying.spot[:2]) if lying is not None else frozenset()


def _wanted(site: Site, name: str) -> Iterator[tuple[Action, Field]]:
    """Possible next actions, the best first, each with the cost of all the rest from each state in which it is done."""
    rounds, truth, left = site.rounds, site.world.truth, site.workers[name].left
    eyes, lattice, here = site.eyes(name), site.lattice, site.state(name)
    held = truth.facts["holding", name]
    share = sum(1 << i for i, t in enumerate(rounds.misplaced) if t in left and t != held)
    if held is None:
        costs = {i: rounds.taking(eyes, share, i) for i in range(len(rounds.misplaced)) if share >> i & 1}
        best = sorted(costs, key=lambda i: int(lattice.spread(costs[i])[here]))
        yield from ((Action("PickUp", (rounds.misplaced[i],)), costs[i]) for i in best)
        return
    then, thing = rounds.rest(eyes, share), truth.house.thing[held]
    homes = []
    for home in homes_in(truth.house, thing):
        states = rounds.put_at(thing, home)
        if home != FLOOR:
            if truth.get("free_spot", name, home) is None:
                continue
            states &= _faced(rounds, home)
        cost = np.where(states, then + 1, FAR).astype(np.int32)
        homes.append((int(lattice.spread(cost)[here]), home, cost))
    for _, home, cost in sorted(homes, key=lambda h: h[:2]):
        yield Action("Drop") if home == FLOOR else Action("PutDown", (home,)), cost


def _tilt(site: Site, name: str, what: str, heading: int, place: int) -> float | None:
    """A tilt at which a pose shows a thing or a piece, the nearest to the one now; None where none does."""
    truth, now = site.world.truth, site.pose(name)[3]
    if what == FLOOR:
        return now
    alone = truth.scene._replace(robots={})  # who stands there now is gone by then
    camera, (x, y) = camera_of(truth.cards[name]), site.lattice.point(place)
    for tilt in sorted(site.eyes(name).tilts, key=lambda t: abs(t - now)):
        seen = truth.sight.look(alone, Eye(x, y, heading * 90.0, tilt), camera, name)
        if what in seen.pieces or any(t.name == what for t in seen.things):
            return tilt
    return None


def _faced(rounds: Rounds, piece: str) -> Mask:
    """(4, places): whether a heading looks towards a piece."""
    lattice = rounds.lattice
    to = nearest_on(rounds.house.piece[piece], lattice.points) - lattice.points
    angle = np.degrees(np.arctan2(to[:, 1], to[:, 0]))
    off = np.abs((angle[None] - np.arange(4)[:, None] * 90.0 + 180.0) % 360.0 - 180.0)
    found: Mask = off <= ASIDE
    return found


MOST_SPOTS = 150  # places that are thought over
LOST = 0.02  # of all places: so many may be cut off


def parks(leg: Leg | None) -> bool:
    return leg is not None and leg.action.skill == STOP


def parking(site: Site, name: str) -> Leg:
    heading, place = site.state(name)
    free = site.free()
    for other, worker in site.workers.items():  # and of those who are about to stop
        if other != name and worker.leg is not None and parks(worker.leg):
            free[list(site.traffic.near(worker.leg.place))] = False
    shun = site.wanted()
    costs = site.from_state((heading, place))[heading]
    working = [n for n in site.awake() if site.workers[n].left]
    busy, needed = [site.state(n)[1] for n in working], _needed(site, working)
    chosen = place
    for spot in np.argsort(costs, kind="stable")[:MOST_SPOTS].tolist():
        if costs[spot] < FAR and free[spot] and spot not in shun and _harmless(site, spot, free, busy, needed):
            chosen = spot
            break
    there = site.from_state((heading, chosen))
    return Leg(Action(STOP), chosen, heading, site.pose(name)[3], there, int(costs[chosen]))


def _needed(site: Site, working: Sequence[str]) -> list[Mask]:
    """The states of all that is still to be done: one of each has to stay within reach."""
    rounds, found = site.rounds, []
    for name in working:
        takes, held = rounds.takes_of(site.eyes(name)), site.world.truth.facts["holding", name]
        for i, thing in enumerate(rounds.misplaced):
            if thing in site.workers[name].left:
                found += [rounds.puts[i]] if thing == held else [rounds.puts[i], takes[i]]
    return found


def _harmless(site: Site, spot: int, free: Mask, busy: Sequence[int], needed: Sequence[Mask]) -> bool:
    """True if, with a robot standing there, all that is to be handled can still be, and everybody gets about."""
    rest, lattice = free.copy(), site.lattice
    rest[list(site.traffic.near(spot))] = False
    left = np.flatnonzero(rest & lattice.main)
    if not all(rest[place] for place in busy) or not len(left):
        return not busy
    reached = site.from_state((slice(None), [busy[0] if busy else int(left[0])]), rest)[0] < FAR
    if (rest & lattice.main & ~reached).sum() > LOST * lattice.main.sum():
        return False
    return all((states.any(axis=0) & reached & rest).any() for states in needed)
