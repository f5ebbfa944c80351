"""The steps that robots are to do, for all goals together, as a partial order.

Plans of several goals stand one behind the other, the most urgent first. A step waits only for those before it that it
disturbs or that its own robot is to do first; all others go on at the same time. What a step counts on and changes
(poses, doors, things) is its reservation: nobody else's step that touches it begins before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from coterie.core.action import Action
from coterie.planning.answer import Answer, Use
from coterie.planning.order import partial_order
from coterie.planning.question import Key, Step

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


class Agenda:
    def __init__(self) -> None:
        self.items: dict[int, Item] = {}  # waiting and running, in the order of the plans
        self.past: list[Item] = []  # those that are over, in the order of their ends
        self.made = 0  # items so far

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

    def extend(self, goal: str, plan: Answer, amounts: Callable[[Key], float]) -> list[Item]:
        """Put a plan behind all others; `amounts` are the numbers as they are now."""
        added = []
        for step, use in zip(plan.steps, plan.uses):
            self.made += 1
            item = self.items[self.made] = Item(self.made, goal, step.robot, step.action, use, frozenset())
            added.append(item)
        self._order(amounts)
        return added

    def _order(self, amounts: Callable[[Key], float]) -> None:
        """Set which items wait for which. A running item has changed nothing yet, and stands where it was planned."""
        items = list(self)
        found = partial_order([i.step for i in items], [i.use for i in items], amounts)
        for item, before in zip(items, found):
            item.after = frozenset(items[n].number for n in before)

    def drop(self, goals: Iterable[str] | None = None) -> list[Item]:
        """Take out what has not begun: of some goals, or of all. What others waited for through it, they wait for
        still."""
        chosen = None if goals is None else set(goals)
        gone = {i.number: i for i in self.waiting() if chosen is None or i.goal in chosen}
        for item in self:
            while item.after.intersection(gone):
                item.after = frozenset(m for n in item.after for m in (gone[n].after if n in gone else (n,)))
        for number in gone:
            del self.items[number]
        return list(gone.values())

    def restore(self, items: Iterable[Item], amounts: Callable[[Key], float]) -> None:
        """Put back what was taken out, to where it stood."""
        found = {**self.items, **{i.number: i for i in items}}
        self.items = dict(sorted(found.items()))
        self._order(amounts)

    def ready(self, robot: str) -> Item | None:
        """The robot's first step if it can begin now: nothing that it waits for is still to be done."""
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
