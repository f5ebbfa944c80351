"""Stages 1 and 2: every robot describes itself, then proposes a division of labour and says why it should lead."""

from __future__ import annotations

from coterie.core.facts import Fact
from coterie.protocols.shared import sentences, words
from coterie.protocols.shared.introductions import body_in_words, introduction
from coterie.protocols.shared.mind import SHARED_PLAN, Asking, Mind, ask, hear
from coterie.protocols.shared.replies import Misread, PlanReader, field, quoted, whole


def introduce(mind: Mind) -> Asking[None]:
    told = yield from ask(mind, "SD", mind.prompt("sd"), read_introduction)
    text, facts = introduction(mind.reading())  # the card, and what is in sight
    facts = facts if mind.options.share else []
    said = told if isinstance(told, str) else text  # what cannot be read is not passed on
    me = mind.me
    facts.append(Fact("intro", (me.name,), said, me.time, me.name))
    me.belief.tell(facts[-1])
    said += body_in_words(mind.reading()) if mind.options.share else ""
    me.say(sentences.INTRODUCTION.say(said), facts=facts)
    mind.introduced = True
    yield from hear(mind, "intro")


def read_introduction(reply: str) -> str | Misread:
    return field(reply, "content") or whole(reply)


def propose(mind: Mind, anew: bool = False) -> Asking[None]:
    """At the beginning; `anew` once the leader is gone: what was reported and found since then counts, too."""
    values = {"introductions": introductions(mind), "reports": "", "searched_since": "", "found_since": ""}
    if anew:
        reports = "\n".join(f"{n}: {quoted(mind.said('report', n))}" for n in mind.online() if mind.said("report", n))
        r = mind.reading()
        values["reports"] = reports
        if mind.options.style != "paper":
            values["searched_since"] = words.searched(r, True)
            values["found_since"] = words.found(r, mind.memory, mind.options.style == "full")
    prompt = mind.prompt("talb", False, **values)
    read = PlanReader(mind.online())
    found = yield from ask(mind, "TALB", prompt, lambda reply: _read(reply, read))
    plan, speech = found if isinstance(found, tuple) else (SHARED_PLAN, "")
    said = sentences.PLAN_WITH_SPEECH.say(plan, speech) if speech else sentences.PLAN.say(plan)
    mind.tell("proposal", (mind.me.name,), (plan, speech), said)
    yield from hear(mind, "proposal", anew)


def introductions(mind: Mind) -> str:
    """The introductions of all robots, quoted."""
    return "\n".join(f"{n}: {quoted(mind.said('intro', n))}" for n in mind.online())


def _read(reply: str, read: PlanReader) -> tuple[str, str] | Misread:
    plan = read(reply)
    return plan if isinstance(plan, Misread) else (plan, field(reply, "speech") or "")
