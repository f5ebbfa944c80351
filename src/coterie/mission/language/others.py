"""Robots that are spoken of by who is not meant: "everybody except Spot" are the others, by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ALL = (
    r"(?:all|every|each|everybody|everyone|everything|anybody|anyone|any|all of (?:you|them)|you all)"
    r"(?: (?:the )?(?:other )?(?:robots?|others?|ones?|one))?"
)
_BUT = (
    r"(?:except(?: for)?|excepting|but(?: for| not)?|apart from|aside from|other than|save(?: for)?|excluding|besides)"
)


def others_named(sentence: str, robots: Sequence[str]) -> str:
    """A sentence with the names of those who are meant; as it was where it says so of nobody, or of all of them."""
    names = "|".join(re.escape(r) for r in robots)
    if not names:
        return sentence
    several = rf"(?:{names})(?:(?:\s*,\s*|\s+and\s+|\s+or\s+|\s*,\s*and\s+)(?:{names}))*"

    def meant(found: re.Match[str]) -> str:
        left = {w.lower() for w in re.findall(rf"\b(?:{names})\b", found[1], re.I)}
        others = [r for r in robots if r.lower() not in left]
        return " and ".join(others) if others else found[0]

    return re.sub(rf"\b{_ALL},? {_BUT} ({several})\b", meant, sentence, flags=re.I)
