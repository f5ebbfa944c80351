"""Reading skills as PDDL text, for planners.

A fluent with values becomes a predicate whose last argument is the value (`where(x) = p` is `(where ?x ?p)`); "no
value" is the constant `none`. Geometry cannot be said in PDDL: a world gives `readings` for such fluents, a condition
with `%0 %1 ...` for their arguments, or None for what a plan takes for granted and execution will judge.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import All, Compare, Expr, Fluent, Not, Some
from coterie.core.skill import Rule, Skill

Readings = Mapping[str, "str | None"]


def name(term: Any) -> str:
    """A PDDL name for a name of ours."""
    return "none" if term is None else str(term).replace("_", "-").replace("@", "-at-").lower()


def atom(pred: str, args: Iterable[Any]) -> str:
    return "(" + " ".join([name(pred), *(name(a) for a in args)]) + ")"


def _read(reading: str | None, args: tuple[Any, ...]) -> str | None:
    if reading is not None:
        for i, arg in enumerate(args):
            reading = reading.replace(f"%{i}", name(arg))
    return reading


def condition(expr: Expr, readings: Readings) -> str | None:
    """PDDL text of a condition; None where a plan takes it for granted."""
    if isinstance(expr, Fluent):
        return _read(readings[expr.pred], expr.args) if expr.pred in readings else atom(expr.pred, expr.args)
    if isinstance(expr, Compare):
        left = expr.left
        if not isinstance(left, Fluent):
            return None
        if left.pred in readings:
            right = expr.right.args if isinstance(expr.right, Fluent) else ()
            return _read(readings[left.pred], (*left.args, *right))
        if expr.op not in ("==", "!="):
            raise CoterieError(f"PDDL needs a reading for {left.pred}: '{expr}' compares numbers.")
        if isinstance(expr.right, bool):
            text, positive = atom(left.pred, left.args), (expr.op == "==") == expr.right
        else:
            text, positive = atom(left.pred, (*left.args, expr.right)), expr.op == "=="
        return text if positive else f"(not {text})"
    if isinstance(expr, Not):
        inner = condition(expr.expr, readings)
        return None if inner is None else f"(not {inner})"
    parts = [condition(e, readings) for e in expr.exprs]
    known = [p for p in parts if p is not None]
    if isinstance(expr, Some):  # one part taken for granted makes the whole so
        return f"(or {' '.join(known)})" if len(known) == len(parts) else None
    assert isinstance(expr, All)
    return f"(and {' '.join(known)})" if known else None


def action(
    skill: Skill,
    readings: Readings,
    kinds: Mapping[str, str],
    rules: Iterable[Rule] = (),
    drop: Collection[str] = (),
) -> str:
    """One `(:action ...)`. `kinds` gives the type of every fluent's values, `drop` leaves parameters out."""
    params = ["?robot - robot", *(f"?{name(p.name)} - {p.kind}" for p in skill.params if p.name not in drop)]
    pre = [atom(f"can-{skill.name}", ["?robot"])]
    for clause in [*skill.when, *(r.clause for r in rules if r.skill == skill.name)]:
        text = condition(clause.expr, readings)
        if text is not None and text not in pre:
            pre.append(text)
    effects: list[str] = []
    for fluent, value in skill.then:
        if fluent.pred in readings or isinstance(value, Fluent):
            continue
        if isinstance(value, bool):
            text = atom(fluent.pred, fluent.args)
            effects.append(text if value else f"(not {text})")
            continue
        if fluent.pred not in kinds:
            raise CoterieError(f"Skill {skill.name}: give the PDDL type of the values of {fluent.pred}.")
        old = atom(fluent.pred, (*fluent.args, "?old"))
        effects.append(f"(forall (?old - {kinds[fluent.pred]}) (when (not (= ?old {name(value)})) (not {old})))")
        effects.append(atom(fluent.pred, (*fluent.args, value)))
    return (
        f"(:action do-{skill.name}\n  :parameters ({' '.join(params)})\n"
        f"  :precondition (and {' '.join(pre)})\n  :effect (and {' '.join(effects)}))"
    )
