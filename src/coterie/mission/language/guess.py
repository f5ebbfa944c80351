"""A guess at what a sentence means that the grammar does not know: by its names, a few words that matter, and its mood.

A guess is never acted on by itself: whoever keeps the dialogue reads it back and waits for a yes, unless it only asks.
No guess is better than a bold one: where the words that matter do not point one way, there is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from coterie.mission.language import meanings as m
from coterie.mission.language.guess_frames import frames
from coterie.mission.language.meanings import Meaning
from coterie.mission.language.signs import MOST_CHARS, signed
from coterie.mission.language.vocabulary import Vocabulary

_SIGN = re.compile(r"«([a-z])\d+»")
_KINDS = {"r": "robot", "p": "person", "o": "room", "t": "table", "d": "door", "i": "item", "c": "caddy", "k": "kit",
          "g": "task"}  # fmt: skip
MOST_WORDS = 30
_ODD = re.compile(
    r"\b(?:ignore|pretend|override|system|sudo|admin|administrator|(?:your|the|all) rules|instructions?|prompt)\b"
)


@dataclass(frozen=True)
class Heard:
    """A sentence as frames look at it: its words, and the names in it by kind, in order."""

    text: str  # in signs, lower case
    asked: bool  # it ended with a question mark
    names: list[tuple[str, str, int | None]]  # kind, name, how many
    numbers: list[int]
    labels: list[str]

    def of(self, *kinds: str) -> list[str]:
        return [n for k, n, _ in self.names if k in kinds]

    def one(self, *kinds: str) -> str:
        found = self.of(*kinds)
        return found[0] if found else ""

    def count(self, name: str) -> int | None:
        return next((c for _, n, c in self.names if n == name), None)

    def has(self, *patterns: str) -> bool:
        return any(re.search(rf"(?<![\w«])(?:{p})(?![\w»])", self.text) is not None for p in patterns)

    def begins(self, *patterns: str) -> bool:
        return any(re.match(rf"(?:{p})(?![\w»])", self.text) is not None for p in patterns)

    @property
    def negated(self) -> bool:
        return self.has("not", "no", "never", "cannot", "without", "none", "unable", "nothing", "nobody")


def guess(sentence: str, vocabulary: Vocabulary, asked: bool = False) -> Meaning | None:
    """What a sentence probably means; None where nothing points one way."""
    if len(sentence) > MOST_CHARS:
        return None
    heard = heard_of(sentence, vocabulary, asked)
    if len(heard.text.split()) > MOST_WORDS or _ODD.search(heard.text) or not heard.text.isprintable():
        return None
    for frame in frames():
        found = frame(heard)
        if found is not None:
            return found
    return None


_NEW = re.compile(r"(?:(«n\d+»|an?|the|some)\s+)?([a-z]+(?: [a-z]+){0,2})")


def new_things(sentence: str, vocabulary: Vocabulary) -> m.Things | None:
    """Things that nobody knows, where some are asked for: "two ice packs"; None where it may be something else."""
    words = signed(sentence.strip(" .!"), vocabulary)
    found = _NEW.fullmatch(words.text)
    if found is None or found[2].split()[0] in ("what", "who", "why", "how", "is", "no", "yes", "stop", "not", "do"):
        return None
    count = words.numbers.get(found[1] or "", 1)
    return m.Things(((found[2], count),), (found[2],))


def heard_of(sentence: str, vocabulary: Vocabulary, asked: bool) -> Heard:
    sentence = re.sub(r"(?<=\w)'s\b(?! door)", lambda x: _whose(sentence, x), sentence.replace("\u2019", "'"))
    words = signed(re.sub(r"\bi'd rather\b", "i would rather", sentence, flags=re.I), vocabulary)
    words.text = re.sub(r" (?:is|are|does|do|has|have) not (?:it|they|there|he|she)$", " right", words.text)
    names: list[tuple[str, str, int | None]] = []
    numbers = dict(words.numbers)
    for found in re.finditer(r"«[a-z]\d+»|\bfetch\b", words.text):
        sign = found.group(0)
        if sign in words.names and sign != "fetch":
            before = re.search(
                r"(«n\d+»|\ba couple of|\ba pair of|\ban?|\bone)\s*(?:of\s+)?(?:the\s+)?$", words.text[: found.start()]
            )
            names.append((_KINDS[sign[1]], words.names[sign], _many(before.group(1) if before else "", words.numbers)))
            if before and before.group(1) in numbers:
                numbers.pop(before.group(1))
    return Heard(words.text, asked, names, list(numbers.values()), list(words.labels.values()))


def _whose(sentence: str, found: re.Match[str]) -> str:
    """ "Spot's broken" is "Spot is broken"; whose something is stays."""
    return " is" if re.match(r" (?:in|on|at|not|broken|out|away|here|back|gone|down|stuck|empty|open|shut|missing)\b",
                             sentence[found.end() :]) else "'s"  # fmt: skip


def _many(word: str, numbers: dict[str, int]) -> int | None:
    if word in numbers:
        return numbers[word]
    return {"a couple of": 2, "a pair of": 2, "a": 1, "an": 1, "one": 1}.get(word)


def is_safe(meaning: Meaning) -> bool:
    """Whether a guess may be answered without reading it back: it changes nothing."""
    return isinstance(meaning, (m.Ask, m.Greet, m.Repeat))
