"""Cubes go straight to their plates where one arm reaches both; else over the nearest place of hand-over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coterie.core.action import WAIT, Action
from coterie.worlds.tabletop.jobs.sort_cubes import GOAL, PANELS, REACH, SHARED, SortCubes

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld


def next_round(world: TabletopWorld) -> dict[str, Action]:
    job = world.job
    assert isinstance(job, SortCubes)
    lies = {cube: job.area(cube, world.table.pos(cube)) for cube in GOAL}
    joint: dict[str, Action] = {}
    taken: set[str] = set()  # places of hand-over that are used in this round
    for cube in sorted(GOAL, key=lambda c: _steps(lies[c], GOAL[c])):
        if job.lies_on(world.table, cube, GOAL[cube]):
            continue
        for robot, reach in REACH.items():
            target = _target(lies[cube], GOAL[cube], reach)
            if robot not in joint and lies[cube] in reach and target and target not in taken:
                joint[robot] = Action("pick_place", (cube, target))
                taken.add(target)
                break
    return {robot: joint.get(robot, Action(WAIT)) for robot in REACH}


def _steps(here: str, goal: str) -> int:
    """How many arms a cube has to go through."""
    order = list(PANELS)
    return abs(order.index(here) - order.index(goal))


def _target(here: str, goal: str, reach: tuple[str, ...]) -> str:
    """Where an arm brings a cube: to its plate, or one place of hand-over nearer to it."""
    if goal in reach:
        return goal
    order = list(PANELS)
    at, to = order.index(here), order.index(goal)
    between = [p for p in SHARED if p in reach and min(at, to) < order.index(p) < max(at, to)]
    return min(between, key=lambda p: abs(order.index(p) - to), default="")
