"""Times that no plan can beat: when something can be so at the earliest, and how long one robot is busy at least.

Both look at plans in which nothing that was once true ceases to be. The first lets everything go on at the same time.
The second goes by landmarks: what every plan has to bring about, and only this robot can.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from coterie.planning.own.relaxed import DEPTH, FAR, Relaxed
from coterie.planning.own.task import Array


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


def landmarks(relaxed: Relaxed, goal: Sequence[int]) -> dict[int, list[tuple[int, float]]]:
    """Tests that do not hold yet and that every plan has to bring about, from the goal backwards: each with the actions
    that can do so first, and how often that would take by one of them alone."""
    task = relaxed.task
    truth = task.truth(task.start)
    found: dict[int, list[tuple[int, float]]] = {}
    todo = [t for t in goal if not truth[t]]
    while todo:
        test = todo.pop()
        if test in found:
            continue
        mine = found[test] = _first(relaxed, test)
        needs = [set(task.when[m] if m < relaxed.actions else task.options[m - relaxed.actions][1]) for m, _ in mine]
        todo += [t for t in sorted(set.intersection(*needs) if needs else ()) if not truth[t]]
    return found


def _first(relaxed: Relaxed, test: int) -> list[tuple[int, float]]:
    """The actions that can make a test true for the first time: those that do not need it to have been so before."""
    begin, end = relaxed.span.get(test, (0, 0))
    makers, times = relaxed.maker[begin:end], relaxed._times(relaxed.task.start)[begin:end]
    without = np.zeros(relaxed.actions, dtype=bool)
    without[makers[makers < relaxed.actions]] = True
    reached = relaxed.costs_from(relaxed.task.start, without)[1] < FAR
    return [(int(m), float(n)) for m, n in zip(makers, times) if reached[m] and n < FAR]


class Work(NamedTuple):
    """A test that only one robot can make true, and what that takes at least: one of some actions so many times, the
    quickest of which takes so many seconds. All of them are of one skill, or `skill` is empty."""

    test: int
    seconds: float
    times: int
    skill: str


def work(relaxed: Relaxed, goal: Sequence[int], robot: str, seconds: Array) -> list[Work]:
    """The landmarks of the goal that only this robot can achieve. No action counts for two of them."""
    task = relaxed.task
    used, found = set[int](), []
    for test, mine in landmarks(relaxed, goal).items():
        others = any(m >= relaxed.actions or task.actions[m].robot != robot for m, _ in mine)
        if mine and not others and not used & {m for m, _ in mine}:
            used |= {m for m, _ in mine}
            least = min(mine, key=lambda pair: float(seconds[pair[0]]) * pair[1])
            skills = {task.actions[m].skill for m, _ in mine}
            found.append(Work(test, float(seconds[least[0]]), int(least[1]), skills.pop() if len(skills) == 1 else ""))
    return found
