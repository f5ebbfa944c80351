"""Greedy best-first search: whichever state looks nearest to the goal is tried next, helpful actions first.

States are judged when they are taken up, not when they are met. Two queues take turns: all ways on, and those that the
relaxed plan of the state before began with; the second is asked more often as long as it brings progress. Everything is
counted in states, and ties go by age, so the same question has the same answer everywhere.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from coterie.planning.order import Part, precedence
from coterie.planning.own.relaxed import FAR, Relaxed
from coterie.planning.own.task import Array, State, Task

BOOST = 1000  # how many more times the helpful queue is asked after progress


@dataclass
class Found:
    """`plan` is a list of actions by number, or None; `exhausted` says that every state was visited."""

    plan: list[int] | None
    state: State
    exhausted: bool = False


class Budget:
    """States that may still be judged, and until when."""

    def __init__(self, states: int, until: float = float("inf"), clock: Callable[[], float] = time.monotonic):
        self.states, self.until, self.clock, self.used = states, until, clock, 0

    def spend(self) -> bool:
        """Whether there is one more."""
        self.used += 1
        return self.used <= self.states and not self.late

    @property
    def late(self) -> bool:
        return self.until < float("inf") and self.clock() > self.until

    def part(self, states: int) -> Budget:
        return Budget(min(states, self.states - self.used), self.until, self.clock)


def search(task: Task, relaxed: Relaxed, start: State, goal: Sequence[int], budget: Budget) -> Found:
    goal = tuple(goal)
    parents: list[tuple[int, int]] = [(-1, -1)]  # of each state met: the one before, and the action between
    states: list[State] = [start]
    known = {start.tobytes(): 0}
    usual: list[tuple[float, int, int, int]] = []  # (how far the state before, age, state before, action)
    helpful: list[tuple[float, int, int, int]] = []
    turn, age, best = [0, 0], 0, FAR

    def expand(number: int) -> bool:
        """Judge a state; True if it is a goal."""
        nonlocal age, best
        look = relaxed.look(states[number], goal)
        if look.far >= FAR:
            return False
        if look.far == 0:
            return True
        if look.far < best:
            best = look.far
            turn[1] -= BOOST
        first = set(look.helpful)
        for action in look.able.nonzero()[0].tolist():
            age += 1
            heapq.heappush(usual, (look.far, age, number, action))
            if action in first:
                heapq.heappush(helpful, (look.far, age, number, action))
        return False

    if not budget.spend():
        return Found(None, start)
    if expand(0):
        return Found([], start)
    while usual or helpful:
        which = 1 if helpful and (not usual or turn[1] <= turn[0]) else 0
        turn[which] += 1
        _, _, before, action = heapq.heappop(helpful if which else usual)
        state = task.after(states[before], action)
        mark = state.tobytes()
        if mark in known:
            continue
        known[mark] = len(states)
        parents.append((before, action))
        states.append(state)
        if not budget.spend():
            return Found(None, start)
        if expand(len(states) - 1):
            return Found(traced(parents, len(states) - 1), state)
    return Found(None, start, exhausted=True)


def traced(parents: list[tuple[int, int]], number: int) -> list[int]:
    """The actions that led to a state, by the parents of states."""
    way: list[int] = []
    while parents[number][0] >= 0:
        number, action = parents[number]
        way.append(action)
    return way[::-1]


WORK = 0.02  # what a second of work counts against one of makespan


class Timer:
    """How long plans take: each action as early as those allow that have to be over before it."""

    def __init__(self, task: Task, seconds: Array):
        self.task, self.seconds = task, np.asarray(seconds, dtype=float)
        stores = task.stores()
        self.parts = []
        for number, action in enumerate(task.actions):
            reads, writes = task.reads(number), task.writes(number)
            mine = tuple((k, *task.stored(number, k)) for k in sorted((reads | writes) & stores))
            self.parts.append(Part(action.robot, reads - stores, writes - stores, mine))

    def before(self, plan: Sequence[int]) -> list[set[int]]:
        return precedence([self.parts[a] for a in plan], lambda place: float(self.task.start[place]))

    def ends(self, plan: Sequence[int]) -> list[float]:
        ends: list[float] = []
        for a, before in zip(plan, self.before(plan)):
            ends.append(max((ends[i] for i in before), default=0.0) + float(self.seconds[a]))
        return ends

    def makespan(self, plan: Sequence[int]) -> float:
        return max(self.ends(plan), default=0.0)

    def price(self, plan: Sequence[int]) -> float:
        return self.makespan(plan) + WORK * float(self.seconds[list(plan)].sum() if plan else 0.0)

    def blocks(self, plan: Sequence[int]) -> list[int]:
        """The same plan with what one robot does together as far as that goes."""
        before = self.before(plan)
        left, done, robot = list(range(len(plan))), set[int](), ""
        order: list[int] = []
        while left:
            ready = [i for i in left if before[i] <= done]
            pick = next((i for i in ready if self.parts[plan[i]].robot == robot), ready[0])
            robot = self.parts[plan[pick]].robot
            order.append(plan[pick])
            done.add(pick)
            left.remove(pick)
        return order
