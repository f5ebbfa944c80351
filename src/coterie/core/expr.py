"""Conditions as data: small trees over fluents, read by every interpreter of skills and rules.

`fl("holding", "?robot")` is the value of a fluent; names that start with `?` are parameters bound when a skill is
used. Conditions compare fluents (`== != < <= > >= in`) or use a true-or-false fluent directly, and combine with
`all_of`, `any_of` and `no`; numbers can be added up on either side (`plus`, `minus`). Evaluation is three-valued:
`UNKNOWN` comes out where it matters, never where it does not (`False and UNKNOWN` is False).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from coterie.core.facts import UNKNOWN
from coterie.core.frozen import frozen

Lookup = Callable[..., object]  # lookup(pred, *args) -> value, or UNKNOWN
Bindings = Mapping[str, Any]
Compiled = Callable[[Lookup, Bindings], Any]


@frozen
class Fluent:
    """`pred(args)`: what is looked up."""

    pred: str
    args: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.pred}({', '.join(str(a).lstrip('?') for a in self.args)})"


@frozen
class Sum:
    """Two numbers added up, or one taken from the other."""

    op: str  # "+" or "-"
    left: Any
    right: Any

    def __str__(self) -> str:
        return f"({self.left} {self.op} {self.right})"


@frozen
class Compare:
    """Two values, compared."""

    op: str  # one of OPS
    left: Any
    right: Any

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


@frozen
class Not:
    """The opposite of an expression."""

    expr: Expr

    def __str__(self) -> str:
        return f"not {self.expr}"


@frozen
class All:
    """Every one of some expressions."""

    exprs: tuple[Expr, ...]

    def __str__(self) -> str:
        return " and ".join(f"({e})" for e in self.exprs)


@frozen
class Some:
    """One of some expressions at least."""

    exprs: tuple[Expr, ...]

    def __str__(self) -> str:
        return " or ".join(f"({e})" for e in self.exprs)


Expr = Fluent | Compare | Not | All | Some

OPS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "in": lambda a, b: a in b,
}  # fmt: skip
ORDER = frozenset({"<", "<=", ">", ">="})


def fl(pred: str, *args: Any) -> Fluent:
    return Fluent(pred, args)


eq, ne, lt, le, gt, ge = (partial(Compare, op) for op in ("==", "!=", "<", "<=", ">", ">="))
plus, minus = partial(Sum, "+"), partial(Sum, "-")
no = Not


def all_of(*exprs: Expr) -> All:
    return All(exprs)


def any_of(*exprs: Expr) -> Some:
    return Some(exprs)


def _is_name(term: Any) -> bool:
    return isinstance(term, str) and term.startswith("?")


def compile_term(term: Any) -> Compiled:
    """Turn a term (a parameter `?name`, a fluent, a sum, or a constant) into a function `(lookup, bindings) -> value`,
    which may be UNKNOWN."""
    if isinstance(term, Fluent):
        return _fluent(term)
    if isinstance(term, Sum):
        return _sum(term)
    if _is_name(term):
        name = term[1:]
        return lambda look, b: b[name]
    return lambda look, b: term


def _fluent(f: Fluent) -> Compiled:
    pred = f.pred
    if all(_is_name(a) for a in f.args):
        names = tuple(a[1:] for a in f.args)
        if len(names) == 1:  # most have one or two, and are asked for more often than all else
            (one,) = names
            return lambda look, b: look(pred, b[one])
        if len(names) == 2:
            first, second = names
            return lambda look, b: look(pred, b[first], b[second])
        return lambda look, b: look(pred, *[b[n] for n in names])
    parts = tuple(compile_term(a) for a in f.args)

    def general(look: Lookup, b: Bindings) -> object:
        values = [p(look, b) for p in parts]
        return UNKNOWN if any(v is UNKNOWN for v in values) else look(pred, *values)

    return general


def _sum(s: Sum) -> Compiled:
    left, right, sign = compile_term(s.left), compile_term(s.right), 1 if s.op == "+" else -1

    def total(look: Lookup, b: Bindings) -> object:
        lv, rv = left(look, b), right(look, b)
        return UNKNOWN if lv is UNKNOWN or rv is UNKNOWN else (lv or 0) + sign * (rv or 0)

    return total


def compile_expr(expr: Expr) -> Compiled:
    """Turn a condition into a function `(lookup, bindings) -> True | False | UNKNOWN`."""
    if isinstance(expr, Fluent):
        return _fluent(expr)
    if isinstance(expr, Compare):
        left, right, op = compile_term(expr.left), compile_term(expr.right), OPS[expr.op]
        ordered = expr.op in ORDER

        def compare(look: Lookup, b: Bindings) -> object:
            lv = left(look, b)
            if lv is UNKNOWN:
                return UNKNOWN
            rv = right(look, b)
            if rv is UNKNOWN:
                return UNKNOWN
            if ordered and (lv is None or rv is None):  # what has no value is neither more nor less than anything
                return False
            return op(lv, rv)

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


def fluents(expr: Any) -> list[Fluent]:
    """Every fluent in a condition or a term, left to right."""
    if isinstance(expr, Fluent):
        return [expr, *(f for a in expr.args for f in fluents(a))]
    if isinstance(expr, (Compare, Sum)):
        return [*fluents(expr.left), *fluents(expr.right)]
    if isinstance(expr, Not):
        return fluents(expr.expr)
    if isinstance(expr, (All, Some)):
        return [f for e in expr.exprs for f in fluents(e)]
    return []
