"""From any words of a teammate to what they say: `read(text, sender) -> Heard`.

It knows no team's format. Whatever the words come in (lines of keys, JSON, tags, tables, codes, sentences), keys are
looked up in one list of words, values are read by their field, and the rest is read as sentences. What can be taken in
two ways, is asked, supposed, denied or said of another robot is not taken; it stays in `unread`.
"""

from __future__ import annotations

from coterie.protocols.adhoc.adapter.reading import MOST_CHARS, read
from coterie.protocols.adhoc.adapter.record import EXPLORE, REPLACE, STOP, SUBTASKS, Found, Heard, Subtask, merged
from coterie.protocols.adhoc.adapter.values import subtask

__all__ = [
    "EXPLORE", "MOST_CHARS", "REPLACE", "STOP", "SUBTASKS", "Found", "Heard", "Subtask", "merged", "read", "subtask",
]  # fmt: skip
