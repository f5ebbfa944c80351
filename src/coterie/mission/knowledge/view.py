"""Something to ask: facts with the rules over them. What is, what a person knows, or what would be."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from itertools import count
from typing import Any
from typing import Literal as Choice

from coterie.core.errors import CoterieError
from coterie.core.expr import All, Compare, Expr, Fluent, Not, Some, Sum
from coterie.core.facts import UNKNOWN
from coterie.mission.knowledge.rules import Atoms, Rules
from coterie.mission.knowledge.syntax import read_body
from coterie.mission.knowledge.terms import Arith, Body, Comparison, Either, Literal, Negated, Part, Term, Var, plain

HIDDEN = "_"  # variables whose names begin so are not answered


def body_of(expr: Expr, bound: Mapping[str, Any] | None = None) -> Body:
    """A condition as a body; names in `bound` are values already."""
    return tuple(_Reader(bound or {}).parts(expr))


def asked(body: Body) -> list[str]:
    """The variables that answers are about, by name: not those that stand under `not` alone."""
    found: dict[str, None] = {}

    def look(parts: Body) -> None:
        for part in parts:
            if isinstance(part, Literal):
                terms: tuple[Any, ...] = part.args
            elif isinstance(part, Comparison):
                terms = (part.left, part.right)
            else:
                for inner in part.bodies if isinstance(part, Either) else ():
                    look(inner)
                continue
            for term in terms:
                for name in _names(term):
                    if not name.startswith(HIDDEN):
                        found[name] = None

    look(body)
    return list(found)


def _names(term: Term) -> list[str]:
    if isinstance(term, Var):
        return [term.name]
    return [*_names(term.left), *_names(term.right)] if isinstance(term, Arith) else []


class _Reader:
    def __init__(self, bound: Mapping[str, Any]):
        self.bound, self.numbers = bound, count()

    def parts(self, expr: Expr) -> list[Part]:
        if isinstance(expr, All):
            return [p for e in expr.exprs for p in self.parts(e)]
        if isinstance(expr, Some):
            return [Either(tuple(tuple(self.parts(e)) for e in expr.exprs))]
        if isinstance(expr, Not):
            return [Negated(tuple(self.parts(expr.expr)))]
        before: list[Part] = []
        if isinstance(expr, Fluent):
            found = Literal(expr.pred, self.terms(expr.args, before))
            return [*before, found]
        if isinstance(expr, Compare):
            return self.comparison(expr, before)
        raise CoterieError(f"{expr!r} is no question; use the conditions of coterie.core.expr.")

    def comparison(self, expr: Compare, before: list[Part]) -> list[Part]:
        left, right, op = expr.left, expr.right, expr.op
        if op == "in":
            if not isinstance(right, Fluent):
                raise CoterieError(f"'{expr}': 'in' asks for what is listed by a fluent.")
            member = self.term(left, before)
            found = Literal(right.pred, (*self.terms(right.args, before), member))
            return [*before, found]
        if not isinstance(left, Fluent) and isinstance(right, Fluent) and op == "==":
            left, right = right, left
        if isinstance(left, Fluent) and op == "==" and not isinstance(right, (Fluent, Sum)):
            if isinstance(right, bool):
                found = Literal(left.pred if right else f"-{left.pred}", self.terms(left.args, before))
            else:
                args = self.terms(left.args, before)
                found = Literal(left.pred, (*args, self.term(right, before)))
            return [*before, found]
        if isinstance(left, Fluent) and op == "!=" and isinstance(right, bool):
            return self.comparison(Compare("==", left, not right), before)
        one, two = self.term(left, before), self.term(right, before)
        return [*before, Comparison(op, one, two)]

    def terms(self, args: tuple[Any, ...], before: list[Part]) -> tuple[Term, ...]:
        return tuple(self.term(a, before) for a in args)

    def term(self, term: Any, before: list[Part]) -> Term:
        """A term; the value of a fluent in it is a variable, and the fluent a part of its own."""
        if isinstance(term, str) and term.startswith("?"):
            name = term[1:]
            return plain(self.bound[name]) if name in self.bound else Var(name)
        if isinstance(term, Fluent):
            args = self.terms(term.args, before)
            value = Var(f"{HIDDEN}{next(self.numbers)}")
            before.append(Literal(term.pred, (*args, value)))
            return value
        if isinstance(term, Sum):
            return Arith(term.op, self.term(term.left, before), self.term(term.right, before))
        return plain(term)


Sure = Choice["certain", "possible"]
Answer = dict[str, Any]
Question = Expr | str | Body


class View:
    """Facts and rules to ask. Nothing can be changed here."""

    def __init__(self, atoms: Atoms, rules: Rules, mutex: threading.RLock | None = None):
        """`mutex` keeps others from changing what is asked in the meantime."""
        self.atoms, self._rules, self._mutex = atoms, rules, mutex or threading.RLock()

    @property
    def rules(self) -> Rules:
        return self._rules

    def ask(
        self,
        question: Question,
        bound: Mapping[str, Any] | None = None,
        sure: Sure = "certain",
        most: int | None = None,
    ) -> list[Answer]:
        """Every way to make the question true: values for its variables, sorted.

        A question is a condition of `core/expr` with free names such as `?box`, or a text in the language of rules:
        `"where(Box, table_e), not held(Box)"`. A question without variables has the answer `[{}]` or `[]`. `bound`
        gives values of some variables beforehand. Where rules leave several ways the world could be, `certain` answers
        hold in all of them and `possible` ones in some.
        """
        body = self.body(question, bound)
        names = asked(body)
        with self._mutex:
            rows = self.rules.answers(body, names, self.atoms, sure)
        return [dict(zip(names, row)) for row in rows[:most]]

    def holds(self, question: Question, bound: Mapping[str, Any] | None = None, sure: Sure = "certain") -> bool:
        return bool(self.ask(question, bound, sure, most=1))

    def body(self, question: Question, bound: Mapping[str, Any] | None = None) -> Body:
        if isinstance(question, str):
            return read_body(question, bound or {})
        return question if isinstance(question, tuple) else body_of(question, bound)

    def value(self, pred: str, *args: Any) -> object:
        """The value of a fluent, as conditions of skills look it up; UNKNOWN where nobody said.

        What rules define is true or false, or a value where the rule gives one column more than is asked for.
        """
        fact = self.atoms.fact((pred, *args))
        if fact is not None:
            return fact.value
        if self.rules.defines(pred, len(args)):
            return self.holds((Literal(pred, args),))
        if self.rules.defines(pred, len(args) + 1):
            found = self.ask((Literal(pred, (*args, Var("value"))),))
            return found[0]["value"] if len(found) == 1 else UNKNOWN
        return UNKNOWN
