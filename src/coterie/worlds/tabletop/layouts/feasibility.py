"""Can what a job needs be done at all: does every hand have a free posture wherever it has to be?

Posts beside a thing may stand where the arm behind the hand would have to be. The world's own search for postures and
its own collision checks say so, on the scene as it was drawn: arms at home, nothing in hands, no physics.
"""

from __future__ import annotations

from collections.abc import Mapping

from coterie.worlds.tabletop.arms.reaching import Goals, Reaching
from coterie.worlds.tabletop.job import STAY, Job, Layout, Leg
from coterie.worlds.tabletop.table import Table


def feasible(job: Job, layout: Layout) -> bool:
    """Whether all that the job needs has a free posture, in one of the ways in which it can be done."""
    return not lacking(job, layout, first=True)


def lacking(job: Job, layout: Layout, first: bool = False) -> list[int]:
    """The numbers of needs that no way serves; looks no further than the first, if told so."""
    table = Table(job, layout, at_rest=False)
    found: list[int] = []
    for number, need in enumerate(job.needs(table)):
        if not any(all(_free(table, legs) for legs in way) for way in need):
            found.append(number)
            if first:
                break
    return found


def _free(table: Table, legs: Mapping[str, Leg]) -> bool:
    """Whether these hands can be at their targets at the same time, come there and leave; the others stay at home."""
    everybody = {robot: legs.get(robot, STAY) for robot in table.arms}
    return isinstance(Reaching(table, table.data, {}, everybody).solve(0), Goals)
