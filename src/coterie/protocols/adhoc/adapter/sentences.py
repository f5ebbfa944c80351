"""Sentences: what a robot says of itself and of the house in plain words.

A sentence that asks, supposes, or speaks of another robot is not read. Denials are read only where they say something
definite ("I have no arm", "I have not explored room_2").
"""

from __future__ import annotations

import re

from coterie.houses.model import FLOOR
from coterie.protocols.adhoc.adapter import self_reports, values
from coterie.protocols.adhoc.adapter.gather import Gathered
from coterie.protocols.adhoc.adapter.names import is_receptacle, is_thing, items, point_in, room_in, rooms
from coterie.protocols.adhoc.adapter.patterns import DENIED, either, one_of
from coterie.protocols.adhoc.adapter.record import Found

MOST_SENTENCE = 600  # characters
_SPLIT = re.compile(
    r"(?<=[.!?])\s+(?=[\"'(A-Z0-9a-z])|\)\s+(?=\()|\n|;\s+|(?<!\d),\s+(?:and|but|so|while)\s+(?=(?:I|my|we|it|there)\b)",
    re.I,
)
_UNSURE = one_of(
    either("if", "whether", "unless", "would", "could", "might", "maybe", "perhaps", "should", "probably", "possibly"),
    either(
        "suppose",
        "imagine",
        "wish",
        "hope",
        "guess",
        "used to",
        "once",
        "was told",
        "heard that",
        "rumou?r",
        "pretend",
        "almost",
    ),
    either("nearly", "until", "except"),
)
_OTHERS = one_of(
    either("he", "she", "they", "you", "your", "his", "her", "their", "them", "him", "somebody", "someone", "nobody"),
    either("no one", "others?", "another", "teammates?", "each", "everyone", "everybody"),
)
_BY_NAME = re.compile(
    r"(?:and |but |so |also |then )*([A-Z][a-z]+\d*)(?:'s|\s+(?:has|is|can|cannot|will|holds?|carries|says?|said|told|"
    r"explored|explores|saw|found|reports?|lifts?|sees?|went|stands|does))\b"
)
_NO_NAMES = (
    "there", "this", "it", "battery", "arm", "payload", "camera", "task", "position", "what", "everything", "that",
    "here", "height", "nothing",
)  # fmt: skip


def sentence(text: str, out: Gathered, sender: str) -> None:
    """Read sentences into what was gathered; those that say nothing that can be read are kept."""
    for part in _SPLIT.split(text):
        part = part.strip()
        if part and not _one(part, out, sender):
            out.unread.append(part)


def _one(text: str, out: Gathered, sender: str) -> bool:
    if len(text) > MOST_SENTENCE or not re.search(r"[A-Za-z]", text):
        return False
    if text.endswith("?") or _UNSURE.search(text) or _of_others(text, sender):
        return False
    if sender:
        own = rf"^{re.escape(sender)} "
        text = re.sub(own + "has ", "I have ", re.sub(own + "is ", "I am ", text, flags=re.I), flags=re.I)
        text = re.sub(own + r"(?=[a-z]+s? )", "I ", text)
        text = re.sub(r"^I (hold|carrie|lift|carry)s ", lambda m: "I " + m[1].replace("carrie", "carry") + " ", text)
        text = re.sub(rf"^{re.escape(sender)}\s*(?::|here[,.:!]?|speaking[,.:!]?)\s*", "", text, flags=re.I)
    readers = (
        _answer,
        self_reports.ability,
        self_reports.battery,
        self_reports.state,
        self_reports.held,
        self_reports.doing,
        _explored,
        _done,
        _house,
    )
    return any([reader(text, out) for reader in readers])


def _of_others(text: str, sender: str) -> bool:
    """Whether the sentence speaks of another robot: of a pronoun, or of a name at its beginning."""
    if _OTHERS.search(re.sub(r"\b(?:each other|you asked|thank you|thanks)\b", "", text, flags=re.I)):
        return True
    first = _BY_NAME.match(text)
    if first is None or first[1].lower() == sender.lower():
        return False
    return not (items(first[1]) or rooms(first[1])) and first[1].lower() not in _NO_NAMES


