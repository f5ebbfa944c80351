"""Streams of tasks for a memo: all similar to one, or no two alike.

A hundred seeds in a row make one stream, so that a task depends on its seed alone: `similar` draws around the layout of
the stream's first seed, `different` draws until nothing drawn before in the stream is similar.
"""

from __future__ import annotations

import math
from itertools import combinations
from random import Random

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.worlds.tabletop.clutter import cluttered
from coterie.worlds.tabletop.job import CLUTTERED, MECOBENCH, Job, Layout, Pose

STREAM = 100  # seeds
TRIES = 5000
SHIFT = 0.02  # [m] things of a similar task with much overlap lie this close to where they lay


def drawn(job: Job, rng: Random, mode: str) -> Layout:
    """A layout of one of the randomisations; among posts, the wide one."""
    if mode != CLUTTERED:
        return job.draw(rng, mode)
    return cluttered(job, job.draw(rng, MECOBENCH), rng)


def similar(job: Job, seed: int, mode: str = MECOBENCH) -> Layout:
    """The layout of this seed in a stream in which all tasks are similar to the first; posts stay where they are."""
    first = seed // STREAM * STREAM
    base = drawn(job, rng_of(first, job.name, "stream"), mode)
    if seed % STREAM == 0:
        return base
    for attempt in range(TRIES):
        rng = rng_of(seed, job.name, "similar", attempt)
        layout = _near(job, base, rng) if job.overlap == "high" else job.draw(rng, MECOBENCH)
        if layout is not None and signature(job, layout) == signature(job, base):
            return layout
    raise CoterieError(f"No task of '{job.name}' similar to that of seed {seed // STREAM * STREAM} was found.")


def different(job: Job, seed: int) -> Layout:
    """The layout of this seed in a stream in which no task is similar to an earlier one."""
    if job.overlap == "high":
        return job.draw(rng_of(seed, job.name, "different"), MECOBENCH)
    first = seed // STREAM * STREAM
    taken: set[tuple[object, ...]] = set()
    for number in range(first, seed + 1):
        found = _unlike(job, number, taken)
        if found is None:
            count = f"There is only {len(taken)} task" if len(taken) == 1 else f"There are only {len(taken)} tasks"
            raise CoterieError(f"{count} of '{job.name}' without a similar one; no seed gives another.")
        taken.add(signature(job, found))
    return found  # type: ignore[return-value]


def _unlike(job: Job, seed: int, taken: set[tuple[object, ...]]) -> Layout | None:
    for attempt in range(TRIES):
        layout = job.draw(rng_of(seed, job.name, "different", attempt), MECOBENCH)
        if signature(job, layout) not in taken:
            return layout
    return None


def signature(job: Job, layout: Layout) -> tuple[object, ...]:
    """What two similar tasks share. With much overlap only trajectories tell, so there all tasks look alike from here,
    and whether a memo finds two of them similar is for the bench to count."""
    areas = tuple((n, job.area(n, p.at)) for n, p in sorted(layout.things.items()))
    return (job.goal(layout), areas)


def _near(job: Job, base: Layout, rng: Random) -> Layout | None:
    """The same things a little elsewhere; None when two of them would stand in each other."""
    if job.name == "move-rope":
        return _near_rope(base, rng)
    things = {n: _shifted(p, rng) for n, p in base.things.items()}
    apart = all(math.dist(a.at[:2], b.at[:2]) > _room(base, n, m) for (n, a), (m, b) in combinations(things.items(), 2))
    return Layout(things, base.fixed, base.more) if apart else None


def _room(base: Layout, a: str, b: str) -> float:
    """Two things stay at least as far apart as they were, but for a centimetre."""
    return min(0.16, math.dist(base.things[a].at[:2], base.things[b].at[:2])) - 0.01


def _shifted(pose: Pose, rng: Random) -> Pose:
    x, y, z = pose.at
    return Pose((x + rng.uniform(-SHIFT, SHIFT), y + rng.uniform(-SHIFT, SHIFT), z), pose.yaw)


def _near_rope(base: Layout, rng: Random) -> Layout:
    """The whole rope moves, and the wall a little."""
    dx, dy = rng.uniform(-SHIFT, SHIFT), rng.uniform(-SHIFT, SHIFT)
    things = {n: Pose((p.at[0] + dx, p.at[1] + dy, p.at[2]), p.yaw) for n, p in base.things.items()}
    fixed = {n: Pose((p.at[0] + rng.uniform(-0.01, 0.01), *p.at[1:]), p.yaw) for n, p in base.fixed.items()}
    return Layout(things, fixed, base.more)
