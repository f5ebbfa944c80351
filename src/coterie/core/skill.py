"""A skill is an action type as data: who may use it when, what it does, and what to say when it cannot."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from coterie.core.expr import Compiled, Expr, Fluent, Lookup, compile_expr, fluents, turns_on
from coterie.core.facts import UNKNOWN

_SLOT = re.compile(r"\{([a-z_]+)(?:\(([^)]*)\))?(?::([^}]*))?\}")


class Param(NamedTuple):
    """A parameter of a skill. `kind` is the type named in prompts, grammars and PDDL."""

    name: str
    kind: str


@dataclass(frozen=True)
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

    def shows(self, fluent: Fluent) -> bool:
        """Do the words tell the value of this fluent?"""
        wanted = tuple(str(a).removeprefix("?") for a in fluent.args)
        return any(not isinstance(p, str) and p[0] == fluent.pred and p[1] == wanted for p in _parts(self.words))


class Effect(NamedTuple):
    """After success, `fluent` has `value` (a constant, a `?parameter`, or another fluent)."""

    fluent: Fluent
    value: Any


@dataclass(frozen=True)
class Skill:
    name: str
    params: tuple[Param, ...]
    when: tuple[Clause, ...] = ()
    then: tuple[Effect, ...] = ()
    duration_s: float = 1.0
    says: str = ""  # words for success, same slots as a clause
    help: str = ""  # one line for prompts and `--help`

    @cached_property
    def tests(self) -> tuple[tuple[Clause, Compiled], ...]:
        return tuple((c, compile_expr(c.expr)) for c in self.when)

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(p.name for p in self.params)})"

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


def fill(words: str, bound: Mapping[str, Any], look: Lookup) -> str:
    """Put parameters and fluent values into the slots of `words`."""
    out: list[str] = []
    for part in _parts(words):
        if isinstance(part, str):
            out.append(part)
            continue
        name, args, spec = part
        value = bound.get(name, "{" + name + "}") if args is None else look(name, *[bound.get(a, a) for a in args])
        if value is UNKNOWN:
            out.append("unknown")
            continue
        try:
            out.append(format(value, spec))
        except (TypeError, ValueError):
            out.append(str(value))
    return "".join(out)
