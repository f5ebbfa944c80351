"""One conversation for each person: who said what when, what was pointed at, what is being asked, and what was done.

What is asked comes from a template of talk: a generator that yields questions, is given meanings, and returns what was
learnt. What has been answered so far is all that there is to its state, so an answer can be taken back: the template is
gone through again without it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from coterie.core.wire import carry_record
from coterie.mission.dialogue.listening import Certainty
from coterie.mission.journal import Journal
from coterie.talk import meanings as m
from coterie.talk.meanings import STOCK, Meaning, Tell, Things

MOST_TURNS = 1000  # of one person that are kept at hand
MOST_NAMES = 40
MOST_DEEDS = 12


#: Meanings that change something: robots, what is known, wanted, allowed or taught.
CHANGES = (m.Order, m.Tell, m.Steer, m.Teach, m.Alter, m.Forget, m.Policy, m.Permit, m.Zone)
#: Meanings that answer a question, and otherwise correct what was said before.
ANSWERS = (m.Things, m.Somewhere, m.Number, m.Nothing, m.Show)


class Said(NamedTuple):
    """A meaning with how certain it is, and the words that have no place in it."""

    meaning: Any  # a meaning, of the kind that a handler of the table is for
    certainty: Certainty = Certainty.PLAIN
    missing: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """True if it counts as a plain yes or no."""
        return self.certainty >= Certainty.SURE


# -- questions --------------------------------------------------------------------------------------------------------
class Question(NamedTuple):
    """A question: its words, the forms of meanings that answer it, and an example of an answer."""

    words: str
    forms: tuple[type, ...]
    example: str = ""
    place_of: str = ""  # the thing whose place is asked for: of all that is so, only that answers it


Talk = Generator[Question, Meaning, Any]
Template = Callable[[], Talk]


NO_QUESTION = Question("", ())


@dataclass
class Interaction:
    """A template under way with one person."""

    name: str  # for people: "the kit medkit"
    template: Template
    then: Callable[[Any], Any]  # the effects of what was learnt, or words about it
    question: Question = NO_QUESTION
    outer: Interaction | None = None  # what was being asked before it, and is again when it is over
    result: Any = None
    over: bool = False
    passing: Meaning | None = None  # what is read back: it waits for a yes or a no, and for nothing else
    pending: Meaning | None = None  # what waits for the answer before it can be done
    choice: bool = False  # what a word points at: that is left where something else is said
    replaces: Any = None  # the act that would be corrected by what is read back
    right: str = ""  # that whoever answers needs until the end: a lesson
    begun: int = 0  # the turn of who answers, by which it was begun
    _said: list[tuple[Meaning, int]] = field(default_factory=list)  # answers, each with its turn
    _talk: Talk | None = None

    @property
    def answers(self) -> list[Meaning]:
        return [answer for answer, _ in self._said]

    @property
    def turn(self) -> int:
        """When the last answer came, or it was begun."""
        return self._said[-1][1] if self._said else self.begun

    def begin(self, said: Sequence[tuple[Meaning, int]] = ()) -> None:
        """Go through the template from its beginning, with these answers."""
        self._said, self._talk = [], self.template()
        self._go(None)
        for meaning, turn in said:
            self.answer(meaning, turn)

    def fits(self, meaning: Meaning) -> bool:
        """True if a meaning answers the question. Where a place is asked for, no other fact does."""
        if not isinstance(meaning, Tell) or not self.question.place_of:
            return isinstance(meaning, self.question.forms)
        there = [c.what for c in meaning.claims if c.kind == STOCK and c.holds and c.where]
        return Tell in self.question.forms and self.question.place_of in there

    def answer(self, meaning: Meaning, turn: int = 0) -> None:
        self._said.append((meaning, turn))
        self._go(meaning)

    def about(self, instead: Meaning, wrong: str = "") -> int:
        """Which answer this puts right: the last one that names what is wrong or the same thing, or else the last."""
        named = {wrong} if wrong else _names(instead)
        same = [at for at, answer in enumerate(self.answers) if named & _names(answer)]
        return same[-1] if same else len(self._said) - 1

    def named(self, name: str) -> bool:
        """True if an answer names this, or no answer lists anything."""
        lists = [_names(x) for x in self.answers if isinstance(x, Things)]
        return not lists or name in set().union(*lists)

    def lists(self, name: str) -> bool:
        """True if things are asked for, and this one was named."""
        return Things in self.question.forms and any(name in _names(x) for x in self.answers)

    def again(self, instead: Meaning, at: int) -> None:
        """That answer was another one. What it names is wanted now, although a later answer had taken it out."""
        before, (old, turn), later = self._said[:at], self._said[at], self._said[at + 1 :]
        kept = [(_less(answer, _names(instead) - _names(old)), turn) for answer, turn in later]
        self.begin([*before, (instead, turn), *((answer, turn) for answer, turn in kept if answer is not None)])

    def back(self) -> None:
        """The last answer was none."""
        self.begin(self._said[:-1])

    def _go(self, meaning: Meaning | None) -> None:
        assert self._talk is not None
        try:
            self.question = next(self._talk) if meaning is None else self._talk.send(meaning)
        except StopIteration as end:
            self.question, self.result, self.over = NO_QUESTION, end.value, True


def single(
    question: Question, read: Callable[[Any], Any], then: Callable[[Any], Any], name: str = "it", **more: Any
) -> Interaction:
    """One question, asked until there is an answer that can be read: `read` makes None of any other."""

    def template() -> Talk:
        while (found := read((yield question))) is None:
            pass
        return found

    return Interaction(name, template, then, **more)


def _names(answer: Meaning) -> set[str]:
    return {name for name, _ in answer.items} if isinstance(answer, Things) else set()


def _less(answer: Meaning, names: set[str]) -> Meaning | None:
    """An answer that does not take out some things; None where nothing is left of it."""
    if not isinstance(answer, Things) or not names & _names(answer):
        return answer
    left = tuple((name, count) for name, count in answer.items if count or name not in names)
    return replace(answer, items=left) if left or answer.unknown else None


def no_place(missing: Sequence[str]) -> str:
    """The sentence about words that have no place in what was read."""
    return f" I have no place for: {', '.join(repr(w) for w in missing)}." if missing else ""


# -- what was said and done -------------------------------------------------------------------------------------------
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
    """The effect of something that a person ordered, stated or changed, so that it can be corrected or undone."""

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
    begun: int = 0  # the turn in which an order began that a model had read: a plain no takes it back

    @property
    def asked(self) -> Interaction:
        """What is being asked, where something is."""
        assert self.asking is not None
        return self.asking

    @property
    def question(self) -> Question:
        """The question that waits for an answer, if one does."""
        return self.asking.question if self.asking is not None else NO_QUESTION

    @property
    def open_question(self) -> Interaction | None:
        """The open question, apart from what was only read back."""
        asking = self.asking
        while asking is not None and asking.passing is not None:
            asking = asking.outer
        return asking

    @property
    def last(self) -> Deed | None:
        return self.deeds[0] if self.deeds else None

    def did(self, deed: Deed) -> None:
        self.deeds = [replace(deed, turn=self.spoken), *self.deeds][:MOST_DEEDS]

    def mention(self, kind: str, name: str) -> None:
        row = (kind, name)
        self.names = [row, *(r for r in self.names if r != row)][:MOST_NAMES]

    def recent(self, *kinds: str) -> list[str]:
        return [name for kind, name in self.names if kind in kinds]

    def unclear_since(self, deed: Deed) -> bool:
        """True if this person has since said something that nobody understood: what follows may be about that."""
        own = [t for t in self.turns if t.by == self.person]
        return any("unclear" in t.meaning for t in own[len(own) - (self.spoken - deed.turn) :])

    @property
    def heard(self) -> str:
        """This person's last words."""
        return next((t.text for t in reversed(self.turns) if t.by == self.person), "")

    @property
    def asked_before(self) -> bool:
        """True if what this person said before the last was a question."""
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
