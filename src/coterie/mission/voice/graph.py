"""The sentences that can be heard, as one small graph of words.

Names of one kind stand for each other: from "Deliver a medkit to alpha." follows "Deliver a woundkit to beta.", and the
same with three of them. The graph is a tree of beginnings whose equal ends are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from coterie.talk import vocabulary as names
from coterie.talk.vocabulary import Vocabulary

NUMBERS = names.NUMBERS[1:11]  # that can be heard
_COUNT = "<count>"
_WORD = re.compile(r"[a-z']+|\d+")
Node = dict[str, "Node"]  # words and classes to what may follow; "" is an end


class Graph(NamedTuple):
    """States are numbers; each arc leads from one to another by a word ("" costs nothing)."""

    start: int
    final: int
    arcs: tuple[tuple[int, int, str], ...]

    @property
    def words(self) -> list[str]:
        return sorted({word for _, _, word in self.arcs if word})

    def accepts(self, words: Sequence[str]) -> bool:
        """Whether these are a whole sentence."""
        here = {self.start}
        for word in words:
            here = {b for a, b, by in self.arcs if a in here and by == word}
        return any(a in here and b == self.final for a, b, by in self.arcs if not by)


def words_of(sentence: str) -> list[str]:
    """The words of a sentence as they are spoken."""
    found = _WORD.findall(sentence.lower().replace("'s", " is").replace("'", " "))
    return [NUMBERS[int(w) - 1] if w.isdigit() and 0 < int(w) <= len(NUMBERS) else w for w in found]


def _phrases(vocabulary: Vocabulary) -> dict[tuple[str, ...], str]:
    """What people call things, with the class of each; the longest first."""
    found = {tuple(words_of(phrase)): f"<{kind}>" for phrase, (kind, _) in vocabulary.phrases.items()}
    found = {words: kind for words, kind in found.items() if words}
    return dict(sorted(found.items(), key=lambda row: (-len(row[0]), row[0])))


def template(sentence: str, vocabulary: Vocabulary) -> str:
    """A sentence with kinds for names: "deliver a <kit> to <room>"."""
    return " ".join(_template(words_of(sentence), _phrases(vocabulary)))


def _template(words: Sequence[str], phrases: dict[tuple[str, ...], str]) -> tuple[str, ...]:
    made: list[str] = []
    i = 0
    while i < len(words):
        phrase = next((p for p in phrases if tuple(words[i : i + len(p)]) == p), None)
        if phrase is not None:
            made.append(phrases[phrase])
            i += len(phrase)
        else:
            made.append(_COUNT if words[i] in NUMBERS[1:] else words[i])
            i += 1
    return tuple(made)


def graph_of(sentences: Iterable[str], vocabulary: Vocabulary, templates: Iterable[str] = ()) -> Graph:
    """`templates` are sentences with kinds for names; those of kinds that have no names here are left out."""
    phrases = _phrases(vocabulary)
    classes: dict[str, list[tuple[str, ...]]] = {_COUNT: [(n,) for n in NUMBERS[1:]]}
    for words, kind in phrases.items():
        classes.setdefault(kind, []).append(words)
    tree: Node = {}
    made = [tuple(row.split()) for row in templates]
    made = [row for row in made if all(word in classes for word in row if word.startswith("<"))]
    for row in (*made, *(_template(words_of(sentence), phrases) for sentence in sentences)):
        at = tree
        for word in row:
            at = at.setdefault(word, {})
        if at is not tree:
            at[""] = {}
    return _folded(tree, classes)


def _folded(tree: Node, classes: dict[str, list[tuple[str, ...]]]) -> Graph:
    """Numbers for the states; what has the same future is the same state."""
    numbers: dict[tuple[tuple[str, int], ...], int] = {}
    rows: list[tuple[tuple[str, int], ...]] = []

    def number(node: Node) -> int:
        key = tuple(sorted((word, number(then) if word else -1) for word, then in node.items()))
        if key not in numbers:
            numbers[key] = len(rows)
            rows.append(key)
        return numbers[key]

    start = number(tree)
    final = len(rows)
    fresh = final + 1
    arcs: list[tuple[int, int, str]] = []
    for state, row in enumerate(rows):
        for word, then in row:
            if not word:
                arcs.append((state, final, ""))
                continue
            for phrase in classes.get(word, [(word,)]):
                at = state
                for part in phrase[:-1]:
                    arcs.append((at, fresh, part))
                    at, fresh = fresh, fresh + 1
                arcs.append((at, then, phrase[-1]))
    return Graph(start, final, tuple(arcs))
