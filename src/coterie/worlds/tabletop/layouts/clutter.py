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


Parts = dict[str, tuple[Pose, list[float]]]  # name -> where, half sizes


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
BAR, RAIL = "bar", "rail"
BARS: Mapping[str, Bar] = {
    "pack-grocery": Bar(BAR, (0.05, 0.06), (0.22, 0.78), (0.52, 0.56), 0.12),
    "sweep-floor": Bar(RAIL, (-0.3, 1.45), (0.64, 0.66), (0.88, 0.92)),
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
        if free and _on_table(at):
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
    boards = [pose for pose, kind in posts if kind.half[1] > HALF]
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
    kinds = KINDS.get(job.name, job.clutter)
    return next((k for k in kinds if all(lo <= v <= hi for v, (lo, hi) in zip(pose.at, (k.x, k.y)))), kinds[0])


def _on_table(at: Xyz) -> bool:
    return all(abs(at[i] - TABLE_AT[i]) < TABLE_HALF[i] - HALF for i in (0, 1))


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
