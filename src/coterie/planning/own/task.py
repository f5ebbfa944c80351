"""A ground question as arrays: states, tests and actions by number, so that a whole state is judged at once.

A state is a row of whole numbers: for each variable which of its values it has, then the numbers as they are. What no
test that matters ever reads is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from coterie.planning.own.ground import Change, Either, Ground, GroundAction, Is, Least, Test, Tests
from coterie.planning.question import Key, Step

State = Any  # numpy array of int64
Array = Any


class Task:
    """`steps[i]` of the plan does `actions[i]`; tests have numbers too, and `goals` are lists of those."""

    def __init__(self, ground: Ground):
        self.ground = ground
        kept, keys = _relevant(ground)
        self.actions: list[GroundAction] = kept
        self.variables = {k: v for k, v in ground.variables.items() if k in keys}
        self.numbers = [k for k in ground.numbers if k in keys]
        self.place: dict[Key, int] = {k: i for i, k in enumerate([*self.variables, *self.numbers])}
        self.index = {k: {v: i for i, v in enumerate(values)} for k, values in self.variables.items()}
        self.start: State = np.array(
            [self.index[k][ground.question.value(*k)] for k in self.variables]
            + [ground.numbers[k] for k in self.numbers],
            dtype=np.int64,
        )
        self.tests: list[Test] = []
        self._number: dict[Test, int] = {}
        self.when = [self.numbered(a.when) for a in self.actions]
        self.goals = [self.numbered(g) for g in ground.goal if g is not None]
        self.aims = {self.place[k]: self._aim(k) for k in self.numbers}  # tests whose number is set by `aim`
        self.options = self._options()
        self._truth = _Truth(self)
        self.effects = [self._effect(a) for a in self.actions]

    # -- tests ----------------------------------------------------------------------------------------------------
    def numbered(self, tests: Tests) -> tuple[int, ...]:
        return tuple(self._add(t) for t in tests)

    def _add(self, test: Test) -> int:
        if test not in self._number:
            if isinstance(test, Either):
                for option in test.options:
                    self.numbered(option)
            self._number[test] = len(self.tests)
            self.tests.append(test)
        return self._number[test]

    def _aim(self, key: Key) -> int:
        self.tests.append(Least(((key, 1),), 0, exact=True))
        return len(self.tests) - 1

    def aim(self, place: int, value: int) -> int:
        """A test that holds where a number is this one; until the next `aim` at the same number."""
        test = self.aims[place]
        self._truth.constants[self._truth.measures.index(test)] = -value
        return test

    def _options(self) -> list[tuple[int, tuple[int, ...]]]:
        """Every option of every "either": its test, and the tests that make it true."""
        eithers = [(i, t) for i, t in enumerate(self.tests) if isinstance(t, Either)]
        return [(i, self.numbered(option)) for i, t in eithers for option in t.options]

    def truth(self, state: State) -> Array:
        """Which tests hold, by number."""
        return self._truth.of(state)

    def gaps(self, state: State) -> Array:
        """For each test of numbers by how much it is missed: negative if there is too little."""
        return self._truth.gaps(state)

    @property
    def measures(self) -> list[int]:
        return self._truth.measures

    def holds(self, truth: Array, tests: Iterable[int]) -> bool:
        return all(truth[t] for t in tests)

    def meets(self, state: State, tests: Iterable[int]) -> bool:
        """Whether tests hold in a state; quicker than `truth` for a few of them."""
        return all(self._meets(state, self.tests[t]) for t in tests)

    def _meets(self, state: State, test: Test) -> bool:
        if isinstance(test, Is):
            return self.variables[test.key][state[self.place[test.key]]] in test.values
        if isinstance(test, Either):
            return any(all(self._meets(state, t) for t in option) for option in test.options)
        total = test.constant + sum(f * int(state[self.place[k]]) for k, f in test.terms)
        return total == 0 if test.exact else total >= 0

    # -- actions --------------------------------------------------------------------------------------------------
    def _effect(self, action: GroundAction) -> tuple[Array, Array, Array, Array, tuple[Change, ...]]:
        sets = [(self.place[k], self.index[k][v]) for k, v in action.sets if k in self.place]
        adds = [
            (self.place[c.key], c.constant) for c in action.changes if c.added and not c.terms and c.key in self.place
        ]
        odd = tuple(c for c in action.changes if (c.terms or not c.added) and c.key in self.place)
        columns = [np.array([p[i] for p in pairs], dtype=np.int64) for pairs in (sets, adds) for i in (0, 1)]
        return columns[0], columns[1], columns[2], columns[3], odd

    def after(self, state: State, action: int) -> State:
        where, values, numbers, deltas, odd = self.effects[action]
        made = state.copy()
        made[where] = values
        made[numbers] += deltas
        for change in odd:
            total = change.constant + sum(f * int(state[self.place[k]]) for k, f in change.terms)
            made[self.place[change.key]] = total + (int(state[self.place[change.key]]) if change.added else 0)
        return made

    def touches(self, test: int) -> frozenset[int]:
        """The variables and numbers that a test reads, by place."""
        return frozenset(self.place[k] for k in _read([self.tests[test]]))

    def is_number(self, test: int) -> bool:
        return isinstance(self.tests[test], Least)

    def reads(self, action: int) -> frozenset[int]:
        """The places that an action may read."""
        found = [self.touches(t) for t in self.when[action]]
        more = (self.place[k] for c in self.actions[action].changes for k, _ in c.terms)
        return frozenset().union(*found, more)

    def writes(self, action: int) -> frozenset[int]:
        made = self.actions[action]
        keys = [*(k for k, _ in made.sets), *(c.key for c in made.changes)]
        return frozenset(self.place[k] for k in keys if k in self.place)

    def stores(self) -> frozenset[int]:
        """Numbers that are only added to, taken from, and asked whether there is enough; by place."""
        odd: set[int] = set()
        for number, action in enumerate(self.actions):
            for test in (self.tests[t] for t in self.when[number]):
                plain = isinstance(test, Least) and len(test.terms) == 1 and test.terms[0][1] == 1 and not test.exact
                odd |= set() if plain else {self.place[k] for k in _read([test])}
            for change in action.changes:
                if change.key in self.place and (change.terms or not change.added):
                    odd |= {self.place[k] for k, _ in (*change.terms, (change.key, 1)) if k in self.place}
                elif change.key in self.place:
                    least, added = self.stored(number, self.place[change.key])
                    odd |= {self.place[change.key]} if least < -added else set()
        return frozenset(self.place[k] for k in self.numbers) - odd

    def stored(self, action: int, place: int) -> tuple[float, float]:
        """How much of a number an action asks for, and how much it adds."""
        tests = [self.tests[t] for t in self.when[action]]
        asked = [-t.constant for t in tests if isinstance(t, Least) and self.place[t.terms[0][0]] == place]
        added = [c.constant for c in self.actions[action].changes if self.place.get(c.key) == place]
        return float(max(asked, default=0)), float(sum(added))

    def step(self, action: int) -> Step:
        made = self.actions[action]
        return self.ground.question.step(made.skill, made.robot, made.names)


class _Truth:
    """Tests of all kinds, judged at once."""

    def __init__(self, task: Task):
        tests = task.tests
        self.count, width = len(tests), max([len(v) for v in task.variables.values()] or [1])
        self.simple = np.array([i for i, t in enumerate(tests) if isinstance(t, Is)], dtype=np.int64)
        self.of_variable = np.array([task.place[t.key] for t in tests if isinstance(t, Is)], dtype=np.int64)
        self.table = np.zeros((len(self.simple), width), dtype=bool)
        for row, test in enumerate(t for t in tests if isinstance(t, Is)):
            for value in test.values:
                self.table[row, task.index[test.key][value]] = True
        self.rows = np.arange(len(self.simple))
        self.measures = [i for i, t in enumerate(tests) if isinstance(t, Least)]
        least = [t for t in tests if isinstance(t, Least)]
        first = len(task.variables)
        self.first = first
        self.factors = np.zeros((len(least), len(task.numbers)), dtype=np.int64)
        for row, lt in enumerate(least):
            for key, factor in lt.terms:
                self.factors[row, task.place[key] - first] = factor
        self.constants = np.array([t.constant for t in least], dtype=np.int64)
        self.exact = np.array([t.exact for t in least], dtype=bool)
        self.options: dict[int, list[tuple[int, ...]]] = {}
        for either, option in task.options:
            self.options.setdefault(either, []).append(option)

    def gaps(self, state: State) -> Array:
        return self.factors @ state[self.first :] + self.constants

    def of(self, state: State) -> Array:
        truth = np.zeros(self.count, dtype=bool)
        if len(self.simple):
            truth[self.simple] = self.table[self.rows, state[self.of_variable]]
        if self.measures:
            gaps = self.gaps(state)
            truth[self.measures] = np.where(self.exact, gaps == 0, gaps >= 0)
        for either, options in self.options.items():  # in the order of numbers: what one is made of comes before it
            truth[either] = any(all(truth[t] for t in option) for option in options)
        return truth


def _read(tests: Iterable[Test]) -> set[Key]:
    found: set[Key] = set()
    for test in tests:
        if isinstance(test, Is):
            found.add(test.key)
        elif isinstance(test, Least):
            found.update(k for k, _ in test.terms)
        else:
            for option in test.options:
                found |= _read(option)
    return found


def _relevant(ground: Ground) -> tuple[list[GroundAction], set[Key]]:
    """The actions that could matter to the goal, and the variables and numbers that matter."""
    writes = ground.writers
    keys = {k for g in ground.goal if g is not None for k in _read(g)}
    todo, used = sorted(keys, key=str), set[int]()
    while todo:
        for i in writes.get(todo.pop(), ()):
            if i not in used:
                used.add(i)
                action = ground.actions[i]
                new = _read(action.when) | {k for c in action.changes for k, _ in c.terms}
                todo += sorted(new - keys, key=str)
                keys |= new
    return [ground.actions[i] for i in sorted(used)], keys
