"""The state at one moment of a plan: conditions evaluated and effects applied on plain facts, action by action.

This is the slow and simple reading of operators, for judging what was done; engines have faster ones of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from coterie.core.expr import OPS, All, Compare, Expr, Fluent, Not, Some, Sum
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import BOOL, NUMBER
from coterie.planning.answer import Use
from coterie.planning.forms import kind_of, normal
from coterie.planning.operators import Operator
from coterie.planning.question import Key, Question, Step

Bound = Mapping[str, Any]


class Moment:
    """Begins as the question has it; `do` makes it later."""

    def __init__(self, question: Question):
        self.question = question
        self.facts: dict[Key, Any] = dict(question.facts)

    def value(self, key: Key) -> Any:
        return self.facts[key] if key in self.facts else self.question.default(key[0])

    # -- reading --------------------------------------------------------------------------------------------------
    def key(self, fluent: Fluent, bound: Bound, read: set[Key]) -> Key | None:
        """The fact that a fluent means; None where an argument has no value."""
        args = [self.term(a, bound, read) for a in fluent.args]
        return None if any(a is None or a is UNKNOWN for a in args) else (fluent.pred, *args)

    def term(self, term: Any, bound: Bound, read: set[Key]) -> Any:
        if isinstance(term, Fluent):
            key = self.key(term, bound, read)
            if key is None:
                return UNKNOWN
            read.add(key)
            return self.value(key)
        if isinstance(term, Sum):
            left, right = self.term(term.left, bound, read), self.term(term.right, bound, read)
            if left is UNKNOWN or right is UNKNOWN:
                return UNKNOWN
            return left + right if term.op == "+" else left - right
        return bound[term[1:]] if isinstance(term, str) and term.startswith("?") else term

    def holds(self, expr: Expr, bound: Bound | None = None, read: set[Key] | None = None) -> bool:
        """Whether a condition holds; `read` gathers the facts that make it so."""
        return self._holds(normal(expr, self.question.fluents), bound or {}, set() if read is None else read)

    def _holds(self, expr: Expr, bound: Bound, read: set[Key]) -> bool:
        if isinstance(expr, All):
            return all(self._holds(e, bound, read) for e in expr.exprs)
        if isinstance(expr, Some):
            for part in expr.exprs:
                mine: set[Key] = set()
                if self._holds(part, bound, mine):
                    read |= mine
                    return True
            return False
        if isinstance(expr, Compare):
            left, right = self.term(expr.left, bound, read), self.term(expr.right, bound, read)
            if left is UNKNOWN or right is UNKNOWN:
                return False
            both = isinstance(expr.left, Fluent) and isinstance(expr.right, Fluent)
            if left is None and both and expr.op == "==" and kind_of(expr, self.question.fluents) != NUMBER:
                return False
            return OPS[expr.op](left, right)
        wanted = not isinstance(expr, Not)
        return self.term(expr.expr if isinstance(expr, Not) else expr, bound, read) is wanted

    # -- acting ---------------------------------------------------------------------------------------------------
    def bound(self, step: Step) -> tuple[Operator, dict[str, Any]]:
        op = self.question.operators[step.action.skill]
        return op, op.skill.bind(step.robot, step.action.args) or {}

    def unmet(self, step: Step, read: set[Key] | None = None) -> Expr | None:
        """The first condition of a step that does not hold; None if it can be done."""
        op, bound = self.bound(step)
        read = set() if read is None else read
        failed = next((when for when in op.when if not self.holds(when, bound, read)), None)
        if failed is None and any(True for _ in self.missing(op, bound)):
            return op.then[0].fluent
        return failed

    def missing(self, op: Operator, bound: Bound) -> Iterator[Fluent]:
        """Effects whose target or value has no value now."""
        for effect in op.then:
            value = self.term(effect.value, bound, set())
            copied = isinstance(effect.value, (Fluent, Sum)) and (value is UNKNOWN or value is None)
            if copied or self.key(effect.fluent, bound, set()) is None:
                yield effect.fluent

    def changes(self, step: Step, read: set[Key] | None = None) -> dict[Key, Any]:
        """The facts that a step changes, with their new values."""
        op, bound = self.bound(step)
        read = set() if read is None else read
        changed: dict[Key, Any] = {}
        for effect in op.then:
            key = self.key(effect.fluent, bound, read)
            if key is None:
                continue
            value = self.term(effect.value, bound, read)
            if effect.how != "set":
                value = changed.get(key, self.value(key)) + (value if effect.how == "increase" else -value)
            elif self.question.fluents[key[0]].value == BOOL:
                value = bool(value) or changed.get(key, False)
            changed[key] = value
        return changed

    def use(self, step: Step) -> Use:
        """The facts that a step reads and changes when it is done now."""
        read: set[Key] = set()
        self.unmet(step, read)
        changed = self.changes(step, read)
        op, bound = self.bound(step)
        needs: dict[Key, float] = {}
        strict: set[Key] = set()
        for when in op.when:
            self._ask(normal(when, self.question.fluents), bound, needs, strict)
        adds: dict[Key, float] = {}
        for effect in op.then:
            key = self.key(effect.fluent, bound, set())
            if key is None or self.question.fluents[key[0]].value != NUMBER:
                continue
            if effect.how == "set" or not isinstance(effect.value, (int, float)):
                strict.add(key)
            else:
                adds[key] = adds.get(key, 0) + (effect.value if effect.how == "increase" else -effect.value)
        return Use(
            frozenset(read),
            frozenset(changed),
            {k: v for k, v in needs.items() if k not in strict},
            {k: v for k, v in adds.items() if k not in strict},
        )

    def _ask(self, expr: Expr, bound: Bound, needs: dict[Key, float], strict: set[Key]) -> None:
        """Gather of which numbers enough has to be there, and what else is asked of numbers."""
        if isinstance(expr, All):
            for part in expr.exprs:
                self._ask(part, bound, needs, strict)
            return
        read: set[Key] = set()
        least = None
        if isinstance(expr, Compare) and isinstance(expr.left, Fluent) and isinstance(expr.right, int):
            least = {">=": expr.right, ">": expr.right + 1}.get(expr.op)
        self._holds(expr, bound, read)
        key = self.key(expr.left, bound, set()) if least is not None else None  # type: ignore[union-attr]
        if key is not None and least is not None:
            needs[key] = max(needs.get(key, 0), least)
            read.discard(key)
        strict |= read

    def do(self, step: Step) -> Use:
        """Make it so; what it counted on and what it changed."""
        use = self.use(step)
        self.facts.update(self.changes(step))
        return use

    def reached(self) -> bool:
        return all(self.holds(g) for g in self.question.goal)


def leads(question: Question, steps: tuple[Step, ...]) -> bool:
    """Whether robots that are here can do these steps one after the other, and the goal is then reached."""
    moment = Moment(question)
    for step in steps:
        skill, args = step.action.skill, step.action.args
        known = skill in question.able.get(step.robot, ()) and all(a in question.objects for a in args)
        if not known or not moment.bound(step)[1] or moment.unmet(step) is not None:
            return False
        moment.do(step)
    return moment.reached()


def uses_of(question: Question, steps: tuple[Step, ...]) -> tuple[Use, ...]:
    """The facts that each step of a plan reads and changes, in sequence; facts that never change are left out."""
    moment = Moment(question)
    changing = {e.fluent.pred for op in question.operators.values() for e in op.then}
    uses = []
    for step in steps:
        use = moment.do(step)
        uses.append(replace(use, reads=frozenset(k for k in use.reads if k[0] in changing)))
    return tuple(uses)
