"""What people type to a mission, as meanings: orders, answers and facts. What is meant otherwise is asked back.

The goal phrases themselves are the world's (`Domain.read`); here is what can be said in any world.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from coterie.core.replies.fields import clean


@dataclass(frozen=True)
class Yes:
    """To what is proposed; to one of several where a number is named."""

    number: int | None = None


@dataclass(frozen=True)
class No:
    why: str = ""


@dataclass(frozen=True)
class Stop:
    """Everything rests."""


@dataclass(frozen=True)
class Change:
    """Of one goal: what is to become of it (cancel, pause, resume, priority), which one, and a number."""

    what: str
    goal: str = ""
    number: int = 0


@dataclass(frozen=True)
class Amend:
    """A wish is to be another one."""

    text: str


@dataclass(frozen=True)
class Done:
    """What was asked of a person is done; or not, and why."""

    ok: bool = True
    why: str = ""


@dataclass(frozen=True)
class Other:
    """A fact or a goal, in the words of the world."""

    text: str
    urgent: int = 0


Meaning = Yes | No | Stop | Change | Amend | Done | Other

_YES = re.compile(
    r"(?:yes|ok|okay|approve|approved|go ahead|do it|execute (?:your|the) plan)(?:\s+(?:plan\s+)?(\d))?", re.I
)
_NO = re.compile(r"(?:no|reject|do not|don't)(?:[,:]?\s+(.*))?", re.I)
_CHANGE = re.compile(r"(cancel|pause|resume|call off|go on)(?:\s+with)?(?:\s+(?:goal\s+)?(g\d+))?", re.I)
_PRIORITY = re.compile(r"priority\s+(-?\d{1,3})(?:\s+(?:for|of)\s+(?:goal\s+)?(g\d+))?", re.I)
_URGENT = re.compile(r"(.*?)[,;]?\s+(urgently|at once|first|now|priority (\d{1,3}))", re.I)
_NAMES = {"call off": "cancel", "go on": "resume"}


def understood(text: str) -> Meaning:
    """The meaning of one utterance."""
    text = clean(text, 400).strip(" .!")
    if re.fullmatch(r"(?:please\s+)?(?:stop|halt|freeze)(?:\s+(?:all|everything|everybody))?", text, re.I):
        return Stop()
    if (m := _YES.fullmatch(text)) is not None:
        return Yes(int(m[1]) if m[1] else None)
    if re.fullmatch(r"(?:it is |i am )?(?:done|finished|ready)", text, re.I):
        return Done()
    if (m := re.fullmatch(r"(?:i cannot|i can't|impossible)(?:[,:]?\s+(.*))?", text, re.I)) is not None:
        return Done(False, m[1] or "")
    if (m := _CHANGE.fullmatch(text)) is not None:
        word = m[1].lower()
        return Change(_NAMES.get(word, word), m[2] or "")
    if (m := _PRIORITY.fullmatch(text)) is not None:
        return Change("priority", m[2] or "", int(m[1]))
    if (m := re.fullmatch(r"(?:change|make it)\s+(.*)", text, re.I)) is not None:
        return Amend(m[1])
    if (m := _NO.fullmatch(text)) is not None:
        return No(m[1] or "")
    if (m := _URGENT.fullmatch(text)) is not None:
        return Other(m[1], int(m[3] or 10))
    return Other(text)
