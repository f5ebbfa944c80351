"""Values as clingo writes them, and back. The package is asked for where it is used."""

from __future__ import annotations

import importlib
import re
from functools import lru_cache
from typing import Any

from coterie.core.errors import CoterieError

NAME = re.compile(r"[a-z][A-Za-z0-9_]*")  # what rules can write without quotes; the rest stands between them
NOTHING, REAL = "none", "_real"
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


def is_plain_name(text: str) -> bool:
    return NAME.fullmatch(text) is not None and text != "not"


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
