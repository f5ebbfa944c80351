"""Something to ask: facts with the rules over them. What is, what a person knows, or what would be."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Literal

from coterie.core.expr import Expr
from coterie.core.facts import UNKNOWN
from coterie.mission.knowledge.atoms import ANY, Atoms
from coterie.mission.knowledge.questions import asked, body_of
from coterie.mission.knowledge.rules import Rules
from coterie.mission.knowledge.terms import Body, Var, literals, solve
from coterie.mission.knowledge.terms import Literal as Lit

Sure = Literal["certain", "possible"]
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
        """Every way to make the question true: values for its variables, in an order that the facts fix.

        A question is a condition of `core/expr` with free names such as `?box`, or a text in the language of rules:
        `"where(Box, table_e), not held(Box)"`. A question without variables has the answer `[{}]` or `[]`. `bound`
        gives values of some variables beforehand. Where rules leave several ways the world could be, `certain` answers
        hold in all of them and `possible` ones in some.
        """
        body = self.body(question, bound)
        names = asked(body)
        with self._mutex:
            if not any(self.rules.defines(lit.name, len(lit.args)) for lit in literals(body)):
                rows = list(dict.fromkeys(tuple(b.get(n) for n in names) for b in solve(body, self.atoms)))
            else:
                rows = self.rules.answers(body, names, self.atoms, sure)
        return [dict(zip(names, row)) for row in rows[:most]]

    def holds(self, question: Question, bound: Mapping[str, Any] | None = None, sure: Sure = "certain") -> bool:
        return bool(self.ask(question, bound, sure, most=1))

    def body(self, question: Question, bound: Mapping[str, Any] | None = None) -> Body:
        if isinstance(question, str):
            return self.rules.body(question, bound or {})
        return question if isinstance(question, tuple) else body_of(question, bound)

    def value(self, pred: str, *args: Any) -> object:
        """The value of a fluent, as conditions of skills look it up; UNKNOWN where nobody said.

        What rules define is true or false, or a value where the rule gives one column more than is asked for.
        """
        fact = self.atoms.fact((pred, *args))
        if fact is not None:
            return fact.value
        if self.rules.defines(pred, len(args)):
            return self.holds((Lit(pred, args),))
        if self.rules.defines(pred, len(args) + 1):
            found = self.ask((Lit(pred, (*args, Var("value"))),))
            return found[0]["value"] if len(found) == 1 else UNKNOWN
        return UNKNOWN

    def names(self, kind: str) -> list[str]:
        """The entities of a type, those of its subtypes among them."""
        with self._mutex:
            return [row[0] for row in self.atoms.match("isa", (ANY, kind))]
