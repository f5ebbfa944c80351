"""Planned arms: a pick or a place is possible when the arm finds a path to it.

The geometric test asks how far a thing is from the shoulder. This one asks the arm: is there a posture with the hand
at the thing, is one of them free of collisions, and does a path lead there? Drones have no arm to ask: a suction cup
hangs below them and they fly over what they take, so the geometric test stays theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import atan2, cos, pi, radians, sin
from typing import Any

import numpy as np

from coterie.core.card import Card
from coterie.core.seeds import seed_of
from coterie.houses.model import Rect
from coterie.houses.scene import dist, nearest_in
from coterie.motion import ik, needs
from coterie.motion.grid import Point
from coterie.motion.plan import Limits, plan
from coterie.worlds.indoor.arms import FREE, NO_FREE_POSTURE, NO_PATH, NO_POSTURE, Found
from coterie.worlds.indoor.arms.model import Seat, Stage, build, facing
from coterie.worlds.indoor.arms.surroundings import Corner, around, thing_height
from coterie.worlds.indoor.state import HouseState

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

    def __init__(self, world: HouseState):
        needs.ompl()  # complains now, not in the middle of an episode
        self.world = world
        self._known: dict[Any, Found] = {}
        table = world.scene.work_table
        self._table_m = world.scene.piece[table].surface_m if table is not None else 0.75

    def pick(self, robot: str, thing: str) -> Found:
        truth, card = self.world.truth, self.world.cards[robot]
        spot = truth.get(("spot", thing))
        if spot is None or not _has_arm(card):
            return Found(FREE)
        at = self.world.scene.piece.get(str(truth["at", robot]))
        height = thing_height(self.world.fluents, truth["where", thing])
        options = _lies(card, truth["pose", robot], spot, at.rect if at is not None else None)
        return _first_free(self._ask(robot, thing, s, height, False) for s in options)

    def place(self, robot: str, thing: str, platform: str) -> Found:
        """The first free spot with a path counts; if none has one, what is said of the first is the answer."""
        world, card = self.world, self.world.cards[robot]
        spots = world.fluents.free_spots(world.look, card, world.truth["pose", robot], platform)
        if not _has_arm(card):
            return Found(FREE, "", next(spots, None))
        height = thing_height(world.fluents, platform)
        some = islice(spots, SPOTS)
        return _first_free(self._ask(robot, thing, s, height, True)._replace(spot=s) for s in some)

    def _ask(self, robot: str, thing: str, spot: Corner, height: float, holds: bool) -> Found:
        world = self.world
        card, pose = world.cards[robot], world.truth["pose", robot]
        boxes = around(world.fluents, world.truth, pose, card.reach_m + MARGIN_M, card.footprint_m, thing)
        key = (robot, thing, card, pose, spot, height, holds, boxes)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            seat = facing(card, pose, spot, self._table_m)
            target = (spot[0], spot[1], spot[2] + GRASP * height)
            seed = seed_of(world.seed, "arm", robot, thing)
            found = self._known[key] = reach(build(seat, boxes, holds), seat, target, seed)
        return found


def _first_free(answers: Iterable[Found]) -> Found:
    """The first answer with a path; else the first; without any, nothing speaks against it here."""
    first = None
    for found in answers:
        if found.what == FREE:
            return found
        first = first or found
    return first or Found(FREE)


def _has_arm(card: Card) -> bool:
    return card.mobility != "air" and card.reach_m > 0


def _lies(card: Card, pose: Point, spot: Corner, rect: Rect | None) -> Iterator[Corner]:
    """Where a thing is to be looked for: at its spot.

    But one on the floor where a robot stands is not below its wheels: it lies beside them, where there is room.
    """
    rim = card.footprint_m + 0.12
    if not card.moves or spot[2] > 0.05 or dist(pose, (spot[0], spot[1])) >= rim:
        yield spot
        return
    x, y = nearest_in(rect, pose) if rect is not None else (pose[0] - 1.0, pose[1])
    for turn in (0.0, pi / 2, -pi / 2):  # away from the furniture, or along it
        angle = atan2(pose[1] - y, pose[0] - x) + turn
        yield (pose[0] + rim * cos(angle), pose[1] + rim * sin(angle), spot[2])


# -- one question ---------------------------------------------------------------------------------------------------
def reach(stage: Stage, seat: Seat, target: Corner, seed: int) -> Found:
    """Find out if the hand gets to a point from some side; the nearest miss decides the words."""
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
    """The obstacle that the refused postures touch most often."""
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
