"""Guesses at what is to be done when something is so, or always then."""

from __future__ import annotations

from coterie.mission.language.guess_words import ALWAYS, ASK, BRING, EMPTY, FAIL, IF, JAM, MISSING, is_question
from coterie.mission.language.heard import Heard
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want


def conditional(h: Heard) -> Meaning | None:
    if (
        not (h.has(IF) or h.begins("should"))
        or (is_question(h) and not h.has("let me know (?:if|when|whenever|in case)"))
        or h.has("suppose|imagine|what if")
    ):
        return None
    item, table, person = h.one("item"), h.one("table"), h.one("person")
    me = (
        h.has("me|myself|i (?:want|need|should|must|have|would like|wish) to be|i should be|i must be|i will decide")
        and not person
    )
    if table and h.has(EMPTY) and item:
        want = Want(m.STOCK, item, table, h.many(item))
        claim = Claim(m.EMPTY, "", table)
        if h.has(ALWAYS) or h.has(r"an empty «t\d+»"):
            return m.Policy((claim,), "wants", "", (want,))
        return m.Order((want,), (), (claim,))
    trigger: tuple[Claim, ...] | None = None
    if h.has(JAM):
        trigger = (Claim(m.JAMMED, h.one("door")),)
    elif h.has(
        r"grasp\w*|grab\w*|pick(?:ing|s)? (?:\w+ ){0,2}up|pick|gripper|grip\w*|hold\w*|get hold|pickup|take hold|catch"
    ) and h.has(FAIL, r"slip\w*|cannot|does not|not work|drop\w*|unable|not able|lose[sd]?|not manage|misses|not get"):
        trigger = (Claim(m.HOLD, holds=False),)
    elif h.has(MISSING, "not find") or h.has("is not there|item is not|not available"):
        trigger = (Claim(m.STOCK, item, holds=False),)
    elif h.has(FAIL):
        trigger = ()
    if trigger is None:
        return None
    if h.has(
        "another robot|a different robot|different robot|other robots?|another one of you|"
        "someone else|somebody else|the other one|a second robot|one of the others|the next robot|the others?|"
        "another one|"
        "(?:swap|switch|change) robots|a different (?:one|«n\\d+»)|another «n\\d+»",
    ):
        return m.Policy(trigger, "other robot")
    again = h.has("try again|retry|once more|another try|try it|twice|try (?:\\w+ )?(?:more|times)")
    if (person or me) and again:  # first one, then the other: no rule says both
        return None
    if person or me:
        who = person or "@me"
        if (
            trigger
            and trigger[0].kind == m.STOCK
            and item
            and h.has(BRING, r"pick\w*|collect|go to|suppl\w+|provid\w+")
            and not h.has("ask(?! (?:the )?\\S+ to (?:bring|get|fetch|go))|check with")
        ):
            return m.Policy(trigger, "bring", who)
        return m.Policy(trigger, "ask", who) if h.has(ASK, "advice|the one to ask|first|help") else None
    if h.has("try again|retry|once more|another try|try it again"):
        return m.Policy(trigger, "retry")
    if h.has("give up|leave it|stop trying|forget about it"):
        return m.Policy(trigger, "give up")
    return None
