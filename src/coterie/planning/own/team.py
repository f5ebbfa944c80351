"""Large teams: a plan is sought with the few robots that a relaxed plan of the whole team would use.

Robots with the same skills, and the same facts that never change, are alike. In a merged question one of them stands
for all, and may be wherever any of them is. Its relaxed plans name robots by what is so of them alone: who is near, who
holds what is needed, who stands in the way.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from coterie.planning.answer import Answer, Limits, Why
from coterie.planning.forms import walk
from coterie.planning.own.explain import explain
from coterie.planning.own.ground import Ground, ground
from coterie.planning.own.relaxed import Relaxed
from coterie.planning.own.task import Array, Task
from coterie.planning.question import ROBOT, Key, Question

ME = "?"  # in the place of a robot's name
FEW = 6  # robots; with up to so many, all take part


def narrowed(question: Question, limits: Limits, solve: Callable[[Question, Limits], Answer]) -> Answer | None:
    """The plan of a part of the team, or why nobody can reach the goal; None where all have to be asked."""
    team = _Team(question)
    why = team.why()
    if why is not None:
        return Answer("none", why=why)
    robots: list[str] = []
    for few in itertools.takewhile(lambda n: n < len(question.able), (FEW * 2**i for i in itertools.count())):
        before, robots = robots, team.selected(few)
        if robots == before:
            return None
        found = solve(only(question, robots), limits)
        if found.found:
            return found
    return None


def only(question: Question, robots: Collection[str]) -> Question:
    """The question for some of the robots; the others stay where they are."""
    able = {r: skills for r, skills in question.able.items() if r in robots}
    objects = {n: kind for n, kind in question.objects.items() if n in able or n not in question.able}
    return replace(question, able=able, objects=objects, _kinds={})


def alike(question: Question, changing: Collection[str]) -> list[list[str]]:
    """Robots that differ in nothing but facts that change; one that the goal or such a fact names is alone."""
    named = {t for part in question.goal for t in walk(part) if isinstance(t, str)}
    named |= {value for (pred, *_), value in question.facts.items() if pred in changing}
    fixed: dict[str, set[Any]] = {robot: set() for robot in question.able}
    for (pred, *args), value in question.facts.items():
        for robot in fixed.keys() & {*args, value} if pred not in changing else ():
            fixed[robot].add((pred, *(ME if a == robot else a for a in (*args, value))))
    groups: dict[Any, list[str]] = {}
    for robot, facts in fixed.items():
        skills = question.able[robot].intersection(question.operators)
        groups.setdefault((skills, frozenset(facts), robot in named and robot), []).append(robot)
    return list(groups.values())


class _Team:
    """Groups of robots that are alike, and the question with the first of each in the place of all."""

    def __init__(self, question: Question):
        self.question = question
        changing = {e.fluent.pred for op in question.operators.values() for e in op.then}
        self.groups = alike(question, changing)
        group_of = {robot: i for i, group in enumerate(self.groups) for robot in group}
        self.shapes: list[dict[Key, None]] = [{} for _ in self.groups]  # facts that change, with ME for the robot
        for pred, *args in question.facts:
            for robot in group_of.keys() & set(args) if pred in changing else ():
                self.shapes[group_of[robot]][(pred, *(ME if a == robot else a for a in args))] = None
        self.merged = self._merged(1)

    def _merged(self, copies: int) -> Ground:
        """The question for so many robots of each group, each with every value that the facts of the group have."""
        also: dict[Key, list[Any]] = {}
        for group, shapes in zip(self.groups, self.shapes):
            for robot, shape in itertools.product(group[:copies], shapes):
                also[_of(shape, robot)] = [self.question.value(*_of(shape, other)) for other in group]
        return ground(only(self.question, [r for group in self.groups for r in group[:copies]]), also)

    def why(self) -> Why | None:
        """Why nobody can reach the goal; None if that cannot be shown. Where robots act on each other, several of each
        group may be needed."""
        if all(part is not None for part in self.merged.goal):
            return None
        most = max(sum(p.kind == ROBOT for p in op.params) for op in self.question.operators.values())
        every = self._merged(1 + most) if most else self.merged
        return explain(every.reach) if any(part is None for part in every.goal) else None

    def selected(self, few: int) -> list[str]:
        """The best robots of each group, and those who have to step aside or open a door for them."""
        task = Task(self.merged)
        relaxed = Relaxed(task, [self.merged.question.seconds(task.step(a)) for a in range(len(task.actions))])
        goal = tuple(t for part in task.goals for t in part)
        own = [self._touching(task, number) for number in range(len(self.groups))]
        alone = {r: self._truth(task, number, r) for number, group in enumerate(self.groups) for r in group}
        given = self._given(relaxed, alone, np.any(own, axis=0))
        every = np.any([*alone.values()], axis=0)
        acting = {task.actions[a].robot for a in relaxed.steps(every, goal)}
        every[list(given)] = True
        rows = []
        for group, mine in zip(self.groups, own):
            tests = [relaxed.costs_from(task.start, truth=np.where(mine, alone[r], every))[0] for r in group]
            order = sorted((float(test[list(goal)].sum()), i) for i, test in enumerate(tests))
            rows += [(k, group[0] not in acting, cost, group[i]) for k, (cost, i) in enumerate(order)]
        ranked = [row[3] for row in sorted(rows, key=lambda row: row[:3])]
        truth = every.copy()
        for group, mine in zip(self.groups, own):
            truth = np.where(mine, alone[next(r for r in ranked if r in group)], truth)
        found = dict.fromkeys(ranked[:few])
        todo = [t for a in relaxed.steps(truth, goal) for t in task.when[a]]
        while todo:
            robot, action = given.pop(todo.pop(), ("", -1))
            if robot:
                found[robot] = None
                todo += task.when[action]
        return [r for r in self.question.able if r in found]

    def _touching(self, task: Task, number: int) -> Array:
        """The tests that are about robots of a group."""
        keys = {_of(shape, self.groups[number][0]) for shape in self.shapes[number]}
        places = {task.place[key] for key in keys if key in task.place}
        return np.array([bool(task.touches(t) & places) for t in range(len(task.tests))])

    def _truth(self, task: Task, number: int, robot: str) -> Array:
        """The tests that hold with the first of a group in the place of this one."""
        state = task.start.copy()
        for shape in self.shapes[number]:
            key, value = _of(shape, self.groups[number][0]), self.question.value(*_of(shape, robot))
            if key in task.index and value in task.index[key]:
                state[task.place[key]] = task.index[key][value]
        return task.truth(state)

    def _given(self, relaxed: Relaxed, alone: Mapping[str, Array], own: Array) -> dict[int, tuple[str, int]]:
        """The tests about no robot that robots could make true where they are, one by one action after another, each
        with the first robot and its action."""
        given: dict[int, tuple[str, int]] = {}
        for _ in relaxed.task.tests:
            new: dict[int, tuple[str, int]] = {}
            for group in self.groups:
                mine = np.array([a.robot == group[0] for a in relaxed.task.actions], dtype=bool)
                for robot in group:
                    truth = np.append(alone[robot], True)
                    truth[list(given)] = True
                    able = np.logical_and.reduceat(truth[relaxed.tests], relaxed.begins)[: relaxed.actions]
                    for a in np.flatnonzero(able & mine).tolist():
                        new.update((t, (robot, a)) for t in relaxed.makes[a] if not (truth[t] or own[t] or t in new))
            if not new:
                break
            given.update(new)
        return given


def _of(shape: Key, robot: str) -> Key:
    return tuple(robot if part == ME else part for part in shape)
