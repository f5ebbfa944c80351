"""Stage 4: one atomic action from one robot's own view, and a second call where the base must shift a little."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coterie.core.action import COMMUNICATE, UNREAD, WAIT, Action
from coterie.protocols.shared import replies
from coterie.protocols.shared.introductions import named_facts
from coterie.protocols.shared.mind import Asking, Mind, ask
from coterie.protocols.shared.reading import Reading
from coterie.protocols.shared.shift import out_of_reach, shift
from coterie.protocols.shared.templates import LENGTHS

#: The form of a reply for servers that hold replies to a schema and know no grammars.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"thought": {"type": "string"}, "action": {"type": "string"}},
    "required": ["thought", "action"],
    "additionalProperties": False,
}


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


def action_grammar(r: Reading, style: str = "compact", never: Iterable[str] = ()) -> dict[str, Any]:
    """GBNF for `Thought: ...` and `Action: skill(names)`, and for large models a schema in its stead. `never`: what is
    done in vain again and again cannot be said once more. Nor can a robot move closer where nothing is out of reach: it
    would only wait, and say the same again."""
    thought, words = LENGTHS[style]
    able = [s for s in r.card.skills if s != "move" or out_of_reach(r) is not None]
    grammar = r.me.language.grammar(r.me, able, thought, words, never)
    return grammar if style == "compact" else {**grammar, "schema": SCHEMA}
