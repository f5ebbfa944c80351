"""A guess at what a sentence means that the grammar does not know: by its names, a few words that matter, and its mood.

A guess is never acted on by itself: whoever keeps the dialogue reads it back and waits for a yes, unless it only asks.
No guess is better than a bold one: where the words that matter do not point one way, there is none.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import replace
from functools import lru_cache

from coterie.mission.language import meanings as m
from coterie.mission.language.guess_frames import frames
from coterie.mission.language.heard import Heard, heard_of
from coterie.mission.language.meanings import Meaning
from coterie.mission.language.signs import MOST_CHARS
from coterie.mission.language.supposed import supposed
from coterie.mission.language.understand import known_words, understand
from coterie.mission.language.vocabulary import Vocabulary

MOST_WORDS = 30
MOST_PARTS = 4  # orders in one sentence
MOST_MISSPELT = 3  # words
ALIKE = 0.75  # of the letters of a word that was meant
_ODD = re.compile(
    r"\b(?:ignore|pretend|override|system|sudo|admin|administrator|(?:your|the|all) rules|instructions?|prompt)\b"
)

_UNCOUNTED = re.compile(
    r"(?<!\w)-\d|\d[.,]\d|\bhalf an?\b(?! dozen| hour)", re.I
)  # numbers of which nothing can be brought


def guess(sentence: str, vocabulary: Vocabulary, asked: bool = False) -> Meaning | None:
    """What a sentence probably means; None where nothing points one way."""
    if len(sentence) > MOST_CHARS or _UNCOUNTED.search(sentence):
        return None
    heard = heard_of(sentence, vocabulary, asked)
    if len(heard.text.split()) > MOST_WORDS or _ODD.search(heard.text) or not heard.text.isprintable():
        return None
    given = supposed(sentence, vocabulary, lambda part: guess(part, vocabulary, True))
    if given is not None:
        return given
    for frame in frames():
        found = frame(heard)
        if found is not None:
            return found if _whole(found, heard) else _in_parts(sentence, vocabulary)
    return _mended(sentence, vocabulary)


def _whole(found: Meaning, heard: Heard) -> bool:
    """Whether an order says all that the sentence names: half an order is another one."""
    if not isinstance(found, m.Order):
        return True
    said = re.findall(r"'([^']*)'", str(found.to_json()))
    names = {n for n in heard.of("kit", "item", "door", "room", "table")}
    return all(n in said or f"{n}door" in said for n in names)


def _in_parts(sentence: str, vocabulary: Vocabulary) -> Meaning | None:
    """An order that is made of several, each of which is guessed."""
    parts = [
        p for p in re.split(r"[,;]|\band\b|\bthen\b|\bafter that\b|\bafterwards\b", sentence, flags=re.I) if p.strip()
    ]
    if not 1 < len(parts) <= MOST_PARTS:
        return None
    found = [_order(p.strip(), vocabulary) for p in parts]
    orders = [x for x in found if x is not None]
    if len(orders) != len(found) or len({x.robots for x in orders}) > 1:
        return None
    return replace(orders[0], wants=tuple(w for x in orders for w in x.wants))


def _order(part: str, vocabulary: Vocabulary) -> m.Order | None:
    read = understand(part, vocabulary)
    heard = heard_of(part, vocabulary, False)
    tries = [*(x for x in read if isinstance(x, Meaning)), *(frame(heard) for frame in frames())]
    for found in tries:
        if isinstance(found, m.Order) and not found.when and not found.urgent and _whole(found, heard):
            return found
        if found is not None:
            return None
    return None


def _mended(sentence: str, vocabulary: Vocabulary) -> Meaning | None:
    """What a sentence would mean if words that nobody knows were misspelt."""
    words = re.findall(r"[A-Za-z]+", sentence)
    known = _spelt(tuple(vocabulary.phrases))
    odd = [w for w in words if w.lower() not in known]
    if not odd or len(odd) > MOST_MISSPELT or len(odd) == len(words) > 1 + MOST_MISSPELT:
        return None
    text = sentence
    for word in odd:
        near = difflib.get_close_matches(word.lower(), sorted(known), 1, ALIKE) if len(word) > 3 else []
        if not near:
            return None
        text = re.sub(rf"\b{word}\b", near[0], text)
    read = understand(text, vocabulary)
    found = read[0] if len(read) == 1 else None
    answers = (m.Things, m.Somewhere, m.Number, m.Approve, m.Refuse, m.Nothing)
    return found if isinstance(found, Meaning) and not isinstance(found, answers) else None


@lru_cache(maxsize=8)
def _spelt(phrases: tuple[str, ...]) -> frozenset[str]:
    return known_words() | {w for p in phrases for w in p.split()}


def is_safe(meaning: Meaning) -> bool:
    """Whether a guess may be answered without reading it back: it changes nothing."""
    return isinstance(meaning, (m.Ask, m.Greet, m.Repeat))
