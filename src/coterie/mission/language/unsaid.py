"""Names and numbers that somebody said and that a guess makes nothing of: they are named where it is read back."""

from __future__ import annotations

import re
from typing import Any

from coterie.mission.language.heard import heard_of
from coterie.mission.language.signs import signed
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary

#: Meanings that say what they are about; of others nothing is missed.
_WHOLE = (m.Order, m.Tell, m.Alter, m.Zone, m.Permit, m.Steer, m.Policy)
_ASKED = ("duration", "chance", "can", "how many", "under way", "is it so")
_KINDS = ("robot", "room", "table", "door", "item", "kit")  # people are often those who say so, or for whom it is


def unsaid(sentence: str, meaning: Meaning, vocabulary: Vocabulary) -> list[str]:
    """What a sentence names or counts and a meaning does not say, in its own words."""
    wrong = {meaning.wrong} if isinstance(meaning, m.Correct) else set()
    meaning = meaning.instead if isinstance(meaning, m.Correct) else meaning
    asked = isinstance(meaning, m.Ask) and meaning.about in _ASKED and not meaning.given
    if not isinstance(meaning, _WHOLE) and not asked:
        return []
    names, numbers = _said(meaning.to_json())
    names |= wrong
    doors = {n for n in names if vocabulary.kind_of(n) == "door"}
    heard = heard_of(sentence, vocabulary, False)
    lost = [n for k, n, _ in heard.names if k in _KINDS and n not in names and f"{n}door" not in doors]
    lost = [vocabulary.phrase(n) for n in lost if not n.startswith("@")]
    pointed = any(n.startswith("@") for n in names)
    many = [] if pointed else [n for n in signed(sentence, vocabulary).numbers.values() if n not in (0, 1)]
    return list(dict.fromkeys([*lost, *(str(n) for n in many if not {n, 2 * n} & numbers)]))


def _said(value: Any) -> tuple[set[str], set[int]]:
    """All names and numbers in a meaning."""
    if isinstance(value, dict):
        value = [v for k, v in value.items() if k not in ("means", "kind")]
    if isinstance(value, (list, tuple)):
        parts = [_said(v) for v in value]
        return set().union(*(p[0] for p in parts)), set().union(*(p[1] for p in parts))
    if isinstance(value, bool):
        return set(), set()
    if isinstance(value, int):
        return set(), {value}
    return set(re.findall(r"\S+", value)) | {value} if isinstance(value, str) else set(), set()
