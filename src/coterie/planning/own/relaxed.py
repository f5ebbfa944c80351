"""How far a state is from the goal: the length of a plan in which nothing that was once true ceases to be (FF).

The cost of a test is that of the cheapest action that makes it true, the cost of an action the sum over its tests. A
test of numbers that is missed by a gap takes the action that closes it as often as it needs. All costs are found
together, by going over all actions at once until nothing gets cheaper.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from coterie.planning.own.ground import GroundAction, Is, Least
from coterie.planning.own.task import Array, State, Task

FAR = 1e12  # of what cannot be reached
MOST_STEPS = 400  # of a relaxed plan; a longer one is cut off
DEPTH = 1000  # rounds; a chain longer than that is taken for the costs found so far


Saving = Callable[[frozenset[int], Collection[int]], Array]  # what actions cost where something is saved for some


class Look(NamedTuple):
    """The heuristic view of a state: the length of the relaxed plan (FAR if there is none), the actions that can be
    done now, and those of them that the relaxed plan begins with."""

    far: float
    able: Array
    helpful: list[int]


class Relaxed:
    def __init__(self, task: Task, costs: Array | None = None):
        """`costs` are of actions; one each if nothing is said."""
        self.task, actions = task, len(task.actions)
        self.costs = np.ones(actions) if costs is None else np.asarray(costs, dtype=float)
        whens = [*task.when, *(option for _, option in task.options)]  # an option is an action that costs nothing
        self.always = len(task.tests)  # a test that always holds, so that every list has one
        flat = [t for when in whens for t in (when or (self.always,))]
        sizes = [len(when) or 1 for when in whens]
        self.tests = np.array(flat, dtype=np.int64)
        self.begins = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64) if sizes else np.zeros(0, np.int64)
        self.base = np.concatenate((self.costs, np.zeros(len(task.options))))
        self.actions = actions
        self._moved: dict[int, list[tuple[int, int]]] = {}  # tests of numbers: actions, and by how much they move it
        self._makers()
        self._against = {t: np.array(pairs, dtype=np.int64).T for t, pairs in self._moved.items()}
        self.is_careful = False
        self._uses()

    def priced(self, costs: Array) -> Relaxed:
        """The same with other costs of actions."""
        made = copy(self)
        made.costs = np.asarray(costs, dtype=float)
        made.base = np.concatenate((made.costs, np.zeros(len(self.task.options))))
        return made

    def careful(self) -> Relaxed:
        """The same, but more of a thing is never got by giving away what is there of it. Where one box has to come from
        afar, a plan that puts the other down to pick it up again looks shorter, and whoever follows it gets nowhere."""
        made = copy(self)
        made.is_careful = True
        return made

    def _makers(self) -> None:
        """Which actions make which tests true: pairs sorted by test."""
        task = self.task
        by_key: dict[Any, list[int]] = {}
        for number, test in enumerate(task.tests):
            keys = [test.key] if isinstance(test, Is) else [k for k, _ in test.terms] if isinstance(test, Least) else []
            for key in keys:
                by_key.setdefault(key, []).append(number)
        pairs: dict[tuple[int, int], int] = {}  # (test, action) -> by how much a gap shrinks; 0: at once
        for number, action in enumerate(task.actions):
            for key, value in action.sets:
                for t in by_key.get(key, ()):
                    if value in task.tests[t].values:  # type: ignore[union-attr]
                        pairs[t, number] = 0
            for t, by in self._moves(action, by_key).items():
                if by:
                    self._moved.setdefault(t, []).append((number, by))
                if by is None:  # it may become anything: taken for enough
                    pairs[t, number] = 0
                elif by > 0 or (by < 0 and task.tests[t].exact):  # type: ignore[union-attr]
                    pairs[t, number] = by
        for i, (either, _) in enumerate(task.options):
            pairs[either, self.actions + i] = 0
        order = sorted(pairs)
        self.made = np.array([t for t, _ in order], dtype=np.int64)
        self.maker = np.array([a for _, a in order], dtype=np.int64)
        self.by = np.array([pairs[p] for p in order], dtype=np.int64)
        self.made_tests, self.made_begins = np.unique(self.made, return_index=True)
        self._row = {t: i for i, t in enumerate(task.measures)}
        self.stepwise = np.flatnonzero(self.by)  # pairs that close a gap bit by bit
        self.gap_row = np.array([self._row[int(self.made[p])] for p in self.stepwise], dtype=np.int64)
        ends = np.append(self.made_begins[1:], len(order))
        self.span = {int(t): (int(b), int(e)) for t, b, e in zip(self.made_tests, self.made_begins, ends)}

    def _moves(self, action: GroundAction, by_key: Mapping[Any, Sequence[int]]) -> dict[int, int | None]:
        """By how much an action moves tests of numbers; None where that depends on other numbers."""
        moved: dict[int, int | None] = {}
        for change in action.changes:
            for t in by_key.get(change.key, ()):
                factor = dict(self.task.tests[t].terms)[change.key]  # type: ignore[union-attr]
                plain = change.added and not change.terms
                old = moved.get(t, 0)
                moved[t] = old + factor * change.constant if plain and old is not None else None
        return moved

    def _uses(self) -> None:
        """Index the tests that actions need, make true and use up."""
        task = self.task
        options = [tests for _, tests in task.options]
        self.needs: list[tuple[int, ...]] = [*task.when, *options]
        self.makes: list[list[int]] = [[] for _ in self.needs]
        for t, a, by in zip(self.made.tolist(), self.maker.tolist(), self.by.tolist()):
            if not by:
                self.makes[a].append(t)
        self.spoils: list[frozenset[int]] = []
        self.drains: list[list[tuple[int, int]]] = [[] for _ in self.needs]  # tests of numbers, and by how much
        for number, when in enumerate(task.when):
            sets = dict(task.actions[number].sets)
            spoilt = [
                t for t in when if isinstance(x := task.tests[t], Is) and x.key in sets and sets[x.key] not in x.values
            ]
            self.spoils.append(frozenset(spoilt))
        self.spoils += [frozenset()] * len(options)
        for t, pairs in self._moved.items():
            for number, by in pairs:
                if by < 0 and t in task.when[number]:
                    self.drains[number].append((t, -by))
        self._gaps: Array = np.zeros(0)

    def room(self, maker: int, test: Array) -> float:
        """How often an action can be done with what is there now; what has to be made first is made as often as need
        be."""
        room = FAR
        for t, by in self.drains[maker]:
            if test[t] == 0.0:
                room = min(room, self._gaps[self._row[t]] // by + 1)
        return room

    def _times(self, state: State) -> Array:
        """How often each pair's action is needed to make its test true by itself."""
        times = np.ones(len(self.by))
        if len(self.stepwise):
            self._gaps = self.task.gaps(state)
            gap = -self._gaps[self.gap_row]
            by = self.by[self.stepwise]
            times[self.stepwise] = np.where(gap * by > 0, np.ceil(gap / by), FAR)
        return times

    def _backwards(self, state: State, goal: tuple[int, ...]) -> Array:
        """Actions that undo what the goal counts. Taking a thing away and putting it back looks like progress to a plan
        in which nothing ceases to be; left out, it does not."""
        wrong = np.zeros(self.actions, dtype=bool)
        gaps = self.task.gaps(state)
        for t in goal:
            if t in self._against:
                actions, by = self._against[t]
                gap = gaps[self._row[t]]
                worse = (gap + by < 0) & (by < 0)
                if self.task.tests[t].exact:  # type: ignore[union-attr]
                    worse = np.abs(gap + by) > abs(gap)
                wrong[actions[worse]] = True
        return wrong

    def costs_from(
        self, state: State, without: Array | None = None, truth: Array | None = None
    ) -> tuple[Array, Array, Array, Array]:
        """The cost of each test and each action, which actions can be done now, and how often pairs are needed; actions
        in `without` are not used. `truth` is what holds, if that is not as in the state."""
        truth = self.task.truth(state) if truth is None else truth
        test = np.full(self.always + 1, FAR)
        test[:-1][truth] = 0.0
        test[self.always] = 0.0
        times = self._times(state)
        extra = self.base[self.maker] * times if len(self.maker) else times
        if without is not None and len(self.maker):
            mine = self.maker < self.actions
            extra[mine] = np.where(without[self.maker[mine]], FAR, extra[mine])
        action = np.zeros(0)
        able = np.zeros(self.actions, dtype=bool)
        for depth in range(DEPTH):
            action = np.add.reduceat(test[self.tests], self.begins) if len(self.begins) else action
            if depth == 0:
                able = action[: self.actions] == 0.0
            if not len(self.maker):
                break
            best = np.minimum.reduceat(action[self.maker] + extra, self.made_begins)
            old = test[self.made_tests]
            if not (best < old).any():
                break
            test[self.made_tests] = np.minimum(old, best)
        return test, np.minimum(action, FAR), able, times

    def look(self, state: State, goal: tuple[int, ...]) -> Look:
        wrong = self._backwards(state, goal)
        test, action, able, times = self.costs_from(state, wrong if wrong.any() else None)
        if wrong.any() and test[list(goal)].sum() >= FAR:
            wrong = np.zeros_like(wrong)
            test, action, able, times = self.costs_from(state)
        if test[list(goal)].sum() >= FAR:
            return Look(FAR, able, [])
        saving = partial(self._saving, state, wrong) if self.is_careful else None
        plan = self._plan(goal, test, action, times, wrong, saving)
        far = sum(self.costs[a] * n for a, n in plan.items())
        return Look(float(far), able, [a for a in plan if able[a]])

    def steps(self, truth: Array, goal: tuple[int, ...]) -> list[int]:
        """The actions of a relaxed plan where these tests hold at the start; none if there is no plan."""
        test, action, _, times = self.costs_from(self.task.start, truth=truth)
        if test[list(goal)].sum() >= FAR:
            return []
        return list(self._plan(goal, test, action, times, np.zeros(self.actions, dtype=bool)))

    def _saving(self, state: State, wrong: Array, saved: frozenset[int], but: Collection[int]) -> Array:
        """The costs of actions where only those it is saved for may use up what is saved."""
        spoilt = wrong.copy()
        spoilt[[a for a in range(self.actions) if self.spoils[a] & saved and a not in but]] = True
        _, action, _, _ = self.costs_from(state, spoilt)
        return action + self.base + np.append(np.where(spoilt, FAR, 0.0), np.zeros(len(self.task.options)))

    def _plan(
        self,
        goal: tuple[int, ...],
        test: Array,
        action: Array,
        times: Array,
        wrong: Array,
        saving: Saving | None = None,
    ) -> dict[int, float]:
        """The actions of a relaxed plan, with how often each is done."""
        blocked = np.append(np.where(wrong, FAR, 0.0), np.zeros(len(self.task.options)))
        return _Extraction(self, test, action + self.base + blocked, times, saving).plan(goal)


