"""How long plans take, by number of actions: what searches compare plans by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.planning.order import Part, precedence
from coterie.planning.own.task import Array, Task

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
