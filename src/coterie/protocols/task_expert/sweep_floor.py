"""The farthest cube first, so that the way of a full pan is short; the pan is emptied when no cube is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coterie.core.action import WAIT, Action
from coterie.worlds.tabletop.jobs.sweep_floor import BROOM, CUBES, PAN, SweepFloor

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld


def next_round(world: TabletopWorld, refused: Sequence[dict[str, Action]] = ()) -> dict[str, Action]:
    table, job = world.table, world.job
    assert isinstance(job, SweepFloor)
    where = {c: job.where(table, c) for c in CUBES}
    left = [c for c in CUBES if where[c] == "on the table"]
    if not left:
        full = "inside dustpan" in where.values()
        return {PAN: Action("dump" if full else WAIT), BROOM: Action(WAIT)}
    free = [c for c in left if not job.blocked(table, c)]
    cube = max(free, key=lambda c: table.pos(c)[0]) if free else min(left, key=lambda c: table.pos(c)[1])
    ready = {r: job.ready(table, r, cube) for r in (PAN, BROOM)}
    if all(ready.values()):
        return {PAN: Action(WAIT), BROOM: Action("sweep", (cube,))}
    return {r: Action(WAIT) if ok else Action("move", (cube,)) for r, ok in ready.items()}
