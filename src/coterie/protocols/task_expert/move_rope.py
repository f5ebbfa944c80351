"""Each arm takes the end on its side; then both carry the rope over the wall, in step, and lay it into the groove."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from typing import TYPE_CHECKING

from coterie.core.action import WAIT, Action
from coterie.protocols.rounds.oracle.paths import off_the_bar
from coterie.protocols.task_expert.pack_grocery import bar_of
from coterie.worlds.tabletop.job import Xyz, above, distance
from coterie.worlds.tabletop.jobs.move_rope import ENDS, PINCH, PLACES, MoveRope

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld

HEIGHTS = (0.52, 0.55, 0.46)  # of the points on the way; the first that passes is taken
SHARES = ((0.25, 0.5, 0.75, 1.0), (0.2, 0.4, 0.6, 0.8))  # where they lie on it
Joint = dict[str, Action]


def next_round(world: TabletopWorld, refused: Sequence[Joint] = ()) -> Joint:
    """The first of the likely joint actions that passes all checks and was not refused; the likeliest when none is
    left."""
    if len(world.cards) < len(world.job.mounts):
        return {r: Action(WAIT) for r in world.cards}  # it takes two
    trials = [
        {r: with_path(world, r, a, z, shares) for r, a in joint.items()}
        for joint, shares, z in product(options(world), SHARES, HEIGHTS)
    ]
    new = (t for t in trials if t not in refused)
    return next((t for t in new if next(iter(world.check(t).values())).ok), trials[0])


def options(world: TabletopWorld) -> list[Joint]:
    """Both pick or both put, in the better order first. Rounds are joint, so nobody ever holds an end alone."""
    robots, table = list(world.cards), world.table
    if table.held:
        joints = [{r: Action("put", (table.held[r], p)) for r, p in zip(robots, ps)} for ps in permutations(PLACES)]
        start: dict[str, Xyz] = {r: table.ee(r) for r in robots}
    else:
        joints = [{r: Action("pick", (e,)) for r, e in zip(robots, ends)} for ends in permutations(ENDS)]
        start = {m.name: m.at for m in world.job.mounts}
    # Squares tell ways in step from ways past each other, whose sums are the same.
    return sorted(joints, key=lambda j: sum(distance(start[r], target(world, a)) ** 2 for r, a in j.items()))


def target(world: TabletopWorld, action: Action) -> Xyz:
    assert isinstance(world.job, MoveRope)
    return world.job.spot(action.args[1]) if action.skill == "put" else above(world.table.pos(action.args[0]), PINCH)


def with_path(world: TabletopWorld, robot: str, action: Action, z: float, shares: tuple[float, ...]) -> Action:
    """Four points on a level line; hands that move in step keep their distance."""
    start, end = world.table.ee(robot), target(world, action)
    flat = [tuple(round(s + (e - s) * k, 3) for s, e in zip(start[:2], end[:2])) for k in shares]
    return action._replace(path=tuple(off_the_bar(start, [(x, y, z) for x, y in flat], bar_of(world))))
