"""Guesses at what people want done."""

from __future__ import annotations

import re

from coterie.mission.language.guess_words import BRING, PAST, SHUT, WISH, is_question
from coterie.mission.language.heard import Heard
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning, Want


def order(h: Heard) -> Meaning | None:
    lost = h.has("cannot find|no idea|not know where|not see it|not find")
    if h.negated and not lost and not h.has("nothing else"):
        return None
    if is_question(h) and not h.begins("can you|could you|would you|will you"):
        return None
    if h.has(PAST):
        return None
    if h.has(
        "has already|have already|somebody has|someone has|has been|have been|we have got|"
        "you will find|by the way|just so you know|heads-up|heads up|is ready|is packed|"
        "is finished|is done|was|were|i just|i see|it needs|it takes|they have|good to go|all set|all done|"
        r"(?:have|has) (?:just |now )?(?:finished|packed|completed|done)|«k\d+» is|i will|i shall|planned|decided|"
        r"next time|last (?:week|time)",
    ) and not h.has(
        "once you (?:have|are)|after you (?:have|are)|when you (?:have|are)|as soon as you|is (?:needed|required|"
        "wanted|to|due|urgently)"
    ):
        return None
    tasks = h.of("task")
    if len(tasks) == 1 and re.fullmatch(r"(?:(?:now|then|time for|the|a|an|another|your|one more) )*«g\d+»", h.text):
        return m.Order((Want(m.TASK, tasks[0]),))  # "Night round."
    wants: list[tuple[int, Want]] = []
    robots, kit, room, door = h.of("robot"), h.one("kit"), h.one("room"), h.one("door")
    item, table, person, caddy = h.one("item"), h.one("table"), h.one("person"), h.one("caddy")
    at = lambda kind: h.text.find(f"«{kind}")  # noqa: E731
    wished = h.has(WISH, "can you|could you|would you")
    if door and (
        h.has("opened|opening|open up|unlock") or (h.has("open") and not h.has("is open|stands open|is standing open"))
    ):
        if (
            h.begins("open|unlock|go|first|please|before|after|once|when|as soon as")
            or wished
            or h.has("then|opening|and|afterwards|after|first")
        ):
            wants.append((at("d"), Want(m.DOOR, door)))
    elif door and h.has(SHUT) and (h.begins("shut|close|lock|please|go|closing|shutting|locking") or wished or robots):
        return m.Order((Want(m.DOOR, door, holds=False),), tuple(robots[:1]))
    elif room and not door and h.begins("open up|open"):
        wants.append((0, Want(m.DOOR, f"{room}door")))
    if kit and not item:
        if (room and h.has(
            BRING, r"get|drop off|handl\w+|needs|need|deliver\w*|loves?|wants?|likes?|ask(?:s|ed|ing) for|request\w*|"
            r"waiting for|could use|is after|is due|short of|out of|arriv\w+|transfer|ship|haul|lug|wheel|rush|run|"
            r"drive|convey",
        )) or (room and len(h.text.split()) < 9 and h.has(r"«k\d+» (?:to|into|for) (?:the )?«o\d+»")):  # fmt: skip
            wants.append((at("k"), Want(m.KIT, kit, room, h.many(kit))))
        elif h.has(
            r"pack\w*|assembl\w+|make|prepar\w+|put (?:\S+ ){0,3}together|build|put a|ready|compile|fill|"
            r"get (?:\S+ ){0,3}(?:done|finished)|finish"
        ):
            wants.append((at("k"), Want(m.KIT, kit, "", h.many(kit))))
    if (
        item
        and not kit
        and not door
        and (
            h.has("find it|look for it|search for it|find them|look for")
            or not h.has("gone|missing|no longer|none|nothing|all out|run out|used up")
        )
    ):
        if h.has(
            r"look|looking|find|found|finding|search\w*|locate|locating|hunt\w*|check\w*|see (?:if|whether)|where|"
            r"keep an eye|seek|"
            "track down|whereabouts|trace|scan|inspect|verify|make sure there|confirm|lost|go see|dig up|figure out",
        ):
            return m.Order((Want(m.LOOK, item, table),), tuple(robots[:1]))
        if (
            person
            and table
            and not h.has(r"from (?:the )?«t\d+»")
            and h.has(
                BRING,
                r"ask|needs?|want|should|pick\w*|collect|would like|require|could use|request",
                r"to (?:the )?«t\d+»",
            )
        ):
            return m.Order((Want(m.STOCK, item, table, h.many(item), source=person),), tuple(robots[:1]))
        if (
            table
            and not person
            and h.has(
                r"pick|grab|pick\w*|collect|lift|take hold|hold|grasp|seize|snatch|keep|hang on to|remove|"
                r"take (?:\S+ ){0,4}(?:off|from)|get (?:\S+ ){0,4}(?:off|from)"
            )
            and not h.has("bring|put|place|to «t")
        ):
            return m.Order((Want(m.HOLD, item, table, h.many(item)),), tuple(robots[:1]))
        if table and h.has(BRING) and not h.has("from"):
            return m.Order((Want(m.STOCK, item, table, h.many(item)),), tuple(robots[:1]))
    del caddy
    if not wants:
        return None
    hurry = h.has("urgent(?:ly)?|asap|immediately|right away|quickly|at once|as fast as|as soon as possible|in a hurry")
    ordered = [w for _, w in sorted(wants, key=lambda r: r[0])]
    if len(ordered) == 2 and _backwards(h):
        ordered.reverse()
    return m.Order(tuple(ordered), tuple(robots[:1]), urgent=hurry)


def _backwards(h: Heard) -> bool:
    """Whether what is said first is to be done last: "before you ..., ...", "... once you have ..."."""
    rest = h.text[1:]
    if h.begins("before|prior to"):
        return True
    if h.begins("once|after|when|as soon as|first"):
        return False
    later = re.search(
        r"\b(?:once(?! it| that| this| done| you are done)|(?<!and )after(?! that| this)|as soon as|when|but first|"
        r"but before that|but only after)\b",
        rest,
    )
    if re.search(r"\b(?:first|before that|beforehand)$", rest) and re.search(r"\b(?:but|and|only)\b", rest):
        return True
    return later is not None and "«" in rest[: later.start()] and "«" in rest[later.end() :]
