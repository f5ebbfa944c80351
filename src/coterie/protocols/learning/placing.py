"""Misplaced things and their homes by the judgement of a learnt teammate: two small networks instead of
the placement table, over a robot's own survey of the house."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from coterie.houses.model import FLOOR, ROOM_KINDS
from coterie.houses.placement import kinds
from coterie.protocols.learning.features import Array, Weights, softmax, two_layers
from coterie.worlds.household.knowledge.graph import Survey, Thing

WEIGHTS = Path(__file__).with_name("weights.npz")
SURE = 0.7  # a thing is taken to be misplaced above that
FITS = 0.25  # of the best place that is possible: furniture with less is no place for a thing


@cache
def things() -> tuple[str, ...]:
    return tuple(sorted(k for k, kind in kinds().items() if kind.thing))


@cache
def places() -> tuple[str, ...]:
    return (FLOOR, *sorted(k for k, kind in kinds().items() if kind.receptacle))


@cache
def weights(name: str) -> Weights:
    """One of the networks in the file: `misplaced`, `receptacle` or `skill`."""
    with np.load(WEIGHTS) as file:
        return {key.partition("/")[2]: file[key].astype(np.float32) for key in file.files if key.startswith(f"{name}/")}


def one_hot(thing: str, on: str, room: str) -> Array:
    row = np.zeros(len(things()) + len(places()) + len(ROOM_KINDS), np.float32)
    if thing in things():
        row[things().index(thing)] = 1.0
    if on in places():
        row[len(things()) + places().index(on)] = 1.0
    if room in ROOM_KINDS:
        row[len(things()) + len(places()) + ROOM_KINDS.index(room)] = 1.0
    return row


@cache
def misplaced_in(thing: str, on: str) -> tuple[float, ...]:
    """How likely a kind of thing on a kind of receptacle is misplaced, in each kind of room."""
    rows = np.stack([one_hot(thing, on, room) for room in ROOM_KINDS])
    return tuple(float(p) for p in softmax(two_layers(weights("misplaced"), rows))[:, 1])


@cache
def homes_of(thing: str) -> Mapping[tuple[str, str], float]:
    """How likely each pair of receptacle and room is the place of a kind of thing."""
    row = np.zeros((1, len(things())), np.float32)
    if thing in things():
        row[0, things().index(thing)] = 1.0
    shares = softmax(two_layers(weights("receptacle"), row))[0]
    pairs = [(on, room) for on in places() for room in ROOM_KINDS]
    return {pair: float(share) for pair, share in zip(pairs, shares)}


class LearntSurvey(Survey):
    """A survey that asks the networks and never the table."""

    def misplaced(self, thing: Thing) -> bool:
        room = self.room_of(thing)
        on = FLOOR if thing.where == FLOOR else self.pieces.get(thing.where, ("", ""))[0]
        if not on or not room or thing.kind not in things() or on not in places():
            return False
        odds = self.odds(room)
        found = sum(odds[kind] * share for kind, share in zip(ROOM_KINDS, misplaced_in(thing.kind, on)))
        return found > SURE

    def belongs(self, kind: str, on: str, room: str) -> bool:
        likely = homes_of(kind)
        return likely.get((on, room), 0.0) >= FITS * max(likely.values())
