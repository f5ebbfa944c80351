"""The way of a sentence before the dialogue: stop kernel, exact grammar, trained reader.

What the first two understand goes on as it is. A sentence that a model has read is marked with what it was read as, so
that the log keeps it and a replay asks no model.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeGuard

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.utterance import LIKELY, UNLIKELY, heard
from coterie.talk.marks import mark, typed, unheard
from coterie.talk.meanings import Meaning, Stop, only_waits
from coterie.talk.reader import Reader, Reading
from coterie.talk.scene import scene_of
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.writing import briefs

LOADING_S = 20.0  # that a sentence waits for a reader that is being loaded
STOP, GRAMMAR, READ, ASKED = "stop", "grammar", "read", "asked"
NO_READER = "Without the embedded model only plain sentences are understood: pip install 'coterie[embedded]'."


class Understood(NamedTuple):
    """One sentence as understood: its meanings, and the step that found them."""

    meanings: tuple[Meaning, ...]
    how: str  # stop, grammar, read, or asked where the reader is not sure
    p: float
    ms: float
    missing: tuple[str, ...] = ()

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
        text = typed(text)
        vocabulary: Vocabulary = dialogue.partner.vocabulary
        thread = dialogue.threads.of(person)
        found = heard(text, vocabulary).meanings
        if isinstance(found[0], Stop) or _exact(found, thread.asking is not None):
            return text
        self._ready.wait(LOADING_S)
        asked = dialogue.partner.open_request(person) or thread.last_said
        read = self._read(text, vocabulary, asked, unheard(thread.heard))
        return text if read is None else mark(text, read.brief, read.p, read.missing)

    def understood(self, text: str, vocabulary: Vocabulary, team: str = "", before: str = "") -> Understood:
        """The meanings of a sentence, with the step that found them and the time it took."""
        begun = time.perf_counter()

        def found(meanings: tuple[Meaning, ...], how: str, p: float, missing: tuple[str, ...] = ()) -> Understood:
            return Understood(meanings, how, p, 1000 * (time.perf_counter() - begun), missing)

        exact = heard(text, vocabulary).meanings
        if isinstance(exact[0], Stop):
            return found((exact[0],), STOP, 1.0)
        if _exact(exact, bool(team)):
            return found(exact, GRAMMAR, 1.0)
        read = self._read(text, vocabulary, team, before)
        if read is None:
            return found((), ASKED, 0.0)
        stops = any(isinstance(x, Stop) or (only_waits(x) and read.p >= UNLIKELY) for x in read.meanings)  # at once
        sure = stops or (read.p >= LIKELY and not read.missing)
        return found(read.meanings, READ if sure else ASKED, read.p, read.missing)

    def _read(self, text: str, vocabulary: Vocabulary, team: str, before: str) -> Reading | None:
        try:
            return self.reader.read(text, scene_of(vocabulary), team, before) if self.reader is not None else None
        except CoterieError:
            return None


def _exact(found: Sequence[object], asked: bool) -> TypeGuard[tuple[Meaning, ...]]:
    """True if the grammar has read all of a sentence; unknown words may name a thing only where something was asked."""
    return all(isinstance(x, Meaning) and (asked or not getattr(x, "unknown", ())) for x in found)
