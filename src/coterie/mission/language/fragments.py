"""Parts of sentences that go on with what was said before them: "And two painkillers on table C." behind an order."""

from __future__ import annotations

import re

from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want

#: A verb, or a word by which it is told that something is so.
_TOLD = re.compile(
    r"\b(?:is|are|was|were|be|been|there|here|has|have|had|holds?|lies?|lie|stands?|sits?|contains?|remains?|left|found|saw|"
    r"see|put|placed|moved|dropped|only|still|already|now|no|not|none|missing|gone)\b|n't\b|'s\b|\?\s*$",
    re.I,
)


def wanted_too(sentence: str, found: Meaning | None) -> Meaning | None:
    """What was taken for a fact and is a part of a sentence: things and a place, and nothing that says they are there.
    Behind an order that is another one."""
    claims = found.claims if isinstance(found, m.Tell) else ()
    if not claims or not all(_brought(c) for c in claims) or _TOLD.search(sentence):
        return found
    return m.Order(tuple(Want(m.STOCK, c.what, c.where, 1 if c.count is None else c.count) for c in claims))


def _brought(claim: Claim) -> bool:
    return claim.kind == m.STOCK and claim.holds and bool(claim.what and claim.where)
