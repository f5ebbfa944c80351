"""A skill is an action type as data: who may use it when, what it does, and what to say when it cannot."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple

from coterie.core.expr import (
    Bindings,
    Compare,
    Compiled,
    Expr,
    Fluent,
    Lookup,
    compile_expr,
    compile_term,
    fluents,
    turns_on,
)
from coterie.core.facts import UNKNOWN
from coterie.core.frozen import frozen

_SLOT = re.compile(r"\{([a-z_]+)(?:\(([^)]*)\))?(?::([^}]*))?\}")


class Param(NamedTuple):
    """A parameter of a skill.

    `kind` says what it can be; the world's language knows how a kind is written, read and listed. `shown` is the word
    that stands for it in prompts, its own name if nothing is said; with `shown=""` models neither see nor write it.
    `default` is taken where a reply leaves it out.
    """

    name: str
    kind: str
    shown: str | None = None
    default: Any = None

    @property
    def label(self) -> str:
        return self.name if self.shown is None else self.shown

    @property
    def hidden(self) -> bool:
        return self.shown == ""


@frozen
class Clause:
    """A condition, the words for its failure, and a name by which programs know it.

    Slots in the words are parameters (`{object}`) or fluents with a format (`{gap(robot, object):.2f}`). The name is
    the predicate that the condition turns on, unless another is given; within a skill all names differ.
    """

    expr: Expr
    words: str
    name: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            on = turns_on(self.expr) or next(iter(fluents(self.expr)), None)
            object.__setattr__(self, "name", on.pred if on is not None else "")

    @cached_property
    def turning(self) -> tuple[str, tuple[Compiled, ...]] | None:
        """The predicate that the condition turns on, and what its arguments are made of."""
        fluent = turns_on(self.expr)
        return None if fluent is None else (fluent.pred, tuple(compile_term(a) for a in fluent.args))

    def shows(self, fluent: Fluent) -> bool:
        """Do the words tell the value of this fluent?"""
        wanted = tuple(str(a).removeprefix("?") for a in fluent.args)
        return any(not isinstance(p, str) and p[0] == fluent.pred and p[1] == wanted for p in _parts(self.words))


How = Literal["set", "increase", "decrease", "add", "remove"]


class Effect(NamedTuple):
    """After success, `fluent` has `value` (a constant, a `?parameter`, another fluent, or a sum of such).

    `how` is for what builds on the value before: numbers that grow and shrink, listings that gain and lose an entry.
    """

    fluent: Fluent
    value: Any
    how: How = "set"


def increase(fluent: Fluent, by: Any = 1) -> Effect:
    return Effect(fluent, by, "increase")


def decrease(fluent: Fluent, by: Any = 1) -> Effect:
    return Effect(fluent, by, "decrease")


def add(fluent: Fluent, entry: Any) -> Effect:
    """A listing gains an entry; one that is there already is not listed twice."""
    return Effect(fluent, entry, "add")


def remove(fluent: Fluent, entry: Any) -> Effect:
    """A listing loses an entry, if it was there."""
    return Effect(fluent, entry, "remove")


@frozen
class Skill:
    """An action type as data: parameters, conditions with words for their failure, effects, duration."""

    name: str
    params: tuple[Param, ...]
    when: tuple[Clause, ...] = ()
    then: tuple[Effect, ...] = ()
    duration_s: float = 1.0
    says: str = ""  # words for success, same slots as a clause
    help: str = ""  # what it does, in a few words: for prompts and `--help`
    form: str = ""  # how it is written where that is not `name(...)`: "PICK {object} PLACE {target}"
    unread: str = ""  # what to answer where its arguments cannot be read
    home: Any = field(default=None, compare=False, repr=False)  # the skills of the world that it was put into

    @cached_property
    def tests(self) -> tuple[tuple[Clause, Compiled], ...]:
        return tuple((c, compile_expr(c.expr)) for c in self.when)

    @cached_property
    def changes(self) -> tuple[tuple[Effect, tuple[Compiled, ...], Compiled], ...]:
        """Each effect with what its arguments and its value are made of."""
        return tuple((e, tuple(compile_term(a) for a in e.fluent.args), compile_term(e.value)) for e in self.then)

    @cached_property
    def shown(self) -> tuple[Param, ...]:
        """The parameters that models see and write."""
        return tuple(p for p in self.params if not p.hidden)

    @cached_property
    def line(self) -> str:
        """How it stands in a prompt."""
        return f"{self.name}({', '.join(p.label for p in self.shown)}): {self.help}"

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(p.name for p in self.params)})"

    def stated(self, param: Param) -> str:
        """The fluent of the robot alone that a parameter must equal, like what it holds; empty where there is none."""
        for clause in self.when:
            expr = clause.expr
            if (
                isinstance(expr, Compare)
                and expr.op == "=="
                and isinstance(expr.left, Fluent)
                and expr.left.args == ("?robot",)
                and expr.right == f"?{param.name}"
            ):
                return expr.left.pred
        return ""

    def bind(self, robot: str, args: tuple[Any, ...]) -> dict[str, Any] | None:
        """Parameter names to values, the acting robot included; None when the number of arguments is wrong."""
        if len(args) != len(self.params):
            return None
        bound: dict[str, Any] = {"robot": robot}
        for param, arg in zip(self.params, args):
            bound[param.name] = arg
        return bound


class Rule(NamedTuple):
    """A constraint of the task on one skill. Hidden rules are learnt by breaking them."""

    name: str
    skill: str
    clause: Clause
    public: bool = True


Slot = tuple[str, tuple[str, ...] | None, str]  # name, arguments of a fluent or None for a parameter, format


@lru_cache(maxsize=4096)
def _parts(words: str) -> tuple[str | Slot, ...]:
    """Plain text and slots, in turn."""
    parts: list[str | Slot] = []
    end = 0
    for match in _SLOT.finditer(words):
        if match.start() > end:
            parts.append(words[end : match.start()])
        name, args, spec = match.groups()
        split = None if args is None else tuple(a.strip() for a in args.split(",") if a.strip())
        parts.append((name, split, spec or ""))
        end = match.end()
    if end < len(words):
        parts.append(words[end:])
    return tuple(parts)


def slots(words: str) -> list[tuple[str, tuple[str, ...]]]:
    """The fluents that words ask for, with their arguments."""
    return [(part[0], part[1]) for part in _parts(words) if not isinstance(part, str) and part[1] is not None]


def fill(words: str, bound: Mapping[str, Any], look: Lookup) -> str:
    """Put parameters and fluent values into the slots of `words`."""
    out: list[str] = []
    for part in _parts(words):
        if isinstance(part, str):
            out.append(part)
            continue
        name, args, spec = part
        value = bound.get(name) if args is None else look(name, *[bound.get(a, a) for a in args])
        if type(value) is str and not spec:
            out.append(value)
            continue
        if args is None and name not in bound:
            value = "{" + name + "}"
        if value is UNKNOWN:
            out.append("unknown")
            continue
        try:
            out.append(format(value, spec))
        except (TypeError, ValueError):
            out.append(str(value))
    return "".join(out)


# -- effects as new values --------------------------------------------------------------------------------------------
# The effects of a skill as new values of fluents; every world applies them in the same way.
Key = tuple[Any, ...]  # predicate and arguments


def outcome_of(skill: Skill, bound: Bindings, look: Lookup) -> dict[Key, Any]:
    """Return the new value of each fluent, computed on the state before: the order of effects does not matter.

    Several effects that build on one value add up.
    """
    changed: dict[Key, Any] = {}
    for effect, args, value in skill.changes:
        key = (effect.fluent.pred, *[a(look, bound) for a in args])
        if effect.how == "set":
            changed[key] = value(look, bound)
            continue
        before = changed[key] if key in changed else look(*key)
        changed[key] = _after(effect, value(look, bound), before)
    return changed


def _after(effect: Effect, value: Any, before: Any) -> Any:
    if effect.how in ("increase", "decrease"):
        amount = 0 if value is None or value is UNKNOWN else value
        start = 0 if before is None or before is UNKNOWN else before
        return start + amount if effect.how == "increase" else start - amount
    listed = tuple(before) if isinstance(before, (tuple, list)) else ()
    others = tuple(x for x in listed if x != value)
    if effect.how == "remove":
        return others
    return listed if value in listed else (*listed, value)
