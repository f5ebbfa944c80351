"""Patches of meanings: "no, two", "I meant table C", "make it three"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from coterie.talk import meanings as m
from coterie.talk.checking import CLAIMS, PLACES, WANTS, place_of
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary

COUNTED = (m.KIT, m.STOCK)


ROWS: dict[type[Meaning], str] = {m.Order: "wants", m.Tell: "claims"}  # the part that holds several


def rows_of(meaning: Meaning) -> tuple[Any, ...]:
    """The wants or claims of a meaning."""
    return getattr(meaning, ROWS.get(type(meaning), ""), ())


def patched(old: Meaning, instead: Meaning, vocabulary: Vocabulary) -> Meaning | None:
    """The old meaning as it should have been; None where the correction says nothing of it."""
    if isinstance(instead, m.Order) and not instead.wants:  # by whom, or without whom, it is to be done
        if not isinstance(old, m.Order) or not old.wants:
            return None
        if instead.robots:
            return replace(old, robots=instead.robots)
        left = tuple(r for r in old.robots if r not in instead.without)
        return replace(old, robots=left, without=tuple(dict.fromkeys((*old.without, *instead.without))))
    if isinstance(instead, m.Order) and isinstance(old, m.Order) and same_thing(old, instead):
        new = instead.wants[0]
        wants = tuple(replace(new, where=new.where or w.where) if _same(w, new) else w for w in old.wants)
        return replace(instead, wants=wants, robots=instead.robots or old.robots)
    if isinstance(instead, (m.Order, m.Tell, m.Alter, m.Policy)):
        return instead if type(instead) is type(old) else None
    if isinstance(old, (m.Order, m.Tell)) and rows_of(old):
        is_robot = vocabulary.kind_of(getattr(instead, "where", "")) == "robot"
        if isinstance(old, m.Order) and isinstance(instead, m.Somewhere) and is_robot:
            return replace(old, robots=(instead.where,))
        rows = _one_of(rows_of(old), instead, vocabulary)
        return None if rows is None else replace(old, **{ROWS[type(old)]: rows})  # type: ignore[arg-type]
    if isinstance(old, (m.Stop, m.Steer, m.Zone, m.Permit, m.Policy, m.Alter)):
        return _put(old, instead, vocabulary)
    if isinstance(old, m.Things):
        if isinstance(instead, m.Number) and old.items:
            return replace(old, items=(*old.items[:-1], (old.items[-1][0], instead.count)))
        return _listed(old, instead) if isinstance(instead, m.Things) else None
    return instead if type(instead) is type(old) else None


def as_many(old: Meaning, new: Meaning) -> Meaning:
    """An order with as many of each thing as another one had, where it names no other number than one."""
    if not isinstance(old, m.Order) or not isinstance(new, m.Order):
        return new
    rows = [next((o for o in old.wants if _same(o, w) and w.kind in COUNTED), w) for w in new.wants]
    moved = [w.count == 1 and w.where != o.where for w, o in zip(new.wants, rows)]
    wants = [replace(w, count=o.count) if there else w for w, o, there in zip(new.wants, rows, moved)]
    return replace(new, wants=tuple(wants))


def kept(old: Meaning, instead: Meaning, wrong: str) -> Meaning:
    """The order with one part replaced and the rest kept: "a woundkit instead of a medkit"."""
    if not wrong or not isinstance(old, m.Order) or not isinstance(instead, m.Order) or len(instead.wants) != 1:
        return instead
    want = instead.wants[0]
    row = next((w for w in old.wants if wrong in (w.what, w.where) and w.kind == want.kind), None)
    if row is None:
        return instead
    put = replace(want, where=want.where or (row.where if row.where != wrong else ""))
    robots = instead.robots or old.robots
    return replace(instead, wants=tuple(put if w is row else w for w in old.wants), robots=robots, without=old.without)


def in_place_of(old: Meaning, instead: Meaning, wrong: str) -> Meaning:
    """A list in which one thing stands in the place of another; as many, where no other number is said."""
    if not isinstance(old, m.Things) or not isinstance(instead, m.Things) or wrong not in dict(old.items):
        return instead
    rows = [(n, c if c != 1 else dict(old.items)[wrong]) for n, c in instead.items]
    items = [r for name, count in old.items for r in (rows if name == wrong else [(name, count)])]
    return m.Things(tuple(items), (*old.unknown, *instead.unknown))


def as_it_stands(answers: Sequence[Meaning]) -> Sequence[Meaning]:
    """The list as it stands, each thing with its last count and none that was taken out; other answers as they are."""
    lists = [x for x in answers if isinstance(x, m.Things)]
    if len(lists) != len(answers):
        return answers
    counts = {name: count for x in lists for name, count in x.items}
    unknown = tuple(dict.fromkeys(word for x in lists for word in x.unknown if counts.get(word, 1)))
    return [m.Things(tuple((name, count) for name, count in counts.items() if count), unknown)]


def _listed(old: m.Things, instead: m.Things) -> m.Things:
    """A list in which things are as many as is said now; another list, where one of them does not stand in it."""
    counts = dict(old.items)
    if instead.unknown or not {name for name, _ in instead.items} <= counts.keys() or len(counts) <= 1:
        return instead
    return replace(old, items=tuple({**counts, **dict(instead.items)}.items()))


def same_thing(old: Meaning, instead: Meaning) -> bool:
    """True if an order is of one thing that stands once in another, too: "the medkit should go to gamma"."""
    if isinstance(old, m.Order) and isinstance(instead, m.Things) and _one(instead):
        return sum(w.what == instead.items[0][0] for w in old.wants) == 1
    if not isinstance(old, m.Order) or not isinstance(instead, m.Order) or len(instead.wants) != 1:
        return False
    want = instead.wants[0]
    return bool(want.what) and want.kind in COUNTED and sum(_same(w, want) for w in old.wants) == 1


def _same(row: Any, want: Any) -> bool:
    return bool(row.kind == want.kind and row.what == want.what)


def _one_of(rows: tuple[Any, ...], instead: Meaning, vocabulary: Vocabulary) -> tuple[Any, ...] | None:
    """Several wants or claims, one of them put right: the one that names the same thing, or else the last."""
    same = [i for i, row in enumerate(rows) if isinstance(instead, m.Things) and _one(instead)
            and row.what == instead.items[0][0]]  # fmt: skip
    at = same[0] if len(same) == 1 else len(rows) - 1
    row = _put(rows[at], instead, vocabulary)
    return None if row is None else (*rows[:at], row, *rows[at + 1 :])


def unsure(old: Meaning, instead: Meaning) -> bool:
    """True if a correction may be about more than one part of what was said."""
    if isinstance(old, m.Order) and isinstance(instead, m.Order):  # something of quite another kind
        return not {w.kind for w in old.wants} & {w.kind for w in instead.wants}
    rows = rows_of(old)
    named = isinstance(instead, m.Things) and _one(instead) and sum(r.what == instead.items[0][0] for r in rows) == 1
    return len(rows) > 1 and not named and isinstance(instead, (m.Things, m.Number, m.Somewhere))


def _put(old: Any, instead: Meaning, vocabulary: Vocabulary) -> Any:
    """A meaning, a want or a claim with another name or number in it; None where nothing like that stands in it."""
    if isinstance(instead, m.Number):
        counted = isinstance(old, m.Alter) or getattr(old, "kind", "") in COUNTED
        return replace(old, count=instead.count) if counted else None
    name = instead.where if isinstance(instead, m.Somewhere) else ""
    name = instead.items[0][0] if isinstance(instead, m.Things) and _one(instead) else name
    slot = _slot(old, vocabulary.kind_of(name), isinstance(instead, m.Things))
    if not slot:
        return None
    new: dict[str, Any] = {slot: (name,) if slot == "robots" else name}
    if isinstance(instead, m.Things) and isinstance(old, (m.Alter, m.Want, m.Claim)) and slot in ("what", "item"):
        said = instead.items[0][1]
        new["count"] = said if said != 1 else old.count  # one may just be its article
    return replace(old, **new)


def _slot(old: Any, kind: str, counted: bool) -> str:
    """The part of something in which a name of some kind stands; empty where there is none. What was counted is no
    place."""
    if isinstance(old, (m.Want, m.Claim)):
        parts = (WANTS if isinstance(old, m.Want) else CLAIMS).get(old.kind, {})
        from_them = isinstance(old, m.Want) and (old.kind, kind) == (m.STOCK, "person")
        there = kind in PLACES or old.kind == m.SUPPLY
        fits = [p for p, of in parts.items() if kind in of.kinds and (p == "what" or (there and not counted))]
        return "source" if from_them and not counted else next(iter(fits), "")
    slot = "robots" * (kind == "robot") if isinstance(old, m.Stop) else place_of(old, kind)
    return slot if slot and (getattr(old, slot) or isinstance(old, m.Zone)) else ""


def _one(instead: Meaning) -> bool:
    return isinstance(instead, m.Things) and len(instead.items) == 1 and not instead.unknown
