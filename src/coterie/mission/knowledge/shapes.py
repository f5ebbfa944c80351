"""Rules made ready to be followed: variables by number, and the order in which a body is best gone through."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from coterie.mission.knowledge.atoms import ANY, Row
from coterie.mission.knowledge.syntax import Rule, Scope, Signature, signature
from coterie.mission.knowledge.terms import (
    Arith,
    Comparison,
    Literal,
    NoValue,
    Odd,
    Term,
    Var,
    compare,
    value_of,
    variables,
)

Values = list[Any]  # of the variables of a rule, ANY where they are not settled
Size = Callable[[Signature, Iterable[int]], float]  # how many rows to expect, with values in these columns


class Lit:
    """A literal whose variables are numbers."""

    __slots__ = ("name", "odd", "shape", "sig", "terms")

    def __init__(self, literal: Literal, shape: Shape):
        self.name, self.sig, self.shape = literal.name, signature(literal), shape
        self.terms: list[tuple[int, Any]] = []  # the number of a variable, or -1 and a value
        self.odd: list[tuple[int, Term]] = []  # what has to be computed
        for i, term in enumerate(literal.args):
            if isinstance(term, Var):
                self.terms.append((shape.number(term.name), ANY))
            elif isinstance(term, (Arith, Odd)):
                self.terms.append((-1, ANY))
                self.odd.append((i, term))
            else:
                self.terms.append((-1, term))

    def pattern(self, values: Values) -> Row | None:
        """What the literal says with these values; None where it cannot be said, such as a name plus one."""
        found = [values[slot] if slot >= 0 else const for slot, const in self.terms]
        for i, term in self.odd:
            try:
                found[i] = value_of(term, self.shape.named(values))
            except NoValue:
                return None
        return tuple(found)

    def bind(self, row: Row, values: Values) -> Values | None:
        """The values with what a row adds to them; None where they do not go together. A row may leave things open."""
        found = values[:]
        for (slot, const), value in zip(self.terms, row):
            if value is ANY:
                continue
            if slot < 0:
                if const is not ANY and const != value:
                    return None
            elif found[slot] is ANY:
                found[slot] = value
            elif found[slot] != value:
                return None
        for i, term in self.odd:
            try:
                known = value_of(term, self.shape.named(found))
            except NoValue:
                return None
            if known is not ANY and row[i] is not ANY and known != row[i]:
                return None
        return found


Step = Lit | Comparison


class Shape:
    """One rule, or what stands within one of its counts and conditions (which shares its variables)."""

    def __init__(self, what: Rule | Scope, outer: Shape | None = None):
        self.numbers: dict[str, int] = outer.numbers if outer is not None else {}
        self.rule = what if isinstance(what, Rule) else None
        self.heads = [Lit(h, self) for h in what.heads] if isinstance(what, Rule) else []
        self.positive = [Lit(p, self) for p in what.positive]
        self.after = [Lit(p, self) for p in (what.negative if isinstance(what, Rule) else what.rest)]
        self.comparisons = what.comparisons
        for comparison in self.comparisons:
            for name in sorted(variables(comparison)):
                self.number(name)
        self.scopes = [Shape(s, self) for s in what.scopes] if isinstance(what, Rule) else []
        self.looks_on = bool(self.after or self.scopes)  # something is asked for when the body is gone through
        self._orders: dict[tuple[bool, ...], list[Step]] = {}

    def number(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))

    def named(self, values: Values) -> dict[str, Any]:
        return {name: values[i] for name, i in self.numbers.items() if values[i] is not ANY}

    def fresh(self) -> Values:
        return [ANY] * len(self.numbers)

    def order(self, values: Values, size: Size) -> list[Step]:
        """Comparisons as soon as they can be made, then whatever leaves the fewest ways."""
        key = tuple([v is not ANY for v in values])
        found = self._orders.get(key)
        if found is None:
            found = self._orders[key] = self._order({i for i, known in enumerate(key) if known}, size)
        return found

    def _order(self, known: set[int], size: Size) -> list[Step]:
        left: list[Step] = [*self.positive, *self.comparisons]
        found: list[Step] = []
        while left:
            best, fewest = 0, float("inf")
            for i, step in enumerate(left):
                if isinstance(step, Comparison):
                    rows = 0.0 if self._can_settle(step, known) else 1e15
                else:
                    bound = [c for c, (slot, const) in enumerate(step.terms) if slot in known or const is not ANY]
                    rows = 1 + size(step.sig, bound)
                if rows < fewest:
                    best, fewest = i, rows
            step = left.pop(best)
            found.append(step)
            if isinstance(step, Lit):
                known = known | {slot for slot, _ in step.terms if slot >= 0}
            else:
                known = known | {self.numbers[n] for n in variables(step)}
        return found

    def _can_settle(self, part: Comparison, known: set[int]) -> bool:
        open_sides = [
            side
            for side in (part.left, part.right)
            if isinstance(side, Odd) or any(self.numbers[n] not in known for n in variables(side))
        ]
        return not open_sides or (part.op == "==" and len(open_sides) == 1 and isinstance(open_sides[0], Var))

    def settle(self, part: Comparison, values: Values) -> Values | None:
        """What an equation adds; None where a comparison fails for sure. What only the solver can tell, it tells."""
        named = self.named(values)
        try:
            left, right = value_of(part.left, named), value_of(part.right, named)
        except NoValue:
            return None
        if part.op == "==" and (left is ANY) is not (right is ANY):
            free, value = (part.left, right) if left is ANY else (part.right, left)
            if isinstance(free, Var):
                values = values[:]
                values[self.numbers[free.name]] = value
            return values
        if left is ANY or right is ANY:
            return values
        if part.op in ("==", "!=") or (isinstance(left, int) and isinstance(right, int)):
            return values if compare(part.op, left, right) else None
        return values
