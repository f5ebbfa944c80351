"""Stage 4: one atomic action from one robot's own view, and a second call where the base must shift a little."""

from __future__ import annotations

from coterie.core.action import COMMUNICATE, UNREAD, WAIT, Action
from coterie.protocols.dynahmrc.grammar import action_grammar
from coterie.protocols.shared import replies
from coterie.protocols.shared.mind import Asking, Mind, ask
from coterie.protocols.shared.shift import shift
from coterie.protocols.shared.talk import named_facts


def act(mind: Mind) -> Asking[Action]:
    me, r = mind.me, mind.reading()
    prompt = mind.prompt("hmrc")
    others = [n for n in r.online if n != me.name]
    held = action_grammar(r, mind.options.style, mind.memory.stuck())
    found = yield from ask(mind, "HMRC", prompt, lambda reply: me.language.read(reply, others), held)
    if isinstance(found, replies.Misread):
        return Action(WAIT, (), f"unreadable reply: {found.reason}", origin=UNREAD)
    if found.skill == "move" and "move" in r.card.skills:
        return (yield from shift(mind, r, found))
    if found.skill == COMMUNICATE and mind.options.share:
        return found._replace(facts=tuple(named_facts(r, str(found.args[0]))))
    return found
