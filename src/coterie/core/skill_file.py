"""Skills and fluents from TOML files, as each world has one.

Conditions and effects are written as in Python: `at(robot) == pose and not jammed(door)`, `amount(caddy, item) -= 1`.
Names are parameters; a name that stands for itself is in quotes. They are parsed, never run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.expr import All, Compare, Expr, Fluent, Not, Some, Sum
from coterie.core.fluents import LISTING, Declared
from coterie.core.kinds import Kind
from coterie.core.reader import Reader, load_toml
from coterie.core.skill import Clause, Effect, How, Param, Skill
from coterie.core.skills import Skills

_OPS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in"}
_HOW: dict[str, How] = {" += ": "increase", " -= ": "decrease", " = ": "set"}


class Declarations(NamedTuple):
    """The content of a file: fluents by group, how a plan reads those that a world computes, and skills."""

    fluents: dict[str, tuple[Declared, ...]]
    readings: dict[str, Expr | None]
    skills: tuple[Skill, ...]

    @property
    def all_fluents(self) -> list[Declared]:
        return [f for group in self.fluents.values() for f in group]

    def of(self, world: str, kinds: Iterable[Kind], example: str = "") -> Skills:
        """The skills of a world that has these kinds of names."""
        made = Skills(world, kinds, self.all_fluents, self.readings, example)
        for skill in self.skills:
            made.put(skill.name, skill)
        return made


def read_skills(path: Path) -> Declarations:
    """Read a file with the tables `initial`, `fluents.GROUP`, `readings`, `judged`, `clauses` and `skills.NAME`."""
    r = Reader(load_toml(path, "skills"), str(path))
    initial = {k: () if k == LISTING else v for k, v in r.table("initial").data.items()}
    groups = r.table("fluents").data
    fluents = {g: tuple(_declared(text, rest, initial) for text, rest in rows.items()) for g, rows in groups.items()}
    readings: dict[str, Expr | None] = dict.fromkeys(r.texts("judged"))
    for text, meant in r.table("readings").data.items():
        name, args = _call(text)
        readings[name] = condition(meant, {a: f"?{k}" for k, a in enumerate(args)})
    shared = r.table("clauses").data
    return Declarations(fluents, readings, tuple(_skill(n, t, shared) for n, t in r.table("skills").data.items()))


def condition(text: str, names: Mapping[str, str]) -> Expr:
    """The condition that a text says; `names` are parameters, each with what stands for it in the condition."""
    return _expr(_parsed(text), names)


def effect(text: str, names: Mapping[str, str]) -> Effect:
    """The effect that a text says: `holding(robot) = thing`, `stock(thing, table) += 1`."""
    for sign, how in _HOW.items():
        left, found, right = text.partition(sign)
        fluent = _term(_parsed(left), names) if found else None
        if isinstance(fluent, Fluent):
            return Effect(fluent, _term(_parsed(right), names), how)
    raise CoterieError(f"'{text}' is no effect; write it like `holding(robot) = thing` or `water(robot) -= 1`.")


def _declared(text: str, rest: str, initial: Mapping[str, Any]) -> Declared:
    """A fluent: `"at(robot)" = "place"`; behind the kind of the value, `hoped`, `more` and `seen`."""
    (name, args), (value, *more) = _call(text), rest.split(", ")
    return Declared(name, args, value, initial.get(value), **dict.fromkeys(more, True))


def _call(text: str) -> tuple[str, tuple[str, ...]]:
    """The name of a fluent and those of its arguments."""
    name, _, args = text.rstrip(")").partition("(")
    return name, tuple(args.split(", ")) if args else ()


def _skill(name: str, table: Mapping[str, Any], shared: Mapping[str, Any]) -> Skill:
    rest = {k: v for k, v in table.items() if k not in ("params", "when", "then")}
    params = tuple(Param(**p) if isinstance(p, dict) else Param(*p.split(": ")) for p in table.get("params", ()))
    names = {n: f"?{n}" for n in ("robot", *(p.name for p in params))}
    try:
        when = tuple(Clause(condition(c[0], names), *c[1:]) for c in _clauses(table.get("when", ()), shared))
        return Skill(name, params, when, tuple(effect(t, names) for t in table.get("then", ())), **rest)
    except CoterieError as err:
        raise CoterieError(f"Skill '{name}': {err}") from None


def _clauses(rows: Iterable[Any], shared: Mapping[str, Any]) -> Iterator[list[str]]:
    """Conditions with their words; a text alone names one of the shared clauses, or several together."""
    for row in rows:
        if not isinstance(row, str):
            yield row
        elif row not in shared:
            raise unknown_name("clause", row, shared)
        elif isinstance(shared[row][0], str):
            yield shared[row]
        else:
            yield from shared[row]


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise CoterieError(f"'{text}' cannot be read; write it like `at(robot) == place and open(place)`.") from None


def _expr(node: ast.expr, names: Mapping[str, str]) -> Expr:
    match node:
        case ast.BoolOp(op=op, values=values):
            return (All if isinstance(op, ast.And) else Some)(tuple(_expr(v, names) for v in values))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return Not(_expr(inner, names))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPS:
            return Compare(_OPS[type(op)], _term(left, names), _term(right, names))
    found = _term(node, names)
    if not isinstance(found, Fluent):
        raise CoterieError(f"'{ast.unparse(node)}' is neither true nor false; compare it with something.")
    return found


def _term(node: ast.expr, names: Mapping[str, str]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Call(func=ast.Name(id=pred), args=args, keywords=[]):
            return Fluent(pred, tuple(_term(a, names) for a in args))
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            return Sum("+" if isinstance(op, ast.Add) else "-", _term(left, names), _term(right, names))
        case ast.Name(id=name) if name in names:
            return names[name]
    said = ast.unparse(node)
    raise CoterieError(f"'{said}' is no parameter ({', '.join(names)}); a name for itself is in quotes: \"{said}\".")
