"""Sentences: what a robot says of itself and of the house in plain words.

A sentence that asks, supposes, or speaks of somebody else is not read. Denials are read only where they say something
definite ("I have no arm", "I have not explored room_2").
"""

from __future__ import annotations

import re

from coterie.protocols.adhoc.adapter import values
from coterie.protocols.adhoc.adapter.gather import Gathered
from coterie.protocols.adhoc.adapter.names import NUMBER, is_receptacle, is_thing, items, point_in, room_in, rooms
from coterie.protocols.adhoc.adapter.record import EXPLORE, STOP, Found, Subtask
from coterie.worlds.household.house import FLOOR

_SPLIT = re.compile(
    r"(?<=[.!?])\s+(?=[\"'(A-Z0-9a-z])|\n|;\s+|\s+[–—]\s+|(?<!\d),\s+(?:and|but|so|while)\s+(?=(?:I|my|we|it|there)\b)",
    re.I,
)
_UNSURE = re.compile(
    r"\b(?:if|whether|unless|would|could|might|maybe|perhaps|should|probably|possibly|suppose|imagine|wish|hope|guess|"
    r"used to|once|was told|rumou?r|pretend|almost|nearly|until|before|except)\b", re.I)  # fmt: skip
_OTHERS = re.compile(
    r"\b(?:he|she|they|you|your|his|her|their|them|him|somebody|someone|nobody|no one|others?|another|teammates?|each|everyone|everybody)\b",
    re.I,
)
_NOT = re.compile(
    r"\b(?:not|no|never|without|cannot|can ?not|unable|lack(?:s|ing)?|neither|nor|none|nothing|missing|hardly|isn'?t|aren'?t)\b|n't\b|n’t\b",
    re.I,
)
_ARM = r"(?:robot(?:ic)? )?(?:arms?|grippers?|manipulators?|hands?)"


def sentence(text: str, out: Gathered, sender: str) -> None:
    """Read sentences into what was gathered; those that say nothing that can be read are kept."""
    for part in _SPLIT.split(text):
        part = part.strip()
        if part and not _one(part, out, sender):
            out.unread.append(part)


def _one(text: str, out: Gathered, sender: str) -> bool:
    if not re.search(r"[A-Za-z]", text):
        return False
    if text.endswith("?") or _UNSURE.search(text) or _of_others(text, sender):
        return False
    text = (
        re.sub(rf"^(?:{re.escape(sender)}\s*(?::|here[,.:!]?|speaking[,.:!]?)\s*)", "", text, flags=re.I)
        if sender
        else text
    )
    found = [reader(text, out) for reader in (_answer, _ability, _battery, _state, _holding, _doing, _explored, _house)]
    return any(found)


def _of_others(text: str, sender: str) -> bool:
    """Whether the sentence speaks of somebody else: of a pronoun, or of a name at its beginning."""
    if _OTHERS.search(re.sub(r"\b(?:each other|you asked|thank you|thanks)\b", "", text, flags=re.I)):
        return True
    first = re.match(
        r"(?:and |but |so |also |then )*([A-Z][a-z]+\d*)(?:'s|\s+(?:has|is|can|cannot|will|holds?|carries|says?|said|told|explored|explores|saw|found|reports?|lifts?|sees?|went|stands|does))\b",
        text,
    )
    if first is None or first.group(1).lower() == sender.lower():
        return False
    word = first.group(1)
    return not (items(word) or rooms(word)) and word.lower() not in (
        "there", "this", "it", "battery", "arm", "payload", "camera", "task", "position", "what", "everything", "that", "here", "height", "nothing",
    )  # fmt: skip


# -- itself -----------------------------------------------------------------------------------------------------------
def _answer(text: str, out: Gathered) -> bool:
    if re.match(
        r"\s*(?:yes[,.! ]*)?(?:i agree|agreed|go ahead|no objections?|fine with me|sounds good|that is fine|please do)\b",
        text,
        re.I,
    ):
        return out.put("answer", True)
    if re.match(
        r"\s*(?:no[,.! ]*)?(?:i object|i disagree|i do not agree|i don'?t agree|please do not|please don'?t|do not do that)\b",
        text,
        re.I,
    ):
        return out.put("answer", False)
    return False


