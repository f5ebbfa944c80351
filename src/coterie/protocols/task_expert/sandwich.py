"""Each side fetches what comes next from it; the robot that holds the next layer puts it on the stack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coterie.core.action import WAIT, Action
from coterie.worlds.tabletop.jobs.sandwich import BOARD, SIDE, Sandwich

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld


def next_round(world: TabletopWorld, refused: Sequence[dict[str, Action]] = ()) -> dict[str, Action]:
    table = world.table
    job = world.job
    assert isinstance(job, Sandwich)
    order, stacked = job.order(table), job.stacked(table)
    rest = order[len(stacked) :]
    joint: dict[str, Action] = {}
    for robot, side in SIDE.items():
        holds = table.held.get(robot)
        if holds and rest and holds == rest[0]:
            joint[robot] = Action("put", (holds, stacked[-1] if stacked else BOARD))
        elif not holds:
            mine = [f for f in rest if not table.holder(f) and job.side(table.pos(f)) == side]
            joint[robot] = Action("pick", (mine[0],)) if mine else Action(WAIT)
        else:
            joint[robot] = Action(WAIT)
    return joint
