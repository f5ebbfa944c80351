"""Sentences of a robot about itself: its abilities, position, what it holds and its current sub-task."""

from __future__ import annotations

import re

from coterie.houses.model import FLOOR
from coterie.protocols.adhoc.adapter import values
from coterie.protocols.adhoc.adapter.gather import Gathered
from coterie.protocols.adhoc.adapter.names import NUMBER, is_thing, items, point_in, room_in, rooms
from coterie.protocols.adhoc.adapter.patterns import DENIED, GO, PUT, either, one_of
from coterie.protocols.adhoc.adapter.record import EXPLORE, STOP, Subtask

_ARM = r"(?:robot(?:ic)? )?(?:arms?|grippers?|manipulators?|hands?)"
_STUFF = r"(?:things|objects|stuff|items)"
_UNIT = r"(?:steps?|moves?|actions?)"
_M = r"(m|metres?|meters?|cm)\b"


# -- what it can do ---------------------------------------------------------------------------------------------------
_NO_ARM = one_of(
    r"\b(?:no|without|lack(?:s|ing)?|not have|n't have|not possess|not (?:equipped|fitted) with)(?: an?| any)? "
    rf"{_ARM}\b",
    r"\bunable to (?:manipulate|grasp|pick)\b",
    rf"\b(?:cannot|can ?not|can't) (?:manipulate|grasp|lift anything|pick(?: up)? (?:{_STUFF}|anything))\b",
    r"\b(?:no|not|not possess|not have) (?:manipulation|able to manipulate)\b",
    r"\barmless\b",
)
_HAS_ARM = one_of(
    rf"{either('have', 'has', 'got', 'with', 'carry', 'use', 'own', 'possess')}[^.]{{0,20}}?\b{_ARM}\b(?! (?:is|are))",
    r"\b(?:have|has|with|possess)\b[^.]{0,12}\bmanipulation\b",
    rf"\b{_ARM} (?:is )?(?:fitted|mounted|attached|present)\b",
    rf"\b(?:can|able to|capable of)\b[^.]{{0,12}}?\b(?:manipulat\w+|(?:grasp\w*|pick\w*(?: up)?|move) {_STUFF})\b",
)
_LIFTS = re.compile(
    rf"{either('lifts?', 'carry', 'carries', 'payload', 'load', 'handle', 'hold', 'pick up', 'limit')}[^.\d]{{0,40}}?"
    rf"({NUMBER})\s*(kgs?|kilos?|kilograms?|g|grams?|lbs?|pounds?)\b",
    re.I,
)
_MORE = one_of(r"\b(?:not|more than|over|above|heavier|at least)\b", r"n't\b")
_CAMERA = re.compile(rf"\bcamera\b[^.\d]{{0,30}}?({NUMBER})\s*{_M}|({NUMBER})\s*{_M}\s+(?:tall|high)\b", re.I)
_TALL = one_of(
    r"\b(?:i am|i'm|me,?|am|being) (?:a |an |the )?(?:\w+ )?(tall|small|short|low)\b",
    r"\b(tall|small|short|low) (?:robot|body|one|camera|platform|unit)\b",
    r"\bmy (?:height|camera|body) is (tall|small|short|low|high)\b",
)


def ability(text: str, out: Gathered) -> bool:
    got = False
    for clause in re.split(r",\s+|\s+and\s+|\s+but\s+", text):
        got |= _arm(clause, out)
    for m in _LIFTS.finditer(text):
        about = text[max(0, m.start() - 25) : m.end()]
        if not _MORE.search(about) or re.search(r"\b(?:no|not|n't)\b[^.]{0,20}\bmore than\b", about, re.I):
            got |= out.put("payload_kg", values.weight_kg(f"{m.group(1)} {m.group(2)}"))
    camera = _CAMERA.search(text)
    if camera is not None:
        return out.put("tall", values.tall(f"{camera[1] or camera[3]} {camera[2] or camera[4]}")) or got
    tall = None if DENIED.search(text) else _TALL.search(text)
    return (tall is not None and out.put("tall", values.tall(tall[1] or tall[2] or tall[3]))) or got


def _arm(clause: str, out: Gathered) -> bool:
    if _NO_ARM.search(clause):
        return out.put("arm", False)
    return bool(_HAS_ARM.search(clause)) and not DENIED.search(clause) and out.put("arm", True)


# -- its battery ------------------------------------------------------------------------------------------------------
_OF = re.compile(rf"(\d+)\s*{_UNIT}?\s*(?:of|out of|/|from)\s*(?:a total of |my |its |the )?(\d+)(?![\d.]*\s*%)", re.I)
_LEFT = one_of(
    rf"\b(\d+)\s+(?:more\s+)?{_UNIT}\s+(?:are\s+)?(?:left|remain\w*|to go|more)\b",
    rf"\b(?:left|remain\w*|still)\b[^.\d]{{0,25}}(\d+)\s*{_UNIT}",
)
_FULL = one_of(
    r"\b(?:full|fully|in all|in total|total|at first|initially|when full|capacity|lasts?|supports?|holds?|runs? for|"
    rf"good for|battery (?:for|of))\b[^.\d]{{0,25}}(\d+)\s*{_UNIT}",
    rf"\b(\d+)\s*{_UNIT} (?:in all|in total|when full|at most|battery)\b",
)


