"""The planning data of the expert in houses: the world, the rounds through it, and the robots' next legs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.action import Action
from coterie.houses.lattice import FAR, Field, Lattice
from coterie.worlds.household.bodies import STOP
from coterie.worlds.household.navigation.lattice_traffic import State, Traffic
from coterie.worlds.household.tasks.bound import Eyes, Rounds, eyes_of
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
        """Whether a robot has not come to the end of a right angle."""
        part = self.pose(name)[2] / 90.0
        return abs(part - round(part)) > 1e-6

    def eyes(self, name: str) -> Eyes:
        return eyes_of(self.world.truth.cards[name], self.world.steps)

    def awake(self) -> list[str]:
        return [n for n in self.world.truth.cards if n not in self.world.resting]

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
