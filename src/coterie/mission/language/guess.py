"""A guess at what a sentence means that the grammar does not know: by its names, a few words that matter, and its mood.

A guess is never acted on by itself: whoever keeps the dialogue reads it back and waits for a yes, unless it only asks.
No guess is better than a bold one: where the words that matter do not point one way, there is none.
"""

from __future__ import annotations

import re

from coterie.mission.language import meanings as m
from coterie.mission.language.guess_frames import frames
from coterie.mission.language.heard import heard_of
from coterie.mission.language.meanings import Meaning
from coterie.mission.language.signs import MOST_CHARS, signed
from coterie.mission.language.vocabulary import Vocabulary

MOST_WORDS = 30
_ODD = re.compile(
    r"\b(?:ignore|pretend|override|system|sudo|admin|administrator|(?:your|the|all) rules|instructions?|prompt)\b"
)


def guess(sentence: str, vocabulary: Vocabulary, asked: bool = False) -> Meaning | None:
    """What a sentence probably means; None where nothing points one way."""
    if len(sentence) > MOST_CHARS:
        return None
    heard = heard_of(sentence, vocabulary, asked)
    if len(heard.text.split()) > MOST_WORDS or _ODD.search(heard.text) or not heard.text.isprintable():
        return None
    for frame in frames():
        found = frame(heard)
        if found is not None:
            return found
    return None


_NEW = re.compile(r"(?:(«n\d+»|an?|the|some)\s+)?([a-z]+(?: [a-z]+){0,2})")


def new_things(sentence: str, vocabulary: Vocabulary) -> m.Things | None:
    """Things that nobody knows, where some are asked for: "two ice packs"; None where it may be something else."""
    words = signed(sentence.strip(" .!"), vocabulary)
    found = _NEW.fullmatch(words.text)
    if found is None or found[2].split()[0] in ("what", "who", "why", "how", "is", "no", "yes", "stop", "not", "do"):
        return None
    count = words.numbers.get(found[1] or "", 1)
    return m.Things(((found[2], count),), (found[2],))


def is_safe(meaning: Meaning) -> bool:
    """Whether a guess may be answered without reading it back: it changes nothing."""
    return isinstance(meaning, (m.Ask, m.Greet, m.Repeat))
