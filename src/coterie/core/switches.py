"""Numbers by name, as people type them behind an option: `slip=0.1,miss=0.05`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

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


def probabilities(text: str, known: Iterable[str]) -> dict[str, float]:
    """Kinds of `--noise`, each with how likely it is."""
    found: dict[str, float] = {}
    example = "a probability, like {}=0.1".format
    for name, value, typed in switches("--noise", text, "kind of noise", known, example, also=("real", "none")):
        if not 0.0 <= value <= 1.0:
            raise CoterieError(f"{typed}: a probability lies between 0 and 1.")
        found[name] = value
    return found
