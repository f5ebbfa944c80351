"""Trains the reader of sentences: an adapter that turns what people say into meanings in brief (docs/reader.md)."""

from __future__ import annotations

import multiprocessing
import queue
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.learn.pool import IGNORED, Rows, packed, texts_of
from coterie.learn.samples import Sample
from coterie.learn.sentences import Sampler, Sentence
from coterie.learn.weights import Tokens, needed

STAGE = "read"  # of the requests by which the reader is asked
WAIT_S = 120.0  # for a batch


def as_sample(sentence: Sentence) -> Sample:
    return Sample(STAGE, (("user", sentence.prompt),), sentence.reply)


class Batches:
    """Batches drawn without end by other processes, so that a GPU does not wait."""

    def __init__(self, ways: Sequence[Path], words: Any, rows: int, length: int, seed: int, jobs: int):
        context: Any = multiprocessing.get_context("spawn")
        self._come = context.Queue(maxsize=64)
        args = (tuple(ways), words, rows, length)
        self._workers = [
            context.Process(target=_draw, args=(*args, seed * 1000 + n, self._come), daemon=True) for n in range(jobs)
        ]
        for worker in self._workers:
            worker.start()

    def __call__(self, step: int) -> Rows:
        try:
            return Rows(*self._come.get(timeout=WAIT_S))
        except queue.Empty:
            raise CoterieError("The processes that draw sentences have ended; see what they printed.") from None

    def close(self) -> None:
        for worker in self._workers:
            worker.kill()


def _draw(ways: Sequence[Path], words: Any, rows: int, length: int, seed: int, come: Any) -> None:
    rng, sampler, tokens = random.Random(seed), Sampler.packaged(*ways), Tokens(*words)
    while True:
        texts, total = [], 0
        while total < rows * length:
            more = texts_of([as_sample(sampler.sample(rng)) for _ in range(256)], tokens, length)
            texts += more
            total += sum(len(t.ids) for t in more)
        found = packed(texts, length)
        come.put(tuple(part[:rows] for part in found))


def exact(tuning: Any, samples: Sequence[Sample], tokens: Tokens, length: int) -> list[bool]:
    """For each sample whether every token of the reply is the model's first choice, in the order of `samples`."""
    torch = needed("torch")

    from coterie.learn.network import dense, packed_mask

    found = []
    with torch.no_grad():
        for text in texts_of(samples, tokens, length):
            rows = packed([text], len(text.ids))
            ids, labels, until, places = (torch.from_numpy(p.astype(np.int64)).to(tuning.device) for p in rows)
            hidden = tuning.network.hidden(ids, places, dense(packed_mask(until)))
            learnt = labels != IGNORED
            best = tuning.network.scores(hidden[learnt]).float().argmax(-1)
            found.append(bool((best == labels[learnt]).all()))
    return found


def train(
    tuning: Any, words: Any, ways: Sequence[Path], seconds: float, jobs: int, tell: Callable[[dict[str, Any]], None]
) -> None:
    """Learn from sentences that are drawn as they are needed, until the seconds are over."""
    recipe = tuning.recipe
    batches = Batches(ways, words, recipe.rows, recipe.length, recipe.seed, jobs)
    try:
        tuning.follow(batches, seconds, tell)
    finally:
        batches.close()
