"""When each step of a plan begins and ends, with robots at work at the same time.

A step begins when those that have to be over before it are over, and when what it takes for itself (a person who serves
one at a time, say) is free. The critical path is the line of steps without which it would all be over sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from coterie.planning.question import Duration, Step

Takes = Callable[[Step], Iterable[str]]


@dataclass(frozen=True)
class Interval:
    """One step from its start to its end [s]."""

    step: Step
    start: float
    end: float


@dataclass(frozen=True)
class Schedule:
    """`intervals[i]` belongs to step i of the plan; `critical` are the steps of a critical path, by number."""

    intervals: tuple[Interval, ...] = ()
    critical: tuple[int, ...] = ()

    @property
    def makespan_s(self) -> float:
        return max((i.end for i in self.intervals), default=0.0)

    def of(self, robot: str) -> list[Interval]:
        """The intervals of one robot, in order of time."""
        return sorted((i for i in self.intervals if i.step.robot == robot), key=lambda i: i.start)


def nothing(step: Step) -> Iterable[str]:
    """Of steps that take nothing for themselves."""
    return ()


def schedule(
    steps: Sequence[Step], after: Sequence[Iterable[int]], duration_s: Duration, takes: Takes = nothing
) -> Schedule:
    """Every step as early as it can be, those with the longest way behind them first where two want the same."""
    took = [duration_s(s) for s in steps]
    claims = [frozenset(takes(s)) for s in steps]
    ahead = _ahead(after, took)
    waiting = [set(a) for a in after]
    start: list[float | None] = [None] * len(steps)
    reason: list[int | None] = [None] * len(steps)
    free: dict[str, tuple[float, int | None]] = {}  # until when something is taken, and by which step
    left = set(range(len(steps)))
    while left:
        ready = [i for i in left if not waiting[i] & left]
        earliest: dict[int, tuple[float, int | None]] = {}
        for i in ready:
            causes = [(start[j] + took[j], j) for j in after[i]]  # type: ignore[operator]
            causes += [(until, j) for name in claims[i] for until, j in [free.get(name, (0.0, None))] if j is not None]
            earliest[i] = max(causes, default=(0.0, None), key=lambda c: c[0])
        pick = min(ready, key=lambda i: (earliest[i][0], -ahead[i], i))
        start[pick], reason[pick] = earliest[pick]
        for name in claims[pick]:
            free[name] = (earliest[pick][0] + took[pick], pick)
        left.discard(pick)
    made = tuple(Interval(s, t or 0.0, (t or 0.0) + d) for s, t, d in zip(steps, start, took))
    return Schedule(made, _critical(made, reason))


def _ahead(after: Sequence[Iterable[int]], took: Sequence[float]) -> list[float]:
    """How long it takes from the start of each step to the end of the last one that waits for it."""
    length = list(took)
    for i in range(len(took) - 1, -1, -1):  # a step comes after those it waits for
        for j in after[i]:
            length[j] = max(length[j], took[j] + length[i])
    return length


def _critical(intervals: Sequence[Interval], reason: Sequence[int | None]) -> tuple[int, ...]:
    at: int | None = max(range(len(intervals)), key=lambda i: (intervals[i].end, -i), default=None)
    path: list[int] = []
    while at is not None:
        path.append(at)
        at = reason[at]
    return tuple(reversed(path))
