"""Posts on the table: a level on which the straight line between two postures is seldom free.

Posts stand beside what hands have to reach, never in the column above it, so that every job can still be done; what
gets hard is the way from one place to the next. They are furniture: everybody knows where they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from coterie.worlds.tabletop.build import TABLE_AT, TABLE_HALF
from coterie.worlds.tabletop.job import POSTS as KEY
from coterie.worlds.tabletop.job import TABLE_TOP, Job, Layout, Pose, Xyz, flat_distance

HALF = 0.02  # [m] of a post's square foot
TRIES = 4000


class Posts(NamedTuple):
    """What is drawn for a job: how many, where they may stand, how high they rise, how far they keep off."""

    number: int
    x: tuple[float, float]
    y: tuple[float, float]
    top: tuple[float, float]  # [m] above the floor of the scene, as hands are measured
    keep: float  # [m] from the middle of anything that hands have to reach
    apart: float = 0.2  # [m] from each other


KINDS: Mapping[str, Posts] = {
    "sort-cubes": Posts(7, (-1.1, 1.1), (0.25, 0.75), (0.5, 0.75), 0.17),
    "sandwich": Posts(5, (-0.75, 0.95), (0.24, 0.76), (0.42, 0.6), 0.125),
    "arrange-cabinet": Posts(4, (-0.08, 0.2), (0.3, 0.85), (0.26, 0.32), 0.13, 0.1),
    "pack-grocery": Posts(5, (-0.85, 0.1), (0.2, 0.8), (0.4, 0.5), 0.13),
    "move-rope": Posts(3, (-0.3, 0.15), (0.15, 0.85), (0.36, 0.42), 0.15),
    "sweep-floor": Posts(2, (-1.3, -0.9), (0.3, 0.7), (0.4, 0.6), 0.2),
}


def cluttered(job: Job, layout: Layout, rng: Random) -> Layout:
    """The same layout with posts."""
    kind = KINDS[job.name]
    busy = [(*p.at[:2], 0.0) for p in layout.things.values()]
    busy += [(*at[:2], 0.0) for at in job.reached(layout)]
    found: list[Pose] = []
    halves: dict[str, list[float]] = {}
    for _ in range(TRIES):
        if len(found) == kind.number:
            break
        at = (rng.uniform(*kind.x), rng.uniform(*kind.y), 0.0)
        free = all(flat_distance(at, b) > kind.keep for b in busy)
        free = free and all(flat_distance(at, (*p.at[:2], 0.0)) > kind.apart for p in found)
        if free and _on_table(at):
            half = (rng.uniform(*kind.top) - TABLE_TOP) / 2
            found.append(Pose((at[0], at[1], TABLE_TOP + half)))
            halves[f"post{len(found)}"] = [HALF, HALF, half]
    fixed = {**layout.fixed, **{f"post{n}": pose for n, pose in enumerate(found, 1)}}
    return Layout(layout.things, fixed, {**layout.more, KEY: halves})


def among(job: Job, layout: Layout, base: Layout) -> Layout | None:
    """A layout with the posts of another one; None where one of them would stand in the way of a thing."""
    stand = {n: pose for n, (pose, _) in base.posts().items()}
    if not stand:
        return layout
    keep = KINDS[job.name].keep
    for thing in layout.things.values():
        if any(flat_distance(thing.at, post.at) <= keep for post in stand.values()):
            return None
    return Layout(layout.things, {**layout.fixed, **stand}, {**layout.more, KEY: base.more[KEY]})


def _on_table(at: Xyz) -> bool:
    return all(abs(at[i] - TABLE_AT[i]) < TABLE_HALF[i] - HALF for i in (0, 1))
