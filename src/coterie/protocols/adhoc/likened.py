"""`likened:MODEL` and `untaught:MODEL`: MODEL, which was never told where a third of all kinds of things belong.

The first takes each of these kinds for the known one whose name is most like it to a language model (`likened.toml`,
made by `tools/likened.py`); the second does not know what they are. They tell how much of a result depends on the table
of places by which the judge decides, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial

from coterie.core.files import tables
from coterie.core.protocol import Ask, Reply
from coterie.models import Kind, Model, Options, inner_model, models

_THING = re.compile(r"\b(\w+_\d+) \((\w+)\)")  # as prompts name things and furniture


@cache
def likened() -> Mapping[str, str]:
    """Kinds of which no lesson says where they belong, each with the known kind that it is taken for."""
    return dict(tables(__package__, "likened.toml")["likened"])


class Likened:
    """Another model, whose prompts have other kinds in place of those that it was never told of."""

    def __init__(self, model: Model, how: str, kinds: Mapping[str, str]):
        self.model, self.name, self.kinds = model, f"{how}:{model.name}", kinds

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return self.model.answer([a._replace(prompt=tuple((r, self.taken(t)) for r, t in a.prompt)) for a in asks])

    def taken(self, text: str) -> str:
        """A prompt with the kinds of things as this model takes them."""
        return _THING.sub(lambda m: f"{m[1]} ({self.kinds.get(m[2], m[2])})", text)


def _make(how: str, rest: str, options: Options) -> Model:
    return Likened(
        inner_model(rest, options), how, likened() if how == "likened" else dict.fromkeys(likened(), "Thing")
    )


_ABOUT = "MODEL, never told where a third of all kinds of things in houses belong;"
for _how, _what in (("likened", "it takes each for one that it knows"), ("untaught", "it leaves these alone")):
    models.put(_how, Kind(f"{_how}:MODEL", f"{_ABOUT} {_what}", partial(_make, _how)))
