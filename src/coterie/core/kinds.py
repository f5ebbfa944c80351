"""Kinds of parameters: how each is written, parsed, listed and drawn.

A world declares its kinds once. The prompt, the grammar, the parser, the memory, random minds and planners all follow
from that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from coterie.core.expr import Lookup
from coterie.core.facts import UNKNOWN, Belief
from coterie.core.frozen import frozen


class Knower(Protocol):
    """The robot for which a kind is listed, as its own mind sees it."""

    @property
    def name(self) -> str: ...
    @property
    def belief(self) -> Belief: ...
    @property
    def look(self) -> Lookup: ...
    @property
    def heartbeat(self) -> tuple[str, ...]: ...


class Able(Knower, Protocol):
    """A robot whose actions are judged by what it knows: it also has skills and knows the public rules."""

    @property
    def skills(self) -> Mapping[str, Any]: ...
    @property
    def rules(self) -> Sequence[Any]: ...


@frozen
class Misread:
    """Why a text names no value of a kind."""

    reason: str


def known_names(me: Knower) -> Sequence[Any]:
    """Every name that a robot has heard of: what a kind can be of which nothing else is known."""
    told = dict.fromkeys(a for f in me.belief.facts() for a in f.args)
    return [n for n in told if n != me.name]


def teammates(me: Knower) -> Sequence[str]:
    return list(me.heartbeat)


def listening(me: Knower) -> Sequence[str]:
    return [*me.heartbeat, "all"]


def things_known(me: Knower) -> Sequence[str]:
    """Things whose place is known, in the order in which they were heard of."""
    return [f.args[0] for f in me.belief.facts("where") if f.value is not UNKNOWN]


def alternatives(names: Iterable[Any]) -> str:
    """GBNF for one of these names."""
    return _either(tuple(map(str, names)))


@lru_cache(maxsize=2000)
def _either(names: tuple[str, ...]) -> str:
    return " | ".join([literal for n in names if (literal := _literal(n))]) or '"nothing"'


def _literal(name: str) -> str:
    safe = "".join([c for c in name if c.isalnum() or c in "_-@.,"])
    return f'"{safe}"' if safe else ""


@frozen
class Kind:
    """`names` are what a value can be, as a robot knows it; the rest has a use where a kind is not just a name."""

    name: str
    names: Callable[[Knower], Sequence[Any]] = known_names
    parent: str = ""  # of which it is a special case: every container is furniture
    rule: str = ""  # its rule in grammars; by default its name
    form: str = ""  # what stands in a call where that is not the rule alone: "(place | platform)"
    gbnf: Callable[[Knower], str] | None = None  # the rule's text; by default one of its names
    beside: Callable[[Knower, str], Sequence[Any]] | None = None  # its values beside one of the parameter before it
    tried: Callable[[Knower, tuple[Any, ...]], Sequence[Any]] | None = None  # all that may be tried; by default `names`
    usual: bool = False  # the rule stands in every grammar of the world, whether a body uses it or not
    read: Callable[[str], Any] = str  # from text to a value, or to a Misread
    write: Callable[[Any], str] = str  # and back
    pattern: str = ""  # a regular expression for one value, where that is not a plain name
    quoted: bool = False  # free words between quotes
    many: bool = False  # a tuple of names
    span: tuple[float, float] | None = None  # from where to where numbers are drawn
    held: bool = False  # what a robot holds in its hand is the likeliest value
    kept: bool = True  # a robot remembers it of its own actions
    planned: bool = True  # a planner can name it

    @property
    def rule_name(self) -> str:
        return self.rule or self.name.replace("_", "-")

    @property
    def call_form(self) -> str:
        return self.form or self.rule_name

    def rule_text(self, me: Knower) -> str:
        return self.gbnf(me) if self.gbnf is not None else alternatives(sorted({str(n) for n in self.names(me)}))


def number_from(text: str) -> Any:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    return value if math.isfinite(value) else Misread(f"'{text[:40]}' is not a number")


def number(name: str, lo: float, hi: float, **more: Any) -> Kind:
    """A kind of numbers; `lo` and `hi` are what is worth trying."""
    return Kind(
        name,
        names=lambda me: (),
        gbnf=lambda me: '"-"? [0-9]{1,3} ("." [0-9]{1,2})?',
        read=number_from,
        write=lambda v: f"{v:g}" if isinstance(v, (int, float)) else str(v),
        span=(lo, hi),
        planned=False,
        **more,
    )


TEXT = Kind("text", names=lambda me: (), rule="words", quoted=True, usual=True, planned=False)
ROBOT = Kind("robot", names=teammates)
ROBOTS = Kind(
    "robots",
    names=listening,
    rule="who",
    gbnf=lambda me: alternatives(["all", *sorted(n for n in me.heartbeat if n != me.name)]),
    many=True,
    kept=False,
    planned=False,
    usual=True,
)
