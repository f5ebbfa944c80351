"""There is not enough of something: what can be moved about but not made.

A weighted sum of numbers and of facts (so many on this table, one in that hand, so many in the kit) that no action can
raise is never more than it is now. If the goal asks for more, there is no plan, however long one looks. It is found
by starting from what the goal counts: an action that raises it takes something away elsewhere, and that is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from coterie.planning.answer import Unmet, Why
from coterie.planning.own.ground import GroundAction, Is, Least
from coterie.planning.own.task import Task
from coterie.planning.question import Key

ROUNDS = 500


@dataclass
class _Sum:
    numbers: dict[Key, int]
    facts: dict[Key, dict[Any, int]]

    def raised(self, action: GroundAction, values: dict[Key, tuple[Any, ...]]) -> int | None:
        """By how much an action can raise the sum at most; None if that cannot be told."""
        total = 0
        for change in action.changes:
            weight = self.numbers.get(change.key, 0)
            if weight and (change.terms or not change.added):
                return None
            total += weight * change.constant
        for key, value in action.sets:
            weights = self.facts.get(key)
            if weights:
                before = next((t.values for t in action.when if isinstance(t, Is) and t.key == key), values[key])
                total += weights.get(value, 0) - min(weights.get(v, 0) for v in before)
        return total

    def balance(self, action: GroundAction, by: int) -> bool:
        """Add something that the action takes away, so that it raises the sum no more; False if there is nothing."""
        written = dict(action.sets)
        for test in action.when:
            if isinstance(test, Is) and len(test.values) == 1 and test.key in written:
                (value,) = test.values
                spent = value is not None and value is not False and written[test.key] != value
                if spent and not self.facts.get(test.key, {}).get(value):
                    self.facts.setdefault(test.key, {})[value] = by
                    return True
        for change in action.changes:
            if change.added and not change.terms and change.constant < 0 and change.key not in self.numbers:
                self.numbers[change.key] = -(by // change.constant)
                return True
        return False


def shortage(task: Task) -> Why | None:
    """Why the goal asks for more than there is; None if that cannot be shown."""
    asked = [t for part in task.goals for t in map(task.tests.__getitem__, part) if isinstance(t, Least)]
    asked = [t for t in asked if len(t.terms) == 1 and t.terms[0][1] > 0 and t.constant < 0]
    asked = list({t.terms: t for t in sorted(asked, key=lambda t: -t.constant)}.values())  # the most of each
    sums = [(test, _closed(task, [test])) for test in asked]
    for test, found in sums:
        if found is None:
            continue
        same = [t for t, other in sums if other is not None and other.numbers.keys() & found.numbers.keys()]
        for seeds in ([test], same):
            total = found if seeds == [test] else _closed(task, seeds)
            why = _compare(task, total, seeds) if total is not None else None
            if why is not None:
                return why
    return None


def _closed(task: Task, seeds: Sequence[Least]) -> _Sum | None:
    """A sum that counts what these tests ask for and that no action raises."""
    total = _Sum({t.terms[0][0]: t.terms[0][1] for t in seeds}, {})
    values = dict(task.ground.variables)
    for _ in range(ROUNDS):
        for action in task.ground.actions:
            by = total.raised(action, values)
            if by is None:
                return None
            if by > 0:
                if not total.balance(action, by):
                    return None
                break
        else:
            return total if _never_negative(task, total) else None
    return None


def _never_negative(task: Task, total: _Sum) -> bool:
    """Whether nobody takes more of a number than is there."""
    if any(task.ground.numbers.get(key, 0) < 0 for key in total.numbers):
        return False
    for action in task.ground.actions:
        for change in action.changes:
            if change.key in total.numbers and change.constant < 0:
                guards = [t for t in action.when if isinstance(t, Least) and t.terms == ((change.key, 1),)]
                if not any(-t.constant >= -change.constant for t in guards):
                    return False
    return True


def _compare(task: Task, total: _Sum, seeds: Sequence[Least]) -> Why | None:
    question, numbers = task.ground.question, task.ground.numbers
    there = sum(weight * numbers.get(key, 0) for key, weight in total.numbers.items())
    there += sum(weights.get(question.value(*key), 0) for key, weights in total.facts.items())
    need = sum(-t.constant for t in seeds)
    if need <= there:
        return None
    scale = task.ground.scale
    goal = seeds[0]
    key = goal.terms[0][0]
    wanted = -goal.constant / goal.terms[0][1] / scale
    chain = [Unmet(key[0], key[1:], ">=", _plain(wanted), question.value(*key))]
    sources = [k for k in total.numbers if k not in {t.terms[0][0] for t in seeds}]
    if sources:
        source = max(sources, key=lambda k: (numbers.get(k, 0), k in question.nil))
        more = (need - there) / total.numbers[source] / scale
        chain.append(
            Unmet(source[0], source[1:], ">=", _plain(question.value(*source) + more), question.value(*source))
        )
    return Why("counted", tuple(chain))


def _plain(value: float) -> float:
    return int(value) if value == int(value) else value
