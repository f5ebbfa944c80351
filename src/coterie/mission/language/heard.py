"""A sentence as guesses look at it: its words, and the names in it by kind."""

from __future__ import annotations

import re
from dataclasses import dataclass

from coterie.mission.language.signs import signed
from coterie.talk.vocabulary import Vocabulary

_KINDS = {"r": "robot", "p": "person", "o": "room", "t": "table", "d": "door", "i": "item", "c": "caddy", "k": "kit",
          "g": "task"}  # fmt: skip


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

    def many(self, name: str) -> int:
        """How many of it; one where no number was said. Zero is a number."""
        count = self.count(name)
        return 1 if count is None else count

    def has(self, *patterns: str) -> bool:
        return any(re.search(rf"(?<![\w«])(?:{p})(?![\w»])", self.text) is not None for p in patterns)

    def begins(self, *patterns: str) -> bool:
        return any(re.match(rf"(?:{p})(?![\w»])", self.text) is not None for p in patterns)

    @property
    def negated(self) -> bool:
        return self.has("not", "no", "never", "cannot", "without", "none", "unable", "nothing", "nobody")


def heard_of(sentence: str, vocabulary: Vocabulary, asked: bool) -> Heard:
    sentence = re.sub(r"(?<=\w)'s\b(?! door)", lambda x: _whose(sentence, x), sentence)
    words = signed(re.sub(r"\bi'd rather\b", "i would rather", sentence, flags=re.I), vocabulary)
    if asked:
        words.text = re.sub(r" (?:is|are|does|do|has|have) not (?:it|they|there|he|she)$", " right", words.text)
    names: list[tuple[str, str, int | None]] = []
    numbers = dict(words.numbers)
    for found in re.finditer(r"«[a-z]\d+»|\bfetch\b", words.text):
        sign = found.group(0)
        if sign in words.names and sign != "fetch":
            before = re.search(
                r"(«n\d+»|\ba couple of|\ba pair of|\ban?|\bone)( pairs?)?\s*(?:of\s+)?(?:the\s+)?$",
                words.text[: found.start()],
            )
            many = _many(before.group(1) if before else "", words.numbers)
            many = 2 * many if before and before.group(2) and many is not None else many
            names.append((_KINDS[sign[1]], words.names[sign], many))
            if before and before.group(1) in numbers:
                numbers.pop(before.group(1))
    rooms = [n for k, n, _ in names if k == "room"]
    its = f"{rooms[0]}door" if len(rooms) == 1 else ""  # "you can go into alpha, the door is open"
    doors = any(k == "door" for k, _, _ in names)
    if its and not doors and re.search(r"\bdoor\b", words.text) and vocabulary.kind_of(its) == "door":
        names.append(("door", its, None))
    return Heard(words.text, asked, names, list(numbers.values()), list(words.labels.values()))


def _whose(sentence: str, found: re.Match[str]) -> str:
    """ "Spot's broken" is "Spot is broken"; whose something is stays."""
    so = (
        r" (?:in|on|at|not|broken|out|away|here|back|gone|down|stuck|empty|open|shut|missing|closed|ready|packed|done|"
        r"jammed|no|with|unable)\b"
    )
    return " is" if re.match(so, sentence[found.end() :]) else "'s"


def _many(word: str, numbers: dict[str, int]) -> int | None:
    if word in numbers:
        return numbers[word]
    return {"a couple of": 2, "a pair of": 2, "a": 1, "an": 1, "one": 1}.get(word)
