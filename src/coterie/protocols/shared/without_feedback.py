"""A belief as one reads it who never reads feedback, for the ablation that takes feedback out."""

from __future__ import annotations

from collections.abc import Iterator

from coterie.core.facts import UNKNOWN, Belief, Fact, Known

LESSONS = frozenset({"allowed", "stand_allowed", "may_place"})  # learnt by failing, or from one who failed


class _Without(Known):
    """A table of beliefs without lessons."""

    def __init__(self, known: Known):
        super().__init__(known)

    def __missing__(self, key: tuple[str, ...]) -> object:
        return UNKNOWN if key[0] in LESSONS else self._base[key]


class Unheeding:
    """Leaves out what only a failure teaches. It is read, never written."""

    def __init__(self, belief: Belief):
        self._belief = belief
        self.stamps, self.base, self.history = belief.stamps, belief.base, belief.history
        self.known = _Without(belief.known)
        self.kept: dict[object, tuple[object, object]] = {}  # of its own: other things follow from it

    def value(self, pred: str, *args: str) -> object:
        return UNKNOWN if pred in LESSONS else self._belief.value(pred, *args)

    def fact(self, pred: str, *args: str) -> Fact | None:
        return None if pred in LESSONS else self._belief.fact(pred, *args)

    def facts(self, pred: str | None = None) -> Iterator[Fact]:
        return (f for f in self._belief.facts(pred) if f.pred not in LESSONS)

    def since(self, cursor: int) -> list[Fact]:
        return [f for f in self._belief.since(cursor) if f.pred not in LESSONS]

    def members(self, pred: str, place: str) -> frozenset[str]:
        return frozenset(self._belief.members(pred, place))
