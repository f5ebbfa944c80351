"""Sound to words, by pocketsphinx: one of the sentences that can be said here, or nothing.

Recognition is told what can be said (`graph.py`), so it never hears anything else: noise and other words come out as
the nearest sentence, or as nothing. Whoever uses it reads back what was heard before anything is done.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coterie.mission.voice.graph import Graph, graph_of, words_of
from coterie.mission.voice.needs import load
from coterie.mission.voice.pronouncing import sounds
from coterie.mission.voice.sound import RATE_HZ, Sound
from coterie.talk.vocabulary import Vocabulary

SILENCE_S = 0.25  # before and behind what is said
NOISE = 20.0  # of 32768: digital silence is like nothing that the model of speech has heard
FAINTEST = 300.0  # of 32768, at the loudest: nobody spoke
SURE = 0.45  # by the recogniser's own account: a yes reaches that, most words that are taken for one do not
BEAMS = {"beam": 1e-60, "pbeam": 1e-60, "wbeam": 1e-40}


class Heard(NamedTuple):
    text: str  # "" where nothing was made out
    sure: float  # from 0 to 1, by the recogniser's own account


@cache
def templates() -> tuple[str, ...]:
    """Sentences that can be said anywhere, with kinds for names: those of the page on utterances."""
    text = (files("coterie.mission.voice") / "templates.txt").read_text(encoding="utf-8")
    return tuple(row for row in text.splitlines() if row)


@cache
def _dictionary() -> dict[str, tuple[str, ...]]:
    """The recogniser's own words with how they sound."""
    found: dict[str, list[str]] = {}
    with open(_model() / "cmudict-en-us.dict", encoding="utf-8") as file:
        for row in file:
            word, _, phones = row.strip().partition(" ")
            found.setdefault(word.partition("(")[0], []).append(phones)
    return {word: tuple(ways) for word, ways in found.items()}


def _model() -> Path:
    return Path(str(load("pocketsphinx", "Listening").__file__)).parent / "model" / "en-us"


class Listener:
    """Hears what can be said with some names; words that are taught later are heard from then on."""

    def __init__(self, vocabulary: Vocabulary, more: Iterable[str] = (), frames: Iterable[str] | None = None):
        """`frames` are the sentences with kinds for names; all that can be said, if none are given."""
        self.vocabulary, self.more = vocabulary, tuple(more)
        self.frames = templates() if frames is None else tuple(frames)
        self._mark: tuple[str, ...] = ()
        self._decoder: Any = None
        self._graph = Graph(0, 0, ())

    def graph(self) -> Graph:
        """What can be heard. Names that nobody would say aloud (`tableE`, for what is called table E) are left out."""
        said, known = Vocabulary(), _dictionary()
        for phrase, (kind, name) in self.vocabulary.phrases.items():
            others = [p for p, row in self.vocabulary.phrases.items() if row == (kind, name) and " " in p]
            if " " in phrase or not others or phrase in known:
                said.phrases[phrase] = (kind, name)
        return graph_of(self.more, said, self.frames)

    def _ready(self) -> Any:
        mark = tuple(self.vocabulary.phrases)
        if self._decoder is None or self._mark != mark:
            package, graph = load("pocketsphinx", "Listening"), self.graph()
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "words.dict"
                path.write_text("\n".join(_rows(graph)) + "\n", encoding="utf-8")
                model = str(_model() / "en-us")
                decoder = package.Decoder(hmm=model, dict=str(path), lm=None, loglevel="FATAL", cmn="batch", **BEAMS)
            arcs = [(a, b, 1.0, word) if word else (a, b, 1.0) for a, b, word in graph.arcs]
            decoder.add_fsg("talk", decoder.create_fsg("talk", graph.start, graph.final, arcs))
            decoder.activate_search("talk")
            self._decoder, self._mark, self._graph = decoder, mark, graph
        return self._decoder

    def heard(self, sound: Sound) -> Heard:
        """One utterance."""
        if not len(sound) or float(np.abs(sound.astype(np.float64)).max()) < FAINTEST:
            return Heard("", 0.0)
        decoder = self._ready()
        rest = np.zeros(int(SILENCE_S * RATE_HZ), dtype=np.int16)
        whole = np.concatenate([rest, sound, rest]).astype(np.float64)
        whole += np.random.default_rng(0).normal(0.0, NOISE, len(whole))
        decoder.start_utt()
        decoder.process_raw(np.clip(whole, -32768, 32767).astype(np.int16).tobytes(), full_utt=True)
        decoder.end_utt()
        found = decoder.hyp()
        words = found.hypstr.split() if found is not None else []
        while len(words) > 1 and not self._graph.accepts(words):  # it may have gone on into the silence
            words.pop()
        if not words or not self._graph.accepts(words):
            return Heard("", 0.0)
        text = " ".join(words)
        return Heard(text[:1].upper() + text[1:] + ".", float(found.prob))


def _rows(graph: Graph) -> list[str]:
    known, rows = _dictionary(), []
    for word in graph.words:
        ways = known.get(word) or (sounds(word),)
        rows += [f"{word if i == 0 else f'{word}({i + 1})'} {phones}" for i, phones in enumerate(ways)]
    return rows


__all__ = ["Heard", "Listener", "templates", "words_of"]
