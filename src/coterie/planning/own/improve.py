"""Better plans from good ones: pieces of a plan are planned again, for less time.

A piece is taken out of the plan; what the rest needs of it becomes a small goal of its own, and a cheaper way to it is
looked for, best first by the seconds so far and those still to come. It is kept if the whole is over sooner, or as
soon with less work. Pieces are taken from the plan as blocks of one robot, so that a detour is one piece.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from coterie.planning.own.relaxed import FAR, Relaxed
from coterie.planning.own.search import Budget, Timer, traced
from coterie.planning.own.task import Array, State, Task

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
