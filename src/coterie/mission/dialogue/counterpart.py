"""Whom people talk with: what the manager of talk asks of a mission, or of a team of other minds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.asking import Interaction, Question
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.talk import meanings as m
from coterie.talk.checking import Problem, check
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording


class Doubt(NamedTuple):
    """What is asked before something is done: the words of the question, and what is done at a yes."""

    words: str
    meaning: Meaning
    then: Callable[[], str]


class Fate(NamedTuple):
    """What became of a deed: what is done and stays, who called it off ("you"), and whether it rests."""

    done: str = ""
    gone: str = ""
    rests: bool = False


class Misfit(CoterieError):
    """A meaning that does not fit the types and names of a world; the sentence asks about the first problem."""

    def __init__(self, problems: Sequence[Problem], vocabulary: Vocabulary):
        super().__init__(problems[0].words(vocabulary))
        self.problems = tuple(problems)


class Partner(Protocol):
    """Whom people talk with, through the manager. Nothing is done by a meaning that does not fit its world."""

    vocabulary: Vocabulary

    @property
    def wording(self) -> Wording:
        return Wording(self.vocabulary)

    def examples(self) -> Sequence[str]:
        """Sentences that can be said here."""

    def robots(self) -> Sequence[str]: ...

    def people(self) -> Sequence[str]:
        """Who may have a say here, robots not among them."""

    def home(self, person: str) -> str:
        """The place of a person, if it is known."""

    def missing(self, meaning: Meaning) -> tuple[Question, Callable[[Meaning], Meaning]] | None:
        """What has to be asked before something can be done, and how the answer completes it."""

    def do(self, thread: Thread, meaning: Meaning) -> str:
        """Do what fits, if its speaker may; the reply."""

    def act(self, thread: Thread, meaning: Meaning) -> str:
        """Do what was meant, if it fits."""
        self.fits(meaning)
        return self.do(thread, meaning)

    def fits(self, meaning: Meaning) -> None:
        """A `Misfit`, which asks, where a meaning does not fit the types and names of this world."""
        kinds: dict[str, list[str]] = {}
        named = (("robot", self.robots()), ("person", self.people()))
        for kind, name in (*self.vocabulary.phrases.values(), *((k, n) for k, names in named for n in names)):
            if kind not in kinds.setdefault(name, []):
                kinds[name].append(kind)
        problems = check(meaning, kinds)
        if problems:
            raise Misfit(problems, self.vocabulary)

    def proposed(self, person: str) -> str:
        """The question that was put to a person and waits for a yes, in the words of then; empty where none does."""

    def awaits(self, person: str) -> bool:
        """Whether this person was asked for something, or told of a plan, that waits for a yes or a no."""

    def requested(self, thread: Thread, meaning: Meaning) -> Callable[[], str] | None:
        """What is done about an answer to what its speaker was asked for; None where it answers nothing."""
        return None

    def open_request(self, person: str) -> str:
        """What this person was asked for and has not answered, in the words of then; empty where that is nothing."""
        return ""

    def turned_away(self, person: str) -> str:
        """Why orders of a person are not taken, and by whom they could be given; empty where they are taken."""

    def answer(self, thread: Thread, question: m.Ask) -> str: ...

    def teach(self, thread: Thread, meaning: m.Teach) -> Interaction: ...

    def possible(self, thread: Thread, meaning: Meaning, instead: Deed) -> None:
        """A `CoterieError` where it is clear beforehand that something cannot be done instead of something."""

    def undo(self, thread: Thread, deed: Deed) -> None:
        """Take back what came of a meaning, so that another one can be done; a `CoterieError` where that cannot be."""

    def fate(self, deed: Deed, person: str) -> Fate: ...

    def rest(self, thread: Thread) -> str:
        """What was done last rests, since what it was done instead of did; what is said of it."""

    def instead(self, thread: Thread, order: Meaning, same: bool, wrong: str = "") -> Doubt | str:
        """What is asked or said where an order, or part of one, is to stand in for what others want; with `same`, of
        the very thing, and with `wrong` of what has that in it. Empty where it is to be taken as any other."""

    def restored(self, thread: Thread, deed: Deed) -> str:
        """What others wanted and a deed called off is wanted again, since the deed was taken back; what is said of
        it."""

    def forbids(self, thread: Thread, meaning: Meaning) -> Callable[[], str] | None:
        """What is done about a prohibition of somebody who may not give commands: whoever is about to do it stops. None
        where it is to be taken as it is."""

    def doubts(self, thread: Thread, meaning: Meaning) -> Doubt | None:
        """What is asked before something is done that may not be meant: what others have stopped, or want."""
