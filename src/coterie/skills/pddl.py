"""Reading skills as PDDL text, for planners.

A fluent with values becomes a predicate whose last argument is the value (`where(x) = p` is `(where ?x ?p)`); "no
value" becomes the constant `none`. Geometry cannot be said in PDDL: a world gives `readings` for its computed fluents,
a PDDL condition each, or None for what a plan may take for granted and execution will judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import All, Compare, Expr, Fluent, Not, Some
from coterie.core.skill import Rule, Skill

Readings = Mapping[str, "str | None"]


def _name(term: Any) -> str:
    if term is None:
        return "none"
    return str(term).replace("_", "-") if not str(term).startswith("?") else str(term).replace("_", "-")


def _atom(f: Fluent, value: Any = None, with_value: bool = False) -> str:
    parts = [f.pred.replace("_", "-"), *(_name(a) for a in f.args)]
    if with_value:
        parts.append(_name(value))
    return "(" + " ".join(parts) + ")"


def condition(expr: Expr, readings: Readings) -> str | None:
    """PDDL text of a condition; None where a plan takes it for granted."""
    if isinstance(expr, Fluent):
        if expr.pred in readings:
            reading = readings[expr.pred]
            if reading is None:
                return None
            for i, arg in enumerate(expr.args):
                reading = reading.replace(f"%{i}", _name(arg))
            return reading
        return _atom(expr)
    if isinstance(expr, Compare):
        if not isinstance(expr.left, Fluent) or expr.op not in ("==", "!="):
            return None
        if expr.left.pred in readings:
            return None
        if isinstance(expr.right, bool):
            atom = _atom(expr.left)
            return atom if (expr.op == "==") == expr.right else f"(not {atom})"
        atom = _atom(expr.left, expr.right, with_value=True)
        return atom if expr.op == "==" else f"(not {atom})"
    if isinstance(expr, Not):
        inner = condition(expr.expr, readings)
        return None if inner is None else f"(not {inner})"
    parts = [p for p in (condition(e, readings) for e in expr.exprs) if p is not None]
    if isinstance(expr, Some):
        return f"(or {' '.join(parts)})" if len(parts) == len(expr.exprs) else None
    assert isinstance(expr, All)
    return f"(and {' '.join(parts)})" if parts else None


def action(skill: Skill, readings: Readings, kinds: Mapping[str, str], rules: Iterable[Rule] = ()) -> str:
    """One `(:action ...)`. `kinds` gives the PDDL type of every fluent's value, for clearing the old one."""
    params = ["?robot - robot", *(f"?{p.name.replace('_', '-')} - {p.kind}" for p in skill.params)]
    pre = [f"(can-{skill.name} ?robot)"]
    for clause in [*skill.when, *(r.clause for r in rules if r.skill == skill.name)]:
        text = condition(clause.expr, readings)
        if text is not None and text not in pre:
            pre.append(text)
    effects: list[str] = []
    for effect in skill.then:
        f, value = effect.fluent, effect.value
        if f.pred in readings or isinstance(value, Fluent):
            continue
        if isinstance(value, bool):
            effects.append(_atom(f) if value else f"(not {_atom(f)})")
            continue
        if f.pred not in kinds:
            raise CoterieError(f"Skill {skill.name}: give the PDDL type of the values of {f.pred}.")
        old = _atom(f, "?old", with_value=True)
        new = _atom(f, value, with_value=True)
        effects.append(f"(forall (?old - {kinds[f.pred]}) (when (not (= ?old {_name(value)})) (not {old})))")
        effects.append(new)
    return (
        f"(:action {skill.name}\n  :parameters ({' '.join(params)})\n"
        f"  :precondition (and {' '.join(pre)})\n  :effect (and {' '.join(effects)}))"
    )