def battery(text: str, out: Gathered) -> bool:
    if not re.search(r"\b(?:battery|charge|steps|power|energy|moves|actions)\b", text, re.I):
        return False
    pair = _OF.search(text)
    if pair is not None:
        both = values.left_of(f"{pair[1]}/{pair[2]}")
        return both is not None and out.put("battery_left", both[0]) and out.put("battery_steps", both[1])
    left, full = (p.search(text) for p in (_LEFT, _FULL))
    now, whole = (m and (m[1] or m[2]) for m in (left, full))
    got = bool(now) and out.put("battery_left", values.steps(str(now)))
    return (bool(whole) and whole != now and out.put("battery_steps", values.steps(str(whole)))) or got


# -- where it is ------------------------------------------------------------------------------------------------------
_HERE = re.compile(
    r"\b(?:i am|i'm|now|currently|my (?:current )?(?:position|location|place|coordinates)|standing|located|i stand|"
    r"position)\b(.*)",
    re.I | re.S,
)
_LEADS = one_of(
    r"\s*[:,(]?\s*-?\d", r"[^.]{0,24}?\b(?:at|in|inside|within|is|near|standing|here)\b", r"[\s:,(]*\d", r"\s*[:(]"
)
_GONE = one_of(either("was", "were", "came from", "left", "had been", "earlier", "last time", "yesterday", "before"))
_ELSE = either(
    "holding", "carrying", "with", "exploring", "explore", "going", "heading", "moving", "bringing", "taking",
    "looking", "to", "searching", "saw", "see", "hold", "and i",
)  # fmt: skip


def state(text: str, out: Gathered) -> bool:
    here = _HERE.search(text)
    if here is None or DENIED.search(text[: here.start(1) + 12]) or _GONE.search(text):
        return False
    lead = _LEADS.match(here[1])
    if lead is None or items(here[1][: lead.end()]):
        return False
    head = re.split(_ELSE, here[1], flags=re.I)[0]
    if items(head):
        return False
    got = out.put("position", point_in(head) or point_in(head.strip(" :.")[:24], loose=True))
    return out.put("room", room_in(head) or None) or got


# -- what it holds ----------------------------------------------------------------------------------------------------
_EMPTY = one_of(
    r"\b(?:hold(?:ing)?|carry(?:ing)?|have|got) nothing\b",
    r"(?:\bnot|n't) (?:holding|carrying) any(?:thing|\s+(?:object|thing|item)s?)\b",
    r"\b(?:hands?|grippers?|arms?) (?:is |are )?(?:free|empty)\b",
    r"\bempty[- ]handed\b",
    r"\bnothing in (?:my|the) (?:hand|gripper|arm)",
)
_HELD = one_of(
    r"\b(?:(?:i am|i'm|am|currently|now|and) )?(?:holding|carrying)\s+(.*)",
    r"\bi (?:hold|carry)\s+(.*)",
    r"\bin my (?:hand|gripper|arm)(?: is| there is|:)?\s+(.*)",
)
_NOT_YET = one_of(
    either("will", "going to", "plan(?:ning)?(?: on)?", "can", "able", "after", "stop(?:ped)?", "done") + r" *$"
)


def held(text: str, out: Gathered) -> bool:
    if _EMPTY.search(text):
        return out.put("holding", "")
    hit = _HELD.search(text)
    if hit is None or DENIED.search(text[: hit.start()]) or _NOT_YET.search(text[: hit.start()]):
        return False
    named = items(next(rest for rest in hit.groups() if rest is not None))
    first = named[0] if named else (99, 99, "")
    return first[0] <= 12 and first[2] != FLOOR and is_thing(first[2]) and out.put("holding", first[2])


# -- what it is at ----------------------------------------------------------------------------------------------------
_LEAD = either(
    "i am", "i'm", "i will", "i'll", "let me", r"my (?:sub-?)?task(?: now)? is(?: to)?", "i intend to", "i plan to",
    "i want to", "next,? i", "i shall", "going to", "on my way to", "busy", r"performing the sub-?task", "now", "i",
)  # fmt: skip
_EXPLORING = re.compile(rf"{_LEAD}[^.]{{0,30}}?\b(?:{GO})\b(.*)|^(?:{GO})\b(.*)", re.I)
_CARRYING = re.compile(rf"{_LEAD}[^.]{{0,30}}?\b((?:{PUT})\b.*)|^((?:{PUT})\b.*)", re.I)
_OVER = one_of(either("have", "has", "already", "just", "was", "were", "finished", "done with", "after"))
_STOPS = re.compile(
    r"(?:i am|i'm|i will|i'll|i) (?:now )?(?:stop(?:ping|ped)?|done|finished|idle)\b[^a-z]*"
    r"(?:here|now|for good|exploring)?[.! ]*$",
    re.I,
)


def doing(text: str, out: Gathered) -> bool:
    """Read the current sub-task, or the one about to begin; not one that is over."""
    if _STOPS.match(text):
        return out.put("subtask", Subtask(STOP))
    if DENIED.search(text) or _OVER.search(text):
        return False
    go, put = _EXPLORING.search(text), _CARRYING.search(text)
    if put is not None and (go is None or put.start() <= go.start()) and items(text):
        carried = values.replacing(put[1] or put[2])
        return carried is not None and any(carried.args[1:]) and out.put("subtask", carried)
    if go is None:
        return False
    rest = go[1] if go[1] is not None else go[2]
    where = room_in(rest)
    return (bool(where) or not rooms(rest)) and out.put("subtask", Subtask(EXPLORE, (where,) if where else ()))
