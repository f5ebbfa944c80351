"""What is read of replies: `[result]` with a numbered list, `[judgement] yes`, `[subskill] ...`, `[misplaced] ...`.

Replies come from any model: headings in other brackets or none, lists without numbers, the last heading counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coterie.core.kinds import Misread
from coterie.core.spoken import spoken
from coterie.protocols.adhoc.subtasks import MOST_WORDS, Phrase, read_subskill, read_subtask

_YES = re.compile(r"\W*(yes|reasonable|true|agree|accept\w*)\b", re.I)
_NO = re.compile(r"\W*(no|not|unreasonable|false|reject\w*|infeasible)\b", re.I)
_ITEM = re.compile(r"^[\s*>\-]*(?:\d{1,2}[.):]|[-*•])\s*(.+)$", re.M)


def part(reply: str, heading: str) -> str:
    """What stands behind the last such heading; the whole reply without its analysis, where there is none."""
    text = spoken(reply)
    found = list(re.finditer(rf"^[\s*#_]*[\[<(*#_]*\s*{heading}s?\s*[\]>)*_]*\s*:?", text, re.I | re.M))
    if found:
        rest = text[found[-1].end() :]
        after = re.search(r"^\s*\[\w+\]", rest, re.M)
        return rest[: after.start()] if after else rest
    return re.sub(r"\[analysis\].*?(?=^\s*\[|^\s*\d[.)]|\Z)", "", text, flags=re.I | re.S | re.M)


def candidates(reply: str, free: bool, most: int = 3) -> list[Phrase] | Misread:
    """Different sub-tasks, in the order in which they stand; in free words, each line is one."""
    body = part(reply, "result")
    rows = _ITEM.findall(body) or [row for row in body.splitlines() if row.strip()]
    found: dict[Phrase, None] = {}
    for row in rows:
        phrase = read_subtask(row)
        if phrase is None and free and row.strip():
            phrase = Phrase(row.strip(" .*`\"'")[:MOST_WORDS])
        if phrase is not None:
            found[phrase] = None
    return list(found)[:most] if found else Misread("it has no sub-task in a numbered list behind [result]")


def ranking(reply: str, given: Sequence[Phrase], free: bool) -> list[Phrase] | Misread:
    """The candidates in the order of a reply; those that it leaves out come last, others are left out."""
    named = candidates(reply, free, len(given))
    if isinstance(named, Misread):
        return named
    found = [p for p in named if p in given]
    return [*found, *(p for p in given if p not in found)] if found else Misread("it names none of the candidates")


def judgement(reply: str) -> bool | Misread:
    body = part(reply, "judgement")
    if _NO.match(body):
        return False
    if _YES.match(body):
        return True
    words = set(re.findall(r"\b(yes|no)\b", body.lower()))
    return words == {"yes"} if len(words) == 1 else Misread("it says neither yes nor no behind [judgement]")


def subskill(reply: str) -> Phrase | Misread:
    for row in part(reply, "sub-?skill").splitlines():
        found = read_subskill(row) if row.strip() else None
        if found is not None:
            return found
    return Misread("it has no sub-skill behind [subskill]")


def misplaced(reply: str, names: Sequence[str]) -> list[str] | Misread:
    """Those of the names that stand in the answer; none of them is an answer, too."""
    body = part(reply, "misplaced")
    said = set(re.findall(r"[a-z][\w]*_\d+(?:_\w+)?", body.lower()))
    found = [n for n in names if n.lower() in said]
    if found or re.search(r"\bnone\b|\bnothing\b", body, re.I):
        return found
    return Misread("it names nothing behind [misplaced], and does not say none")
