"""Words that turn a sentence round: a guess that makes nothing of them says the opposite.

What is found here is asked about; nothing is done, and nothing that leaves the word out is read back.
"""

from __future__ import annotations

import re

from coterie.mission.language import meanings as m
from coterie.mission.language.meanings import Meaning

#: A no that denies what follows it: "No gloves."; after a comma it puts right: "No, gloves.".
_DENIES = re.compile(
    r"\b(?:no|nope|nah)\s+(?!(?:wait|sorry|not|nope|no|i|i'm|we|make|rather|hang|hold|the|an?|my|our|this|that|it|let|have|"
    r"get|use|take|send|to|at|in|on|into|only|just|please|actually|wrong|correction|oops|sir|thanks|thank|but|"
    r"better|instead|should)\b)(?=\w)",
    re.I,
)
_ALL_THE_SAME = re.compile(r"\b(?:should|must|shall|can|instead|rather|meant|mean)\b", re.I)

#: Words that change what was listed, or leave it open.
_CHANGES = re.compile(
    r"\b(?:remove|removing|delete|drop|strike|scratch|erase|take out|leave out|take away|throw out|skip|without|except|"
    r"minus|not|never|cannot|less|fewer|more|another|additional|extra|further|twice|double|half|maybe|perhaps|possibly|"
    r"might|probably not|at most|at least|up to|no|instead of|rather than|if|unless|or|either|when|whenever|only when|"
    r"sometimes|optional|optionally|about|around|roughly|approximately|too (?:many|much))\b|n't\b|\?\s*$",
    re.I,
)
_NOTHING = re.compile(r"\b(?:no|nothing|not|never) (?:more|else|further)\b\s*(?:$|[.,!;])", re.I)

#: What somebody leaves out of what they speak of: no meaning says it.
_EXCEPT = re.compile(
    r"\b(?:except|excepting|excluding|apart from|aside from|other than|save for|with the exception)\b|"
    r"\b(?:all|any|every|each|everything|everybody|everyone|anybody|anyone|anything|nobody|nothing|none|no one|no \w+)"
    r"(?: \w+){0,3} but\b(?! (?:do|please|then|first)\b)",
    re.I,
)
_AGAINST = re.compile(
    r"\b(?:avoid|avoiding|avoids|forbidden|forbid|prohibited|prohibit|banned|refrain|nobody|no one|never|"
    r"(?:do not|don't|dont|never) (?:let|allow|permit)|not (?:allowed|permitted)|prevent|keep \w+ from|"
    r"instead of|rather than|anything but)\b",
    re.I,
)
_WITHOUT = re.compile(r"\bwithout\b", re.I)
_NO_YES = re.compile(
    r"\b(?:forget|myself|ourselves|cancel|stop|halt|wait|hold on|never mind|without|instead|except|but|everybody may|"
    r"everyone may|anybody may|anyone may|(?:i|we) (?:will|shall|can|would rather) do|(?:i|we)'ll do|leave it|"
    r"skip|drop it|nobody|never|avoid|forbidden|abort|pause|undo)\b",
    re.I,
)
_GO_ON = re.compile(
    r"\b(?:not|never|n't|dont|cannot|no need to|no reason to|without)\b[^,.;]{0,20}?"
    r"\b(?:stop|stopping|cancel|cancelling|canceling|halt|abort|aborting|pause|pausing|quit|give up|interrupt|wait)\b|"
    r"n't (?:\w+ )?(?:stop|cancel|halt|abort|pause|quit|wait|give up)\b",
    re.I,
)


def denies(sentence: str, meaning: m.Correct) -> bool:
    """Whether a correction may be a no to what it names: "No gloves." """
    named = isinstance(meaning.instead, (m.Things, m.Somewhere, m.Number))
    return named and _DENIES.search(sentence) is not None and _ALL_THE_SAME.search(sentence) is None


def changes(sentence: str, puts_right: bool = False) -> str:
    """The word by which an answer changes a list or leaves it open; none where it just lists. What puts an answer right
    has a no of its own: "no, gloves", "gloves, not gauze"."""
    plain = _NOTHING.sub(" ", sentence)
    plain = re.sub(r"\b(?:no|not)\b", " ", plain, flags=re.I) if puts_right else plain
    found = _CHANGES.search(plain)
    return found.group(0).strip().lower() if found is not None else ""


def turned_round(sentence: str) -> bool:
    """Whether a sentence has a word that makes the rest of it mean something else."""
    return any(p.search(sentence) for p in (_EXCEPT, _AGAINST, _WITHOUT, _GO_ON))


def contrary(sentence: str, meaning: Meaning) -> bool:
    """Whether a guess leaves out a word that turns a sentence round."""
    if isinstance(meaning, (m.Ask, m.Greet, m.Repeat, m.Stop)):
        return False
    if _EXCEPT.search(sentence) is not None:
        return True
    if isinstance(meaning, m.Approve):
        return _NO_YES.search(sentence) is not None
    if isinstance(meaning, (m.Refuse, m.Forget)):
        return _GO_ON.search(sentence) is not None
    if isinstance(meaning, m.Steer):
        return meaning.how in ("cancel", "pause") and _GO_ON.search(sentence) is not None
    if _WITHOUT.search(sentence) is not None and not _none_there(meaning):
        return True
    return _AGAINST.search(sentence) is not None and not _says_no(meaning)


def _none_there(meaning: Meaning) -> bool:
    return isinstance(meaning, m.Policy) or (
        isinstance(meaning, m.Tell) and any(c.kind in (m.STOCK, m.EMPTY) for c in meaning.claims)
    )


def _says_no(meaning: Meaning) -> bool:
    """Whether a meaning has a no in it."""
    if isinstance(meaning, m.Permit):
        return not meaning.holds
    if isinstance(meaning, m.Tell):
        return any(not c.holds or c.kind in (m.EMPTY, m.JAMMED) for c in meaning.claims)
    if isinstance(meaning, m.Order):
        return any(not w.holds for w in meaning.wants)
    if isinstance(meaning, m.Alter):
        return meaning.how == "remove" or meaning.count == 0
    return isinstance(meaning, (m.Zone, m.Policy, m.Correct, m.Nothing))
