"""Guesses at what people teach, permit, change in kits and put right."""

from __future__ import annotations

import re

from coterie.mission.language.guess_words import CARRY, FAIL, is_question
from coterie.mission.language.heard import Heard
from coterie.mission.language.understand import known_words
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning


def kit_told(h: Heard) -> Meaning | None:
    """ "An eyekit is a caddy with two gloves": somebody begins to tell of a kit that nobody knows."""
    new = re.match(r"(?:an? |the |my |our )?((?!it\b|there\b|this\b|that\b)[a-z]{3,}(?: kit)?) "
                   r"(?:is|are|consists of|contains|has|means|needs|should contain)\b.*«[ic]\d", h.text)  # fmt: skip
    if new is None or h.asked or h.of("kit", "room", "table", "robot", "person", "door") or new[1] in known_words():
        return None
    return m.Teach("kit", new[1])


def teach(h: Heard) -> Meaning | None:
    if not h.has(
        r"teach\w*|learn\w*|define|show(?:ing)? you how|train you|explain|introduce|lesson|(?:a|the) new (?:task|"
        r"skill|job)|new (?:task|skill)|"
        "teaching"
    ) or h.of("person", "kit"):
        return None
    if h.has(r"undo|unlearn|forget|scrap|revert|delete|erase|discard|wipe|last lesson|taught|learn(?:ed|t)"):
        return None
    kind = (
        "kit" if h.has("kit") else "skill" if h.has("skill|procedure") else "object" if h.has("object|item") else "task"
    )
    label = h.labels[0] if h.labels else ""
    is_one = re.search(r"what (?:an? |the )?([a-z]+(?: [a-z]+)?) is$", h.text)
    if not label and is_one:
        label = is_one[1]
    if not label:
        found = re.search(
            r"(?:called|named|name is|how to do|how to|the task of|task of|task|skill|kit|known as|call it|to)\s+"
            r"((?!of\b|called\b|named\b|how\b|teach\b|is\b|do\b|you\b|it\b)(?:the )?[a-z]+(?: (?!is\b)[a-z]+){0,2})"
            r"(?: (?:task|now|today))?$",
            h.text,
        )
        label = found[1].removeprefix("the ") if found else ""
    return (
        m.Teach(kind, label)
        if label and h.has(r"explain|introduce|new|teach\w*|learn|define|train you|how to|called|named|task")
        else None
    )


def permit(h: Heard) -> Meaning | None:
    person = h.one("person")
    if not person or h.of("kit", "item", "door", "table") or h.has(FAIL, "whenever|when|in case"):
        return None
    right = ""
    if h.has(
        r"approv\w+|sign(?:s|ing)? (?:\w+ )?off|say(?:s|ing)? yes|confirm\w*|agree\w*|ok plans|"
        r"authori[sz]\w+ (?:plans?|things|it|that)|green light|go-ahead|decid\w+|give (?:\w+ )?(?:ok|okay|approval)|"
        r"accept (?:plans|proposals)",
    ):
        right = "approve"
    elif h.has(r"teach\w*|learn\w*|train\w*|taught"):
        right = "teach"
    elif h.has(
        r"command\w*|orders?|ordering|tell(?:ing)? you what to do|what to do|"
        "instruct(?:s|ing|ions?)?|direct you|boss|order you|in charge|a say|listen to|obey|"
        "tell you (?:anything|things)",
    ):
        right = "command"
    if not right:
        return None
    allowed = h.has(
        r"may|allow\w*|let|permi\w+|right|okay|ok|fine|can|accept|listen|lets?|authority|"
        r"authori[sz]\w+|trust|free to|take|taking|follow|obey|want|have|has|giv\w+|grant\w*|stop|revok\w+|"
        r"withdraw\w*|forbid\w*|ignore|counts?|is to|should",
    )
    if not allowed and not h.negated:
        return None
    if h.begins("i was") or is_question(h):
        return None
    return m.Permit(
        person,
        right,
        not (
            h.negated
            or h.has(
                r"stop|forb\w+|no longer|ignore|refuse|revok\w+|take away|take .* away|away from|"
                r"withdraw\w*|lost|loses|lose|forbidden|anymore|any more"
            )
        ),
        h.numbers[0] if h.numbers and h.has(r"«n\d+» (?:more )?minutes?") else 0,
    )


