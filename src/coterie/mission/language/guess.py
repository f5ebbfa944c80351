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
from coterie.mission.language.signs import MOST_CHARS
from coterie.mission.language.vocabulary import Vocabulary

MOST_WORDS = 30
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
    for frame in frames():
        found = frame(heard)
        if found is not None:
            return found
    return None


def is_safe(meaning: Meaning) -> bool:
    """Whether a guess may be answered without reading it back: it changes nothing."""
    return isinstance(meaning, (m.Ask, m.Greet, m.Repeat))
