"""One utterance: the words without their marks, its meanings, and how certain these are.

Words come in as they were typed, or marked: with the reading of a model (`READ`), and as said before their speaker was
told of a proposal (`EARLY`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from coterie.core.errors import CoterieError
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.accounting import marked
from coterie.talk.brief import Scene, parse
from coterie.talk.marks import EARLY, unmarked
from coterie.talk.meanings import Meaning
from coterie.talk.scene import scene_of
from coterie.talk.stop import stops
from coterie.talk.vocabulary import Vocabulary

#: Probabilities of a reading, from which on it counts as a plain yes, begins an order, and is worth reading back.
SURELY, LIKELY, UNLIKELY = 0.97, 0.9, 0.5
Phrases = tuple[tuple[str, tuple[str, str]], ...]
MOST_NAME = 31  # of a name


class Certainty(IntEnum):
    """Certainty of an understood meaning."""

    UNLIKELY = 0  # nothing comes of it
    DOUBTFUL = 1  # read back before anything is done
    LIKELY = 2  # an order begins, with its reading back
    SURE = 3  # counts as a plain yes or no
    PLAIN = 4  # read by the exact grammar, as it was typed


@dataclass(frozen=True)
class Utterance:
    said: str  # the person's own words
    meanings: tuple[Meaning | m.Unclear, ...]
    certainty: Certainty = Certainty.PLAIN
    missing: tuple[str, ...] = ()  # words that have no place in what was read
    early: bool = False

    @property
    def meant(self) -> list[Meaning]:
        return [x for x in self.meanings if isinstance(x, Meaning)]

    @property
    def unclear(self) -> list[m.Unclear]:
        return [x for x in self.meanings if isinstance(x, m.Unclear)]

    def of(self, meaning: Meaning) -> Certainty:
        """How certain one meaning is. What was said in one breath with a stop and moves robots, or with something that
        was not understood, is read back."""
        less = isinstance(meaning, m.Steer) and meaning.how in ("cancel", "pause")
        behind_stop = meaning.commands and not less and any(isinstance(x, m.Stop) for x in self.meanings)
        return min(self.certainty, Certainty.DOUBTFUL) if behind_stop or self.unclear else self.certainty


def certainty_of(p: float, missing: Sequence[str]) -> Certainty:
    """How certain a reading is, by its probability; 0 is that of a model that tells none, which is read back."""
    if 0 < p < UNLIKELY:
        return Certainty.UNLIKELY
    if p < LIKELY or missing:
        return Certainty.DOUBTFUL
    return Certainty.SURE if p >= SURELY else Certainty.LIKELY


def heard(text: str, vocabulary: Vocabulary) -> Utterance:
    """An utterance with its meanings; the same words with the same names are read once."""
    return _heard(text, tuple(vocabulary.phrases.items()))


@lru_cache(maxsize=32)
def _heard(text: str, phrases: Phrases) -> Utterance:
    """A stop is looked for before all else, whatever a model has read."""
    vocabulary, scene = Vocabulary(dict(phrases)), _scene(phrases)
    early, text = text.startswith(EARLY), text.removeprefix(EARLY)
    read = unmarked(text)
    said, certainty = read.said, Certainty.PLAIN
    if read.brief:
        certainty, found = certainty_of(read.p, read.missing), _read(said, read.brief, scene)
    else:
        found = tuple(understand(said, vocabulary))
    exact = not read.brief and all(isinstance(x, Meaning) for x in found)
    if (stop := stopped(said, found if exact else (), vocabulary)) is not None:
        apart = any(isinstance(x, m.Stop) for x in found)  # what else was said stands for itself
        found = (stop, *(x for x in found if apart and isinstance(x, Meaning) and not isinstance(x, m.Stop)))
    return Utterance(said, tuple(marked(said, found, scene)), certainty, read.missing, early)


def stopped(said: str, exact: Sequence[object], vocabulary: Vocabulary) -> m.Stop | None:
    """The plea to stop that a sentence is or has in it. What the exact grammar reads as something else is none; but a
    bare cancel or greeting, or a word that nobody knows and that is no name in quotes, may be."""
    short = (m.Steer("cancel"), m.Forget())
    quoted = said.strip().startswith(("'", '"'))

    def may_be(x: object) -> bool:
        strange = bool(getattr(x, "unknown", ())) and not quoted
        return strange or x in short or isinstance(x, (m.Stop, m.Greet, m.Repeat))

    return stops(said, vocabulary) if not exact or any(map(may_be, exact)) else None


def _read(said: str, brief: str, scene: Scene) -> tuple[Meaning | m.Unclear, ...]:
    try:
        return tuple(parse(brief, scene)) or (m.Unclear(said),)
    except CoterieError:
        return (m.Unclear(said),)


@lru_cache(maxsize=16)
def _scene(phrases: Phrases) -> Scene:
    return scene_of(Vocabulary(dict(phrases)))


class Named(NamedTuple):
    person: str
    words: str
    known: bool  # that there is such a person here


def named_speaker(text: str, people: Iterable[str], words: Iterable[str] = ()) -> Named | None:
    """Whose words these are, if a name and a colon stand before them. `words` are names and words that mean something
    else there: "Spot: stop.", "Correction: two."."""
    before, _, behind = text.partition(":")
    name, said = before.strip(), behind.strip()
    word = name[:1].isalpha() and len(name) <= MOST_NAME and all(c.isalnum() or c in "_-" for c in name)
    if not said or not word:
        return None
    if (person := next((p for p in people if p.lower() == name.lower()), None)) is not None:
        return Named(person, said, True)
    return None if name.lower() in {w.lower() for w in words} else Named(name, said, False)
