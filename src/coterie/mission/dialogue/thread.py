"""One thread of talk for each person: who said what when, what was pointed at, and what is being asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from coterie.core.wire import carry_record
from coterie.mission.dialogue.asking import Interaction
from coterie.mission.journal import Journal
from coterie.mission.language.meanings import Meaning

MOST_TURNS = 1000  # of one person that are kept at hand
MOST_NAMES = 40


class Turn(NamedTuple):
    """One thing that was said: when [s], by whom to whom (the mission is `us`), and what it meant in brief."""

    time: float
    by: str
    to: str
    text: str
    meaning: str = ""


US = "us"
carry_record(Turn, "dialogue_turn")


@dataclass(frozen=True)
class Deed:
    """What came of the last thing that somebody ordered, stated or changed, so that it can be put right."""

    meaning: Meaning
    goals: tuple[str, ...] = ()
    before: tuple[tuple[tuple[str, ...], Any], ...] = ()  # facts that it changed, as they were


@dataclass
class Thread:
    person: str
    turns: list[Turn] = field(default_factory=list)
    names: list[tuple[str, str]] = field(default_factory=list)  # (kind, name), what was spoken of last comes first
    asking: Interaction | None = None
    last: Deed | None = None
    meanings: tuple[Meaning, ...] = ()  # of the last utterance, as they were understood
    unread: str = ""
    seen: int = 0  # of what has happened, how much this person has been told

    def mention(self, kind: str, name: str) -> None:
        row = (kind, name)
        self.names = [row, *(r for r in self.names if r != row)][:MOST_NAMES]

    def recent(self, *kinds: str) -> list[str]:
        return [name for kind, name in self.names if kind in kinds]

    @property
    def last_said(self) -> str:
        return next((t.text for t in reversed(self.turns) if t.by == US), "")


class Threads:
    """The part "dialogue" of a journal: every turn of every thread."""

    def __init__(self, journal: Journal):
        self.journal = journal
        self._threads: dict[str, Thread] = {}
        journal.attach("dialogue", self._take)

    def of(self, person: str) -> Thread:
        return self._threads.setdefault(person, Thread(person))

    def __iter__(self) -> Iterator[Thread]:
        return iter(list(self._threads.values()))

    def said(self, by: str, to: str, text: str, meaning: str = "") -> None:
        turn = Turn(self.journal.now(), by, to, text, meaning)
        self.journal.write("dialogue", "turn", {"turn": turn})

    def _take(self, kind: str, data: Mapping[str, Any], time: float) -> None:
        turn: Turn = data["turn"]
        thread = self.of(turn.to if turn.by == US else turn.by)
        thread.turns.append(turn)
        del thread.turns[:-MOST_TURNS]
