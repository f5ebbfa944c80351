"""Words that stand under somebody's name: "nurse: Stop!"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_NAMED = re.compile(r"\s*([A-Za-z][\w-]{0,30})\s*:\s*(\S.*)", re.S)


class Named(NamedTuple):
    person: str
    words: str
    known: bool  # that there is such a person here


def named_speaker(text: str, people: Iterable[str], words: Iterable[str] = ()) -> Named | None:
    """Whose words these are, if a name and a colon stand before them. `words` are names and words that mean something
    else there: "Spot: stop.", "Correction: two."."""
    found = _NAMED.fullmatch(text)
    if found is None:
        return None
    name = found[1].lower()
    person = next((p for p in people if p.lower() == name), None)
    if person is not None:
        return Named(person, found[2], True)
    return None if name in {w.lower() for w in words} else Named(found[1], found[2], False)
