"""Where people are told things: each what he or she does not know yet, in words, and what the log keeps of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from coterie.core.action import Cause
from coterie.core.expr import Lookup
from coterie.core.facts import Fact
from coterie.mission.domain import Domain
from coterie.mission.knowledge import Knowledge
from coterie.planning.question import Step

Note = dict[str, Any]


class Desk:
    def __init__(self, domain: Domain, knowledge: Knowledge, lookup: Callable[[Any], Lookup]):
        self.domain, self.knowledge, self._lookup = domain, knowledge, lookup
        self.notes: list[Note] = []  # for the log
        self.listeners: list[Callable[[Note], None]] = []  # told of each note at once, before the log is

    def note(self, what: str, **data: Any) -> None:
        self.notes.append({"what": what, **data})
        for listener in self.listeners:
            listener(self.notes[-1])

    def take(self) -> list[Note]:
        notes, self.notes = self.notes, []
        return notes

    def tell(self, person: str, text: str, **meaning: Any) -> None:
        """Words for one person."""
        self.note("tell", to=person, text=text, **({"meaning": meaning} if meaning else {}))

    # -- facts ----------------------------------------------------------------------------------------------------
    def lacks(self, person: str, cause: Cause) -> bool:
        """True if a person does not know the fact that a failure turned on."""
        if cause.fact is None:
            return True
        pred, args, value = cause.fact
        return bool(self._lookup(self.knowledge.of(person))(pred, *args) != value)

    def taught(self, person: str, cause: Cause) -> None:
        """A person has been told of it, and of what it follows from."""
        if cause.fact is None:
            return
        pred, args, value = cause.fact
        facts = [Fact(pred, tuple(str(a) for a in args), value, self.knowledge.journal.now(), "mission")]
        behind = [self.knowledge.fact(*key) for key in self.domain.behind(pred, args)]
        self.knowledge.told(person, [*facts, *(f for f in behind if f is not None)])

    def words(self, cause: Cause | None) -> str:
        if cause is None or cause.fact is None:
            return cause.clause if cause is not None else "nobody knows why"
        pred, args, value = cause.fact
        return self.domain.fact_words(pred, args, value)

    def steps(self, steps: Sequence[Step]) -> list[str]:
        return [self.domain.step_words(s.robot, s.action) for s in steps]


def as_rows(steps: Sequence[Step]) -> list[list[Any]]:
    """Steps for the log."""
    return [[s.robot, s.action.skill, *s.action.args] for s in steps]


def data_of(cause: Cause | None) -> Mapping[str, Any] | None:
    return None if cause is None else cause.to_json()
