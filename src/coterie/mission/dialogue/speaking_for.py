"""Words that stand under somebody's name: "nurse: Stop!"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

MOST_CHARS = 31  # of a name


class Named(NamedTuple):
    person: str
    words: str
    known: bool  # that there is such a person here


def named_speaker(text: str, people: Iterable[str], words: Iterable[str] = ()) -> Named | None:
    """Whose words these are, if a name and a colon stand before them. `words` are names and words that mean something
    else there: "Spot: stop.", "Correction: two."."""
    before, colon, behind = text.partition(":")
    name, said = before.strip(), behind.strip()
    if not colon or not said or not name[:1].isalpha() or len(name) > MOST_CHARS:
        return None
    if not all(c.isalnum() or c in "_-" for c in name):
        return None
    person = next((p for p in people if p.lower() == name.lower()), None)
    if person is not None:
        return Named(person, said, True)
    return None if name.lower() in {w.lower() for w in words} else Named(name, said, False)
