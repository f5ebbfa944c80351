"""What a question can touch: the facts and the instances of rules that its answer may rest on.

Rules are followed from the question down with the values that are known so far, as magic sets do, table by table: what
a relation is asked for (`Table.pattern`), and what it may answer. `not`, counts and conditions are taken as if they
held, so what is found is more than is true and never less. The solver then gets these facts, and only those instances
of rules whose heads were asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from coterie.mission.knowledge.atoms import ANY, Atom, Atoms, Row
from coterie.mission.knowledge.shapes import Lit, Shape, Step, Values
from coterie.mission.knowledge.syntax import Signature
from coterie.mission.knowledge.terms import Comparison

MOST_STEPS = 100_000  # beyond, following the rules takes longer than giving all facts to the solver


class TooFar(Exception):
    """The question touches too much to be worth following."""


class Table:
    """One thing that a relation is asked for, what it may answer, and who waits for that."""

    __slots__ = ("pattern", "rows", "sig", "waiting", "wanted")

    def __init__(self, sig: Signature, pattern: Row, wanted: bool):
        self.sig, self.pattern, self.wanted = sig, pattern, wanted
        self.rows: dict[Row, None] = {}
        self.waiting: list[tuple[Lit, _Task]] = []


#: A body that is gone through up to some step, with the values so far, and the table that it is for. (A plain tuple:
#: there are thousands of them to a question.)
_Task = tuple[Shape, list[Step], int, Values, Table]


class Relevant:
    def __init__(
        self,
        by_head: Mapping[Signature, list[Shape]],
        atoms: Atoms,
        steady: Mapping[Signature, frozenset[int]],
        most: int = MOST_STEPS,
    ):
        self.by_head, self.atoms, self.steady = by_head, atoms, steady
        self.tables: dict[tuple[Signature, Row, bool], Table] = {}
        self.steps, self.most = 0, most
        self._facts: dict[str, dict[Row, None]] = {}
        self._tasks: list[_Task] = []
        self._asked: set[tuple[str, Row]] = set()

    def facts(self) -> Iterator[Atom]:
        return ((name, row) for name, rows in self._facts.items() for row in rows)

    def ask(self, sig: Signature, patterns: Iterable[Row] | None = None) -> None:
        """Follow the rules for what a relation is asked for; for all that it may hold if no pattern is given."""
        for pattern in ((ANY,) * sig[1],) if patterns is None else patterns:
            self._need(sig, pattern, wanted=False)
            self._follow()

    def ask_body(self, shape: Shape) -> None:
        """Follow a body without a head: that of a constraint."""
        self._begin(shape, shape.fresh(), Table(("", 0), (), False))
        self._follow()

    # -- asking ---------------------------------------------------------------------------------------------------
    def _begin(self, shape: Shape, values: Values, table: Table) -> None:
        self._tasks.append((shape, shape.order(values, self._size), 0, values, table))

    def _size(self, sig: Signature, bound: Iterable[int]) -> float:
        """Facts by what is known of them; rules rather late, and last where they would have to tell everything."""
        columns = tuple(bound)
        rows = self.atoms.expected(sig[0], sig[1], columns)
        if sig in self.by_head:
            rows += 30 if len(columns) == sig[1] else 300 if columns else 1e9
        return rows

    def _need(self, sig: Signature, pattern: Row, wanted: bool) -> Table | None:
        """The table for what is asked; None for a relation of facts alone."""
        self._collect(sig[0], pattern)
        shapes = self.by_head.get(sig)
        if shapes is None:
            return None
        steady = self.steady.get(sig)
        if steady is not None and any(pattern[i] is not ANY for i in steady):
            pattern = tuple([v if i in steady else ANY for i, v in enumerate(pattern)])
        everything = (ANY,) * sig[1]
        whole = self.tables.get((sig, everything, True)) or (not wanted and self.tables.get((sig, everything, False)))
        if whole:
            return whole
        table = self.tables.get((sig, pattern, wanted))
        if table is None:
            table = self.tables[(sig, pattern, wanted)] = Table(sig, pattern, wanted)
            if wanted:
                table.rows.update(dict.fromkeys(self.atoms.match(sig[0], pattern)))
            for shape in shapes:
                for head in shape.heads:
                    values = head.bind(pattern, shape.fresh()) if head.sig == sig else None
                    if values is not None:
                        self._begin(shape, values, table)
        return table

    def _collect(self, name: str, pattern: Row) -> Iterable[Row]:
        """Facts that may be needed: all that fit."""
        rows = self.atoms.match(name, pattern)
        if (name, pattern) not in self._asked:
            self._asked.add((name, pattern))
            known = self._facts.setdefault(name, {})
            before = len(known)
            for row in rows:
                known[row] = None
            self.steps += len(known) - before
        return rows

    # -- following ------------------------------------------------------------------------------------------------
    def _follow(self) -> None:
        tasks = self._tasks
        while tasks:
            self.steps += 1
            if self.steps > self.most:
                raise TooFar
            shape, steps, at, values, table = task = tasks.pop()
            if at == len(steps):
                self._finish(shape, values, table)
                continue
            step = steps[at]
            if isinstance(step, Comparison):
                more = shape.settle(step, values)
                if more is not None:
                    tasks.append((shape, steps, at + 1, more, table))
            else:
                self._look(step, task)

    def _look(self, step: Lit, task: _Task) -> None:
        shape, steps, at, values, table = task
        pattern = step.pattern(values)
        if pattern is None:
            return
        at += 1
        goes_on = at < len(steps) or table.wanted or shape.looks_on
        if step.sig in self.by_head:
            found = self._need(step.sig, pattern, goes_on)
            if goes_on and found is not None:
                after = (shape, steps, at, values, table)
                found.waiting.append((step, after))
                for row in list(found.rows):
                    self._go_on(step, row, after)
            return
        rows = self._collect(step.name, pattern)
        if not goes_on:
            return
        new = [(i, slot) for i, (slot, _) in enumerate(step.terms) if slot >= 0 and values[slot] is ANY]
        if step.odd or len(new) != len({slot for _, slot in new}):
            for row in rows:
                self._go_on(step, row, (shape, steps, at, values, table))
            return
        for row in rows:  # all else in the row is as the pattern has it
            more = values[:]
            for i, slot in new:
                more[slot] = row[i]
            self._tasks.append((shape, steps, at, more, table))

    def _go_on(self, step: Lit, row: Row, after: _Task) -> None:
        shape, steps, at, values, table = after
        more = step.bind(row, values)
        if more is not None:
            self._tasks.append((shape, steps, at, more, table))

    def _finish(self, shape: Shape, values: Values, table: Table) -> None:
        for literal in shape.after:
            pattern = literal.pattern(values)
            if pattern is not None:
                self._need(literal.sig, pattern, wanted=False)
        for scope in shape.scopes:
            self._begin(scope, values, _NOBODY)
        if not table.wanted:
            return
        for head in shape.heads:
            if head.sig != table.sig:
                continue
            row = head.pattern(values)
            if row is None or row in table.rows:
                continue
            table.rows[row] = None
            for step, after in table.waiting:
                self._go_on(step, row, after)


_NOBODY = Table(("", 0), (), False)


def fits(row: Row, pattern: Row) -> bool:
    return all(a is ANY or b is ANY or a == b for a, b in zip(row, pattern))
