"""Text of a model, read tolerantly, never evaluated, cut to size."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from coterie.core.action import Action
from coterie.core.bounds import MOST_TEXT
from coterie.core.bounds import clean as clean  # many take it from here
from coterie.core.kinds import Kind, Misread
from coterie.core.replies.sections import spoken, under, unlisted

MOST_QUOTED = 1000  # of what others said: two fields of a reply
MOST_SHIFT = 10.0  # metres; more is no shift of the base
MOST_ARGS = 4  # names of an unknown action that are kept
# Letters and digits are spelt out: \d and letters without regard to case also match signs that only look like them.
CALL = re.compile(r"(?<!\w)([A-Za-z_][A-Za-z0-9_]{0,40})\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_ONTO = re.compile(r"\s+(?:on|onto|in|into|at|to)\s+", re.I)
_NAME = re.compile(r"[\w@.-]{1,60}")


def quoted(text: object, most: int = MOST_QUOTED) -> str:
    """Words of others in a prompt: one line in quotes, which nothing in it can end. Nothing stays nothing."""
    words = clean(text, most) if isinstance(text, str) else ""
    return f'"{words}"' if words else ""


def field(reply: str, name: str, most: int = MOST_TEXT) -> str | None:
    """Return the text of a reply under a heading (one of `HEADINGS`) in one line; None where there is none."""
    body = under(spoken(reply), name)
    found = clean(unlisted(body), most) if body is not None and not refuses(body) else ""
    return found if any(c.isalnum() for c in found) and not blank(found) else None


#: Words in which the parts of an answer are described, and forms to be filled in.
_BLANK = re.compile(
    r"\W*(?:what (?:you|i) (?:found|do|did|will do|have done)\b[^.]{0,40}|the words,? or nothing\b.{0,60}|"
    r"one short sentence|"
    r"(?:your|my|a|an|the)(?: \w+){0,2} (?:introduction|message|plan|speech|summary|thoughts?|name|letter|"
    r"action|words|reasons?)"
    r"(?: here)?|places(?: or things)?|one skill|its letter|insert \w+(?: \w+)?(?: here)?|tbd|todo|placeholder|\.\.\.|"
    r"name: (?:places|\.\.\.).{0,80})\W*",
    re.I,
)


_REFUSAL = re.compile(
    r"\A\W*as an ai\b|\A[^.\n]{0,60}\b(?:cannot|can't|won't|unable to|decline to) (?:\w+ ){0,2}?"
    r"(?:help|assist|comply|answer|respond|participate|provide|continue|decide|choose|do (?:that|this))\b",
    re.I,
)


def refuses(text: str) -> bool:
    """Whether a text says little but that it will not answer."""
    return len(text) < 400 and _REFUSAL.match(text[:160]) is not None


def blank(text: str) -> bool:
    """Whether a text only repeats the form of an answer, or stands in brackets that were to be filled."""
    return _BLANK.fullmatch(text) is not None or re.fullmatch(r"\s*<[^<>]*>\s*", text) is not None


def names_it(name: str, text: str) -> bool:
    """Whether a text has a name as a whole: cup_1 is not in cup_10."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def thought(reply: str) -> str:
    return field(reply, "thought") or ""


def numbers(text: str, count: int) -> tuple[float, ...] | None:
    """The first numbers of a text, where there are enough and each could be metres of a small shift."""
    found = [float(n) for n in NUMBER.findall(text)[:count]]
    good = len(found) == count and all(math.isfinite(n) and abs(n) <= MOST_SHIFT for n in found)
    return tuple(found) if good else None


def pieces(inner: str, kinds: Sequence[Kind] = ()) -> list[str] | Misread:
    """The arguments of a call, one after the other. Kinds with a pattern of their own may have commas in them."""
    found: list[str] = []
    rest = inner
    if any(k.pattern for k in kinds):
        for kind in kinds:
            match = re.search(kind.pattern, rest) if kind.pattern else None
            if match is not None:
                found.append(match.group(0).replace(" ", ""))
                rest = rest[match.end() :].lstrip(" \"'>],")
            elif kind.pattern:
                said = clean(rest, 40)
                return Misread(f"'{said}' is not a {kind.name}" if said else f"the {kind.name} is missing")
            else:
                head, _, rest = rest.partition(",")
                found.append(head)
        rest = ""
    parts = rest.split(",")
    if len(kinds) > len(parts) == 1:  # "apple_0 on table_0"
        parts = _ONTO.split(rest)
    names = [n for n in (p.strip(" \t\"'<>[]`*") for p in (*found, *parts)) if n]
    names = [_joined(n) if " " in n else n for n in names]
    for name in names:
        if not _NAME.fullmatch(name) and not any(k.pattern and re.fullmatch(k.pattern, name) for k in kinds):
            return Misread(f"'{clean(name, 40)}' is not a name")
    return names


def _joined(name: str) -> str:
    """`side 1` and `stand pose 1` as names; other words stay what they are."""
    name = re.sub(r"^(?:the|side|object|place|box|furniture|container)\s+(?=\S+$)", "", name, flags=re.I)
    return name.replace(" ", "_") if re.fullmatch(r"[A-Za-z]+(?: [A-Za-z]+)* \d{1,3}", name) else name


def message(skill: str, inner: str, teammates: Iterable[str], why: str) -> Action | Misread:
    """Words and hearers, in either order."""
    teammates = list(teammates)
    words, rest = quotation(inner)
    to = [n for n in teammates if names_it(n, rest)]
    everyone = bool(re.search(r"\b(all|everyone|everybody|team)\b", rest, re.I))
    if not words:
        parts = [p.strip() for p in inner.split(",")]
        named = [p for p in parts if p.strip("[]' ") in teammates or p.lower() in ("all", "everyone")]
        words = ", ".join(p for p in parts if p not in named)
    if not words.strip():
        return Misread("the message has no words")
    return Action(skill, (clean(words), ("all",) if everyone or not to else tuple(to)), why)


def quotation(inner: str) -> tuple[str, str]:
    """Return the text between quotes, and the rest without it."""
    whole = re.match(r"\s*'(.{12,})'\s*(?=,[^,']*$|$)", inner, re.S)  # it may have apostrophes of its own
    if whole is not None and '"' not in inner and not re.search(r"'\s*,\s*'", whole.group(1)):
        return whole.group(1), inner[whole.end() :]
    quoted = re.findall(r"[\"“]([^\"”]*)[\"”]|'([^']{12,})'", inner)
    words = next((a or b for a, b in quoted if (a or b).strip()), "")
    return words, inner.replace(words, " ", 1) if words else inner
