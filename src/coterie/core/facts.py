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
    return tuple(f._replace(time=time) if f.time == NOW else f for f in facts)


class Belief:
    """What one robot holds true. Facts it was never told are `UNKNOWN`.

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
        "listings",
        "stamps",
    )

    def __init__(
        self,
        base: Mapping[tuple[str, ...], object] | None = None,
        listings: Mapping[str, str] | None = None,
    ):
        self.base: Mapping[tuple[str, ...], object] = base if base is not None else {}
        self.listings: Mapping[str, str] = listings if listings is not None else {}
        self._facts: dict[tuple[str, ...], Fact] = {}
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
        key = (pred, *args)
        fact = self._facts.get(key)
        if fact is not None:
            return fact.value
        return self.base.get(key, UNKNOWN)

    def fact(self, pred: str, *args: str) -> Fact | None:
        return self._facts.get((pred, *args))

    def facts(self, pred: str | None = None) -> Iterator[Fact]:
        """All told facts (the base is not listed), in the order in which their subjects first appeared."""
        if pred is None:
            return iter(self._facts.values())
        facts = self._facts
        return (facts[key] for key in self._keys.get(pred, ()))

    def values(self) -> Callable[[tuple[str, ...]], object]:
        """`value` for those who ask often: of a key in one piece."""
        told, base = self._facts.get, self.base.get

        def value(key: tuple[str, ...]) -> object:
            fact = told(key)
            return fact[2] if fact is not None else base(key, UNKNOWN)

        return value

    def since(self, cursor: int) -> list[Fact]:
        """What changed after `cursor` (a value of `.cursor` read earlier)."""
        return self.history[cursor:]

    # -- writing --------------------------------------------------------------------------------------------------
    def tell(self, fact: Fact) -> bool:
        """Take a fact in; True if it changed what is believed. Older news never overwrites newer."""
        pred, args, value, time, _ = fact
        key = (pred, *args)
        old = self._facts.get(key)
        if old is fact:
            return False
        listings = self.listings
        if old is None:
            if value is UNKNOWN or (key in self.base and self.base[key] == value):
                return False
        elif time < old.time:
            return False
        elif old.value == value:
            if time > old.time:
                self._facts[key] = fact
                # Seen again as before; only if something else was believed in the meantime is there news.
                if pred in listings:
                    self._list_again(fact)
            return False
        if type(value) is Patch:
            return self._spread(value)
        placed = pred in self._listed
        if (placed or pred in listings) and (self._ill_formed(pred, value) or (placed and self._overruled(fact, old))):
            return False
        self._set(key, fact, old)
        if pred in listings:
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
        if pred in self.listings:
            names = value if isinstance(value, (tuple, list)) else None
            return value is not UNKNOWN and (names is None or not all(isinstance(n, str) for n in names))
        return isinstance(value, (list, dict, set)) and pred in self._listed

    def _overruled(self, fact: Fact, old: Fact | None) -> bool:
        """Has a later look at a place shown that this is not so: not there, or still where it was believed to be?"""
        if fact.pred not in self._listed:
            return False
        for listing, target in self.listings.items():
            if fact.pred != target:
                continue
            for place, there in ((fact.value, False), (old.value if old is not None else None, True)):
                look = self._facts.get((listing, place)) if isinstance(place, str) else None
                later = look is not None and look.value is not UNKNOWN and fact.time < look.time
                if later and (fact.args[0] in look.value) is there:  # type: ignore[union-attr,operator]
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
            self._facts[key] = fact

    def tell_all(self, facts: Iterable[Fact]) -> int:
        """Take many in; how many changed what is believed. Most are seen again as before, which is done here."""
        told, listings, changed = self._facts, self.listings, 0
        for fact in facts:
            pred, args, value, time, _ = fact
            key = (pred, *args)
            old = told.get(key)
            if old is not None:
                before = old[3]
                if old is fact or time < before:
                    continue
                if old[2] == value:
                    if time > before:
                        told[key] = fact
                        if listings and pred in listings:
                            self._list_again(fact)
                    continue
                if not listings and type(value) is not Patch:
                    self._set(key, fact, old)
                    changed += 1
                    continue
            changed += self.tell(fact)
        return changed

    def _set(self, key: tuple[str, ...], fact: Fact, old: Fact | None) -> None:
        pred = key[0]
        if old is None:
            self._keys.setdefault(pred, []).append(key)
        self._facts[key] = fact
        self.history.append(fact)
        self.cursor += 1
        self.stamps[pred] = self.stamps.get(pred, 0) + 1
        if pred in self._listed and len(key) == 2:
            subject, value = key[1], fact.value
            if old is not None and (before := self._at.get((pred, old.value))) is not None:
                before.discard(subject)
            if value is not UNKNOWN:
                self._at.setdefault((pred, value), set()).add(subject)

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
            old = facts.get((target, subject))
            if old is None or old[2] != place:
                self.tell(Fact(target, (subject,), place, time, source))
            elif time > old[3]:  # where it was
                facts[target, subject] = Fact(target, (subject,), place, time, source)
        others = self._at.get((target, place), _NONE).difference(value)  # type: ignore[arg-type]
        for subject in sorted(others):
            old = facts[target, subject]
            if old.time <= time:
                self._set((target, subject), Fact(target, (subject,), UNKNOWN, time, source), old)

    def members(self, pred: str, place: str) -> frozenset[str]:
        """Subjects believed to have `pred(subject) = place`."""
        return frozenset(self._at.get((pred, place), ()))
