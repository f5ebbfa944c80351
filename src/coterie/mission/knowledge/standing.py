"""Questions that are asked again: only what may have changed since is asked anew.

What changed is followed up the rules, from the rows of changed facts to what may be otherwise because of them: patterns
of answers (`Touched`). Answers that fit none of them stand as they were. Where too much may be otherwise, as with a
shut door that cuts off half a house, everything is asked anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from coterie.mission.knowledge.atoms import ANY, Atom, Atoms, Row
from coterie.mission.knowledge.relevant import fits
from coterie.mission.knowledge.shapes import Lit, Shape, Values
from coterie.mission.knowledge.syntax import Rule, Signature, signature

MOST_QUESTIONS = 64  # that are remembered
MOST_ROWS = 20_000  # of one answer
MOST_CHANGES = 100  # since it was asked
MOST_PATTERNS = 60  # that are asked anew
MOST_WAYS = 200  # in which one change may bear on one rule


@dataclass
class Remembered:
    """An answer, and how many changes there had been."""

    changes: int
    rows: list[Row]


class TooMuch(Exception):
    """More may have changed than is worth following."""


class Touched:
    """What may be otherwise because of rows that came or went."""

    def __init__(self, rules: Iterable[Rule], atoms: Atoms, changed: Sequence[Atom]):
        self.atoms, self.changed = atoms, changed
        self.uses: dict[Signature, list[tuple[Shape, Lit]]] = {}
        self.derived: set[Signature] = set()
        for rule in rules:
            shape = Shape(rule)
            self.derived |= {signature(h) for h in rule.heads}
            inner = [lit for scope in shape.scopes for lit in (*scope.positive, *scope.after)]
            for lit in (*shape.positive, *shape.after, *inner):
                self.uses.setdefault(lit.sig, []).append((shape, lit))

    def patterns(self, goal: Signature) -> list[Row]:
        """Patterns of the goal that all rows fit which may have come or gone."""
        seen: dict[tuple[Signature, Row], None] = {}
        ahead: list[tuple[Signature, Row]] = [((name, len(row)), row) for name, row in self.changed]
        while ahead:
            sig, pattern = ahead.pop()
            if (sig, pattern) in seen:
                continue
            seen[(sig, pattern)] = None
            if len(seen) > 10 * MOST_PATTERNS:
                raise TooMuch
            for shape, lit in self.uses.get(sig, ()):
                values = lit.bind(pattern, shape.fresh())
                if values is not None:
                    ahead += self._heads(shape, lit, values)
        found = [p for s, p in seen if s == goal]
        if len(found) > MOST_PATTERNS or any(all(v is ANY for v in p) for p in found if p):
            raise TooMuch
        return found

    def _heads(self, shape: Shape, used: Lit, values: Values) -> list[tuple[Signature, Row]]:
        """What a rule may say otherwise: heads with what the facts in its body make of them."""
        ways = [values]
        waiting = [lit for lit in shape.positive if lit is not used and lit.sig not in self.derived]
        while waiting and len(ways) <= MOST_WAYS:
            waiting.sort(key=lambda lit: self._size(lit, ways[0]))
            lit = waiting.pop(0)
            pattern = lit.pattern(ways[0])
            if pattern is not None and all(v is ANY for v in pattern):
                break  # nothing in common with what changed: all rows would do
            ways = [more for way in ways for row in self._rows(lit, way) if (more := lit.bind(row, way)) is not None]
            if not ways:
                return []
        if len(ways) > MOST_WAYS:
            raise TooMuch
        found = {(h.sig, p): None for way in ways for h in shape.heads if (p := h.pattern(way)) is not None}
        return list(found)

    def _size(self, lit: Lit, values: Values) -> float:
        pattern = lit.pattern(values)
        return 0.0 if pattern is None else self.atoms.count(lit.name, pattern)

    def _rows(self, lit: Lit, values: Values) -> list[Row]:
        """Rows as they are, and those that went: what changed may have held with either."""
        pattern = lit.pattern(values)
        if pattern is None:
            return []
        if self.atoms.count(lit.name, pattern) > MOST_WAYS:
            raise TooMuch
        gone = [r for name, r in self.changed if name == lit.name and len(r) == len(pattern) and fits(r, pattern)]
        return list(dict.fromkeys((*self.atoms.match(lit.name, pattern), *gone)))


class Standing:
    """Answers by question, the ones that were asked last."""

    def __init__(self) -> None:
        self._kept: dict[object, Remembered] = {}

    def rows(
        self,
        question: object,
        rules: Sequence[Rule],
        goal: Signature,
        atoms: Atoms,
        changes: Sequence[tuple[Atom, ...]],
        ask: Callable[[list[Row] | None], list[Row]],
        worth: Callable[[], bool],
    ) -> list[Row]:
        """The answer, from the one before where that can be. `ask` asks for some patterns, or for everything; `worth`
        says afterwards whether that took enough to be remembered."""
        before = self._kept.pop(question, None)
        rows = None if before is None else self._again(before, rules, goal, atoms, changes, ask)
        if rows is None:
            rows = ask(None)
        if len(rows) <= MOST_ROWS and (before is not None or worth()):
            self._kept[question] = Remembered(len(changes), rows)
            while len(self._kept) > MOST_QUESTIONS:
                del self._kept[next(iter(self._kept))]
        return rows

    @staticmethod
    def _again(
        before: Remembered,
        rules: Sequence[Rule],
        goal: Signature,
        atoms: Atoms,
        changes: Sequence[tuple[Atom, ...]],
        ask: Callable[[list[Row] | None], list[Row]],
    ) -> list[Row] | None:
        since = changes[before.changes :]
        if len(since) > MOST_CHANGES:
            return None
        changed = list(dict.fromkeys(atom for change in since for atom in change))
        try:
            patterns = Touched(rules, atoms, changed).patterns(goal)
        except TooMuch:
            return None
        if not patterns:
            return before.rows
        kept = [row for row in before.rows if not any(fits(row, p) for p in patterns)]
        return [*kept, *(row for row in ask(patterns) if any(fits(row, p) for p in patterns))]
