"""Paths for all arms together through their stacked joint space.

Joint values are scaled by how far a joint can move the arm, so that distances are metres of the farthest link: a rail
and a wrist then weigh what they sweep.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from coterie.core.errors import CoterieError, unknown_name
from coterie.motion import needs
from coterie.motion.collision import Checker

log = logging.getLogger(__name__)

METHODS = {"rrt-connect": "RRTConnect", "bit*": "BITstar"}  # our names and OMPL's
_ONE_AT_A_TIME = threading.Lock()  # OMPL's seed belongs to the whole process
REPAIR_SHARE = 10  # one in so many of the iterations may go into the bad pieces of a guide
LEFT_OUT = 3  # stops of a guide in a row that may be passed by
ROAM = np.pi / 2  # [rad] how far beyond start and goal a joint with turns to spare may go


@dataclass(frozen=True)
class Limits:
    """How hard to try. Iterations decide; the clock is a safety net, since what it stops cannot be repeated."""

    iterations: int = 3000
    shortcuts: int = 100
    step: float = 0.6  # longest extension of a tree, in metres of the scaled joint space
    wall_s: float = 60.0


class Path(NamedTuple):
    """A way through joint space: straight lines between knots, the first the start and the last the goal."""

    knots: np.ndarray  # (n, dof)
    how: str  # "straight", "guided", "mended" (guided, with pieces that were searched), "asked", "rrt-connect", "bit*"
    iterations: int
    even: int | None = None  # from this knot on they lie close together, and arms go on evenly past each of them


class Blocked(NamedTuple):
    """Where a way that was asked for ends: nothing leads on to the stop of this number, counted from 1; the goal comes
    after the last of them."""

    stop: int


def plan(
    checker: Checker,
    start: np.ndarray,
    goal: np.ndarray,
    *,
    guide: Sequence[np.ndarray] = (),
    method: str = "rrt-connect",
    seed: int = 0,
    limits: Limits | None = None,
) -> Path | None:
    """A free path, or None. The same seed gives the same path, whatever else was planned before.

    The way through the configurations of `guide` comes first, as far as straight lines do not cut it short; those that
    collide are left out. Where pieces of it are not free it is the guide without some of its configurations, then the
    guide with its bad pieces searched one by one. Without a guide, or when that fails, it is a search from start to
    goal.
    """
    search, start, goal = _begin(checker, start, goal, method, seed, limits)
    if not _ends_free(checker, start, goal):
        return None
    stops = [q for q in (np.asarray(g, float) for g in guide) if checker.inside(q) and checker.free(q)]
    lines = Lines(checker, [start, *stops, goal])
    left = _joined(lines, _halved(lines, 0, len(stops) + 1))
    if all(lines.free(a, b) for a, b in pairwise(left)):
        return Path(lines.knots(left), "guided" if len(left) > 2 else "straight", search.used)
    if some := _past(lines, left):
        return Path(lines.knots(_joined(lines, some)), "guided", search.used)
    if stops:
        search.most = search.limits.iterations // REPAIR_SHARE  # few do for good advice; bad advice may not cost more
        knots = search.through(list(lines.knots(left)), [lines.free(a, b) for a, b in pairwise(left)])
        search.most = search.limits.iterations
        if not isinstance(knots, Blocked):
            repaired = Lines(checker, knots)
            return Path(repaired.knots(_joined(repaired, range(len(knots)))), "mended", search.used)
    found = search.way(start, goal)
    return None if found is None else Path(search.shortened(found), method, search.used)


class Lines:
    """The stops of a way by their numbers, and whether a straight line leads from one to another: no line is looked at
    twice."""

    def __init__(self, checker: Checker, way: Sequence[np.ndarray] | np.ndarray):
        self.checker, self.way = checker, way
        self._known: dict[tuple[int, int], bool] = {}

    def free(self, a: int, b: int) -> bool:
        if (a, b) not in self._known:
            self._known[a, b] = self.checker.between(self.way[a], self.way[b])
        return self._known[a, b]

    def knots(self, numbers: Sequence[int]) -> np.ndarray:
        return np.array([self.way[n] for n in numbers])


def _halved(lines: Lines, first: int, last: int) -> list[int]:
    """The stops that are left when the whole way is straight where that is free, else its halves, and so on. Lines that
    are not free are found bad early, and those that are free spare the looking at all pieces that they replace."""
    if last <= first + 1 or lines.free(first, last):
        return [first, last]
    middle = (first + last) // 2
    return _halved(lines, first, middle)[:-1] + _halved(lines, middle, last)


def _joined(lines: Lines, stops: Sequence[int]) -> list[int]:
    """The stops that are left when each is left out past which a straight line leads."""
    out = [stops[0]]
    for stop, after in pairwise(stops[1:]):
        if not lines.free(out[-1], after):
            out.append(stop)
    return [*out, stops[-1]]


def _past(lines: Lines, stops: Sequence[int]) -> list[int] | None:
    """A way that leaves out stops where the straight line to the next one is not free; None where there is none. At
    the ends of an old way, which lie elsewhere now, a stop is often one too many."""
    last = len(stops) - 1
    dead: set[int] = set()

    def on(i: int) -> list[int] | None:
        if i == last:
            return [stops[i]]
        for j in range(i + 1, min(i + LEFT_OUT + 1, last) + 1):
            if j in dead or not lines.free(stops[i], stops[j]):
                continue
            rest = on(j)
            if rest is not None:
                return [stops[i], *rest]
        dead.add(i)
        return None

    return on(0)


def visit(
    checker: Checker,
    start: np.ndarray,
    goal: np.ndarray,
    stops: Sequence[np.ndarray],
    *,
    method: str = "rrt-connect",
    seed: int = 0,
    limits: Limits | None = None,
) -> Path | Blocked:
    """A free path through every one of `stops`, in their order, or the first that cannot be reached.

    Pieces are straight where that is free. No shortcut leads past a stop: somebody asked for it.
    """
    search, start, goal = _begin(checker, start, goal, method, seed, limits)
    if not (checker.inside(start) and checker.free(start)):
        return Blocked(1)
    way = [start, *(np.asarray(q, float) for q in stops), goal]
    for number, q in enumerate(way[1:], 1):
        if not (checker.inside(q) and checker.free(q)):
            return Blocked(number)
    knots = search.through(way)
    return knots if isinstance(knots, Blocked) else Path(knots, "asked", search.used)


def _begin(
    checker: Checker, start: np.ndarray, goal: np.ndarray, method: str, seed: int, limits: Limits | None
) -> tuple[_Search, np.ndarray, np.ndarray]:
    if method not in METHODS:
        raise unknown_name("planning method", method, METHODS)
    return _Search(checker, method, seed, limits or Limits()), np.asarray(start, float), np.asarray(goal, float)


def _ends_free(checker: Checker, start: np.ndarray, goal: np.ndarray) -> bool:
    return checker.inside(start) and checker.inside(goal) and checker.free(start) and checker.free(goal)


def shortcut(checker: Checker, knots: np.ndarray, tries: int, rng: np.random.Generator) -> np.ndarray:
    """Fewer knots and a shorter way: knots that are not needed go, then random detours are cut off."""
    knots = _prune(checker, knots)
    for _ in range(tries):
        if len(knots) < 3:
            break
        knots = _cut(checker, knots, rng)
    return _prune(checker, knots)


def _prune(checker: Checker, knots: np.ndarray) -> np.ndarray:
    """From each knot straight on to the farthest one that is in plain view."""
    out, i = [knots[0]], 0
    while i < len(knots) - 1:
        j = len(knots) - 1
        while j > i + 1 and not checker.between(knots[i], knots[j]):
            j -= 1
        out.append(knots[j])
        i = j
    return np.array(out)


def _cut(checker: Checker, knots: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Tries a straight line between two random points of the path."""
    lengths = np.array([checker.travel(a, b) for a, b in pairwise(knots)])
    ends = np.concatenate(([0.0], np.cumsum(lengths)))
    s, t = np.sort(rng.uniform(0.0, ends[-1], 2))
    i, j = (int(np.searchsorted(ends, v, side="right")) - 1 for v in (s, t))
    i, j = min(i, len(lengths) - 1), min(j, len(lengths) - 1)
    if i == j:
        return knots
    a = knots[i] + (knots[i + 1] - knots[i]) * ((s - ends[i]) / max(lengths[i], 1e-12))
    b = knots[j] + (knots[j + 1] - knots[j]) * ((t - ends[j]) / max(lengths[j], 1e-12))
    if checker.travel(a, b) > 0.98 * (t - s) or not checker.edge(a, b):
        return knots
    return np.concatenate((knots[: i + 1], [a, b], knots[j + 1 :]))


