"""Rules over facts, asked: what follows for certain, what is possible, and what contradicts what.

A question becomes a rule of its own, which clingo gets with all rules and the facts of the relations in them.
Constraints become rules about what is broken: what facts alone break gags nobody, and is told by `contradictions`; what
rests on choices decides between the ways the world could be.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from coterie.core.errors import CoterieError
from coterie.core.expr import ORDER
from coterie.core.facts import Fact
from coterie.mission.knowledge.solver import run, solver_name, symbol
from coterie.mission.knowledge.syntax import Rule, Signature, read_rules, signature
from coterie.mission.knowledge.terms import (
    Arith,
    Atom,
    Body,
    Comparison,
    Either,
    Key,
    Literal,
    Negated,
    Odd,
    Row,
    Term,
    Var,
    compare,
    rows_of,
    value_of,
    variables,
)

ANSWER = "_answer"


class Atoms(Protocol):
    """Facts that can be asked about: all of them, those of a person, or hypothetical ones."""

    def __iter__(self) -> Iterator[Fact]: ...
    def fact(self, key: Key) -> Fact | None: ...


class Rules:
    """Rules in the language of clingo. Facts may be about what rules define as well."""

    def __init__(self, text: str = ""):
        self.text = text
        every = read_rules(text) if text.strip() else []
        self.rules = [rule for rule in every if rule.heads]
        self.by_head: dict[Signature, list[Rule]] = {}
        for rule in self.rules:
            for head in dict.fromkeys(signature(h) for h in rule.heads):
                self.by_head.setdefault(head, []).append(rule)
        self.constraints = [rule for rule in every if not rule.heads] + self._opposites()

    def _opposites(self) -> list[Rule]:
        """Nothing is so and not so: a check for every relation that rules define one side of."""
        found: list[Rule] = []
        for name, width in sorted(self.by_head):
            if not name.startswith("-") or (name[1:], width) not in self.by_head:
                args, bare = tuple(Var(f"X{i}") for i in range(width)), name.lstrip("-")
                both = Literal(bare, args), Literal(f"-{bare}", args)
                inner = f"({','.join(a.name for a in args)})" if args else ""
                text = f"{bare}{inner}; {solver_name('-' + bare)}{inner}"
                found.append(Rule((), both, tuple(a.name for a in args), frozenset(), "", text))
        return found

    def defines(self, name: str, width: int) -> bool:
        return (name, width) in self.by_head

    def answers(self, body: Body, names: Sequence[str], atoms: Atoms, sure: str = "certain") -> list[Row]:
        """The values of the named variables for which the body holds, sorted."""
        after = [p for p in body if isinstance(p, Comparison) and p.op in ORDER]  # numbers of any kind
        unsettled = variables(tuple(after)) - variables(tuple(p for p in body if p not in after))
        if unsettled:
            named = ", ".join(sorted(unsettled))
            raise CoterieError(f"This cannot be asked: nothing says what {named} can be. Name a fact that has it.")
        shown = [*names, *sorted({v for c in after for v in variables(c)} - set(names))]
        asking = _Asking(tuple(p for p in body if p not in after), shown)
        rows, _ = self._run(asking.rules, (ANSWER, len(shown)), atoms, sure)
        good = [row for row in rows if all(_holds(c, dict(zip(shown, row))) for c in after)]
        return list(dict.fromkeys(row[: len(names)] for row in good))

    def contradictions(self, atoms: Atoms) -> list[tuple[str, dict[str, Any]]]:
        """Constraints that the facts break, each with the values for which it is broken."""
        _, broken = self._run(self.constraints, (ANSWER, 0), atoms, "") if self.constraints else ([], [])
        return [
            (self.constraints[number].text.strip().replace("_no_", "-"), dict(zip(self.constraints[number].bound, row)))
            for number, row in broken
        ]

    def _run(
        self, asking: Sequence[Rule], goal: Signature, atoms: Atoms, sure: str
    ) -> tuple[list[Row], list[tuple[int, Row]]]:
        rules = [*self.rules, *(rule for rule in asking if rule.heads)]
        every = [*rules, *self.constraints]
        needs = {signature(lit) for rule in every for lit in (*rule.heads, *rule.body)}
        rows = (atom for fact in atoms for atom in rows_of(fact))
        facts = [(name, row) for name, row in rows if (name, len(row)) in needs]
        self._check_numbers(facts, asking)
        checks = [(constraint.bound, constraint.body_text) for constraint in self.constraints]
        return run([rule.text for rule in rules], facts, goal, sure, checks)

    def _below(self, start: Iterable[Rule]) -> list[Rule]:
        """Rules that others rest on, themselves included."""
        found: dict[int, Rule] = {}
        ahead = list(start)
        while ahead:
            rule = ahead.pop()
            if id(rule) not in found:
                found[id(rule)] = rule
                ahead += [below for lit in rule.body for below in self.by_head.get(signature(lit), ())]
        return list(found.values())

    def _check_numbers(self, facts: Iterable[Atom], asking: Iterable[Rule]) -> None:
        """The solver has whole numbers only. What it would compare wrongly is refused."""
        odd = [(name, row, i) for name, row in facts for i, v in enumerate(row) if isinstance(v, float)]
        counted = _counted(self._below(asking)) if odd else ()
        for name, row, i in odd:
            if ((name, len(row)), i) in counted:
                raise CoterieError(
                    f"Rules count and compare whole numbers, and {name}({', '.join(map(str, row))}) holds {row[i]}. "
                    f"Keep it as a whole number of something smaller: percent, millimetres, seconds."
                )


def _counted(rules: Sequence[Rule]) -> set[tuple[Signature, int]]:
    """Columns whose values are added up or put in order somewhere above: no fractions can stand there."""
    found: set[tuple[Signature, int]] = set()
    size = -1
    while size < len(found):
        size = len(found)
        for rule in rules:
            heads = ((arg, (signature(head), i)) for head in rule.heads for i, arg in enumerate(head.args))
            names = rule.counted | {arg.name for arg, column in heads if isinstance(arg, Var) and column in found}
            columns = ((arg, (signature(lit), i)) for lit in rule.body for i, arg in enumerate(lit.args))
            found |= {column for arg, column in columns if isinstance(arg, Var) and arg.name in names}
    return found


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
        around = [p for p in body if isinstance(p, (Literal, Comparison))]  # says what names in the parts can be
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
                    self.add(call.name, shared, (*around, *inner))
                (positive if isinstance(part, Either) else negative).append(call)
        head = Literal(name, tuple(Var(n) for n in names))
        texts = [_text(p) for p in positive] + [f"not {_text(p)}" for p in negative]
        texts += [f"{_term(c.left)} {'=' if c.op == '==' else c.op} {_term(c.right)}" for c in comparisons]
        computed: list[Term] = [a for lit in (*positive, *negative) for a in lit.args if isinstance(a, Arith)]
        computed += [c for c in comparisons if c.op in ORDER or _computes(c)]
        counted = variables(tuple(computed))
        self.rules.append(Rule((head,), (*positive, *negative), (), counted, _text(head), "; ".join(texts)))


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
