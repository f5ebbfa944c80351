"""The fluents of a world, declared: what they are about, and what their values are.

Skills are checked against the declarations when they are put into a world, so that a predicate nobody knows is refused
with the one that was probably meant. Planning problems take their types from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.expr import ORDER, All, Compare, Expr, Fluent, Not, Some, Sum, fluents
from coterie.core.frozen import frozen
from coterie.core.skill import Effect, Skill, slots

BOOL, NUMBER, TEXT, LISTING, ANY = "bool", "number", "text", "listing", "any"


@frozen
class Declared:
    """A fluent: its name, the kinds of its arguments, and the kind of its value.

    A value is one of BOOL, NUMBER, TEXT, LISTING and ANY, or the name of a kind (`where` of a thing is a location).
    `initial` is its value before anything was said about it. A plan that does not know a `hoped` fluent takes it for
    true; `more` lets it have arguments beyond those named. Robots see what is `seen`: of themselves, of the place where
    they stand and of the things there.
    """

    name: str
    args: tuple[str, ...] = ()
    value: str = BOOL
    initial: Any = None
    hoped: bool = False
    more: bool = False
    seen: bool = False

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.args)})"


def fluent(
    name: str, *args: str, value: str = BOOL, initial: Any = None, hoped: bool = False, seen: bool = False
) -> Declared:
    """Declare a fluent: `fluent("clean", "furniture")`, `fluent("water", "robot", value="number", initial=3)`."""
    if initial is None:
        initial = {BOOL: False, NUMBER: 0, LISTING: ()}.get(value)
    if seen and len(args) != 1:
        raise CoterieError(f"The fluent {name}({', '.join(args)}) cannot be seen: only what is about one name can be.")
    return Declared(name, args, value, initial, hoped, seen=seen)


def check_skill(skill: Skill, known: Mapping[str, Declared], parents: Mapping[str, str]) -> None:
    """Refuse a skill that names what the world does not have."""
    names = {"robot": "robot", **{p.name: p.kind for p in skill.params}}
    for used, effect in _used(skill):
        declared = known.get(used.pred)
        if declared is None:
            raise CoterieError(
                f"Skill '{skill.name}': {unknown_name('fluent', used.pred, known).brief} "
                f'If it is new, declare it beside the skill: skills.declare(fluent("{used.pred}", ...)).'
            )
        if len(used.args) != len(declared.args) and not (declared.more and len(used.args) > len(declared.args)):
            count = "1 argument" if len(used.args) == 1 else f"{len(used.args)} arguments"
            raise CoterieError(f"Skill '{skill.name}': {used} has {count}, but the fluent is {declared}. Write it so.")
        for arg, kind in zip(used.args, declared.args):
            if not isinstance(arg, str) or not arg.startswith("?"):
                continue
            if arg[1:] not in names:
                raise CoterieError(
                    f"Skill '{skill.name}': {arg} in {used} is no parameter of {skill.signature}. "
                    f"There are: {', '.join('?' + n for n in names)}."
                )
            if not can_be(names[arg[1:]], kind, parents):
                raise CoterieError(
                    f"Skill '{skill.name}': {used} is about {kind}, and {arg} is of the kind {names[arg[1:]]}; "
                    f"the fluent is {declared}."
                )
        if effect is not None:
            _check_effect(skill, effect, declared)
    for clause in skill.when:
        for part in _parts(clause.expr):
            if isinstance(part, Compare):
                _check_order(skill, part, known)


def check_condition(expr: Expr, known: Mapping[str, Declared]) -> None:
    """Refuse a condition that could be neither true nor false: of undeclared fluents, or that compares values which
    cannot be compared."""
    for used in fluents(expr):
        declared = known.get(used.pred)
        if declared is None:
            raise unknown_name("predicate", used.pred, known)
        if len(used.args) != len(declared.args) and not (declared.more and len(used.args) > len(declared.args)):
            raise CoterieError(f"{used} has {len(used.args)} arguments, but the fluent is {declared}.")
    for part in _parts(expr):
        if not isinstance(part, Compare):
            if not isinstance(part, Fluent) or known[part.pred].value not in (BOOL, ANY):
                raise CoterieError(f"'{part}' is neither true nor false; compare it with something.")
            continue
        sides = [_value_of(side, known) for side in (part.left, part.right)]
        if part.op in ORDER and any(v not in (NUMBER, ANY) for v in sides):
            raise CoterieError(f"'{part}' asks for more or less of what is no number.")
        if {BOOL, NUMBER} & set(sides) and ANY not in sides and sides[0] != sides[1]:
            raise CoterieError(f"'{part}' compares what is never the same.")


def _parts(expr: Expr) -> Iterator[Expr]:
    """The fluents and comparisons that a condition is made of."""
    if isinstance(expr, Not):
        yield from _parts(expr.expr)
    elif isinstance(expr, (All, Some)):
        for part in expr.exprs:
            yield from _parts(part)
    else:
        yield expr


def _value_of(term: Any, known: Mapping[str, Declared]) -> str:
    if isinstance(term, Fluent):
        return known[term.pred].value
    if isinstance(term, bool):
        return BOOL
    if isinstance(term, (Sum, int, float)):
        return NUMBER
    return ANY if isinstance(term, str) and term.startswith("?") else TEXT


def _used(skill: Skill) -> Iterator[tuple[Fluent, Effect | None]]:
    for clause in skill.when:
        yield from ((f, None) for f in fluents(clause.expr))
    for effect in skill.then:
        yield effect.fluent, effect
        yield from ((f, None) for part in (*effect.fluent.args, effect.value) for f in fluents(part))
    own = {"robot", *(p.name for p in skill.params)}
    for words in (skill.says, *(c.words for c in skill.when)):
        for name, args in slots(words):
            yield Fluent(name, tuple(f"?{a}" if a in own else a for a in args)), None


def _check_order(skill: Skill, compare: Compare, known: Mapping[str, Declared]) -> None:
    if compare.op not in ORDER:
        return
    for side in (compare.left, compare.right):
        value = known[side.pred].value if isinstance(side, Fluent) else NUMBER
        if value not in (NUMBER, ANY):
            raise CoterieError(
                f"Skill '{skill.name}': '{compare}' asks for more or less, and {side} is no number but a {value}."
            )


def _check_effect(skill: Skill, effect: Effect, declared: Declared) -> None:
    needs = {"increase": NUMBER, "decrease": NUMBER, "add": LISTING, "remove": LISTING}.get(effect.how)
    if needs is not None and declared.value not in (needs, ANY):
        raise CoterieError(
            f"Skill '{skill.name}': '{effect.how}' is for a {needs}, and {effect.fluent} is a {declared.value}. "
            f"Declare it with value='{needs}', or set it."
        )


def can_be(kind: str, wanted: str, parents: Mapping[str, str]) -> bool:
    """Whether a name of one kind can be of another; who is not in the hierarchy can be anything."""
    if kind not in parents or wanted not in parents:
        return True
    return is_a(kind, wanted, parents) or is_a(wanted, kind, parents)


def is_a(kind: str, wanted: str, parents: Mapping[str, str]) -> bool:
    while kind and kind != wanted:
        kind = parents.get(kind, "")
    return bool(kind)