def _ability(text: str, out: Gathered) -> bool:
    got = False
    clauses = re.split(r",\s+|\s+and\s+|\s+but\s+|\s+with\s+(?=my)", text)
    for clause in clauses:
        got |= _arm(clause, out)
    for m in re.finditer(
        rf"\b(?:lifts?|carry|carries|payload|load|handle|hold|pick up|limit)\b[^.\d]{{0,40}}?({NUMBER})\s*(kgs?|kilos?|kilograms?|g|grams?|lbs?|pounds?)\b",
        text,
        re.I,
    ):
        if not re.search(
            r"\b(?:not|n't|more than|over|above|heavier|at least)\b", text[max(0, m.start() - 25) : m.end()], re.I
        ) or re.search(r"(?:no|not) more than", text, re.I):
            got |= out.put("payload_kg", values.weight_kg(f"{m.group(1)} {m.group(2)}"))
    m = re.search(
        rf"\bcamera\b[^.\d]{{0,30}}?({NUMBER})\s*(m|metres?|meters?|cm)\b|({NUMBER})\s*(m|metres?|meters?|cm)\s+(?:tall|high)\b",
        text,
        re.I,
    )
    if m is not None:
        got |= out.put("tall", values.tall(f"{m.group(1) or m.group(3)} {m.group(2) or m.group(4)}"))
    elif not _NOT.search(text) and (
        m := re.search(
            r"\b(?:i am|i'm|me,?|am|being) (?:a |an |the )?(?:\w+ )?(tall|small|short|low)\b|\b(tall|small|short|low) (?:robot|body|one|camera|platform|unit)\b",
            text,
            re.I,
        )
    ):
        got |= out.put("tall", values.tall(m.group(1) or m.group(2)))
    return got


def _arm(clause: str, out: Gathered) -> bool:
    has = re.search(
        rf"\b(?:have|has|got|with|equipped with|carry|fitted with|using|use|own)\b[^.]{{0,20}}?\b{_ARM}\b(?! (?:is|are) (?:broken|full|empty|free))",
        clause,
        re.I,
    )
    can = re.search(
        r"\b(?:can|able to|capable of|could)\b[^.]{0,12}?\b(?:manipulat\w+|grasp(?:ing)? (?:things|objects)|pick(?:ing)? (?:things|objects|stuff) up|pick(?:ing)? up (?:things|objects|stuff)|move (?:things|objects))",
        clause,
        re.I,
    )
    no = re.search(
        rf"\b(?:no|without(?: an?| any)?|lack(?:s|ing)?(?: an?)?|not (?:have|equipped with|fitted with)(?: an?| any)?|n't have(?: an?| any)?)\s+{_ARM}\b|\bunable to (?:manipulate|grasp|pick)\b|\b(?:cannot|can ?not|can't) (?:manipulate|grasp|pick (?:things|objects|anything|stuff)|pick up (?:things|objects|anything|stuff)|lift anything)\b|\b(?:no|not) (?:manipulation|able to manipulate)|\barmless\b|\bonly (?:look|watch|explore|drive|navigate)\b",
        clause,
        re.I,
    )
    ability = re.search(r"\b(?:have|has|with)\b[^.]{0,12}\bmanipulation\b", clause, re.I)
    if no is not None:
        return out.put("arm", False)
    if (has or can or ability) and not _NOT.search(clause):
        return out.put("arm", True)
    return False


