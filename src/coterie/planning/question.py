"""A planning problem as plain data: skills as operators, what is known at this moment, and a goal.

A question is taken from a lookup once and holds no function, so that it travels to another process, where nothing of
what happens in the meantime reaches it. "No value" is None and "not known" is UNKNOWN: neither is an object, so no plan
can name them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from coterie.core.action import Action
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.expr import All, Compare, Expr, Fluent, Lookup, Not, Some, Sum, fluents
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import BOOL, NUMBER, Declared, can_be, check_condition, is_a
from coterie.core.skill import Clause, Rule
from coterie.core.skills import Skills
from coterie.planning.operators import Operator, operators

ROBOT = "robot"
Key = tuple[Any, ...]  # predicate and arguments


class Step(NamedTuple):
    """One action of a plan, and the robot that is to do it."""

    robot: str
    action: Action

    def __str__(self) -> str:
        return f"{self.robot}: {self.action}"


Duration = Callable[[Step], float]  # [s]


@dataclass(frozen=True)
class Question:
    """Make one with `Question.ask`."""

    operators: Mapping[str, Operator]
    fluents: Mapping[str, Declared]  # those that the operators and the goal speak of
    parents: Mapping[str, str]  # kinds
    objects: Mapping[str, str]  # names with their kinds, the most special one
    able: Mapping[str, frozenset[str]]  # which robot has which skills
    facts: Mapping[Key, Any]  # what is not as `default` says
    goal: tuple[Expr, ...]
    name: str = "now"
    unable: Mapping[str, Operator] = field(default_factory=dict)  # skills of the world that no robot here has
    nil: frozenset[Key] = frozenset()  # what is known to be zero, rather than not known
    lasts: Duration | None = None  # how long a step takes [s]; without it what skills say
    _kinds: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def ask(
        cls,
        skills: Skills,
        look: Lookup,
        objects: Mapping[str, str],
        able: Mapping[str, Collection[str]],
        goal: Iterable[Expr],
        rules: Iterable[Rule] = (),
        name: str = "now",
        lasts: Duration | None = None,
    ) -> Question:
        """A question about the moment that `look` sees.

        `objects` are names with their kinds, the most special one; `able` says which robot has which skills; the goal
        is a list of conditions that are to hold together. `lasts` says how long a step takes; it travels to other
        processes, and so is a function of a module, a `partial` of one, or an object with `__call__`.
        """
        some = {skill for names in able.values() for skill in names}
        every = {n: _fresh(op) for n, op in operators(skills, rules).items()}
        used = {n: op for n, op in every.items() if n in some}
        goal = tuple(goal)
        declared = _declared(skills, used.values(), goal)
        given = {**objects, **_constants(used.values(), declared, skills.parents, objects)}
        _check_goal(goal, declared, given, skills.parents)
        missing = sorted(set(able) - set(given))
        if missing:
            raise unknown_name("object of the planning problem", missing[0], given)
        asked = cls(
            used,
            declared,
            skills.parents,
            given,
            {r: frozenset(n) for r, n in able.items()},
            {},
            goal,
            name,
            {n: op for n, op in every.items() if n not in some},
            lasts=lasts,
        )
        nil: set[Key] = set()
        facts = dict(asked._facts(look, nil))
        return replace(asked, facts=facts, nil=frozenset(nil))

    # -- reading --------------------------------------------------------------------------------------------------
    def default(self, pred: str) -> Any:
        """The value of a fluent of which nothing is said."""
        declared = self.fluents[pred]
        if declared.value == BOOL:
            return False
        return (declared.initial or 0) if declared.value == NUMBER else UNKNOWN

    def value(self, pred: str, *args: Any) -> Any:
        key = (pred, *args)
        return self.facts[key] if key in self.facts else self.default(pred)

    def of_kind(self, kind: str) -> tuple[str, ...]:
        if kind not in self._kinds:
            self._kinds[kind] = tuple(n for n, k in self.objects.items() if is_a(k, kind, self.parents))
        return self._kinds[kind]

    def tuples(self, declared: Declared) -> Iterator[tuple[str, ...]]:
        return itertools.product(*(self.of_kind(kind) for kind in declared.args))

    def seconds(self, step: Step) -> float:
        """How long a step takes [s]."""
        return self.operators[step.action.skill].skill.duration_s if self.lasts is None else self.lasts(step)

    def with_facts(self, facts: Mapping[Key, Any]) -> Question:
        """The same question if these were so: for "what if"."""
        return replace(self, facts={**self.facts, **facts})

    def step(self, skill: str, robot: str, names: Sequence[str]) -> Step:
        """A step from what a planner names. Parameters that a planner does not know of have their defaults."""
        op = self.operators[skill]
        named = dict(zip((p.name for p in op.params), names))
        args = tuple(named.get(p.name, p.default) for p in op.skill.params)
        if None in args:
            missing = next(p.name for p in op.skill.params if named.get(p.name, p.default) is None)
            raise CoterieError(f"A plan says nothing of '{missing}' of {op.skill.signature}; give it a default.")
        return Step(robot, Action(skill, args))

    # -- making ---------------------------------------------------------------------------------------------------
    def _facts(self, look: Lookup, nil: set[Key]) -> Iterator[tuple[Key, Any]]:
        for pred, declared in self.fluents.items():
            default, number = self.default(pred), declared.value == NUMBER
            for args in self.tuples(declared):
                seen = look(pred, *args)
                value = self._known(declared, seen)
                if value is not default and (value != default or type(value) is not type(default)):
                    yield (pred, *args), value
                elif number and seen is not None and seen is not UNKNOWN:
                    nil.add((pred, *args))

    def _known(self, declared: Declared, value: Any) -> Any:
        """A value as a plan may use it: only what is known, and only names of objects."""
        if declared.value == BOOL:
            return declared.hoped if value is UNKNOWN else bool(value)
        if declared.value == NUMBER:
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return value if number else (declared.initial or 0)
        if value is None or value is False:
            return None
        return value if isinstance(value, str) and value in self.objects else UNKNOWN


def _fresh(op: Operator) -> Operator:
    """An operator without what was compiled for another reader, and without the way back to its world."""
    clauses = {c: Clause(c.expr, c.words, c.name) for c in (*op.skill.when, *op.clauses)}
    skill = replace(op.skill, when=tuple(clauses[c] for c in op.skill.when), home=None)
    return replace(op, skill=skill, clauses=tuple(clauses[c] for c in op.clauses))


def _declared(skills: Skills, ops: Iterable[Operator], goal: Sequence[Expr]) -> dict[str, Declared]:
    used: dict[str, None] = {}
    for op in ops:
        for part in (*op.when, *(x for e in op.then for x in (e.fluent, e.value))):
            used.update(dict.fromkeys(f.pred for f in fluents(part)))
    used.update(dict.fromkeys(f.pred for g in goal for f in fluents(g)))
    known = skills.fluents or {}
    for pred in used:
        if pred not in known:
            raise unknown_name("fluent", pred, known)
    return {pred: known[pred] for pred in used}


def _constants(
    ops: Iterable[Operator], declared: Mapping[str, Declared], parents: Mapping[str, str], objects: Mapping[str, str]
) -> dict[str, str]:
    """Names that skills use and nobody listed (`left`), with their kinds."""
    found: dict[str, str] = {}
    for op in ops:
        named = [n for when in op.when for n in _names(when, declared)]
        named += [n for e in op.then for n in _terms(e.fluent, BOOL, declared)]
        named += [n for e in op.then for n in _terms(e.value, declared[e.fluent.pred].value, declared)]
        for name, kind in named:
            if name not in objects and name not in found:
                if kind not in parents:
                    raise unknown_name("object of the planning problem", name, objects)
                found[name] = kind
    return found


def _check_goal(
    goal: Sequence[Expr], declared: Mapping[str, Declared], objects: Mapping[str, str], parents: Mapping[str, str]
) -> None:
    """A goal is about what there is, and about nothing that is of another kind than it has to be."""
    for part in goal:
        check_condition(part, declared)
    for name, kind in (n for g in goal for n in _names(g, declared)):
        if name not in objects:
            raise unknown_name("object of the planning problem", name, objects)
        if not can_be(objects[name], kind, parents):
            raise CoterieError(f"'{name}' is of the kind {objects[name]}, and the goal asks for a {kind} there.")


def _names(expr: Expr, declared: Mapping[str, Declared]) -> Iterator[tuple[str, str]]:
    """The names in a condition, each with the kind that it has to be."""
    if isinstance(expr, Compare):
        sides = (expr.left, expr.right)
        kind = next((declared[s.pred].value for s in sides if isinstance(s, Fluent)), "")
        for side in sides:
            yield from _terms(side, kind, declared)
    elif isinstance(expr, Not):
        yield from _names(expr.expr, declared)
    elif isinstance(expr, (All, Some)):
        for part in expr.exprs:
            yield from _names(part, declared)
    else:
        yield from _terms(expr, BOOL, declared)


def _terms(term: Any, kind: str, declared: Mapping[str, Declared]) -> Iterator[tuple[str, str]]:
    if isinstance(term, Fluent):
        for arg, of in zip(term.args, declared[term.pred].args):
            yield from _terms(arg, of, declared)
    elif isinstance(term, Sum):
        yield from _terms(term.left, NUMBER, declared)
        yield from _terms(term.right, NUMBER, declared)
    elif isinstance(term, str) and not term.startswith("?"):
        yield term, kind
