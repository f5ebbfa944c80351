"""Streams of tasks for a memo: all similar to one, or no two alike.

A hundred seeds in a row make one stream, so that a task depends on its seed alone: `similar` draws around the layout of
the stream's first seed, `different` draws until nothing drawn before in the stream is similar.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.memo import Act, Case, MemoSettings, Motion, Plan, Thing, family_of, similarity
from coterie.memo.geometry import SHORT_M
from coterie.memo.trace import covered
from coterie.worlds.tabletop import overlaps  # noqa: F401 (registers the families of the jobs)
from coterie.worlds.tabletop.job import CLUTTERED, MECOBENCH, Job, Layout, Pose, Xyz
from coterie.worlds.tabletop.layouts.clutter import among, cluttered
from coterie.worlds.tabletop.layouts.feasibility import feasible

STREAM = 100  # seeds
TRIES = 5000
FEW = 300  # tries at a task unlike all before it where that is dear to find out
ENOUGH = 400  # tries after which a ratio that is about right will do
SHIFT, FAR = 0.02, 0.2  # [m] things of a similar task with much overlap lie at least so close to where they lay
EDGE = 0.02  # of the reuse ratio: real ways are not straight
CLOSE = 0.01  # a ratio that misses what was drawn by less is taken


def drawn(job: Job, rng: Random, mode: str) -> Layout:
    """A layout of one of the randomisations; among posts, the wide one."""
    if mode != CLUTTERED:
        return job.draw(rng, mode)
    return cluttered(job, lambda: job.draw(rng, MECOBENCH), rng)


def similar(job: Job, seed: int, mode: str = MECOBENCH) -> Layout:
    """The layout of this seed in a stream in which all tasks are similar to the first; posts stay where they are.

    With much overlap the reuse ratio of the first task's straight ways is spread evenly between tau and 1.
    """
    first = seed // STREAM * STREAM
    base = _first(job, first, mode)
    if seed == first:
        return base
    if job.overlap == "high":
        return _spread(job, seed, base)
    for attempt in range(TRIES):
        rng = rng_of(seed, job.name, "similar", attempt)
        drawn_anew = job.drawn_like(base, rng) if base.posts() else job.draw(rng, MECOBENCH)
        layout = among(job, drawn_anew, base)
        if layout is not None and resembles(job, base, layout) and _possible(job, layout):
            return layout
    raise CoterieError(f"No task of '{job.name}' similar to that of seed {first} was found.")


@lru_cache(maxsize=STREAM)  # all tasks of a stream ask for it
def _first(job: Job, seed: int, mode: str) -> Layout:
    return drawn(job, rng_of(seed, job.name, "stream"), mode)


def _possible(job: Job, layout: Layout) -> bool:
    """True if posts leave room for arms; where there are none, nothing is in their way."""
    return not layout.posts() or feasible(job, layout)


def _spread(job: Job, seed: int, base: Layout) -> Layout:
    """A layout whose reuse ratio is near to one that is drawn; the nearest of all tries, if none gets there."""
    tau = family_of(job.name).tau
    wanted = rng_of(seed, job.name, "ratio").uniform(tau + EDGE, 1.0)
    others: list[tuple[float, int, Layout]] = []
    for attempt in range(TRIES):
        rng = rng_of(seed, job.name, "similar", attempt)
        layout = _near(job, base, rng, rng.uniform(SHIFT, FAR))
        found = ratio(job, base, layout) if layout is not None else 0.0
        if layout is not None and found >= tau + EDGE:
            miss = abs(found - wanted)
            if miss >= CLOSE:
                others.append((miss, attempt, layout))
            elif _possible(job, layout):
                return layout
        if attempt > ENOUGH and others:
            best = next((one for *_, one in sorted(others) if _possible(job, one)), None)
            if best is not None:
                return best
            others = []
    raise CoterieError(f"No task of '{job.name}' similar to that of seed {seed // STREAM * STREAM} was found.")


def different(job: Job, seed: int) -> Layout:
    """The layout of this seed in a stream in which no task is similar to an earlier one."""
    chain = _unlike(job, seed)
    if len(chain) <= seed % STREAM:
        count = f"There is only {len(chain)} task" if len(chain) == 1 else f"There are only {len(chain)} tasks"
        which = f"{count} of '{job.name}' without a similar one"
        raise CoterieError(f"{which} from seed {seed // STREAM * STREAM} on; no other was found.")
    return chain[-1]


@lru_cache(maxsize=4 * STREAM)  # a task of a stream is asked for together with all before it
def _unlike(job: Job, seed: int) -> tuple[Layout, ...]:
    """The tasks of a stream up to this seed; fewer when there are no more."""
    before = _unlike(job, seed - 1) if seed % STREAM else ()
    if len(before) < seed % STREAM:
        return before
    for attempt in range(TRIES if job.overlap == "low" else FEW):
        layout = job.draw(rng_of(seed, job.name, "different", attempt), MECOBENCH)
        if not any(resembles(job, old, layout) for old in before):
            return (*before, layout)
    return before


def resembles(job: Job, old: Layout, new: Layout) -> bool:
    """True if a memo that knows the old task would find the new one similar.

    With much overlap it would look at the trajectories of some plan: the two are alike if any plan could be used again.
    """
    if job.overlap == "high":
        return likeness(job, old, new) >= family_of(job.name).tau
    return signature(job, old) == signature(job, new)


def signature(job: Job, layout: Layout) -> tuple[object, ...]:
    """The signature that similar tasks with little overlap share: the goal, and the area of everything that it asks
    for."""
    areas = tuple((n, job.area(n, layout.things[n].at)) for n in sorted(job.wanted(layout)))
    return (job.goal(layout), areas)


def ratio(job: Job, old: Layout, new: Layout) -> float:
    """The mean reuse ratio (Eq. 3) of the straight ways of one layout in another, nothing colliding."""
    cases = [_case(job, layout) for layout in (old, new)]
    steps = tuple({r: act} for r, start, thing, goal in job.trips(old) for act in _straight(start, thing, old, goal))
    return similarity(cases[0], Plan(steps), cases[1], MemoSettings()).alpha


def likeness(job: Job, old: Layout, new: Layout) -> float:
    """The largest reuse ratio that a plan of one layout can have in another, with any division of labour.

    For every thing the best path to it and the best path on. Collisions, and what one path takes from another, make it
    less; bends do not make it more.
    """
    found = []
    for name, (starts, goals) in job.choices(old).items():
        then, now = (np.array(layout.things[name].at[:2]) for layout in (old, new))
        for others, to_thing in ((starts, True), (goals, False)):
            ends = np.array(others)[:, :2]
            before, after = ((ends, at) if to_thing else (at, ends) for at in (then, now))
            left, length = covered(before, after)
            far = length >= SHORT_M
            found.append(float((left[far] / length[far]).max(initial=0.0)) if far.any() else 1.0)
    return sum(found) / len(found) if found else 1.0


def _case(job: Job, layout: Layout) -> Case:
    things = {n: Thing(n, job.area(n, p.at), *p.at, job.turn(n, p.yaw)) for n, p in layout.things.items()}
    return Case("tabletop", job.name, job.goal(layout), (), things)


def _straight(start: Xyz, thing: str, layout: Layout, goal: Xyz) -> tuple[Act, Act]:
    """To a thing, and with it to its place."""
    at = layout.things[thing].at
    still = np.zeros((1, 1))
    come = Motion(still, np.array([start, at]), toward=thing)
    go = Motion(still, np.array([at, goal]), toward="place", holds=thing)
    return Act("pick", (thing,), None, (come,)), Act("place", (thing,), None, (go,))


def _near(job: Job, base: Layout, rng: Random, shift: float) -> Layout | None:
    """The same things a little elsewhere, some of them anywhere; None when they cannot lie so."""
    if job.name == "move-rope":
        return _near_rope(job, base, rng, shift)
    far, other = rng.random(), job.draw(rng, MECOBENCH)
    things = {n: other.things[n] if rng.random() < far else _shifted(p, rng, SHIFT) for n, p in base.things.items()}
    layout = Layout(things, base.fixed, base.more)
    return among(job, layout, base) if job.fits(layout) else None


def _shifted(pose: Pose, rng: Random, shift: float) -> Pose:
    x, y, z = pose.at
    return Pose((x + rng.uniform(-shift, shift), y + rng.uniform(-shift, shift), z), pose.yaw)


def _near_rope(job: Job, base: Layout, rng: Random, shift: float) -> Layout | None:
    """The whole rope moves, and the wall a little."""
    dx, dy = rng.uniform(-shift, shift), rng.uniform(-shift, shift)
    things = {n: Pose((p.at[0] + dx, p.at[1] + dy, p.at[2]), p.yaw) for n, p in base.things.items()}
    wall = {n: Pose((p.at[0] + rng.uniform(-0.01, 0.01), *p.at[1:]), p.yaw) for n, p in base.fixed.items()}
    fixed = {n: base.fixed[n] if n in base.posts() else p for n, p in wall.items()}
    layout = Layout(things, fixed, base.more)
    return among(job, layout, base) if job.fits(layout) else None
