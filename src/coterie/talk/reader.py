"""The trained reader: a model turns a sentence into meanings, held to the meanings and names that there are.

    reader = Reader(Embedded(READER))
    reader.read("alpha could do with a medkit", scene)
    # Reading(brief="order: kit medkit at alpha", p=0.98, ...)

The reply is held to a grammar made from `brief.lark` and the names of the scene, so whatever comes back is a meaning.
`p` is the probability that the model gives to its reply. What a reading must account for is checked by `accounting.py`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Protocol

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.talk.accounting import unaccounted
from coterie.talk.brief import Scene, gbnf, parse
from coterie.talk.meanings import Meaning
from coterie.talk.prompt import prompt

#: The adapter that comes with the package.
READER = Path(__file__).with_name("reader.gguf")
STAGE = "read"
MOST_CHARS = 400  # of a sentence


@dataclass(frozen=True)
class Reading:
    """A reading of a sentence."""

    meanings: tuple[Meaning, ...]
    brief: str
    p: float  # of the whole reply; 0 where a model tells no probabilities
    missing: tuple[str, ...] = ()  # words of the sentence that have no place in the meaning
    ms: float = 0.0


@lru_cache(maxsize=1)
def instructions() -> str:
    """The instructions for an untrained model: the forms of a brief, and an example of each kind."""
    return resources.files("coterie.talk").joinpath("reader.md").read_text("utf-8")


class Answers(Protocol):
    """A model, as the reader needs it."""

    def answer(self, asks: list[Ask]) -> list[Reply]: ...


class Reader:
    """`trained`: the model was trained for this; another one is told what a brief looks like."""

    def __init__(self, model: Answers, trained: bool = True):
        self.model, self.trained = model, trained

    def read(self, heard: str, scene: Scene, team: str = "", before: str = "") -> Reading | None:
        """The meanings of a sentence; None where the model gave none."""
        begun = time.perf_counter()
        heard = heard.strip()[:MOST_CHARS]
        asked: Prompt = (("user", prompt(scene, heard, team, before)),)
        asked = asked if self.trained else (("system", instructions()), *asked)
        reply, p = self._answer(Ask("", STAGE, 0, 0, asked, {"gbnf": gbnf(scene, heard)}))
        brief = reply.text.strip()
        try:
            meanings = tuple(parse(brief, scene))
        except CoterieError:
            return None
        missing = tuple(unaccounted(heard, meanings, scene))
        return Reading(meanings, brief, p, missing, 1000 * (time.perf_counter() - begun))

    def _answer(self, ask: Ask) -> tuple[Reply, float]:
        scored = getattr(self.model, "scored", None)
        if scored is None:  # a model that tells no probabilities: what it reads is asked back
            return self.model.answer([ask])[0], 0.0
        found: tuple[Reply, float] = scored(ask)
        return found

    def warm(self, scene: Scene) -> None:
        """Have the model read the scene, so that the first sentence is answered as fast as the others."""
        parse("greet hello", scene)
        ask = Ask("", STAGE, 0, 0, (("user", prompt(scene, "hello")),), ["greet hello"])
        remember = getattr(self.model, "remember", None)
        _ = remember(ask) if remember is not None else self.model.answer([ask])
