"""Accounting: names, numbers and negations of a sentence must have a place in what it was read as.

A model that drops "without Spot" or takes "don't" for nothing is caught here, whatever its probability. Only closed
classes of words are looked at: the scene's own names, numbers, and the few words by which English negates and limits.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
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
    if said and looked_at and not any(x.negative for x in meanings):
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


def _values(x: Meaning) -> Iterator[Any]:
    """All names, numbers and words that a meaning holds."""
    inner = (part for part in m.parts_of(x) if isinstance(part, (str, int)) and not isinstance(part, bool))
    yield from inner


# -- marks --------------------------------------------------------------------------------------------------------
POINTS = {"the", "that", "this", "my", "our"}
ADDS = {"another", "also", "too", "well", "more", "again", "additional", "extra"}
BESIDES = {"another", "more", "additional", "extra", "further"}
NOT_COUNTED = {"no", "not", "any", "the", "some"}  # "no more gloves" adds none


def marked(heard: str, found: Sequence[Any], scene: Scene) -> list[Any]:
    """Meanings in which wants of "the medkit" are marked as definite: one that there is may be meant, and no new one;
    and wants and claims of "two more gloves" as more: so many besides those that are there."""
    words = WORD.findall(heard.lower())
    kits = {} if ADDS & set(words) else scene.names.get("kit", {})
    text = f" {' '.join(words)} "
    definite = {name for kit, name in kits.items() if any(f" {the} {kit.lower()} " in text for the in POINTS)}
    counted = [i for i, word in enumerate(words) if word in BESIDES and not NOT_COUNTED & set(words[i - 1 : i])]
    behind = [" ".join(words[i + 1 :]) for i in counted]
    behind = [rest.removeprefix("of ").removeprefix("the ").removeprefix("those ") + " " for rest in behind]
    more = {
        name for kind in ("item", "caddy") for phrase, name in scene.names.get(kind, {}).items()
        for form in (phrase.lower(), plural(phrase.lower())) if any(rest.startswith(f"{form} ") for rest in behind)
    }  # fmt: skip

    more |= {m.SAME} if counted else set()

    def mark(x: Any) -> Any:
        field = {m.Order: "wants", m.Tell: "claims"}.get(type(x), "")
        if isinstance(x, m.Things):
            return dataclasses.replace(x, more=bool(x.items) and {name for name, _ in x.items} <= more)
        rows = [
            dataclasses.replace(w, more=w.kind in (m.STOCK, m.SAME) and (w.what or w.kind) in more)
            for w in getattr(x, field, ())
        ]
        if field == "wants":
            rows = [dataclasses.replace(w, definite=w.what in definite and w.count == 1) for w in rows]
        return dataclasses.replace(x, **{field: tuple(rows)}) if field else x

    return [mark(x) for x in found]
