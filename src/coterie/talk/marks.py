"""Marks before an utterance: how it came here. They are part of what is heard, so that a log keeps them.

A sentence that a model has read is marked with its reading. Replaying the log needs no model then.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

EARLY = "before that was proposed: "  # said before its speaker was told what is proposed now
READ = "read: "  # a JSON object follows: said, brief, p, missing


class Marked(NamedTuple):
    """An utterance without its marks."""

    said: str  # the person's own words
    brief: str = ""  # what a reader made of it; empty: it was not read
    p: float = 0.0
    missing: tuple[str, ...] = ()


def mark(said: str, brief: str, p: float, missing: tuple[str, ...] = ()) -> str:
    """An utterance with its reading."""
    return READ + json.dumps({"said": said, "brief": brief, "p": round(p, 4), "missing": list(missing)})


def unmarked(text: str) -> Marked:
    """An utterance and its reading; a reading that is damaged is none."""
    if not text.startswith(READ):
        return Marked(text)
    try:
        data: Any = json.loads(text.removeprefix(READ))
        said, brief, p = str(data["said"]), str(data["brief"]), float(data["p"])
        return Marked(said, brief, p, tuple(str(w) for w in data["missing"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return Marked(text)


def typed(text: str) -> str:
    """Typed text of a person, such that it cannot pass for a mark."""
    return f"'{text}'" if text.startswith((EARLY, READ)) else text


def unheard(text: str) -> str:
    """Words without their marks."""
    return unmarked(text.removeprefix(EARLY)).said
