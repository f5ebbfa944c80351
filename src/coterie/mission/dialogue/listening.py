"""From the words of a person to an utterance: stop kernel, exact grammar, trained reader.

What the first two understand goes on as it was typed. A sentence that a model has read is marked with what it was read
as (`READ`), so that the log keeps it and a replay asks no model; so is what was said before its speaker was told of a
proposal (`EARLY`). An `Utterance` has the words without their marks, the meanings, and how certain these are.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.accounting import marked
from coterie.talk.brief import Scene, parse
from coterie.talk.marks import EARLY, mark, typed, unheard, unmarked
from coterie.talk.meanings import Meaning
from coterie.talk.reader import Reader, Reading
from coterie.talk.scene import scene_of
from coterie.talk.stop import stops
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.writing import briefs

#: Probabilities of a reading, from which on it counts as a plain yes, begins an order, and is worth reading back.
SURELY, LIKELY, UNLIKELY = 0.97, 0.9, 0.5
Phrases = tuple[tuple[str, tuple[str, str]], ...]
MOST_NAME = 31  # of a name
LOADING_S = 20.0  # that a sentence waits for a reader that is being loaded
STOP, GRAMMAR, READ, ASKED = "stop", "grammar", "read", "asked"
NO_READER = "Without the embedded model only plain sentences are understood: pip install 'coterie[embedded]'."


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


# -- the way of a sentence --------------------------------------------------------------------------------------------
class Understood(NamedTuple):
    """One sentence as understood: its meanings, and the step that found them."""

    meanings: tuple[Meaning, ...]
    how: str  # stop, grammar, read, or asked where the reader is not sure
    p: float
    ms: float
    missing: tuple[str, ...] = ()
    reading: Reading | None = None  # of a model, where it was needed

    @property
    def brief(self) -> str:
        return briefs(self.meanings)

    @property
    def means(self) -> str:
        """The kind of the first meaning, in lower case."""
        kind = type(self.meanings[0]).__name__.lower() if self.meanings else "unclear"
        return "none" if kind == "remark" else kind


class Listener:
    """`reader`: None where no model is at hand; `load` brings one while people are already being listened to."""

    def __init__(self, reader: Reader | None = None):
        self.reader = reader
        self._ready = threading.Event()
        self._ready.set()

    def load(self, make: Callable[[], Reader | None], vocabulary: Callable[[], Vocabulary | None]) -> None:
        """Make a reader in the background, and let it read the scene so that no sentence waits for that."""

        def make_it() -> None:
            try:
                reader, names = make(), vocabulary()
                if reader is not None and names is not None:
                    reader.warm(scene_of(names))
                self.reader = reader
            except CoterieError:
                pass  # without one, plain sentences are read
            finally:
                self._ready.set()

        self._ready.clear()
        threading.Thread(target=make_it, name="reader", daemon=True).start()

    def to(self, dialogue: Any, person: str, text: str) -> str:
        """A sentence as the dialogue takes it: as it is, or marked with its reading."""
        text, thread = typed(text), dialogue.threads.of(person)
        asked, before = dialogue.partner.open_request(person) or thread.last_said, unheard(thread.heard)
        read = self.understood(text, dialogue.partner.vocabulary, asked, before, thread.asking is not None).reading
        return text if read is None else mark(text, read.brief, read.p, read.missing)

    def understood(
        self, text: str, vocabulary: Vocabulary, team: str = "", before: str = "", asking: bool | None = None
    ) -> Understood:
        """The meanings of a sentence, with the step that found them and the time it took."""
        begun, p, missing, how, read = time.perf_counter(), 1.0, tuple[str, ...](), GRAMMAR, None
        found: Sequence[object] = heard(text, vocabulary).meanings
        if isinstance(found[0], m.Stop):
            found, how = found[:1], STOP
        elif not _exact(found, bool(team) if asking is None else asking):
            self._ready.wait(LOADING_S)
            read = self._read(text, vocabulary, team, before)
            found, p, missing = (read.meanings, read.p, read.missing) if read is not None else ((), 0.0, ())
            stops = any(isinstance(x, m.Stop) or (m.only_waits(x) and p >= UNLIKELY) for x in found)  # at once
            how = READ if stops or (p >= LIKELY and not missing) else ASKED
        meanings = tuple(x for x in found if isinstance(x, Meaning))
        return Understood(meanings, how, p, 1000 * (time.perf_counter() - begun), missing, read)

    def _read(self, text: str, vocabulary: Vocabulary, team: str, before: str) -> Reading | None:
        try:
            return self.reader.read(text, scene_of(vocabulary), team, before) if self.reader is not None else None
        except CoterieError:
            return None


def _exact(found: Sequence[object], asked: bool) -> bool:
    """True if the grammar has read all of a sentence; unknown words may name a thing only where something was asked."""
    return all(isinstance(x, Meaning) and (asked or not getattr(x, "unknown", ())) for x in found)
