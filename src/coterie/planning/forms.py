"""Conditions in one form for every reader: "not" only in front of true-or-false fluents, comparisons with their kind.

What a plan counts on has to be known. A condition on a fluent whose value is unknown does not hold, and neither does
its opposite; two fluents without a value are not "the same"; a fluent about the value of another one, as in
`room(at(robot))`, holds only where that one has a value. So "none" and "not known" are never used as places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import All, Compare, Expr, Fluent, Not, Some, Sum, fluents
from coterie.core.fluents import BOOL, NUMBER, Declared

FLIPPED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def normal(expr: Expr, declared: Mapping[str, Declared], positive: bool = True) -> Expr:
    """The condition (or its opposite) with `Not` only directly on true-or-false fluents."""
    if isinstance(expr, Not):
        return normal(expr.expr, declared, not positive)
    if isinstance(expr, (All, Some)):
        parts = tuple(normal(e, declared, positive) for e in expr.exprs)
        return All(parts) if isinstance(expr, All) == positive else Some(parts)
    if isinstance(expr, Fluent):
        return expr if positive else Not(expr)
    compare = expr if positive else Compare(FLIPPED[expr.op], expr.left, expr.right)
    kind = kind_of(compare, declared)
    return _truth(compare) if kind == BOOL else compare


def kind_of(compare: Compare, declared: Mapping[str, Declared]) -> str:
    """The kind of value that is compared: BOOL, NUMBER, or the name of a kind; of two kinds the left one's."""
    for side in (compare.left, compare.right):
        if isinstance(side, Fluent):
            return declared[side.pred].value
        if isinstance(side, Sum) or (isinstance(side, (int, float)) and not isinstance(side, bool)):
            return NUMBER
    return ""


def _truth(compare: Compare) -> Expr:
    """A comparison of true-or-false values as a condition on the fluents themselves."""
    same, left, right = compare.op == "==", compare.left, compare.right
    if compare.op not in ("==", "!="):
        raise CoterieError(f"'{compare}' asks for more or less of what is true or false; write == or !=.")
    if not isinstance(left, Fluent):
        left, right = right, left
    if not isinstance(left, Fluent):
        return All(()) if (left == right) == same else Some(())
    if not isinstance(right, Fluent):
        return left if bool(right) == same else Not(left)
    both, neither = All((left, right)), All((Not(left), Not(right)))
    return Some((both, neither)) if same else Some((All((left, Not(right))), All((Not(left), right))))


def inner(term: Any) -> list[Fluent]:
    """The fluents within the arguments of fluents, innermost first, each once."""
    found: dict[Fluent, None] = {}
    for outer in fluents(term):
        for arg in outer.args:
            if isinstance(arg, Fluent):
                found.update(dict.fromkeys([*inner(arg), arg]))
    return list(found)


def parts(expr: Expr) -> list[Expr]:
    """The conditions of a conjunction, however deep it is nested."""
    return [p for e in expr.exprs for p in parts(e)] if isinstance(expr, All) else [expr]


def walk(term: Any) -> Iterator[Any]:
    """A condition or term and everything within it, from the outside inwards."""
    yield term
    within: Iterable[Any] = ()
    if isinstance(term, Fluent):
        within = term.args
    elif isinstance(term, (Compare, Sum)):
        within = (term.left, term.right)
    elif isinstance(term, Not):
        within = (term.expr,)
    elif isinstance(term, (All, Some)):
        within = term.exprs
    for part in within:
        yield from walk(part)


def params(term: Any) -> frozenset[str]:
    """The parameters that a condition or term names, without their question marks."""
    return frozenset(t[1:] for t in walk(term) if isinstance(t, str) and t.startswith("?"))


def mapped(term: Any, change: Callable[[Any], Any]) -> Any:
    """A condition or term in which every part for which `change` returns something is replaced by that."""
    found = change(term)
    if found is not None:
        return found
    if isinstance(term, Fluent):
        return Fluent(term.pred, tuple(mapped(a, change) for a in term.args))
    if isinstance(term, (Compare, Sum)):
        return type(term)(term.op, mapped(term.left, change), mapped(term.right, change))
    if isinstance(term, Not):
        return Not(mapped(term.expr, change))
    if isinstance(term, (All, Some)):
        return type(term)(tuple(mapped(e, change) for e in term.exprs))
    return term


def with_names(term: Any, names: Mapping[str, Any]) -> Any:
    """A condition or term with names in the places of its parameters."""
    return mapped(term, lambda t: names[t[1:]] if isinstance(t, str) and t.startswith("?") else None)
