"""Stage 1: every robot describes itself to the others."""

from __future__ import annotations

from coterie.core.facts import Fact
from coterie.protocols.shared import sentences
from coterie.protocols.shared.mind import Asking, Mind, ask, hear
from coterie.protocols.shared.replies import Misread, field, whole
from coterie.protocols.shared.talk import body_in_words, introduction


def introduce(mind: Mind) -> Asking[None]:
    words = yield from ask(mind, "SD", mind.prompt("sd"), _read)
    text, facts = introduction(mind.reading())  # the card, and what is in sight
    facts = facts if mind.options.share else []
    said = words if isinstance(words, str) else text  # what cannot be read is not passed on
    me = mind.me
    facts.append(Fact("intro", (me.name,), said, me.time, me.name))
    me.belief.tell(facts[-1])
    said += body_in_words(mind.reading()) if mind.options.share else ""
    me.say(sentences.INTRODUCTION.say(said), facts=facts)
    mind.introduced = True
    yield from hear(mind, "intro")


def _read(reply: str) -> str | Misread:
    return field(reply, "content") or whole(reply)
