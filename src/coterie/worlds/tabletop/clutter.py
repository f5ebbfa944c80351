"""Posts, boards and a bar on the table: a level on which the straight line between two postures is seldom free.

They stand beside what hands have to reach, never in the column above it, so that every job can still be done; what gets
hard is the way from one place to the next. They are furniture: everybody knows where they are, and those who plan ways
of hands are told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from coterie.worlds.tabletop.build import TABLE_AT, TABLE_HALF
from coterie.worlds.tabletop.job import POSTS as KEY
from coterie.worlds.tabletop.job import TABLE_TOP, Job, Layout, Pose, Xyz, flat_distance, spoken

HALF = 0.02  # [m] of a post's square foot
THIN = 0.015  # and of a bar
TRIES = 4000
DRAWN = 60  # layouts in which there may be no room for all of it


class Posts(NamedTuple):
    """What is drawn for a job: how many, where they may stand, how high they rise, how far they keep off."""

    number: int
    x: tuple[float, float]
    y: tuple[float, float]
    top: tuple[float, float]  # [m] above the floor of the scene, as hands are measured
    keep: float  # [m] from the middle of anything that hands have to reach
    apart: float = 0.2  # [m] from each other
    half: tuple[float, float] = (HALF, HALF)  # [m] of a foot; a board has a long one
    least: int = 0  # layouts that have no room for so many are drawn anew


class Bar(NamedTuple):
    """A bar across the table on two legs: everything that is carried along the table has to get over it."""

    x: tuple[float, float]
    y: tuple[float, float]  # from leg to leg
    top: tuple[float, float]
    keep: float  # [m] along x, from the middle of anything that hands have to reach


KINDS: Mapping[str, Posts] = {
    "sort-cubes": Posts(7, (-1.1, 1.1), (0.25, 0.75), (0.5, 0.75), 0.17),
    "sandwich": Posts(5, (-0.75, 0.95), (0.24, 0.76), (0.42, 0.6), 0.125),
    "arrange-cabinet": Posts(4, (-0.08, 0.2), (0.3, 0.85), (0.26, 0.32), 0.13, 0.1),
    "pack-grocery": Posts(5, (-0.85, 0.1), (0.2, 0.8), (0.4, 0.5), 0.13),
    "move-rope": Posts(3, (-0.3, 0.15), (0.15, 0.85), (0.36, 0.42), 0.15),
    "sweep-floor": Posts(3, (0.42, 1.1), (0.77, 0.79), (0.4, 0.48), 0.12, 0.2, (0.012, 0.1), 2),
}
BARS: Mapping[str, Bar] = {
    "pack-grocery": Bar((0.05, 0.06), (0.22, 0.78), (0.52, 0.56), 0.12),
}


def cluttered(job: Job, draw: Callable[[], Layout], rng: Random) -> Layout:
    """A layout among posts, and behind a bar where the job has one; drawn anew while these find no room."""
    for _ in range(DRAWN):
        layout = draw()
        stand = {**_posts(job, layout, rng), **_bar(job, layout, rng)}
        enough = sum(name.startswith("post") for name in stand) >= KINDS[job.name].least
        if enough and (job.name not in BARS or "bar" in stand):
            break
    fixed = {**layout.fixed, **{name: pose for name, (pose, _) in stand.items()}}
    return Layout(layout.things, fixed, {**layout.more, KEY: {name: half for name, (_, half) in stand.items()}})


Parts = dict[str, tuple[Pose, list[float]]]  # name -> where, half sizes


def _posts(job: Job, layout: Layout, rng: Random) -> Parts:
    kind, busy = KINDS[job.name], _busy(job, layout)
    found: Parts = {}
    for _ in range(TRIES):
        if len(found) == kind.number:
            break
        at = (rng.uniform(*kind.x), rng.uniform(*kind.y), 0.0)
        free = all(flat_distance(at, b) > kind.keep for b in busy)
        free = free and all(flat_distance(at, p.at) > kind.apart for p, _ in found.values())
        if free and _on_table(at):
            half = (rng.uniform(*kind.top) - TABLE_TOP) / 2
            found[f"post{len(found) + 1}"] = Pose((at[0], at[1], TABLE_TOP + half)), [*kind.half, half]
    return found


def _bar(job: Job, layout: Layout, rng: Random) -> Parts:
    """Nothing where it would hang over what hands have to reach."""
    kind = BARS.get(job.name)
    if kind is None:
        return {}
    x, top = rng.uniform(*kind.x), rng.uniform(*kind.top)
    if any(abs(x - at[0]) <= kind.keep for at in _busy(job, layout)):
        return {}
    (y0, y1), leg = kind.y, (top - TABLE_TOP) / 2
    parts: Parts = {"bar": (Pose((x, (y0 + y1) / 2, top - THIN)), [THIN, (y1 - y0) / 2, THIN])}
    for n, y in enumerate(kind.y, 1):
        parts[f"bar_leg{n}"] = Pose((x, y, TABLE_TOP + leg)), [THIN, THIN, leg]
    return parts


def _busy(job: Job, layout: Layout) -> list[Xyz]:
    """What hands have to reach."""
    return [*(p.at for p in layout.things.values()), *job.reached(layout)]


def among(job: Job, layout: Layout, base: Layout) -> Layout | None:
    """A layout with the posts and the bar of another one; None where they would stand in the way of a thing, or where a
    thing would lie on the other side of a board."""
    stand = {n: pose for n, (pose, _) in base.posts().items()}
    if not stand:
        return layout
    keep, bar = KINDS[job.name].keep, BARS.get(job.name)
    posts = [pose for name, pose in stand.items() if name.startswith("post")]
    if KINDS[job.name].half[1] > HALF:
        sides = [[p.at[0] < post.at[0] for post in posts for p in one.things.values()] for one in (layout, base)]
        if sides[0] != sides[1]:
            return None
    for at in _busy(job, layout):
        if any(flat_distance(at, post.at) <= keep for post in posts):
            return None
        if bar is not None and "bar" in stand and abs(stand["bar"].at[0] - at[0]) <= bar.keep:
            return None
    return Layout(layout.things, {**layout.fixed, **stand}, {**layout.more, KEY: base.more[KEY]})


def _on_table(at: Xyz) -> bool:
    return all(abs(at[i] - TABLE_AT[i]) < TABLE_HALF[i] - HALF for i in (0, 1))


def told_bars(layout: Layout) -> list[tuple[str, str]]:
    """A bar in words: the middle of its upper side, and how far it runs."""
    told = []
    for name, ((x, y, z), _), half in ((n, pose, half) for n, (pose, half) in layout.posts().items() if n == "bar"):
        reach = f"from y {y - half[1]:.2f} to y {y + half[1]:.2f}"
        told.append((name, f"{name}: {spoken((x, y, z + half[2]))}, runs across the table {reach}"))
    return told
