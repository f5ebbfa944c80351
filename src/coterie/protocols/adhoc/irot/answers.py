"""Readers of replies: `[result]` with a numbered list, `[judgement] yes`, `[subskill] ...`, `[misplaced] ...`.

Headings may be set in other ways, and JSON with such keys does as well. What names several things and settles on none
is not read: it is asked for once more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.kinds import Misread
from coterie.core.replies.fields import blank, refuses
from coterie.core.replies.json_blocks import blocks, flat
from coterie.core.replies.sections import keyed, sections, spoken, torn, under
from coterie.protocols.adhoc.subtasks import MOST_WORDS, Phrase, read_subskill, read_subtask

_LEAD = re.compile(r"[^\w<]*(?:\d{1,2}[.):]\s*)?[^\w<]*")
_IFS = re.compile(
    r"\b(?:if|unless|provided|depend\w*|or|either|maybe|perhaps|already|was|were|failed|wait)\b|[?/]", re.I
)
_ID = re.compile(r"[a-z]\w*_\d+(?:_\w+)?")
_NAME = re.compile(r"\b(?:Explore|Re-?place|Report|Stop)\b")
_SPARED = re.compile(r"\b(?:not|except|fine|okay|correct|no|none|neither|nor|nothing)\b")
_NONE = re.compile(r"\W*(?:none|nothing|\[\s*\])\W*", re.I)


def part(reply: str, heading: str) -> tuple[str, bool]:
    """The text behind the last such heading, or its value in JSON; the whole reply without its analysis, where
    there is none. And whether it had the heading."""
    text = spoken(reply)
    values = keyed(text, heading)
    body = _lines_of(values[-1]) if values else under(text, heading) or under(text, "answer")
    if body is not None:
        return body, True
    return "\n".join(b for n, b in sections(text) if n not in ("thought", "other", "plan", "message")), False


def _lines_of(value: Any) -> str:
    """A value of JSON, an item a line."""
    if isinstance(value, list) and not value:
        return "none"
    return "\n".join(_item(i) for i in (value if isinstance(value, list) else [value]))


def _item(value: Any) -> str:
    """`{"name": "Explore", "args": ["room_2"]}` as words."""
    if not isinstance(value, Mapping):
        return flat(value)
    words = [str(x) for k, v in value.items() if not re.match(r"rank|reason|why|score|analysis", str(k), re.I)
             for x in (v.values() if isinstance(v, Mapping) else v if isinstance(v, list) else [v])]  # fmt: skip
    return " ".join(words[:1] + [f"<{w}>" for w in words[1:]])


def rows(body: str) -> list[str]:
    """The items of a list, a line each, without their numbers."""
    bare = (line[_LEAD.match(line).end() :].strip() for line in body.splitlines())  # type: ignore[union-attr]
    return [line for line in bare if line]


def candidates(reply: str, free: bool, most: int = 3) -> list[Phrase] | Misread:
    """Different sub-tasks, in the order in which they stand; in free words, each line is one."""
    body, headed = part(reply, "result")
    if refuses(body):
        return Misread("it says that it will not answer")
    found: dict[Phrase, None] = {}
    for row in rows(body) if headed or not blocks_of(reply) else map(_item, blocks_of(reply)):
        phrase = read_subtask(row)
        if phrase is None and not free and re.match(r"\W*(?:Explore|Re-?place|Report)\b", row, re.I):
            return Misread("it has a sub-task that cannot be read")  # the others alone are not what it meant
        if phrase is not None and len(_NAME.findall(row)) > 1:
            return Misread("it names several sub-tasks in one line and settles on none")
        if phrase is None and free and headed:
            phrase = Phrase(row.strip(" .*`\"'")[:MOST_WORDS])
        if phrase is not None:
            found[phrase] = None
    return list(found)[:most] if found else Misread("it has no sub-task in a numbered list behind [result]")


def blocks_of(reply: str) -> list[Any]:
    """The objects in JSON, of lists too, by their rank where they have one."""
    found = [i for b in blocks(spoken(reply)) for i in (b if isinstance(b, list) else [b])]
    ranks = [i.get("rank") if isinstance(i, Mapping) else None for i in found]
    return sorted(found, key=lambda i: i["rank"]) if found and all(isinstance(r, int) for r in ranks) else found


def ranking(reply: str, given: Sequence[Phrase], free: bool) -> list[Phrase] | Misread:
    """The candidates in the order of a reply; those that it leaves out come last, others are left out."""
    named = candidates(reply, free, len(given))
    if isinstance(named, Misread):
        return named
    if re.search(r"\b(?:worst|least|lowest)\b[^\n]{0,30}\b(?:to|first)\b|\bascending\b", spoken(reply), re.I):
        return Misread("it begins with the worst")
    body, headed = part(reply, "result")
    numbers = [int(n) for n in re.findall(r"^[^\w\n]{0,6}(\d{1,2})[.):]\s", body, re.M)]
    if headed and numbers and numbers != sorted(numbers):
        return Misread("its numbers are not in order")
    known = {_key(p): p for p in given}
    found = list(dict.fromkeys(known[_key(p)] for p in named if _key(p) in known))
    return [*found, *(p for p in given if p not in found)] if found else Misread("it names none of the candidates")


def _key(phrase: Phrase) -> tuple[str, ...]:
    return tuple(re.sub(r"[\W_]", "", w).lower() for w in (phrase.name, *phrase.args))


def judgement(reply: str) -> bool | Misread:
    """True if the first word behind the heading is yes, False if it is no."""
    body, _ = part(reply, "judgement")
    said = re.match(r"[\W_]*(yes|no|true|false)\b(?=\W{0,3}(?:[,.;:!\n)]|\Z|because\b|since\b))", body, re.I)
    if said is None or _IFS.search(body.strip().split("\n")[0]):
        return Misread("it says neither yes nor no behind [judgement]")
    return said.group(1).lower() in ("yes", "true")


def subskill(reply: str) -> Phrase | Misread:
    body, headed = part(reply, "subskill")
    if torn(spoken(reply), "subskill") or (not headed and len(rows(body)) > 1):
        return Misread("it names several sub-skills and settles on none")
    for row in rows(body):
        found = read_subskill(row)
        if found is not None and _IFS.search(row):
            return Misread("it does not say for sure what comes next")
        if found is not None:
            return found
    return Misread("it has no sub-skill behind [subskill]")


def misplaced(reply: str, names: Sequence[str]) -> list[str] | Misread:
    """The names behind the heading, possibly none; without it an answer is nothing but names."""
    body, headed = part(reply, "misplaced")
    low = body.lower()
    if _NONE.fullmatch(body):
        return []
    if blank(body) or _IFS.search(low) or _SPARED.search(low):
        return Misread("it does not say for sure which things are misplaced")
    if not headed and re.search(r"\w", re.sub(r"\band\b", "", _ID.sub("", low))):
        return Misread("it has no heading [misplaced]")
    said = set(_ID.findall(low))
    found = [n for n in names if n.lower() in said]
    return found or Misread("it names nothing behind [misplaced], and does not say none")
