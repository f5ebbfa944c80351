"""Words that head a part of a reply, by the name under which it is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from coterie.core.files import tables

HEADINGS: Mapping[str, list[str]]
HEADINGS = tables(__package__, "headings.toml")
#: What may stand before such a word without changing what it is.
BEFORE = "my|the|our|your|final|new|next|revised|updated|proposed|chosen|corrected|recommended"
#: What turns it into something that was weighed, or done before.
DROPPED = "previous|last|earlier|alternative|rejected|wrong|old|initial|first|draft|possible|other|second|later"

NAMED = {word: name for name, words in HEADINGS.items() for word in words}
WORDS = "|".join(sorted((re.escape(w) for w in NAMED), key=len, reverse=True))
LEAD = rf"(?:(?:{BEFORE}|{DROPPED})\s){{0,3}}"
_DROPPED = re.compile(rf"\b(?:{DROPPED})\s", re.I)
_KEYED = re.compile(rf"{LEAD}(?:{WORDS})", re.I)


def named(key: object) -> str:
    """The heading that a key in JSON stands for, or nothing."""
    word = re.sub(r"[_\-\s]+", " ", str(key)).strip().lower()
    return name_of(word) if _KEYED.fullmatch(word) else ""


def name_of(said: str) -> str:
    """The name of a heading: of the longest of its words at the end; what was only weighed has that of no answer."""
    words = " ".join(said.lower().split())
    if words in NAMED:
        return NAMED[words]
    if _DROPPED.search(words):
        return "other"
    return next(NAMED[words[i:]] for i in range(len(words)) if words[i:] in NAMED)
