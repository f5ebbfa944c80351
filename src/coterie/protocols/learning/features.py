"""A robot's own state and what it knows of its teammates, as numbers for the network that chooses sub-skills."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView
from coterie.houses.model import FLOOR, ROOM_KINDS
from coterie.houses.placement import kinds
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, Thing

Array = NDArray[np.float32]
Weights = dict[str, Array]


def softmax(scores: Array) -> Array:
    lifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Array = lifted / lifted.sum(axis=-1, keepdims=True)
    return shares


# -- two layers -------------------------------------------------------------------------------------------------------
def two_layers(weights: Weights, inputs: Array) -> Array:
    """Scores of classes for rows of inputs."""
    hidden = np.maximum(inputs @ weights["w1"] + weights["b1"], 0.0)
    scores: Array = hidden @ weights["w2"] + weights["b2"]
    return scores


# -- several robots ---------------------------------------------------------------------------------------------------
def fused(weights: Weights, own: Array, mates: Array, there: Array) -> tuple[Array, tuple[Array, ...]]:
    """Scores of classes, from a robot's own numbers (rows) and those of its teammates (rows, teammates, numbers);
    `there` is 1 where there is such a teammate. Also what training needs of the way."""
    mine = np.maximum(own @ weights["own_w"] + weights["own_b"], 0.0)
    each = np.maximum(mates @ weights["mate_w"] + weights["mate_b"], 0.0) * there[..., None]
    count = np.maximum(there.sum(axis=1, keepdims=True), 1.0)
    joined = np.concatenate([mine, each.sum(axis=1) / count], axis=1)
    middle = np.maximum(joined @ weights["fuse_w"] + weights["fuse_b"], 0.0)
    return middle @ weights["out_w"] + weights["out_b"], (mine, each, count, joined, middle)


SKILLS = ("Explore", "PickupObject", "PutObject", "Stop")
OWN_COUNT, MATE_COUNT, MOST_MATES = 16, 11, 7
FAR_M = 10.0


def nearest(me: RobotView, survey: Survey, avoid: Iterable[str]) -> Thing | None:
    """The nearest thing misplaced that this robot may be able to take."""
    if not me.card.manipulates:
        return None
    at, left = chart_of(me).pose, set(avoid)
    known = [t for t in survey.astray.values() if t.spot is not None and t.name not in left and _lifts(me, t.name)]
    return min(known, key=lambda t: (math.dist(at[:2], t.spot[:2]), t.name), default=None)  # type: ignore[index]


def _lifts(me: RobotView, thing: str) -> bool:
    mass = me.belief.value("mass", thing)
    return not isinstance(mass, (int, float)) or mass <= me.card.payload_kg


def own_row(me: RobotView, survey: Survey, avoid: Iterable[str], home: str | None) -> Array:
    """Numbers of the robot itself; `home` is where what it holds could go, as far as it knows."""
    card, value, chart = me.card, me.belief.value, chart_of(me)
    held, left = value("holding", me.name), value("battery", me.name)
    thing = nearest(me, survey, avoid)
    box: Any = value("box", home) if home else None
    there = box if isinstance(box, tuple) else None
    return np.array(
        [
            card.manipulates,
            card.payload_kg / 20,
            (card.camera_m or 1.6) > 1.2,
            min(1.0, (left if isinstance(left, int) else 500) / 500),
            me.step / (me.step_limit or 500),
            isinstance(held, str),
            bool(home),
            _far(there, chart.pose),
            min(1.0, len(survey.astray) / 5),
            thing is not None,
            _far(thing.spot if thing is not None else None, chart.pose),
            bool(chart.frontier),
            min(1.0, len(me.belief.area) / 20_000),
            me.outcome is not None and not me.outcome.ok,
            len(me.heartbeat) / MOST_MATES,
            1.0,
        ],
        np.float32,
    )


def mate_rows(me: RobotView, survey: Survey, avoid: Iterable[str]) -> tuple[Array, Array]:
    """Numbers of each teammate as far as this robot was told, and which rows are filled."""
    rows, there = np.zeros((MOST_MATES, MATE_COUNT), np.float32), np.zeros(MOST_MATES, np.float32)
    value, pose = me.belief.value, chart_of(me).pose
    thing = nearest(me, survey, avoid)
    for i, mate in enumerate(sorted(me.heartbeat)[:MOST_MATES]):
        doing = str(value("doing", mate)).split()
        payload, at = value("payload", mate), value("pose", mate)
        where = at if isinstance(at, tuple) else None
        first = doing[0] if doing else ""
        lifts = isinstance(payload, (int, float)) and payload > 0
        rows[i] = (
            lifts,
            payload / 20 if isinstance(payload, (int, float)) else 0.0,
            first == "Explore",
            first == "Re-place",
            first == "Stop",
            first == "Watch" or value("doing", mate) is UNKNOWN,
            thing is not None and len(doing) > 1 and doing[1].strip("<>") == thing.name,
            _far(where, pose),
            _far(where, thing.spot) if thing is not None and thing.spot is not None else 1.0,
            thing is not None and thing.spot is not None and _far(where, thing.spot) < _far(thing.spot, pose),
            thing is not None and value("failed_at", mate, thing.name) is True,
        )
        there[i] = 1.0
    return rows, there


def _far(a: Any, b: Any) -> float:
    return min(1.0, math.dist(a[:2], b[:2]) / FAR_M) if a is not None else 1.0


# -- where things belong ----------------------------------------------------------------------------------------------
# Misplaced things and their homes by the judgement of a learnt teammate: two small networks instead of the placement
# table, over a robot's own survey of the house.
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
