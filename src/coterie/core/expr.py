"""Conditions as data: small trees over fluents, read by every interpreter of skills and rules.

`fl("holding", "?robot")` is the value of a fluent; names that start with `?` are parameters bound when a skill is
used. Conditions compare fluents (`== != <= >= in`) or use a true-or-false fluent directly, and combine with
`all_of`, `any_of` and `no`. Evaluation is three-valued: `UNKNOWN` comes out where it matters, never where it does not
(`False and UNKNOWN` is False).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from coterie.core.facts import UNKNOWN

Lookup = Callable[..., object]  # lookup(pred, *args) -> value, or UNKNOWN
Bindings = Mapping[str, Any]
Compiled = Callable[[Lookup, Bindings], Any]


@dataclass(frozen=True)
class Fluent:
    pred: str
    args: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.pred}({', '.join(str(a).lstrip('?') for a in self.args)})"


@dataclass(frozen=True)
class Compare:
    op: str  # one of OPS
    left: Any
    right: Any

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


@dataclass(frozen=True)
class Not:
    expr: Expr

    def __str__(self) -> str:
        return f"not {self.expr}"


@dataclass(frozen=True)
class All:
    exprs: tuple[Expr, ...]

    def __str__(self) -> str:
        return " and ".join(f"({e})" for e in self.exprs)


@dataclass(frozen=True)
class Some:
    exprs: tuple[Expr, ...]

    def __str__(self) -> str:
        return " or ".join(f"({e})" for e in self.exprs)


Expr = Fluent | Compare | Not | All | Some

OPS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "in": lambda a, b: a in b,
}


def fl(pred: str, *args: Any) -> Fluent:
    return Fluent(pred, args)


def eq(left: Any, right: Any) -> Compare:
    return Compare("==", left, right)


def ne(left: Any, right: Any) -> Compare:
    return Compare("!=", left, right)


def le(left: Any, right: Any) -> Compare:
    return Compare("<=", left, right)


def no(expr: Expr) -> Not:
    return Not(expr)


def all_of(*exprs: Expr) -> All:
    return All(exprs)


def any_of(*exprs: Expr) -> Some:
    return Some(exprs)


def _term(term: Any) -> Compiled:
    """A term is a parameter (`?name`), a fluent, or a constant."""
    if isinstance(term, Fluent):
        return _fluent(term)
    if isinstance(term, str) and term.startswith("?"):
        name = term[1:]
        return lambda look, b: b[name]
    return lambda look, b: term


def _fluent(f: Fluent) -> Compiled:
    pred = f.pred
    if all(isinstance(a, str) and a.startswith("?") for a in f.args):
        names = tuple(a[1:] for a in f.args)
        if len(names) == 1:
            (one,) = names
            return lambda look, b: look(pred, b[one])
        if len(names) == 2:
            first, second = names
            return lambda look, b: look(pred, b[first], b[second])
        return lambda look, b: look(pred, *[b[n] for n in names])
    parts = tuple(_term(a) for a in f.args)

    def general(look: Lookup, b: Bindings) -> object:
        values = [p(look, b) for p in parts]
        return UNKNOWN if any(v is UNKNOWN for v in values) else look(pred, *values)

    return general


def compile_expr(expr: Expr) -> Compiled:
    """Turn a condition into a function `(lookup, bindings) -> True | False | UNKNOWN`."""
    if isinstance(expr, Fluent):
        return _fluent(expr)
    if isinstance(expr, Compare):
        left, right, op = _term(expr.left), _term(expr.right), OPS[expr.op]

        def compare(look: Lookup, b: Bindings) -> object:
            lv = left(look, b)
            if lv is UNKNOWN:
                return UNKNOWN
            rv = right(look, b)
            return UNKNOWN if rv is UNKNOWN else op(lv, rv)

        return compare
    if isinstance(expr, Not):
        inner = compile_expr(expr.expr)

        def negate(look: Lookup, b: Bindings) -> object:
            v = inner(look, b)
            return UNKNOWN if v is UNKNOWN else not v

        return negate
    parts = [compile_expr(e) for e in expr.exprs]
    decisive = isinstance(expr, Some)  # one True decides an "or", one False an "and"

    def combine(look: Lookup, b: Bindings) -> object:
        result: object = not decisive
        for part in parts:
            v = part(look, b)
            if v is UNKNOWN:
                result = UNKNOWN
            elif bool(v) is decisive:
                return decisive
        return result

    return combine


def turns_on(expr: Expr) -> Fluent | None:
    """The fluent whose value decides a simple condition; None for one that weighs several."""
    if isinstance(expr, Not):
        return turns_on(expr.expr)
    if isinstance(expr, Compare):
        return next((side for side in (expr.left, expr.right) if isinstance(side, Fluent)), None)
    return expr if isinstance(expr, Fluent) else None


def bound_args(fluent: Fluent, look: Lookup, bound: Bindings) -> tuple[Any, ...]:
    """The arguments of a fluent with parameters and inner fluents replaced by their values."""
    return tuple(_term(a)(look, bound) for a in fluent.args)


def fluents(expr: Expr) -> list[Fluent]:
    """Every fluent in a condition, left to right."""
    if isinstance(expr, Fluent):
        return [expr, *(f for a in expr.args if isinstance(a, Fluent) for f in fluents(a))]
    if isinstance(expr, Compare):
        return [f for side in (expr.left, expr.right) if isinstance(side, Fluent) for f in fluents(side)]
    if isinstance(expr, Not):
        return fluents(expr.expr)
    return [f for e in expr.exprs for f in fluents(e)]