class _Search:
    """A tree search between two configurations, with one budget of iterations for all its pieces."""

    def __init__(self, checker: Checker, method: str, seed: int, limits: Limits):
        self.checker, self.method, self.seed, self.limits = checker, method, seed, limits
        self.used, self.most = 0, limits.iterations
        self.until = time.monotonic() + limits.wall_s

    def through(self, stops: list[np.ndarray], known: Sequence[bool] | None = None) -> np.ndarray | Blocked:
        """A way that visits all stops; of the pieces, those that were searched are shortened. `known` says of each
        piece whether its straight line is free, where that was looked at before; those that were searched then get as
        many tries at a shorter way as they are long, of those that a whole way gets."""
        knots = [stops[0]]
        length = sum(self.checker.travel(a, b) for a, b in pairwise(stops))
        for number, (a, b) in enumerate(pairwise(stops), 1):
            if known[number - 1] if known is not None else self.checker.between(a, b):
                knots.append(b)
                continue
            piece = self.way(a, b)
            if piece is None:
                return Blocked(number)
            share = 1.0 if known is None else self.checker.travel(a, b) / max(length, 1e-9)
            knots.extend(self.shortened(piece, share)[1:])
        return np.array(knots)

    def shortened(self, knots: np.ndarray, share: float = 1.0) -> np.ndarray:
        tries = math.ceil(self.limits.shortcuts * share)
        return shortcut(self.checker, knots, tries, np.random.default_rng(self.seed))

    def way(self, a: np.ndarray, b: np.ndarray) -> np.ndarray | None:
        with _ONE_AT_A_TIME:
            return _grow(self, a, b, METHODS[self.method])

    def spent(self) -> bool:
        """Whether to stop; the planners ask in every iteration, and the asking is the counting."""
        if self.used >= self.most:
            return True
        self.used += 1
        if time.monotonic() > self.until:
            log.warning("planning stopped by the clock after %.0f s: this result may not repeat", self.limits.wall_s)
            return True
        return False


