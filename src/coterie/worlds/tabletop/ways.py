"""A way for all arms together. Those that have nothing to do stand still, if there is a way around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from coterie.motion.plan import Limits, Path, plan
from coterie.worlds.tabletop.hints import as_it_is, hinted
from coterie.worlds.tabletop.reaching import Reaching, Stack

METHODS = ("rrt-connect", "bit*")


def transit(reaching: Reaching, goal: Stack, seed: int, limits: Limits, first: str = METHODS[0]) -> Path | None:
    """A known motion if it is still free, else through the points asked for, else a new one."""
    led = reaching.led_path(goal)
    if led is not None:
        return Path(led, "led", 0) if reaching.free_path(led) else None
    known = hinted(reaching, goal)
    if known is not None and reaching.free_path(known):
        return Path(np.array(known), "reused", 0)
    if as_it_is(reaching):
        return None
    guide: list[Stack] = known[1:-1] if known is not None else []
    way = reaching.way(seed, fail_limit=99) if not guide else []
    if isinstance(way, list):
        guide = guide or way
    return new_way(reaching, goal, seed, limits, (first, *[m for m in METHODS if m != first]), guide)


def new_way(
    reaching: Reaching,
    goal: Stack,
    seed: int,
    limits: Limits,
    methods: Sequence[str] = METHODS[:1],
    guide: Sequence[Stack] = (),
) -> Path | None:
    """Straight, through the guide, or searched; first with as few arms as have to move."""
    for moving in _who_moves(reaching, goal):
        own = np.concatenate([np.arange(reaching.ends[k], reaching.ends[k + 1]) for k in moving])
        checker = reaching.of(moving)
        stops = [g[own] for g in guide]
        for n, method in enumerate(methods):
            found = plan(
                checker, reaching.now[own], goal[own], guide=stops, method=method, seed=seed + n, limits=limits
            )
            if found is not None:
                knots = np.tile(reaching.now, (len(found.knots), 1))
                knots[:, own] = found.knots
                return found._replace(knots=knots)
    return None


def _who_moves(reaching: Reaching, goal: Stack) -> Iterator[list[int]]:
    """Numbers of arms: those with somewhere to go, then all that may make room. A hand at a door's handle may not: it
    would swing the door, which planning takes to stand still."""
    arms = range(len(reaching.names))
    going = [k for k in arms if np.any(np.abs(reaching.part(goal, k) - reaching.part(reaching.now, k)) > 1e-9)]
    bound = [k for k in arms if reaching.holds_fast(reaching.names[k])]
    able = [k for k in arms if k in going or k not in bound]
    if going and len(going) < len(able) and not reaching.tethered:
        yield going
    yield able if not reaching.tethered else list(arms)
