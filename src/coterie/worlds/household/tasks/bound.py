"""Which tasks can be done at all: a bound by battery, payload and distance, for robots that know everything.

A task is feasible if the things that are misplaced can be divided among the robots so that each robot lifts all of its
share and has actions enough, by battery and limit, to fetch one after the other and to put each where it belongs, on
the shortest round and in the best order. Counted are steps, turns, and one action each to take and to put down. A thing
is taken from a place within reach where neither walls nor furniture hide it from the robot's camera, looking so that
some tilt shows it, and put onto a piece only if there is room for it beside what belongs there. Left out is what could
only add to that: that robots stand in each other's way, that cameras are tilted, that furniture has to be looked at.
Nobody hands anything over: each thing is carried by one robot, and nothing else is moved.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.card import Card
from coterie.core.lazy import kept
from coterie.core.task import Task
from coterie.houses.floor import floor_of, nearest_on
from coterie.houses.lattice import FAR, Field, Lattice
from coterie.houses.model import FLOOR, Furniture, House, Thing, has_room
from coterie.worlds.household.fluents import TILTS
from coterie.worlds.household.perception import UPPER, Lying, camera_of
from coterie.worlds.household.perception.geometric import Geometric
from coterie.worlds.household.setting import Setting, Start, Steps
from coterie.worlds.household.tasks.draw import homes_in, right
from coterie.worlds.household.truth import LAID_M

Mask = NDArray[np.bool_]
AHEAD = ((1, 0), (0, 1), (-1, 0), (0, -1))
USUAL = Steps()


class Share(NamedTuple):
    """The things that one robot carries, and the least actions that it takes."""

    things: tuple[str, ...]
    actions: int


class Eyes(NamedTuple):
    """The camera by which a robot takes things up."""

    height_m: float
    fov_deg: float
    tilts: tuple[float, ...]
    sight_m: float = math.inf


def eyes_of(card: Card, steps: Steps) -> Eyes:
    low = TILTS[0] if card.tilt_low_deg is None else card.tilt_low_deg
    high = TILTS[1] if card.tilt_high_deg is None else card.tilt_high_deg
    below, above = math.floor(-low / steps.tilt + 1e-6), math.floor(high / steps.tilt + 1e-6)
    tilts = tuple(i * steps.tilt for i in range(-below, above + 1))
    return Eyes(card.camera_m or 1.6, card.fov_deg or 90.0, tilts, camera_of(card).range_m)


@dataclass(frozen=True)
class Rounds:
    """The shortest rounds through a house that put things where they belong, for robots of one size."""

    house: House
    misplaced: tuple[str, ...]
    steps: Steps = USUAL
    radius_m: float = 0.25
    full: frozenset[tuple[str, str]] | None = None  # (thing, piece) where there is no room; None: beside what belongs

    @cached_property
    def lattice(self) -> Lattice:
        return Lattice(floor_of(self.house), self.radius_m, self.steps.move)

    @cached_property
    def sight(self) -> Geometric:
        return Geometric(self.house)

    @cached_property
    def puts(self) -> list[Mask]:
        """For each thing the states (4, places) in which it can be put down where it belongs."""
        return [self._put(self.house.thing[name]) for name in self.misplaced]

    @kept
    def rest(self, eyes: Eyes, share: int) -> Field:
        """Actions to put a share in order, from every heading and place; a share is a set of bits."""
        best = np.full((4, self.lattice.size), 0 if share == 0 else FAR, np.int32)
        for i in range(len(self.misplaced)):
            if share >> i & 1:
                best = np.minimum(best, self.lattice.spread(self.taking(eyes, share, i)))
        return best

    def taking(self, eyes: Eyes, share: int, i: int) -> Field:
        """The same, from states in which thing i of the share is taken up next; FAR elsewhere."""
        then = self.lattice.spread(self.putting(eyes, share, i)) + 1
        return np.where(self.takes_of(eyes)[i], np.minimum(then, FAR), FAR).astype(np.int32)

    def putting(self, eyes: Eyes, share: int, i: int) -> Field:
        """The same, from states in which a robot holds thing i of the share and puts it down next."""
        then = self.rest(eyes, share & ~(1 << i)) + 1
        return np.where(self.puts[i], np.minimum(then, FAR), FAR).astype(np.int32)

    @kept
    def takes_of(self, eyes: Eyes) -> list[Mask]:
        """For each thing the states (4, places) in which a robot can take it."""
        return [self._take(self.house.thing[name], eyes) for name in self.misplaced]

    # -- where --------------------------------------------------------------------------------------------------------
    def _take(self, thing: Thing, eyes: Eyes) -> Mask:
        x, y, z = thing.spot
        lattice = self.lattice
        near = self._within(np.array([x, y]))
        lying = Lying(thing.on, thing.spot)
        shown_at = self.sight.unhidden(thing.name, lying, lattice.points[near].tolist(), eyes.height_m)
        near = near[np.array(shown_at, bool)]
        found = np.zeros((4, lattice.size), bool)
        dz = z + UPPER * thing.size[2] - eyes.height_m
        away = np.hypot(*(lattice.points[near] - np.array([x, y])).T)
        near = near[np.hypot(away, dz) <= eyes.sight_m + 1e-9]
        at = lattice.points[near]
        dx, dy = x - at[:, 0], y - at[:, 1]
        wide = math.tan(math.radians(min(eyes.fov_deg, 170.0)) / 2)
        for heading in range(4):
            c, s = AHEAD[heading]
            ahead, aside = dx * c + dy * s, dy * c - dx * s
            shown = np.zeros(len(near), bool)
            for tilt in eyes.tilts:
                ct, st = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
                deep = wide * (ahead * ct + dz * st) + 1e-9
                shown |= (np.abs(aside) <= deep) & (np.abs(dz * ct - ahead * st) <= deep)
            found[heading, near[shown]] = True
        if self.steps.turn != 90.0:  # then a robot looks in more directions than these
            found |= found.any(axis=0)
        return found

    def _within(self, spot: NDArray[np.float64]) -> NDArray[np.intp]:
        """Free places within reach of a point, with no wall between."""
        lattice = self.lattice
        places = np.flatnonzero(lattice.free)
        at = lattice.points[places]
        near = np.hypot(*(at - spot).T) <= self.steps.reach + 1e-9
        places, at = places[near], at[near]
        return places[~lattice.floor.walled(at, np.broadcast_to(spot, at.shape))]

    def _put(self, thing: Thing) -> Mask:
        found = np.zeros((4, self.lattice.size), bool)
        full = full_of(self.house, self.misplaced, self.misplaced) if self.full is None else self.full
        for home in homes_in(self.house, thing):
            if (thing.name, home) not in full:
                found |= self.put_at(thing, home)
        return found

    def put_at(self, thing: Thing, home: str) -> Mask:
        """The states (4, places) in which a thing can be put onto a piece, or onto the FLOOR where it belongs."""
        lattice = self.lattice
        found = np.zeros((4, lattice.size), bool)
        places = np.flatnonzero(lattice.free)
        at = lattice.points[places]
        if home == FLOOR:
            found[:, places] = self._dropped(thing, at)
            return found
        to = nearest_on(_as_known(self.house.piece[home]), at)
        near = np.hypot(*(to - at).T) <= self.steps.reach + 1e-9
        near[near] = ~lattice.floor.walled(at[near], to[near])
        found[:, places[near]] = True
        return found

    def _dropped(self, thing: Thing, at: NDArray[np.float64]) -> Mask:
        """True where a thing that is dropped by each heading at some places comes to lie where it belongs."""
        floor = self.lattice.floor
        there = [right(self.house, thing, FLOOR, room.name) for room in self.house.rooms]
        found = np.zeros((4, len(at)), bool)
        for heading, (c, s) in enumerate(AHEAD):
            rows, columns = floor.cells(at + LAID_M * np.array([c, s]))
            blocked = floor.blocked[rows, columns]
            own_rows, own_columns = floor.cells(at)
            rows, columns = np.where(blocked, own_rows, rows), np.where(blocked, own_columns, columns)
            found[heading] = np.array([*there, False])[floor.room[rows, columns]]
        return found


def full_of(house: House, things: Sequence[str], gone: Sequence[str] = ()) -> frozenset[tuple[str, str]]:
    """Which of some things would not find room on which of their homes, beside all that lies there and is not gone."""
    found = set()
    for name in things:
        for home in homes_in(house, house.thing[name]):
            lying = [(t, t.spot[:2]) for t in house.things if t.on == home and t.name not in gone]
            if home != FLOOR and not has_room(house.piece[home], house.thing[name], lying):
                found.add((name, home))
    return frozenset(found)


def _as_known(piece: Furniture) -> Furniture:
    """Furniture is known, and judged, to the centimetre."""
    (x, y), (w, d, h) = piece.centre, piece.size
    return replace(piece, centre=(round(x, 2), round(y, 2)), size=(round(w, 2), round(d, 2), h))


def shares(
    rounds: Rounds,
    cards: Mapping[str, Card],
    starts: Mapping[str, Start],
    limit: int | None,
    spare: float = 0.0,
    part: bool = False,
) -> dict[str, Share] | None:
    """The things divided among robots, with the least actions of the one that takes longest; None: it cannot be done.

    `spare` is a part of its actions that every robot keeps. With `part`, as many things as can be seen to.
    """
    best: dict[int, tuple[int, int, dict[str, Share]]] = {0: (0, 0, {})}
    for name, card in cards.items():
        own = _own(rounds, card, starts[name], _least(limit, card.battery_steps), spare)
        further = dict(best)
        for done, (longest, total, plan) in best.items():
            for share, actions in own.items():
                both = done | share
                score = (max(longest, actions), total + actions)
                if not share & done and (both not in further or score < further[both][:2]):
                    things = tuple(t for i, t in enumerate(rounds.misplaced) if share >> i & 1)
                    further[both] = (*score, {**plan, name: Share(things, actions)})
        best = further
    whole = (1 << len(rounds.misplaced)) - 1
    if part:
        whole = max(best, key=lambda done: (done.bit_count(), -best[done][1]))
    return best[whole][2] if whole in best else None


def _own(rounds: Rounds, card: Card, start: Start, most: int | None, spare: float) -> dict[int, int]:
    """Every share that a robot could see to by itself, with its actions."""
    if not card.manipulates:
        return {}
    things = [rounds.house.thing[t] for t in rounds.misplaced]
    lifts = sum(1 << i for i, t in enumerate(things) if t.mass_kg <= card.payload_kg)
    eyes, lattice = eyes_of(card, rounds.steps), rounds.lattice
    place, heading = lattice.place((start.x, start.y)), round(start.heading_deg / 90.0) % 4
    found = {}
    for share in range(1, 1 << len(things)):
        if share & ~lifts or any(part not in found for part in _parts(share)):
            continue
        actions = int(rounds.rest(eyes, share)[heading, place])
        if actions < FAR and (most is None or actions * (1 + spare) <= most):
            found[share] = actions
    return found


def _parts(share: int) -> list[int]:
    """The share without each of its things: who cannot do less cannot do more."""
    return [share & ~(1 << i) for i in range(share.bit_length()) if share >> i & 1 and share & ~(1 << i)]


def _least(*numbers: int | None) -> int | None:
    return min((n for n in numbers if n is not None), default=None)


def feasible(task: Task, steps: Steps = USUAL) -> bool:
    """True if a task of tidying up can be done at all, by this bound."""
    setting: Setting = task.setting
    rounds = Rounds(setting.house, setting.misplaced, steps)
    return shares(rounds, dict(task.robots), dict(setting.starts), task.step_limit) is not None
