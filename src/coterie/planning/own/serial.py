"""One part of the goal after another: five kits are five small problems rather than one large one.

Parts of a goal that are about the same thing belong together. They are brought about in turn, and each turn keeps what
the turns before have reached. Where that leads nowhere, another order is tried, and at last everything at once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from coterie.planning.own.ground import Either, Is, Least, Test
from coterie.planning.own.relaxed import FAR, Relaxed
from coterie.planning.own.search import Budget, Found, Timer, search, traced
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


# -- better plans from good ones --------------------------------------------------------------------------------------
# Better plans from good ones: pieces of a plan are planned again, for less time.
# A piece is taken out of the plan; what the rest needs of it becomes a small goal of its own, and a cheaper way to it
# is looked for, best first by the seconds so far and those still to come. It is kept if the whole is over sooner, or
# as soon with less work. Pieces are taken from the plan as blocks of one robot, so that a detour is one piece.
SIZES = (4, 8, 14, 24)
PIECE = 150  # states for one piece


def improved(
    task: Task, relaxed: Relaxed, plan: Sequence[int], goal: Sequence[int], timer: Timer, budget: Budget
) -> list[int]:
    """A plan that is over sooner, as far as the budget goes."""
    best = list(plan)
    price = timer.price(best)
    relaxed = relaxed.priced(timer.seconds)
    again = True
    while again and budget.used < budget.states and not budget.late:
        again = False
        for size in SIZES:
            best = timer.blocks(best)
            begin = 0
            while begin < len(best) and budget.used < budget.states and not budget.late:
                found = _again(task, relaxed, best, begin, min(begin + size, len(best)), goal, timer, budget)
                cheaper = timer.price(found) if found is not None else price
                if found is not None and cheaper < price - 1e-6:
                    best, price, again = found, cheaper, True
                else:
                    begin += max(1, size // 2)
    return best


def _again(
    task: Task,
    relaxed: Relaxed,
    plan: Sequence[int],
    begin: int,
    end: int,
    goal: Sequence[int],
    timer: Timer,
    budget: Budget,
) -> list[int] | None:
    states = [task.start]
    for action in plan[:end]:
        states.append(task.after(states[-1], action))
    needed = _needed(task, plan[end:], goal, states[end])
    if needed is None:
        return None
    most = float(timer.seconds[list(plan[begin:end])].sum()) if end > begin else 0.0
    piece = _cheapest(task, relaxed, states[begin], needed, timer.seconds, most, budget)
    if piece is None:
        return None
    return [*plan[:begin], *piece, *plan[end:]]


def _needed(task: Task, rest: Sequence[int], goal: Sequence[int], state: State) -> tuple[int, ...] | None:
    """The tests that must hold before the rest of the plan, so that it works and reaches the goal.

    Where the rest changes a number and asks for it later, the number has to be what it was.
    """
    written: set[int] = set()
    needed: dict[int, None] = {}
    for tests, action in [*((task.when[a], a) for a in rest), (tuple(goal), -1)]:
        for test in tests:
            touched = task.touches(test)
            if not touched & written:
                needed[test] = None
            elif task.is_number(test):
                needed.update({task.aim(place, int(state[place])): None for place in touched})
            elif touched - written:
                return None
        if action >= 0:
            written |= task.writes(action)
    return tuple(needed)


def _cheapest(
    task: Task, relaxed: Relaxed, start: State, goal: tuple[int, ...], seconds: Array, most: float, budget: Budget
) -> list[int] | None:
    """A way to the goal that takes less than `most` seconds of work; None if none was found."""
    part = budget.part(PIECE)
    best = {start.tobytes(): 0.0}
    parents: list[tuple[int, int]] = [(-1, -1)]
    states, costs = [start], [0.0]
    look = relaxed.look(start, goal)
    queue: list[tuple[float, int, int]] = []
    looks = [look]
    part.spend()
    if look.far == 0:
        return []
    heapq.heappush(queue, (look.far, 0, 0))
    while queue and part.used < part.states:
        _, _, number = heapq.heappop(queue)
        look = looks[number]
        if costs[number] > best[states[number].tobytes()]:
            continue
        for action in look.helpful:
            cost = costs[number] + float(seconds[action])
            if cost >= most - 1e-9:
                continue
            state = task.after(states[number], action)
            mark = state.tobytes()
            if best.get(mark, FAR) <= cost:
                continue
            if not part.spend():
                break
            best[mark] = cost
            ahead = relaxed.look(state, goal)
            if cost + 0.0 >= most or ahead.far >= FAR:
                continue
            parents.append((number, action))
            states.append(state)
            costs.append(cost)
            looks.append(ahead)
            if ahead.far == 0:
                budget.used += part.used
                return traced(parents, len(states) - 1)
            heapq.heappush(queue, (cost + ahead.far, len(states), len(states) - 1))
    budget.used += part.used
    return None
