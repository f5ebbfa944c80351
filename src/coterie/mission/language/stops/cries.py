"""What is cried: oaths, which say nothing by themselves, and a no again and again."""

from __future__ import annotations

import re

_HOLY = r"(?:god|goodness|gosh|lord|jesus(?: christ)?|christ|heavens?)"
_OATH = (
    rf"for (?:{_HOLY}|pete|pity|fuck)(?:'?s)? sakes?|for crying out loud|for the love of {_HOLY}|"
    rf"(?:oh |o |ah )?(?:my |dear |good |sweet ){_HOLY}|oh {_HOLY}|{_HOLY}(?=[,!])|good grief|"
    r"(?:bloody |oh )?hell(?=[,!])|"
    r"holy (?:cow|shit|moly|crap)|damn(?: it)?(?=[,!])|shit(?=[,!])|oh dear(?=,)|help(?=[,!] ?\w)|h[ae]y(?=!)"
)
_BEFORE = re.compile(rf"^\W*(?:(?:{_OATH})\b[\s,!.:-]*)+(?=\w)", re.I)
_BEHIND = re.compile(rf"[\s,]+(?:{_OATH})[\s!.]*$", re.I)

#: A no that is cried out: again and again, or without a word of what.
_NO = re.compile(
    r"\W*(?:(?:oh|hey|god|please)\W+)*(?:(?:no+\W+){2,}no+|(?:no+\W+)+no+(?=\W*!)|(?:no){3,}|"
    r"no (?:further|farther|closer)(?=\W*!)|"
    r"(?:(?:no+|please)\W+)*do(?:n't| not)(?: please)?(?=\W*!))(?:\W+please)?\W*",
    re.I,
)

#: A cry without a word of what: for help, or to be looked at.
_ALARM = re.compile(
    r"\W*(?:(?:oh|please|god|somebody|someone)\W+)*(?:hey|oi|ey)(?:\W+(?:hey|oi|ey)){2,}\W*|"
    r"\W*(?:(?:somebody|someone|please|hey|oh)\W+)*help(?:\W+(?:me|us|him|her))?(?:\W+please)?"
    r"(?:\W+(?:somebody|someone|help|me|quick|quickly|here|over here))*\W*",
    re.I,
)


def alarmed(sentence: str) -> bool:
    """Whether somebody cries for help: aloud or again and again, which a quiet "help" is not."""
    words = re.findall(r"[a-z]+", sentence.lower())
    aloud = "!" in sentence or words.count("help") > 1 or "HELP" in sentence or "hey" in words or "oi" in words
    return aloud and "?" not in sentence and _ALARM.fullmatch(sentence) is not None


def cries_no(sentence: str) -> bool:
    """Whether somebody cries no. To what they were asked that is an answer; to nobody it is a stop."""
    return _NO.fullmatch(without_oaths(sentence)) is not None


def without_oaths(sentence: str) -> str:
    """A sentence without the oaths around it; as it was where it is nothing else."""
    short = _BEHIND.sub(".", _BEFORE.sub("", sentence))
    return short if short != sentence and re.search(r"\w", short) else sentence
