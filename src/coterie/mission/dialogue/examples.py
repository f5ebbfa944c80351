"""Sentences that can be said, in the names of a scene: the lines of `examples.txt`, filled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import cycle, product
from string import Formatter

from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording, upper

EVERY = "* "  # before a line: all names with all others


def sentences(heading: str, vocabulary: Vocabulary) -> list[str]:
    """All sentences under a heading; none of a line for which there are no names."""
    return list(dict.fromkeys(said for line in _lines()[heading] for said in filled(line, vocabulary)))


def tips(heading: str, vocabulary: Vocabulary) -> list[str]:
    """One sentence for each line under a heading, if there is one."""
    return [said for line in _lines()[heading] for said in list(filled(line, vocabulary))[:1]]


def filled(line: str, vocabulary: Vocabulary) -> Iterator[str]:
    """A line in all names. What a scene names last comes first: there are the rooms and people that are spoken of."""
    words, slots = line.removeprefix(EVERY), [field for _, field, _, _ in Formatter().parse(line) if field]
    names = [vocabulary.names(slot.split()[-1])[::-1] for slot in slots]
    alone = line.startswith(EVERY) or len(names) < 2 or not all(names)
    for row in product(*names) if alone else zip(names[0], *map(cycle, names[1:])):
        yield upper(words.format(**{slot: _said(slot, name, vocabulary) for slot, name in zip(slots, row)}))


def _said(slot: str, name: str, vocabulary: Vocabulary) -> str:
    """A name as its braces want it."""
    wording, article = Wording(vocabulary), slot.split()[0]
    if article in ("a", "two"):
        return wording.some(name, 1 if article == "a" else 2)
    if article == "many":
        return wording.some(name, 2).partition(" ")[2]
    return wording.name(name) if article == "the" else vocabulary.phrase(name)


@cache
def _lines() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (files(__package__) / "examples.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            lines = found[line.removeprefix("= ")] = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return found
