"""What a question can touch: the facts and the instances of rules that its answer may rest on.

Rules are followed from the question down with the values that are known so far, as magic sets do, table by table: what
a relation is asked for (`Table.pattern`), and what it may answer. `not`, counts and conditions are taken as if they
held, so what is found is more than is true and never less. The solver then gets these facts, and only those instances
of rules whose heads were asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from coterie.mission.knowledge.atoms import ANY, Atom, Atoms, Row
from coterie.mission.knowledge.syntax import Rule, Signature, signature
from coterie.mission.knowledge.terms import (
    Arith,
    Binding,
    Comparison,
    Literal,
    NoValue,
    Odd,
    Var,
    compare,
    value_of,
)

MOST_STEPS = 100_000  # beyond, following the rules takes longer than giving all facts to the solver


class TooFar(Exception):
    """The question touches too much to be worth following."""


class Table:
    """One thing that a relation is asked for, what it may answer, and who waits for that."""

    __slots__ = ("pattern", "rows", "sig", "waiting", "wanted")

    def __init__(self, sig: Signature, pattern: Row, wanted: bool):
        self.sig, self.pattern, self.wanted = sig, pattern, wanted
        self.rows: dict[Row, None] = {}
        self.waiting: list[tuple[Literal, _Task]] = []


class _Task(NamedTuple):
    """A rule with some of its body left to do."""

    rule: Rule
    left: tuple[Literal | Comparison, ...]
    binding: Binding
    table: Table


class Relevant:
    def __init__(self, by_head: Mapping[Signature, list[Rule]], atoms: Atoms, most: int = MOST_STEPS):
        self.by_head, self.atoms = by_head, atoms
        self.facts: dict[Atom, None] = {}
        self.tables: dict[tuple[Signature, Row, bool], Table] = {}
        self.steps, self.most = 0, most
        self._tasks: list[_Task] = []
        self._asked: set[tuple[str, Row]] = set()  # of facts, which come whole

    def ask(self, sig: Signature) -> None:
        """Follow the rules for all that a relation may hold."""
        self._need(sig, (ANY,) * sig[1], wanted=False)
        self._follow()

    def _follow(self) -> None:
        while self._tasks:
            self.steps += 1
            if self.steps > self.most:
                raise TooFar
            self._do(self._tasks.pop())

    def ask_body(self, rule: Rule) -> None:
        """Follow the body of a rule that has no head: a constraint."""
        table = Table(("", 0), (), False)
        self._tasks.append(_Task(rule, (*rule.positive, *rule.comparisons), {}, table))
        self._follow()

    # -- asking ---------------------------------------------------------------------------------------------------
    def _need(self, sig: Signature, pattern: Row, wanted: bool) -> Table | None:
        """The table for what is asked; None for a relation of facts alone."""
        self._collect(sig[0], pattern)
        rules = self.by_head.get(sig)
        if rules is None:
            return None
        everything = (ANY,) * sig[1]
        whole = self.tables.get((sig, everything, True)) or (not wanted and self.tables.get((sig, everything, False)))
        if whole:
            return whole
        key = (sig, pattern, wanted)
        table = self.tables.get(key)
        if table is None:
            table = self.tables[key] = Table(sig, pattern, wanted)
            if wanted:
                for row in list(self.atoms.match(sig[0], pattern)):
                    table.rows[row] = None
            for rule in rules:
                for head in rule.heads:
                    if signature(head) == sig:
                        binding = _from_pattern(head, pattern)
                        if binding is not None:
                            self._tasks.append(_Task(rule, (*rule.positive, *rule.comparisons), binding, table))
        return table

    def _collect(self, name: str, pattern: Row) -> None:
        """Facts that may be needed: all that fit."""
        if (name, pattern) in self._asked:
            return
        self._asked.add((name, pattern))
        for row in self.atoms.match(name, pattern):
            self.facts[(name, row)] = None
            self.steps += 1
        if self.steps > self.most:
            raise TooFar

    # -- following ------------------------------------------------------------------------------------------------
    def _do(self, task: _Task) -> None:
        rule, left, binding, table = task
        if not left:
            self._finish(task)
            return
        at = self._best(left, binding)
        part, rest = left[at], left[:at] + left[at + 1 :]
        if isinstance(part, Comparison):
            more = _settle(part, binding)
            if more is not None:
                self._tasks.append(_Task(rule, rest, more, table))
            return
        pattern = _pattern(part, binding)
        if pattern is None:
            return
        goes_on = bool(rest or table.wanted or rule.negative or rule.scopes)
        after = _Task(rule, rest, binding, table)
        found = self._need(signature(part), pattern, goes_on)
        if not goes_on:
            return
        if found is None:
            for row in list(self.atoms.match(part.name, pattern)):
                self._go_on(part, row, after)
        else:
            found.waiting.append((part, after))
            for row in list(found.rows):
                self._go_on(part, row, after)

    def _go_on(self, part: Literal, row: Row, after: _Task) -> None:
        binding = _bind(part, row, after.binding)
        if binding is not None:
            self._tasks.append(after._replace(binding=binding))

    def _finish(self, task: _Task) -> None:
        rule, _, binding, table = task
        for literal in rule.negative:
            self._demand(literal, binding)
        for scope in rule.scopes:
            for literal in scope.literals:
                self._demand(literal, binding)
        if not table.wanted:
            return
        for head in rule.heads:
            if signature(head) != table.sig:
                continue
            row = _pattern(head, binding)
            if row is None or row in table.rows or not _fits(row, table.pattern):
                continue
            table.rows[row] = None
            for part, after in table.waiting:
                self._go_on(part, row, after)

    def _demand(self, literal: Literal, binding: Binding) -> None:
        pattern = _pattern(literal, binding)
        if pattern is not None:
            self._need(signature(literal), pattern, wanted=False)

    def _best(self, left: tuple[Literal | Comparison, ...], binding: Binding) -> int:
        """Comparisons that can be made, then the literal with the fewest rows; rules rather late."""
        best, fewest = 0, float("inf")
        for i, part in enumerate(left):
            if isinstance(part, Comparison):
                if _ready(part, binding):
                    return i
                rows = 1e12  # as good as true, when nothing else is left
            else:
                pattern = _pattern(part, binding)
                if pattern is None:
                    return i
                rows = self.atoms.count(part.name, pattern)
                if signature(part) in self.by_head:
                    bound = any(v is not ANY for v in pattern)
                    rows += 30 if all(v is not ANY for v in pattern) else 300 if bound else 1e9
            if rows < fewest:
                best, fewest = i, rows
        return best


def _pattern(literal: Literal, binding: Mapping[str, Any]) -> Row | None:
    try:
        return tuple([value_of(a, binding) for a in literal.args])
    except NoValue:
        return None


def _fits(row: Row, pattern: Row) -> bool:
    return all(a is ANY or b is ANY or a == b for a, b in zip(row, pattern))


def _from_pattern(head: Literal, pattern: Row) -> Binding | None:
    """What a head that is asked for says about its variables; None where it cannot be what is asked for."""
    found: Binding = {}
    for term, value in zip(head.args, pattern):
        if value is ANY or isinstance(term, (Arith, Odd)):
            continue
        if isinstance(term, Var):
            if found.setdefault(term.name, value) != value:
                return None
        elif term != value:
            return None
    return found


def _bind(part: Literal, row: Row, binding: Binding) -> Binding | None:
    """As `terms.bind`, where a row may leave something open."""
    found = binding
    for term, value in zip(part.args, row):
        if value is ANY or isinstance(term, Odd):
            continue
        if isinstance(term, Var):
            known = found.get(term.name, ANY)
            if known is ANY:
                if found is binding:
                    found = dict(binding)
                found[term.name] = value
            elif known != value:
                return None
        elif isinstance(term, Arith):
            try:
                known = value_of(term, found)
            except NoValue:
                return None
            if known is not ANY and known != value:
                return None
        elif term != value:
            return None
    return found


def _ready(part: Comparison, binding: Binding) -> bool:
    try:
        left, right = value_of(part.left, binding), value_of(part.right, binding)
    except NoValue:
        return True
    if part.op == "==":
        one_sided = isinstance(part.left if left is ANY else part.right, Var)
        return (left is not ANY and right is not ANY) or ((left is ANY) is not (right is ANY) and one_sided)
    return left is not ANY and right is not ANY


def _settle(part: Comparison, binding: Binding) -> Binding | None:
    """What an equation adds; None where a comparison fails for sure. What only the solver can tell, it tells."""
    try:
        left, right = value_of(part.left, binding), value_of(part.right, binding)
    except NoValue:
        return None
    if part.op == "==" and (left is ANY) is not (right is ANY):
        free, value = (part.left, right) if left is ANY else (part.right, left)
        return {**binding, free.name: value} if isinstance(free, Var) else binding
    if left is ANY or right is ANY:
        return binding
    if part.op in ("==", "!=") or (isinstance(left, int) and isinstance(right, int)):
        return binding if compare(part.op, left, right) else None
    return binding
