"""Two arms take the handles, open the doors and hold them; the third fetches what is inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coterie.core.action import WAIT, Action
from coterie.worlds.tabletop.jobs.arrange_cabinet import DOORS, GOAL, ArrangeCabinet
from coterie.worlds.tabletop.jobs.cabinet import handle_of

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld


def next_round(world: TabletopWorld, refused: Sequence[dict[str, Action]] = ()) -> dict[str, Action]:
    table, job = world.table, world.job
    assert isinstance(job, ArrangeCabinet)
    joint = {"Alice": Action(WAIT), "Bob": Action(WAIT), "Chad": Action(WAIT)}
    shut = {r: handle_of(d) for r, d in DOORS.items() if not job.is_open(table, d)}
    for robot, handle in shut.items():
        joint[robot] = Action("open" if table.held.get(robot) == handle else "pick", (handle,))
    if not shut:
        left = [c for c in GOAL if not job.in_place(table, c)]
        if left:
            joint["Chad"] = Action("pick_place", (left[0], GOAL[left[0]]))
    return joint
