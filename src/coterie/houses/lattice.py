"""Where robots go that take steps of one length along x and y: places, the steps between them, and how far all is.

Places are whole multiples of the step, the same for all robots. A step is free where the robot's disc is free at its
end, and on the way where the step is longer than its radius: as the world judges it. Distances count actions: a step
forwards, backwards or sideways is one, and so is a turn by 90 degrees.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from coterie.houses.floor import Floor, labels
from coterie.houses.model import Point

Field = NDArray[np.int32]  # (4, places): actions by heading and place
Mask = NDArray[np.bool_]
FAR = 1 << 20  # actions: never
HEADINGS = (0, 90, 180, 270)  # degrees; 0 looks along x, 90 along y
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Lattice:
    """Places of a floor for robots of one radius and one length of step."""

    def __init__(self, floor: Floor, radius_m: float = 0.25, step_m: float = 0.25, shift: Point = (0.0, 0.0)):
        """`shift`: as if the house lay elsewhere by that much."""
        self.floor, self.radius_m, self.step_m = floor, radius_m, step_m
        self.i0, self.j0 = math.floor(floor.xs[0] / step_m), math.floor(floor.ys[0] / step_m)
        self.columns = math.ceil(floor.xs[-1] / step_m) - self.i0 + 1
        self.rows = math.ceil(floor.ys[-1] / step_m) - self.j0 + 1
        self.x = (self.i0 + np.arange(self.columns)) * step_m - shift[0]
        self.y = (self.j0 + np.arange(self.rows)) * step_m - shift[1]
        self.size = self.rows * self.columns

    # -- places -------------------------------------------------------------------------------------------------------
    def place(self, p: Point) -> int:
        """The number of the place nearest to a point."""
        i, j = round(p[0] / self.step_m) - self.i0, round(p[1] / self.step_m) - self.j0
        return min(max(j, 0), self.rows - 1) * self.columns + min(max(i, 0), self.columns - 1)

    def point(self, place: int) -> Point:
        return float(self.x[place % self.columns]), float(self.y[place // self.columns])

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """(places, 2)"""
        x, y = np.meshgrid(self.x, self.y)
        return np.stack([x.ravel(), y.ravel()], axis=-1)

    @cached_property
    def free(self) -> Mask:
        """(places,)"""
        return self._free_at(self.points)

    @cached_property
    def ways(self) -> Mask:
        """(4, places): whether the step along +x, +y, -x, -y is free."""
        free = self.free
        count = max(1, math.ceil(self.step_m / max(self.radius_m, 0.05) - 1e-9))  # nobody jumps over anything
        parts = np.arange(1, count) / count
        found = np.zeros((4, self.size), bool)
        for way, (dx, dy) in enumerate(_STEPS[:2]):
            step = dx + dy * self.columns
            fits = np.zeros(self.size, bool)
            here = np.arange(self.size - step)
            fits[here] = free[here] & free[here + step]
            if dx:
                fits[self.columns - 1 :: self.columns] = False  # the next place is at the other end
            where = np.nonzero(fits)[0]
            for part in parts:
                at = self.points[where] + np.array([dx, dy]) * part * self.step_m
                where = where[self._free_at(at)]
            found[way, where] = True
            found[way + 2, where + step] = True
        return found

    @cached_property
    def main(self) -> Mask:
        """(places,): the largest part of the house in which every place is reached from every other."""
        if self.step_m <= self.radius_m:  # then free neighbours are always joined by a step
            return (labels(self.free.reshape(self.rows, self.columns)) == 1).ravel()
        left, best = self.free.copy(), np.zeros(self.size, bool)
        while left.any():
            start = int(np.argmax(left))
            part = self.distances(np.array([start]), turns=False)[0] < FAR
            left &= ~part
            best = part if part.sum() > best.sum() else best
        return best

    def _free_at(self, at: NDArray[np.float64]) -> Mask:
        return self.floor.free(self.radius_m)[self.floor.cells(at)]  # outside, the nearest cells are not free either

    # -- distances ----------------------------------------------------------------------------------------------------
    @cached_property
    def _next(self) -> NDArray[np.int32]:
        """(states, 6): the states one action away, with the state itself where there is none. State: heading, place."""
        n, place = self.size, np.arange(self.size)
        found = np.empty((4, n, 6), np.int32)
        for way, (dx, dy) in enumerate(_STEPS):
            to = np.where(self.ways[way], place + dx + dy * self.columns, place)
            for heading in range(4):
                found[heading, :, way] = heading * n + to
        for heading in range(4):
            found[heading, :, 4] = (heading + 1) % 4 * n + place
            found[heading, :, 5] = (heading + 3) % 4 * n + place
        return found.reshape(4 * n, 6)

    def distances(self, places: NDArray[np.intp], turns: bool = True) -> Field:
        """Actions from every state to the nearest of some places, whatever the heading there."""
        start = np.full((4, self.size), FAR, np.int32)
        start[:, places] = 0
        return self.spread(start) if turns else np.repeat(self._plain(start[0])[None], 4, axis=0)

    def spread(self, start: Field, only: Mask | None = None) -> Field:
        """The least over all states of what is charged there and the actions to get there. Ways lead back, too.

        With `only` (places,) the way leads through these places alone; it may begin elsewhere.
        """
        after = self._next
        if only is not None:
            states = np.tile(only, 4)
            after = np.where(states[:, None], after, np.arange(len(after), dtype=np.int32)[:, None])
        return self._waves(start.ravel(), after).reshape(4, self.size)

    @cached_property
    def next_states(self) -> list[list[int]]:
        """For each state (heading * places + place) those one action away: steps along +x, +y, -x, -y, a turn to the
        left and one to the right; the state itself where there is no way."""
        found: list[list[int]] = self._next.tolist()
        return found

    def _plain(self, start: NDArray[np.int32]) -> NDArray[np.int32]:
        return self._waves(start, self._next[: self.size, :4])  # of one heading, without turns

    @staticmethod
    def _waves(start: NDArray[np.int32], after: NDArray[np.int32]) -> NDArray[np.int32]:
        cost = start.copy()
        order = np.argsort(cost, kind="stable")
        order = order[cost[order] < FAR]
        charged = cost[order]
        done, level = 0, int(charged[0]) if len(order) else 0
        front = np.empty(0, np.intp)
        seat = np.empty(len(cost), np.int32)
        while done < len(order) or len(front):
            if not len(front):
                level = int(charged[done])
            upto = int(np.searchsorted(charged, level, side="right"))
            if upto > done:
                fresh = order[done:upto]
                front = np.concatenate([front, fresh[cost[fresh] == level]])
                done = upto
            reached = after[front].ravel()
            reached = reached[cost[reached] > level + 1]
            cost[reached] = level + 1
            count = np.arange(len(reached), dtype=np.int32)
            seat[reached] = count  # the last of those that came to one state keeps it
            front = reached[seat[reached] == count]
            level += 1
        return cost
