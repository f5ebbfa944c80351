"""A way for all arms together. Those that have nothing to do stand still, if there is a way around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from coterie.motion.collision import Checker
from coterie.motion.plan import Blocked, Path, plan, visit
from coterie.worlds.tabletop.arms.hints import advice, as_it_is, hinted
from coterie.worlds.tabletop.arms.reaching import Reaching, Stack
from coterie.worlds.tabletop.job import Leg, Refusal

METHODS = ("rrt-connect", "bit*")
LED = "led"  # how a hand came by its way that a skill leads along lines
NO_WAY = Refusal(
    "way", "Motion planning failed: no way without collision was found for all arms together.", ("way", (), None)
)


def transit(reaching: Reaching, goal: Stack, seed: int) -> Path | Refusal:
    """Through the points that were asked for; or a known motion if it is still free, else one that it guides; else a
    new one."""
    led = reaching.led_path(goal)
    if led is not None:
        if reaching.free_path(led):
            return Path(led, LED, 0, even=0)
        return _beside_the_line(reaching, goal, seed)
    if any(leg.path for leg in reaching.legs.values()):
        way = reaching.way(seed)
        return way if isinstance(way, Refusal) else _asked(reaching, goal, way, seed)
    known = hinted(reaching, goal)
    if known is not None and reaching.free_path(known):
        return Path(np.array(known), "reused", 0)
    if as_it_is(reaching):
        return NO_WAY
    guide = known[1:-1] if known is not None else advice(reaching, goal)
    return new_way(reaching, goal, seed, METHODS, guide) or NO_WAY


def _beside_the_line(reaching: Reaching, goal: Stack, seed: int) -> Path | Refusal:
    """Hands whose line is not free look for another way, if any will do; those that are bound to theirs go then."""
    own = [np.arange(reaching.ends[k], reaching.ends[k + 1]) for k in range(len(reaching.names))]
    bound = [k for k, name in enumerate(reaching.names) if bound_to_line(reaching.legs[name])]
    middle = goal.copy()
    for k in bound:
        middle[own[k]] = reaching.now[own[k]]
    if bool(np.all(middle == reaching.now)):
        return NO_WAY
    found = new_way(reaching, middle, seed, METHODS, advice(reaching, middle))
    if found is None or not bound:
        return found or NO_WAY
    line = reaching.led_path(goal)
    assert line is not None
    for k in range(len(own)):
        if k not in bound:
            line[:, own[k]] = goal[own[k]]
    if not reaching.free_path(line):
        return NO_WAY
    return found._replace(knots=np.concatenate((found.knots, line[1:])), even=len(found.knots) - 1)


def bound_to_line(leg: Leg) -> bool:
    """Does a hand have to keep to the lines of its skill?"""
    return bool(leg.line) and not leg.any_way


def _asked(reaching: Reaching, goal: Stack, way: Sequence[Stack], seed: int) -> Path | Refusal:
    """The path that was asked for, or the point of it that cannot be reached from the one before."""
    blocked = Blocked(0)
    for moving in _who_moves(reaching, [*way, goal]):
        own, checker = _of(reaching, moving)
        for n, method in enumerate(METHODS):
            stops = [stack[own] for stack in way]
            found = visit(checker, reaching.now[own], goal[own], stops, method=method, seed=seed + n)
            if isinstance(found, Path):
                return found._replace(knots=_spread(reaching, own, found.knots))
            blocked = max(blocked, found)  # how far one gets, with the arms that got farthest
    point = f"point {blocked.stop} of the PATHs" if blocked.stop <= len(way) else "the target, after the last point"
    before = f"point {blocked.stop - 1}" if blocked.stop > 1 else "where the hands are"
    words = f"Motion planning failed: no way without collision leads from {before} to {point}."
    return Refusal("path_followed", words, ("followed", (blocked.stop,), False))


def new_way(
    reaching: Reaching, goal: Stack, seed: int, methods: Sequence[str], guide: Sequence[Stack] = ()
) -> Path | None:
    """Through the guide, straight, or searched; first with as few arms as have to move."""
    for moving in _who_moves(reaching, [goal]):
        own, checker = _of(reaching, moving)
        stops = [g[own] for g in guide]
        for n, method in enumerate(methods):
            found = plan(checker, reaching.now[own], goal[own], guide=stops, method=method, seed=seed + n)
            if found is not None:
                return found._replace(knots=_spread(reaching, own, found.knots))
    return None


def home_way(reaching: Reaching, goal: Stack, seed: int) -> Path | None:
    """The way home: as it was once, or guided by that, or a new one."""
    known = hinted(reaching, goal)
    if known is not None and reaching.free_path(known):
        return Path(np.array(known), "reused", 0)
    guide = known[1:-1] if known is not None else advice(reaching, goal)
    return new_way(reaching, goal, seed, METHODS[:1], guide)


def _of(reaching: Reaching, moving: Sequence[int]) -> tuple[np.ndarray, Checker]:
    """Which numbers of a stack belong to these arms, and what checks their way."""
    own = np.concatenate([np.arange(reaching.ends[k], reaching.ends[k + 1]) for k in moving])
    return own, reaching.of(moving)


def _spread(reaching: Reaching, own: np.ndarray, knots: np.ndarray) -> np.ndarray:
    """Knots of some arms as knots of all; the others stand still."""
    whole = np.tile(reaching.now, (len(knots), 1))
    whole[:, own] = knots
    return whole


def _who_moves(reaching: Reaching, goals: Sequence[Stack]) -> Iterator[list[int]]:
    """Numbers of arms: those with somewhere to go, then all that may make room. A hand at a door's handle may not: it
    would swing the door, which planning takes to stand still."""
    arms = range(len(reaching.names))
    going = [k for k in arms if any(_moves(reaching, k, goal) for goal in goals)]
    bound = [k for k in arms if reaching.holds_fast(reaching.names[k])]
    able = [k for k in arms if k in going or k not in bound]
    if going and len(going) < len(able) and not reaching.tethered:
        yield going
    yield able if not reaching.tethered else list(arms)


def _moves(reaching: Reaching, k: int, goal: Stack) -> bool:
    return bool(np.any(np.abs(reaching.part(goal, k) - reaching.part(reaching.now, k)) > 1e-9))
