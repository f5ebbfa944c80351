"""A question with every name put in: variables with few values, numbers, and actions over them.

Each true-or-false or name-valued fact that can change is a variable. A condition is a list of tests that must all hold:
"this variable is one of these values", "this sum of numbers is at least zero", or "one of these lists holds". Where
something depends on the value of a variable (`where(thing)` becomes `at(robot)`), there is one action for each value.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import All, Compare, Expr, Fluent, Not, Some, Sum
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import BOOL, NUMBER
from coterie.core.skill import Effect
from coterie.planning.forms import inner, kind_of, normal, walk
from coterie.planning.own.reach import Reach
from coterie.planning.question import ROBOT, Key, Question
from coterie.planning.unified.names import SMALLEST

LARGEST_SCALE = 10**9


@dataclass(frozen=True)
class Is:
    """A variable has one of these values."""

    key: Key
    values: frozenset[Any]


@dataclass(frozen=True)
class Least:
    """A sum of numbers times whole factors, and a constant, is at least zero; or, where `exact`, zero."""

    terms: tuple[tuple[Key, int], ...]
    constant: int
    exact: bool = False


@dataclass(frozen=True)
class Either:
    """One of these lists of tests holds."""

    options: tuple[tuple[Test, ...], ...]


Test = Is | Least | Either
Tests = tuple[Test, ...]
Linear = tuple[tuple[tuple[Key, int], ...], int]  # terms and a constant


@dataclass(frozen=True)
class Change:
    """A number becomes a sum of numbers and a constant, or (`added`) that much more than it was."""

    key: Key
    terms: tuple[tuple[Key, int], ...]
    constant: int
    added: bool


@dataclass(frozen=True)
class GroundAction:
    skill: str
    robot: str
    names: tuple[str, ...]
    when: Tests
    sets: tuple[tuple[Key, Any], ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Ground:
    """Variables with the values they can take, the first one being that at the start; numbers, scaled to whole ones."""

    question: Question
    variables: Mapping[Key, tuple[Any, ...]]
    numbers: Mapping[Key, int]
    actions: tuple[GroundAction, ...]
    goal: tuple[Tests | None, ...]  # part by part; None is a part that cannot hold
    scale: int
    reach: Reach

    @functools.cached_property
    def writers(self) -> Mapping[Key, list[int]]:
        """The actions, by number, that change a fact."""
        found: dict[Key, list[int]] = {}
        for number, action in enumerate(self.actions):
            for key in [*(k for k, _ in action.sets), *(c.key for c in action.changes)]:
                found.setdefault(key, []).append(number)
        return found


def ground(question: Question, also: Mapping[Key, Iterable[Any]] = MappingProxyType({})) -> Ground:
    """`also`: values that facts may have besides those that they have at the start."""
    return _Grounder(question, also).made()


class _Grounder:
    def __init__(self, question: Question, also: Mapping[Key, Iterable[Any]] = MappingProxyType({})):
        self.question = question
        self.reach = Reach(question, also)
        self.scale = _scale(question)
        self.moving = {k for k, v in self.reach.can.items() if len(v) > 1}
        self.flowing = {k for k, (lo, hi) in self.reach.spans.items() if lo != hi}
        self._tests: dict[Any, Any] = {}
        self._inner: dict[Expr, list[Fluent]] = {}

    def made(self) -> Ground:
        question, reach = self.question, self.reach
        actions: list[GroundAction] = []
        for name, op in question.operators.items():
            parts = [p for p in (normal(w, question.fluents) for w in op.when) if not reach.settled(p)]
            names, asked = (ROBOT, *(p.name for p in op.params)), self._asked(op.then)
            for binding in reach.bindings[name]:
                actions += self._actions(name, parts, op.then, dict(zip(names, binding)), asked)
        goal = tuple(self._all([g], {}, {}) for g in reach.goal)
        variables = {k: tuple(reach.can[k]) for k in reach.can if k in self.moving}
        numbers = {k: self._whole(question.value(*k)) for k in reach.spans if k in self.flowing}
        return Ground(question, variables, numbers, tuple(actions), goal, self.scale, reach)

    def _whole(self, value: Any) -> int:
        return int(Fraction(value).limit_denominator(SMALLEST) * self.scale)

    # -- actions --------------------------------------------------------------------------------------------------
    def _actions(
        self, name: str, when: Sequence[Expr], then: Sequence[Effect], b: dict[str, str], asked: Sequence[Fluent]
    ) -> Iterator[GroundAction]:
        for given in self._split(asked, b, {}):
            tests = self._all(when, b, given)
            if tests is None:
                continue
            if given:
                tests = _joined((*(Is(k, frozenset([v])) for k, v in given.items() if k in self.moving), *tests))
            effects = self._effects(then, b, given) if tests is not None else None
            if tests is None or effects is None or not (effects[0] or effects[1]):
                continue
            sets = [(k, v) for k, v in effects[0] if Is(k, frozenset([v])) not in tests]
            if sets or effects[1]:
                robot, *names = b.values()
                yield GroundAction(name, robot, tuple(names), tests, tuple(sets), tuple(effects[1]))

    def _asked(self, then: Sequence[Effect]) -> list[Fluent]:
        """The fluents that effects depend on: those within others, and those whose values are copied."""
        wanted: dict[Fluent, None] = {}
        for effect in then:
            wanted.update(dict.fromkeys(inner(effect.fluent)))
            wanted.update(dict.fromkeys(inner(effect.value)))
            if isinstance(effect.value, Fluent) and self.question.fluents[effect.value.pred].value != NUMBER:
                wanted[effect.value] = None
        return list(wanted)

    def _split(self, wanted: Sequence[Fluent], b: dict[str, str], given: dict[Key, Any]) -> Iterator[dict[Key, Any]]:
        """Each value that these can have; "none" and "not known" are no values."""
        if not wanted:
            yield given
            return
        key = self._key(wanted[0], b, given)
        if key is None:
            return
        for value in [given[key]] if key in given else self.reach.values(key):
            if value is not None and value is not UNKNOWN:
                yield from self._split(wanted[1:], b, {**given, key: value})

    def _effects(
        self, then: Sequence[Effect], b: dict[str, str], given: dict[Key, Any]
    ) -> tuple[list[tuple[Key, Any]], list[Change]] | None:
        sets: dict[Key, Any] = {}
        changes: dict[Key, Change] = {}
        for effect in then:
            key = self._key(effect.fluent, b, given)
            assert key is not None
            kind = self.question.fluents[effect.fluent.pred].value
            if kind == NUMBER:
                if not self._change(changes, key, effect, b, given):
                    return None
                continue
            value = self._value(effect.value, b, given)
            value = bool(value) if kind == BOOL else value
            if key in sets and sets[key] != value:
                if kind != BOOL:
                    return None  # nothing has two values
                value = True
            sets[key] = value
        moved = [(k, v) for k, v in sets.items() if k in self.moving]
        return moved, [c for c in changes.values() if c.key in self.flowing]

    def _change(
        self, changes: dict[Key, Change], key: Key, effect: Effect, b: dict[str, str], given: dict[Key, Any]
    ) -> bool:
        linear = self._linear(effect.value, b, given)
        if linear is None:
            return False
        terms, constant = linear
        sign = -1 if effect.how == "decrease" else 1
        made = Change(key, tuple((k, sign * f) for k, f in terms), sign * constant, effect.how != "set")
        old = changes.get(key)
        if old is not None:
            if not (old.added and made.added):
                return old == made
            made = Change(key, _sum(old.terms, made.terms), old.constant + made.constant, True)
        changes[key] = made
        return True

    # -- terms ----------------------------------------------------------------------------------------------------
    def _key(self, fluent: Fluent, b: Mapping[str, str], given: Mapping[Key, Any]) -> Key | None:
        """The fact a fluent means, where what it depends on is given or never changes; None where it means none."""
        args = [self._value(a, b, given) for a in fluent.args]
        return None if any(a is None or a is UNKNOWN for a in args) else (fluent.pred, *args)

    def _value(self, term: Any, b: Mapping[str, str], given: Mapping[Key, Any]) -> Any:
        if isinstance(term, Fluent):
            key = self._key(term, b, given)
            if key is None:
                return UNKNOWN
            return given[key] if key in given else self.question.value(*key)
        return b[term[1:]] if isinstance(term, str) and term.startswith("?") else term

    def _linear(self, term: Any, b: Mapping[str, str], given: Mapping[Key, Any]) -> Linear | None:
        if isinstance(term, Fluent):
            key = self._key(term, b, given)
            if key is None:
                return None
            return (((key, 1),), 0) if key in self.flowing else ((), self._whole(self.question.value(*key)))
        if isinstance(term, Sum):
            left, right = self._linear(term.left, b, given), self._linear(term.right, b, given)
            if left is None or right is None:
                return None
            sign = 1 if term.op == "+" else -1
            return _sum(left[0], tuple((k, sign * f) for k, f in right[0])), left[1] + sign * right[1]
        return (), self._whole(term)

    # -- conditions -----------------------------------------------------------------------------------------------
    def _all(self, exprs: Sequence[Expr], b: Mapping[str, str], given: Mapping[Key, Any]) -> Tests | None:
        """The tests of a conjunction; None where it cannot hold."""
        tests: list[Test] = []
        for expr in exprs:
            found = self._cond(expr, b, given)
            if found is None:
                return None
            tests += found
        return _joined(tests)

    def _cond(self, expr: Expr, b: Mapping[str, str], given: Mapping[Key, Any]) -> Tests | None:
        if isinstance(expr, All):
            return self._all(expr.exprs, b, given)
        if isinstance(expr, Some):
            return self._any(self._cond(e, b, given) for e in expr.exprs)
        within = self._inner.get(expr)
        if within is None:
            within = self._inner[expr] = inner(expr)
        if not within:
            return self._atom(expr, b, given)
        missing = [f for f in within if self._open(f, b, given)]
        if missing:  # one test for each value of what the condition depends on
            key = self._key(missing[0], b, given)
            assert key is not None
            values = [v for v in self.reach.values(key) if v is not None and v is not UNKNOWN]
            return self._any(self._under(expr, b, {**given, key: v}, Is(key, frozenset([v]))) for v in values)
        if any(self._key(f, b, given) is None or self._value(f, b, given) in (None, UNKNOWN) for f in within):
            return None
        return self._atom(expr, b, given)

    def _open(self, fluent: Fluent, b: Mapping[str, str], given: Mapping[Key, Any]) -> bool:
        """Whether a fluent within another one can change, and is not given; one within it is asked first."""
        if any(self._open(a, b, given) for a in fluent.args if isinstance(a, Fluent)):
            return False
        key = self._key(fluent, b, given)
        return key is not None and key in self.moving and key not in given

    def _under(self, expr: Expr, b: Mapping[str, str], given: Mapping[Key, Any], case: Is) -> Tests | None:
        found = self._cond(expr, b, given)
        return None if found is None else _joined((case, *found))

    def _atom(self, expr: Expr, b: Mapping[str, str], given: Mapping[Key, Any]) -> Tests | None:
        if isinstance(expr, Compare):
            if kind_of(expr, self.question.fluents) == NUMBER:
                return self._measure(expr, b, given)
            return self._same(expr, b, given)
        wanted = not isinstance(expr, Not)
        fluent = expr.expr if isinstance(expr, Not) else expr
        assert isinstance(fluent, Fluent)
        key = self._key(fluent, b, given)
        return None if key is None else self._is(key, [wanted], given)

    def _is(self, key: Key, values: Sequence[Any], given: Mapping[Key, Any]) -> Tests | None:
        if key in given or key not in self.moving:
            now = given[key] if key in given else self.question.value(*key)
            return () if now in values else None
        can = self.reach.can[key]
        fit = frozenset(v for v in values if v in can)
        if not fit:
            return None
        return () if len(fit) == len(can) else (Is(key, fit),)

    def _same(self, expr: Compare, b: Mapping[str, str], given: Mapping[Key, Any]) -> Tests | None:
        sides = (expr.left, expr.right)
        keys = [self._key(s, b, given) if isinstance(s, Fluent) else None for s in sides]
        both = all(isinstance(s, Fluent) for s in sides)
        if both:
            one, two = keys
            assert one is not None and two is not None
            mine, yours = self._now(one, given), self._now(two, given)
            if expr.op == "==":
                pairs = [(v, v) for v in mine if v in yours and v is not None and v is not UNKNOWN]
            else:
                pairs = [(v, w) for v in mine for w in yours if v != w and UNKNOWN not in (v, w)]
            if one == two:
                pairs = [(v, w) for v, w in pairs if v == w]
            return self._any(self._pair(one, v, two, w, given) for v, w in pairs)
        if not any(isinstance(s, Fluent) for s in sides):
            left, right = (self._value(s, b, given) for s in sides)
            return () if (left == right) == (expr.op == "==") else None
        key = next(k for k in keys if k is not None)
        value = self._value(sides[1] if isinstance(sides[0], Fluent) else sides[0], b, given)
        if expr.op == "==":
            return self._is(key, [value], given)
        return self._is(key, [v for v in self._now(key, given) if v != value and v is not UNKNOWN], given)

    def _now(self, key: Key, given: Mapping[Key, Any]) -> list[Any]:
        return [given[key]] if key in given else list(self.reach.values(key))

    def _pair(self, one: Key, v: Any, two: Key, w: Any, given: Mapping[Key, Any]) -> Tests | None:
        left, right = self._is(one, [v], given), self._is(two, [w], given)
        return None if left is None or right is None else _joined((*left, *right))

    def _measure(self, expr: Compare, b: Mapping[str, str], given: Mapping[Key, Any]) -> Tests | None:
        linear = self._linear(Sum("-", expr.left, expr.right), b, given)
        if linear is None:
            return None
        terms, constant = linear
        minus = tuple((k, -f) for k, f in terms)
        above, below = Least(terms, constant - 1), Least(minus, -constant - 1)
        options: dict[str, tuple[Least, ...]] = {
            "==": (Least(terms, constant, exact=True),),
            "!=": (above, below),
            ">=": (Least(terms, constant),),
            ">": (above,),
            "<=": (Least(minus, -constant),),
            "<": (below,),
        }
        return self._any(self._least(option) for option in options[expr.op])

    def _least(self, test: Least) -> Tests | None:
        if not test.terms:
            return () if (test.constant == 0 if test.exact else test.constant >= 0) else None
        return (test,)

    def _any(self, options: Iterator[Tests | None]) -> Tests | None:
        found: dict[Tests, None] = {}
        for option in options:
            if option == ():
                return ()
            if option is not None:
                found[option] = None
        merged = _merged(list(found))
        if len(merged) <= 1:
            return merged[0] if merged else None
        for (test,) in [m for m in merged if len(m) == 1]:
            if isinstance(test, Is) and len(test.values) == len(self.reach.can[test.key]):
                return ()
        either = Either(tuple(merged))
        return (self._tests.setdefault(either, either),)


def _sum(left: tuple[tuple[Key, int], ...], right: tuple[tuple[Key, int], ...]) -> tuple[tuple[Key, int], ...]:
    total = dict(left)
    for key, factor in right:
        total[key] = total.get(key, 0) + factor
    return tuple((k, f) for k, f in total.items() if f)


def _joined(tests: Sequence[Test]) -> Tests | None:
    """A conjunction with one test for each variable; None where a variable would need two values."""
    found: dict[Any, Test] = {}
    for test in tests:
        key: Any = ("is", test.key) if isinstance(test, Is) else test
        old = found.get(key)
        if isinstance(test, Is) and isinstance(old, Is):
            values = old.values & test.values
            if not values:
                return None
            test = Is(test.key, values)
        found[key] = test
    return tuple(found.values())


def _merged(options: list[Tests]) -> list[Tests]:
    """Options that differ in one variable alone are one: it is at A or at B, and the rest is the same."""
    again = True
    while again and len(options) > 1:
        again = False
        for key in dict.fromkeys(t.key for o in options for t in o if isinstance(t, Is)):
            groups: dict[Any, list[Tests]] = {}
            for option in options:
                has = any(isinstance(t, Is) and t.key == key for t in option)
                rest = frozenset(t for t in option if not (isinstance(t, Is) and t.key == key))
                groups.setdefault((has, rest), []).append(option)
            if len(groups) == len(options):
                continue
            again = True
            options = [_union(group, key) if has and len(group) > 1 else o
                       for (has, _), group in groups.items() for o in group[: 1 if has else None]]  # fmt: skip
            break
    return list(dict.fromkeys(options))


def _union(group: list[Tests], key: Key) -> Tests:
    values = frozenset(
        itertools.chain.from_iterable(t.values for o in group for t in o if isinstance(t, Is) and t.key == key)
    )
    return (Is(key, values), *(t for t in group[0] if not (isinstance(t, Is) and t.key == key)))


def _scale(question: Question) -> int:
    """By what all numbers are multiplied to be whole."""
    terms: list[Any] = [*question.facts.values(), *(d.initial for d in question.fluents.values()), *question.goal]
    terms += [part for op in question.operators.values() for part in (*op.when, *(e.value for e in op.then))]
    floats = {t for term in terms for t in walk(term) if isinstance(t, float)}
    found = {Fraction(value).limit_denominator(SMALLEST).denominator for value in floats}
    scale = math.lcm(*found)
    if scale > LARGEST_SCALE:
        raise CoterieError("The numbers of this planning problem have no common fraction; round them to few digits.")
    return scale
