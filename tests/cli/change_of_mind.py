"""Reads from a log whether a stranger was contradicted, changed its mind and then carried something home."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from coterie.core.event import Event

_NO = re.compile(r"\[judgement\]\s*no\b", re.I)
_JUDGED = re.compile(r"\[judgement\]", re.I)
_TASK = re.compile(r"^(?:task|intention): .*$", re.M)


class Change(NamedTuple):
    """How a stranger changed its mind: the steps at which it came, was contradicted, and then put a thing down."""

    came: int
    contradicted: int
    put: int
    dropped: str  # what it had intended
    taken: str  # what it took on instead


def change_of_mind(events: Sequence[Event]) -> Change | None:
    """The first time that somebody contradicts what a stranger intends, while something is left to do, and it takes on
    something else for that; and the thing that it puts down next. None: that does not happen."""
    own = {e.who for e in events if e.kind == "join" and e.data.get("party", "") != ""}
    tidy = _tidy_from(events)
    came, no, intended = 0, -1, ""
    dropped: tuple[int, str] | None = None
    change: tuple[int, str, str] | None = None
    for e in events:
        if e.kind == "join" and e.who in own:
            came = e.step
        elif e.kind == "say" and e.who in own and change is None:
            for row in _TASK.findall(e.data["text"]):
                key, _, words = row.partition(": ")
                if key == "intention":
                    no, intended = -1, words
                elif dropped is not None and words not in (dropped[1], "Wait"):
                    change = (*dropped, words)
        elif e.kind == "say" and own & set(e.data["to"]) and re.search(r"^answer: no", e.data["text"], re.M):
            no = e.step
        elif e.kind == "reply" and e.who in own and _JUDGED.search(e.data["text"]):
            dropped = (no, intended) if _NO.search(e.data["text"]) and 0 <= no < tidy else dropped
        elif e.kind == "did" and e.who in own and change is not None and e.data["skill"] in ("PutDown", "Drop"):
            return Change(came, change[0], e.step, change[1], change[2])
    return None


def _tidy_from(events: Sequence[Event]) -> float:
    """The step from which on everything is where it belongs."""
    last = float("inf")
    for e in events:
        if e.kind == "status":
            last = min(last, e.step) if e.data["partial"] == 1.0 else float("inf")
    return last
