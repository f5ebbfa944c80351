"""One of several orders, by its place among them: "Cancel the first one." """

from __future__ import annotations

import re

_HOW = {
    "cancel": "cancel|call off|abort|drop|scrap|forget|forget about|never mind|give up|give up on",
    "pause": "pause|hold|wait with|suspend|interrupt|stop|hold off(?: on| with)?|(?:hold|hang) on with",
    "resume": "resume|continue|continue with|go on with|carry on with|restart",
    "prioritise": "prioriti[sz]e|hurry up with",
}
_WHICH = (
    "first|second|third|fourth|last|latest|latter|former|earlier|earliest|previous|other|both|newest|"
    "oldest|one|any|either"
)
_PICKED = re.compile(
    rf"\W*(?:(?:please|no|oh|ok|okay|actually|just|can you|could you)\W+)*(?P<how>{'|'.join(_HOW.values())}) "
    rf"(?:(?:the )?(?P<which>{_WHICH})(?: of (?:them|those|these))?"
    r"(?: (?:one|order|goal|delivery|task|job|ones|orders))?|(?P<them>them|those|these|the two)(?: (?:both|two))?)"
    r"(?:\W+(?:please|then|instead|now|again|thanks))*"
    r"(?:\W+(?:and |but )?(?:keep|leave) (?:the )?(?:first|second|third|last|others?|rest|latter|former)(?: ones?)?)?"
    r"\W*",
    re.I,
)
_PLACES = {"first": 0, "earliest": 0, "oldest": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "latest": -1,
           "newest": -1}  # fmt: skip
_OF_TWO = {"former": 0, "earlier": 0, "latter": 1}


def picked(sentence: str) -> tuple[str, str] | None:
    """What is to happen to which of several: ("cancel", "first")."""
    found = _PICKED.fullmatch(sentence)
    if found is None:
        return None
    how = next(h for h, words in _HOW.items() if re.fullmatch(words, found["how"], re.I))
    return how, "both" if found["them"] else found["which"].lower()


_BUT = re.compile(
    rf"\W*(?:(?:please|no|oh|ok|okay|actually|just|can you|could you)\W+)*(?P<how>{_HOW['cancel']}|{_HOW['resume']}|"
    r"continue with|go ahead with|proceed with) (?:everything|all|all of (?:it|them)|the rest)(?: else)? "
    r"(?:but|except(?: for)?|apart from|other than|without) (?P<what>(?:the |my |that |those )?[\w ]+?)"
    r"(?:\W+(?:please|for now|then|now|thanks))*\W*",
    re.I,
)


def picked_but(sentence: str) -> tuple[str, str] | None:
    """What is to happen to all orders but one, and that in its own words: ("resume", "the gloves")."""
    found = _BUT.fullmatch(sentence)
    if found is None:
        return None
    return "cancel" if re.fullmatch(_HOW["cancel"], found["how"], re.I) else "resume", found["what"]


def places(which: str, many: int) -> list[int]:
    """The places of what is meant among so many; none where that may be several things."""
    if which == "both":
        return list(range(many)) if many <= 2 else []
    if many == 1 and which in ("one", "any", "either", "other"):
        return [0] if which == "one" else []
    at = _PLACES.get(which, _OF_TWO.get(which) if many == 2 else None)
    return [at % many] if at is not None and many and -many <= at < many else []
