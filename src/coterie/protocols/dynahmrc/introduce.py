"""Stage 1: every robot describes itself to the others."""

from __future__ import annotations

from coterie.core.facts import Fact
from coterie.protocols.dynahmrc.parse import field
from coterie.protocols.dynahmrc.state import Asking, Mind, ask, whole
from coterie.protocols.rules.talk import introduction


def introduce(mind: Mind) -> Asking[None]:
    words = yield from ask(mind, "SD", mind.prompt("sd"), lambda reply: field(reply, "Contents?") or whole(reply))
    text, facts = introduction(mind.reading())  # the card, and what is in sight
    said = str(words) or text
    me = mind.me
    facts.append(Fact("intro", (me.name,), said, me.time, me.name))
    me.belief.tell(facts[-1])
    me.say(said, facts=facts)
    mind.introduced = True
    yield []  # everybody's introduction arrives
