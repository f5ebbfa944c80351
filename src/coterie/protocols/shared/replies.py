"""Replies are data: read tolerantly, never evaluated, cut to size.

What cannot be read is a `Misread` with the reason in words. Actions are read by the language of the world
(`coterie.core.language`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from coterie.core.kinds import Misread
from coterie.core.said import MOST_CHARS, clean, field, names_it, numbers, thought

__all__ = ["MOST_CHARS", "Misread", "clean", "field", "names_it", "one_of", "quoted", "shift", "thought", "whole"]
MOST_QUOTED = 1000  # characters: two fields of a reply


def whole(reply: str) -> str | Misread:
    """All of a reply that has words in it: what was said without its heading."""
    text = clean(reply[:MOST_CHARS])
    return text if any(c.isalnum() for c in text) else Misread("it is empty")


def quoted(text: object) -> str:
    """Words of another robot in a prompt: one line in quotes, which nothing in it can end. Nothing stays nothing."""
    words = clean(text, MOST_QUOTED) if isinstance(text, str) else ""
    return f'"{words}"' if words else ""


def one_of(reply: str, heading: str, names: Iterable[str]) -> str | None:
    """The name a reply settles on: behind its heading, or the only one it mentions."""
    names = list(names)
    inline = re.search(rf"\b{heading}[^\w:]{{0,9}}:\W{{0,9}}(\w+)", reply[:MOST_CHARS], re.I)
    said = field(reply, heading) or (inline.group(1) if inline else "")
    for text in (said, reply[:MOST_CHARS]):
        found = [n for n in names if names_it(n.lower(), text.lower())]
        if len(found) == 1:
            return found[0]
        if found and text is said:
            return min(found, key=lambda n: said.lower().find(n.lower()))
    return None


def shift(reply: str) -> tuple[float, float] | None:
    """`Move: 0.4, -0.2` to two numbers."""
    said = re.search(r"move\s*:?\s*(.*)", reply[:MOST_CHARS], re.I | re.S)
    found = numbers(said.group(1) if said else reply[:MOST_CHARS], 2)
    return None if found is None else (found[0], found[1])
