"""Rules over facts, asked: what follows for certain, what is possible, and what contradicts what.

A question becomes a rule of its own. What it can touch is collected (`relevant`) and given to clingo with the rules it
needs (`program`), so that an answer takes as long as it is deep, not as there are facts.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import ORDER
from coterie.mission.knowledge.atoms import ANY, Atom, Atoms, Row
from coterie.mission.knowledge.program import Module, Program
from coterie.mission.knowledge.relevant import MOST_STEPS, Relevant, TooFar
from coterie.mission.knowledge.shapes import Shape
from coterie.mission.knowledge.solver import Contradiction, order, run
from coterie.mission.knowledge.standing import Standing
from coterie.mission.knowledge.symbols import solver_name, symbol
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
WORTH = 500  # steps from which on an answer is remembered
__all__ = ["Contradiction", "Rules"]


class Rules:
    """Rules in the language of clingo. Facts may be about what rules define as well."""

    def __init__(self, text: str = "", most_steps: int = MOST_STEPS):
        self.text, self.most_steps = text, most_steps
        self.steps = 0  # that following the last question took
        self.worth = WORTH
        self.program = Program(read_rules(text) if text.strip() else ())

    def defines(self, name: str, width: int) -> bool:
        return (name, width) in self.program.by_head

    def body(self, text: str, bound: Mapping[str, Any]) -> Body:
        return read_body(text, bound)

    def answers(
        self,
        body: Body,
        names: Sequence[str],
        atoms: Atoms,
        sure: str = "certain",
        standing: Standing | None = None,
        changes: Sequence[tuple[Atom, ...]] = (),
    ) -> list[Row]:
        """The values of the named variables for which the body holds, sorted.

        `standing` remembers answers; `changes` are then the rows that came or went with each change of the facts.
        """
        after = [p for p in body if isinstance(p, Comparison) and p.op in ORDER]  # numbers of any kind
        shown = [*names, *sorted({v for c in after for v in variables(c)} - set(names))]
        asking = _Asking(tuple(p for p in body if p not in after), shown)
        goal = (ANSWER, len(shown))

        def ask(patterns: list[Row] | None) -> list[Row]:
            return self._run(asking.rules, goal, atoms, sure, patterns)

        module = self.program.module(n for r in asking.rules for n, _ in r.needs)
        if standing is None or module.is_open:
            rows = ask(None)
        else:
            rules = (*module.rules, *asking.rules)
            rows = standing.rows((body, *names), rules, goal, atoms, changes, ask, lambda: self.steps > self.worth)
            rows = sorted(rows, key=order)
        good = [row for row in rows if all(_holds(c, dict(zip(shown, row))) for c in after)]
        return list(dict.fromkeys(row[: len(names)] for row in good))

    def contradictions(self, atoms: Atoms) -> list[tuple[str, dict[str, Any]]]:
        """Constraints that the facts break, each with the values for which it is broken."""
        found = []
        for check in self.program.checks:
            names = sorted({v for lit in check.positive for v in variables(lit) if not v.startswith("_")})
            head = Literal(ANSWER, tuple(Var(n) for n in names))
            text = _call(ANSWER, names)
            rule = replace(check, kind="normal", heads=(head,), head_text=text, head_args=tuple(names))
            rows = self._run([rule], (ANSWER, len(names)), atoms, "certain")
            words = check.text().strip().replace("_no_", "-")  # as they are written
            found += [(words, dict(zip(names, row))) for row in rows]
        return found

    def _run(
        self, asking: Iterable[Rule], goal: Signature, atoms: Atoms, sure: str, patterns: Iterable[Row] | None = None
    ) -> list[Row]:
        mine = list(asking)
        needs = {n for r in mine for n, _ in r.needs}
        module = self.program.module(needs)
        shapes = {id(r): Shape(r) for r in (*module.rules, *mine)}
        by_head: dict[Signature, list[Shape]] = {}
        for rule in (*module.rules, *mine):
            for sig in dict.fromkeys(signature(h) for h in rule.heads):
                by_head.setdefault(sig, []).append(shapes[id(rule)])
        relevant = Relevant(by_head, atoms, self.program.steady, self.most_steps)
        self.steps = self.most_steps
        try:
            for sig in sorted(module.whole):
                relevant.ask(sig)
            for constraint in module.constraints:
                relevant.ask_body(Shape(constraint))
            relevant.ask(goal, patterns)
            facts = list(relevant.facts())
            self.steps = relevant.steps
            texts, asked = _guarded(module, mine, relevant)
        except TooFar:
            facts, asked = list(_everything(module, mine, atoms)), []
            texts = [r.text() for r in (*module.rules, *module.constraints, *mine)]
        self._check_numbers(facts, (*module.rules, *module.constraints, *mine))
        return run(texts, [*facts, *asked], goal, sure if module.is_open else "")

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


def _everything(module: Module, mine: list[Rule], atoms: Atoms) -> Iterable[Atom]:
    needs = {s for r in (*module.rules, *module.constraints, *mine) for s, _ in r.needs}
    needs |= {signature(h) for r in module.rules for h in r.heads}
    for name, width in sorted(needs):
        for row in list(atoms.match(name, (ANY,) * width)):
            yield name, row


def _guarded(module: Module, mine: list[Rule], relevant: Relevant) -> tuple[list[str], list[Atom]]:
    """The rules that were asked for something, each for what it was asked for, and facts that say what that was."""
    asked: dict[Signature, dict[tuple[int, ...], dict[Row, None]]] = {}
    for sig, pattern, _ in relevant.tables:
        bound = tuple(i for i, v in enumerate(pattern) if v is not ANY)
        asked.setdefault(sig, {}).setdefault(bound, {})[tuple(pattern[i] for i in bound)] = None
    numbers = itertools.count()
    guards: dict[Signature, list[tuple[str, tuple[int, ...]]]] = {}
    facts: list[Atom] = []
    for sig, by_columns in asked.items():
        if () in by_columns:
            guards[sig] = [("", ())]
            continue
        for bound, rows in by_columns.items():
            name = f"_asked_{next(numbers)}"
            guards.setdefault(sig, []).append((name, bound))
            facts += [(name, row) for row in rows]
    texts = []
    for rule in (*module.rules, *mine):
        if rule.kind != "normal":
            texts.append(rule.text())
            continue
        for name, bound in guards.get(signature(rule.heads[0]), ()):
            texts.append(rule.text(_call(name, [rule.head_args[i] for i in bound]) if name else ""))
    return [*texts, *(c.text() for c in module.constraints)], facts


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
        head_args = tuple(_term(a) for a in head.args)
        self.rules.append(
            Rule(
                "normal",
                (head,),
                tuple(positive),
                tuple(negative),
                tuple(comparisons),
                (),
                counted,
                _call(name, head_args),
                head_args,
                "; ".join(texts),
            )
        )


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
