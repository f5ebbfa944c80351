"""The stop kernel: whether a person wants robots to stop, in a millisecond, before anything else is tried.

It errs towards stopping. A linear model over words and parts of words (`stop.npz`, trained by `tools/stop.py` on
the sentences of the reader) says how likely a sentence is a plea to stop; names of the scene count as one word each.
What it does not take for a stop is still read by the grammar and the reader, which may.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np

from coterie.core.ngrams import buckets
from coterie.talk import meanings as m
from coterie.talk.vocabulary import Vocabulary

LIMIT = 0.6  # from which a sentence is a stop
MOST_CHARS = 400  # of a sentence; a longer one is looked at from both ends
ROBOT, NAME = "robotname", "othername"
_WORD = re.compile(r"[a-z']+|[!?]")
#: Words that leave out those named behind them, and words that mean everybody.
_EXCEPT = re.compile(r"\b(?:except|but(?! (?:stop|halt|wait)\b)|apart from|other than|excluding|bar|not you)\b")
_ALL = frozenset(("all", "everyone", "everybody", "everything", "both", "robots", "anybody", "nobody", "anyone"))


def stops(text: str, vocabulary: Vocabulary) -> m.Stop | None:
    """Whom a sentence stops; None where it is no plea to stop."""
    named = Named.of(vocabulary)
    if likelihood(text, named) < LIMIT:
        return None
    said = text.lower()
    robots = [r for r in vocabulary.names("robot") if re.search(rf"\b{re.escape(r.lower())}\b", said)]
    left_out = _left_out(said, robots)
    if left_out:
        return m.Stop(but=left_out)
    everybody = not robots or bool(_ALL & set(_WORD.findall(said)))
    return m.Stop(() if everybody else tuple(robots))


def _left_out(said: str, robots: Sequence[str]) -> tuple[str, ...]:
    """The robots that stand directly behind "but" or "except": those named elsewhere are to stop."""
    cut = _EXCEPT.search(said)
    names = "|".join(re.escape(r.lower()) for r in robots)
    behind = (
        re.match(rf"\W*(?:for\W+)?((?:{names})\b(?:\s+(?:and|or)\s+(?:{names})\b)*)", said[cut.end() :])
        if cut and names
        else None
    )
    return tuple(r for r in robots if behind is not None and re.search(rf"\b{re.escape(r.lower())}\b", behind[1]))


@dataclass(frozen=True)
class Named:
    """The names of a scene in one pattern, and those of robots."""

    pattern: re.Pattern[str] | None
    robots: frozenset[str]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Named:
        return _named(tuple(vocabulary.phrases), frozenset(r.lower() for r in vocabulary.names("robot")))

    def replaced(self, text: str) -> str:
        if self.pattern is None:
            return text
        return self.pattern.sub(lambda found: ROBOT if found[0] in self.robots else NAME, text)


@lru_cache(maxsize=16)
def _named(phrases: tuple[str, ...], robots: frozenset[str]) -> Named:
    longest = sorted({p.lower() for p in phrases} | robots, key=lambda p: (-len(p), p))
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b") if longest else None
    return Named(pattern, robots)


def named(phrases: Iterable[str], robots: Iterable[str]) -> Named:
    """The names of a scene that has no vocabulary, for training."""
    return _named(tuple(phrases), frozenset(r.lower() for r in robots))


def likelihood(text: str, names: Named) -> float:
    """How likely a sentence is a plea to stop."""
    weights, bias = _weights()
    score = bias + float(weights[features(text, names)].sum())
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))


def features(text: str, names: Named) -> list[int]:
    """The buckets of a sentence: words, neighbours, and parts of words, which outlast typos."""
    if len(text) > MOST_CHARS:
        text = f"{text[: MOST_CHARS // 2]} {text[-MOST_CHARS // 2 :]}"
    words = _WORD.findall(names.replaced(text.lower()))
    return buckets(words, (ROBOT, NAME), ["@short"] if len(words) <= 3 else ())


@lru_cache(maxsize=1)
def _weights() -> tuple[np.ndarray, float]:
    with resources.files("coterie.talk").joinpath("stop.npz").open("rb") as file, np.load(file) as data:
        return data["weights"].astype(np.float32), float(data["bias"])
