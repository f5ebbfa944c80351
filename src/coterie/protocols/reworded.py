"""A model whose teammates speak another dialect: `reworded:MODEL` tells it what they said in words that are not ours.

Whoever reads loses little by it; a program that knows our own sentences is lost. The same words are always told in the
same way. `reworded:0.5:MODEL` tells half of what is said otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.core.seeds import rng_of
from coterie.models import Kind, Model, Options, inner_model, models, share_in
from coterie.protocols.shared.dialects import retold


class Reworded:
    """Another model, to which teammates speak as in the `held` part of the dialects."""

    def __init__(self, model: Model, share: float = 1.0):
        self.model, self.share = model, share
        self.name = f"reworded:{model.name}" if share == 1.0 else f"reworded:{share:g}:{model.name}"

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return self.model.answer([ask._replace(prompt=self._told(ask.prompt)) for ask in asks])

    def _told(self, prompt: Prompt) -> Prompt:
        return retold(prompt, "held", self._draw)

    def _draw(self, words: str) -> random.Random | None:
        rng = rng_of("reworded", words)
        return rng if rng.random() < self.share else None


def _make(rest: str, options: Options) -> Model:
    head, mark, model = rest.partition(":")
    shared = bool(mark) and head.replace(".", "", 1).isdigit()
    if shared and not model:
        raise CoterieError(f"'reworded:{rest}' is no model: name one after the share, like reworded:0.5:oracle.")
    share = share_in("reworded", head, "what is said otherwise", 0.5) if shared else 1.0
    return Reworded(inner_model(model if shared else rest, options), share)


_ABOUT = "MODEL, to which teammates speak a dialect (reworded:0.5:MODEL: half of what they say)"
models.put("reworded", Kind("reworded:MODEL", _ABOUT, _make))
