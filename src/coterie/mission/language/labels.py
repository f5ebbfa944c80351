"""Names that people give to what they teach: any that does not mean something already.

Names stand before all other words when a sentence is read. A kit called "stop" would hide the word by which everybody
stops robots.
"""

from __future__ import annotations

import re

from coterie.mission.language.signs import is_polite, signed
from coterie.mission.language.understand import known_words, understand
from coterie.talk import meanings as m
from coterie.talk.vocabulary import Vocabulary, plural, spaced

MOST_CHARS = 40
_NAME = re.compile(r"[^\W\d_][\w '-]*")


def taken(label: str, vocabulary: Vocabulary) -> str:
    """Why something cannot be called so, as the beginning of a sentence; nothing where it can."""
    plain = " ".join(label.lower().split())
    if not _NAME.fullmatch(plain) or len(plain) > MOST_CHARS:
        return f"A name begins with a letter, has letters, digits and spaces, and at most {MOST_CHARS} of them"
    for form in dict.fromkeys((plain, spaced(label), plural(plain))):
        if form in vocabulary.phrases:
            return f"'{label}' is the name of something else here"
        if _means_something(form, vocabulary):
            return f"'{label}' is a word that I need for something else"
    return ""


def _means_something(form: str, vocabulary: Vocabulary) -> bool:
    text = signed(form, vocabulary).text
    if (
        not text or is_polite(form) or (" " not in form and (text != form or form in known_words()))
    ):  # politeness, a number, a known word
        return True
    (found,) = understand(form, vocabulary) or [m.Nothing()]
    return isinstance(found, m.Meaning) and not (isinstance(found, m.Things) and bool(found.unknown))
