"""Move Rope by script: each arm takes the end on its side, then both carry the rope over the wall into the groove."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import TYPE_CHECKING

from coterie.core.action import Action
from coterie.worlds.tabletop.job import Xyz, above, distance
from coterie.worlds.tabletop.jobs.move_rope import ENDS, GRASP, PLACES, TOP, MoveRope

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld

HEIGHTS = (0.52, 0.55, 0.46)  # of the points; the first that passes is taken
SHARES = ((0.25, 0.5, 0.75, 1.0), (0.2, 0.4, 0.6, 0.8))
Joint = dict[str, Action]


def next_round(world: TabletopWorld) -> Joint:
    """The first of the likely joint actions that passes all checks; the likeliest when none does."""
    first: Joint = {}
    for joint in _options(world):
        for shares in SHARES:
            for z in HEIGHTS:
                trial = {r: _with_path(world, r, a, z, shares) for r, a in joint.items()}
                first = first or trial
                if next(iter(world.check(trial).values())).ok:
                    return trial
    return first


def _options(world: TabletopWorld) -> Iterator[Joint]:
    """Both pick or both put, in the better order first. Rounds are joint, so nobody ever holds an end alone."""
    robots, table = list(world.cards), world.table
    if table.held:
        joints = [{r: Action("put", (table.held[r], p)) for r, p in zip(robots, ps)} for ps in permutations(PLACES)]
        # Squares tell ways in step from ways past each other, whose sums are the same.
        yield from sorted(
            joints, key=lambda j: sum(distance(table.ee(r), _target(world, a)) ** 2 for r, a in j.items())
        )
        return
    joints = [{r: Action("pick", (e,)) for r, e in zip(robots, ends)} for ends in permutations(ENDS)]
    base = {m.name: m.at for m in world.job.mounts}
    yield from sorted(joints, key=lambda j: sum(distance(base[r], _target(world, a)) ** 2 for r, a in j.items()))


def _target(world: TabletopWorld, action: Action) -> Xyz:
    job: MoveRope = world.job  # type: ignore[assignment]
    return job.spot(action.args[1]) if action.skill == "put" else above(world.table.pos(action.args[0]), GRASP)


def _with_path(world: TabletopWorld, robot: str, action: Action, z: float, shares: tuple[float, ...]) -> Action:
    """Four points on a level line; hands that move in step keep their distance."""
    start, end = world.table.ee(robot), _target(world, action)
    points = [(*(s + (e - s) * k for s, e in zip(start[:2], end[:2])), min(z, TOP)) for k in shares]
    return action._replace(path=tuple((round(x, 3), round(y, 3), round(h, 3)) for x, y, h in points))
