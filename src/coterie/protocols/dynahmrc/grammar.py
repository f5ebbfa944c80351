"""The grammar that holds a model's reply to the actions its robot can name, in two lengths."""

from __future__ import annotations

from coterie.protocols.shared.reading import Reading

#: The most characters of a thought and of a message, by style: a reply that is cut off before its action says nothing.
LENGTHS = {"compact": (48, 100), "full": (400, 300), "paper": (400, 300)}


def action_grammar(r: Reading, style: str = "compact") -> dict[str, str]:
    """GBNF for `Thought: ...` and `Action: skill(names)`."""
    thought, words = LENGTHS[style]
    return r.me.language.grammar(r.me, r.card.skills, thought, words)
