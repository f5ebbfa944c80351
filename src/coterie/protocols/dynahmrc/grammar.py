"""The grammar that holds a model's reply to the actions its robot can name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coterie.protocols.shared.lengths import LENGTHS
from coterie.protocols.shared.reading import Reading
from coterie.protocols.shared.shift import out_of_reach

#: The same for servers that hold replies to a schema and know no grammars.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"thought": {"type": "string"}, "action": {"type": "string"}},
    "required": ["thought", "action"],
    "additionalProperties": False,
}


def action_grammar(r: Reading, style: str = "compact", never: Iterable[str] = ()) -> dict[str, Any]:
    """GBNF for `Thought: ...` and `Action: skill(names)`, and for large models a schema in its stead. `never`: what is
    done in vain again and again cannot be said once more. Nor can a robot move closer where nothing is out of reach: it
    would only wait, and say the same again."""
    thought, words = LENGTHS[style]
    able = [s for s in r.card.skills if s != "move" or out_of_reach(r) is not None]
    grammar = r.me.language.grammar(r.me, able, thought, words, never)
    return grammar if style == "compact" else {**grammar, "schema": SCHEMA}