class _Extraction:
    """The actions behind the costs of a goal, counted.

    What an action uses up (a full hand, one of three boxes) has to be there as often as it is done. So two boxes in a
    kit are two that were taken, and where only one lies on the shelf the other has to come from elsewhere.
    """

    def __init__(self, relaxed: Relaxed, test: Array, action: Array, times: Array, saving: Saving | None = None):
        self.r, self.test, self.action, self.times, self.saving = relaxed, test, action, times, saving
        self.prices: dict[frozenset[int], Array] = {frozenset(): action}  # by what is saved
        self.often: dict[int, float] = {}  # by action; options of an "either" are numbered behind them
        self.made: dict[int, float] = {}  # how often each test is made true
        self.used: dict[int, float] = {}  # and how often an action uses it up; not all together: robots go round
        self.todo: list[tuple[int, frozenset[int]]] = []  # tests, and what must not be used up for them
        self.steps = 0

    def plan(self, goal: tuple[int, ...]) -> dict[int, float]:
        for t in goal:
            self.used[t] = self.used.get(t, 0.0)
            self.todo.append((t, frozenset()))
        while self.todo and self.steps < MOST_STEPS:
            self._supply(*self.todo.pop())
        return {a: n for a, n in self.often.items() if a < self.r.actions}

    def _supply(self, t: int, saved: frozenset[int]) -> None:
        """Let a test be true as often as it is used up, and once at least."""
        there = self.test[t] == 0.0
        if t in self.r._row:
            if there or t in self.made:
                return
            self.made[t] = 1.0
            self._choose(t, 1.0, saved)
            return
        missing = max(1.0, self.used.get(t, 0.0)) - self.made.get(t, 0.0) - there
        if missing > 0 and self.saving is not None:
            if not there and not self.made.get(t):
                self._choose(t, 1.0, saved)
                missing -= 1.0
            saved |= {t}  # the second of it is not had by giving the first away
        if missing > 0:
            self._choose(t, missing, saved)

    def _choose(self, t: int, units: float, saved: frozenset[int]) -> None:
        """The cheapest actions that make a test true, as long as there is enough of what they use up."""
        if t not in self.r.span:
            return
        begin, end = self.r.span[t]
        makers, times = self.r.maker[begin:end], self.times[begin:end]
        price = self._prices(saved)[makers] + self.r.base[makers] * (times - 1.0)
        if saved and price.min() >= FAR:  # it cannot be done without
            price = self.action[makers] + self.r.base[makers] * (times - 1.0)
        order = np.argsort(price, kind="stable") if units > 1.0 or self.often else [int(np.argmin(price))]
        first = -1
        for i in order:
            if price[i] >= FAR:
                break
            maker, often = int(makers[i]), float(times[i])
            first = i if first < 0 else first
            room = self.r.room(maker, self.test) - self.often.get(maker, 0.0)
            if room > 0:
                taken = min(units, max(1.0, room // often))
                self._do(maker, taken * often, saved)
                units -= taken
                if units <= 0:
                    return
        if first >= 0:  # there is not enough anywhere: as if there were
            self._do(int(makers[first]), units * float(times[first]), saved)

    def _prices(self, saved: frozenset[int]) -> Array:
        if saved not in self.prices:
            assert self.saving is not None
            self.prices[saved] = self.saving(saved, self.often)
        return self.prices[saved]

    def _do(self, maker: int, often: float, saved: frozenset[int]) -> None:
        self.steps += 1
        self.often[maker] = self.often.get(maker, 0.0) + often
        for t in self.r.makes[maker]:
            self.made[t] = self.made.get(t, 0.0) + often
        for t in self.r.needs[maker]:
            if t in self.r.spoils[maker]:
                self.used[t] = max(self.used.get(t, 0.0), self.often[maker])
            self.todo.append((t, saved))


# -- times that no plan can beat --------------------------------------------------------------------------------------
# Times that no plan can beat: when something can be so at the earliest, and how long one robot is busy at least.
# Both look at plans in which nothing that was once true ceases to be. The first lets everything go on at the same
# time. The second goes by landmarks: what every plan has to bring about, and only this robot can.
def earliest_s(relaxed: Relaxed, seconds: Array) -> Array:
    """For each test when it can hold at the earliest [s]; FAR for those that cannot."""
    task, made = relaxed.task, np.full(relaxed.always + 1, FAR)
    made[:-1][task.truth(task.start)] = 0.0
    made[relaxed.always] = 0.0
    lasts = np.concatenate((np.asarray(seconds, dtype=float), np.zeros(len(task.options))))
    for _ in range(DEPTH):
        begins = np.maximum.reduceat(made[relaxed.tests], relaxed.begins)
        best = np.minimum.reduceat((begins + lasts)[relaxed.maker], relaxed.made_begins)
        old = made[relaxed.made_tests]
        if not (best < old).any():
            break
        made[relaxed.made_tests] = np.minimum(old, best)
    return np.minimum(made[:-1], FAR)


def landmarks(relaxed: Relaxed, goal: Sequence[int]) -> dict[int, list[tuple[int, float]]]:
    """Tests that do not hold yet and that every plan has to bring about, from the goal backwards: each with the actions
    that can do so first, and how often that would take by one of them alone."""
    task = relaxed.task
    truth = task.truth(task.start)
    found: dict[int, list[tuple[int, float]]] = {}
    todo = [t for t in goal if not truth[t]]
    while todo:
        test = todo.pop()
        if test in found:
            continue
        mine = found[test] = _first(relaxed, test)
        needs = [set(task.when[m] if m < relaxed.actions else task.options[m - relaxed.actions][1]) for m, _ in mine]
        todo += [t for t in sorted(set.intersection(*needs) if needs else ()) if not truth[t]]
    return found


def _first(relaxed: Relaxed, test: int) -> list[tuple[int, float]]:
    """The actions that can make a test true for the first time: those that do not need it to have been so before."""
    begin, end = relaxed.span.get(test, (0, 0))
    makers, times = relaxed.maker[begin:end], relaxed._times(relaxed.task.start)[begin:end]
    without = np.zeros(relaxed.actions, dtype=bool)
    without[makers[makers < relaxed.actions]] = True
    reached = relaxed.costs_from(relaxed.task.start, without)[1] < FAR
    return [(int(m), float(n)) for m, n in zip(makers, times) if reached[m] and n < FAR]


class Work(NamedTuple):
    """A test that only one robot can make true, and what that takes at least: one of some actions so many times, the
    quickest of which takes so many seconds. All of them are of one skill, or `skill` is empty."""

    test: int
    seconds: float
    times: int
    skill: str


def work(relaxed: Relaxed, goal: Sequence[int], robot: str, seconds: Array) -> list[Work]:
    """The landmarks of the goal that only this robot can achieve. No action counts for two of them."""
    task = relaxed.task
    used, found = set[int](), []
    for test, mine in landmarks(relaxed, goal).items():
        others = any(m >= relaxed.actions or task.actions[m].robot != robot for m, _ in mine)
        if mine and not others and not used & {m for m, _ in mine}:
            used |= {m for m, _ in mine}
            least = min(mine, key=lambda pair: float(seconds[pair[0]]) * pair[1])
            skills = {task.actions[m].skill for m, _ in mine}
            found.append(Work(test, float(seconds[least[0]]), int(least[1]), skills.pop() if len(skills) == 1 else ""))
    return found
