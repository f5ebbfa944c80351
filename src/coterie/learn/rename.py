"""Other names for everything: what is learnt must be how names are used, and not the names.

A model that is trained on a few dozen pieces of furniture learns them by heart, and sends robots to places that are not
there. So samples are told again with words that are drawn anew for each: every part of a name stands for another word
(red_cube_0 and red_panel keep their colour in common), numbers stay, robots get names of their own. The teacher then
answers the new text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

from coterie.core.protocol import Prompt

KEPT = frozenset({"panel"})  # parts of names that prompts and teachers count on
_ENDS = ("er", "ing", "ment", "ness", "let", "ware", "board", "top", "s", "ette", "le", "ard", "on", "y")
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeio"]
MADE_UP = 0.15  # of words: those that no text has
JOINED = 0.35  # of words: two in one, like dishwasher: most names are longer than one word of the model's
LONGER = 0.25  # of words: two with a dash below between them
_LISTS = ("Places with their sides: ", "Candidates: ")
_SAID = re.compile(r'\w+: "[^"]*"')  # lines of introductions, proposals, reports: one of each robot
_NODE = re.compile(r"\w+: \w+, (?:box|high|surface), .*")  # of a scene graph
_MATE = r"\w+: [^()]+ \([^()]*\)\."
_TEAM = re.compile(rf"Team: {_MATE}(?: {_MATE})*")
_ALIVE = re.compile(r"(\bAlive: )([\w, ]+)(?=\.)")


@cache
def words() -> tuple[str, ...]:
    """Lower-case words that the embedded model's vocabulary holds."""
    return tuple((resources.files(__package__) / "words.txt").read_text(encoding="utf-8").split())


class Renaming:
    """One draw of names for those of an episode."""

    def __init__(self, names: Iterable[str], robots: Iterable[str], rng: random.Random):
        self._rng = rng
        self._parts: dict[str, str] = {}
        self._taken: set[str] = set(KEPT)
        new = {name: "_".join(map(self._part, name.split("_"))) for name in sorted(set(names))}
        for robot in sorted(set(robots)):
            new[robot] = self._word(longer=0.0).capitalize()
        self.new = new
        # Names first that others begin with: top_rack_2 before top_rack.
        found = sorted(map(re.escape, new), key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w])(?:{'|'.join(found)})(?![\w])") if found else None

    def _part(self, part: str) -> str:
        if part.isdigit() or part in KEPT:
            return part
        if part not in self._parts:
            self._parts[part] = self._word(LONGER)
        return self._parts[part]

    def _word(self, longer: float) -> str:
        while True:
            word = self._rng.choice(words())
            kind = self._rng.random()
            if kind < MADE_UP:
                word = "".join(self._rng.choice(_SYLLABLES) for _ in range(self._rng.randint(2, 3)))
            elif kind < MADE_UP + JOINED:
                word += self._rng.choice((*_ENDS, self._rng.choice(words())))
            elif self._rng.random() < longer:
                word = f"{word}_{self._rng.choice(words())}"
            if word not in self._taken:
                self._taken.add(word)
                return word

    def text(self, text: str) -> str:
        return text if self._pattern is None else self._pattern.sub(lambda m: self.new[m.group()], text)

    def prompt(self, prompt: Prompt) -> Prompt:
        return tuple((role, self.text(text)) for role, text in prompt)


def shuffled(prompt: Prompt, rng: random.Random) -> Prompt:
    """The same with places, teammates and what each of them said in another order, in which nothing is meant."""
    return tuple((role, _text(text, rng)) for role, text in prompt)


def _text(text: str, rng: random.Random) -> str:
    found, together = list[str](), list[str]()
    for line in [*text.split("\n"), None]:
        if line is not None and (_SAID.fullmatch(line) or _NODE.fullmatch(line)):
            together.append(line)
            continue
        rng.shuffle(together)
        found += [*together, *([] if line is None else [_line(line, rng)])]
        together = []
    return "\n".join(found)


def _line(line: str, rng: random.Random) -> str:
    for head in _LISTS:
        if line.startswith(head):
            return head + _mixed(line[len(head) :], rng)
    if _TEAM.fullmatch(line):
        mates = re.findall(_MATE, line.removeprefix("Team: "))
        rng.shuffle(mates)
        return "Team: " + " ".join(mates)
    return _ALIVE.sub(lambda m: m.group(1) + _mixed(m.group(2), rng), line)


def _mixed(items: str, rng: random.Random) -> str:
    some = items.split(", ")
    rng.shuffle(some)
    return ", ".join(some)
