"""Sentences that our own agents say to each other, each declared once: written from values, and read back from words.

A declaration is the sentence with its slots, `{thing:name} is at {place:place}.`; the kind of a slot says how a value
is written and which words can be one. So whatever a mind says in these is understood where only words travel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

_NAME, _PLACE = r"[A-Za-z]\w*", r"(?:floor@)?[A-Za-z]\w*"
NOTHING = "nothing"
_SLOT = re.compile(r"\{(\w+):(\w+)\}")


class Kind(NamedTuple):
    """Values of a slot: which words can be one, how one is written, and what words mean."""

    words: str
    write: Callable[[Any], str] = str
    read: Callable[[str], Any] = str


def _several(word: str, between: str = ", ") -> str:
    return rf"{word}(?:{between}{word})*"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or NOTHING


def _of_list(words: str) -> tuple[str, ...]:
    return tuple(words.split(", ")) if words != NOTHING else ()


def _found(pairs: Sequence[tuple[str, str]]) -> str:
    return " and ".join(f"{thing} at {place}" for thing, place in pairs)


def _of_found(words: str) -> list[tuple[str, str]]:
    rows = [row.partition(" at ") for row in words.split(" and ")]
    return [(thing, place) for thing, _, place in rows]


KINDS = {
    "name": Kind(_NAME),
    "place": Kind(_PLACE),
    "names": Kind(_several(_NAME), _listed, _of_list),
    "places": Kind(_several(r"[a-z]\w*"), _listed, _of_list),
    "work": Kind(_several(f"(?:what is within its reach|the final placement|{_NAME})")),  # of a robot in a plan
    "finds": Kind(_several(f"{_NAME} at {_PLACE}", " and "), _found, _of_found),  # things with their places
    "state": Kind("open|closed"),
    "kg": Kind(r"\d+\.\d+", "{:.1f}".format, float),
    "m": Kind(r"-?\d+\.\d+", "{:.3f}".format, float),
    "number": Kind(r"\d+", str, int),
    "text": Kind(r"(?s:.+?)"),  # of one's own words, up to where the sentence goes on
    "rest": Kind(r"(?s:.*)"),  # all that follows
}


class Sentence:
    """A sentence with slots, to be written and read back."""

    def __init__(self, template: str):
        parts = _SLOT.split(template)  # words, name, kind, words, name, kind, ..., words
        self.slots, self.kinds = tuple(parts[1::3]), tuple(parts[2::3])
        self.template = _SLOT.sub(r"{\1}", template)  # without the kinds
        self._words = parts[::3]
        self._slots = [(name, KINDS[kind]) for name, kind in zip(parts[1::3], parts[2::3])]
        pattern = re.escape(self._words[0])
        for (_, kind), words in zip(self._slots, self._words[1:]):
            pattern += f"({kind.words}){re.escape(words)}"
        self._inside, self._whole = re.compile(rf"(?<!\w){pattern}"), re.compile(pattern)

    def say(self, *values: Any) -> str:
        """The sentence with these values, in the order of its slots."""
        written = [kind.write(value) for (_, kind), value in zip(self._slots, values, strict=True)]
        return "".join(w + v for w, v in zip(self._words, [*written, ""]))

    def heard(self, text: str) -> Iterator[tuple[Any, ...]]:
        """The values of this sentence, wherever it stands in what was said."""
        for found in self._inside.finditer(text):
            yield self._values(found)

    def whole(self, text: str) -> tuple[Any, ...] | None:
        """Its values, where it is all that was said; None where it is not."""
        found = self._whole.fullmatch(text)
        return None if found is None else self._values(found)

    def replaced(self, text: str, other: Callable[[dict[str, str]], str]) -> str:
        """The text with this sentence put in other words, made of the words in its slots."""
        return self._inside.sub(lambda found: other(self._words_in(found)), text)

    def at_start(self, text: str) -> tuple[dict[str, str], int] | None:
        """The words in its slots and where it ends, if a text begins with it."""
        found = self._whole.match(text)
        return None if found is None else (self._words_in(found), found.end())

    def _words_in(self, found: re.Match[str]) -> dict[str, str]:
        return dict(zip(self.slots, found.groups()))

    def _values(self, found: re.Match[str]) -> tuple[Any, ...]:
        return tuple(kind.read(words) for (_, kind), words in zip(self._slots, found.groups()))


# -- of oneself -------------------------------------------------------------------------------------------------------
BODY = Sentence("My body: {body:name}.")
FOOT = Sentence("My foot is at {x:m}, {y:m}.")
IN_HAND = Sentence("In my hand: {thing:name}.")
TAKES = Sentence("I take {thing:name}.")
MAY_NOT_PLACE = Sentence("I may not place anything on {platform:name}.")
MAY_NOT_ENTER = Sentence("I may not enter {places:names}; please search there instead of me.")
#: Things that the speaker cannot take from where they lie, however it says so.
OUT_OF_REACH = Sentence("Out of my reach at {place:place}: {things:names}.")
NOT_FOR_ME = Sentence("I found {finds:finds}.")  # said of nothing that its finder could take
CANNOT_TAKE = Sentence("I found them, but cannot take them: {things:names}.")
# -- of things and places ---------------------------------------------------------------------------------------------
SEEN = Sentence("At {place:place}: {things:names}.")
LIES = Sentence("{thing:name} is at {place:place}.")
LIES_HEAVY = Sentence("{thing:name} is at {place:place} ({mass:kg} kg).")
STATE = Sentence("{fixture:name} is {state:state}")
# -- in the stages of a discussion ------------------------------------------------------------------------------------
INTRODUCTION = Sentence("Introduction: {said:rest}")
REPORT = Sentence("Report: {said:rest}")
VOTE = Sentence("Round {number:number}: I vote for {name:text}.")
REFEREE = Sentence("The referee chose {name:text}.")
PLAN = Sentence("Plan: {plan:rest}")
PLAN_WITH_SPEECH = Sentence("Plan: {plan:text} Speech: {speech:rest}")
LEADS = Sentence("I lead. Plan: {plan:rest}")
# -- to others --------------------------------------------------------------------------------------------------------
BRING = Sentence("{robot:name}, please bring {thing:name}.")
OPEN = Sentence("{robot:name}, please open {fixture:name}.")
