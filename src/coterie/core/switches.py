"""Numbers by name, as people type them behind an option: `slip=0.1,miss=0.05`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple, Self, cast

from coterie.core.errors import CoterieError, unknown_name


class Switch(NamedTuple):
    name: str
    value: float
    typed: str  # with its option, for complaints: "--noise slip=0.1"


def switches(
    option: str,
    text: str,
    what: str,
    known: Iterable[str],
    example: Callable[[str], str],
    also: Iterable[str] = (),
    whole: Collection[str] = (),
) -> Iterator[Switch]:
    """Each part of a text. A name that is not known and a value that is no number are refused in a sentence.

    `what` is one of the `known` in words, `example` shows how one of them is written; `also` can be typed in place of
    all of them. Those in `whole` are whole numbers. What a number may be, the caller knows.
    """
    known, given = list(known), set[str]()
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in known:
            raise unknown_name(what, name, [*known, *also])
        if name in given:
            raise CoterieError(f"{option} {text}: {name} stands there twice; say it once.")
        given.add(name)
        try:
            number = int(value) if name in whole else float(value)
        except ValueError:
            raise CoterieError(f"{option} {part}: write {example(name)}.") from None
        yield Switch(name, number, f"{option} {part}")


def rates(text: str, known: Iterable[str], lengths: Mapping[str, float] = {}) -> dict[str, float]:
    """Kinds of `--noise`, each with how likely it is; of `lengths`, how long [m], up to the given one."""
    found: dict[str, float] = {}
    for name, value, typed in switches("--noise", text, "kind of noise", known, partial(_example, lengths), ALSO):
        most = lengths.get(name, 1.0)
        if not 0.0 <= value <= most:
            what = f"it is a length of at most {most:g} m" if name in lengths else "a probability lies between 0 and 1"
            raise CoterieError(f"{typed}: {what}.")
        found[name] = value
    return found


def _example(lengths: Collection[str], name: str) -> str:
    return f"metres, like {name}=0.004" if name in lengths else f"a probability, like {name}=0.1"


ALSO = ("real", "none")  # instead of rates


class Rates:
    """How often or by how much things go wrong: the base of a frozen dataclass of numbers, all 0 by default."""

    #: Numbers that are in metres, each with the most; others are probabilities.
    lengths: ClassVar[Mapping[str, float]] = {}
    real: ClassVar[Any]  # those of real robots

    @cached_property
    def any(self) -> bool:
        return any(getattr(self, f.name) > 0 for f in fields(self))  # type: ignore[arg-type]

    @classmethod
    def read(cls, text: str) -> Self:
        """`"slip=0.1,miss=0.05"`, `"real"` or `"none"`."""
        if text in ("", "none"):
            return cls()
        names = (f.name for f in fields(cls))  # type: ignore[arg-type]
        return cast(Self, cls.real) if text == "real" else cls(**rates(text, names, cls.lengths))
