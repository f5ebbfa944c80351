"""Picks and places of arms, drawn at random in houses from seeds: what the geometric test and the planner say of each.

For the test and the benchmark of planned arms, which ask the same questions.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import NamedTuple

from coterie.core.config import Config
from coterie.core.seeds import rng_of
from coterie.episode.setup import build
from coterie.houses.model import Furniture
from coterie.houses.scene import dist
from coterie.motion.grid import Point
from coterie.worlds.indoor.arms import FREE
from coterie.worlds.indoor.world import IndoorWorld

BEYOND_M = 0.3  # how far out of reach things are asked for
FOOT_M = 0.2  # things do not lie on the arm's own foot


class Situation(NamedTuple):
    skill: str
    robot: str
    furniture: Furniture
    gap_m: float  # shoulder to spot
    geometric: bool
    found: str
    touches: str
    cpu_s: float

    @property
    def agree(self) -> bool:
        return self.geometric == (self.found == FREE)


def situations(houses: int, each: int) -> Iterator[Situation]:
    """`each` picks and half as many places in every house: three of four by the mobile arm, the others by the fixed."""
    for n in range(houses):
        world, _ = build(Config(seed=n, scene=f"house:{2 * n + 1}", team="Ma-MoMa", arms="planned"))
        assert isinstance(world, IndoorWorld)
        rng = rng_of("reach", n)
        spots = list(_spots(world))
        for robot, share in (("Alice", 0.75), ("Bob", 0.25)):
            mine = [s for s in spots if s[0] == robot]
            count = min(len(mine), round(each * share))
            yield from (_pick(world, *s) for s in rng.sample(mine, count))
            yield from _places(world, robot, rng, count // 2)


Spot = tuple[str, Furniture, Point, tuple[float, float, float]]


def _spots(world: IndoorWorld) -> Iterator[Spot]:
    """Everything that could be asked for from somewhere, up to a little out of reach."""
    taken = {world.truth["spot", t] for t in world.things} | world.fluents.blocked_spots
    for robot, card in world.cards.items():
        for f, pose in _stands(world, robot):
            for spot in f.spots:
                own_foot = not card.moves and dist((spot[0], spot[1]), pose) < FOOT_M
                if spot not in taken and not own_foot and card.gap(pose, spot) <= card.reach_m + BEYOND_M:
                    yield robot, f, pose, spot


def _stands(world: IndoorWorld, robot: str) -> Iterator[tuple[Furniture, Point]]:
    card, scene = world.cards[robot], world.scene
    if not card.moves and scene.work is not None:
        yield scene.piece[scene.work.table], scene.work.arm
        return
    for f in scene.places:
        if f.surface_m <= card.camera_high_m:
            yield from ((f, p) for p in f.stands)


def _stand(world: IndoorWorld, robot: str, f: Furniture, pose: Point) -> None:
    world.set(("pose", robot), pose)
    world.set(("at", robot), f.name)
    if f.opens:
        world.set(("open", f.name), True)


def _pick(world: IndoorWorld, robot: str, f: Furniture, pose: Point, spot: tuple[float, float, float]) -> Situation:
    """One thing is moved there and asked for; the others lie where the task has them."""
    assert world.arms is not None
    card, thing = world.cards[robot], next(iter(world.things))
    before = world.truth["where", thing], world.truth["spot", thing]
    _stand(world, robot, f, pose)
    world.put(thing, f.name, spot)
    begun = time.process_time()
    found = world.arms.pick(robot, thing)
    took = time.process_time() - begun
    world.put(thing, *before)
    gap = card.gap(pose, spot)
    return Situation("pick", robot, f, gap, gap <= card.reach_m, found.what, found.touches, took)


def _places(world: IndoorWorld, robot: str, rng: random.Random, count: int) -> Iterator[Situation]:
    """Things laid down where the geometric test finds room: on furniture, and on the platforms of the work table."""
    assert world.arms is not None
    card, thing = world.cards[robot], next(iter(world.things))
    places = [(f, pose, f.name) for f, pose in _stands(world, robot)]
    table = world.scene.work_table
    places += [(f, pose, p) for f, pose, _ in places if f.name == table for p in world.fluents.platforms]
    for f, pose, place in rng.choices(places, k=count):
        _stand(world, robot, f, pose)
        spot = world.fluents.free_spot(world.look, card, pose, place)
        if spot is None or card.gap(pose, spot) > card.reach_m:
            continue
        begun = time.process_time()
        found = world.arms.place(robot, thing, place)
        took = time.process_time() - begun
        yield Situation("place", robot, f, card.gap(pose, spot), True, found.what, found.touches, took)
