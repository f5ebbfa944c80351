"""Prohibitions that close a place: "Don't take anything from table E right now."."""

from __future__ import annotations

import re

from coterie.mission.language.no_words import DO_NOT, NOBODY
from coterie.mission.language.stops.reasons import apart, is_reason
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.vocabulary import Vocabulary

#: From where nobody is to take anything.
_TAKEN = re.compile(
    rf"\W*(?:please[\s,]+)?(?:{DO_NOT}|{NOBODY})(?: (?:to|is to|may|should|must))? (?:takes?|gets?|grabs?|"
    rf"removes?|fetch(?:es)?|"
    r"picks? up) (?:anything|something|any \w+|more) (?:from|off|out of|away from) (?P<where>[\w ]{2,30}?)"
    r"(?: (?:right now|now|for now|for the moment|for the time being|please|at the moment|today|yet))*[\s.!]*",
    re.I,
)


def not_from(text: str, vocabulary: Vocabulary) -> m.Zone | None:
    """The place from which nobody is to take anything, which is closed, with a reason behind it or without."""
    for what, why in ((text, ""), *apart(text)):
        taken = _TAKEN.fullmatch(what)
        read = understand(f"Do not go to {taken['where']}.", vocabulary, ()) if taken is not None else []
        zone = read[0] if len(read) == 1 else None
        if isinstance(zone, m.Zone) and (not why or is_reason(why, vocabulary, waits=False)):
            return zone
    return None
