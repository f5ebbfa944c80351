"""Patterns as lists of their alternatives, so that each can be read."""

from __future__ import annotations

import re


def either(*parts: str) -> str:
    """A pattern of alternatives, between the ends of words."""
    return rf"\b(?:{'|'.join(parts)})\b"


def one_of(*parts: str) -> re.Pattern[str]:
    """The same, compiled, whatever the case of letters."""
    return re.compile("|".join(parts), re.I)


DENIED = one_of(
    either("not", "no", "never", "without", "cannot", "can ?not", "unable", "lack(?:s|ing)?", "neither", "nor", "none"),
    either("nothing", "missing", "hardly"),
    r"n't\b",
)
GO = r"explor(?:e|es|ing)|xpl|search(?:es|ing)?|scout(?:s|ing)?|survey(?:s|ing)?"
PUT = (
    r"re-?plac(?:e|es|ing)|tidy(?:ing)?(?: up)?|put(?:s|ting)?|bring(?:s|ing)?|return(?:s|ing)?|mov(?:e|es|ing)|"
    r"carry(?:ing)?|carries|tak(?:e|es|ing)|deliver(?:s|ing)?|relocat(?:e|es|ing)"
)
HALT = r"stop(?:s|ped|ping)?|halt(?:s|ed|ing)?|idle|finish(?:ed)?|done"