_AGREES = one_of(
    r"\s*(?:yes[,.! ]*)?\b(?:i agree|agreed|go ahead|no objections?|fine with me|sounds good|that is fine|please do)\b"
)
_OBJECTS = one_of(
    r"\s*(?:no[,.! ]*)?\b(?:i object|i disagree|i do not agree|i don't agree|please do not|please don't)\b"
)


def _answer(text: str, out: Gathered) -> bool:
    if _OBJECTS.match(text):
        return out.put("answer", False)
    return _AGREES.match(text) is not None and out.put("answer", True)


# -- the house --------------------------------------------------------------------------------------------------------
_SEARCHED = one_of(
    r"\bunexplored\b",
    either("explored", "searched", "checked", "looked through", "covered", "seen all of", "swept", "combed"),
    either("been through", "cleared", "nothing left to explore in"),
)
_PARTLY = one_of(
    either("half", "partly", "partially", "part of", "some of", "most of", "want", "being", "to be", "will be")
)


def _explored(text: str, out: Gathered) -> bool:
    got = False
    for clause in re.split(r"\s+but\s+|,\s+(?=(?:not|I|we|room_?\d+ is)\b)|;", text, flags=re.I):
        named = tuple(dict.fromkeys(name for _, _, name in rooms(clause)))
        word = _SEARCHED.search(clause)
        if not named or word is None or _PARTLY.search(clause):
            continue
        denied = DENIED.search(clause[: word.start()]) is not None
        if word.group().lower() == "unexplored":
            got |= not denied and out.add("unexplored", named)
        else:
            got |= out.add("unexplored" if denied else "explored", named)
    return got


_AWAY = one_of(
    r"\bi have (?:just )?(?:put|placed|returned|brought|tidied)(?: away| back)? ", r"\bi (?:just )?put (?:away|back) "
)


def _done(text: str, out: Gathered) -> bool:
    """`I have put mug_0 on counter_top_0 in room_1`: what is done."""
    hit = _AWAY.match(text)
    named = items(text[hit.end() :]) if hit is not None and not DENIED.search(text) else []
    good = named and named[0][0] <= 6 and is_thing(named[0][2]) and named[0][2] != FLOOR and named[0][2][-1].isdigit()
    return bool(good) and out.add("done", [named[0][2]])


_LACKING = r"not where it belongs|not belong|doesn't belong|does not belong"
_WRONG = one_of(
    either("misplaced", "astray", "out of (?:its )?place", "in (?:the |a )?wrong (?:place|spot|room)", _LACKING),
    either("wrongly placed", "untidy"),
)
_BACK = one_of(either("no longer", "any ?more", "picked up", "put back", "already"))
_SAW = one_of(either("saw", "see", "seen", "found", "there (?:is|are)", "noticed", "spotted", "know of", "detected"))


def _house(text: str, out: Gathered) -> bool:
    named = list(dict.fromkeys(name for _, _, name in items(text)))
    if not named:
        return False
    wrong = _WRONG.search(text)
    if wrong is None:
        return _furniture(text, out, named)
    if DENIED.search(re.sub(_LACKING, "", text[: wrong.end()], flags=re.I)) or _BACK.search(text):
        return False
    things = [n for n in named if n != FLOOR and is_thing(n)]
    places = [n for n in named if n == FLOOR or not is_thing(n)]
    where = room_in(text)
    if len(things) != 1 or len(places) > 1 or (rooms(text) and not where):
        return False
    kind, place = values.kind_of(things[0]), places[0] if places else ""
    return out.add("misplaced", [Found(things[0], kind, place, where, point_in(text))])


def _furniture(text: str, out: Gathered, named: list[str]) -> bool:
    """`I saw counter_top_0 in room_1`, `there is a sink_0 in the kitchen`: furniture that can be put on."""
    if not _SAW.search(text) or DENIED.search(text):
        return False
    if not all(is_receptacle(n) and n[-1].isdigit() for n in named):
        return False
    at = point_in(text) if len(named) == 1 else None
    return out.add("receptacles", [Found(n, values.kind_of(n), "", room_in(text), at) for n in named])