#: By which a number says how many there are in all, and by which it says how many more.
_SO_MANY = (
    "make (?:it|that)|use|there (?:is|are|will be|should be|must be)|chang\\w+|gets?|has|have|contains?|holds?|"
    "needs?|should be|must be|in all|in total|exactly|only|up to|down to|set|raise|increase to|reduce\\w*|limit\\w*|"
    "from now on"
)
_ADDED = (
    "add|added|adding|also|includ\\w*|as well|too|extra|additional\\w*|more|another|plus|put|into|supplement|on top|"
    "append|extend|goes in|belongs in|fewer|less|second|further"
)


def alter(h: Heard) -> Meaning | None:
    kit, item = h.one("kit"), h.one("item")
    if not kit or len(h.of("item")) != 1 or h.of("room", "table", "robot", "door"):
        return None
    if h.asked and not h.has("(?:could|can|shall|may|might) (?:we|you|i)|please|would you"):
        return None
    if h.has(r"remov\w+|take out|leave out|without|no longer|drop|does not need"):
        if h.count(item) is None and h.has("all|every|any|without|no longer|does not need"):
            return m.Alter(kit, "set", item, 0)
        return m.Alter(kit, "remove", item, h.many(item))
    if h.count(item) is not None and h.has(_SO_MANY) and not h.has(_ADDED):
        return m.Alter(kit, "set", item, h.many(item)) if not h.negated or h.has("not «n\\d+»") else None
    if h.has(
        "add|added|adding|also|include|includes|included|including|as well|too|extra|additionally|in it|more|another|"
        "plus|"
        "into|in the|part of|goes in|belongs in|additional|in a|contain|supplement|on top|append|extend",
    ):
        return m.Alter(kit, "add", item, h.many(item))
    return None


def correct(h: Heard) -> Meaning | None:
    if not h.has(
        "meant|mean|misspoke|mistake|i was talking about|make that|make it|instead|rather|"
        "correction|actually|wrong|i should have said|not that|not there|sorry|i had in mind|i wanted|my bad|oops|"
        "i was thinking of|the other|correct that|change that|change it|i said|should (?:have been|be|go)|supposed to|"
        "not this|in fact|(?:was|is) (?:right|correct|better)(?: after all)?$|"
        "is where (?:it|that|they) (?:should|must|belongs?)|"
        "(?:it|that) (?:was|is) (?:(?:the|an?|to|for|on) )*«[koti]\\d+» (?:not|after all)",
    ) and not h.begins("no|nope|nah|oh no|wait|hold on|hang on|stop|oops"):
        return None
    if h.has("if|when|whenever|once|unless|while|any more|anymore|no longer|no more|work") or is_question(h):
        return None
    if h.has("no (?:need|reason|hurry|rush|problem|worries|doubt|wonder)"):
        return None
    names = list(dict.fromkeys(h.names))
    put = re.sub(
        r"(?<![\w«])(?:put|place|set|drop|bring|take|get|leave|move) (?:it|that|them|this|these|those)(?![\w»])",
        "",
        h.text,
    )
    carries = re.search(rf"(?<![\w«])(?:{CARRY}|open|shut|close|stop|pause)(?![\w»])", put) is not None
    wrong = re.search(
        r"(?:not|instead of|rather than) (?:the |a |an |on |to |in |into |onto )*«(\w)\d+»|"
        r"i (?:said|told you|wrote) (?:the |a |an |to )*«(\w)\d+» (?:but|and|though)\b",
        h.text,
    )
    if len(names) == 2 and wrong is not None and names[0][0] == names[1][0]:  # "not the medkit, the woundkit"
        first = h.text.index("«") >= wrong.start()
        names = names[1:] if first else names[:1]
    if (
        len(names) != 1
        or carries
        or h.has("is (?:not )?(?:empty|ready|open|shut|closed|packed|jammed|urgent)|there (?:is|are)|no «")
    ):
        return None
    kind, name, count = names[0]
    if kind in ("table", "room"):
        return m.Correct(m.Somewhere(name))
    if kind in ("kit", "item", "caddy"):
        return m.Correct(m.Things(((name, 1 if count is None else count),)))
    return None
