"""Cubes go straight to their plates where one arm reaches both; else over the nearest place of hand-over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coterie.core.action import WAIT, Action
from coterie.worlds.tabletop.jobs.sort_cubes import GOAL, PANELS, REACH, SHARED, SortCubes

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld


def next_round(world: TabletopWorld, refused: Sequence[dict[str, Action]] = ()) -> dict[str, Action]:
    job, table = world.job, world.table
    assert isinstance(job, SortCubes)
    lies = {cube: job.area(cube, table.pos(cube)) for cube in GOAL}
    left = [c for c in GOAL if not job.lies_on(table, c, GOAL[c])]
    joint: dict[str, Action] = {}
    taken: set[str] = set()  # places that are used in this round
    for detour in (False, True):  # a cube that blocks another makes room only if nothing else can be done
        for cube in sorted(left, key=lambda c: _steps(lies[c], GOAL[c])):
            for robot, reach in REACH.items():
                if robot in joint or lies[cube] not in reach or any(a.args[0] == cube for a in joint.values()):
                    continue
                wanted = _asides(lies[cube], reach) if detour else [_target(lies[cube], GOAL[cube], reach)]
                free = [t for t in wanted if t and t not in taken and not job.in_the_way(table, robot, t, cube)]
                if free:
                    joint[robot] = Action("pick_place", (cube, free[0]))
                    taken.add(free[0])
                    break
            if detour and joint:
                break
        if joint:
            break
    return {robot: joint.get(robot, Action(WAIT)) for robot in REACH}


def _asides(here: str, reach: tuple[str, ...]) -> list[str]:
    """Where a cube that is in the way can wait."""
    return [p for p in SHARED if p in reach and p != here]


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
