"""Noise at a table: grasps that slip, hands that misjudge where things are, things that are nudged.

All of it is drawn from the seed, the round and the moment, so that two methods meet the same luck as far as they do the
same, and a new attempt does not meet the same luck twice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from coterie.core.seeds import rng_of
from coterie.core.switches import Rates
from coterie.worlds.tabletop.arms.grips import beside
from coterie.worlds.tabletop.build import on_table
from coterie.worlds.tabletop.job import Leg, Pose, Refusal, flat_distance

if TYPE_CHECKING:
    from coterie.worlds.tabletop.table import Table

MISSED_M = 0.012  # a hand that comes down farther beside a thing than this closes on nothing
MOST_OFF_M = 0.025  # by which a hand is off, along x and along y, at most
SHORT_M = 0.04  # and stops so far before it
MOST_POSE_M = 0.05
NUDGED_M = (0.03, 0.06)
ROOM_M = 0.14  # between the middles of a nudged thing and of any other
EDGE_M = 0.12  # from the table's edge
TRIES = 30
Legs = dict[str, list[Leg]]


@dataclass(frozen=True)
class Noise(Rates):
    """Rates of noise; none by default."""

    lengths = {"pose": MOST_POSE_M}

    slip: float = 0.0  # probability that a grasp slips, and the thing stays where it is
    pose: float = 0.0  # standard deviation [m] by which a hand misjudges a place, along x and along y
    nudge: float = 0.0  # probability that at the end of a round a loose thing is nudged


#: A starting point, not a measurement.
Noise.real = Noise(slip=0.05, pose=0.004, nudge=0.05)


class Luck:
    """The accidents of one round."""

    def __init__(self, noise: Noise, seed: int, number: int, now: float):
        self.noise = noise
        self._key = (seed, "luck", number, round(now, 3))

    def _rng(self, *more: object) -> Random:
        return rng_of(*self._key, *more)

    def grasp(self, robot: str, thing: str) -> Refusal | None:
        """Why a hand that has closed does not hold what it went for; None when it does."""
        slips, dx, dy = self._drawn(robot, thing)
        if slips:
            words = f"{thing} slipped out of the hand of {robot} and stays where it was."
            return Refusal("slip", words, ("holding", (robot,), None), robot, "during")
        off = math.hypot(dx, dy)
        return beside(robot, thing, off) if off > MISSED_M else None

    def _drawn(self, robot: str, thing: str) -> tuple[bool, float, float]:
        """Draw whether a grasp slips, and how far along x and y the hand misjudges the thing [m]."""
        rng = self._rng("grasp", robot, thing)
        slips = rng.random() < self.noise.slip
        dx, dy = (max(-MOST_OFF_M, min(MOST_OFF_M, rng.gauss(0, self.noise.pose))) for _ in range(2))
        return slips, dx, dy

    def perturbed(self, legs: Legs) -> Legs:
        """The same legs, with things set down a little beside their places, and hands that miss a thing beside it."""
        if not self.noise.pose:
            return legs
        return {r: [self._shifted(r, k, leg) for k, leg in enumerate(own)] for r, own in legs.items()}

    def _shifted(self, robot: str, number: int, leg: Leg) -> Leg:
        if leg.grasp:
            return self._short(robot, leg)
        if not leg.release:
            return leg
        rng = self._rng("release", robot, number)
        dx, dy = (max(-MOST_OFF_M, min(MOST_OFF_M, rng.gauss(0, self.noise.pose))) for _ in range(2))
        return replace(leg, at=(leg.at[0] + dx, leg.at[1] + dy, leg.at[2]))

    def _short(self, robot: str, leg: Leg) -> Leg:
        """A hand that misses a thing closes beside it and short of it, and leaves it alone."""
        slips, dx, dy = self._drawn(robot, leg.grasp)
        way = math.hypot(*leg.approach)
        if slips or math.hypot(dx, dy) <= MISSED_M or way < SHORT_M:
            return leg
        x, y, z = (p + SHORT_M * a / way for p, a in zip(leg.at, leg.approach))
        if leg.approach[0] or leg.approach[1]:  # not from above: beside would be in front of it
            return replace(leg, at=(x, y, z))
        return replace(leg, at=(x + dx, y + dy, z))

    def nudged(self, table: Table) -> tuple[str, Pose] | None:
        """A thing that lies on the table by itself, and where it lies after a nudge."""
        rng = self._rng("nudge")
        if rng.random() >= self.noise.nudge:
            return None
        loose = alone(table)
        thing = rng.choice(loose) if loose else ""
        others = [table.pos(t) for t in table.layout.things if t != thing]
        for _ in range(TRIES if thing else 0):
            far, angle = rng.uniform(*NUDGED_M), rng.uniform(0, 2 * math.pi)
            x, y, z = table.pos(thing)
            at = (x + far * math.cos(angle), y + far * math.sin(angle), z)
            if on_table(at, EDGE_M) and all(flat_distance(at, o) > ROOM_M for o in others):
                return thing, Pose(at, table.yaw(thing))
        return None


def alone(table: Table) -> list[str]:
    """Things in nobody's hand that touch the table and nothing else, and are whole by themselves: no rope."""
    touched: dict[str, set[str]] = {}
    for pair in table.touches():
        for name in pair:
            touched.setdefault(name, set()).update(pair - {name})
    return [t for t in table.layout.things if table.single(t) and touched.get(t) == {"table"} and not table.holder(t)]
