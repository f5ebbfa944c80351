"""Facts with time and source, and the belief that is a robot's only store of them."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from coterie.core.area import Area, Patch


class _Unknown(enum.Enum):
    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("UNKNOWN is neither true nor false; compare with `is UNKNOWN`")


UNKNOWN = _Unknown.UNKNOWN
_NONE: frozenset[str] = frozenset()
_new = tuple.__new__  # of a `Fact` from its five parts, at a third of the time of a call
NOW = -1.0  # the time of a fact that says none: when it is said, it is news of that moment


class Fact(NamedTuple):
    """`pred(*args) = value`, learnt at `time` [s] from `source` (a robot's own name, a sender, or "world")."""

    pred: str
    args: tuple[str, ...]
    value: object
    time: float = NOW
    source: str = "world"

    def __str__(self) -> str:
        return f"{self.pred}({', '.join(self.args)}) = {self.value}"


def stamped(facts: Iterable[Fact], time: float) -> tuple[Fact, ...]:
    """Facts as they are said at a moment: those without a time get it. For worlds that make messages of actions."""
    return tuple([f._replace(time=time) if f.time == NOW else f for f in facts])


class Known(dict[tuple[str, ...], object]):
    """The values that are believed now, by predicate and arguments: `known["at", "Alice"]`. It is what one reads who
    asks often: what was told, else what the map says, else UNKNOWN. Written by its belief alone."""

    __slots__ = ("_base",)

    def __init__(self, base: Mapping[tuple[str, ...], object]):
        self._base = base

    def __missing__(self, key: tuple[str, ...]) -> object:
        return self._base.get(key, UNKNOWN)


class Belief:
    """The facts that one robot holds true. Facts it was never told are `UNKNOWN`.

    `base` is common knowledge that never changes (the map); it is shared between robots and never copied.
    `listings` names predicates whose value enumerates everything at a place: with `{"contents": "where"}`, being told
    `contents(table) = (apple,)` also means `where(apple) = table`, and that whatever else was believed to be on the
    table is no longer known to be there.
    `area` is what it knows of the ground, for worlds that are seen cell by cell; a fact whose value is a `Patch` adds
    to it, whoever told it, and is not kept otherwise.
    """

    __slots__ = (
        "_at",
        "_facts",
        "_keys",
        "_listed",
        "area",
        "base",
        "cursor",
        "history",
        "kept",
        "known",
        "listings",
        "stamps",
    )

    def __init__(self, base: Mapping[tuple[str, ...], object] | None = None, listings: Mapping[str, str] | None = None):
        self.base: Mapping[tuple[str, ...], object] = base if base is not None else {}
        self.listings: Mapping[str, str] = listings if listings is not None else {}
        self._facts: dict[tuple[str, ...], Fact] = {}
        self.known = Known(self.base)  # their values
        self._keys: dict[str, list[tuple[str, ...]]] = {}  # of each predicate, in the order in which they came
        self.history: list[Fact] = []  # every change, in the order in which it came; to be read
        self.cursor = 0  # how long that is; asked for many times a step
        self._at: dict[tuple[str, object], set[str]] = {}  # (listed predicate, place) -> subjects believed there
        self._listed = frozenset(self.listings.values())
        self.stamps: dict[str, int] = {}  # of each predicate, how often something believed of it has changed
        self.kept: dict[object, tuple[object, object]] = {}  # what follows from it, each with the state it follows from
        self.area = Area()

    # -- reading --------------------------------------------------------------------------------------------------
    def value(self, pred: str, *args: str) -> object:
        return self.known[pred, *args]

    def fact(self, pred: str, *args: str) -> Fact | None:
        return self._facts.get((pred, *args))

    def facts(self, pred: str | None = None) -> Iterator[Fact]:
        """All told facts (the base is not listed), in the order in which their subjects first appeared."""
        if pred is None:
            return iter(self._facts.values())
        facts = self._facts
        return (facts[key] for key in self._keys.get(pred, ()))

    def values(self) -> Callable[[tuple[str, ...]], object]:
        """`value` of a key in one piece, for frequent callers."""
        return self.known.__getitem__

    def since(self, cursor: int) -> list[Fact]:
        """Return the facts that changed after `cursor` (a value of `.cursor` read earlier)."""
        return self.history[cursor:]

    # -- writing --------------------------------------------------------------------------------------------------
    def tell(self, fact: Fact) -> bool:
        """Take a fact in; True if it changed what is believed. Older news never overwrites newer."""
        return self.tell_all((fact,)) > 0

    def tell_all(self, facts: Iterable[Fact]) -> int:
        """Take many in; how many changed what is believed. Most are seen again as before."""
        told, base, changed = self._facts, self.base, 0
        for fact in facts:
            pred, args, value, time, _ = fact
            key = (pred, *args)
            old = told.get(key)
            if old is None:
                if value is UNKNOWN or (key in base and base[key] == value):
                    continue
            elif old is fact or time < old[3]:
                continue
            elif old[2] == value:
                if time > old[3]:
                    told[key] = fact
                    if old[2] is not value:
                        self.known[key] = value
                    if pred in self.listings:
                        self._list_again(fact)
                continue
            if type(value) is Patch:
                changed += self._spread(value)
            elif pred in self.listings or pred in self._listed:
                changed += self._arrange(key, fact, old)
            else:
                self._set(key, fact, old)
                changed += 1
        return changed

    def _arrange(self, key: tuple[str, ...], fact: Fact, old: Fact | None) -> bool:
        """Take in a listing or where something is, which bear on each other, unless it cannot be so."""
        pred = key[0]
        if self._ill_formed(pred, fact[2]) or (pred in self._listed and self._overruled(fact, old)):
            return False
        self._set(key, fact, old)
        if pred in self.listings:
            self._list(fact)
        return True

    def _spread(self, patch: Patch) -> bool:
        try:
            return self.area.tell(patch) is not None
        except ValueError:  # somebody who is lost
            return False

    def deny(self, fact: Fact) -> bool:
        """Let go of what is seen not to be so, if it was believed; True if it was. Who never believed it learns
        nothing."""
        key = (fact.pred, *fact.args)
        old = self._facts.get(key)
        if old is None or old.value != fact.value or old.time > fact.time:
            return False
        self._set(key, fact._replace(value=UNKNOWN), old)
        return True

    def _ill_formed(self, pred: str, value: object) -> bool:
        """Facts also come from messages: a listing must be names, a place something to look up by."""
        if pred not in self.listings:
            return isinstance(value, (list, dict, set))
        if not isinstance(value, (tuple, list)):
            return value is not UNKNOWN
        return not all([isinstance(name, str) for name in value])

    def _overruled(self, fact: Fact, old: Fact | None) -> bool:
        """Has a later look at a place shown that this is not so: not there, or still where it was believed to be?"""
        time, before = fact[3], None if old is None else old[2]
        for listing, target in self.listings.items():
            if fact[0] != target:
                continue
            for place, there in ((fact[2], False), (before, True)):
                look = self._facts.get((listing, place)) if isinstance(place, str) else None
                if look is None or time >= look[3] or look[2] is UNKNOWN:
                    continue
                if (fact[1][0] in look[2]) is there:  # type: ignore[operator]
                    return True
        return False

    def follow(self, changed: Iterable[Fact], confirmed: Iterable[Fact] = ()) -> None:
        """Take over what another belief has taken in (`since` of it, and what it was told again), without judging it
        anew: the two then hold the same."""
        for fact in changed:
            key = (fact.pred, *fact.args)
            self._set(key, fact, self._facts.get(key))
        for fact in confirmed:
            key = (fact.pred, *fact.args)
            if key not in self._facts:
                self._keys.setdefault(fact.pred, []).append(key)
            self._facts[key], self.known[key] = fact, fact.value

    def _set(self, key: tuple[str, ...], fact: Fact, old: Fact | None) -> None:
        pred, value, stamps = key[0], fact[2], self.stamps
        if old is None:
            keys = self._keys.get(pred)
            if keys is None:
                keys = self._keys[pred] = []
            keys.append(key)
        self._facts[key], self.known[key] = fact, value
        self.history.append(fact)
        self.cursor += 1
        stamps[pred] = stamps.get(pred, 0) + 1
        if pred in self._listed and len(key) == 2:
            subject, at = key[1], self._at
            if old is not None and (before := at.get((pred, old[2]))) is not None:
                before.discard(subject)
            if value is not UNKNOWN:
                there = at.get((pred, value))
                if there is None:
                    there = at[pred, value] = set()
                there.add(subject)

    def _list_again(self, listing: Fact) -> None:
        """A listing seen again as before: only if something else was believed in the meantime is there news."""
        pred, args, value, _, _ = listing
        if value is not UNKNOWN and self._at.get((self.listings[pred], args[0]), _NONE) != set(value):  # type: ignore[call-overload]
            self._list(listing)

    def _list(self, listing: Fact) -> None:
        pred, args, value, time, source = listing
        if value is UNKNOWN:
            return
        facts, target, place = self._facts, self.listings[pred], args[0]
        for subject in value:  # type: ignore[attr-defined]
            old, where = facts.get((target, subject)), _new(Fact, (target, (subject,), place, time, source))
            if old is None or old[2] != place:
                self.tell_all((where,))
            elif time > old[3]:  # where it was
                facts[target, subject] = where
        others = self._at.get((target, place))
        if others is None or others.issubset(value):  # type: ignore[arg-type]
            return
        for subject in sorted(others.difference(value)):  # type: ignore[arg-type]
            old = facts[target, subject]
            if old[3] <= time:
                self._set((target, subject), _new(Fact, (target, (subject,), UNKNOWN, time, source)), old)

    def members(self, pred: str, place: str) -> frozenset[str]:
        """Subjects believed to have `pred(subject) = place`."""
        return frozenset(self._at.get((pred, place), ()))
