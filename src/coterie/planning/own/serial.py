"""One part of the goal after another: five kits are five small problems rather than one large one.

Parts of a goal that are about the same thing belong together. They are brought about in turn, and each turn keeps what
the turns before have reached. Where that leads nowhere, another order is tried, and at last everything at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from coterie.planning.own.ground import Either, Is, Least, Test
from coterie.planning.own.relaxed import FAR, Relaxed
from coterie.planning.own.search import Budget, Found, Timer, search
from coterie.planning.own.task import Array, State, Task
from coterie.planning.question import Key

TURN = 3000  # states for one turn


def subjects(task: Task) -> list[list[int]]:
    """The parts of the goal that are about the same thing, as lists of tests, in the order of the goal."""
    groups: dict[object, list[int]] = {}
    for tests in task.goals:
        for number in tests:
            groups.setdefault(_about(task.tests[number]), []).append(number)
    return list(groups.values())


def _about(test: Test) -> object:
    key: Key | None = None
    if isinstance(test, Is):
        key = test.key
    elif isinstance(test, Least):
        key = test.terms[0][0]
    elif isinstance(test, Either):
        return test
    return key[1] if key is not None and len(key) > 1 else key


def in_turns(task: Task, relaxed: Relaxed, budget: Budget) -> Found:
    """A plan for the whole goal. `exhausted` is said only of what was tried from the start."""
    groups = subjects(task)
    if len(groups) > 1:
        for order in _orders(groups):
            found = _turns(task, relaxed, order, budget)
            if found.plan is not None or found.exhausted or budget.late or budget.used >= budget.states:
                return found
    whole = [t for g in groups for t in g]
    return search(task, relaxed, task.start, whole, budget)


class Share(NamedTuple):
    """How work is shared: what work that a robot has already, and what the seconds of an action, count against it."""

    load: float
    time: float


def by_load(
    task: Task, relaxed: Relaxed, timer: Timer, share: Share, groups: Sequence[Sequence[int]], budget: Budget
) -> Found:
    """The same with robots that have much to do already counting for more, so that each turn goes to robots that are
    free sooner. Where it leads nowhere, nothing is said of other ways."""
    robots = [a.robot for a in task.actions]
    usual = share.time * timer.seconds + (timer.seconds.mean() if len(timer.seconds) else 0.0)

    def costs(plan: Sequence[int]) -> Array:
        ready = {task.actions[a].robot: end for a, end in zip(plan, timer.ends(plan))}
        last = max(ready.values(), default=1.0)
        return usual * np.array([1.0 + share.load * ready.get(r, 0.0) / last for r in robots])

    return replace(_turns(task, relaxed, groups, budget, costs), exhausted=False)


def _orders(groups: list[list[int]]) -> list[list[list[int]]]:
    """As the goal has them, backwards, and from the middle."""
    half = len(groups) // 2
    orders = [groups, groups[::-1], groups[half:] + groups[:half]]
    return [o for i, o in enumerate(orders) if o not in orders[:i]]


Costs = Callable[[Sequence[int]], Array]  # of actions, after a plan so far


def _turns(
    task: Task, relaxed: Relaxed, groups: Sequence[Sequence[int]], budget: Budget, costs: Costs | None = None
) -> Found:
    plan: list[int] = []
    state: State = task.start
    wanted: list[int] = []
    left = [list(g) for g in groups]
    while left:
        group = left.pop(0)
        wanted += group
        part = budget.part(TURN)
        found = search(task, relaxed if costs is None else relaxed.priced(costs(plan)), state, wanted, part)
        budget.used += part.used
        if found.plan is None:
            return Found(None, task.start, exhausted=found.exhausted and not plan)
        plan += found.plan
        state = found.state
    return Found(plan, state)


def tidied(task: Task, plan: Sequence[int], goal: Sequence[int], budget: Budget) -> list[int]:
    """The plan without steps that it does as well without: each is left out in turn, with whatever then falls away.
    Where it is late, the rest of the plan stays as it is."""
    plan = list(plan)
    i, state = 0, task.start
    while i < len(plan) and not budget.late:
        rest = _without(task, state, plan[i + 1 :], goal)
        if rest is None:
            state = task.after(state, plan[i])
            i += 1
        else:
            plan[i:] = rest
    return plan


def _without(task: Task, state: State, rest: Sequence[int], goal: Sequence[int]) -> list[int] | None:
    kept = []
    for action in rest:
        if task.meets(state, task.when[action]):
            state = task.after(state, action)
            kept.append(action)
    return kept if task.meets(state, goal) else None


def reachable(relaxed: Relaxed, state: State, goal: Sequence[int]) -> bool:
    return relaxed.look(state, tuple(goal)).far < FAR
