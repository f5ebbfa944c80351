"""The explicit state of a rule mind: a value, replaced and never changed."""

from __future__ import annotations

from typing import NamedTuple

from coterie.protocols.shared.absence import NO_SIGNS, Signs

PATIENCE = 2  # tries of one action before it is given up
FORGET = 6  # steps after which a given-up action may be tried again


class Memory(NamedTuple):
    """The state that a rule mind keeps from one decision to the next."""

    introduced: bool = False
    said: frozenset[str] = frozenset()
    team: frozenset[str] = frozenset()  # who was there at the beginning
    newcomers: frozenset[str] = frozenset()
    failures: tuple[tuple[str, int], ...] = ()  # (action, step), newest last
    silent: bool = False  # it says nothing, and notes what it would have said as said
    signs: Signs = NO_SIGNS  # of teammates, where no heartbeat tells who is there

    def told(self, what: str) -> bool:
        return what in self.said

    def tell(self, *what: str) -> Memory:
        return self if self.said.issuperset(what) else self._replace(said=self.said.union(what))

    def fail(self, action: str, step: int) -> Memory:
        return self._replace(failures=(*self.failures[-11:], (action, step)))

    def give_up(self, action: str, step: int) -> Memory:
        memory = self
        for _ in range(PATIENCE):
            memory = memory.fail(action, step)
        return memory

    def failed(self, action: str, now: int) -> int:
        """How often an action failed lately."""
        return sum([a == action and now - step <= FORGET for a, step in self.failures]) if self.failures else 0

    def gave_up(self, action: str, now: int) -> bool:
        return bool(self.failures) and self.failed(action, now) >= PATIENCE

    def hopeless(self, action: str, now: int) -> bool:
        """It failed again and again: it is tried only now and then."""
        return bool(self.failures) and self.failed(action, now) > PATIENCE

    def meet(self, online: frozenset[str]) -> Memory:
        if not self.team:
            return self._replace(team=online)
        newcomers = online - self.team
        return self._replace(newcomers=newcomers) if newcomers != self.newcomers else self
