"""Accounting: names, numbers and negations of a sentence must have a place in what it was read as.

A model that drops "without Spot" or takes "don't" for nothing is caught here, whatever its probability. Only closed
classes of words are looked at: the scene's own names, numbers, and the few words by which English negates and limits.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from coterie.talk import meanings as m
from coterie.talk.brief import Scene
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import NUMBERS, plural

WORD = re.compile(r"[\w':]+")
_SPELT = {word: number for number, word in enumerate(NUMBERS) if number > 1}  # "one" may be a pronoun
NEGATIONS = {"not", "no", "never", "dont", "don't", "doesn't", "isn't", "aren't", "cannot", "can't", "won't", "without",
             "nobody", "none", "neither", "except", "unless"}  # fmt: skip
LIMITS = {"without", "except", "unless"}  # of which a question must not lose any either
#: Meanings that need not name what the sentence names: it is about something else, or nothing is done.
ACTING = (m.Approve, m.Order, m.Permit, m.Zone, m.Alter, m.Policy, m.Tell)
SILENT = (m.Remark, m.Greet, m.Repeat, m.Unknown, m.Ambiguous, m.Stop)


def unaccounted(heard: str, meanings: Sequence[Meaning], scene: Scene) -> Iterator[str]:
    """Names and numbers in the sentence that no meaning holds, and negations that none expresses."""
    if not meanings or any(isinstance(x, SILENT) for x in meanings):
        return
    words = f" {' '.join(WORD.findall(heard.lower()))} "
    held = {str(v).lower() for x in meanings for v in _values(x)}
    yield from _names(words, held, scene)
    numbers = {v for x in meanings for v in _values(x) if type(v) is int}
    for word in words.split():
        number = int(word) if word.isdigit() and len(word) < 4 else _SPELT.get(word)
        if number and number not in numbers and not any(word in v for v in held):
            yield word
    asks = any(isinstance(x, m.Ask) for x in meanings)
    said = [w for w in words.split() if (w in LIMITS if asks else w in NEGATIONS or w.endswith("n't"))]
    looked_at = all(isinstance(x, (*ACTING, m.Ask)) for x in meanings)
    if said and looked_at and not any(map(_negative, meanings)):
        yield from said


def _names(words: str, held: set[str], scene: Scene) -> Iterator[str]:
    """Names of the scene that are spoken but not held, the longest first."""
    every = [(phrase, name.lower()) for names in scene.names.values() for phrase, name in names.items()]
    for phrase, name in sorted(every, key=lambda pair: -len(pair[0])):
        for form in dict.fromkeys((phrase.lower(), plural(phrase.lower()))):
            if f" {form} " in words:
                words = words.replace(f" {form} ", " ")
                if name not in held and not any(name in value for value in held):
                    yield phrase
                break


def _values(x: Any) -> Iterator[Any]:
    """All names, numbers and words that a meaning holds."""
    if dataclasses.is_dataclass(x):
        for field in dataclasses.fields(x):
            yield from _values(getattr(x, field.name))
    elif isinstance(x, (tuple, list)):
        for part in x:
            yield from _values(part)
    elif x is not None and x is not True and x is not False:
        yield x


def _negative(x: Meaning) -> bool:
    """Whether a meaning says no to something, leaves something out, or waits for something."""
    holds = [getattr(part, "holds", True) for part in _parts(x)]
    left_out = isinstance(x, (m.Order, m.Zone)) and bool(getattr(x, "without", ()) or getattr(x, "but", ()))
    waits = isinstance(x, m.Order) and bool(x.when or x.later)
    less = isinstance(x, m.Alter) and x.how in ("remove", "swap", "set")
    forbids = isinstance(x, m.Zone) and x.holds
    return not all(holds) or left_out or waits or less or forbids or isinstance(x, (m.Refuse, m.Steer, m.Correct))


def _parts(x: Any) -> Iterable[Any]:
    if dataclasses.is_dataclass(x):
        yield x
        for field in dataclasses.fields(x):
            yield from _parts(getattr(x, field.name))
    elif isinstance(x, (tuple, list)):
        for part in x:
            yield from _parts(part)
