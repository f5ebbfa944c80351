"""What a sentence names only to set it against what is meant: "Pause the feverkit, not the medkit." """

from __future__ import annotations

import re
from typing import NamedTuple

from coterie.mission.language.denied import closed
from coterie.mission.language.guess import guess
from coterie.mission.language.heard import heard_of
from coterie.mission.language.signs import MOST_CHARS
from coterie.mission.language.stops.first import stop_first
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary

_END = r"(?:[\s,]+(?:please|though|ok|okay|thanks|yet|of course))*\W*"
_JOIN = r"(?:\s*[,;:.!\u2013\u2014-]+\s*|\s+)(?:(?:and|but|just|only|please|definitely|certainly|yes)[\s,]+)*"
_DENIES = r"(?:not|(?:do not|don't|never) (?P<verb>[a-z]+)(?: (?:with|on|off))?)"
_NOT = re.compile(
    rf"(?P<head>.+?){_JOIN}{_DENIES} (?P<other>[^,;.!?]+?){_END}",
    re.I | re.S,
)
#: That something stays as it is, without a word of what is to be done with it.
_AS_IT_IS = r"(?: (?:as (?:it|they|that) (?:is|are)|alone|in place))"
_KEEP = rf"(?:keep (?P<other>[^,;.!?]+?){_AS_IT_IS}?|leave (?P<left>[^,;.!?]+?){_AS_IT_IS})"
_KEEP_LAST = re.compile(rf"(?P<head>.+?){_JOIN}{_KEEP}{_END}", re.I | re.S)
_STAYS_LAST = re.compile(
    rf"(?P<head>.+?){_JOIN}(?P<other>[^,;.!?]+?) (?:stays|can stay|should stay|remains|is (?:fine|ok|okay|all right))"
    rf"(?: as it is)?{_END}",
    re.I | re.S,
)
_KEEP_FIRST = re.compile(
    rf"\W*(?:please[\s,]+)?(?:{_KEEP}|(?P<stays>[^,;.!?]+?) (?:stays|can stay)(?: as it is)?)"
    r"(?:\s*[,;:.!\u2013\u2014-]+\s*(?:(?:and|but|just|only) )?|\s+(?:and|but) )(?P<head>.+)",
    re.I | re.S,
)
_KEEPS = (_KEEP_LAST, _STAYS_LAST, _KEEP_FIRST)
_NOT_FIRST = re.compile(
    rf"\W*(?:please[\s,]+)?{_DENIES} (?P<other>[^,;.!?]+?)\s*[,;:\u2013\u2014-]+\s*"
    r"(?:(?:but|rather|just|only) )*(?P<head>.+)",
    re.I | re.S,
)
_NOT_BUT = re.compile(r"(?P<does>(?:\w+ ){1,3}?)not (?P<other>[^,;.!?]+?),? but (?P<head>.+)", re.I | re.S)
#: By which something is said to go on as it does, where it is denied.
_TOUCH = frozenset("touch change stop halt pause hold cancel drop interrupt suspend delay".split())  # noqa: SIM905
#: All, and then what is left out of it.
_ALL_NOT = re.compile(
    r"\b(?P<all>everything|everybody|everyone|all(?: robots)?)(?: else)?,?\s*(?:but |just |only |though )*"
    r"not (?!just|only|yet)(?=(?:the|my|our|that|[A-Z])\b)",
)
_MARKS = re.compile(r"\b(?:not|don't|never|keep|leave|stays?|remains|is (?:fine|ok|okay|all right))\b", re.I)
_ALL = re.compile(r"\b(?:everything|everybody|everyone|all)\b", re.I)
#: Nothing but names and what goes with them, in signs.
_NAMES = re.compile(
    r"(?:(?:the|an?|my|our|that|this|those|any|one|order|orders|delivery|of|for|with|to|in|at|on|into|and|or|nor|also|"
    r"yours?) )*«[a-z]\d+»(?: (?:order|delivery|one|too|itself|(?:(?:and|or|for|to|in|at|the|an?) )+«[a-z]\d+»))*"
)
_CORRECTS = re.compile(r"^\W*(?:(?:no|oh|sorry|oops|wait|i said|i meant|actually)[\s,.!]+)+", re.I)


class Contrast(NamedTuple):
    """What is meant, as a sentence of its own; what it is set against, in the words of the sentence, and the names in
    that."""

    meant: str
    meaning: Meaning
    other: str
    names: tuple[str, ...]


def contrast(sentence: str, vocabulary: Vocabulary) -> Contrast | None:
    """A stop, a change of what is under way, a closed place or a right, with something of which it is only said that
    it is not meant; None where a sentence is anything else."""
    text = " ".join(sentence.split())
    if len(text) > MOST_CHARS or text.endswith("?") or not _MARKS.search(text):
        return None
    plain = _CORRECTS.sub("", text, count=1)
    for pattern in (_NOT, _NOT_FIRST, _NOT_BUT, *_KEEPS):
        found = pattern.fullmatch(plain)
        parts = found.groupdict() if found is not None else {}
        other = next((parts[k] for k in ("other", "left", "stays") if parts.get(k)), "")
        head = f"{parts.get('does') or ''}{parts.get('head') or ''}".strip(" ,;:.!")
        verb = (parts.get("verb") or "").lower()
        another = verb and not re.search(rf"\b{verb}\b", head, re.I)
        if not other or not head or (another and verb not in _TOUCH):
            continue
        meaning, heard = _steers(head, vocabulary), heard_of(other, vocabulary, False)
        names = tuple(n for _, n, _ in heard.names)
        if isinstance(meaning, m.Permit) and not names and _right(meaning.person, other, vocabulary):
            return Contrast(f"{head}.", meaning, other, ())
        things = len(heard.of("kit", "item")) == len(names)  # "leave table C alone" closes it
        kept = things or not (another or pattern in _KEEPS) or (pattern is _STAYS_LAST and isinstance(meaning, m.Zone))
        if meaning is not None and names and kept and _NAMES.fullmatch(heard.text.strip()):
            return Contrast(f"{head}.", meaning, other, names)
    return None


def all_but(sentence: str) -> str:
    """ "Cancel everything, but not the medkit" as "cancel everything but the medkit"; other sentences as they are."""
    stops = re.search(r"\b(?:stop|halt|freeze|pause|wait|hold)\b", sentence, re.I)  # then it is safe that all do
    return sentence if stops else _ALL_NOT.sub(r"\g<all> but ", sentence)


def _steers(head: str, vocabulary: Vocabulary) -> Meaning | None:
    """What a clause does to something that is under way, to a robot, a place or a right; None where it is no such."""
    first = stop_first(head, vocabulary)
    if first is not None and not first.rest:
        return m.Steer("pause", first.of) if first.of else _named(first.meaning)
    read = understand(head, vocabulary)
    found = read[0] if len(read) == 1 else None
    if isinstance(found, m.Unclear):
        found = closed(head, vocabulary) or guess(head, vocabulary)
    if m.only_waits(found) and _ALL.search(head):
        return found
    return _named(found)


def _named(found: Meaning | m.Unclear | None) -> Meaning | None:
    if isinstance(found, m.Steer):
        return found if found.what or found.where or found.robots else None
    return found if isinstance(found, (m.Stop, m.Zone, m.Permit)) else None


def _right(person: str, words: str, vocabulary: Vocabulary) -> bool:
    """Whether words name a right: "give orders"."""
    read = understand(f"the {person} may {words}", vocabulary)
    return len(read) == 1 and isinstance(read[0], m.Permit)