def _battery(text: str, out: Gathered) -> bool:
    if not re.search(r"\b(?:battery|charge|steps|power|energy|moves|actions)\b", text, re.I):
        return False
    m = re.search(
        r"(\d+)\s*(?:steps?|moves?|actions?)?\s*(?:of|out of|/|from)\s*(?:a total of |my |its |the )?(\d+)(?![\d.]*\s*%)",
        text,
        re.I,
    )
    if m is not None:
        both = values.left_of(f"{m.group(1)}/{m.group(2)}")
        return both is not None and out.put("battery_left", both[0]) and out.put("battery_steps", both[1])
    got = False
    unit = r"(?:steps?|moves?|actions?)"
    left = re.search(
        rf"\b(\d+)\s+(?:more\s+)?{unit}\s+(?:are\s+)?(?:left|remain\w*|to go|more)\b|\b(?:left|remain\w*|still)\b[^.\d]{{0,25}}(\d+)\s*{unit}",
        text,
        re.I,
    )
    full = re.search(
        rf"\b(?:full|fully|in all|in total|total|at first|initially|when full|capacity|lasts?|supports?|holds?|runs? for|good for|battery (?:for|of))\b[^.\d]{{0,25}}(\d+)\s*{unit}|\b(\d+)\s*{unit} (?:in all|in total|when full|at most|battery)\b",
        text,
        re.I,
    )
    if left is not None:
        got |= out.put("battery_left", values.steps(left.group(1) or left.group(2)))
    if (
        full is not None
        and (left is None or full.span() != left.span())
        and not (left and (full.group(1) or full.group(2)) == (left.group(1) or left.group(2)))
    ):
        got |= out.put("battery_steps", values.steps(full.group(1) or full.group(2)))
    return got


_PAST = re.compile(r"\b(?:was|were|came from|left|had been|earlier|last time|yesterday|before)\b", re.I)


def _state(text: str, out: Gathered) -> bool:
    me = re.search(
        r"\b(?:i am|i'm|im|now|currently|my (?:position|location|place|coordinates)|standing|located|i stand|position)\b(?P<rest>.*)",
        text,
        re.I,
    )
    if me is None or _NOT.search(text[: me.start("rest") + 12]) or _PAST.search(text):
        return False
    rest, got = me["rest"], False
    lead = re.match(r"[^.]{0,24}?\b(?:at|in|inside|within|is|near|standing|here)\b|[\s:,(]*\d|\s*[:(]", rest, re.I)
    if lead is not None and not items(rest[: lead.end()]):
        head = re.split(
            r"\b(?:holding|carrying|with|exploring|explore|going|heading|moving|bringing|taking|looking|to)\b",
            rest,
            flags=re.I,
        )[0]
        named = items(head)
        if not named:
            got |= out.put("position", point_in(head))
            where = room_in(head)
            got |= out.put("room", where or None)
    return got


def _holding(text: str, out: Gathered) -> bool:
    if re.search(
        r"\b(?:hold(?:ing)?|carry(?:ing)?|have|got) nothing\b|\bnot (?:holding|carrying) anything\b|\bhands? (?:is |are )?(?:free|empty)\b|\bempty[- ]handed\b|\bnothing in (?:my|the) (?:hand|gripper|arm)|\b(?:gripper|arm|hands?) (?:is |are )?(?:empty|free)\b|n't (?:holding|carrying) anything",
        text,
        re.I,
    ):
        return out.put("holding", "")
    m = re.search(
        r"\b(?:(?:i am|i'm|am|currently|now|and|,) (?:holding|carrying)|i (?:hold|carry)|in my (?:hand|gripper|arm)(?: is| there is|:)?|holding|carrying)\s+(?P<rest>.*)",
        text,
        re.I,
    )
    if (
        m is None
        or _NOT.search(text[: m.start("rest")])
        or re.search(
            r"\b(?:will|going to|plan|can|able|after|stop(?:ped)?|done) \w*\s*$", text[: m.start()] + " ", re.I
        )
    ):
        return False
    named = items(m["rest"])
    if named and named[0][0] <= 12 and is_thing(named[0][2]) and named[0][2] != FLOOR:
        return out.put("holding", named[0][2])
    return False


_LEAD = r"(?:i am|i'm|i will|i'll|let me|my (?:sub-?)?task(?: now)? is(?: to)?|i (?:now|next) |i intend to|i plan to|i want to|next,? i|i shall|going to|on my way to|busy|performing the sub-?task|now|i)"


