"""What questions and rules are made of: variables, literals and comparisons.

What is not known is not so (`Negated`); what is known not to be so is a relation of its own, whose name begins with
"-".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coterie.core.expr import OPS, ORDER
from coterie.mission.knowledge.atoms import plain


@dataclass(frozen=True)
class Var:
    name: str


@dataclass(frozen=True)
class Arith:
    op: str  # + - *
    left: Term
    right: Term


@dataclass(frozen=True)
class Odd:
    """A term that only the solver of rules understands: it may be anything."""

    names: tuple[str, ...] = ()  # of the variables in it


Term = Any  # Var, Arith, Odd, or a value


@dataclass(frozen=True)
class Literal:
    name: str
    args: tuple[Term, ...]


@dataclass(frozen=True)
class Comparison:
    op: str  # one of core.expr.OPS but "in"
    left: Term
    right: Term


@dataclass(frozen=True)
class Negated:
    """There is no way to make the body true; variables that stand nowhere else may be anything."""

    body: Body


@dataclass(frozen=True)
class Either:
    bodies: tuple[Body, ...]


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


def value_of(term: Term, binding: Mapping[str, Any]) -> Any:
    """The value of a term; None for a sum of what are no numbers."""
    if isinstance(term, Var):
        return binding[term.name]
    if isinstance(term, Arith):
        left, right = value_of(term.left, binding), value_of(term.right, binding)
        if not (_is_number(left) and _is_number(right)):
            return None
        return plain(left + right if term.op == "+" else left - right if term.op == "-" else left * right)
    return term


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def compare(op: str, left: Any, right: Any) -> bool:
    """Only numbers are more or less than numbers, and texts than texts."""
    numbers = _is_number(left) and _is_number(right)
    if op in ORDER and not numbers and not (isinstance(left, str) and isinstance(right, str)):
        return False
    return OPS[op](left, right)
