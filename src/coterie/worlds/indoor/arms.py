"""Planned arms: a pick or a place is possible when the arm finds a path to it.

The geometric test asks how far a thing is from the shoulder. This one asks the arm: is there a posture with the hand
at the thing, is one of them free of collisions, and does a path lead there? Drones have no arm to ask: a suction cup
hangs below them and they fly over what they take, so the geometric test stays theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, radians, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.card import Card
from coterie.core.seeds import seed_of
from coterie.motion import ik, needs
from coterie.motion.plan import Limits, plan
from coterie.worlds.indoor.arm_model import Seat, Stage, build, facing
from coterie.worlds.indoor.found import FREE, NO_FREE_POSTURE, NO_PATH, NO_POSTURE, Found
from coterie.worlds.indoor.surroundings import Corner, Surroundings

if TYPE_CHECKING:
    from coterie.worlds.indoor.world import IndoorWorld

GRASP = 2 / 3  # of the height of a thing: where it is held
TILTS = tuple(radians(a) for a in (0, 30, 60, 90, -30))  # of the tool: from above, slanting outwards, level, inwards
TRIES = 20  # descents of the inverse kinematics per tilt
BACK_M = 0.12  # the hand comes the last bit straight
LIMITS = Limits(iterations=1000, shortcuts=0, wall_s=30.0)
SPOTS = 3  # free spots a place is tried at
MARGIN_M = 0.35  # beyond its reach that an arm can touch things with an elbow or a hand
MOST_KEPT = 5000


class PlannedArms:
    """Answers for the arms of one world. The same question in the same surroundings has the same answer."""

    def __init__(self, world: IndoorWorld):
        needs.ompl()  # complains now, not in the middle of an episode
        self.world = world
        self.around = Surroundings(world.fluents, world.truth)
        self._known: dict[Any, Found] = {}

    def pick(self, robot: str, thing: str) -> Found:
        truth, card = self.world.truth, self.world.cards[robot]
        spot = truth.get(("spot", thing))
        if spot is None or not _has_arm(card):
            return Found(FREE)
        return self._ask(robot, thing, spot, self.around.height(truth["where", thing]), False)

    def place(self, robot: str, thing: str, platform: str) -> Found:
        """The first free spot with a path counts; if none has one, what is said of the first is the answer."""
        world, card = self.world, self.world.cards[robot]
        first = None
        for n, spot in enumerate(world.fluents.free_spots(world.look, card, world.truth["pose", robot], platform)):
            if n == SPOTS:
                break
            if not _has_arm(card):
                return Found(FREE, "", spot)
            found = self._ask(robot, thing, spot, self.around.height(platform), True)
            if found.what == FREE:
                return found._replace(spot=spot)
            first = first or found
        return first or Found(FREE)

    def _ask(self, robot: str, thing: str, spot: Corner, height: float, holds: bool) -> Found:
        card, pose = self.world.cards[robot], self.world.truth["pose", robot]
        self.around.truth = self.world.truth  # a restored world has a new store
        boxes = self.around.around(pose, card.reach_m + MARGIN_M, card.footprint_m, thing)
        key = (robot, thing, card, pose, spot, holds, boxes)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            spot = _beside(card, pose, spot)
            stage = build(facing(card, pose, spot), boxes, holds)
            target = (spot[0], spot[1], spot[2] + GRASP * height)
            seed = seed_of(self.world.seed, "arm", robot, thing)
            found = self._known[key] = reach(stage, facing(card, pose, spot), target, seed)
        return found


def _has_arm(card: Card) -> bool:
    return card.mobility != "air" and card.reach_m > 0


def _beside(card: Card, pose: tuple[float, float], spot: Corner) -> Corner:
    """A thing on the floor where a robot stands is not below its wheels but before them."""
    x, y, z = spot
    rim = card.footprint_m + 0.1
    away = float(np.hypot(x - pose[0], y - pose[1]))
    if not card.moves or z > 0.05 or away >= rim:
        return spot
    ux, uy = ((x - pose[0]) / away, (y - pose[1]) / away) if away > 1e-6 else (1.0, 0.0)
    return (pose[0] + rim * ux, pose[1] + rim * uy, z)


# -- one question ---------------------------------------------------------------------------------------------------
def reach(stage: Stage, seat: Seat, target: Corner, seed: int) -> Found:
    """Whether the hand gets to a point from some side; the nearest miss decides the words."""
    if stage.rest is None:
        return Found(NO_FREE_POSTURE, "what stands around it")
    rng = np.random.default_rng(seed)
    refused: list[np.ndarray] = []

    def accept(q: np.ndarray) -> bool:
        good = stage.checker.inside(q) and stage.checker.free(q)
        if not good:
            refused.append(q)
        return good

    blocked = False
    for quat, axis in _approaches(seat):
        goal = _posture(stage, target, quat, stage.rest, rng, accept)
        if goal is None:
            continue
        before = np.asarray(target) - BACK_M * axis
        guide = _posture(stage, before, quat, goal, rng, accept, tries=2)
        guides = () if guide is None else (guide,)
        if plan(stage.checker, stage.rest, goal, guide=guides, method="bit*", seed=seed, limits=LIMITS) is not None:
            return Found(FREE)
        blocked = True
    if blocked:
        return Found(NO_PATH)
    return Found(NO_FREE_POSTURE, _touched(stage, refused)) if refused else Found(NO_POSTURE)


def _posture(
    stage: Stage,
    at: Any,
    quat: np.ndarray,
    start: np.ndarray,
    rng: np.random.Generator,
    accept: Any,
    tries: int = TRIES,
) -> np.ndarray | None:
    return ik.solve(
        stage.model, stage.data, stage.arm, at, quat,
        start=start, free_yaw=True, rng=rng, tries=tries, accept=accept,
    )  # fmt: skip


def _touched(stage: Stage, refused: list[np.ndarray]) -> str:
    """What the refused postures touch most often."""
    names = [b if a == stage.arm.name else a for q in refused for a, b in stage.checker.pairs(q)]
    names = ["itself" if n == stage.arm.name else n for n in names]
    return max(sorted(set(names)), key=names.count) if names else "its own limits"


def _approaches(seat: Seat) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Ways to hold the tool, as a quaternion and the direction of its axis."""
    for tilt in TILTS:
        axis = np.array([sin(tilt) * cos(seat.yaw), sin(tilt) * sin(seat.yaw), -cos(tilt)])
        turn = pi - tilt  # from straight up, about the level axis across the tool's plane
        half = turn / 2
        yield np.array([cos(half), -sin(half) * sin(seat.yaw), sin(half) * cos(seat.yaw), 0.0]), axis
