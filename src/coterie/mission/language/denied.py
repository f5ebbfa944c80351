"""Words that add to what was said, and words that deny it: neither is an order instead of it."""

from __future__ import annotations

import re

from coterie.mission.language.heard import heard_of
from coterie.mission.language.no_words import DO_NOT, NOBODY
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary

#: By which something is wanted beside what was said before; not what joins two things of one sentence.
_ADDS = re.compile(
    r"(?<!and )\balso\b|(?<!might )(?<!may )(?<!just )\bas well\b(?! as\b)|"
    r"\btoo\b(?=\s*(?:[.,;:!?]|$|please\b|then\b))|"
    r"\banother\b(?! (?:room|place|table|robot|time|way)\b)|\bin addition\b(?! to\b)|\badditional(?:ly)?\b|"
    r"\bbesides\b|\bon top\b|\bone more\b|\bas an? extra\b",
    re.I,
)
#: A word before a bare name that joins it to what was said before.
_JOINS = re.compile(r"\W*(?:(?:oh|ok|okay|yes|yeah|well|right)\W+)?(?:and|plus)\b", re.I)
_RATHER = re.compile(r"\b(?:instead|rather|not|only|no)\b", re.I)
_CLAUSES = re.compile(r"[,;:.!?]\s|\s[-\u2013\u2014]+\s|\b(?:but|because|since)\b", re.I)
_NOBODY = re.compile(rf"\b{NOBODY}\b", re.I)
_GOES = re.compile(r"\b(?:should|must|may|can|shall|to|goes?|going|near|enters?|into|allowed)\b", re.I)
#: A clause with one of these is about what is not wanted, or was not right.
_DENIES = re.compile(
    r"\b(?:never|wrong|mistaken?|incorrect|refuse|against|forbidden|off limits|avoid|cannot|"
    r"(?:do|does|did|had|would|should|must|may|might|can|could|shall|will|is|was|are|were|ought to) not)\b|"
    r"n't\b(?! (?:you|we)\b)|^\W*not\b|\brather not\b|\bprefer not\b|"
    r"^\W*(?:instead of|rather than|in place of)\b|"
    r"^\W*(?:(?:please|just|and|but|oh|no)\W+)*(?:forget|ignore|disregard|never mind) (?:about |what |that |the )",
    re.I,
)
#: By which robots are kept from a place, or may use it again.
_LETS_NOBODY = re.compile(
    rf"\b{DO_NOT} (?:let|allow) (?:any(?:body|one)|any (?:of )?(?:the )?robots?|the robots|them)\b", re.I
)
_ALONE = re.compile(r"\bleave (?:the )?«[ot]\d+» (?:alone|in peace)\b")
_AGAIN = re.compile(
    r"«[ot]\d+» (?:is|can|may)\b.*\b(?:you|they|robots|everybody|everyone) (?:can|may) (?:use|enter|go (?:to|into|on)) "
    r"(?:it|there|that)\b.*\bagain\b"
)
_REFUSES = re.compile(r"\b(?:i|we) (?:refuse|decline|object)\b", re.I)


def adds(sentence: str) -> bool:
    """Whether something is wanted beside what was said before: "also", "as well", "another"."""
    return _ADDS.search(sentence) is not None


def joins(sentence: str) -> bool:
    """Whether a bare thing or place is named in addition: "And beta." """
    return _JOINS.match(sentence) is not None and _RATHER.search(sentence) is None


def denied_names(sentence: str, vocabulary: Vocabulary) -> list[str]:
    """What a sentence names only to say that it is not wanted or not right."""
    parts = [p for p in _CLAUSES.split(f"{sentence} ") if p and p.strip()]
    denies = [_NOBODY.search(p) is not None or _DENIES.search(p) is not None for p in parts]
    names = [[n for _, n, _ in heard_of(p, vocabulary, False).names] for p in parts]
    fine = {n for row, no in zip(names, denies) if not no for n in row}
    return list(dict.fromkeys(n for row, no in zip(names, denies) if no for n in row if n not in fine))


def denied(sentence: str, meaning: Meaning, vocabulary: Vocabulary) -> bool:
    """Whether a guess wants the very thing that a sentence denies."""
    if isinstance(meaning, m.Order):
        return _REFUSES.search(sentence) is not None
    if not isinstance(meaning, m.Correct):
        return False
    no = denied_names(sentence, vocabulary)
    said = re.findall(r"'([^']*)'", str(meaning.instead.to_json()))
    return any(n in said for n in no)


#: That something which is there cannot be used, as a statement of its own.
_SPOILT = re.compile(
    r"\W*(?:(?:hey|oh|note that|fyi|careful|sorry|i think|it seems)\W+)*"
    r"(?:there|the|these|those|all|both|my|our|some|one|an?|every)\b[^;.!]*\b"
    r"(?:is|are|was|were|seems?|looks?|has|have|went|got)\b[^,;.!]*\b(?:broken|expired?|damaged|leak(?:s|ing|y)|dirty|"
    r"contaminated|cracked|defective|out of date|past (?:its|their)|spoil(?:t|ed)|faulty|torn|unusable|unsterile|"
    r"opened already|not sterile|ruined|wet|gone off|useless|run out of battery|dead)\b[^,;]*",
    re.I,
)
#: That somebody has put something somewhere, behind what they believe to be there.
_PUT_THERE = re.compile(
    r"\b(?:i|we|somebody|someone|he|she|they|the \w+) (?:have |has |had |'ve )?(?:just |already |only )?"
    r"(?:put|left|placed|brought|saw|seen|counted|stored|stocked|refilled) "
    r"(?:them|it|some|one|those|these|all of them)\b",
    re.I,
)
_UNCANCEL = re.compile(
    r"\b(?:undo|revoke|reverse|revert|take back|withdraw|un-?cancel)\b.*\bcancel\w*|\bun-?cancel\b", re.I
)


def turned(sentence: str, meaning: Meaning) -> bool:
    """Whether a guess turns round what is told: what is broken is not there to be used, nor is it wanted there."""
    if isinstance(meaning, m.Steer):
        return meaning.how == "cancel" and _UNCANCEL.search(sentence) is not None
    rows = meaning.claims if isinstance(meaning, m.Tell) else meaning.wants if isinstance(meaning, m.Order) else ()
    things = any(x.kind in (m.STOCK, m.HOLD, m.LOOK, m.KIT) and x.holds for x in rows)
    if not things or sentence.rstrip().endswith("?"):
        return False
    put = isinstance(meaning, m.Order) and _PUT_THERE.search(sentence) is not None
    return put or spoilt(sentence)


def spoilt(sentence: str) -> bool:
    """Whether a sentence says that something which is there cannot be used."""
    return _SPOILT.fullmatch(sentence) is not None


def closed(sentence: str, vocabulary: Vocabulary) -> m.Zone | None:
    """The one place to which nobody is to go, by what a sentence says."""
    heard = heard_of(sentence, vocabulary, False)
    places, robots = heard.of("room", "table"), heard.of("robot")
    if len(places) != 1 or len(heard.names) != 1 + len(robots) or sentence.rstrip().endswith("?"):
        return None
    if _AGAIN.search(heard.text) is not None and not heard.negated:
        return m.Zone(places[0], tuple(robots), False)
    alone = _ALONE.search(heard.text) is not None
    kept_out = (_NOBODY.search(sentence) or _LETS_NOBODY.search(sentence)) and _GOES.search(sentence)
    return m.Zone(places[0], tuple(robots)) if alone or (kept_out and not robots) else None