def _doing(text: str, out: Gathered) -> bool:
    """What it is at, or about to begin; not what it has done."""
    if _NOT.search(text) or re.search(r"\b(?:have|has|already|just|was|were|finished|done with|after)\b", text, re.I):
        return False
    go = re.search(
        rf"\b{_LEAD}\b[^.]{{0,30}}?\b((?:{values._GO})\b(?P<rest>.*))|^(?:{values._GO})\b(?P<bare>.*)", text, re.I
    )
    put = re.search(rf"\b{_LEAD}\b[^.]{{0,30}}?\b((?:{values._PUT})\b.*)|^((?:{values._PUT})\b.*)", text, re.I)
    if put is not None and (go is None or put.start() <= go.start()) and items(text):
        return out.put("subtask", values.replacing(put.group(1) or put.group(2)))
    if go is not None:
        rest = (go["rest"] if go["rest"] is not None else go["bare"]) or ""
        named = {name for _, _, name in rooms(rest)}
        where = room_in(rest)
        if where or not named:
            return out.put("subtask", Subtask(EXPLORE, (where,) if where else ()))
        return False
    if re.match(
        r"(?:i am|i'm|i will|i'll|i) (?:now )?(?:stop(?:ping|ped)?|done|finished|idle)\b[^a-z]*(?:here|now|for good|exploring)?[.! ]*$",
        text,
        re.I,
    ):
        return out.put("subtask", Subtask(STOP))
    return False


# -- the house --------------------------------------------------------------------------------------------------------
_SEARCHED = r"(?:explored|searched|checked|looked through|covered|seen all of|swept|combed|been through|cleared)"


def _explored(text: str, out: Gathered) -> bool:
    if not re.search(r"\bunexplored\b", text, re.I) and not re.search(
        rf"\b{_SEARCHED}\b|\bnothing left to explore in\b", text, re.I
    ):
        return False
    got = False
    for clause in re.split(r"\s+but\s+|,\s+(?=(?:not|I|we|room_?\d+ is)\b)|;", text, flags=re.I):
        named = [name for _, _, name in rooms(clause)]
        word = re.search(rf"\bunexplored\b|\b{_SEARCHED}\b|\bnothing left to explore in\b", clause, re.I)
        if not named or word is None:
            continue
        if re.search(
            r"\b(?:half|partly|partially|part of|some of|most of|want|being|to be|will be|half-)\b", clause, re.I
        ):
            continue
        before = clause[: word.end()]
        denied = _NOT.search(before.replace("nothing left", "")) is not None or word.group().lower() == "unexplored"
        if denied and word.group().lower() == "unexplored" and _NOT.search(before):
            continue
        got |= out.add("unexplored" if denied else "explored", tuple(dict.fromkeys(named)))
    return got


_WRONG = r"(?:misplaced|astray|out of (?:its )?place|in (?:the |a )?wrong (?:place|spot|room)|not where it belongs|not belong|doesn'?t belong|does not belong|wrongly placed|untidy)"


def _house(text: str, out: Gathered) -> bool:
    named = items(text)
    if not named:
        return False
    wrong = re.search(rf"\b{_WRONG}\b", text, re.I)
    if wrong is None:
        return _furniture(text, out, named)
    before = re.sub(
        r"(?:not where it belongs|not belong|doesn'?t belong|does not belong)", "", text[: wrong.end()], flags=re.I
    )
    if _NOT.search(before) or re.search(r"\b(?:no longer|any ?more|anymore|picked up|put back|already)\b", text, re.I):
        return False
    things = [n for _, _, n in named if n != FLOOR and is_thing(n)]
    places = [n for _, _, n in named if n == FLOOR or not is_thing(n)]
    if len(dict.fromkeys(things)) != 1 or len(dict.fromkeys(places)) > 1:
        return False
    where = room_in(text)
    if not where and rooms(text):
        return False
    kind = values.kind_of(things[0])
    return out.add("misplaced", [Found(things[0], kind, places[0] if places else "", where, point_in(text))])


def _furniture(text: str, out: Gathered, named: list[tuple[int, int, str]]) -> bool:
    """`I saw counter_top_0 in room_1`, `there is a sink_0 in the kitchen`: furniture that can be put on."""
    names = list(dict.fromkeys(n for _, _, n in named))
    if not re.search(
        r"\b(?:saw|see|seen|found|there (?:is|are)|noticed|spotted|know of|detected)\b", text, re.I
    ) or _NOT.search(text):
        return False
    if not names or not all(is_receptacle(n) and n[-1].isdigit() for n in names):
        return False
    where = room_in(text)
    at = point_in(text) if len(names) == 1 else None
    return out.add("receptacles", [Found(n, values.kind_of(n), "", where, at) for n in names])
