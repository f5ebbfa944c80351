"""Replies are data: read tolerantly, never evaluated, cut to size.

What cannot be read is a `Misread` with the reason in words. Names that do not exist are let through: the world answers
them with feedback.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from coterie.core.action import COMMUNICATE, Action

MOST_CHARS = 4000  # of a reply that are looked at
MOST_TEXT = 400  # of a message or a plan that are kept
MOST_SHIFT = 10.0  # metres; more is no shift of the base
# Letters and digits are spelt out: \d and letters without regard to case also match signs that only look like them.
_CALL = re.compile(r"(?<!\w)([A-Za-z_][A-Za-z0-9_]{0,40})\]?\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_NAME = re.compile(r"[\w@.-]{1,60}")


@dataclass(frozen=True)
class Misread:
    reason: str


def clean(text: object, most: int = MOST_TEXT) -> str:
    """One line without control characters, quotes that could end a quotation, or overlong runs."""
    flat = "".join(c if c.isprintable() else " " for c in str(text)[: 4 * most])
    flat = re.sub(r"\s+", " ", flat).strip().replace('"', "'")
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


def field(reply: str, name: str) -> str | None:
    """The text behind `name:`, up to the next such heading. A heading keeps to one line: the search stays short."""
    mark = r"[^\w\n]*"
    form = rf"^{mark}{name}{mark}:\s*(.*?)(?=^{mark}[A-Z][a-z]+{mark}:\s|\Z)"
    match = re.search(form, reply[:MOST_CHARS], re.S | re.M | re.I)
    return clean(match.group(1)) if match and match.group(1).strip() else None


def names_it(name: str, text: str) -> bool:
    """Whether a text has a name as a whole: cup_1 is not in cup_10."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def whole(reply: str) -> str | Misread:
    """All of a reply that has words in it: what was said without its heading."""
    text = clean(reply[:MOST_CHARS])
    return text if any(c.isalnum() for c in text) else Misread("it is empty")


def thought(reply: str) -> str:
    return field(reply, "Thoughts?") or ""


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


def action(reply: str, teammates: Iterable[str]) -> Action | Misread:
    """`Action: pick(apple_0)` to an action; `communicate` takes its words and its hearers in either order."""
    text = reply[:MOST_CHARS]
    if not text.strip():
        return Misread("the reply was empty")
    said = re.search(r"action[^\w:]*:\s*(.*)", text, re.I | re.S)
    why = thought(text)
    call = _CALL.search(said.group(1) if said else text)
    if call is None:
        if re.fullmatch(r"\W*wait\W*", said.group(1) if said else text, re.I):
            return Action("wait", (), why)
        return Misread("it has no action like pick(apple_0)")
    skill, inner = call.group(1).lower(), call.group(2)
    if skill == "wait":
        return Action("wait", (), why)
    if skill == COMMUNICATE:
        return _communicate(inner, list(teammates), why)
    if skill == "move":
        if len(_NUMBER.findall(inner)) < 2:
            return Action("move", (), why)
        found = _two_numbers(inner)
        return Action("move", found, why) if found else Misread("a shift is two small numbers, dx and dy in metres")
    names = [n for n in (part.strip(" \t\"'<>[]") for part in inner.split(",")) if n]
    for n in names:
        if not _NAME.fullmatch(n):
            return Misread(f"'{clean(n, 40)}' is not a name")
    if skill == "navigate" and names:
        side = names[1] if len(names) > 1 else "0"
        digits = re.findall(r"[0-9]+", side)
        return Action("navigate", (names[0], f"stand_pose_{digits[-1] if digits else 0}"), why)
    return Action(skill, tuple(names[:4]), why)


def _communicate(inner: str, teammates: list[str], why: str) -> Action | Misread:
    quoted = re.findall(r"[\"“]([^\"”]*)[\"”]|'([^']{12,})'", inner)
    words = next((a or b for a, b in quoted if (a or b).strip()), "")
    rest = inner.replace(words, " ", 1) if words else inner
    to = [n for n in teammates if names_it(n, rest)]
    everyone = bool(re.search(r"\b(all|everyone|everybody|team)\b", rest, re.I))
    if not words:
        pieces = [p.strip() for p in inner.split(",")]
        named = [p for p in pieces if p.strip("[]' ") in teammates or p.lower() in ("all", "everyone")]
        words = ", ".join(p for p in pieces if p not in named)
    if not words.strip():
        return Misread("the message has no words")
    return Action(COMMUNICATE, (clean(words), ("all",) if everyone or not to else tuple(to)), why)


def shift(reply: str) -> tuple[float, float] | None:
    """`Move: 0.4, -0.2` to two numbers."""
    said = re.search(r"move\s*:?\s*(.*)", reply[:MOST_CHARS], re.I | re.S)
    return _two_numbers(said.group(1) if said else reply[:MOST_CHARS])


def _two_numbers(text: str) -> tuple[float, float] | None:
    """The first two numbers, where both could be metres of a small shift."""
    found = [float(n) for n in _NUMBER.findall(text)[:2]]
    good = len(found) == 2 and all(math.isfinite(n) and abs(n) <= MOST_SHIFT for n in found)
    return (found[0], found[1]) if good else None
