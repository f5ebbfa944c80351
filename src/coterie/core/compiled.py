"""Compile the conditions of a skill to one Python function, without a call for each part of each condition.

`expr.compile_expr` defines what a condition means; here the plain ones, which most are, are written out, and the
others are called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from coterie.core.expr import Bindings, Compare, Compiled, Expr, Fluent, Lookup, Not, Sum, compile_expr
from coterie.core.facts import UNKNOWN

ALL_HOLD, NOT_KNOWN = -1, -2
FirstFalse = Callable[[Lookup, Bindings], int]  # the number of the first that is false, or one of those above


def first_false(exprs: Sequence[Expr]) -> FirstFalse:
    """All of them in turn, until one is false."""
    names: dict[str, str] = {}  # of parameters, to the variables that hold their values
    known: dict[str, Any] = {"UNKNOWN": UNKNOWN}
    body: list[str] = []
    for i, expr in enumerate(exprs):
        body += _written(i, expr, names, known) or _called(i, compile_expr(expr), known)
    lines = ["def first(look, bound):", "    unknown = False"]
    lines += [f"    {variable} = bound[{name!r}]" for name, variable in names.items()]
    lines += [f"    {line}" for line in body]
    lines += [f"    return {NOT_KNOWN} if unknown else {ALL_HOLD}"]
    exec("\n".join(lines), known)  # made of the names of parameters and fluents, as literals
    made: FirstFalse = known["first"]
    return made


def effects(then: Sequence[tuple[Fluent, Any]]) -> Callable[[Lookup, Bindings], dict[tuple[Any, ...], Any]] | None:
    """Compile effects that set fluents to parameters, constants or other fluents of parameters; None where one is not
    as plain as that."""
    known: dict[str, Any] = {}
    rows = []
    for i, (fluent, value) in enumerate(then):
        key, made = _arguments(fluent), _value(i, value, known)
        if key is None or made is None:
            return None
        rows.append(f"    changed[{', '.join([repr(fluent.pred), *key])},] = {made}")
    exec("\n".join(["def after(look, bound):", "    changed = {}", *rows, "    return changed"]), known)
    made_of: Callable[[Lookup, Bindings], dict[tuple[Any, ...], Any]] = known["after"]
    return made_of


def _arguments(fluent: Fluent) -> list[str] | None:
    plain = all(isinstance(a, str) and a.startswith("?") for a in fluent.args)
    return [f"bound[{a[1:]!r}]" for a in fluent.args] if plain else None


def _value(i: int, value: Any, known: dict[str, Any]) -> str | None:
    if isinstance(value, Fluent):
        args = _arguments(value)
        return None if args is None else f"look({', '.join([repr(value.pred), *args])})"
    if isinstance(value, Sum):
        return None
    if isinstance(value, str) and value.startswith("?"):
        return f"bound[{value[1:]!r}]"
    known[f"value_{i}"] = value
    return f"value_{i}"


def _called(i: int, test: Compiled, known: dict[str, Any]) -> list[str]:
    known[f"test_{i}"] = test
    return _weighed(i, f"test_{i}(look, bound)", "not value")


def _written(i: int, expr: Expr, names: dict[str, str], known: dict[str, Any]) -> list[str]:
    """Nothing for one that is not plain: a fluent of parameters, its opposite, or what it is compared with."""
    fluent, false = expr, "not value"
    if isinstance(expr, Not):
        fluent, false = expr.expr, "value"
    elif isinstance(expr, Compare) and expr.op in ("==", "!="):
        plain = expr.right is None or isinstance(expr.right, (bool, int, float))
        if not plain and not (isinstance(expr.right, str) and not expr.right.startswith("?")):
            return []
        known[f"other_{i}"] = expr.right
        fluent, false = expr.left, f"not value {expr.op} other_{i}"
    if not isinstance(fluent, Fluent) or not all(isinstance(a, str) and a.startswith("?") for a in fluent.args):
        return []
    args = [names.setdefault(a[1:], f"arg_{len(names)}") for a in fluent.args]
    return _weighed(i, f"look({', '.join([repr(fluent.pred), *args])})", false)


def _weighed(i: int, value: str, false: str) -> list[str]:
    return [f"value = {value}", "if value is UNKNOWN:", "    unknown = True", f"elif {false}:", f"    return {i}"]
