"""Sweep Floor: the farthest cube first, so that the way of a full pan is short."""

from __future__ import annotations

from typing import Any

from coterie.core.action import WAIT, Action
from coterie.worlds.tabletop.jobs.sweep_floor import BROOM, CUBES, PAN


def next_round(world: Any) -> dict[str, Action]:
    """Both to a cube, sweep it, and empty the pan when no cube is left."""
    table, job = world.table, world.job
    where = {c: job.where(table, c) for c in CUBES}
    left = [c for c in CUBES if where[c] == "on the table"]
    if not left:
        full = "inside dustpan" in where.values()
        return {PAN: Action("dump") if full else Action(WAIT), BROOM: Action(WAIT)}
    cube = max(left, key=lambda c: table.pos(c)[0])
    ready = {r: job.ready(table, r, cube) for r in (PAN, BROOM)}
    if all(ready.values()):
        return {PAN: Action(WAIT), BROOM: Action("sweep", (cube,))}
    return {r: Action(WAIT) if ok else Action("move", (cube,)) for r, ok in ready.items()}
