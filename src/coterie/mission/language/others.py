"""Robots that are spoken of by who is not meant: "everybody except Spot" are the others, by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coterie.mission.language.no_words import NOBODY

_ALL = (
    r"(?:all|every|each|everybody|everyone|everything|anybody|anyone|any|all of (?:you|them)|you all)"
    r"(?: (?:the )?(?:other )?(?:robots?|others?|ones?|one))?"
)
_BUT = (
    r"(?:except(?: for)?|excepting|but(?: for| not)?|apart from|aside from|other than|save(?: for)?|excluding|besides)"
)

_NOBODY = rf"{NOBODY}(?: else)?"
_MAY = r"(?:may|should|must|can|shall|is to|is allowed to|are allowed to|is supposed to)\s+"


def others_named(sentence: str, robots: Sequence[str]) -> str:
    """A sentence with the names of those who are meant; as it was where it says so of nobody, or of all of them."""
    names = "|".join(re.escape(r) for r in robots)
    if not names:
        return sentence
    several = rf"(?:{names})(?:(?:\s*,\s*|\s+and\s+|\s+or\s+|\s*,\s*and\s+)(?:{names}))*"

    def said(found: re.Match[str], how: str = "{}") -> str:
        left = {w.lower() for w in re.findall(rf"\b(?:{names})\b", found["left"], re.I)}
        others = [r for r in robots if r.lower() not in left]
        return how.format(" and ".join(others)) if others else found[0]

    left = rf",? {_BUT} (?P<left>{several})"
    text = re.sub(rf"\b{_ALL}{left}\b", said, sentence, flags=re.I)
    behind = rf"\b{_ALL} (?P<does>(?:must |should |has to |have to )?\w+){left}\s*(?=[.!]|$)"
    text = re.sub(behind, lambda f: said(f, f"{{}} {f['does']}"), text, flags=re.I)
    return re.sub(rf"\b{_NOBODY}{left}\s+{_MAY}", lambda f: said(f, "{} must not "), text, flags=re.I)
