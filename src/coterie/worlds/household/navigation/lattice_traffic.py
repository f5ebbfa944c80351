"""Paths of several robots that do not meet: one after the other is planned through space and time.

The first robot takes its shortest path; later ones wait, go around or make way. Robots that have stopped
stand where they are for good. A robot that finds no way becomes the first, and all are planned again.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from coterie.core.lazy import kept
from coterie.houses.lattice import FAR, Field, Lattice

State = tuple[int, int]  # heading, place
CROWD_M = 0.5  # between the middles of two robots
MOST_LOOKS = 10_000  # at states, before a way is given up
HORIZON = 80  # steps that are planned for robots that only have to make way, and that a robot stays for good


class Trip(NamedTuple):
    """Where a robot is to go: to a state, where it stays a while; without one, only out of the way."""

    state: State | None
    field: Field | None = None  # actions from everywhere to the state
    stay: int = 0
    shun: frozenset[int] = frozenset()  # places that one who is in the way leaves, if it comes to that
    sight: frozenset[int] = frozenset()  # places where others would hide what it looks at, once it is there


class Traffic:
    def __init__(self, lattice: Lattice):
        self.lattice = lattice
        reach = int(CROWD_M / lattice.step_m) + 1
        self._offsets = [
            (i, j)
            for i in range(-reach, reach + 1)
            for j in range(-reach, reach + 1)
            if np.hypot(i, j) * lattice.step_m < CROWD_M - 1e-6
        ]

    @kept
    def near(self, place: int) -> frozenset[int]:
        """Places where a robot would touch one that stands at a place."""
        row, column = divmod(place, self.lattice.columns)
        cells = ((row + j, column + i) for i, j in self._offsets)
        inside = ((r, c) for r, c in cells if 0 <= r < self.lattice.rows and 0 <= c < self.lattice.columns)
        return frozenset(r * self.lattice.columns + c for r, c in inside)

    def between(self, place: int, spot: tuple[float, float]) -> frozenset[int]:
        """Places where a robot would stand between another one and what it looks at."""
        at = np.array(self.lattice.point(place))
        way = np.array(spot) - at
        along = np.clip((self.lattice.points - at) @ way / max(float(way @ way), 1e-9), 0.0, 1.0)
        gap = np.hypot(*(self.lattice.points - at - along[:, None] * way).T)
        return frozenset(np.flatnonzero(gap < self.lattice.radius_m + 0.02).tolist())

    def routes(
        self, at: Mapping[str, State], trips: Mapping[str, Trip], standing: Sequence[int], order: Sequence[str]
    ) -> dict[str, list[State]]:
        """For each robot the states of the steps to come; none for one that found no way and stays.

        `standing` are the places of robots that do not move any more. `order` says who comes first.
        """
        fixed = frozenset(p for place in standing for p in self.near(place))
        first, tried = list(order), set()
        while True:
            found, lost = self._planned(at, trips, fixed, first)
            if lost is None:
                return found | {name: [] for name in order if name not in first}
            first.remove(lost)
            if lost in tried:  # it stays, and the others go around it
                fixed |= self.near(at[lost][1])
            else:  # who was in the way leaves before anybody else goes, and the others let it through
                tried.add(lost)
                first.insert(0, lost)

    def _planned(
        self, at: Mapping[str, State], trips: Mapping[str, Trip], fixed: frozenset[int], order: Sequence[str]
    ) -> tuple[dict[str, list[State]], str | None]:
        taken: defaultdict[int, set[int]] = defaultdict(set)
        found: dict[str, list[State]] = {}
        lost = None
        for name in order:
            # At the next step the others still stand where they are, or have gone.
            now = fixed.union(*(self.near(at[n][1]) for n in at if n != name))
            route = self._route(at[name], trips[name], taken, fixed, now)
            if route is None:
                lost, route = lost or name, []
            found[name] = route
            path = [at[name], *route]
            for t in range(len(path) + 2):
                # Another robot at t must not touch where this one is then, was just before, or is just after.
                for when in (t - 1, t, t + 1):
                    taken[t] |= self.near(path[min(max(when, 0), len(path) - 1)][1])
            stay = HORIZON if trips[name].state is None else trips[name].stay
            for t in range(len(path), len(path) + stay + 1):
                taken[t] |= self.near(path[-1][1]) | trips[name].sight
        return found, lost

    def _route(
        self, start: State, trip: Trip, taken: Mapping[int, set[int]], fixed: frozenset[int], now: frozenset[int]
    ) -> list[State] | None:
        """The shortest way through space and time."""
        costs = trip.field
        after, size = self.lattice.next_states, self.lattice.size
        last = max(taken, default=0)
        shun = trip.shun if not taken else ()  # later ones see what is taken
        begin = start[0] * size + start[1]
        target = None if trip.state is None else trip.state[0] * size + trip.state[1]
        guess = costs.ravel() if costs is not None else None
        heap = [(0 if guess is None else int(guess[begin]), 0, begin)]
        came: dict[tuple[int, int], tuple[int, int] | None] = {(0, begin): None}
        looks = 0
        while heap and looks < MOST_LOOKS:
            _, minus, state = heapq.heappop(heap)
            t, looks = -minus, looks + 1
            if state % size not in shun and self._there(state, t, target, trip.stay, taken, last, size):
                return self._back(came, (t, state), size)
            if target is None and t >= HORIZON:
                continue
            for to in (state, *after[state]):
                place = to % size
                key = (t + 1, to)
                if key in came or (place in taken.get(t + 1, ()) if t + 1 <= last else False):
                    continue
                if place != state % size and (place in fixed or (t == 0 and place in now)):
                    continue
                rest = 0 if guess is None else int(guess[to])
                if rest >= FAR:
                    continue
                came[key] = (t, state)
                heapq.heappush(heap, (t + 1 + rest, -(t + 1), to))
        return None

    @staticmethod
    def _there(
        state: int, t: int, target: int | None, stay: int, taken: Mapping[int, set[int]], last: int, size: int
    ) -> bool:
        if target is not None and state != target:
            return False
        until = last if target is None else min(last, t + stay)
        return all(state % size not in taken.get(when, ()) for when in range(t + 1, until + 1))

    @staticmethod
    def _back(came: Mapping[tuple[int, int], tuple[int, int] | None], end: tuple[int, int], size: int) -> list[State]:
        path: list[State] = []
        at: tuple[int, int] | None = end
        while at is not None and came[at] is not None:
            path.append((at[1] // size, at[1] % size))
            at = came[at]
        return path[::-1]
