"""What was meant instead: "no, two", "I meant table C", "make it three"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coterie.mission.language import meanings as m
from coterie.mission.language.meanings import Meaning
from coterie.mission.language.vocabulary import Vocabulary

PLACES = ("table", "room")


def patched(old: Meaning, instead: Meaning, vocabulary: Vocabulary) -> Meaning | None:
    """The old meaning as it should have been; None where the correction says nothing of it."""
    if isinstance(instead, (m.Order, m.Tell, m.Alter, m.Policy)):
        return instead
    if isinstance(old, m.Order) and old.wants:
        return _order(old, instead, vocabulary)
    if isinstance(old, m.Tell) and old.claims:
        claim = _row(old.claims[-1], instead, vocabulary)
        return None if claim is None else replace(old, claims=(*old.claims[:-1], claim))
    if isinstance(old, m.Alter):
        if isinstance(instead, m.Number):
            return replace(old, count=instead.count)
        if isinstance(instead, m.Things) and _one(instead):
            return replace(old, item=instead.items[0][0], count=_count(instead, old.count))
        return None
    if isinstance(old, m.Things):
        if isinstance(instead, m.Number) and old.items:
            return replace(old, items=(*old.items[:-1], (old.items[-1][0], instead.count)))
        return instead if isinstance(instead, m.Things) else None
    return instead if type(instead) is type(old) else None


def _order(old: m.Order, instead: Meaning, vocabulary: Vocabulary) -> Meaning | None:
    if isinstance(instead, m.Somewhere) and vocabulary.kind_of(instead.where) == "robot":
        return replace(old, robots=(instead.where,))
    want = _row(old.wants[-1], instead, vocabulary)
    return None if want is None else replace(old, wants=(*old.wants[:-1], want))


def _row(row: Any, instead: Meaning, vocabulary: Vocabulary) -> Any:
    """A want or a claim, put right."""
    if isinstance(instead, m.Number):
        return replace(row, count=instead.count)
    if isinstance(instead, m.Somewhere):
        kind = vocabulary.kind_of(instead.where)
        if kind == "person":
            return replace(row, source=instead.where) if isinstance(row, m.Want) else replace(row, where=instead.where)
        if kind == "door" or row.kind in (m.DOOR, m.JAMMED):
            return replace(row, what=instead.where) if kind == "door" else None
        return replace(row, where=instead.where) if kind in PLACES else None
    if isinstance(instead, m.Things) and _one(instead):
        return replace(row, what=instead.items[0][0], count=_count(instead, row.count))
    return None


def _one(instead: Meaning) -> bool:
    return isinstance(instead, m.Things) and len(instead.items) == 1 and not instead.unknown


def _count(instead: Meaning, old: Any) -> Any:
    """The number that was said with a thing; one may just be its article."""
    assert isinstance(instead, m.Things)
    said = instead.items[0][1]
    return said if said != 1 else old
