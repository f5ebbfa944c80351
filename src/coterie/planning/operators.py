"""Skills as planning operators: what has to hold and what changes, in terms that a planner can know.

Some fluents are beyond a planner: geometry, sight, free words. A world gives `readings` for those: a condition or
another fluent on the same arguments (`?0`, `?1`, ...), or None for what a plan takes for granted and execution judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import All, Compare, Expr, Fluent, Not, Some, Sum
from coterie.core.fluents import ANY, BOOL, LISTING, TEXT, Declared
from coterie.core.skill import Clause, Effect, Param, Rule, Skill
from coterie.core.skills import Skills
from coterie.planning.forms import mapped

_PLACE = re.compile(r"\?\d+")
_BEYOND = (TEXT, ANY, LISTING)  # values that no planner can know


@dataclass(frozen=True)
class Operator:
    skill: Skill
    params: tuple[Param, ...]  # those that a planner can name
    when: tuple[Expr, ...]
    then: tuple[Effect, ...]
    clauses: tuple[Clause, ...] = ()  # what each condition of `when` was read from

    @property
    def name(self) -> str:
        return self.skill.name


def operators(skills: Skills, rules: Iterable[Rule] = ()) -> dict[str, Operator]:
    """Every skill of a world that changes something a planner can know, by name."""
    rules = tuple(rules)
    made = {name: operator(skill, skills, rules) for name, skill in skills.items()}
    return {name: op for name, op in made.items() if op is not None}


def operator(skill: Skill, skills: Skills, rules: Iterable[Rule] = ()) -> Operator | None:
    """A skill as an operator; None where nothing is left of what it changes."""
    read = _Reader(skill, skills)
    effects = [read.effect(e) for e in skill.then]
    then = tuple(e for e in effects if e is not None)
    if not then:
        return None
    when: dict[Expr, Clause] = {}
    for clause in [*skill.when, *(r.clause for r in rules if r.skill == skill.name)]:
        condition = read.condition(clause.expr)
        if condition is not None and condition not in when:
            when[condition] = clause
    params = tuple(p for p in skill.params if f"?{p.name}" not in read.dropped)
    return Operator(skill, params, tuple(when), then, tuple(when.values()))


class _Reader:
    def __init__(self, skill: Skill, skills: Skills):
        self.skill, self.skills = skill, skills
        self.readings = skills.readings
        self.dropped = {f"?{p.name}" for p in skill.params if not skills.kind(p.kind).planned}

    def declared(self, pred: str) -> Declared:
        found = (self.skills.fluents or {}).get(pred)
        if found is None:
            raise CoterieError(
                f"Skill '{self.skill.name}': a plan cannot use the fluent '{pred}' before its types are declared; "
                f'write skills.declare(fluent("{pred}", ...)).'
            )
        return found

    # -- terms ----------------------------------------------------------------------------------------------------
    def term(self, term: Any) -> tuple[Any, bool]:
        """A term as a planner can say it, and whether it can."""
        if isinstance(term, Sum):
            (left, a), (right, b) = self.term(term.left), self.term(term.right)
            return Sum(term.op, left, right), a and b
        if not isinstance(term, Fluent):
            return term, term not in self.dropped if isinstance(term, str) else True
        parts = [self.term(a) for a in term.args]
        args = tuple(p for p, _ in parts)
        if not all(good for _, good in parts):
            return term, False
        if term.pred in self.readings:
            reading = self.readings[term.pred]
            return (_put(reading, args), True) if self._is_term(term.pred) else (term, False)
        return Fluent(term.pred, args), self.declared(term.pred).value not in _BEYOND

    def _is_term(self, pred: str) -> bool:
        """Whether a fluent is read as another one with the same kind of value, rather than as a whole condition."""
        reading = self.readings[pred]
        return isinstance(reading, Fluent) and self.declared(reading.pred).value == self.declared(pred).value

    # -- conditions -----------------------------------------------------------------------------------------------
    def condition(self, expr: Expr) -> Expr | None:
        """The condition as a planner can say it; None where a plan takes it for granted."""
        if isinstance(expr, Fluent):
            if expr.pred in self.readings:
                return self._whole(expr.pred, expr.args)
            found, good = self.term(expr)
            return found if good and self.declared(expr.pred).value == BOOL else None
        if isinstance(expr, Compare):
            return self._compare(expr)
        if isinstance(expr, Not):
            inner = self.condition(expr.expr)
            return None if inner is None else Not(inner)
        parts = [self.condition(e) for e in expr.exprs]
        known = tuple(p for p in parts if p is not None)
        if isinstance(expr, Some):  # one part taken for granted makes the whole so
            return Some(known) if len(known) == len(parts) else None
        return All(known) if known else None

    def _compare(self, expr: Compare) -> Expr | None:
        left = expr.left
        if isinstance(left, Fluent) and left.pred in self.readings and not self._is_term(left.pred):
            more = expr.right.args if isinstance(expr.right, Fluent) else ()
            return self._whole(left.pred, (*left.args, *more))
        (one, a), (two, b) = self.term(left), self.term(expr.right)
        return Compare(expr.op, one, two) if a and b and expr.op != "in" else None

    def _whole(self, pred: str, args: tuple[Any, ...]) -> Expr | None:
        reading = self.readings[pred]
        parts = [self.term(a) for a in args]
        if reading is None or not all(good for _, good in parts):
            return None
        found: Expr = _put(reading, tuple(p for p, _ in parts))
        return found

    # -- effects --------------------------------------------------------------------------------------------------
    def effect(self, effect: Effect) -> Effect | None:
        if effect.fluent.pred in self.readings or self.declared(effect.fluent.pred).value in _BEYOND:
            return None
        fluent, a = self.term(effect.fluent)
        value, b = self.term(effect.value)
        return Effect(fluent, value, effect.how) if a and b else None


def _put(reading: Any, args: tuple[Any, ...]) -> Any:
    """A reading with arguments in the places of `?0`, `?1`, ..."""
    return mapped(reading, lambda t: args[int(t[1:])] if isinstance(t, str) and _PLACE.fullmatch(t) else None)
