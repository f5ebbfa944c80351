"""One thread of talk for each person: who said what when, what was pointed at, and what is being asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from coterie.core.wire import carry_record
from coterie.mission.dialogue.asking import Interaction
from coterie.mission.journal import Journal
from coterie.talk.meanings import Meaning

MOST_TURNS = 1000  # of one person that are kept at hand
MOST_NAMES = 40
MOST_DEEDS = 12


class Turn(NamedTuple):
    """One thing that was said: when [s], by whom to whom (the mission is `us`), and what it meant in brief."""

    time: float
    by: str
    to: str
    text: str
    meaning: str = ""


US = "us"
NOT_READ = "I did not understand "
NO_GOAL = "There is no goal with "  # what is said where something is to change that no goal is about
carry_record(Turn, "dialogue_turn")


@dataclass(frozen=True)
class Deed:
    """What came of something that somebody ordered, stated or changed, so that it can be put right or taken back."""

    meaning: Meaning
    goals: tuple[str, ...] = ()  # that it made or changed
    undo: Callable[[Deed], object] = lambda deed: None  # takes it back; a `CoterieError` where that cannot be
    instead: Meaning | None = None  # what was said before it, and put right by it
    turn: int = 0  # of its speaker's turns, the one by which it was done


@dataclass
class Thread:
    person: str
    turns: list[Turn] = field(default_factory=list)
    names: list[tuple[str, str]] = field(default_factory=list)  # (kind, name), what was spoken of last comes first
    told: dict[str, list[str]] = field(default_factory=dict)  # by kind: names in what the team said last
    asking: Interaction | None = None
    deeds: list[Deed] = field(default_factory=list)  # what this person has done, the last comes first
    meanings: tuple[Meaning, ...] = ()  # of the last utterance, as they were understood
    unread: str = ""
    seen: int = 0  # of what has happened, how much this person has been told
    spoken: int = 0  # turns of this person
    refused: tuple[int, Meaning, str] | None = None  # what could not be done, and why, with the turn of its speaker
    ended: str = ""  # a lesson that its speaker may not give any more, until they say something else
    begun: int = 0  # the turn in which an order began that a model had read: a plain no takes it back

    @property
    def last(self) -> Deed | None:
        return self.deeds[0] if self.deeds else None

    def did(self, deed: Deed) -> None:
        self.deeds = [replace(deed, turn=self.spoken), *self.deeds][:MOST_DEEDS]

    def undid(self, deed: Deed) -> None:
        """A deed that was taken back, or put right by another one."""
        self.deeds = [d for d in self.deeds if d is not deed]

    def replaces(self, old: Meaning) -> None:
        """What was done last was done instead of something."""
        self.deeds[0] = replace(self.deeds[0], instead=old)

    def mention(self, kind: str, name: str) -> None:
        row = (kind, name)
        self.names = [row, *(r for r in self.names if r != row)][:MOST_NAMES]

    def recent(self, *kinds: str) -> list[str]:
        return [name for kind, name in self.names if kind in kinds]

    def unclear_since(self, deed: Deed) -> bool:
        """Whether this person has said something since that nobody understood: what follows may be about that."""
        own = [t for t in self.turns if t.by == self.person]
        return any("unclear" in t.meaning for t in own[len(own) - (self.spoken - deed.turn) :])

    @property
    def heard(self) -> str:
        """What this person said last, in their words."""
        return next((t.text for t in reversed(self.turns) if t.by == self.person), "")

    @property
    def asked_before(self) -> bool:
        """Whether what this person said before the last was a question."""
        own = [t.meaning for t in self.turns if t.by == self.person]
        return len(own) > 1 and own[-2].removeprefix("perhaps ").startswith("ask ")

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
        thread.spoken += turn.by != US
        del thread.turns[:-MOST_TURNS]
