"""Posts, boards and bars on the table: a level on which the straight line between two postures is seldom free.

They stand beside what hands have to reach, never in the column above it, and never so that an arm could not be where it
has to be: every job can still be done, and what gets hard is the way from one place to the next. They are furniture:
everybody knows where they are, and those who plan ways of hands are told.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from coterie.core.errors import CoterieError
from coterie.worlds.tabletop.build import on_table
from coterie.worlds.tabletop.declared import JOBS, POST_HALF, Posts, in_tuples
from coterie.worlds.tabletop.job import POSTS as KEY
from coterie.worlds.tabletop.job import TABLE_TOP, Job, Layout, Pose, Xyz, flat_distance, spoken
from coterie.worlds.tabletop.layouts.feasibility import feasible

THIN = 0.015  # and of a bar
TRIED = 5  # layouts in which arms of one's own may fail to reach something
DRAWN = 400  # layouts in which there may be no room for all of it


Parts = dict[str, tuple[Pose, list[float]]]  # name -> where, half sizes


class Bar(NamedTuple):
    """A bar on two legs, across the table, so that everything that is carried along it has to get over it; or along the
    table, high above it (`rail`): what is lifted there has to stay below, or to lean."""

    name: str
    x: tuple[float, float]
    y: tuple[float, float]
    top: tuple[float, float]
    keep: float = 0.0  # [m] along x, of a bar across, from the middle of anything that hands have to reach

    def parts(self, rng: Random) -> Parts:
        along = int(self.name == RAIL)  # the axis whose range is drawn from; the other one runs from leg to leg
        ends = (self.y, self.x)[along]
        at, top = rng.uniform(*(self.x, self.y)[along]), rng.uniform(*self.top)
        leg, half = (top - TABLE_TOP) / 2, (ends[1] - ends[0]) / 2

        def spot(v: float) -> tuple[float, float]:
            return (v, at) if along else (at, v)

        size = [half, THIN, THIN] if along else [THIN, half, THIN]
        parts: Parts = {self.name: (Pose((*spot(sum(ends) / 2), top - THIN)), size)}
        for n, v in enumerate(ends, 1):
            parts[f"{self.name}_leg{n}"] = Pose((*spot(v), TABLE_TOP + leg)), [THIN, THIN, leg]
        return parts


BAR, RAIL = "bar", "rail"
BARS = {name: Bar(**in_tuples(job["bar"])) for name, job in JOBS.items() if "bar" in job}


def cluttered(job: Job, draw: Callable[[], Layout], rng: Random) -> Layout:
    """A layout among posts, and behind a bar where the job has one; drawn anew while these find no room, or leave none
    for an arm that has to be there."""
    for number in range(DRAWN):
        layout = draw()
        if number < TRIED and job.mounts is not getattr(type(job), "mounts", None) and not feasible(job, layout):
            if number == TRIED - 1:
                arms = ", ".join(m.body.rpartition("/")[2] for m in job.mounts)
                words = f"Even without posts {arms} do not reach all that '{job.name}' may ask for"
                raise CoterieError(f"{words}; leave out --level, or choose other --arms.")
            continue
        stand: Parts = {}
        enough = True
        for kind in job.clutter:
            before = len(stand)
            _stood(kind, _busy(job, layout), stand, rng)
            enough = enough and len(stand) - before >= kind.least
        bar = BARS[job.name].parts(rng) if job.name in BARS else {}
        if _over(job, layout, bar.get(BAR, (None,))[0]):
            enough = False
        else:
            stand |= bar
        fixed = {**layout.fixed, **{name: pose for name, (pose, _) in stand.items()}}
        more = {**layout.more, KEY: {name: half for name, (_, half) in stand.items()}}
        among_posts = Layout(layout.things, fixed, more)
        if enough and feasible(job, among_posts):
            break
    return among_posts


def _stood(kind: Posts, busy: list[Xyz], stand: Parts, rng: Random) -> None:
    """Adds posts of one kind to those that stand, as many as find room."""
    wanted = len(stand) + kind.number
    for _ in range(kind.tries):
        if len(stand) == wanted:
            break
        at = (rng.uniform(*kind.x), rng.uniform(*kind.y), 0.0)
        free = all(flat_distance(at, b) > kind.keep for b in busy)
        free = free and all(flat_distance(at, p.at) > kind.apart for p, _ in stand.values())
        if free and on_table(at, POST_HALF):
            half = (rng.uniform(*kind.top) - TABLE_TOP) / 2
            stand[f"post{len(stand) + 1}"] = Pose((at[0], at[1], TABLE_TOP + half)), [*kind.half, half]


def _busy(job: Job, layout: Layout) -> list[Xyz]:
    """Points that hands have to reach."""
    return [*(p.at for p in layout.things.values()), *job.reached(layout)]


def _over(job: Job, layout: Layout, bar: Pose | None) -> bool:
    """True if a bar across the table would hang over what hands have to reach."""
    return bar is not None and any(abs(bar.at[0] - at[0]) <= BARS[job.name].keep for at in _busy(job, layout))


def among(job: Job, layout: Layout, base: Layout) -> Layout | None:
    """A layout with the posts and the bar of another one; None where they would stand in the way of a thing, or where a
    thing would lie on the other side of a board."""
    stand = {n: pose for n, (pose, _) in base.posts().items()}
    if not stand:
        return layout
    posts = [(pose, _kind(job, pose)) for name, pose in stand.items() if name.startswith("post")]
    boards = [pose for pose, kind in posts if kind.half[1] > POST_HALF]
    sides = [[p.at[0] < board.at[0] for board in boards for p in one.things.values()] for one in (layout, base)]
    if sides[0] != sides[1]:
        return None
    for at in _busy(job, layout):
        if any(flat_distance(at, pose.at) <= kind.keep - kind.nearer for pose, kind in posts):
            return None
    if _over(job, layout, stand.get(BAR)):
        return None
    return Layout(layout.things, {**layout.fixed, **stand}, {**layout.more, KEY: base.more[KEY]})


def _kind(job: Job, pose: Pose) -> Posts:
    """Which kind a post is of: that of the strip in which it stands."""
    here = (k for k in job.clutter if all(lo <= v <= hi for v, (lo, hi) in zip(pose.at, (k.x, k.y))))
    return next(here, job.clutter[0])


def told_clutter(layout: Layout) -> list[tuple[str, str]]:
    """Bars and posts in words: the middle of their upper side, and how far a bar runs."""
    told = []
    for name, (((x, y, z), _), half) in layout.posts().items():
        top = f"{name}: {spoken((x, y, z + half[2]))}"
        if name == BAR:
            told.append((name, f"{top}, runs across the table from y {y - half[1]:.2f} to y {y + half[1]:.2f}"))
        elif name.startswith("post"):
            told.append((name, f"{top}, stands on the table"))
    return told
