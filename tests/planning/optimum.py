"""The shortest possible time for a small goal: every way to begin things at the same time, by time alone (Dijkstra)."""

from __future__ import annotations

import heapq

from coterie.planning.order import Part
from coterie.planning.own.ground import ground
from coterie.planning.own.search import Timer
from coterie.planning.own.task import Task


def shortest_s(question, most=60_000):
    """The least makespan [s], or None where there are too many moments to look at.

    Things begin at the start or when something ends: to begin between hurts nobody less, as nothing comes by itself.
    """
    task = Task(ground(question))
    timer = Timer(task, [question.seconds(task.step(a)) for a in range(len(task.actions))])
    goal = [t for part in task.goals for t in part]
    first = (task.start.tobytes(), ())
    states = {first[0]: task.start}
    best, queue, age = {first: 0.0}, [(0.0, 0, first)], 0
    while queue:
        now, _, node = heapq.heappop(queue)
        if now > best[node]:
            continue
        mark, running = node
        state = states[mark]
        if not running and task.meets(state, goal):
            return now
        ways = []
        for action in range(len(task.actions)):
            fits = task.meets(state, task.when[action])
            if fits and not any(_clash(timer.parts[action], timer.parts[other]) for other, _ in running):
                ways.append((now, mark, tuple(sorted([*running, (action, round(float(timer.seconds[action]), 6))]))))
        if running:  # or wait for whatever ends first
            soon = min(left for _, left in running)
            made = state
            for action, left in running:
                made = task.after(made, action) if left == soon else made
            states[made.tobytes()] = made
            rest = tuple(sorted((a, round(left - soon, 6)) for a, left in running if left > soon))
            ways.append((now + soon, made.tobytes(), rest))
        for time, mark, rest in ways:
            if time < best.get((mark, rest), float("inf")):
                best[mark, rest] = time
                age += 1
                heapq.heappush(queue, (time, age, (mark, rest)))
                if len(best) > most:
                    return None
    return None


def _clash(one: Part, two: Part):
    stores = {k for k, _, _ in one.stores} & {k for k, _, _ in two.stores}
    shared = one.writes & (two.reads | two.writes) or one.reads & two.writes
    return one.robot == two.robot or bool(shared or stores)
