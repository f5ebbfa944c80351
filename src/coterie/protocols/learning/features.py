"""A robot's own state and what it knows of its teammates, as numbers for the network that chooses sub-skills."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView
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
