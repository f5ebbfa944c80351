"""From the words of a teammate to what they say: `read(text, sender) -> Heard`.

Four formats are read: lines of keys, JSON with such keys, the code of learnt teammates and the sentences of negotiating
ones. What is in none of them stays in `unread`, as it stands; nothing is guessed.
"""

from __future__ import annotations

from coterie.protocols.adhoc.adapter.reading import MOST_CHARS, read
from coterie.protocols.adhoc.adapter.values import (
    EXPLORE,
    REPLACE,
    STOP,
    SUBTASKS,
    Found,
    Heard,
    Subtask,
    merged,
    subtask,
)

__all__ = [
    "EXPLORE", "MOST_CHARS", "REPLACE", "STOP", "SUBTASKS", "Found", "Heard", "Subtask", "merged", "read", "subtask",
]  # fmt: skip
