"""Words that head a part of a reply, by the name under which it is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: What a line may begin with to be a heading, and what a key in JSON may be called.
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "thought": ("thought", "thoughts", "thought process", "reasoning", "analysis", "rationale", "thinking"),
    "plan": (
        "plan", "plans", "proposal", "allocation", "assignments", "assignment", "task allocation", "task assignment",
        "roles", "work plan", "action plan",
    ),
    "content": ("content", "contents", "introduction", "self-introduction"),
    "speech": ("speech", "leadership speech", "campaign speech", "election speech"),
    "summary": ("summary", "report", "status report", "findings"),
    "action": ("action", "actions", "skill", "command", "tool call", "function call"),
    "message": ("message", "messages"),
    "option": ("option", "letter", "choice", "selection"),
    "leader": ("leader", "vote", "candidate", "winner"),
    "answer": ("answer", "final answer", "decision", "verdict"),
    "result": ("result", "results", "ranking"),
    "move": ("move", "shift"),
    "next": ("next", "next steps", "next step"),
    "judgement": ("judgement", "judgment"),
    "subskill": ("subskill", "sub-skill", "sub skill"),
    "subtask": ("subtask", "sub-task", "sub task"),
    "misplaced": ("misplaced", "misplaced things", "misplaced objects"),
    "other": (
        "reason", "reasons", "contingency", "fallback", "risks", "assumptions", "alternatives", "alternative",
        "explanation", "note", "notes", "observation", "observations", "status", "conclusion", "justification",
        "confidence", "expected result", "expected outcome",
    ),
}  # fmt: skip
#: What may stand before such a word without changing what it is.
BEFORE = "my|the|our|your|final|new|next|revised|updated|proposed|chosen|corrected|recommended"
#: What turns it into something that was weighed, or done before.
DROPPED = "previous|last|earlier|alternative|rejected|wrong|old|initial|first|draft|possible|other|second|later"

NAMED = {word: name for name, words in HEADINGS.items() for word in words}
WORDS = "|".join(sorted((re.escape(w) for w in NAMED), key=len, reverse=True))
LEAD = rf"(?:(?:{BEFORE}|{DROPPED})\s){{0,3}}"
_DROPPED = re.compile(rf"\b(?:{DROPPED})\s", re.I)
_KEYED = re.compile(rf"{LEAD}(?:{WORDS})", re.I)


def named(key: object) -> str:
    """The heading that a key in JSON stands for, or nothing."""
    word = re.sub(r"[_\-\s]+", " ", str(key)).strip().lower()
    return name_of(word) if _KEYED.fullmatch(word) else ""


def name_of(said: str) -> str:
    """The name of a heading: of the longest of its words at the end; what was only weighed has that of no answer."""
    words = " ".join(said.lower().split())
    if words in NAMED:
        return NAMED[words]
    if _DROPPED.search(words):
        return "other"
    return next(NAMED[words[i:]] for i in range(len(words)) if words[i:] in NAMED)
