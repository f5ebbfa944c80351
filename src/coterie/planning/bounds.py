"""Times that no plan can beat: when something can be so at the earliest, and how long one robot is busy at least.

Both look at plans in which nothing that was once true ceases to be. The first lets everything go on at the same time.
The second goes by landmarks: what every plan has to bring about, and only this robot can.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.planning.relaxed import DEPTH, FAR, Relaxed
from coterie.planning.task import Array


def earliest_s(relaxed: Relaxed, seconds: Array) -> Array:
    """For each test when it can hold at the earliest [s]; FAR for those that cannot."""
    task, made = relaxed.task, np.full(relaxed.always + 1, FAR)
    made[:-1][task.truth(task.start)] = 0.0
    made[relaxed.always] = 0.0
    lasts = np.concatenate((np.asarray(seconds, dtype=float), np.zeros(len(task.options))))
    for _ in range(DEPTH):
        begins = np.maximum.reduceat(made[relaxed.tests], relaxed.begins)
        best = np.minimum.reduceat((begins + lasts)[relaxed.maker], relaxed.made_begins)
        old = made[relaxed.made_tests]
        if not (best < old).any():
            break
        made[relaxed.made_tests] = np.minimum(old, best)
    return np.minimum(made[:-1], FAR)


def landmarks(relaxed: Relaxed, goal: Sequence[int]) -> list[int]:
    """Tests that do not hold yet and that every plan has to bring about, from the goal backwards."""
    task = relaxed.task
    truth = task.truth(task.start)
    reached = relaxed.costs_from(task.start)[1] < FAR
    found: dict[int, None] = {t: None for t in goal if not truth[t]}
    todo = list(found)
    while todo:
        makers = [m for m in _makers(relaxed, todo.pop()) if reached[m]]
        needs = [set(task.when[m] if m < relaxed.actions else task.options[m - relaxed.actions][1]) for m in makers]
        for test in sorted(set.intersection(*needs)) if needs else ():
            if not truth[test] and test not in found:
                found[test] = None
                todo.append(test)
    return list(found)


def busy_s(relaxed: Relaxed, goal: Sequence[int], robot: str, seconds: Array) -> tuple[float, list[int]]:
    """How long a robot is busy at least with what only it can do for the goal [s], and the tests that ask for it."""
    task, times = relaxed.task, relaxed._times(relaxed.task.start)
    reached = relaxed.costs_from(task.start)[1] < FAR
    total, used, asked = 0.0, set[int](), []
    for test in landmarks(relaxed, goal):
        begin, end = relaxed.span.get(test, (0, 0))
        pairs = [p for p in range(begin, end) if reached[relaxed.maker[p]] and times[p] < FAR]
        makers = {int(relaxed.maker[p]) for p in pairs}
        mine = makers and all(m < relaxed.actions and task.actions[m].robot == robot for m in makers)
        if mine and not makers & used:  # one action may serve two landmarks: it counts once
            used |= makers
            total += min(float(seconds[relaxed.maker[p]]) * float(times[p]) for p in pairs)
            asked.append(test)
    return total, asked


def _makers(relaxed: Relaxed, test: int) -> list[int]:
    begin, end = relaxed.span.get(test, (0, 0))
    return [int(m) for m in relaxed.maker[begin:end]]
