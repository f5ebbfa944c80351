"""Rules over facts, asked: what follows for certain, what is possible, and what contradicts what.

A question becomes a rule of its own. clingo gets it with the rules that it needs (`program`), and the facts of the
relations that these rest on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import ORDER
from coterie.mission.knowledge.atoms import ANY, Atom, Atoms, Row
from coterie.mission.knowledge.program import Program
from coterie.mission.knowledge.solver import Contradiction, run, solver_name, symbol
from coterie.mission.knowledge.syntax import Rule, Signature, read_body, read_rules, signature
from coterie.mission.knowledge.terms import (
    Arith,
    Body,
    Comparison,
    Either,
    Literal,
    Negated,
    Odd,
    Term,
    Var,
    compare,
    value_of,
    variables,
)

ANSWER = "_answer"
__all__ = ["Contradiction", "Rules"]


class Rules:
    """Rules in the language of clingo. Facts may be about what rules define as well."""

    def __init__(self, text: str = ""):
        self.text = text
        self.program = Program(read_rules(text) if text.strip() else ())

    def defines(self, name: str, width: int) -> bool:
        return (name, width) in self.program.by_head

    def body(self, text: str, bound: Mapping[str, Any]) -> Body:
        return read_body(text, bound)

    def answers(self, body: Body, names: Sequence[str], atoms: Atoms, sure: str = "certain") -> list[Row]:
        """The values of the named variables for which the body holds, sorted."""
        after = [p for p in body if isinstance(p, Comparison) and p.op in ORDER]  # numbers of any kind
        shown = [*names, *sorted({v for c in after for v in variables(c)} - set(names))]
        asking = _Asking(tuple(p for p in body if p not in after), shown)
        rows = self._run(asking.rules, (ANSWER, len(shown)), atoms, sure)
        good = [row for row in rows if all(_holds(c, dict(zip(shown, row))) for c in after)]
        return list(dict.fromkeys(row[: len(names)] for row in good))

    def contradictions(self, atoms: Atoms) -> list[tuple[str, dict[str, Any]]]:
        """Constraints that the facts break, each with the values for which it is broken."""
        found = []
        for check in self.program.checks:
            names = sorted({v for lit in check.positive for v in variables(lit) if not v.startswith("_")})
            head = Literal(ANSWER, tuple(Var(n) for n in names))
            rule = replace(check, kind="normal", heads=(head,), head_text=_call(ANSWER, names))
            rows = self._run([rule], (ANSWER, len(names)), atoms, "certain")
            words = check.text.strip().replace("_no_", "-")  # as they are written
            found += [(words, dict(zip(names, row))) for row in rows]
        return found

    def _run(self, asking: Sequence[Rule], goal: Signature, atoms: Atoms, sure: str) -> list[Row]:
        module = self.program.module(n for r in asking for n, _ in r.needs)
        rules = (*module.rules, *module.constraints, *asking)
        needs = {n for r in rules for n, _ in r.needs} | {signature(h) for r in module.rules for h in r.heads}
        facts = [(name, row) for name, width in sorted(needs) for row in atoms.match(name, (ANY,) * width)]
        self._check_numbers(facts, rules)
        return run([r.text for r in rules], facts, goal, sure if module.is_open else "")

    @staticmethod
    def _check_numbers(facts: Iterable[Atom], rules: Iterable[Rule]) -> None:
        """The solver has whole numbers only. What it would compare wrongly is refused."""
        odd = [(name, row, i) for name, row in facts for i, v in enumerate(row) if isinstance(v, float)]
        counted = Program(rules).counted if odd else ()
        for name, row, i in odd:
            if ((name, len(row)), i) in counted:
                raise CoterieError(
                    f"Rules count and compare whole numbers, and {name}({', '.join(map(str, row))}) holds {row[i]}. "
                    f"Keep it as a whole number of something smaller: percent, millimetres, seconds."
                )


def _call(name: str, args: Sequence[str]) -> str:
    return f"{name}({','.join(args)})" if args else name


def _holds(part: Comparison, binding: Mapping[str, Any]) -> bool:
    left, right = value_of(part.left, binding), value_of(part.right, binding)
    return compare(part.op, left, right)


class _Asking:
    """A question as rules: one for itself, and one for every part that the language of rules has no word for."""

    def __init__(self, body: Body, shown: Sequence[str]):
        self.rules: list[Rule] = []
        self.numbers = itertools.count()
        self.add(ANSWER, shown, body)

    def add(self, name: str, names: Sequence[str], body: Body) -> None:
        positive: list[Literal] = []
        negative: list[Literal] = []
        comparisons: list[Comparison] = []
        for i, part in enumerate(body):
            if isinstance(part, Literal):
                positive.append(part)
            elif isinstance(part, Comparison):
                comparisons.append(part)
            else:
                elsewhere = variables(tuple(p for j, p in enumerate(body) if j != i)) | set(names)
                own = variables(part)
                shared = sorted(own & elsewhere)
                only = part.body[0] if isinstance(part, Negated) and len(part.body) == 1 else None
                if isinstance(only, Literal) and own <= elsewhere:
                    negative.append(only)
                    continue
                call = Literal(f"_part_{next(self.numbers)}", tuple(Var(n) for n in shared))
                for inner in part.bodies if isinstance(part, Either) else (part.body,):
                    self.add(call.name, shared, inner)
                (positive if isinstance(part, Either) else negative).append(call)
        head = Literal(name, tuple(Var(n) for n in names))
        texts = [_text(p) for p in positive] + [f"not {_text(p)}" for p in negative]
        texts += [f"{_term(c.left)} {'=' if c.op == '==' else c.op} {_term(c.right)}" for c in comparisons]
        counted = frozenset(v for c in comparisons if c.op in ORDER or _computes(c) for v in variables(c))
        parts = (tuple(positive), tuple(negative), tuple(comparisons))
        self.rules.append(Rule("normal", (head,), *parts, (), counted, _text(head), "; ".join(texts)))


def _computes(part: Comparison) -> bool:
    return isinstance(part.left, (Arith, Odd)) or isinstance(part.right, (Arith, Odd))


def _text(literal: Literal) -> str:
    return _call(solver_name(literal.name), [_term(a) for a in literal.args])


def _term(term: Term) -> str:
    if isinstance(term, Var):
        return f"V_{term.name}"
    if isinstance(term, Arith):
        return f"({_term(term.left)}{term.op}{_term(term.right)})"
    return str(symbol(term))
