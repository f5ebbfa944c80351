"""One run of clingo over facts and rules that were chosen for it, and values as clingo writes them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from coterie.core.errors import CoterieError
from coterie.mission.knowledge.terms import NOTHING, Atom, Row, is_plain_name

REAL, BROKEN = "_real", "_broken"
_MOST = 2**31 - 1  # what fits into a number of clingo


def clingo() -> Any:
    """The answer-set solver, or the sentence that says how to get it."""
    return _load("clingo")


def clingo_ast() -> Any:
    return _load("clingo.ast")


def _load(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise CoterieError(
            f"Rules need the package 'clingo', which could not be loaded ({error}). "
            "Get it with: pip install 'coterie[mission]'"
        ) from error


@lru_cache(maxsize=200_000)
def _symbol(kind: str, value: Any) -> Any:
    c = clingo()
    if value is None:
        return c.Function(NOTHING)
    if isinstance(value, str):
        return c.Function(value) if is_plain_name(value) else c.String(value)
    if isinstance(value, int) and -_MOST <= value <= _MOST:
        return c.Number(value)
    return c.Function(REAL, [c.String(repr(value))])


def symbol(value: Any) -> Any:
    """A value as a symbol: names as they are, other texts between quotes, fractions as what equals only itself."""
    if type(value) is float and value.is_integer():
        value = int(value)
    return _symbol(str(type(value)), value)


def value_of_symbol(found: Any) -> Any:
    kinds = clingo().SymbolType
    if found.type == kinds.Number:
        return found.number
    if found.type == kinds.String:
        return found.string
    if found.type == kinds.Function and not found.arguments:
        return None if found.name == NOTHING else found.name
    if found.type == kinds.Function and found.name == REAL:
        text = found.arguments[0].string
        return int(text) if text.lstrip("-").isdigit() else float(text)
    return str(found)


def solver_name(name: str) -> str:
    """The name of a relation for the solver: what is known to be false is a relation of its own.

    The solver's own `-p` would make all answers vanish where something is said to be so and not so.
    """
    return f"_no_{name[1:]}" if name.startswith("-") else name


MOST_S = 20.0  # for all the ways the world could be


class Contradiction(CoterieError):
    """Rules that leave no way the world could be."""


def run(
    rules: Sequence[str], facts: Iterable[Atom], goal: tuple[str, int], sure: str,
    checks: Sequence[tuple[Sequence[str], str]] = (),
) -> tuple[list[Row], list[tuple[int, Row]]]:  # fmt: skip
    """The rows of the goal that are certain or possible over all ways the world could be, and checks (their variables,
    and what must not be) that facts alone break. Without `sure`, checks alone are looked at."""
    c = clingo()
    messages: list[str] = []
    options = ["--models", "0", "--enum-mode", "brave" if sure == "possible" else "cautious"]
    control = c.Control(options, logger=lambda code, words: messages.append(words), message_limit=5)
    held = [f"{BROKEN}({i},t({','.join(names)})) :- {body}." for i, (names, body) in enumerate(checks)]
    try:
        control.add("base", [], "\n".join([*rules, *held, f"#show {goal[0]}/{goal[1]}."]))
        with control.backend() as backend:
            for name, row in facts:
                atom = backend.add_atom(c.Function(solver_name(name), [symbol(v) for v in row]))
                backend.add_rule([atom])
        control.ground([("base", [])])
    except RuntimeError:
        raise CoterieError(f"This cannot be asked: {_words(messages)}.") from None
    atoms = list(control.symbolic_atoms.by_signature(*goal))
    broken = list(control.symbolic_atoms.by_signature(BROKEN, 2))
    told = [(a.symbol.arguments[0].number, _row(a.symbol.arguments[1])) for a in broken if a.is_fact]
    if not sure or all(a.is_fact for a in atoms):  # nothing is left to search for
        return _sorted([a.symbol for a in atoms]), sorted(told, key=lambda one: (one[0], order(one[1])))
    with control.backend() as backend:
        for check in broken:
            if not check.is_fact:  # it rests on what is open, and decides
                backend.add_rule([], [check.literal])
    last: list[Any] = []

    def keep(model: Any) -> None:
        last[:] = model.symbols(shown=True)

    with control.solve(async_=True, on_model=keep) as handle:
        if not handle.wait(MOST_S):
            handle.cancel()
            raise CoterieError(f"The rules leave so much open that {MOST_S:g} s were not enough; make them stricter.")
        result = handle.get()
    if not result.satisfiable:
        raise Contradiction("The rules contradict what is known: there is no way the world could be.")
    return _sorted(last), told


def _sorted(symbols: Iterable[Any]) -> list[Row]:
    return sorted(map(_row, symbols), key=order)


def _row(found: Any) -> Row:
    return tuple(value_of_symbol(a) for a in found.arguments)


def order(row: Row) -> list[tuple[str, Any]]:
    """Rows in an order that does not depend on how they were found."""
    return [(type(v).__name__, str(v) if v is None else v) for v in row]


def _words(messages: list[str]) -> str:
    if not messages:
        return "no reason given"
    return re.sub(r"<block>:[^ ]* ", "", messages[0].strip().replace("\n", " "))[:300]
