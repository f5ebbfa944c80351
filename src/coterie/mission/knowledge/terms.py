"""What questions and rules are made of: variables, literals, comparisons, and what they mean over rows.

`solve` finds the bindings under which a body holds, the most telling part first: comparisons as soon as they can be
made, then the literal with the fewest rows. What is not known is not so (`Negated`); what is known not to be so is a
relation of its own, whose name begins with "-".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import OPS, ORDER
from coterie.mission.knowledge.atoms import ANY, Atoms, Row, plain


@dataclass(frozen=True)
class Var:
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Arith:
    op: str  # + - *
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"({self.left}{self.op}{self.right})"


@dataclass(frozen=True)
class Odd:
    """A term that only the solver of rules understands: it may be anything."""

    names: tuple[str, ...] = ()  # of the variables in it


Term = Any  # Var, Arith, Odd, or a value
Binding = dict[str, Any]


@dataclass(frozen=True)
class Literal:
    name: str
    args: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.args))})" if self.args else self.name


@dataclass(frozen=True)
class Comparison:
    op: str  # one of core.expr.OPS but "in"
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


@dataclass(frozen=True)
class Negated:
    """There is no way to make the body true; variables that stand nowhere else may be anything."""

    body: Body

    def __str__(self) -> str:
        return f"not ({', '.join(map(str, self.body))})"


@dataclass(frozen=True)
class Either:
    bodies: tuple[Body, ...]

    def __str__(self) -> str:
        return " or ".join(f"({', '.join(map(str, b))})" for b in self.bodies)


Part = Literal | Comparison | Negated | Either
Body = tuple[Part, ...]


def variables(what: Any) -> frozenset[str]:
    """The names of the variables in a term, a part or a body."""
    if isinstance(what, Var):
        return frozenset((what.name,))
    if isinstance(what, (Arith, Comparison)):
        return variables(what.left) | variables(what.right)
    if isinstance(what, Odd):
        return frozenset(what.names)
    if isinstance(what, Literal):
        return _union(what.args)
    if isinstance(what, Negated):
        return _union(what.body)
    if isinstance(what, Either):
        return _union([p for b in what.bodies for p in b])
    return _union(what) if isinstance(what, tuple) else frozenset()


def _union(parts: Sequence[Any]) -> frozenset[str]:
    return frozenset().union(*[variables(p) for p in parts]) if parts else frozenset()


def literals(body: Body) -> Iterator[Literal]:
    """Every literal, also those under `not` and in alternatives."""
    for part in body:
        if isinstance(part, Literal):
            yield part
        elif isinstance(part, Negated):
            yield from literals(part.body)
        elif isinstance(part, Either):
            for inner in part.bodies:
                yield from literals(inner)


class NoValue(Exception):
    """A term has no value: a name was added to a number."""


def value_of(term: Term, binding: Mapping[str, Any]) -> Any:
    """The value of a term, or ANY where it is not settled."""
    if isinstance(term, Var):
        return binding.get(term.name, ANY)
    if isinstance(term, Arith):
        left, right = value_of(term.left, binding), value_of(term.right, binding)
        if left is ANY or right is ANY:
            return ANY
        if not (_is_number(left) and _is_number(right)):
            raise NoValue
        return plain(left + right if term.op == "+" else left - right if term.op == "-" else left * right)
    return ANY if isinstance(term, Odd) else term


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def compare(op: str, left: Any, right: Any) -> bool:
    """Only numbers are more or less than numbers, and texts than texts."""
    numbers = _is_number(left) and _is_number(right)
    if op in ORDER and not numbers and not (isinstance(left, str) and isinstance(right, str)):
        return False
    return OPS[op](left, right)


def bind(args: tuple[Term, ...], row: Row, binding: Binding) -> Binding | None:
    """The binding under which a literal is this row; None where there is none."""
    found = binding
    for term, value in zip(args, row):
        if isinstance(term, Var):
            known = found.get(term.name, ANY)
            if known is ANY:
                if found is binding:
                    found = dict(binding)
                found[term.name] = value
            elif known != value:
                return None
        elif isinstance(term, Arith):
            try:
                known = value_of(term, found)
            except NoValue:
                return None
            if known is ANY:
                raise _unsettled(term)
            if known != value:
                return None
        elif not isinstance(term, Odd) and term != value:
            return None
    return found


def _unsettled(what: Any) -> CoterieError:
    names = ", ".join(sorted(variables(what)))
    return CoterieError(f"'{what}' cannot be settled: nothing says what {names} can be. Name a fact that has it.")


def solve(body: Body, atoms: Atoms, binding: Binding | None = None) -> Iterator[Binding]:
    """Every binding under which the body holds; the same one may come more than once."""
    yield from _solve(list(body), atoms, binding or {})


def _solve(body: list[Part], atoms: Atoms, binding: Binding) -> Iterator[Binding]:
    if not body:
        yield binding
        return
    at = _next(body, atoms, binding)
    part, rest = body[at], body[:at] + body[at + 1 :]
    if isinstance(part, Literal):
        pattern = _pattern(part, binding)
        if pattern is not None:
            for row in list(atoms.match(part.name, pattern)):
                more = bind(part.args, row, binding)
                if more is not None:
                    yield from _solve(rest, atoms, more)
    elif isinstance(part, Comparison):
        more = settle(part, binding)
        if more is not None:
            yield from _solve(rest, atoms, more)
    elif isinstance(part, Negated):
        if next(_solve(list(part.body), atoms, binding), None) is None:
            yield from _solve(rest, atoms, binding)
    else:
        for inner in part.bodies:
            yield from _solve([*inner, *rest], atoms, binding)


def _pattern(literal: Literal, binding: Mapping[str, Any]) -> Row | None:
    try:
        return tuple(value_of(a, binding) for a in literal.args)
    except NoValue:
        return None


def settle(part: Comparison, binding: Binding) -> Binding | None:
    """The binding with what an equation adds to it, or None where the comparison does not hold."""
    try:
        left, right = value_of(part.left, binding), value_of(part.right, binding)
    except NoValue:
        return None
    if part.op == "==" and (left is ANY) is not (right is ANY):
        free, value = (part.left, right) if left is ANY else (part.right, left)
        if isinstance(free, Var):
            return {**binding, free.name: value}
    if left is ANY or right is ANY:
        raise _unsettled(part)
    return binding if compare(part.op, left, right) else None


def _next(body: list[Part], atoms: Atoms, binding: Binding) -> int:
    """What is best looked at first: what can only say no, then what leaves the fewest ways."""
    best, fewest, later = -1, 0.0, -1
    for i, part in enumerate(body):
        if isinstance(part, Comparison):
            if _can_settle(part, binding):
                return i
            later = i if later < 0 else later
        elif isinstance(part, Negated):
            elsewhere = _union([p for j, p in enumerate(body) if j != i])
            if all(n in binding for n in variables(part) & elsewhere):
                return i
        elif isinstance(part, Literal):
            if any(isinstance(a, Arith) and value_of_is_open(a, binding) for a in part.args):
                later = i if later < 0 else later
                continue
            pattern = _pattern(part, binding)
            rows = 0 if pattern is None else atoms.count(part.name, pattern)
            if best < 0 or rows < fewest:
                best, fewest = i, rows
        elif best < 0:
            best, fewest = i, float("inf")
    return best if best >= 0 else max(later, 0)


def value_of_is_open(term: Term, binding: Mapping[str, Any]) -> bool:
    try:
        return value_of(term, binding) is ANY
    except NoValue:
        return False


def _can_settle(part: Comparison, binding: Binding) -> bool:
    left, right = value_of_is_open(part.left, binding), value_of_is_open(part.right, binding)
    if left and right:
        return False
    if part.op == "==":
        return not (left and not isinstance(part.left, Var)) and not (right and not isinstance(part.right, Var))
    return not left and not right