def _grow(search: _Search, a: np.ndarray, b: np.ndarray, name: str) -> np.ndarray | None:
    """Runs one of OMPL's planners between two free configurations; its first solution is taken."""
    ompl = needs.ompl()
    ob, og, ou = ompl.base, ompl.geometric, ompl.util
    ou.setLogLevel(ou.LOG_NONE)
    # Seeding late is an error to OMPL, yet it decides every generator made from here on; those below are all new.
    ou.RNG.setSeed(search.seed % (2**31 - 2) + 1)
    checker, n = search.checker, len(a)
    space = ob.RealVectorStateSpace(n)
    space.setBounds(_bounds(ob, checker, a, b))
    info = ob.SpaceInformation(space)
    info.setStateValidityChecker(lambda state: checker.free(np.array(state[:n]) / checker.levers))
    lines = _lines(ob, info, checker)
    info.setMotionValidator(lines)
    info.setup()
    problem = ob.ProblemDefinition(info)
    problem.setStartAndGoalStates(_state(space, a * checker.levers), _state(space, b * checker.levers), 1e-9)
    planner = getattr(og, name)(info)
    if name == "BITstar":
        planner.setStopOnSolnImprovement(True)  # the first solution is good enough: shortcuts follow
    else:
        planner.setRange(search.limits.step)
    planner.setProblemDefinition(problem)
    planner.setup()
    planner.solve(ob.PlannerTerminationCondition(search.spent))
    if not problem.hasExactSolution():
        return None
    knots = np.array([s[:n] for s in problem.getSolutionPath().getStates()]) / checker.levers
    knots[0], knots[-1] = a, b
    return knots


def _lines(ob: Any, info: Any, checker: Checker) -> Any:
    """Tells OMPL which straight lines are free, at the checker's own resolution."""
    n = len(checker.levers)

    class Lines(ob.MotionValidator):
        def checkMotion(self, s: Any, t: Any) -> bool:
            p, q = np.array(s[:n]) / checker.levers, np.array(t[:n]) / checker.levers
            return checker.free(q) and checker.between(p, q)

    return Lines(info)


def _state(space: Any, values: np.ndarray) -> Any:
    state = space.allocState()
    for i, v in enumerate(values.tolist()):
        state[i] = v
    return state


def _bounds(ob: Any, checker: Checker, a: np.ndarray, b: np.ndarray) -> Any:
    """The joint limits, less the turns that an arm with two of them does not need between these two ends."""
    lo, hi = checker.lo, checker.hi
    spare = (hi - lo) > 2 * np.pi + 1e-3
    lo = np.where(spare, np.maximum(lo, np.minimum(a, b) - ROAM), lo)
    hi = np.where(spare, np.minimum(hi, np.maximum(a, b) + ROAM), hi)
    lo, hi = np.minimum(lo, np.minimum(a, b)), np.maximum(hi, np.maximum(a, b))  # an end outside would fail silently
    bounds = ob.RealVectorBounds(len(a))
    for i, (low, high) in enumerate(zip(lo * checker.levers, hi * checker.levers, strict=True)):
        bounds.setLow(i, float(low) - 1e-9)
        bounds.setHigh(i, float(high) + 1e-9)
    return bounds


def follow(path: Path | np.ndarray, dt: float, vmax: float | np.ndarray, amax: float | np.ndarray) -> np.ndarray:
    """(m, dof) servo targets every `dt` seconds along a path, at rest at both ends, within speed and acceleration."""
    knots = path.knots if isinstance(path, Path) else np.asarray(path, float)
    if dt <= 0 or np.any(np.asarray(vmax) <= 0) or np.any(np.asarray(amax) <= 0):
        raise CoterieError("follow() needs a positive time step, speed and acceleration.")
    out = [knots[:1]]
    for a, b in pairwise(knots):
        out.append(_segment(a, b, dt, vmax, amax))
    return np.concatenate(out)


def _segment(a: np.ndarray, b: np.ndarray, dt: float, vmax: float | np.ndarray, amax: float | np.ndarray) -> np.ndarray:
    """From rest to rest with the quintic of least jerk: peaks 1.875 d/T in speed, 5.774 d/T^2 in acceleration."""
    d = np.abs(b - a)
    duration = max(float(np.max(1.875 * d / vmax)), float(np.sqrt(np.max(5.7736 * d / amax))))
    n = max(1, int(np.ceil(duration / dt)))
    s = np.arange(1, n + 1)[:, None] / n
    return a + (b - a) * (s**3 * (10 - 15 * s + 6 * s * s))
