"""The steps that robots are to do, for all goals together, as a partial order.

Plans of several goals stand one behind the other, the most urgent first. A step waits only for those before it that it
disturbs or that its own robot is to do first; all others go on at the same time. What a step counts on and changes
(poses, doors, things) is its reservation: nobody else's step that touches it begins before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from coterie.core.action import Action
from coterie.planning.answer import Answer, Use
from coterie.planning.question import Step

State = Literal["waiting", "running", "done", "failed"]


@dataclass
class Item:
    number: int
    goal: str
    robot: str
    action: Action
    use: Use
    after: frozenset[int]  # numbers of those that must be over before
    state: State = "waiting"
    begun_s: float = 0.0
    ended_s: float = 0.0

    @property
    def step(self) -> Step:
        return Step(self.robot, self.action)

    def disturbs(self, other: Item) -> bool:
        return self.robot == other.robot or self.use.disturbs(other.use)


class Agenda:
    def __init__(self) -> None:
        self.items: dict[int, Item] = {}  # waiting and running, in the order of the plans
        self.past: list[Item] = []  # those that are over, in the order of their ends
        self._numbers = 0

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items.values())

    def of(self, goal: str) -> list[Item]:
        return [i for i in self if i.goal == goal]

    def waiting(self) -> list[Item]:
        return [i for i in self if i.state == "waiting"]

    def running(self) -> list[Item]:
        return [i for i in self if i.state == "running"]

    def doing(self, robot: str) -> Item | None:
        return next((i for i in self if i.robot == robot and i.state == "running"), None)

    def extend(self, goal: str, plan: Answer) -> list[Item]:
        """Put a plan behind all others."""
        added = [self._put(goal, step, use) for step, use in zip(plan.steps, plan.uses)]
        return added

    def _put(self, goal: str, step: Step, use: Use) -> Item:
        self._numbers += 1
        item = Item(self._numbers, goal, step.robot, step.action, use, frozenset())
        item.after = frozenset(other.number for other in self if item.disturbs(other))
        self.items[item.number] = item
        return item

    def drop(self, goals: Iterable[str] | None = None) -> list[Item]:
        """Take out what has not begun: of some goals, or of all."""
        chosen = None if goals is None else set(goals)
        gone = [i for i in self.waiting() if chosen is None or i.goal in chosen]
        for item in gone:
            del self.items[item.number]
        for item in self:
            item.after = item.after.intersection(self.items)
        return gone

    def ready(self, robot: str) -> Item | None:
        """What a robot could begin now: the first of its steps, if nothing that it waits for is still to be done."""
        mine = next((i for i in self if i.robot == robot), None)
        if mine is None or mine.state != "waiting" or any(n in self.items for n in mine.after):
            return None
        return mine

    def begin(self, item: Item, now: float) -> None:
        item.state, item.begun_s = "running", now

    def end(self, item: Item, done: bool, now: float) -> None:
        item.state, item.ended_s = "done" if done else "failed", now
        del self.items[item.number]
        self.past.append(item)

    def put_back(self, item: Item) -> None:
        """It was stopped before its end, and may be begun again."""
        item.state = "waiting"


def scope(steps: Sequence[Step], people: Iterable[str]) -> frozenset[str]:
    """The robots and people that a plan needs."""
    known = set(people)
    return frozenset(n for s in steps for n in (s.robot, *s.action.args) if n == s.robot or n in known)
