"""Relaxed reachability: every value each fluent could take if nothing that was once true ever ceased to be.

The operators are tried with all names that could fit, again and again until nothing new comes up. A parameter is tried
only as long as the conditions on those bound before it could hold, so what static facts rule out is never built.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from coterie.core.expr import All, Compare, Expr, Fluent, Not, Some, Sum, fluents
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import BOOL, NUMBER
from coterie.planning.forms import inner, kind_of, normal, params, parts, walk
from coterie.planning.operators import Operator
from coterie.planning.question import ROBOT, Key, Question

Bound = dict[str, Any]
Span = tuple[float, float]  # from where to where a number can go
INFINITE = float("inf")


class Reach:
    """After `Reach(question)`: `values(key)` and `span(key)` for what can be, `bindings` for what can be done."""

    def __init__(self, question: Question, also: Mapping[Key, Iterable[Any]] = MappingProxyType({})):
        """`also`: values that facts may have besides those that they have at the start."""
        self.question = question
        self.can: dict[Key, dict[Any, None]] = {}  # values of what changes, in the order in which they came up
        self.spans: dict[Key, Span] = {}
        self.bindings: dict[str, list[tuple[str, ...]]] = {name: [] for name in question.operators}
        self.goal = [normal(g, question.fluents) for g in question.goal]
        self.fixed = set(question.fluents) - {e.fluent.pred for op in question.operators.values() for e in op.then}
        self._true: dict[tuple[str, int], dict[Key, list[str]]] = {}
        self._changed: set[str] = set()
        for key, value in ((key, value) for key, values in also.items() for value in values):
            if question.fluents[key[0]].value == NUMBER:
                self._widens(key, "set", (value, value))
            else:
                self._gains(key, value)
        self._explore()

    # -- what a fluent can be -------------------------------------------------------------------------------------
    def values(self, key: Key) -> Iterable[Any]:
        found = self.can.get(key)
        return found if found is not None else (self.question.value(*key),)

    def span(self, key: Key) -> Span:
        found = self.spans.get(key)
        if found is not None:
            return found
        value = self.question.value(*key)
        return (value, value)

    def _gains(self, key: Key, value: Any) -> None:
        known = self.can.get(key)
        if known is None:
            known = self.can[key] = {self.question.value(*key): None}
        if value not in known:
            known[value] = None
            self._changed.add(key[0])

    def _widens(self, key: Key, how: str, by: Span) -> None:
        lo, hi = old = self.span(key)
        if how == "set":
            new = (min(lo, by[0]), max(hi, by[1]))
        else:
            up, down = (by[1] > 0, by[0] < 0) if how == "increase" else (by[0] < 0, by[1] > 0)
            new = (-INFINITE if down else lo, INFINITE if up else hi)
        self.spans[key] = new
        if new != old:
            self._changed.add(key[0])

    def true_of(self, pred: str, at: int) -> dict[Key, list[str]]:
        """Of a true-or-false fluent that never changes: the names at one place that make it true, by the others."""
        if (pred, at) not in self._true:
            index: dict[Key, list[str]] = {}
            for key, value in self.question.facts.items():
                if key[0] == pred and value is True:
                    index.setdefault((*key[1 : at + 1], *key[at + 2 :]), []).append(key[at + 1])
            self._true[pred, at] = index
        return self._true[pred, at]

    def settled(self, expr: Expr) -> bool:
        """Whether a condition is decided by names alone: `could` is then the truth."""
        return not any(isinstance(t, Fluent) and (t.pred not in self.fixed or inner(t)) for t in walk(expr))

    # -- exploring ------------------------------------------------------------------------------------------------
    def _explore(self) -> None:
        tried = [_Trial(op, self) for op in self.question.operators.values()]
        self._changed = set(self.question.fluents)
        while self._changed:
            before, self._changed = self._changed, set()
            for trial in tried:
                if not trial.done or trial.reads & before:
                    trial.again()

    # -- terms: what each could be under a binding -----------------------------------------------------------------
    def keys(self, fluent: Fluent) -> Callable[[Bound], Iterable[Key]]:
        """The facts that a fluent could mean. An argument without a value means none."""
        pred = fluent.pred
        if not any(isinstance(a, Fluent) for a in fluent.args):
            if all(isinstance(a, str) and a.startswith("?") for a in fluent.args):
                names = tuple(a[1:] for a in fluent.args)
                return lambda b: ((pred, *[b[n] for n in names]),)
            return lambda b: ((pred, *[_bound(a, b) for a in fluent.args]),)
        parts = [self.options(a) for a in fluent.args]

        def every(b: Bound) -> Iterable[Key]:
            options = [[v for v in part(b) if v is not None and v is not UNKNOWN] for part in parts]
            return ((pred, *args) for args in itertools.product(*options))

        return every

    def options(self, term: Any) -> Callable[[Bound], Iterable[Any]]:
        if isinstance(term, Fluent):
            keys = self.keys(term)

            if not inner(term):
                can, value, names = self.can, self.question.value, term.args

                def look(b: Bound) -> Iterable[Any]:
                    key = (term.pred, *[_bound(a, b) for a in names])
                    found = can.get(key)
                    return found if found is not None else (value(*key),)

                return look

            def read(b: Bound) -> Iterable[Any]:
                found = [self.values(key) for key in keys(b)]
                return found[0] if len(found) == 1 else dict.fromkeys(v for values in found for v in values)

            return read
        return lambda b: (_bound(term, b),)

    def number(self, term: Any) -> Callable[[Bound], Span | None]:
        if isinstance(term, Fluent):
            keys = self.keys(term)

            def read(b: Bound) -> Span | None:
                spans = [self.span(key) for key in keys(b)]
                return (min(s[0] for s in spans), max(s[1] for s in spans)) if spans else None

            return read
        if isinstance(term, Sum):
            left, right, plus = self.number(term.left), self.number(term.right), term.op == "+"

            def total(b: Bound) -> Span | None:
                one, two = left(b), right(b)
                if one is None or two is None:
                    return None
                return (one[0] + two[0], one[1] + two[1]) if plus else (one[0] - two[1], one[1] - two[0])

            return total
        return lambda b: (term, term)

    # -- conditions: could they hold? ------------------------------------------------------------------------------
    def could(self, expr: Expr) -> Callable[[Bound], bool]:
        """Whether a normal condition could hold; it may say yes where no is true, and never the other way round."""
        if isinstance(expr, (All, Some)):
            parts = [self.could(e) for e in expr.exprs]
            return (lambda b: all(p(b) for p in parts)) if isinstance(expr, All) else lambda b: any(p(b) for p in parts)
        if isinstance(expr, Compare):
            return self._compare(expr)
        wanted = not isinstance(expr, Not)
        fluent = expr if isinstance(expr, Fluent) else expr.expr
        assert isinstance(fluent, Fluent)
        keys = self.keys(fluent)
        if self.settled(expr):
            value, pred = self.question.value, fluent.pred
            names = [a[1:] for a in fluent.args if isinstance(a, str) and a.startswith("?")]
            if len(names) == len(fluent.args):
                return lambda b: value(pred, *[b[n] for n in names]) is wanted
        return lambda b: any(wanted in self.values(key) for key in keys(b))

    def _compare(self, expr: Compare) -> Callable[[Bound], bool]:
        if kind_of(expr, self.question.fluents) == NUMBER:
            return self._measure(expr)
        one, two = (expr.left, expr.right) if isinstance(expr.left, Fluent) else (expr.right, expr.left)
        left, right = self.options(one), self.options(two)
        if expr.op == "==":
            if not isinstance(two, Fluent):
                return lambda b: _bound(two, b) in left(b)

            def same(b: Bound) -> bool:
                mine = right(b)
                return any(v in mine and v is not UNKNOWN and v is not None for v in left(b))

            return same

        def other(b: Bound) -> bool:
            mine = [v for v in right(b) if v is not UNKNOWN]
            return any(v is not UNKNOWN and any(v != w for w in mine) for v in left(b))

        return other

    def _measure(self, expr: Compare) -> Callable[[Bound], bool]:
        left, right, op = self.number(expr.left), self.number(expr.right), expr.op

        def fits(b: Bound) -> bool:
            one, two = left(b), right(b)
            if one is None or two is None:
                return False
            (a, z), (c, y) = one, two
            if op in ("<", "<="):
                return a < y or (op == "<=" and a == y)
            if op in (">", ">="):
                return z > c or (op == ">=" and z == c)
            return a <= y and c <= z if op == "==" else not a == z == c == y

        return fits


def _bound(term: Any, b: Bound) -> Any:
    return b[term[1:]] if isinstance(term, str) and term.startswith("?") else term


class _Trial:
    """One operator with every name that could fit."""

    def __init__(self, op: Operator, reach: Reach):
        question = reach.question
        self.op, self.reach, self.done = op, reach, False
        self.seen: set[tuple[str, ...]] = set()
        conditions = [part for when in op.when for part in parts(normal(when, question.fluents))]
        self.reads = {f for c in conditions for f in _predicates(c)} | {
            f for e in op.then for part in (*e.fluent.args, e.value) for f in _predicates(part)
        }
        kinds = {ROBOT: ROBOT, **{p.name: p.kind for p in op.params}}
        self.names = tuple(kinds)
        able = [r for r in question.of_kind(ROBOT) if op.name in question.able.get(r, ())]
        self.order = _order(self.names, conditions)
        self.levels: list[tuple[str, Callable[[Bound], Iterable[str]], list[Callable[[Bound], bool]]]] = []
        bound: set[str] = set()
        left = list(conditions)
        self.first = [reach.could(c) for c in left if not params(c)]
        left = [c for c in left if params(c)]
        for name in self.order:
            fits = able if name == ROBOT else question.of_kind(kinds[name])
            names, used = self._names(name, fits, left, bound)
            bound.add(name)
            now = [c for c in left if params(c) <= bound]
            left = [c for c in left if c not in now]
            now.sort(key=lambda c: not reach.settled(c))  # what never changes is asked first: that is quick
            self.levels.append((name, names, [reach.could(c) for c in now if c is not used]))
        self.effects = [self._effect(e) for e in op.then]
        self.constant = not any(f for e in op.then for part in (*e.fluent.args, e.value) for f in _predicates(part))

    def _given(self, condition: Expr, name: str, bound: set[str]) -> Fluent | None:
        """A fluent over what is bound before, whose value the parameter has to be."""
        if isinstance(condition, Compare) and condition.op == "==":
            for one, two in ((condition.left, condition.right), (condition.right, condition.left)):
                if one == f"?{name}" and isinstance(two, Fluent) and params(two) <= bound:
                    return two
        return None

    def _listed(self, condition: Expr, name: str, bound: set[str]) -> int | None:
        """The place of the parameter in a fluent that never changes, where the other places are bound before."""
        fixed = isinstance(condition, Fluent) and condition.pred in self.reach.fixed and not inner(condition)
        if not fixed or params(condition) - bound != {name}:
            return None
        assert isinstance(condition, Fluent)
        at = [i for i, a in enumerate(condition.args) if a == f"?{name}"]
        return at[0] if len(at) == 1 else None

    def _names(
        self, name: str, fits: Sequence[str], conditions: Sequence[Expr], bound: set[str]
    ) -> tuple[Callable[[Bound], Iterable[str]], Expr | None]:
        """The names a parameter can take, given those bound before, and the condition that this guarantees."""
        allowed = set(fits)
        for condition in conditions:
            given = self._given(condition, name, bound)
            if given is not None:
                return self._values(given, allowed), None
        for condition in conditions:
            at = self._listed(condition, name, bound)
            if at is not None:
                assert isinstance(condition, Fluent)
                return self._true(condition, at, allowed), condition
        return lambda b: fits, None

    def _values(self, given: Fluent, allowed: set[str]) -> Callable[[Bound], Iterable[str]]:
        options = self.reach.options(given)
        return lambda b: [v for v in options(b) if v in allowed]

    def _true(self, condition: Fluent, at: int, allowed: set[str]) -> Callable[[Bound], Iterable[str]]:
        index = self.reach.true_of(condition.pred, at)
        others = [a for i, a in enumerate(condition.args) if i != at]
        return lambda b: [v for v in index.get(tuple(_bound(a, b) for a in others), ()) if v in allowed]

    def again(self) -> None:
        self.done = True
        if all(test({}) for test in self.first):
            self._bind(0, {})

    def _bind(self, depth: int, b: Bound) -> None:
        if depth == len(self.levels):
            self._use(b)
            return
        name, names, tests = self.levels[depth]
        for value in list(names(b)):
            b[name] = value
            for test in tests:
                if not test(b):
                    break
            else:
                self._bind(depth + 1, b)
        b.pop(name, None)

    def _use(self, b: Bound) -> None:
        key = tuple(b[n] for n in self.names)
        if key not in self.seen:
            self.seen.add(key)
            self.reach.bindings[self.op.name].append(key)
        elif self.constant:
            return
        for effect in self.effects:
            effect(b)

    def _effect(self, effect: Any) -> Callable[[Bound], None]:
        reach = self.reach
        keys = reach.keys(effect.fluent)
        if reach.question.fluents[effect.fluent.pred].value == NUMBER:
            number, how = reach.number(effect.value), effect.how

            def widen(b: Bound) -> None:
                by = number(b)
                if by is not None:
                    for key in keys(b):
                        reach._widens(key, how, by)

            return widen
        options = reach.options(effect.value)
        copied = isinstance(effect.value, Fluent)
        truth = reach.question.fluents[effect.fluent.pred].value == BOOL

        def gain(b: Bound) -> None:
            for value in list(options(b)):
                if copied and (value is None or value is UNKNOWN):
                    continue
                for key in list(keys(b)):
                    reach._gains(key, bool(value) if truth else value)

        return gain


def _predicates(term: Any) -> set[str]:
    return {f.pred for f in fluents(term)}


def _order(names: Sequence[str], conditions: Sequence[Expr]) -> list[str]:
    """The robot first, then whichever parameter lets most conditions be tested."""
    wanted = [p for p in map(params, conditions) if p]
    order, left = [names[0]], list(names[1:])
    while left:
        bound = set(order)
        best = max(left, key=lambda n: (sum(n in w and w <= bound | {n} for w in wanted), sum(n in w for w in wanted)))
        order.append(best)
        left.remove(best)
    return order
