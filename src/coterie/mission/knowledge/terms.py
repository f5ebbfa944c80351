"""Parts of questions and rules: variables, literals and comparisons.

What is not known is not so (`Negated`); what is known not to be so is a relation of its own, whose name begins with
"-".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coterie.core.bounds import brief
from coterie.core.errors import CoterieError
from coterie.core.expr import OPS, ORDER
from coterie.core.facts import UNKNOWN, Fact


@dataclass(frozen=True)
class Var:
    name: str


@dataclass(frozen=True)
class Arith:
    op: str  # + - *
    left: Term
    right: Term


@dataclass(frozen=True)
class Odd:
    """A term that only the solver of rules understands: it may be anything."""

    names: tuple[str, ...] = ()  # of the variables in it


Term = Any  # Var, Arith, Odd, or a value


@dataclass(frozen=True)
class Literal:
    name: str
    args: tuple[Term, ...]


@dataclass(frozen=True)
class Comparison:
    op: str  # one of core.expr.OPS but "in"
    left: Term
    right: Term


@dataclass(frozen=True)
class Negated:
    """There is no way to make the body true; variables that stand nowhere else may be anything."""

    body: Body


@dataclass(frozen=True)
class Either:
    bodies: tuple[Body, ...]


Part = Literal | Comparison | Negated | Either
Body = tuple[Part, ...]


def variables(what: Any) -> frozenset[str]:
    """The names of the variables in a term, a part or a body."""
    if isinstance(what, Var):
        return frozenset((what.name,))
    if isinstance(what, (Arith, Comparison)):
        return variables(what.left) | variables(what.right)
    if isinstance(what, Odd):
        return frozenset(what.names)
    if isinstance(what, Literal):
        return _union(what.args)
    if isinstance(what, Negated):
        return _union(what.body)
    if isinstance(what, Either):
        return _union([p for b in what.bodies for p in b])
    return _union(what) if isinstance(what, tuple) else frozenset()


def _union(parts: Sequence[Any]) -> frozenset[str]:
    return frozenset().union(*[variables(p) for p in parts]) if parts else frozenset()


def value_of(term: Term, binding: Mapping[str, Any]) -> Any:
    """The value of a term; None for a sum of what are no numbers."""
    if isinstance(term, Var):
        return binding[term.name]
    if isinstance(term, Arith):
        left, right = value_of(term.left, binding), value_of(term.right, binding)
        if not (_is_number(left) and _is_number(right)):
            return None
        return plain(left + right if term.op == "+" else left - right if term.op == "-" else left * right)
    return term


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def compare(op: str, left: Any, right: Any) -> bool:
    """Only numbers are more or less than numbers, and texts than texts."""
    numbers = _is_number(left) and _is_number(right)
    if op in ORDER and not numbers and not (isinstance(left, str) and isinstance(right, str)):
        return False
    return OPS[op](left, right)


# -- facts as relations -----------------------------------------------------------------------------------------------
# Facts as relations: every fact is one or more rows of a table.
#     open(door1) = True                  the row (door1) of `open`
#     open(door1) = False                 the row (door1) of `-open`: known not to be so
#     where(box) = table_e                the row (box, table_e) of `where`
#     contents(tray) = (cup, book)        the rows (tray, cup) and (tray, book) of `contents`
# What no row says is not known.
NAME = re.compile(r"[a-z][A-Za-z0-9_]*")  # what rules can write without quotes; the rest stands between them
NOTHING = "none"
Row = tuple[Any, ...]
Atom = tuple[str, Row]  # the name of a relation, "-" before it for what is known to be false, and a row of it
Key = tuple[Any, ...]  # predicate and arguments of a fact


def is_plain_name(text: str) -> bool:
    return NAME.fullmatch(text) is not None and text != "not"


def rows_of(fact: Fact) -> list[Atom]:
    """The rows that a fact is."""
    pred, args, value = fact.pred, fact.args, fact.value
    if value is True:
        return [(pred, args)]
    if value is False:
        return [(f"-{pred}", args)]
    if value is UNKNOWN:
        return []
    if isinstance(value, tuple):
        return [(pred, (*args, plain(member))) for member in value]
    return [(pred, (*args, plain(value)))]


def plain(value: Any) -> Any:
    """A value as it stands in a row: 2.0 painkillers are 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def same(one: object, other: object) -> bool:
    """True if two values are the same: 1 is 1.0, and neither is True."""
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def check_fact(fact: Fact) -> None:
    """Refuse what could not be found again, or would be taken for something else."""
    if not is_plain_name(fact.pred):
        raise CoterieError(
            f"{brief(fact.pred)} cannot be the name of a predicate; it is a small letter, then letters, digits and _."
        )
    if not all(isinstance(a, str) for a in fact.args):
        raise CoterieError(f"{fact.pred}{brief(fact.args)}: arguments of facts are names.")
    values = fact.value if isinstance(fact.value, tuple) else (fact.value,)
    if not all(v is None or v is UNKNOWN or isinstance(v, (str, int, float)) for v in values):
        raise CoterieError(f"{fact}: a value is a name, a number, yes or no, nothing, or several names.")
    if NOTHING in (*fact.args, *values):
        raise CoterieError(f"{fact}: '{NOTHING}' is no name, but the word of rules for nothing; the value is None.")


class Facts:
    """Facts by predicate and arguments. The last word on a thing counts."""

    def __init__(self, facts: Iterable[Fact] = ()):
        self.by_key: dict[Key, Fact] = {}
        for fact in facts:
            self.put(fact)

    def __iter__(self) -> Iterator[Fact]:
        return iter(list(self.by_key.values()))

    def put(self, fact: Fact) -> Fact | None:
        """Take a fact in; what was held before, if anything."""
        key = (fact.pred, *fact.args)
        old, self.by_key[key] = self.by_key.get(key), fact
        return old

    def drop(self, key: Key) -> Fact | None:
        return self.by_key.pop(key, None)

    def fact(self, key: Key) -> Fact | None:
        return self.by_key.get(key)


class Supposed:
    """Facts as they would be with some others in their place: nothing is copied and nothing changed."""

    def __init__(self, below: Facts, put: Iterable[Fact]):
        """A fact whose value is UNKNOWN takes away what is known."""
        self.below, self.put = below, Facts(put)

    def __iter__(self) -> Iterator[Fact]:
        yield from (f for f in self.below if (f.pred, *f.args) not in self.put.by_key)
        yield from (f for f in self.put if f.value is not UNKNOWN)

    def fact(self, key: Key) -> Fact | None:
        found = self.put.fact(key) or self.below.fact(key)
        return None if found is None or found.value is UNKNOWN else found
