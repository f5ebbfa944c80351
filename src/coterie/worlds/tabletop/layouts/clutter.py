"""Posts, boards and bars on the table: a level on which the straight line between two postures is seldom free.

They stand beside what hands have to reach, never in the column above it, and never so that an arm could not be where it
has to be: every job can still be done, and what gets hard is the way from one place to the next. They are furniture:
everybody knows where they are, and those who plan ways of hands are told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from coterie.core.errors import CoterieError
from coterie.worlds.tabletop.build import TABLE_AT, TABLE_HALF
from coterie.worlds.tabletop.job import POSTS as KEY
from coterie.worlds.tabletop.job import TABLE_TOP, Job, Layout, Pose, Xyz, flat_distance, spoken
from coterie.worlds.tabletop.layouts.feasibility import feasible

HALF = 0.02  # [m] of a post's square foot
THIN = 0.015  # and of a bar
FEW = 200  # tries where layouts are drawn anew until there is room
TRIED = 5  # layouts in which arms of one's own may fail to reach something
DRAWN = 400  # layouts in which there may be no room for all of it


class Posts(NamedTuple):
    """The clutter of a job: how many posts, where they may stand, how high they rise, how far they keep off."""

    number: int
    x: tuple[float, float]
    y: tuple[float, float]
    top: tuple[float, float]  # [m] above the floor of the scene, as hands are measured
    keep: float  # [m] from the middle of anything that hands have to reach
    apart: float = 0.2  # [m] from each other
    half: tuple[float, float] = (HALF, HALF)  # [m] of a foot; a board has a long one
    least: int = 0  # layouts that have no room for so many are drawn anew
    tries: int = 4000
    nearer: float = 0.0  # [m] by so much things of a similar task may lie nearer


class Bar(NamedTuple):
    """A bar across the table on two legs: everything that is carried along the table has to get over it."""

    x: tuple[float, float]
    y: tuple[float, float]  # from leg to leg
    top: tuple[float, float]
    keep: float  # [m] along x, from the middle of anything that hands have to reach


class Rail(NamedTuple):
    """A bar along the table on two legs, high above it: what is lifted there has to stay below, or to lean."""

    x: tuple[float, float]  # from leg to leg
    y: tuple[float, float]
    top: tuple[float, float]


#: Of each job, in the order in which they are drawn.
KINDS: Mapping[str, tuple[Posts, ...]] = {
    "sort-cubes": (Posts(7, (-1.1, 1.1), (0.25, 0.75), (0.5, 0.75), 0.17),),
    "sandwich": (Posts(5, (-0.75, 0.95), (0.24, 0.76), (0.42, 0.6), 0.125),),
    "arrange-cabinet": (Posts(4, (-0.08, 0.2), (0.3, 0.85), (0.26, 0.32), 0.13, 0.1),),
    "pack-grocery": (Posts(5, (-0.85, 0.1), (0.2, 0.8), (0.4, 0.5), 0.13),),
    # Along the far edge of the table: hands and the rope pass before them, the arm behind does not.
    "move-rope": (Posts(2, (-0.5, 0.1), (0.86, 0.88), (0.55, 0.65), 0.15, 0.25, least=2),),
    "sweep-floor": (  # between the broom and the cubes, between cubes, and a sill between the floor and the bin
        Posts(1, (1.0, 1.04), (0.73, 0.75), (0.45, 0.5), 0.12, 0.18, (0.012, 0.15), 1, FEW, 0.015),
        Posts(2, (0.36, 0.76), (0.73, 0.75), (0.45, 0.5), 0.12, 0.18, (0.012, 0.15), 2, FEW, 0.015),
        Posts(1, (-0.05, 0.05), (0.3, 0.32), (0.34, 0.38), 0.12, 0.18, (0.012, 0.18), 1, FEW),
    ),
}
BARS: Mapping[str, Bar] = {
    "pack-grocery": Bar((0.05, 0.06), (0.22, 0.78), (0.52, 0.56), 0.12),
}
RAILS: Mapping[str, Rail] = {
    "sweep-floor": Rail((-0.3, 1.45), (0.64, 0.66), (0.88, 0.92)),
}


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
        for kind in KINDS.get(job.name, job.clutter):
            before = len(stand)
            _stood(kind, _busy(job, layout), stand, rng)
            enough = enough and len(stand) - before >= kind.least
        stand = {**stand, **_bar(job, layout, rng), **_rail(job, rng)}
        fixed = {**layout.fixed, **{name: pose for name, (pose, _) in stand.items()}}
        more = {**layout.more, KEY: {name: half for name, (_, half) in stand.items()}}
        among_posts = Layout(layout.things, fixed, more)
        if enough and (job.name not in BARS or "bar" in stand) and feasible(job, among_posts):
            break
    return among_posts


Parts = dict[str, tuple[Pose, list[float]]]  # name -> where, half sizes


def _stood(kind: Posts, busy: list[Xyz], stand: Parts, rng: Random) -> None:
    """Adds posts of one kind to those that stand, as many as find room."""
    wanted = len(stand) + kind.number
    for _ in range(kind.tries):
        if len(stand) == wanted:
            break
        at = (rng.uniform(*kind.x), rng.uniform(*kind.y), 0.0)
        free = all(flat_distance(at, b) > kind.keep for b in busy)
        free = free and all(flat_distance(at, p.at) > kind.apart for p, _ in stand.values())
        if free and _on_table(at):
            half = (rng.uniform(*kind.top) - TABLE_TOP) / 2
            stand[f"post{len(stand) + 1}"] = Pose((at[0], at[1], TABLE_TOP + half)), [*kind.half, half]


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


def _rail(job: Job, rng: Random) -> Parts:
    kind = RAILS.get(job.name)
    if kind is None:
        return {}
    y, top = rng.uniform(*kind.y), rng.uniform(*kind.top)
    (x0, x1), leg = kind.x, (top - TABLE_TOP) / 2
    parts: Parts = {"rail": (Pose(((x0 + x1) / 2, y, top - THIN)), [(x1 - x0) / 2, THIN, THIN])}
    for n, x in enumerate(kind.x, 1):
        parts[f"rail_leg{n}"] = Pose((x, y, TABLE_TOP + leg)), [THIN, THIN, leg]
    return parts


def _busy(job: Job, layout: Layout) -> list[Xyz]:
    """Points that hands have to reach."""
    return [*(p.at for p in layout.things.values()), *job.reached(layout)]


def among(job: Job, layout: Layout, base: Layout) -> Layout | None:
    """A layout with the posts and the bar of another one; None where they would stand in the way of a thing, or where a
    thing would lie on the other side of a board."""
    stand = {n: pose for n, (pose, _) in base.posts().items()}
    if not stand:
        return layout
    bar = BARS.get(job.name)
    posts = [(pose, _kind(job, pose)) for name, pose in stand.items() if name.startswith("post")]
    boards = [pose for pose, kind in posts if kind.half[1] > HALF]
    sides = [[p.at[0] < board.at[0] for board in boards for p in one.things.values()] for one in (layout, base)]
    if sides[0] != sides[1]:
        return None
    for at in _busy(job, layout):
        if any(flat_distance(at, pose.at) <= kind.keep - kind.nearer for pose, kind in posts):
            return None
        if bar is not None and "bar" in stand and abs(stand["bar"].at[0] - at[0]) <= bar.keep:
            return None
    return Layout(layout.things, {**layout.fixed, **stand}, {**layout.more, KEY: base.more[KEY]})


def _kind(job: Job, pose: Pose) -> Posts:
    """Which kind a post is of: that of the strip in which it stands."""
    kinds = KINDS.get(job.name, job.clutter)
    return next((k for k in kinds if all(lo <= v <= hi for v, (lo, hi) in zip(pose.at, (k.x, k.y)))), kinds[0])


def _on_table(at: Xyz) -> bool:
    return all(abs(at[i] - TABLE_AT[i]) < TABLE_HALF[i] - HALF for i in (0, 1))


def told_clutter(layout: Layout) -> list[tuple[str, str]]:
    """Bars and posts in words: the middle of their upper side, and how far a bar runs."""
    told = []
    for name, (((x, y, z), _), half) in layout.posts().items():
        top = f"{name}: {spoken((x, y, z + half[2]))}"
        if name == "bar":
            told.append((name, f"{top}, runs across the table from y {y - half[1]:.2f} to y {y + half[1]:.2f}"))
        elif name.startswith("post"):
            told.append((name, f"{top}, stands on the table"))
    return told
