"""Judging a schedule that was carried out: not only the sequence, but who did what at the same time.

A step's conditions have to hold when it begins. What it changes is so when it ends, except that what is taken from a
store is gone from the beginning. While it goes on, nobody else may change what it counts on, or touch what it changes;
several may add to a store and take from it, as long as there is enough. A robot does one thing at a time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from coterie.core.fluents import NUMBER
from coterie.planning.answer import Use
from coterie.planning.moment import Moment
from coterie.planning.question import Key, Question, Step

Kind = Literal["unknown", "time", "busy", "condition", "use", "goal"]
NEAR_S = 1e-6  # what ends and what begins this close together do so at once


@dataclass(frozen=True)
class Interval:
    """One step from its start to its end [s]."""

    step: Step
    start: float
    end: float


@dataclass(frozen=True)
class Fault:
    """A fault of a schedule, with the number of its interval and of the other one involved."""

    kind: Kind
    words: str
    at: int | None = None
    other: int | None = None


def faults(question: Question, done: Sequence[Interval], goal: bool = True) -> list[Fault]:
    """Everything that is wrong with what was done; nothing if it is a valid way to the goal of the question."""
    found = list(_misfits(question, done))
    if found:
        return found
    judged = _Judge(question, done)
    found += judged.run()
    found += _together(done, judged.uses)
    if goal:
        found += [Fault("goal", f"In the end it is not so: {g}") for g in question.goal if not judged.moment.holds(g)]
    return found


def _misfits(question: Question, done: Sequence[Interval]) -> Iterable[Fault]:
    for i, interval in enumerate(done):
        step = interval.step
        op = question.operators.get(step.action.skill)
        if op is None or step.action.skill not in question.able.get(step.robot, ()):
            yield Fault("unknown", f"{step.robot} cannot {step.action.skill}.", i)
        elif op.skill.bind(step.robot, step.action.args) is None:
            yield Fault("unknown", f"{step}: {op.skill.signature} takes {len(op.skill.params)} arguments.", i)
        elif not interval.end >= interval.start >= 0:
            yield Fault("time", f"{step} ends at {interval.end:g} s and begins at {interval.start:g} s.", i)


class _Judge:
    def __init__(self, question: Question, done: Sequence[Interval]):
        self.moment = Moment(question)
        self.done = done
        self.uses: list[Use] = [Use()] * len(done)
        self._due: dict[int, list[tuple[Key, Any, bool]]] = {}  # of those going on: what will be so, or be added

    def run(self) -> list[Fault]:
        found: list[Fault] = []
        begins = sorted(range(len(self.done)), key=lambda i: (self.done[i].start, i))
        ends = sorted(range(len(self.done)), key=lambda i: (self.done[i].end, i))
        for i in begins:
            while ends and self.done[ends[0]].end <= self.done[i].start + NEAR_S and ends[0] in self._due:
                self._end(ends.pop(0))
            found += self._begin(i)
        for i in ends:
            self._end(i)
        return found

    def _begin(self, i: int) -> list[Fault]:
        step, moment = self.done[i].step, self.moment
        failed = moment.unmet(step)
        self.uses[i] = moment.use(step)
        self._due[i] = []
        for key, value in moment.changes(step).items():
            if moment.question.fluents[key[0]].value == NUMBER and key in self.uses[i].adds:
                added = self.uses[i].adds[key]
                if added < 0:
                    moment.facts[key] = moment.value(key) + added
                else:
                    self._due[i].append((key, added, True))
            else:
                self._due[i].append((key, value, False))
        if failed is None:
            return []
        return [Fault("condition", f"{step} began at {self.done[i].start:g} s although this was not so: {failed}", i)]

    def _end(self, i: int) -> None:
        for key, value, added in self._due.pop(i):
            self.moment.facts[key] = self.moment.value(key) + value if added else value


def _together(done: Sequence[Interval], uses: Sequence[Use]) -> Iterable[Fault]:
    """Faults of steps that overlap in time."""
    for (i, a), (j, b) in itertools.combinations(enumerate(done), 2):
        if min(a.end, b.end) - max(a.start, b.start) <= NEAR_S:
            continue
        both = f"{a.step} and {b.step} go on at the same time"
        if a.step.robot == b.step.robot:
            yield Fault("busy", f"{both}, by one robot.", i, j)
            continue
        shared = sorted({*_clash(uses[i], uses[j]), *_clash(uses[j], uses[i])}, key=str)
        if shared:
            pred, *args = shared[0]
            yield Fault("use", f"{both}, and both need {pred}({', '.join(map(str, args))}).", i, j)


def _clash(one: Use, two: Use) -> Iterable[Key]:
    """Facts that the first changes and the second reads or changes, unless both only add to a store or take from it."""
    for key in one.writes & (two.reads | two.writes):
        stored = key in one.adds and (key in two.adds or key in two.needs)
        if stored and (key in two.adds or one.adds[key] > 0):
            continue
        yield key
