"""Guesses at what people say is so."""

from __future__ import annotations

import re

from coterie.mission.language.guess_words import AGO, ALWAYS, BROKEN, DENIED, DO, EMPTY, JAM, OPEN, SHUT, is_question
from coterie.mission.language.heard import Heard
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning

#: Somebody has a thing, and has not done something with it: "the nurse has gone to get gloves".
_HAS = (
    r"(?:has|have|got|keeps?|holds?|stocks?) (?:(?:got|an?|the|some|any|no|not|more|enough|plenty|lots|few|of|also|"
    r"still|all|only|just|spare|extra|new|other|her|his|their|our|own|pairs?|boxes|«n\d+») )*«i\d+»|"
    r"«i\d+» (?:that |which )?(?:the )?«p\d+» (?:has|have|got)|"
    r"«i\d+».* «p\d+» has (?:some|one|any|those|them|it|plenty)"
)

#: Somebody is not here; and what people say of themselves: "I am going off shift. The nurse takes over."
_AWAY = (
    r"\b(?:away|gone|left|out|absent|not here|not there|not around|not available|off|there not|not in|not present|"
    r"not back|not arrived)\b"
)
_OF_ONESELF = r"\b(?:i|we) (?:am|are|have|will|must|was|were|go)\b(?: \w+){0,3}? (?:away|gone|left|out|absent|off)\b"
#: What is said of a robot and a place, and not that it is there: that it is kept away, or may go there.
_KEPT_OUT = (
    "away|out of|off|outside|keep|keeps|avoid|avoids|forbidden|banned|barred|near|stay|stays|without|instead|allowed|"
    "permitted|ban|bans|lift|lifts|lifted|forbid|forbids|business|supposed"
)
_MAY = "allow|allows|permit|may|can|could|might|let|lets|free to|again|from"


def claims_of(h: Heard) -> tuple[Claim, ...]:
    """What a sentence says is so, in whatever mood."""
    robot, kit, room, door = h.one("robot"), h.one("kit"), h.one("room"), h.one("door")
    item, table, person = h.one("item", "caddy"), h.one("table"), h.one("person")
    if door and h.has(JAM):
        free = h.has("(?:not|no longer|never) (?:jammed|stuck|blocked|wedged)", "no longer (?:jams|sticks)")
        return (Claim(m.JAMMED, door, holds=not free),)
    if door and h.has(OPEN):
        return (Claim(m.DOOR, door, holds=not h.has(r"not|no longer|never|nobody|no one|no «n\d+»|none")),)
    if door and h.has(SHUT):
        return (Claim(m.DOOR, door, holds=h.has(r"not|no longer|never|nobody|no one|no «n\d+»|none")),)
    if table and not item and h.has(EMPTY):
        full = h.has("(?:not|no longer|never|far from) (?:\\w+ )?(?:empty|cleared|bare|clear|vacant|emptied)")
        return (Claim(m.EMPTY, "", table, holds=not full),)
    if table and not item and h.negated and h.has("anything|any things|a thing"):
        return (Claim(m.EMPTY, "", table),)
    if item and table:
        gone = h.has("(?:took|taken|removed) .*(?:from|off)") or h.has(
            "no|not|none|gone|missing|without|nothing|run(?:s|ning)? out(?: of)?|ran out(?: of)?|"
            "out of|run out|used up|empty of|lacks?|zero|finished|absent|sold out|exhausted|vanished|disappeared",
            r"«t\d+» (?:is|was|looks|got) (?:\w+ )?(?:empty|bare|cleared|emptied)",
            r"(?:took|taken|used|grabbed|stole) (?:all|every|the last)(?!.* (?:to|onto|into) (?:the )?«t)",
        )
        gone = gone or h.count(item) == 0
        return (Claim(m.STOCK, item, table, None if gone else h.count(item), not gone),)
    if (
        robot
        and not h.of("kit", "item")
        and (
            h.has("open|opening|opens|opened")
            and (h.negated or h.has("lost|unable|no longer|incapable|impossible|not possible|not capable|beyond|fails"))
        )
    ):
        return (Claim(m.ABLE, robot, "open", holds=False),)
    if robot and (room or table) and not kit and not item and not h.negated and not h.has(_KEPT_OUT):
        return (Claim(m.AT, robot, room or table),)
    if (
        robot
        and not h.of("kit", "item", "person", "door")
        and h.has(
            "(?:not|no longer|never|neither) (?:\\w+ )?(?:broken|defective|out of order|out of action|down|dead|"
            "faulty|kaput|offline|unavailable|switched off|useless)"
        )
    ):
        return (Claim(m.ABLE, robot),)
    if robot and not h.of("kit", "item", "person", "door") and h.has(BROKEN):
        return (Claim(m.ABLE, robot, holds=False),)
    if robot and h.has(
        "working again|repaired|fixed|back in (?:action|service|order)|works again|back on|back at work|up and running|"
        "charged|fine again|recovered|ok again|okay again",
    ):
        return (Claim(m.ABLE, robot),)
    if person and not h.of("kit", "table", "robot", "door"):
        if item and h.has(_HAS):
            return (Claim(m.SUPPLY, item, person, holds=not h.negated),)
        if re.search(_AWAY, re.sub(_OF_ONESELF, " ", h.text)):
            return (Claim(m.PRESENT, person, holds=False),)
        if (
            not item
            and not h.negated
            and h.has(
                "here|back|present|in|arrived|available|around|there|returned|in now|with us|showed up|shown up|"
                "turned up|come back|came|came in|come in|has come|on duty|"
                "on site|at hand|joined us|made it|appeared|is among us",
            )
        ):
            return (Claim(m.PRESENT, person),)
    if (
        kit
        and not h.of("room", "table", "robot", "item")
        and h.has(
            "ready|packed|finished|done|complete|completed|assembled|together|made|prepared|good to go|all set|packing"
        )
        and not h.has(
            "wish|want|should|must|needs?|last (?:week|time|month|year)|yesterday|was|ago|tomorrow|soon|if|when|"
            "almost|nearly|by"
        )
    ):
        return (Claim(m.KIT, kit),) if not h.negated else ()
    return ()


def tell(h: Heard) -> Meaning | None:
    if (
        is_question(h)
        or h.has(ALWAYS, "if|when|once|after|before|until|till|unless|as soon as")
        or (h.has("was|were|had|used to|has been|have been") and h.has(AGO))
        or (h.begins(DO) and not h.begins(r"\w+ing\b.* (?:is|are|cannot|has)"))
        or h.has("should|must|ought|needs?|wants?|please|requires?|supposed|would like")
        or h.has(DENIED)
        or h.begins(
            "never|do not(?! (?:use|count|rely|expect|bother with|see|have|find))|not (?!an?y? )",
            "(?:there is )?no need|you need not",
            "will|would|could|can|may|might|shall",
            r"no (?!more|longer|«i|thing|item)",
        )
    ):
        return None
    claims = claims_of(h)
    if any(c.kind == m.AT for c in claims) and h.has(_MAY):
        return None
    return m.Tell(claims) if claims else None
