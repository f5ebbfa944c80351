"""Ways in which robots could talk: each writes the same facts in a format of its own."""

from __future__ import annotations

from collections.abc import Callable

from tests.protocols.adhoc.truth import Truth

Writer = Callable[[Truth], str]


class Formats(dict[str, Writer]):
    """Writers by their names."""

    def add(self, write: Writer) -> Writer:
        self[write.__name__.replace("_", " ")] = write
        return write
