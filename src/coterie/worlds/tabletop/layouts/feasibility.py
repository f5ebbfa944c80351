"""Can what a job needs be done at all: does every hand have a free posture wherever it has to be?

Posts beside a thing may stand where the arm behind the hand would have to be. The world's own search for postures and
its own collision checks say so, on the scene as it was drawn: arms at home, nothing in hands, no physics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from coterie.motion import ik
from coterie.motion.arm import arms_of, home_all
from coterie.motion.bodies import Mount, add_arm
from coterie.motion.bodies.card import SUFFIX, load
from coterie.motion.needs import mujoco
from coterie.worlds.tabletop.arms.reaching import Goals, Reaching
from coterie.worlds.tabletop.build import TABLE_AT, TABLE_HALF
from coterie.worlds.tabletop.job import STAY, Job, Layout, Leg
from coterie.worlds.tabletop.table import Table

FAR_M = 0.8  # [m] from the axis of its base that a hand has to reach, pointing down, for the jobs as they are
BESIDE_M = 0.02  # [m] between a base and the table's edge, at least


def feasible(job: Job, layout: Layout) -> bool:
    """True if all that the job needs has a free posture, in one of the ways in which it can be done."""
    table = Table(job, layout, at_rest=False)
    return all(any(all(_free(table, legs) for legs in way) for way in need) for need in job.needs(table))


def _free(table: Table, legs: Mapping[str, Leg]) -> bool:
    """True if these hands can be at their targets at the same time, come there and leave; the others stay at home."""
    everybody = {robot: legs.get(robot, STAY) for robot in table.arms}
    return isinstance(Reaching(table, table.data, {}, everybody).solve(0), Goals)


def waiting(mount: Mount, body: str) -> Mount:
    """Another arm in the place of one, its hand where that of the other waits; where it cannot be, at its own home. A
    short arm stands nearer to the table."""
    x, y, z = mount.at
    reach, foot = (load(body).reach_m, load(body).foot_m) if body.endswith(SUFFIX) else (FAR_M, 0.0)
    short, edge = max(0.0, FAR_M - reach), TABLE_HALF[1] + foot + BESIDE_M
    y = min(y + short, TABLE_AT[1] - edge) if y < TABLE_AT[1] else max(y - short, TABLE_AT[1] + edge)
    mj, poses, other = mujoco(), {}, replace(mount, body=body, home=(), at=(x, y, z))
    for one in (mount, other):
        spec = mj.MjSpec()
        add_arm(spec, one)
        model = spec.compile()
        data, arm = mj.MjData(model), arms_of(model, [one])[one.name]
        home_all(model, data, [arm])
        poses[one] = arm.pose(data)
    at, quat = poses[mount]
    for free_yaw in (False, True):
        q = ik.untangled(model, arm, at, quat, arm.home, free_yaw)
        if q is not None:
            return replace(other, home=tuple(float(v) for v in q))
    return other
