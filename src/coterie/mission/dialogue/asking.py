"""Asking a person is a skill: whom, what, and in which form the answer comes. Templates of talk are made of it.

A template is a generator: it yields questions, is given meanings, and returns what was learnt. What has been answered
so far is all that there is to its state, so an answer can be taken back: the template is gone through again without it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from coterie.talk.meanings import STOCK, Meaning, Tell, Things


class Question(NamedTuple):
    """What is asked: the words, the forms of meanings that answer it, and an example of an answer."""

    words: str
    forms: tuple[type, ...]
    example: str = ""
    place_of: str = ""  # the thing whose place is asked for: of all that is so, only that answers it


Talk = Generator[Question, Meaning, Any]
Template = Callable[[], Talk]


@dataclass
class Interaction:
    """A template under way with one person."""

    name: str  # for people: "the kit medkit"
    template: Template
    then: Callable[[Any], str]  # what is done with what was learnt, and said about it
    answers: list[Meaning] = field(default_factory=list)
    question: Question | None = None
    outer: Interaction | None = None  # what was being asked before it, and is again when it is over
    result: Any = None
    over: bool = False
    passing: Meaning | None = None  # what is read back: it waits for a yes or a no, and for nothing else
    pending: Meaning | None = None  # what waits for the answer before it can be done
    choice: bool = False  # what a word points at: that is left where something else is said
    replaces: Any = None  # the deed that would be put right by what is read back
    right: str = ""  # that whoever answers needs until the end: a lesson
    turns: list[int] = field(default_factory=list)  # of who answers: when it was begun, and when each answer came
    _talk: Talk | None = None

    def begin(self) -> None:
        self._talk = self.template()
        self._go(None)

    def fits(self, meaning: Meaning) -> bool:
        """Whether something answers the question. Where a place is asked for, a fact about anything else is none."""
        asked = self.question
        if asked is None or not isinstance(meaning, asked.forms):
            return False
        if not asked.place_of or not isinstance(meaning, Tell):
            return True
        return any(c.kind == STOCK and c.holds and c.where and c.what == asked.place_of for c in meaning.claims)

    def answer(self, meaning: Meaning, turn: int = 0) -> None:
        self.answers.append(meaning)
        self.turns.append(turn)
        self._go(meaning)

    def about(self, instead: Meaning, wrong: str = "") -> int:
        """Which answer is put right by this: the last one that names what is wrong or the same thing, or else the
        last."""
        named = {name for name, _ in instead.items} if isinstance(instead, Things) and not wrong else {wrong}
        for at in reversed(range(len(self.answers))):
            answer = self.answers[at]
            if isinstance(answer, Things) and named & {name for name, _ in answer.items}:
                return at
        return len(self.answers) - 1

    def named(self, name: str) -> bool:
        """Whether an answer names this; of answers that list nothing nobody knows."""
        lists = [x for x in self.answers if isinstance(x, Things)]
        return not lists or any(name in dict(x.items) for x in lists)

    def lists(self, name: str) -> bool:
        """Whether things are asked for, and this one was named."""
        asked = self.question is not None and Things in self.question.forms
        return asked and any(name in dict(x.items) for x in self.answers if isinstance(x, Things))

    def again(self, instead: Meaning, at: int = -1) -> None:
        """That answer, usually the last, was another one. What it names is wanted now, although an answer that came
        after it had taken it out."""
        at %= len(self.answers)
        new = {name for name, _ in instead.items} - _names(self.answers[at]) if isinstance(instead, Things) else set()
        later = [_less(answer, new) for answer in self.answers[at + 1 :]]
        rows = zip([*self.answers[:at], instead, *later], self.turns[1:])
        kept = [(answer, turn) for answer, turn in rows if answer is not None]
        self.turns = [self.turns[0], *(turn for _, turn in kept)]
        self._said([answer for answer, _ in kept])

    def back(self) -> Meaning:
        """The last answer was none."""
        last = self.answers[-1]
        self._said(self.answers[:-1])
        return last

    def _said(self, answers: list[Meaning]) -> None:
        first, *turns = self.turns
        self.answers, self.turns = [], [first]
        self.begin()
        for meaning, turn in zip(answers, turns):
            self.answer(meaning, turn)

    def _go(self, meaning: Meaning | None) -> None:
        assert self._talk is not None
        try:
            self.question = next(self._talk) if meaning is None else self._talk.send(meaning)
        except StopIteration as end:
            self.question, self.result, self.over = None, end.value, True


def _names(answer: Meaning) -> set[str]:
    return {name for name, _ in answer.items} if isinstance(answer, Things) else set()


def _less(answer: Meaning, names: set[str]) -> Meaning | None:
    """An answer that does not take out some things; None where nothing is left of it."""
    if not isinstance(answer, Things) or not names & _names(answer):
        return answer
    left = tuple((name, count) for name, count in answer.items if count or name not in names)
    return replace(answer, items=left) if left or answer.unknown else None
