"""A guess at what a sentence means that the grammar does not know: by its names, a few words that matter, and its mood.

A guess is never acted on by itself: whoever keeps the dialogue reads it back and waits for a yes, unless it only asks.
No guess is better than a bold one: where the words that matter do not point one way, there is none.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import replace
from functools import lru_cache

from coterie.mission.language.guess_frames import frames
from coterie.mission.language.guess_questions import rights
from coterie.mission.language.heard import Heard, heard_of
from coterie.mission.language.signs import MOST_CHARS, straight
from coterie.mission.language.smooth import courteous, smooth
from coterie.mission.language.stops.still import plea_among
from coterie.mission.language.supposed import supposed
from coterie.mission.language.understand import conditional, known_words, understand
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary

MOST_WORDS = 30
MOST_PARTS = 4  # orders in one sentence
MOST_MISSPELT = 3  # words
ALIKE = 0.75  # of the letters of a word that was meant
_ODD = re.compile(
    r"\b(?:ignore(?! (?:all |any |the )?(?:orders|commands)\b)|pretend|override|system|sudo|admin|administrator|"
    r"(?:your|the|all) rules|instructions?|prompt)\b"
)

_UNCOUNTED = re.compile(
    r"(?<!\w)-\d|\d[.,]\d|\bhalf an?\b(?! dozen| hour)|\band a half\b", re.I
)  # numbers of which nothing can be brought


def guess(sentence: str, vocabulary: Vocabulary, asked: bool = False) -> Meaning | None:
    """What a sentence probably means; None where nothing points one way."""
    if len(sentence) > MOST_CHARS or _UNCOUNTED.search(sentence):
        return None
    sentence = courteous(straight(sentence))
    heard = heard_of(sentence, vocabulary, asked)
    if len(heard.text.split()) > MOST_WORDS or _ODD.search(heard.text) or not heard.text.isprintable():
        return None
    own = _OWN_DEED.match(heard.text)
    still, _ = plea_among(sentence, vocabulary)
    if still is not None and not asked:
        return still
    may = rights(heard)
    if may is not None:  # before "can I" is taken for courtesy
        return may
    given = supposed(sentence, vocabulary, lambda part: guess(part, vocabulary, True))
    if given is not None:
        return given
    pled = _pled(sentence, vocabulary)
    if pled is not None:
        return pled
    spelt = _names_mended(conditional(sentence) or sentence, vocabulary)
    plain = smooth(spelt)
    tries = dict.fromkeys(((plain, plain.endswith("?")), (spelt, asked)))
    if plain.rstrip("?").lower() != sentence.strip(" .!?;,").lower():
        read = understand(plain, vocabulary)
        if len(read) == 1 and isinstance(read[0], Meaning) and not _strange(read[0]) and not _own(read[0], own):
            return read[0]
    for text, is_asked in tries:
        heard = heard_of(text, vocabulary, is_asked)
        for frame in frames():
            found = frame(heard)
            if found is None or _own(found, own):
                continue
            whole = found if _whole(found, heard) else _in_parts(text, vocabulary)
            if isinstance(found, m.Tell) and not _whole(found, heard):
                whole = None
            if isinstance(found, m.Tell) and " and " in text:
                whole = _told_in_parts(text, vocabulary) or whole
            if whole is not None:
                return whole
            break
    last = _mended(sentence, vocabulary) or _only_part(sentence, vocabulary)
    return None if _own(last, own) else last


_COULD = re.compile(
    r"\W*(?:could|would) (?:please )?(\w+) (?:(?:please|kindly|maybe|perhaps) )?(.+?)\?\s*", re.I | re.S
)


def _pled(sentence: str, vocabulary: Vocabulary) -> m.Order | None:
    """What a robot is asked for: "Could Temi go to gamma?" says nothing of where it is."""
    found = _COULD.fullmatch(sentence)
    if found is None or vocabulary.kind_of(found.group(1).capitalize()) != "robot":
        return None
    read = understand(f"{found.group(1)} should {found.group(2)}", vocabulary)
    return read[0] if len(read) == 1 and isinstance(read[0], m.Order) else None


#: Somebody tells what people have done, do, or offer to do themselves.
_OWN_DEED = re.compile(
    r"(?:i|we|he|she|they|the «p\d+»|«p\d+»|somebody|someone|my colleague) (?:"
    r"(?P<done>(?:have|has|had) (?:just |already |now )*"
    r"(?!to\b|an?\b|got\b|no\b|the\b|my\b|run\b|asked\b|requested\b|ordered\b)\w|"
    r"(?:just|already) (?!needs?\b|wants?\b)\w|did\b)|"
    r"(?:am|are|is) (?:already |just |now )?(?:(?:going|about) to (?!need|want|require)|"
    r"(?!going|about|waiting|looking|asking|needing|requesting|expecting|missing|wanting|running|hoping)\w+ing\b)|"
    r"(?:can|could|will|shall) (?!need|have|take|use|want|require|you\b|someone|somebody|the\b)\w)"
)


def _own(found: Meaning | None, own: re.Match[str] | None) -> bool:
    """Whether an order was made of what people do themselves, or a fact of what they are only going to do."""
    return own is not None and isinstance(found, m.Order if own["done"] else (m.Order, m.Tell))


def _only_part(sentence: str, vocabulary: Vocabulary) -> Meaning | None:
    """What one clause means beside others that say nothing of it: "look for the box, I wonder where it went". Not where
    they may set a condition, put it off, deny it or tell what somebody else said."""
    parts = [
        p.strip()
        for p in re.split(r"[,;:.!?]\s|\s[-\u2013\u2014]+\s|\b(?:because|since|as(?= (?:i|we|it|the)\b))", sentence)
        if p.strip()
    ]
    if not 1 < len(parts) <= MOST_PARTS or _NOT_SO.search(sentence):
        return None
    found = [x for p in parts for x in (guess_part(p, vocabulary),) if x is not None]
    bare = (m.Things, m.Somewhere, m.Number, m.Nothing, m.Show, m.Approve, m.Refuse, m.Greet, m.Repeat)
    said = list(dict.fromkeys(x for x in found if not isinstance(x, bare)))
    named = sum(bool(heard_of(p, vocabulary, False).names) for p in parts)
    if said and m.only_waits(said[0]) and sentence.rstrip().endswith("?"):  # what is asked would be lost
        return None
    return said[0] if len(said) == 1 and named <= 1 else None  # a clause with another name says something of its own


def guess_part(part: str, vocabulary: Vocabulary) -> Meaning | None:
    """What a clause means by itself."""
    read = understand(part, vocabulary)
    if len(read) == 1 and isinstance(read[0], Meaning):
        return read[0]
    plain = smooth(part)
    read = understand(plain, vocabulary) if plain != part else []
    if len(read) == 1 and isinstance(read[0], Meaning):
        return read[0]
    heard = heard_of(plain, vocabulary, plain.endswith("?"))
    found = next((x for x in (frame(heard) for frame in frames()) if x is not None), None)
    return found if found is not None and _whole(found, heard) else None


#: Words by which one clause changes what another means.
_NOT_SO = re.compile(
    r"\b(?:if|unless|except|until|till|before|when|whenever|once|while|tomorrow|yesterday|later|said|says|told|"
    r"thinks?|thought|asked|wants|"
    r"no|nope|nah|actually|instead|rather|scratch|forget|never mind|kidding|joking|joke|"
    r"might|maybe|perhaps|or|but|though|although|only|never|against|decided|planned|was|were|had|should|would)\b|"
    r"n't\b|\bnot\b",
    re.I,
)


def _strange(found: Meaning) -> bool:
    return isinstance(found, m.Things) and bool(found.unknown)


def _names_mended(sentence: str, vocabulary: Vocabulary) -> str:
    """A sentence with words put right that are one slip away from a name or a verb that matters, and from one only."""
    known = _spelt(tuple(vocabulary.phrases))
    names = {w for p in vocabulary.phrases for w in p.split() if len(w) > 3}

    def right(found: re.Match[str]) -> str:
        word = found.group(0).lower()
        if word in known or len(word) < 4:
            return found.group(0)
        near = {w for w in names | _VERBS if w[0] == word[0] and _one_slip(word, w)}
        near = {w for w in near if not (w == word + "s" or word == w + "s")}
        return near.pop() if len(near) == 1 else found.group(0)

    return re.sub(r"(?<![\w'\"-])[A-Za-z]+(?![\w'-])", right, sentence)


_VERBS = frozenset(
    "deliver bring carry fetch close cancel pause resume continue please approve urgent priority first empty missing "  # noqa: SIM905
    "jammed another table".split()
)


def _one_slip(word: str, meant: str) -> bool:
    """Whether one letter more, less, other, or two that changed places make one word of the other."""
    if abs(len(word) - len(meant)) > 1 or word == meant:
        return False
    i = next((i for i, (a, b) in enumerate(zip(word, meant)) if a != b), min(len(word), len(meant)))
    a, b = word[i:], meant[i:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:] and len(a) > 1)


def _whole(found: Meaning, heard: Heard) -> bool:
    """Whether an order or a fact says all that the sentence names: half an order is another one."""
    if not isinstance(found, (m.Order, m.Tell)):
        return True
    said = re.findall(r"'([^']*)'", str(found.to_json()))
    kinds = ("kit", "item", "door", "room", "table") if isinstance(found, m.Order) else ("item", "door", "table")
    names = {n for n in heard.of(*kinds)}
    return all(n in said or f"{n}door" in said for n in names)


def _in_parts(sentence: str, vocabulary: Vocabulary) -> Meaning | None:
    """An order that is made of several, each of which is guessed."""
    parts = [
        p for p in re.split(r"[,;]|\band\b|\bthen\b|\bafter that\b|\bafterwards\b", sentence, flags=re.I) if p.strip()
    ]
    if not 1 < len(parts) <= MOST_PARTS or re.search(r"\b(?:first|before|once|after)\b(?! that)", sentence[5:], re.I):
        return None
    found = [_order(p.strip(), vocabulary) for p in parts]
    orders = [x for x in found if x is not None]
    if len(orders) != len(found) or len({x.robots for x in orders}) > 1:
        return None
    return replace(orders[0], wants=tuple(w for x in orders for w in x.wants))


def _told_in_parts(sentence: str, vocabulary: Vocabulary) -> m.Tell | None:
    """Facts that are told in one sentence: "there are two gloves on table C and a bandage box on table D"."""
    parts = re.split(r",?\s+and\s+", sentence.strip(" .!"), flags=re.I)
    if not 1 < len(parts) <= MOST_PARTS:
        return None
    found = [understand(p, vocabulary) for p in parts]
    found = [x if isinstance(x[0], m.Tell) else understand(f"there is {p}", vocabulary) for x, p in zip(found, parts)]
    told = [x[0] for x in found if len(x) == 1 and isinstance(x[0], m.Tell)]
    return m.Tell(tuple(c for x in told for c in x.claims)) if len(told) == len(parts) else None


def _order(part: str, vocabulary: Vocabulary) -> m.Order | None:
    read = understand(part, vocabulary)
    heard = heard_of(part, vocabulary, False)
    tries = [*(x for x in read if isinstance(x, Meaning)), *(frame(heard) for frame in frames())]
    for found in tries:
        if isinstance(found, m.Order) and not found.when and not found.urgent and _whole(found, heard):
            return found
        if found is not None:
            return None
    return None


def _mended(sentence: str, vocabulary: Vocabulary) -> Meaning | None:
    """What a sentence would mean if words that nobody knows were misspelt."""
    words = re.findall(r"[A-Za-z]+", sentence)
    known = _spelt(tuple(vocabulary.phrases))
    odd = [w for w in words if w.lower() not in known]
    if not odd or len(odd) > MOST_MISSPELT or len(odd) == len(words) > 1 + MOST_MISSPELT:
        return None
    text = sentence
    for word in odd:
        near = difflib.get_close_matches(word.lower(), sorted(known), 1, ALIKE) if len(word) > 3 else []
        if not near or (word.endswith("ed") and near[0] == word[:-1].lower() + "s"):  # what was, not what is misspelt
            return None
        text = re.sub(rf"\b{word}\b", near[0], text)
    read = understand(text, vocabulary)
    found = read[0] if len(read) == 1 else None
    answers = (m.Things, m.Somewhere, m.Number, m.Approve, m.Refuse, m.Nothing)
    return found if isinstance(found, Meaning) and not isinstance(found, answers) else None


@lru_cache(maxsize=8)
def _spelt(phrases: tuple[str, ...]) -> frozenset[str]:
    return known_words() | {w for p in phrases for w in p.split()}


_DOES = {
    "goes": "go", "moves": "go", "drives": "go", "walks": "go", "opens": "open", "shuts": "shut", "closes": "close",
    "brings": "bring", "delivers": "deliver", "carries": "carry", "takes": "take", "picks": "pick", "puts": "put",
    "places": "place", "looks": "look", "searches": "search", "checks": "check", "packs": "pack", "fetches": "bring",
}  # fmt: skip
_TOLD = re.compile(
    r"^\s*(?:(?:and|first|firstly|then|next|now|finally|lastly|afterwards|after that|after this|at the end|in the end|"
    r"eventually|last of all|to finish)\b[\s,]*)*"
    rf"(\w+|the robot)(?: (?:then|finally|also|next|now))? ({'|'.join(_DOES)})\b(.*)$",
    re.I | re.S,
)
_ONE_OF_THEM = ("it", "he", "she", "the robot")  # whoever did the step before


def told_step(sentence: str, vocabulary: Vocabulary) -> m.Order | None:
    """A step of a lesson that is told rather than ordered: "Spot goes to alpha.", "Then it opens the beta door." """
    told = _TOLD.match(sentence)
    if told is None or sentence.rstrip().endswith("?"):
        return None
    who = told.group(1)
    if who.lower() not in _ONE_OF_THEM and vocabulary.kind_of(who.capitalize()) != "robot":
        return None
    who = "it" if who.lower() in _ONE_OF_THEM else who
    read = understand(f"{who} should {_DOES[told.group(2).lower()]}{told.group(3)}", vocabulary)
    return read[0] if len(read) == 1 and isinstance(read[0], m.Order) else None


def is_safe(meaning: Meaning) -> bool:
    """Whether a guess may be answered without reading it back: it changes nothing."""
    return isinstance(meaning, (m.Ask, m.Greet, m.Repeat))
